// `global`: natural coordinates. M is constant, velocity-dependent inertia is zero (but for rotors), every rigid-body
// and joint equation is a dot product; loads, drivers, couplers and rotors act through the poses that the bases give.
#pragma once

#include "formulation/constraint_rows.hpp"
#include "formulation/formulation.hpp"
#include "formulation/natural/natural_coordinates.hpp"

namespace cardan {

template <int D>
class NaturalFormulation final : public BodyFormulation<D> {
 public:
  using S = Space<D>;
  using Vector = typename S::Vector;
  using Twist = typename S::Twist;

  /// The reciprocal directions d^k of a body's basis (in the plane d / |d|^2), which turn torques into forces.
  using Reciprocal = Eigen::Matrix<double, D, NaturalBody<D>::kDirections>;

  struct Work final : Workspace {
    double t = 0;
    VecX q, v;   // of the last position() and velocity() calls
    VecX turns;  // position level: what angles are continued from, see BodyModel::predict_turns()
    std::vector<Vector> factor_a, factor_b;  // position level: a and b of every dot equation
    bool bodies_posed = false, bodies_moved = false;
    BodyKinematics<D> kinematics;        // filled when bodies_posed, bodies_moved
    std::vector<Reciprocal> reciprocal;  // with the poses
    ConstraintRows<D> measured;          // as the state given to position() holds them
    std::vector<Twist> term_gradient, load_gradient, wrench;
    VecX rotor_row;  // values on the rows of the rotors
    Work(const Structure& structure, const NaturalFormulation& formulation);
  };

  NaturalFormulation(std::shared_ptr<const BodyModel<D>> model, BodyKinematics<D> assembled, double length);

  std::unique_ptr<Workspace> make_workspace() const override;
  void start(State& state, Workspace& work) const override;
  StepStatus position(double t, const VecX& q, const State& reference, Workspace& work) const override;
  void velocity(const VecX& v, Workspace& work) const override;
  void gamma(Workspace& work) const override;
  void dynamics(Workspace& work) const override;
  void project(std::vector<typename Space<D>::Twist>& wrenches, Workspace& work, double* force) const override;
  StepStatus accept(const State& before, State& state, Workspace& work) const override;
  double fastest_rate(const Eigen::Ref<const VecX>& v) const override;
  BodyKinematics<D>& kinematics(Workspace& work) const override;
  void accelerations(const VecX& acceleration, Workspace& work) const override;

 private:
  using BodyFormulation<D>::model_;
  using Formulation::structure_;

  /// A linear form flattened for the loops: entries with their coordinates, the constant apart.
  struct FlatTerm {
    int first;  // first coordinate of the entity
    double scale, perp;
    int place;  // where the entity's D entries stand in the equation's row
  };
  struct FlatEquation {
    int a_begin, a_end, b_begin, b_end;  // in terms_
    int row_begin, row_entries;          // entries of the Jacobian row
    Vector a_constant, b_constant;
    double value, scale;
    double length;  // |a|, where the equation keeps it; 0 where it is another
  };
  /// Where a wrench between two bodies lands: for each body its entities' places in the row.
  struct WrenchRow {
    int body1, body2;
    std::vector<int> places1, places2;  // of origin and directions; -1: fixed
  };

  void flatten();
  void add_wrench_rows();
  WrenchRow wrench_row(int body1, int body2, std::vector<int>& columns) const;
  void build_mass();
  void write_wrench(const WrenchRow& row, const Twist& wrench, double weight, const Work& w, double* out) const;
  void add_rotors(Work& w) const;
  template <class Coordinates>
  Vector evaluate(const Coordinates& q, int begin, int end) const;
  Vector entity_value(int entity, const VecX& q, bool rate) const;
  void pose_bodies(Work& w) const;
  void move_bodies(Work& w) const;
  void body_accelerations(Work& w, const VecX* acceleration, std::vector<Twist>& out) const;
  /// Adds the generalized force of a wrench on a body to D-vectors at `places` (or coordinates when places are those).
  void spread_wrench(int body, const Twist& wrench, const Work& w, const std::vector<int>& places, double sign,
                     double* out) const;

  BodyKinematics<D> assembled_;
  NaturalCoordinates<D> natural_;
  std::vector<FlatTerm> terms_;
  std::vector<FlatEquation> flat_;
  ConstraintRows<D> measured_;  // what no dot product says: joints of events, pitches of screws, couplers, drivers
  std::vector<WrenchRow> term_rows_, load_rows_, rotor_wrench_rows_;
  RowPattern rotor_rows_;
  std::vector<std::vector<int>> body_places_;  // first coordinates of each body's entities
  std::vector<LinearForm<D>> center_;          // of every body
  VecX mass_, gravity_;
  bool looks_at_bodies_ = false;
};

}  // namespace cardan
