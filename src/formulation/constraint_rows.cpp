#include "formulation/constraint_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/by_processor.hpp"
#include "mechanism/joint_types.hpp"

namespace cardan {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

/// Components along several axes between the same points, as a joint that holds them together has.
template <int D>
class Along {
 public:
  using Vector = typename Space<D>::Vector;
  explicit Along(const BodyKinematics<D>& k) : k_(k) {}

  [[gnu::always_inline]] double evaluate(const Measure<D>& m, bool same_place, typename Space<D>::Twist& gradient) {
    if (!same_place) {
      p2_ = k_.center[m.body2] + turned<D>(k_.rotation[m.body2], m.point2);
      d_ = p2_ - (k_.center[m.body1] + turned<D>(k_.rotation[m.body1], m.point1));
    }
    const Vector e = turned<D>(k_.rotation[m.body1], m.e1);
    gradient = force_at<D>(e, p2_);
    return e.dot(d_) - m.offset;
  }

 private:
  const BodyKinematics<D>& k_;
  Vector p2_ = Vector::Zero(), d_ = Vector::Zero();
};

/// The bias of such components, Measure::bias() with W = [e; P2 x e] and e' = w1 x e:
///     W . (Z2' - Z1') + W' . (Z2 - Z1) = e . (b + w x P2' - w1 x u)
/// where of the motion relative to body 1 w is the angular velocity, u and b are the velocity and biased acceleration
/// of what is at P2.
template <int D>
class AlongBias {
 public:
  using Vector = typename Space<D>::Vector;
  using Twist = typename Space<D>::Twist;
  explicit AlongBias(const BodyKinematics<D>& k) : k_(k) {}

  [[gnu::always_inline]] double evaluate(const Measure<D>& m, bool same_place, const Twist& gradient) {
    if (!same_place) {
      const Twist &z1 = k_.twist[m.body1], &z2 = k_.twist[m.body2];
      const Twist relative = z2 - z1, second = k_.bias[m.body2] - k_.bias[m.body1];
      const Vector p2 = k_.center[m.body2] + turned<D>(k_.rotation[m.body2], m.point2);
      const Vector u = velocity_at<D>(relative, p2);
      pull_ =
          velocity_at<D>(second, p2) + cross(angular<D>(relative), velocity_at<D>(z2, p2)) - cross(angular<D>(z1), u);
    }
    return linear<D>(gradient).dot(pull_);
  }

 private:
  const BodyKinematics<D>& k_;
  Vector pull_ = Vector::Zero();  // s'' is its component along e
};

}  // namespace

template <int D>
void ConstraintRows<D>::add(const Measure<D>& measure, const std::string& name) {
  const int at = static_cast<int>(terms_.size());
  terms_.push_back({measure});
  rows_.push_back({.first = at, .last = at + 1, .name = name});
}

template <int D>
void ConstraintRows<D>::add_joint(int joint) {
  const std::size_t first = rows_.size();
  for (const NamedMeasure<D>& c : model_.measures().constraints(model_.mechanism().joints[joint])) {
    held_.add(static_cast<int>(terms_.size()), c);
    add(c.measure, c.name);
  }
  find_plain(first);
  add_pitch(joint);
}

/// Of one joint, whose rows all move to where it takes hold under way.
template <int D>
void ConstraintRows<D>::find_plain(std::size_t first) {
  for (std::size_t r = first; r < rows_.size(); ++r) {
    const Measure<D>& m = terms_[rows_[r].first].measure;
    rows_[r].is_plain = m.kind == Measure<D>::Kind::along;
    if (r == first || !rows_[r].is_plain || !rows_[r - 1].is_plain) continue;
    const Measure<D>& before = terms_[rows_[r - 1].first].measure;
    rows_[r].shares_place =
        m.body1 == before.body1 && m.body2 == before.body2 && m.point1 == before.point1 && m.point2 == before.point2;
  }
}

