#include "analysis/cartesian_system.hpp"

#include <algorithm>

#include "formulation/cartesian/attitude.hpp"
#include "math/decomposition/decompositions.hpp"
#include "mechanism/phases.hpp"

namespace cardan {

CartesianSystem::CartesianSystem(const Mechanism& mechanism, const StartingPoint& start)
    : mechanism_(initial_phase(mechanism)),
      compiled_(compile(mechanism_, "cartesian", {}, start)),
      work_(compiled_.formulation->make_workspace()),
      row_(compiled_.observer->columns().size()) {
  compiled_.formulation->start(state_, *work_);
  state_.acceleration = VecX::Zero(coordinates());
  const auto& names = structure().constraint_names;
  for (const Driver& driver : mechanism_.drivers) {
    const auto found = std::find(names.rbegin(), names.rend(), driver.name);
    driver_row_.push_back(static_cast<int>(names.rend() - found) - 1);
  }
  find_motion_columns();
}

void CartesianSystem::find_motion_columns() {
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
    const bool translates = joint.type == JointType::prismatic || joint.type == JointType::cylindrical;
    const bool plane = joint.type == JointType::planar || joint.type == JointType::free;
    for (int i = 0; i < count; ++i) {
      const std::string number = count == 1 ? "" : std::to_string(i + 1);
      const int lengths = translates ? 1 : !plane ? 0 : joint.type == JointType::free && !mechanism_.planar ? 3 : 2;
      add(joint.name, "v" + number, "q" + number, i < lengths, true);
    }
  }
}

void CartesianSystem::evaluate() {
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
  // A row that has all but vanished stays small: stretched, its rounding would ask for large motions.
  const double longest = row_length_.size() > 0 ? row_length_.maxCoeff() : 1;
  row_length_ = row_length_.cwiseMax(1e-8 * longest);
  jacobian_ = row_length_.cwiseInverse().asDiagonal() * jacobian_;
  row_length_.array() *= s.constraint_scale.array();
  phi_ = e.phi.cwiseQuotient(row_length_);
}

bool CartesianSystem::move(const VecX& x) {
  state_.q += structure().scale.cwiseProduct(x);
  return close(1);
}

/// Newton's method with the decomposition of an earlier position, for it costs more than all the rest, as long as the
/// corrections shrink fast; what they shrink to is judged by that of the position reached.
bool CartesianSystem::close(double largest) {
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

void CartesianSystem::follow_drivers() {
  const VecX& scale = structure().scale;
  Equations& e = work_->equations;
  state_.v = scale.cwiseProduct(basis_.shortest(VecX(-e.phi_t.cwiseQuotient(row_length_))));
  compiled_.formulation->velocity(state_.v, *work_);
  compiled_.formulation->gamma(*work_);
  state_.acceleration = scale.cwiseProduct(basis_.shortest(e.gamma.cwiseQuotient(row_length_)));
}

VecX CartesianSystem::forces() {
  compiled_.formulation->velocity(state_.v, *work_);
  compiled_.formulation->dynamics(*work_);
  return structure().scale.cwiseProduct(work_->equations.force);
}

Eigen::MatrixXd CartesianSystem::mass() const {
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
VecX CartesianSystem::mass_times(const VecX& x) const {
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

void CartesianSystem::tangent(const VecX& lambda, Eigen::MatrixXd& stiffness, Eigen::MatrixXd& damping) {
  MotionDerivatives d(structure());
  const VecX own = lambda.cwiseQuotient(row_length_);
  compiled_.formulation->differentiate(VecX::Zero(coordinates()), own, *work_, d);
  const auto S = structure().scale.asDiagonal();
  stiffness = S * d.stiffness * S;
  damping = S * d.damping * S;
}

Unbalanced CartesianSystem::unbalanced(const VecX& residual) const {
  Unbalanced worst;
  const VecX r = residual.cwiseQuotient(structure().scale);
  double largest = -1;
  for (int b = 0; b < static_cast<int>(mechanism_.bodies.size()); ++b) {
    const int at = b * body_size();
    double force = 0, moment = 0;
    if (mechanism_.planar) {
      force = r.segment<2>(at).norm();
      moment = std::abs(r[at + 2]);
    } else {
      // Q_p = 2 E^T n, and E E^T = I
      const Eigen::Vector4d p = state_.q.segment<4>(at + 3), own = r.segment<4>(at + 3);
      force = r.segment<3>(at).norm();
      moment = 0.5 * (Attitude<3>::inertial_map(p) * own).norm();
    }
    worst.force = std::max(worst.force, force);
    worst.moment = std::max(worst.moment, moment);
    const double size = std::max(force, moment / length());
    if (!(size <= largest)) largest = size, worst.body = b;
  }
  return worst;
}

std::vector<BodyPose> CartesianSystem::poses() {
  std::vector<BodyPose> result;
  for (int b = 0; b < static_cast<int>(mechanism_.bodies.size()); ++b) {
    const BodyMotion motion = body(b);
    result.push_back({motion.position, motion.rotation});
  }
  return result;
}

VecX CartesianSystem::motion(const VecX& x) {
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

std::vector<std::string> CartesianSystem::name_motions(const Eigen::MatrixXd& x) {
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
