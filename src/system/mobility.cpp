#include "system/mobility.hpp"

#include <fmt/format.h>

#include <numbers>

#include "formulation/constraint_rows.hpp"
#include "math/decomposition/constraint_basis.hpp"
#include "math/decomposition/decompositions.hpp"
#include "mechanism/joint_types.hpp"

namespace cardan {
namespace {

constexpr int kMostRows = 1500;
constexpr double kSlight = 0.3;  // rad: an axis further off was meant that way
constexpr double kNone = 1e-7;   // rad

template <int D>
class MobilityAnalysis {
 public:
  using S = Space<D>;
  using Vector = typename S::Vector;
  using Twist = typename S::Twist;

  MobilityAnalysis(const BodyModel<D>& model, const BodyKinematics<D>& k, double length)
      : model_(model), k_(k), length_(length), rows_(model) {
    for (int j = 0; j < static_cast<int>(model.mechanism().joints.size()); ++j) {
      first_row_.push_back(rows_.size());
      rows_.add_joint(j);
    }
    first_row_.push_back(rows_.size());
    rows_.add_couplers();
    rows_.add_discs();
  }

  bool is_affordable() const { return std::max(rows_.size(), columns()) <= kMostRows; }

  Mobility run() {
    fill();
    columns_of_J_.compute(J_.transpose());
    Mobility result;
    result.degrees_of_freedom = columns() - columns_of_J_.rank();
    if (result.degrees_of_freedom == 0 && columns() > 0) result.off_axis = find_off_axis();
    if (result.degrees_of_freedom == 0 && columns() > 0 && !result.off_axis) result.too_much = find_surplus_joint();
    return result;
  }

 private:
  int columns() const { return model_.bodies() * S::kTwist; }

  /// Rows of unit length over velocities of mass centres and angular velocities times the size of the mechanism.
  void fill() {
    J_.setZero(rows_.size(), columns());
    for (int r = 0; r < rows_.size(); ++r) {
      for (int i = rows_.rows()[r].first; i < rows_.rows()[r].last; ++i) {
        const auto& term = rows_.terms()[i];
        const Twist w = term.weight * term.measure.gradient(k_);
        add(r, term.measure.body2, w);
        add(r, term.measure.body1, Twist(-w));
      }
      const double size = J_.row(r).norm();
      if (size > 0) J_.row(r) /= size;
    }
  }

  void add(int row, int body, const Twist& wrench) {
    if (body == model_.bodies()) return;
    const typename S::Angular n = angular<D>(wrench) - moment(k_.center[body], linear<D>(wrench));
    J_.row(row).template segment<S::kTwist>(body * S::kTwist) += twist<D>(linear<D>(wrench), n / length_).transpose();
  }

  /// With J x = r for an r that is zero but in the rows dropped, x is a motion that all other rows allow. There is such
  /// an x for every r at right angles to all y with J^T y = 0.
  std::optional<OffAxis> find_off_axis() {
    const Eigen::MatrixXd& left_null = columns_of_J_.free();
    std::optional<OffAxis> best;
    const auto& joints = model_.mechanism().joints;
    for (int j = 0; j < static_cast<int>(joints.size()); ++j) {
      for (const bool of_translation : {false, true}) {
        const std::vector<int> dropped = rows_across_axis(j, of_translation);
        if (dropped.empty()) continue;
        const auto found = without(dropped, left_null, j, of_translation);
        if (found && (!best || is_better(*found, *best))) best = found;
      }
    }
    return best;
  }

  /// Without the rows R of a joint a motion is possible for every r of its rows at right angles to the rows R of the
  /// left null space; as many as the rank of those are held by others too. The one joint of which most is held twice;
  /// none where several are alike, as the hinges of a truss in space.
  std::optional<SurplusJoint> find_surplus_joint() {
    const Eigen::MatrixXd& left_null = columns_of_J_.free();
    std::optional<SurplusJoint> best;
    int most = 0;
    for (int j = 0; j + 1 < static_cast<int>(first_row_.size()); ++j) {
      ConstraintBasis shared;
      shared.compute(left_null.middleRows(first_row_[j], first_row_[j + 1] - first_row_[j]).transpose());
      if (shared.freedom() == 0 || shared.rank() < most || shared.rank() == 0) continue;
      best = shared.rank() > most ? std::optional(SurplusJoint{j, shared.freedom()}) : std::nullopt;
      most = shared.rank();
    }
    return best;
  }

