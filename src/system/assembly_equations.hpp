// The equations of the initial position and velocity problem, those of joints, couplers, constraints, drivers and
// initial values, and what they come to where the bodies are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "formulation/constraint_rows.hpp"
#include "math/sparse_rows.hpp"
#include "system/assembly.hpp"
#include "system/mobility.hpp"

namespace cardan {

/// Who asks for an equation. Name and place are those of the mechanism; words are made of them when they are needed.
struct EquationSource {
  enum class Sort { joint, coupler, constraint, driver, initial };
  Sort sort = Sort::joint;
  const std::string* name = nullptr;
  const SourceLocation* where = nullptr;
  const char* of = "";  // initial values: "joint" or "body"

  /// For messages: "joint 'pin'".
  std::string element() const;
};

/// One scalar equation: a joint's, a coupler's, a driver's or an initial value.
template <int D>
struct AssemblyEquation {
  std::vector<typename ConstraintRows<D>::Term> terms;
  bool angular;                // counts modulo full turns
  double target;               // of the sum of the terms
  std::optional<double> rate;  // of its derivative; joints and drivers always have one
  EquationSource source;
  bool hard;       // also a position condition
  int joint = -1;  // the one that it belongs to
  // Of a direction: the other cosine, which is positive where the axes are as drawn (see NamedMeasure::facing).
  std::optional<Measure<D>> facing = {};
  // The same of the joint's axis, where this is a direction about it: until the axis nearly points the right way, it is
  // open which way to turn about it.
  std::optional<Measure<D>> axis = {};
  bool waits = false;        // for that
  bool of_velocity = false;  // a constraint on velocities: `rate` alone counts
};

template <int D>
class AssemblyEquations {
 public:
  using S = Space<D>;
  using Twist = typename S::Twist;

  AssemblyEquations(const BodyModel<D>& model, const BodyKinematics<D>& poses, const AssemblyOptions& options);

  BodyKinematics<D> bodies;  // where they are
  std::vector<AssemblyEquation<D>> all;
  double length;  // size of the mechanism, m

  const BodyModel<D>& model() const { return model_; }
  /// Beyond a right angle from where the axis belongs, e1 . e2 = 0 leads to where it points the other way.
  bool faces_away(const AssemblyEquation<D>& e) const { return e.facing && e.facing->value(bodies) < 0; }
  double residual(const AssemblyEquation<D>& e) const;
  /// Brings all equations to the same unit, a length.
  double unit(const AssemblyEquation<D>& e) const { return e.terms[0].measure.is_length() ? 1 : length; }
  /// Entries of a row of one equation: the wrench about each body's own centre.
  void append_row(const AssemblyEquation<D>& e, SparseRows& rows) const;
  SparseRows empty_rows() const;
  /// Rows that depend on earlier ones, rotations counted in lengths as well.
  std::vector<int> dependent(SparseRows rows) const;
  /// What counts as nothing in a least-norm solution: joints that hold the same motion twice contradict each other by
  /// the rounding of their points.
  double nothing() const { return std::max(1e-11, rounding()); }

  /// " (joints a, b and c)": the loop that the equation belongs to, or nothing where there is none.
  std::string loop_of(const AssemblyEquation<D>& e) const;
  /// `element` asks for a motion: refuses it where the joints leave none, by the joint whose axis is off if there is
  /// one.
  void refuse_motion_if_locked(const std::string& element, const SourceLocation& where,
                               const std::string& loop = "") const;
  /// Only where there is such a joint.
  void refuse_axis_that_locks(const std::string& element) const { refuse_axis(element, mobility()); }
  static constexpr const char* kLocked = "the mechanism is locked: its joints leave it 0 degrees of freedom";

 private:
  void collect(const AssemblyOptions& options);
  void collect_constraints();
  void collect_given(const AssemblyOptions& options);
  std::optional<Mobility> mobility() const { return find_mobility(model_, bodies, length); }
  void refuse_axis(const std::string& element, const std::optional<Mobility>& mobility) const;
  Measure<D> facing(const NamedMeasure<D>& direction) const;
  double difference(const AssemblyEquation<D>& e) const;
  /// Of an entry of a row, with a margin.
  double rounding() const { return 500 * model_.rounding(length); }

  const BodyModel<D>& model_;
  VecX turns_;  // what angles that count full turns are continued from
};

}  // namespace cardan
