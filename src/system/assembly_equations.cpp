#include "system/assembly_equations.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "math/rank.hpp"
#include "math/rotation_vector.hpp"
#include "system/joint_loop.hpp"

namespace cardan {

std::string EquationSource::element() const {
  constexpr const char* names[] = {"joint", "coupler", "constraint", "driver"};
  if (sort == Sort::initial) return fmt::format("initial values of {} '{}'", of, *name);
  return fmt::format("{} '{}'", names[static_cast<int>(sort)], *name);
}

template <int D>
AssemblyEquations<D>::AssemblyEquations(const BodyModel<D>& model, const BodyKinematics<D>& poses,
                                        const AssemblyOptions& options)
    : bodies(poses), length(model.extent(poses).size), model_(model), turns_(model.expected_turns()) {
  collect(options);
}

template <int D>
void AssemblyEquations<D>::collect(const AssemblyOptions& options) {
  collect_constraints();
  collect_given(options);
}

/// What joints, couplers and constraints hold.
template <int D>
void AssemblyEquations<D>::collect_constraints() {
  const Mechanism& mechanism = model_.mechanism();
  ConstraintRows<D> rows(model_);
  int taken = 0;
  using Sort = EquationSource::Sort;
  const auto take_row = [&](Sort sort, const auto& element, int joint = -1) {
    const auto& row = rows.rows()[taken++];
    all.push_back({{rows.terms().begin() + row.first, rows.terms().begin() + row.last},
                   false,
                   row.offset,
                   0.0,
                   {sort, &element.name, &element.where},
                   true,
                   joint});
  };
  for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
    rows.add_joint(static_cast<int>(j));
    const std::size_t first = all.size();
    while (taken < rows.size()) take_row(Sort::joint, mechanism.joints[j], static_cast<int>(j));
    const auto named = model_.measures().constraints(mechanism.joints[j]);
    std::optional<Measure<D>> axis;
    for (std::size_t i = 0; i < named.size(); ++i) {
      if (named[i].facing.isZero(0)) continue;
      all[first + i].facing = facing(named[i]);
      if (!axis) axis = all[first + i].facing;
      if (std::abs(named[i].facing.dot(axis->e1)) < 0.5) all[first + i].axis = axis, all[first + i].waits = true;
    }
  }
  rows.add_couplers();
  for (const Coupler& coupler : mechanism.couplers) take_row(Sort::coupler, coupler);
  rows.add_discs();
  for (const RollingDisc& disc : mechanism.rolling_discs) take_row(Sort::constraint, disc);
  // Those of velocities before drivers, which must not give what these leave no choice of.
  rows.add_velocities();
  const auto take_velocity = [&](const auto& element) {
    take_row(Sort::constraint, element);
    all.back().hard = false;
    all.back().of_velocity = true;
  };
  for (const KnifeEdge& edge : mechanism.knife_edges) take_velocity(edge);
  for (const RollingDisc& disc : mechanism.rolling_discs) {
    for (int held = disc.holds_longitudinal + disc.holds_lateral; held > 0; --held) take_velocity(disc);
  }
}

/// What drivers and initial values ask for.
template <int D>
void AssemblyEquations<D>::collect_given(const AssemblyOptions& options) {
  const Mechanism& mechanism = model_.mechanism();
  for (std::size_t i = 0; i < model_.drivers().size(); ++i) {
    const auto& d = model_.drivers()[i];
    const auto f =
        d.rotation ? Function::Value{0, d.rotation->evaluate(0).angular_velocity()[d.axis], 0} : d.position.evaluate(0);
    all.push_back({{{d.measure}},
                   d.angular,
                   f.f,
                   f.d1,
                   {EquationSource::Sort::driver, &d.name, &mechanism.drivers[i].where},
                   true,
                   mechanism.drivers[i].joint});
  }
  for (const auto& c : model_.joint_coordinates()) {
    const Joint& joint = mechanism.joints[c.joint];
    if (!joint.initial_position && !joint.initial_velocity) continue;
    const bool hard = joint.initial_position.has_value() && options.initial_positions;
    all.push_back({{{c.measure}},
                   c.angular,
                   joint.initial_position.value_or(0),
                   joint.initial_velocity,
                   {EquationSource::Sort::initial, &joint.name,
                    joint.initial_where.line > 0 ? &joint.initial_where : &joint.where, "joint"},
                   hard,
                   c.joint});
  }
}

/// Axes that are drawn against each other stay so.
template <int D>
Measure<D> AssemblyEquations<D>::facing(const NamedMeasure<D>& direction) const {
  Measure<D> m = direction.measure;
  m.e1 = direction.facing;
  if (m.value(model_.drawn()) < 0) m.e1 = -m.e1;
  return m;
}

