// The equations of motion as IDA wants them: F(t, y, y') and its Jacobian dF/dy + c dF/dy', see bdf.hpp.
#pragma once

#include <ida/ida.h>
#include <nvector/nvector_serial.h>

#include <array>

#include "formulation/formulation.hpp"
#include "math/sparse_lu.hpp"

namespace cardan {

struct BdfSettings;

class BdfSystem {
 public:
  /// `rows`: the constraints that are independent.
  BdfSystem(const Formulation& formulation, Workspace& work, std::vector<int> rows, const BdfSettings& settings);

  int size() const { return 2 * n_ + m_ + (stabilized_ ? positions_ : 0); }
  /// The state at the start of the step; must outlive it.
  void set_reference(const State& state) { reference_ = &state; }
  void pack(const State& state, double* y, double* rate) const;
  void unpack(const double* y, const double* rate, State& state) const;
  /// 1 for what the error test looks at, positions and velocities; 0 for multipliers.
  void mark(double* kind) const;
  /// The Jacobian last asked for, to be factorized.
  SparseLu& matrix() { return matrix_; }
  /// All that are factorized.
  std::array<SparseLu*, 2> matrices() { return {&matrix_, &tangent_}; }
  std::array<const SparseLu*, 2> matrices() const { return {&matrix_, &tangent_}; }
  /// A first step whose error in the positions is near an eighth of what is allowed; 0 where nothing accelerates.
  double first_step(const State& state) const;
  /// What Newton's iteration cannot resolve is left out of its test: rounding in velocities q'(q) of a step of h
  /// seconds.
  void set_step(double h) { h_ = h; }

  /// y, y', t, c of the Jacobian last asked for.
  struct JacobianPoint {
    VecX y, rate;
    double t = 0, c = 0;
  };
  const JacobianPoint& jacobian_point() const { return jacobian_point_; }

  static int residual(double t, N_Vector y, N_Vector rate, N_Vector result, void* system);
  static int jacobian(double t, double c, N_Vector y, N_Vector rate, N_Vector result, SUNMatrix matrix, void* system,
                      N_Vector, N_Vector, N_Vector);
  /// Error weights, so that the root mean square that IDA takes is the 2-norm of error / tolerance: no component is
  /// off by more than its tolerance.
  static int weights(N_Vector y, N_Vector weight, void* system);
  /// The same norm of positions and of that part of the velocities which the constraints allow (index 3).
  double tangent_norm(const double* x);

 private:
  StepStatus evaluate(double t, const double* y, const double* rate);
  void write_residual(const double* y, const double* rate, double* result);
  /// visit(row, column, value) for every entry of the Jacobian, always in the same order.
  template <class Visit>
  void each_entry(double c, const Visit& visit) const;
  std::vector<SparseLu::Entry> entries() const;
  std::vector<SparseLu::Entry> tangent_entries() const;
  /// Where Phi of a row stands: behind the rates, or in their place.
  int position_row(int k) const { return 2 * n_ + (stabilized_ ? m_ : 0) + k; }
  double position_tolerance(int i, double q) const;
  void factorize_tangent(const double* y);

  const Formulation& formulation_;
  const Structure& structure_;
  Workspace& work_;
  std::vector<int> rows_;
  const BdfSettings& settings_;
  bool stabilized_;
  double scale_;       // of Phi
  double rate_scale_;  // of its rate
  int n_, m_;
  int positions_;  // how many of the rows, the first ones, hold positions
  double h_ = 0;
  const State* reference_ = nullptr;
  MotionDerivatives derivatives_;
  VecX q_, v_, a_, lambda_, product_;
  SparseLu matrix_;
  JacobianPoint jacobian_point_;
  VecX tested_;        // weights of the error test in index 3, 2n
  SparseLu tangent_;   // [M Phi_q^T; Phi_q 0] in index 3
  VecX tangent_mass_;  // M in it, by the pattern
  VecX tangent_part_;  // n + m
  bool tangent_known_ = false;
};

}  // namespace cardan