  /// Along another joint's axis the motion goes on, elsewhere it may be one of this position alone; then the nearer
  /// one.
  bool is_better(const OffAxis& one, const OffAxis& other) const {
    const bool parallel = is_parallel_to_another(one);
    return parallel != is_parallel_to_another(other) ? parallel : one.angle < other.angle;
  }

  bool is_parallel_to_another(const OffAxis& off) const {
    const auto& joints = model_.mechanism().joints;
    for (int j = 0; j < static_cast<int>(joints.size()); ++j) {
      if (j == off.joint || (rows_across_axis(j, false).empty() && rows_across_axis(j, true).empty())) continue;
      if (1 - std::abs(axis_of(j).dot(off.wanted.template head<D>())) < 1e-9) return true;
    }
    return false;
  }

  Vector axis_of(int j) const {
    const Joint& joint = model_.mechanism().joints[j];
    const auto& measures = model_.measures();
    return k_.rotation[measures.body_index(joint.body1)] *
           measures.local_direction(joint.body1, joint.frame1.axes.col(D == 2 ? 0 : 2));
  }

  /// The rows that make the joint turn about its axis alone, or slide along it alone.
  std::vector<int> rows_across_axis(int j, bool of_translation) const {
    const JointEquations equations(model_.mechanism().joints[j].type, D == 2);
    const bool on_line = equations.has_position(D == 3 ? 0 : 1) && equations.has_position(1);
    const bool threaded = equations.has(JointEquation::Kind::pitch);
    const bool turns = D == 3 && on_line && equations.same_axis() && !equations.same_axes() && !threaded;
    const bool slides = on_line && !equations.same_point() && !threaded;
    std::vector<int> rows;
    if (of_translation ? !slides : !turns) return rows;
    for (int r = first_row_[j]; r < first_row_[j + 1]; ++r) {
      const auto kind = rows_.terms()[rows_.rows()[r].first].measure.kind;
      if (kind == (of_translation ? Measure<D>::Kind::along : Measure<D>::Kind::cosine)) rows.push_back(r);
    }
    return rows;
  }

  std::optional<OffAxis> without(const std::vector<int>& dropped, const Eigen::MatrixXd& left_null, int j,
                                 bool of_translation) {
    const auto count = static_cast<Eigen::Index>(dropped.size());
    Eigen::MatrixXd B(left_null.cols(), count);
    for (Eigen::Index i = 0; i < count; ++i) B.col(i) = left_null.row(dropped[i]).transpose();
    ConstraintBasis possible;
    possible.compute(B);
    if (possible.freedom() == 0) return std::nullopt;
    Eigen::MatrixXd x(J_.cols(), possible.freedom());
    for (Eigen::Index i = 0; i < x.cols(); ++i) {
      VecX r = VecX::Zero(J_.rows());
      for (Eigen::Index k = 0; k < count; ++k) r[dropped[k]] = possible.free()(k, i);
      x.col(i) = columns_of_J_.multipliers(r);
    }
    Eigen::MatrixXd rates(D == 2 ? 2 : 3, x.cols());
    for (Eigen::Index i = 0; i < x.cols(); ++i) rates.col(i) = rate_at(j, x.col(i), of_translation);
    return compare(rates, x, j, of_translation);
  }

