#include "formulation/signal_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "formulation/body_model.hpp"
#include "math/expression.hpp"

namespace cardan {

template <int D>
SignalSet<D>::SignalSet(const BodyModel<D>& model)
    : model_(model), signals_(model.mechanism().signals), nodes_(signals_.size()), visited_(signals_.size(), 0) {
  mark_followed();
  const int count = static_cast<int>(signals_.size());
  for (int i = 0; i < count; ++i)
    if (nodes_[i].followed) visit(i);
  followed_ = order_;
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    may_keep_ = may_keep_ && leaves_[i].sort < Leaf::Sort::tension;
    if (leaves_[i].sort != Leaf::Sort::contact) continue;
    leaves_[i].contact = static_cast<int>(contacts_.size());
    contacts_.push_back(static_cast<int>(i));
  }
  share_gradients();
  for (int i = 0; i < count; ++i) visit(i);
  list_rows();
  write_program();
}

template <int D>
void SignalSet<D>::mark_followed() {
  const Mechanism& m = model_.mechanism();
  const auto follow = [&](const Law& law) {
    if (law.signal >= 0) sinks_.push_back(law.signal);
  };
  for (const PointForce& f : m.forces)
    for (const Law& component : f.components) follow(component);
  for (const Torque& n : m.torques)
    for (const Law& component : n.components) follow(component);
  for (const Actuator& a : m.actuators) follow(a.effort);
  for (const LineForce& f : m.line_forces) follow(f.pull);
  for (const StateVariable& z : m.states) sinks_.push_back(z.rate);
  for (const int signal : sinks_) mark(signal, &Node::followed);
}

template <int D>
bool SignalSet<D>::sums_leaves(int signal) const {
  const std::vector<Base>& own = bases(signal);
  const auto is_leaf = [](const Base& b) { return b.of != Base::Of::state; };
  const auto is_contact = [&](const Base& b) { return is_leaf(b) && leaves_[b.index].sort == Leaf::Sort::contact; };
  return std::count_if(own.begin(), own.end(), is_leaf) > kFew || std::any_of(own.begin(), own.end(), is_contact);
}

template <int D>
void SignalSet<D>::list_rows() {
  for (const int signal : sinks_) {
    if (sums_leaves(signal)) continue;
    for (const Base& base : bases(signal)) {
      if (base.of == Base::Of::state || leaves_[base.index].row >= 0) continue;
      leaves_[base.index].row = static_cast<int>(rows_of_leaves_.size());
      rows_of_leaves_.push_back(base.index);
    }
  }
}

/// Depth first: what a signal is made of comes before it.
template <int D>
void SignalSet<D>::visit(int signal) {
  if (visited_[signal] != 0) return;
  visited_[signal] = 1;
  const Signal& s = signals_[signal];
  if (s.level == SignalLevel::sampled) return;
  for (const int argument : s.arguments) visit(argument);
  if (s.kind == Signal::Kind::rate) mark(s.arguments[0], &Node::has_along);
  add_leaf(signal);
  find_bases(signal);
  order_.push_back(signal);
}

template <int D>
void SignalSet<D>::mark(int signal, bool Node::*flag) {
  if (nodes_[signal].*flag) return;
  nodes_[signal].*flag = true;
  for (const int argument : signals_[signal].arguments) mark(argument, flag);
}

