#include "analysis/dense_system.hpp"

#include <algorithm>

#include "formulation/constraint_rank.hpp"
#include "math/decomposition/decompositions.hpp"
#include "mechanism/joint_types.hpp"
#include "mechanism/phases.hpp"
#include "mechanism/problems.hpp"

namespace cardan {
namespace {

/// Positions of rest, modes and efforts are those of bodies; what states do is not known here.
const Mechanism& without_states(const Mechanism& mechanism) {
  refuse_velocity_constraints(mechanism, "positions of rest, modes and inverse dynamics");
  if (mechanism.states.empty()) return mechanism;
  throw ModelError(
      error_at(mechanism.states[0].where.line > 0 ? mechanism.states[0].where : SourceLocation{mechanism.file},
               element_label("state", mechanism.states[0].name),
               "positions of rest, modes and inverse dynamics are found of models without states",
               "run it as drawn, or take linearize() of a System, which has states among its own"));
}

}  // namespace

void refuse_velocity_constraints(const Mechanism& mechanism, const std::string& what) {
  const auto refuse = [&](const auto& element) {
    throw ModelError(error_at(element.where.line > 0 ? element.where : SourceLocation{mechanism.file},
                              element_label("constraint", element.name),
                              what + " are found of models whose velocities are as free as their positions",
                              "leave the constraint out, or run the model"));
  };
  if (!mechanism.knife_edges.empty()) refuse(mechanism.knife_edges[0]);
  if (!mechanism.rolling_discs.empty()) refuse(mechanism.rolling_discs[0]);
}

DenseSystem::DenseSystem(const Mechanism& mechanism, const std::string& formulation, const StartingPoint& start)
    : mechanism_(initial_phase(without_states(mechanism))),
      compiled_(compile(mechanism_, formulation, {}, start)),
      work_(compiled_.formulation->make_workspace()),
      row_(compiled_.observer->columns().size()) {
  compiled_.formulation->start(state_, *work_);
  state_.acceleration = state_.algorithmic = VecX::Zero(coordinates());
  const auto& names = structure().constraint_names;
  for (const Driver& driver : mechanism_.drivers) {
    const auto found = std::find(names.rbegin(), names.rend(), driver.name);
    driver_row_.push_back(static_cast<int>(names.rend() - found) - 1);
  }
  rounding_ = row_rounding(structure(), structure().jacobian.start);
  find_motion_columns();
}

void DenseSystem::find_motion_columns() {
  const auto& all = columns();
  const auto add = [&](const std::string& element, const std::string& rate, const std::string& name, bool is_length,
                       bool is_joint) {
    const auto found = std::find(all.begin(), all.end(), element + "." + rate);
    if (found == all.end()) return;
    motion_columns_.push_back({element + "." + name, static_cast<int>(found - all.begin()), is_length, is_joint});
  };
  for (const Body& body : mechanism_.bodies) {
    for (const char* axis : {"x", "y", "z"}) add(body.name, std::string("v") + axis, axis, true, false);
    for (const char* axis : {"x", "y", "z"}) {
      add(body.name, std::string("w") + axis, std::string("r") + axis, false, false);
    }
    add(body.name, "w", "angle", false, false);
  }
  for (const Joint& joint : mechanism_.joints) {
    if (!joint.present) continue;
    const int count = joint_coordinate_count(joint.type, mechanism_.planar);
    for (int i = 0; i < count; ++i) {
      const std::string number = count == 1 ? "" : std::to_string(i + 1);
      const bool is_length = !coordinate_direction(joint.type, mechanism_.planar, i).angular;
      add(joint.name, "v" + number, "q" + number, is_length, true);
    }
  }
}

void DenseSystem::evaluate() {
  compiled_.formulation->position(state_.t, state_.q, state_, *work_);
  const Structure& s = structure();
  const Equations& e = work_->equations;
  jacobian_.setZero(constraints(), coordinates());
  for (int row = 0; row < constraints(); ++row) {
    for (int k = s.jacobian.start[row]; k < s.jacobian.start[row + 1]; ++k) {
      const int column = s.jacobian.column[k];
      jacobian_(row, column) = e.jacobian[k] * s.scale[column] / s.constraint_scale[row];
    }
  }
  row_length_ = jacobian_.rowwise().norm();
  // A row that is nothing but rounding is none, also where all others are like that.
  for (int row = 0; row < constraints(); ++row) {
    if (row_length_[row] <= rounding_[row]) jacobian_.row(row).setZero(), row_length_[row] = 0;
  }
  // A row that has all but vanished stays small: stretched, its rounding would ask for large motions.
  const double longest = row_length_.size() > 0 ? row_length_.maxCoeff() : 1;
  row_length_ = row_length_.cwiseMax(longest > 0 ? 1e-8 * longest : 1);
  jacobian_ = row_length_.cwiseInverse().asDiagonal() * jacobian_;
  row_length_.array() *= s.constraint_scale.array();
  phi_ = e.phi.cwiseQuotient(row_length_);
}

double DenseSystem::largest_violation() const {
  if (phi_.size() == 0) return 0;
  return phi_.cwiseProduct(row_length_).cwiseQuotient(structure().constraint_scale).cwiseAbs().maxCoeff();
}

bool DenseSystem::move(const VecX& x) {
  state_.q += structure().scale.cwiseProduct(x);
  return close(1);
}

/// Newton's method with the decomposition of an earlier position, for it costs more than all the rest, as long as the
/// corrections shrink fast; what they shrink to is judged by that of the position reached.
bool DenseSystem::close(double largest) {
  constexpr int kIterations = 60;
  constexpr double kClosed = 1e-15, kNearly = 1e-11, kFast = 0.1;
  double last = 1e300;
  const auto is_closed = [&last](double size) { return size <= kClosed || (size <= kNearly && size > 0.5 * last); };
  for (int i = 0; i < kIterations; ++i) {
    evaluate();
    const bool kept = basis_.has_size_of(jacobian_);
    if (!kept) basis_.compute(jacobian_);
    VecX x = basis_.shortest(-phi_);
    double size = x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0;
    if (kept && (is_closed(size) || !(size <= kFast * last && size <= largest))) {
      basis_.compute(jacobian_);
      x = basis_.shortest(-phi_);
      size = x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0;
    }
    if (!std::isfinite(size) || size > largest) return false;
    if (is_closed(size)) return true;
    last = size;
    state_.q += structure().scale.cwiseProduct(x);
  }
  position();
  return last <= kNearly;
}

void DenseSystem::follow_drivers() {
  const VecX& scale = structure().scale;
  Equations& e = work_->equations;
  state_.v = scale.cwiseProduct(basis_.shortest(VecX(-e.phi_t.cwiseQuotient(row_length_))));
  compiled_.formulation->velocity(state_.v, *work_);
  compiled_.formulation->gamma(*work_);
  state_.acceleration = scale.cwiseProduct(basis_.shortest(e.gamma.cwiseQuotient(row_length_)));
}

VecX DenseSystem::forces() {
  compiled_.formulation->velocity(state_.v, *work_);
  compiled_.formulation->dynamics(*work_);
  return structure().scale.cwiseProduct(work_->equations.force);
}

Eigen::MatrixXd DenseSystem::mass() const {
  const SymmetricPattern& pattern = structure().pattern;
  const VecX& scale = structure().scale;
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(coordinates(), coordinates());
  for (int j = 0; j < pattern.n; ++j) {
    for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k) {
      const int i = pattern.row[k];
      M(i, j) = M(j, i) = scale[i] * work_->equations.mass[k] * scale[j];
    }
  }
  return M;
}

