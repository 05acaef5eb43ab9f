#include "system/reaction_sweep.hpp"

#include <algorithm>
#include <numbers>

#include "mechanism/joint_types.hpp"

namespace cardan {
namespace {

constexpr double kRegularization = 1e-10;
constexpr int kRefinements = 4;
constexpr double kSettled = 1e-13;  // of the largest multiplier: a correction that small is the last

Space<2>::Twist turn_about(const Vec2& point, const Vec2&) { return {point.y(), -point.x(), 1}; }
Space<3>::Twist turn_about(const Vec3& point, const Vec3& axis) { return twist<3>(point.cross(axis), axis); }

}  // namespace

template <int D>
ReactionSweep<D>::ReactionSweep(const BodyModel<D>& model, const SpanningTree& tree, double length)
    : model_(model), length_(length), link_of_(model.bodies() + 1, -1), rows_(model) {
  for (const TreeLink& link : tree.links) add_link(link);
  add_rows(tree);
  const int motions = static_cast<int>(motions_.size());
  std::vector<std::vector<int>> rows_at(motions), entries_at(motions);
  for (int c = 0; c < J_.rows(); ++c) {
    for (int e = J_.start[c]; e < J_.start[c + 1]; ++e) {
      rows_at[J_.column[e]].push_back(c);
      entries_at[J_.column[e]].push_back(e);
    }
  }
  pattern_ = SymmetricPattern::from_cliques(J_.rows(), rows_at);
  for (int i = 0; i < motions; ++i) {
    for (std::size_t a = 0; a < rows_at[i].size(); ++a) {
      for (std::size_t b = 0; b <= a; ++b)
        couplings_.push_back({entries_at[i][a], entries_at[i][b], pattern_.slot(rows_at[i][a], rows_at[i][b])});
    }
  }
  if (J_.rows() > 0) solver_ = make_linear_solver("automatic", pattern_);
  gradient_.assign(rows_.terms().size(), Twist::Zero());
  column_.assign(motions, Twist::Zero());
  beyond_.assign(model_.bodies() + 1, Twist::Zero());
  values_ = VecX::Zero(static_cast<Eigen::Index>(J_.column.size()));
  squares_ = VecX::Zero(pattern_.nonzeros());
  given_ = rest_ = VecX::Zero(motions);
  multiplier_ = correction_ = VecX::Zero(J_.rows());
}

/// Angles about an axis of frame 1, or of frame 2 after another angle; translations along the axes of frame 1; rotation
/// vectors about all axes.
template <int D>
void ReactionSweep<D>::add_link(const TreeLink& tree_link) {
  const Joint& joint = model_.mechanism().joints[tree_link.joint];
  const MeasureFactory<D>& measures = model_.measures();
  Link link;
  link.body = tree_link.body;
  link.parent = measures.body_index(tree_link.parent);
  link.joint = tree_link.joint;
  link.reversed = tree_link.reversed;
  link.second = measures.body_index(joint.body2);
  link.point = measures.local_point(joint.body2, joint.frame2.origin);
  link.first = static_cast<int>(motions_.size());
  for (int i = 0; i < joint_coordinate_count(joint.type, D == 2); ++i) {
    const CoordinateDirection direction = coordinate_direction(joint.type, D == 2, i);
    const int body = direction.turned ? joint.body2 : joint.body1;
    const Frame& frame = direction.turned ? joint.frame2 : joint.frame1;
    motions_.push_back({measures.local_direction(body, frame.axes.col(direction.axis)), measures.body_index(body),
                        direction.angular, direction.angular ? joint.pitch / (2 * std::numbers::pi) : 0});
  }
  link.last = static_cast<int>(motions_.size());
  link_of_[link.body] = static_cast<int>(links_.size());
  links_.push_back(link);
}

template <int D>
void ReactionSweep<D>::add_rows(const SpanningTree& tree) {
  for (const int joint : tree.cut) {
    rows_.add_joint(joint);
    joint_of_.resize(rows_.size(), joint);
  }
  rows_.add_couplers();
  rows_.add_drivers();
  rows_.add_discs();
  rows_.add_velocities();
  joint_of_.resize(rows_.size(), -1);
  const auto way = [&](int body) {  // links from the body to ground
    std::vector<int> links;
    for (; body < model_.bodies(); body = links_[links.back()].parent) links.push_back(link_of_[body]);
    return links;
  };
  for (const auto& row : rows_.rows()) {
    std::vector<int> columns;
    for (int i = row.first; i < row.last; ++i) {
      std::vector<int> one = way(rows_.terms()[i].measure.body1), two = way(rows_.terms()[i].measure.body2);
      while (!one.empty() && !two.empty() && one.back() == two.back()) one.pop_back(), two.pop_back();
      std::vector<Place>& places = places_.emplace_back();
      const auto add = [&](int index, double sign) {
        const Link& link = links_[index];
        if (link.first == link.last) return;
        const auto at = std::find(columns.begin(), columns.end(), link.first) - columns.begin();
        places.push_back({index, static_cast<int>(at), link.reversed ? -sign : sign});
        if (at < std::ssize(columns)) return;
        for (int m = link.first; m < link.last; ++m) columns.push_back(m);
      };
      for (const int link : two) add(link, 1);
      for (const int link : one) add(link, -1);
    }
    J_.add(columns);
  }
}

/// As twists of the joint's second body, those of angles in units of the mechanism's size.
template <int D>
void ReactionSweep<D>::find_columns(const BodyKinematics<D>& k) {
  for (const Link& link : links_) {
    const Vector point = k.point(link.second, link.point);
    for (int i = link.first; i < link.last; ++i) {
      const Motion& motion = motions_[i];
      const Vector axis = turned<D>(k.rotation[motion.body], motion.axis);
      if (!motion.angular) {
        column_[i] = twist<D>(axis, S::Angular::Zero());
        continue;
      }
      column_[i] = turn_about(point, axis) / length_;
      if (motion.lead != 0) column_[i].template head<D>() += motion.lead / length_ * axis;
    }
  }
}

template <int D>
bool ReactionSweep<D>::factorize() {
  squares_.setZero();
  for (const Coupling& c : couplings_) squares_[c.slot] += values_[c.one] * values_[c.two];
  for (int r = 0; r < pattern_.n; ++r) {
    double& diagonal = squares_[pattern_.column_start[r]];
    diagonal += kRegularization * std::max(diagonal, 1e-6);
  }
  return solver_->factorize(squares_) < 0;
}

/// What is wanted along the motions, and J.
template <int D>
void ReactionSweep<D>::fill(double t, const BodyKinematics<D>& k, const std::vector<Twist>& wanted) {
  std::copy(wanted.begin(), wanted.end(), beyond_.begin());
  for (std::size_t l = links_.size(); l-- > 0;) {
    const Link& link = links_[l];
    const double sign = link.reversed ? -1 : 1;
    for (int i = link.first; i < link.last; ++i) given_[i] = sign * column_[i].dot(beyond_[link.body]);
    beyond_[link.parent] += beyond_[link.body];
  }
  values_.setZero();
  for (int c = 0; c < J_.rows(); ++c) {
    const auto& row = rows_.rows()[c];
    const typename ConstraintRows<D>::Factors factors(row, t);
    double* const out = values_.data() + J_.start[c];
    for (int i = row.first; i < row.last; ++i) {
      const auto& term = rows_.terms()[i];
      gradient_[i] = factors(term).f * term.weight * term.measure.gradient(k);
      for (const Place& place : places_[i]) {
        const Link& link = links_[place.link];
        for (int m = link.first; m < link.last; ++m)
          out[place.at + m - link.first] += place.sign * column_[m].dot(gradient_[i]);
      }
    }
  }
}

/// (J J^T + e D) dx = J (r - J^T x), repeated.
template <int D>
bool ReactionSweep<D>::find_multipliers() {
  multiplier_.setZero();
  if (J_.rows() == 0) return true;
  if (!factorize()) return false;
  for (int pass = 0; pass < kRefinements; ++pass) {
    rest_ = given_;
    for (int c = 0; c < J_.rows(); ++c) add_row(J_, values_, c, -multiplier_[c], rest_);
    for (int c = 0; c < J_.rows(); ++c) correction_[c] = row_times(J_, values_, c, rest_);
    solver_->solve(correction_);
    multiplier_ += correction_;
    if (correction_.template lpNorm<Eigen::Infinity>() <= kSettled * multiplier_.template lpNorm<Eigen::Infinity>())
      break;
  }
  return true;
}

template <int D>
bool ReactionSweep<D>::solve(double t, const BodyKinematics<D>& k, const VecX& attached, std::vector<Twist>& wanted,
                             std::vector<Twist>& joint_wrench) {
  rows_.hold(attached);
  find_columns(k);
  fill(t, k, wanted);
  if (!find_multipliers()) return false;
  for (Twist& w : joint_wrench) w.setZero();
  for (int c = 0; c < J_.rows(); ++c) {
    const auto& row = rows_.rows()[c];
    for (int i = row.first; i < row.last; ++i) {
      const Twist w = multiplier_[c] * gradient_[i];
      const Measure<D>& m = rows_.terms()[i].measure;
      if (joint_of_[c] >= 0) joint_wrench[joint_of_[c]] += w;
      wanted[m.body2] -= w;
      wanted[m.body1] += w;
    }
  }
  for (std::size_t l = links_.size(); l-- > 0;) {
    const Link& link = links_[l];
    const Twist w = without_motions(link, k, wanted[link.body]);
    joint_wrench[link.joint] = link.reversed ? Twist(-w) : w;
    wanted[link.parent] += w;
  }
  return true;
}

/// About the joint's point on body 2 each motion is along one axis of force or moment, and those of a joint are at
/// right angles; along them a joint gives nothing, and what is left there is what the accelerations are off by.
template <int D>
typename Space<D>::Twist ReactionSweep<D>::without_motions(const Link& link, const BodyKinematics<D>& k,
                                                           const Twist& wrench) const {
  const Vector point = k.point(link.second, link.point);
  Vector f = linear<D>(wrench);
  typename S::Angular n = angular<D>(wrench) - moment(point, f);
  for (int i = link.first; i < link.last; ++i) {
    const typename S::Angular about = length_ * angular<D>(column_[i]);
    if (!motions_[i].angular) {
      const Vector along = linear<D>(column_[i]);
      f -= along.dot(f) * along;
    } else if (motions_[i].lead == 0) {
      n -= about.dot(n) * about;
    } else if constexpr (D == 3) {
      const double lead = motions_[i].lead;
      const double working = (lead * about.dot(f) + about.dot(n)) / (lead * lead + length_ * length_);
      f -= working * lead * about;
      n -= working * length_ * length_ * about;
    }
  }
  return twist<D>(f, n + moment(point, f));
}

template class ReactionSweep<2>;
template class ReactionSweep<3>;

}  // namespace cardan