template <int D>
void SignalSet<D>::add_leaf(int signal) {
  using Kind = Signal::Kind;
  using Sort = typename Leaf::Sort;
  const Signal& s = signals_[signal];
  const MeasureFactory<D>& measures = model_.measures();
  Leaf leaf;
  leaf.signal = signal;
  leaf.sort = s.rate ? Sort::rate : Sort::value;
  switch (s.kind) {
    case Kind::coordinate: {
      const int index = model_.coordinate_index(s.index, s.component);
      leaf.coordinate = index;
      leaf.measure = model_.joint_coordinates()[index].measure;
      if (model_.joint_coordinates()[index].angular) leaf.turns_of = index;
      break;
    }
    case Kind::distance:
      leaf.measure = measures.distance(s.body1, s.point1, s.body2, s.point2, 0);
      break;
    case Kind::place:
      leaf.measure = measures.projected(s.body1, s.point1, s.body2, s.point2, s.direction);
      break;
    case Kind::velocity:
    case Kind::spin:
      leaf.sort = s.kind == Kind::velocity ? Sort::velocity : Sort::spin;
      leaf.measure = measures.projected(s.body1, s.point1, s.body2, s.point2, s.direction);
      break;
    case Kind::cosine:
      leaf.measure = measures.projected(s.body1, Vec3::Zero(), s.body2, Vec3::Zero(), s.direction);
      leaf.measure.kind = Measure<D>::Kind::cosine;
      leaf.measure.e2 = measures.local_direction(s.body2, s.direction2);
      break;
    case Kind::plane_angle:
      leaf.measure = model_.plane_angle(s.body2);
      leaf.turns_of = static_cast<int>(model_.joint_coordinates().size()) + s.body2;
      break;
    case Kind::tension:
    case Kind::joint_pull:
    case Kind::bushing_pull:
      leaf.sort = Sort::tension;
      leaf.load = s.kind == Kind::tension      ? s.index  // springs come first among the scalar loads
                  : s.kind == Kind::joint_pull ? model_.load_of_joint_spring(s.index)
                                               : model_.load_of_bushing(s.index, s.component);
      leaf.measure = model_.scalar_loads()[leaf.load].measure;
      break;
    case Kind::contact:
      leaf.sort = Sort::contact;
      leaf.load = s.index;
      leaf.component = s.component;
      leaf.measure = measures.projected(kGround, Vec3::Zero(), kGround, Vec3::Zero(), Vec3::Zero());  // of no body
      shows_contacts_ = true;
      break;
    default:
      return;
  }
  leaf.body1 = leaf.measure.body1;
  leaf.body2 = leaf.measure.body2;
  if (leaf.sort == Sort::velocity || leaf.sort == Sort::spin) leaf.body1 = model_.bodies();  // from ground
  nodes_[signal].leaf = static_cast<int>(leaves_.size());
  leaves_.push_back(leaf);
}

/// A joint's coordinate and its rate have one gradient. In the order of evaluation, which is that of the leaves.
template <int D>
void SignalSet<D>::share_gradients() {
  using Sort = typename Leaf::Sort;
  const auto of_measure = [](const Leaf& leaf) { return leaf.sort == Sort::value || leaf.sort == Sort::rate; };
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    for (std::size_t j = 0; j < i && leaves_[i].shares < 0; ++j) {
      if (!of_measure(leaves_[i]) || !of_measure(leaves_[j]) || leaves_[j].shares >= 0) continue;
      if (!same_measure(leaves_[i].measure, leaves_[j].measure)) continue;
      leaves_[i].shares = static_cast<int>(j);
      leaves_[j].is_shared = true;
    }
  }
}

template <int D>
void SignalSet<D>::find_bases(int signal) {
  using Of = typename Base::Of;
  const Signal& s = signals_[signal];
  Node& node = nodes_[signal];
  if (node.leaf >= 0) node.bases = {{node.leaf}};
  if (s.kind == Signal::Kind::state) node.bases = {{s.index, Of::state}};
  for (const int argument : s.arguments) {
    for (Base base : nodes_[argument].bases) {
      if (s.kind == Signal::Kind::rate) base.of = Of::rate_of_leaf;
      if (std::find(node.bases.begin(), node.bases.end(), base) == node.bases.end()) node.bases.push_back(base);
    }
  }
  node.gradient_at = gradient_size_;
  gradient_size_ += static_cast<int>(node.bases.size());
}