/// There 2 - r takes the place of the sine r of the angle, which grows on to half a turn; the gradient changes its
/// sign.
template <int D>
double AssemblyEquations<D>::residual(const AssemblyEquation<D>& e) const {
  const double value = difference(e);
  if (!faces_away(e)) return value;
  const double cosine = e.facing->value(bodies);
  const double sine = e.axis ? std::abs(value) : std::sqrt(std::max(0.0, 1 - cosine * cosine));
  return sine > 1e-9 ? value * (2 - sine) / sine : 2;  // exactly half a turn away any direction will do
}

template <int D>
double AssemblyEquations<D>::difference(const AssemblyEquation<D>& e) const {
  double difference = -e.target;
  for (const auto& term : e.terms) {
    const double s = term.measure.value(bodies);
    difference += term.weight * (term.turns_of < 0 ? s : nearest_turn(s, turns_[term.turns_of]));
  }
  return e.angular ? nearest_turn(difference, 0) : difference;
}

template <int D>
std::vector<int> AssemblyEquations<D>::dependent(SparseRows rows) const {
  for (std::size_t k = 0; k < rows.value.size(); ++k) {
    if (rows.column[k] % S::kTwist >= D) rows.value[k] /= length;
  }
  return dependent_rows(rows, VecX::Constant(rows.rows(), rounding()));
}

template <int D>
void AssemblyEquations<D>::append_row(const AssemblyEquation<D>& e, SparseRows& rows) const {
  const std::size_t begin = rows.column.size();
  for (const auto& term : e.terms) {
    const double weight = faces_away(e) ? -term.weight : term.weight;
    const Twist w = unit(e) * weight * term.measure.gradient(bodies);
    for (const int body : {term.measure.body2, term.measure.body1}) {
      if (body == model_.bodies()) continue;
      Twist own = body == term.measure.body2 ? w : Twist(-w);
      own.template tail<S::kAngular>() -= moment(bodies.center[body], linear<D>(own));
      // A body that two terms share has its columns once.
      const auto found = std::find(rows.column.begin() + begin, rows.column.end(), body * S::kTwist);
      const std::size_t at = found - rows.column.begin();
      for (int i = 0; at + i == rows.column.size() && i < S::kTwist; ++i) {
        rows.column.push_back(body * S::kTwist + i), rows.value.push_back(0);
      }
      for (int i = 0; i < S::kTwist; ++i) rows.value[at + i] += own[i];
    }
  }
  rows.start.push_back(static_cast<int>(rows.column.size()));
}

template <int D>
SparseRows AssemblyEquations<D>::empty_rows() const {
  SparseRows rows;
  rows.columns = model_.bodies() * S::kTwist;
  rows.start = {0};
  return rows;
}

template <int D>
std::string AssemblyEquations<D>::loop_of(const AssemblyEquation<D>& e) const {
  const Mechanism& mechanism = model_.mechanism();
  std::string names;
  if (e.joint >= 0) {
    names = joints_of_loop(mechanism, e.joint);
  } else {
    const auto body = [&](int index) { return index == model_.bodies() ? kGround : index; };
    const auto& measure = e.terms[0].measure;
    names = joints_of_loop(mechanism, body(measure.body1), body(measure.body2));
  }
  return names.empty() ? "" : fmt::format(" (joints {})", names);
}

template <int D>
void AssemblyEquations<D>::refuse_axis(const std::string& element, const std::optional<Mobility>& mobility) const {
  if (!mobility || mobility->degrees_of_freedom > 0 || !mobility->off_axis) return;
  const Joint& joint = model_.mechanism().joints[mobility->off_axis->joint];
  throw ModelError(error_at(joint.where, "joint '" + joint.name + "'",
                            fmt::format("{}, too few for the {}; {}", kLocked, element, mobility->off_axis->sentence()),
                            "give it that direction"));
}

template <int D>
void AssemblyEquations<D>::refuse_motion_if_locked(const std::string& element, const SourceLocation& where,
                                                   const std::string& loop) const {
  const std::optional<Mobility> now = mobility();
  if (!now || now->degrees_of_freedom > 0) return;
  refuse_axis(element, now);
  std::string remedy = D == 2 ? fmt::format("take away what holds the same motion twice{}", loop)
                              : fmt::format("look for axes that should be parallel or meet in one point{}", loop);
  if (now->too_much) {
    const Joint& joint = model_.mechanism().joints[now->too_much->joint];
    const int freed = now->too_much->degrees_of_freedom;
    remedy = fmt::format("joint '{}' holds in part what others hold too: without it there {} {} degree{} of freedom{}",
                         joint.name, freed == 1 ? "is" : "are", freed, freed == 1 ? "" : "s",
                         D == 2 ? "" : "; or look for axes that should be parallel or meet in one point");
  }
  throw ModelError(error_at(where, element, fmt::format("{}, but a motion is asked for here", kLocked),
                            remedy + "; or leave this out"));
}

template class AssemblyEquations<2>;
template class AssemblyEquations<3>;

}  // namespace cardan
