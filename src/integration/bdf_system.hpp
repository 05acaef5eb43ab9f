// The equations of motion as IDA wants them: F(t, y, y') and its Jacobian dF/dy + c dF/dy', see bdf.hpp.
#pragma once

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "formulation/formulation.hpp"

namespace cardan {

struct BdfSettings;

class BdfSystem {
 public:
  /// `rows`: the constraints that are independent. `constraint_scale` multiplies Phi in index 3.
  BdfSystem(const Formulation& formulation, Workspace& work, std::vector<int> rows, int index, double constraint_scale);

  int size() const { return 2 * n_ + (stabilized_ ? 2 : 1) * m_; }
  /// The state at the start of the step; must outlive it.
  void set_reference(const State& state) { reference_ = &state; }
  void pack(const State& state, double* y, double* rate) const;
  void unpack(const double* y, const double* rate, State& state) const;
  /// kind: 1 for what the error test looks at, 0 for the rest; tolerance: absolute ones.
  void mark(const BdfSettings& settings, const State& state, double* kind, double* tolerance) const;

  static int residual(double t, N_Vector y, N_Vector rate, N_Vector result, void* system);
  static int jacobian(double t, double c, N_Vector y, N_Vector rate, N_Vector result, SUNMatrix matrix, void* system,
                      N_Vector, N_Vector, N_Vector);

 private:
  StepStatus evaluate(double t, const double* y, const double* rate);
  void write_residual(const double* y, const double* rate, double* result);
  void write_jacobian(double c, SUNMatrix matrix);

  const Formulation& formulation_;
  const Structure& structure_;
  Workspace& work_;
  std::vector<int> rows_;
  bool stabilized_;
  double scale_;
  int n_, m_;
  const State* reference_ = nullptr;
  MotionDerivatives derivatives_;
  VecX q_, v_, a_, lambda_, product_;
};

}  // namespace cardan