template <int D>
SignalValues SignalSet<D>::make_values() const {
  SignalValues values;
  const auto count = static_cast<Eigen::Index>(signals_.size());
  values.inputs.resize(model_.mechanism().inputs.size());
  values.paths.resize(model_.mechanism().drivers.size());
  values.states = VecX::Zero(static_cast<Eigen::Index>(model_.mechanism().states.size()));
  values.along.resize(signals_.size());
  values.value = VecX::Zero(count);
  values.gradient = VecX::Zero(gradient_size_);
  values.wrench.setZero(6, static_cast<Eigen::Index>(leaves_.size()));
  values.known.resize(leaves_.size());
  values.is_known.resize(leaves_.size());
  values.place = program_.initial();
  values.slope.resize(values.place.size());
  values.partial.resize(static_cast<std::size_t>(program_.partials()));
  values.kept.resize(kept_size_);
  if (shows_contacts_) values.contact = VecX::Zero(ContactSet<D>::kTotals * std::ssize(model_.mechanism().contacts));
  values.by_motion.setZero(6, (model_.bodies() + 1) * std::ssize(contacts_));
  values.by_velocity = values.by_motion;
  return values;
}

/// The direction turns with the body of the measure, the twist is that of body 2 in space.
template <int D>
typename Space<D>::Twist SignalSet<D>::wrench(const Leaf& leaf, const BodyKinematics<D>& k) const {
  using Sort = typename Leaf::Sort;
  const Measure<D>& m = leaf.measure;
  if (leaf.sort == Sort::velocity) {
    return force_at<D>(Vector(k.rotation[m.body1] * m.e1), k.point(m.body2, m.point2));
  }
  if (leaf.sort == Sort::spin) {
    if constexpr (D == 2) {
      return twist<D>(Vector::Zero(), typename S::Angular(1.0));
    } else {
      return twist<D>(Vector::Zero(), Vector(k.rotation[m.body1] * m.e1));
    }
  }
  return m.gradient(k);
}

template <int D>
typename Measure<D>::Evaluation SignalSet<D>::evaluate(const Leaf& leaf, const BodyKinematics<D>& k,
                                                       const VecX& turns) const {
  using Sort = typename Leaf::Sort;
  if (leaf.sort == Sort::value) {
    typename Measure<D>::Evaluation result = leaf.measure.evaluate(k);
    if (leaf.turns_of >= 0) result.value = nearest_turn(result.value, turns[leaf.turns_of]);
    return result;
  }
  const Twist W = wrench(leaf, k);
  if (leaf.sort == Sort::tension) return {model_.tension(model_.scalar_loads()[leaf.load], k, turns), W};
  return {W.dot(k.twist[leaf.body2] - k.twist[leaf.body1]), W};
}

template <int D>
void SignalSet<D>::evaluate(double t, const BodyKinematics<D>& k, const VecX& turns, bool all,
                            SignalValues& values) const {
  using Kind = Signal::Kind;
  if (!all) return evaluate_followed(t, k, turns, values);
  if (shows_contacts_) see_contacts(k, turns, false, values);
  double arguments[Expression::kMostVariables];
  for (const int i : order_) {
    const Signal& s = signals_[i];
    const Node& node = nodes_[i];
    double& value = values.value[i];
    if (node.leaf >= 0) {
      const Leaf& leaf = leaves_[node.leaf];
      value = leaf.sort == Leaf::Sort::contact ? contact_value(leaf, values) : evaluate(leaf, k, turns).value;
      if (node.has_along) values.along[i] = {value, leaf.measure.rate(k, leaf.measure.gradient(k)), 0};
      continue;
    }
    switch (s.kind) {
      case Kind::expression:
        for (std::size_t j = 0; j < s.arguments.size(); ++j) arguments[j] = values.value[s.arguments[j]];
        value = s.expression.evaluate(arguments);
        break;
      case Kind::function:
        value = s.of(values.value[s.arguments[0]]);
        break;
      case Kind::tyre: {
        const TyreForce<double, D> f = model_.tyre_force(model_.tyres()[s.index], k);
        value = s.component == 0 ? f.load : f.force[s.component - 1];
        break;
      }
      default:
        value = given_value(i, t, values);
    }
    if (node.has_along) values.along[i] = along_arguments(i, t, values);
  }
}

