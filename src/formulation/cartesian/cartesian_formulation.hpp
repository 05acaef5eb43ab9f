// `cartesian`: the centre and attitude of every body as coordinates, every joint and driver as constraints, and in
// space the normalization of the Euler parameters. M a + Phi_q^T lambda = Q with
//     M = diag(m I, 4 G^T J G + mu p p^T),   Q_p = ... - 8 G(p')^T J G p' - mu p (p'.p'),
// where the term with mu, nothing on |p| = 1, keeps M regular. The only formulation with exact second derivatives.
#pragma once

#include "formulation/cartesian/cartesian_loads.hpp"
#include "formulation/constraint_rows.hpp"
#include "formulation/formulation.hpp"

namespace cardan {

template <int D>
class CartesianFormulation final : public BodyFormulation<D> {
 public:
  static constexpr int kBody = BodyCoordinates<D>::kSize;
  struct Work final : Workspace {
    BodyKinematics<D> kinematics;
    BodyKinematics<D> upright;               // the same poses with |p| = 1, where a constraint counts whole turns
    std::vector<BodyCoordinates<D>> bodies;  // and ground
    ConstraintRows<D> constraints;           // as the state given to position() holds them
    double t = 0;
    VecX turns;  // position level: what angles are continued from, see BodyModel::predict_turns()
    Work(const Structure& structure, int bodies, const ConstraintRows<D>& constraints);
  };

  CartesianFormulation(std::shared_ptr<const BodyModel<D>> model, BodyKinematics<D> assembled, double length);

  std::unique_ptr<Workspace> make_workspace() const override;
  void start(State& state, Workspace& work) const override;
  StepStatus position(double t, const VecX& q, const State& reference, Workspace& work) const override;
  void velocity(const VecX& v, Workspace& work) const override;
  void gamma(Workspace& work) const override;
  void dynamics(Workspace& work) const override;
  void project(std::vector<typename Space<D>::Twist>& wrenches, Workspace& work, double* force) const override;
  StepStatus accept(const State& before, State& state, Workspace& work) const override;
  BodyKinematics<D>& kinematics(Workspace& work) const override;
  void accelerations(const VecX& acceleration, Workspace& work) const override;

  bool is_differentiable() const override { return true; }
  void differentiate(const VecX& a, const VecX& lambda, Workspace& work, MotionDerivatives& result) const override;

 private:
  using BodyFormulation<D>::model_;
  using Formulation::structure_;
  using A = Attitude<D>;
  struct TermPlaces {
    int body1, body2;  // where their entries begin in the row; -1: ground
  };
  void add_body_names(double length);
  double whole_periods(int row, double driven, Work& w) const;
  void choose_inertias_of_normalizations(double length);
  void list_tangent_blocks();
  void differentiate_constraints(const VecX& a, const VecX& lambda, const Work& w, MotionDerivatives& result) const;
  void differentiate_inertia(const VecX& a, const Work& w, MotionDerivatives& result) const;
  void differentiate_rotors(const VecX& a, const Work& w, MotionDerivatives& result) const;
  void add_rotors(Work& w) const;
  /// Adds the columns of a measure's bodies that are not there yet.
  TermPlaces add_columns(const Measure<D>& m, std::vector<int>& columns) const;

  BodyKinematics<D> assembled_;
  CartesianLoads<D> loads_;
  ConstraintRows<D> constraints_;  // joints, couplers, drivers; in Phi the normalizations come before them
  std::vector<TermPlaces> term_places_;
  int normalizations_ = 0;  // one for each body in space
  std::vector<double> mu_;  // of every body, kg m^2: inertia of a change of |p|, which the normalization holds at 1
};

}  // namespace cardan
