// A mechanism in the coordinates of a formulation with dense matrices, as the analyses take it. Coordinates are scaled,
// x = q / scale, so that all of them are pure numbers (lengths by the mechanism's size) and all generalized forces are
// moments; constraint rows have unit length. States of the model are beside the coordinates, in units of their scales.
#pragma once

#include <memory>

#include "cardan/analysis.hpp"
#include "math/decomposition/constraint_basis.hpp"
#include "system/compile.hpp"

namespace cardan {

/// Throws ModelError: where a constraint holds velocities that positions are free in, a position of rest is any that it
/// holds by its force, and a motion near it is not one of coordinates with a rate each.
void refuse_velocity_constraints(const Mechanism& mechanism, const std::string& what);

class DenseSystem {
 public:
  DenseSystem(const Mechanism& mechanism, const std::string& formulation, const StartingPoint& start = {});

  /// Of the mechanism.
  int coordinates() const { return structure().coordinates - states(); }
  int states() const { return structure().states; }
  int constraints() const { return structure().constraints; }
  double length() const { return compiled_.length; }
  const Mechanism& mechanism() const { return mechanism_; }
  const std::vector<std::string>& warnings() const { return compiled_.warnings; }
  const Structure& structure() const { return compiled_.formulation->structure(); }
  State& state() { return state_; }

  /// Position level at the state: phi(), jacobian() and the basis.
  void position() {
    evaluate();
    basis_.compute(jacobian_);
  }
  const VecX& phi() const { return phi_; }  // by the length of the row
  /// The largest of phi in units of the mechanism, not of rows: one that vanishes everywhere, like that of a ball joint
  /// in the midst of a gimbal, is rounding, which its length would magnify.
  double largest_violation() const;
  const Eigen::MatrixXd& jacobian() const { return jacobian_; }
  const ConstraintBasis& basis() const { return basis_; }
  /// Index of a driver's row.
  int driver_row(int driver) const { return driver_row_[driver]; }
  double row_length(int row) const { return row_length_[row]; }

  /// Moves the state by x and closes the constraints again by the shortest corrections; ends with position(). False
  /// when they do not close; the state is then anywhere.
  bool move(const VecX& x);
  /// True when the independent rows have converged. `largest`: of a correction.
  bool close(double largest);
  /// Continues the angles over full turns.
  void accept() { compiled_.formulation->accept(state_, state_, *work_); }

  /// Velocity and acceleration that follow from drivers, for mechanisms without freedom.
  void follow_drivers();
  /// Q at the state's velocity.
  VecX forces();
  /// After forces(): rates of the states, and minus their derivatives by the states.
  VecX rates() const { return work_->equations.force.tail(states()); }
  Eigen::MatrixXd rates_by_states() const;
  auto state_values() { return state_.v.tail(states()); }
  /// After forces().
  Eigen::MatrixXd mass() const;
  VecX mass_times(const VecX& x) const;

  std::vector<BodyPose> poses();
  BodyMotion body(int b) { return compiled_.observer->body(b, state_, *work_); }
  const std::vector<std::string>& columns() const { return compiled_.observer->columns(); }
  void sample(double* row) { compiled_.observer->sample(state_, *work_, row); }
  /// After sample() or body(): what the state so far left of tables.
  bool look_at_tables() { return compiled_.observer->look_at_tables(state_, *work_); }
  std::vector<LeftTable> left_tables() const { return compiled_.observer->left_tables(); }

  /// What a motion does to bodies and joint coordinates.
  struct Column {
    std::string name;  // "arm.x", "arm.rz", "pin.q"
    int index;         // of its rate in columns()
    bool is_length, is_joint;
  };
  const std::vector<Column>& motion_columns() const { return motion_columns_; }
  VecX motion(const VecX& x);
  /// As many coordinates as there are columns in `x`, which together tell these motions apart: joint coordinates
  /// before those of bodies.
  std::vector<std::string> name_motions(const Eigen::MatrixXd& x);

 protected:
  Mechanism mechanism_;
  CompiledMechanism compiled_;
  std::unique_ptr<Workspace> work_;
  State state_;
  VecX row_length_;
  auto scale() const { return structure().scale.head(coordinates()); }

 private:
  /// phi() and jacobian() at the state.
  void evaluate();
  void find_motion_columns();

  VecX phi_;
  VecX rounding_;  // how long the error of a row may be
  Eigen::MatrixXd jacobian_;
  ConstraintBasis basis_;
  std::vector<int> driver_row_;
  std::vector<Column> motion_columns_;
  std::vector<double> row_;
};

}  // namespace cardan