template <int D>
double SignalSet<D>::given_value(int signal, double t, const SignalValues& values) const {
  const Signal& s = signals_[signal];
  switch (s.kind) {
    case Signal::Kind::time:
      return t;
    case Signal::Kind::input:
      return values.inputs[s.index].f;
    case Signal::Kind::state:
      return values.states[s.index];
    case Signal::Kind::rate:
      return values.along[s.arguments[0]].d1;
    default:
      return values.value[signal];
  }
}

/// With the derivatives in time of what it is made of.
template <int D>
Function::Value SignalSet<D>::along_arguments(int signal, double t, const SignalValues& values) const {
  using Kind = Signal::Kind;
  const Signal& s = signals_[signal];
  if (s.kind == Kind::time) return {t, 1, 0};
  if (s.kind == Kind::input) return values.inputs[s.index];
  if (s.kind == Kind::function) {
    const Function::Value x = values.along[s.arguments[0]], f = s.of.evaluate(x.f);
    return {f.f, f.d1 * x.d1, f.d2 * x.d1 * x.d1 + f.d1 * x.d2};
  }
  if (s.kind != Kind::expression) return {values.value[signal], 0, 0};
  Function::Value arguments[Expression::kMostVariables];
  for (std::size_t j = 0; j < s.arguments.size(); ++j) arguments[j] = values.along[s.arguments[j]];
  return s.expression.along(arguments);
}

/// With respect to centre, axle (space) and velocity of the wheel, as the arguments have them.
template <int D>
void SignalSet<D>::tyre_partials(const Signal& s, const SignalValues& values, double* partial) const {
  using Number = Dual<3 * D>;
  SmallVector<Number, D> c, a, v;
  int argument = 0;
  const auto read = [&](SmallVector<Number, D>& vector) {
    for (int i = 0; i < D; ++i, ++argument) vector[i] = Number::variable(values.value[s.arguments[argument]], argument);
  };
  read(c);
  for (int i = 0; i < D; ++i) c[i].f -= model_.origin()[i], a[i] = Number(0);
  if (D == 3) read(a);
  read(v);
  const TyreForce<Number, D> f = model_.tyres()[s.index].template evaluate<Number>(c, a, v);
  const Number& felt = s.component == 0 ? f.load : f.force[s.component - 1];
  for (int i = 0; i < argument; ++i) partial[i] = felt.d[i];
}

template <int D>
BrokenSignal SignalSet<D>::broken(const SignalValues& values) const {
  const auto finite = [&](int i) { return std::isfinite(values.value[i]); };
  for (const int i : order_) {
    const Signal& s = signals_[static_cast<std::size_t>(i)];
    if (finite(i) || s.arguments.empty() || !std::all_of(s.arguments.begin(), s.arguments.end(), finite)) continue;
    // What elements compute by themselves has no text that a model could mend.
    const bool is_written = s.kind == Signal::Kind::expression && s.expression.parsed() != nullptr;
    std::string text = s.name.empty() ? "an expression" : fmt::format("signal '{}'", s.name);
    if (s.name.empty() && s.where.line > 0) text += fmt::format(" in {}:{}", s.where.file, s.where.line);
    if (is_written) text += fmt::format(" = {}", s.expression.text());
    text += fmt::format(" is {}", values.value[i] > 0   ? "infinite"
                                  : values.value[i] < 0 ? "-infinite"
                                                        : "not a number");
    std::string given;
    for (std::size_t j = 0; j < s.arguments.size(); ++j) {
      const Signal& argument = signals_[static_cast<std::size_t>(s.arguments[j])];
      const std::string name = s.kind == Signal::Kind::expression ? s.expression.names()[j] : argument.name;
      if (!name.empty())
        given += fmt::format("{}{} = {:.6g}", given.empty() ? " with " : ", ", name, values.value[s.arguments[j]]);
    }
    return {text + given, is_written};
  }
  return {};
}

template class SignalSet<2>;
template class SignalSet<3>;

}  // namespace cardan