/// z - pitch/(2 pi) (q - q0) = 0, q0 what the angle is called in the drawing.
template <int D>
void ConstraintRows<D>::add_pitch(int index) {
  const Joint& joint = model_.mechanism().joints[index];
  if (!JointEquations(joint.type, D == 2).has(JointEquation::Kind::pitch)) return;
  const double lead = joint.pitch / kTurn;
  const int angle = model_.coordinate_index(index, 0);
  add(model_.measures().translation(joint), joint.name + " pitch");
  terms_.push_back({model_.joint_coordinates()[angle].measure, -lead, angle});
  Row& row = rows_.back();
  ++row.last;
  row.offset = joint.drawn.empty() ? 0 : -lead * joint.drawn[0];
  row.period = std::abs(joint.pitch);
}

/// (q2 - q2_0) - ratio (q1 - q1_0) = 0
template <int D>
void ConstraintRows<D>::add_couplers() {
  for (const Coupler& coupler : model_.mechanism().couplers) {
    const int one = model_.coordinate_index(coupler.joint1, coupler.coordinate1);
    const int two = model_.coordinate_index(coupler.joint2, coupler.coordinate2);
    const auto &c1 = model_.joint_coordinates()[one], &c2 = model_.joint_coordinates()[two];
    add(c2.measure, coupler.name);
    terms_.back().turns_of = c2.angular ? two : -1;
    terms_.push_back({c1.measure, -coupler.ratio, c1.angular ? one : -1});
    Row& row = rows_.back();
    ++row.last;
    row.offset = model_.drawn_value(two) - coupler.ratio * model_.drawn_value(one);
    // The full turns of the faster of two angles follow from the other, those of one angle from the translation.
    const double turn1 = c1.angular ? kTurn * std::abs(coupler.ratio) : 0, turn2 = c2.angular ? kTurn : 0;
    row.period = turn1 > 0 && turn2 > 0 ? std::min(turn1, turn2) : std::max(turn1, turn2);
  }
}

template <int D>
void ConstraintRows<D>::add_drivers() {
  for (std::size_t i = 0; i < model_.drivers().size(); ++i) {
    const auto& driver = model_.drivers()[i];
    driver.rotation ? add_turn(driver) : add(driver.measure, driver.name);
    rows_.back().driver = static_cast<int>(i);
    rows_.back().period = driver.angular ? kTurn : 0;
  }
}

template <int D>
void ConstraintRows<D>::add_turn(const typename BodyModel<D>::DriverEquation& driver) {
  const Joint& joint = model_.mechanism().joints[driver.joint];
  const int first = static_cast<int>(terms_.size()), j = (driver.axis + 1) % 3, k = (driver.axis + 2) % 3;
  for (int n = 0; n < D; ++n) {
    terms_.push_back({.measure = model_.measures().cosine(joint, n, j), .weight = 0.5, .n = n, .m = k});
    terms_.push_back({.measure = model_.measures().cosine(joint, n, k), .weight = -0.5, .n = n, .m = j});
  }
  rows_.push_back(
      {.first = first, .last = static_cast<int>(terms_.size()), .name = driver.name, .rotation = driver.rotation});
}

template <int D>
void ConstraintRows<D>::add_discs() {
  for (const RollingDisc& disc : model_.mechanism().rolling_discs)
    add(model_.measures().height(disc), disc.name + " height");
}

template <int D>
void ConstraintRows<D>::add_velocities() {
  const int before = size();
  for (const KnifeEdge& edge : model_.mechanism().knife_edges) add(model_.measures().across(edge), edge.name);
  for (const RollingDisc& disc : model_.mechanism().rolling_discs) {
    if (disc.holds_longitudinal) add(model_.measures().longitudinal(disc), disc.name + " longitudinal");
    if (disc.holds_lateral) add(model_.measures().lateral(disc), disc.name + " lateral");
  }
  velocities_ = size() - before;
}

template <int D>
VecX ConstraintRows<D>::scales(double length) const {
  VecX result(size());
  for (int r = 0; r < size(); ++r) result[r] = terms_[rows_[r].first].measure.is_length() ? length : 1;
  return result;
}

template <int D>
double ConstraintRows<D>::value(int index, const BodyKinematics<D>& k, const VecX& turns) const {
  const Row& row = rows_[index];
  double sum = -row.offset;
  for (int i = row.first; i < row.last; ++i) sum += weighed(terms_[i], terms_[i].measure.value(k), turns);
  return sum;
}