/// M x without M, after forces().
VecX DenseSystem::mass_times(const VecX& x) const {
  const SymmetricPattern& pattern = structure().pattern;
  const VecX scaled = structure().scale.cwiseProduct(x);
  VecX result = VecX::Zero(coordinates());
  for (int j = 0; j < pattern.n; ++j) {
    for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k) {
      const int i = pattern.row[k];
      result[i] += work_->equations.mass[k] * scaled[j];
      if (i != j) result[j] += work_->equations.mass[k] * scaled[i];
    }
  }
  return structure().scale.cwiseProduct(result);
}

std::vector<BodyPose> DenseSystem::poses() {
  std::vector<BodyPose> result;
  for (int b = 0; b < static_cast<int>(mechanism_.bodies.size()); ++b) {
    const BodyMotion motion = body(b);
    result.push_back({motion.position, motion.rotation});
  }
  return result;
}

VecX DenseSystem::motion(const VecX& x) {
  const VecX v = state_.v, a = state_.acceleration;
  state_.v = structure().scale.cwiseProduct(x);
  state_.acceleration.setZero();
  sample(row_.data());
  state_.v = v;
  state_.acceleration = a;
  VecX result(static_cast<Eigen::Index>(motion_columns_.size()));
  for (std::size_t i = 0; i < motion_columns_.size(); ++i) result[i] = row_[motion_columns_[i].index];
  return result;
}

std::vector<std::string> DenseSystem::name_motions(const Eigen::MatrixXd& x) {
  constexpr double kBodies = 0.1;  // weight of a body's coordinates beside those of joints
  Eigen::MatrixXd rates(x.cols(), static_cast<Eigen::Index>(motion_columns_.size()));
  for (Eigen::Index i = 0; i < x.cols(); ++i) rates.row(i) = motion(x.col(i)).transpose();
  for (std::size_t c = 0; c < motion_columns_.size(); ++c) {
    const Column& column = motion_columns_[c];
    rates.col(c) *= (column.is_length ? 1 / length() : 1) * (column.is_joint ? 1 : kBodies);
  }
  const std::vector<int> order = pivoted_columns(rates);
  std::vector<std::string> names;
  for (Eigen::Index i = 0; i < std::min(x.cols(), rates.cols()); ++i) {
    names.push_back(motion_columns_[order[i]].name);
  }
  return names;
}

}  // namespace cardan