  /// How the joint's second side moves against the first in the motion x: its angular velocity, or the velocity of the
  /// joint's point on body 2.
  Vector rate_at(int j, const VecX& x, bool of_translation) const {
    const Joint& joint = model_.mechanism().joints[j];
    const auto& measures = model_.measures();
    const int b1 = measures.body_index(joint.body1), b2 = measures.body_index(joint.body2);
    const Vector point = k_.point(b2, measures.local_point(joint.body2, joint.frame2.origin));
    const auto part = [&](int body, Vector& v, typename S::Angular& w) {
      v.setZero(), w.setZero();
      if (body == model_.bodies()) return;
      w = x.segment<S::kAngular>(body * S::kTwist + D) / length_;
      v = x.segment<D>(body * S::kTwist) + cross(w, Vector(point - k_.center[body]));
    };
    Vector v1, v2;
    typename S::Angular w1, w2;
    part(b1, v1, w1), part(b2, v2, w2);
    if constexpr (D == 3) {
      if (!of_translation) return (w2 - w1) * length_;
    }
    return v2 - v1;
  }

  /// Among the motions the one whose rate lies nearest to the axis a: with W n = a (a . W n) + P n, the smallest
  /// |P n| for a . W n = 1 is that of n ~ (P^T P)^-1 W^T a.
  std::optional<OffAxis> compare(const Eigen::MatrixXd& W, const Eigen::MatrixXd& x, int j, bool of_translation) const {
    const Vector a = axis_of(j);
    const VecX c = W.transpose() * a;
    const Eigen::MatrixXd P = W - a * c.transpose();
    Eigen::MatrixXd A = P.transpose() * P;
    A.diagonal().array() += 1e-14 * std::max(W.squaredNorm(), 1e-300);
    VecX n = solve_square(A, c);
    if (!(n.norm() > 0) || !n.allFinite()) return std::nullopt;
    n.normalize();
    const Vector rate = W * n;
    if (!(rate.norm() > 1e-6 * (x * n).norm())) return std::nullopt;  // the joint itself stands still
    const double angle = std::atan2((P * n).norm(), std::abs(c.dot(n)));
    if (!(angle > kNone && angle < kSlight)) return std::nullopt;
    OffAxis off;
    off.joint = j;
    off.angle = angle;
    off.wanted.setZero();
    off.wanted.template head<D>() = rate.normalized() * (c.dot(n) < 0 ? -1 : 1);
    off.of_translation = of_translation;
    return off;
  }

  const BodyModel<D>& model_;
  const BodyKinematics<D>& k_;
  double length_;
  ConstraintRows<D> rows_;
  std::vector<int> first_row_;  // of every joint, and their end
  Eigen::MatrixXd J_;
  ConstraintBasis columns_of_J_;
};

}  // namespace

std::string OffAxis::sentence() const {
  const auto shown = [](double x) { return std::abs(x) < 5e-7 ? 0.0 : x; };
  return fmt::format(
      "its axis is {:.2g} degrees off ({:.6g}, {:.6g}, {:.6g}), the direction {} which the others let it {}",
      angle * 180 / std::numbers::pi, shown(wanted.x()), shown(wanted.y()), shown(wanted.z()),
      of_translation ? "along" : "about", of_translation ? "slide" : "turn");
}

namespace {

template <int D>
FreedomCount count_freedoms_in(const Mechanism& mechanism) {
  const BodyModel<D> model(mechanism);
  ConstraintRows<D> rows(model);
  for (int j = 0; j < static_cast<int>(mechanism.joints.size()); ++j) rows.add_joint(j);
  rows.add_couplers();
  rows.add_discs();
  return {model.bodies() * Space<D>::kTwist, rows.size()};
}

}  // namespace

FreedomCount count_freedoms(const Mechanism& mechanism) {
  return mechanism.planar ? count_freedoms_in<2>(mechanism) : count_freedoms_in<3>(mechanism);
}

template <int D>
std::optional<Mobility> find_mobility(const BodyModel<D>& model, const BodyKinematics<D>& k, double length) {
  MobilityAnalysis<D> analysis(model, k, length);
  if (!analysis.is_affordable()) return std::nullopt;
  return analysis.run();
}

template std::optional<Mobility> find_mobility<2>(const BodyModel<2>&, const BodyKinematics<2>&, double);
template std::optional<Mobility> find_mobility<3>(const BodyModel<3>&, const BodyKinematics<3>&, double);

}  // namespace cardan