template <int D>
Function::Value ConstraintRows<D>::position_of(int row, double t, const BodyKinematics<D>& k) const {
  const int driver = rows_[row].driver;
  return driver < 0 || rows_[row].rotation ? Function::Value{} : model_.path(driver, t, k);
}

template <int D>
double ConstraintRows<D>::wrapped(int row, double x) const {
  const double period = rows_[row].period;
  return period > 0 ? x - period * std::round(x / period) : x;
}

template <int D>
[[gnu::flatten]] CARDAN_BY_PROCESSOR void ConstraintRows<D>::position(double t, const BodyKinematics<D>& k,
                                                                      const VecX& turns, std::vector<Twist>& gradient,
                                                                      double* phi, double* phi_t) const {
  Along<D> along(k);
  for (int r = 0; r < size(); ++r) {
    const Row& row = rows_[r];
    if (row.is_plain) {
      phi[r] = along.evaluate(terms_[row.first].measure, row.shares_place, gradient[row.first]);
      phi_t[r] = 0;
      continue;
    }
    evaluate(r, t, k, turns, gradient, phi[r], phi_t[r]);
  }
}

template <int D>
void ConstraintRows<D>::evaluate(int index, double t, const BodyKinematics<D>& k, const VecX& turns,
                                 std::vector<Twist>& gradient, double& phi, double& phi_t) const {
  const Row& row = rows_[index];
  double sum = -row.offset;
  for (int i = row.first; i < row.last; ++i) {
    const auto evaluated = terms_[i].measure.evaluate(k);
    gradient[i] = evaluated.gradient;
    sum += weighed(terms_[i], evaluated.value, turns);
  }
  if (row.driver < 0) {
    phi = wrapped(index, sum);
    phi_t = 0;
  } else if (row.rotation) {
    driven_turn(row, t, k, gradient, phi, phi_t);
  } else {
    const Function::Value driven = position_of(index, t, k);
    phi = wrapped(index, sum - driven.f);
    phi_t = -driven.d1;
  }
}

template <int D>
void ConstraintRows<D>::driven_turn(const Row& row, double t, const BodyKinematics<D>& k, std::vector<Twist>& gradient,
                                    double& phi, double& phi_t) const {
  const Factors factors(row, t);
  phi = phi_t = 0;
  for (int i = row.first; i < row.last; ++i) {
    const Function::Value factor = factors(terms_[i]);
    const double s = terms_[i].measure.value(k);
    phi += terms_[i].weight * factor.f * s;
    phi_t += terms_[i].weight * factor.d1 * s;
    gradient[i] *= factor.f;
  }
}

/// Of a driven rotation: (R s)'' = R s'' + 2 R' s' + R'' s
template <int D>
double ConstraintRows<D>::bias(int index, double t, const BodyKinematics<D>& k,
                               const std::vector<Twist>& gradient) const {
  const Row& row = rows_[index];
  double sum = 0;
  if (row.rotation) [[unlikely]] {
    const Factors factors(row, t);
    for (int i = row.first; i < row.last; ++i) {
      const Measure<D>& m = terms_[i].measure;
      const Function::Value factor = factors(terms_[i]);
      const auto s = m.evaluate(k);
      sum += terms_[i].weight *
             (factor.f * m.bias(k, s.gradient) + 2 * factor.d1 * m.rate(k, s.gradient) + factor.d2 * s.value);
    }
    return sum;
  }
  for (int i = row.first; i < row.last; ++i) sum += terms_[i].weight * terms_[i].measure.bias(k, gradient[i]);
  return row.driver < 0 ? sum : sum - position_of(index, t, k).d2;
}

template <int D>
[[gnu::flatten]] CARDAN_BY_PROCESSOR void ConstraintRows<D>::gamma(double t, const BodyKinematics<D>& k,
                                                                   const std::vector<Twist>& gradient,
                                                                   double* gamma) const {
  AlongBias<D> along(k);
  for (int r = 0; r < size(); ++r) {
    const Row& row = rows_[r];
    gamma[r] = row.is_plain ? -along.evaluate(terms_[row.first].measure, row.shares_place, gradient[row.first])
                            : -bias(r, t, k, gradient);
  }
}

template class ConstraintRows<2>;
template class ConstraintRows<3>;

}  // namespace cardan
