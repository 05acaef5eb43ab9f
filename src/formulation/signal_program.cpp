// SignalSet: what loads and states follow, as one program (math/flat_program.hpp) with derivatives.
#include <algorithm>
#include <cmath>

#include "formulation/body_model.hpp"
#include "formulation/signal_set.hpp"
#include "math/expression.hpp"

namespace cardan {

template <int D>
void SignalSet<D>::write_program() {
  std::vector<FlatProgram::Sum> made(signals_.size());
  std::vector<char> has_result(signals_.size(), 0);
  const auto want = [&](int signal) {
    if (has_result[signal]++ == 0) add_result(signal, made[signal]);
  };
  for (const int i : followed_) {
    if (signals_[i].kind == Signal::Kind::rate) want(signals_[i].arguments[0]);
    made[i] = add_to_program(i, made);
  }
  for (const int signal : sinks_) want(signal);
  program_.finish();
}

template <int D>
FlatProgram::Sum SignalSet<D>::add_to_program(int signal, const std::vector<FlatProgram::Sum>& made) {
  using Kind = Signal::Kind;
  const Signal& s = signals_[signal];
  std::vector<FlatProgram::Sum> arguments;
  for (const int argument : s.arguments) arguments.push_back(made[argument]);
  if (s.kind == Kind::expression || s.kind == Kind::function || s.kind == Kind::tyre) {
    if (nodes_[signal].has_along) given_.push_back({signal, -1, -1, true});
    const Expression* parsed = s.kind == Kind::expression ? s.expression.parsed() : nullptr;
    return parsed ? program_.add(parsed->instructions(), arguments) : program_.add_call(signal, arguments);
  }
  const FlatProgram::Sum sum = program_.add_input();
  const int place = sum.terms[0].place;
  given_.push_back({signal, place, nodes_[signal].leaf, nodes_[signal].has_along});
  signal_at_.resize(static_cast<std::size_t>(place) + 1, -1);
  signal_at_[place] = signal;
  return sum;
}

template <int D>
void SignalSet<D>::add_result(int signal, const FlatProgram::Sum& sum) {
  using Of = typename Base::Of;
  Result result{signal, {}};
  const std::vector<Base>& own = nodes_[signal].bases;
  const auto base_of = [&](const Base& base) {
    return static_cast<int>(std::find(own.begin(), own.end(), base) - own.begin());
  };
  const int index = program_.add_result(sum);
  kept_size_ += 1 + 2 * program_.inputs_of(index).size();
  for (const int place : program_.inputs_of(index)) {
    const Signal& given = signals_[signal_at_[place]];
    const Node& node = nodes_[signal_at_[place]];
    if (node.leaf >= 0) result.entries.push_back({place, base_of({node.leaf}), -1});
    if (given.kind == Signal::Kind::state) result.entries.push_back({place, base_of({given.index, Of::state}), -1});
    if (given.kind != Signal::Kind::rate) continue;
    // By the rates of what its argument depends on, as that by these themselves.
    int at = nodes_[given.arguments[0]].gradient_at;
    for (const Base& base : node.bases) result.entries.push_back({place, base_of(base), at++});
  }
  results_.push_back(std::move(result));
}

/// How far what the derivatives foretell may be off, as a part of all that was foretold; and rounding.
constexpr double kForetold = 1e-3, kRounding = 1e-13;

template <int D>
bool SignalSet<D>::differentiate(double t, const BodyKinematics<D>& k, const VecX& turns, bool may_keep,
                                 SignalValues& values) const {
  if (may_keep && may_keep_) {
    read_given<false>(t, k, turns, values);
    run<false>(k, values);
    if (foretold(values)) return true;
  }
  read_given<true>(t, k, turns, values);
  run<true>(k, values);
  double* kept = values.kept.data();
  for (std::size_t i = 0; i < results_.size(); ++i) {
    const Result& result = results_[i];
    program_.differentiate(static_cast<int>(i), values.place.data(), values.partial.data(), values.slope.data());
    double* own = values.gradient.data() + nodes_[result.signal].gradient_at;
    std::fill_n(own, nodes_[result.signal].bases.size(), 0.0);
    for (const auto& entry : result.entries)
      own[entry.base] += values.slope[entry.place] * (entry.rate < 0 ? 1 : values.gradient[entry.rate]);
    *kept++ = values.value[result.signal];
    for (const int place : program_.inputs_of(static_cast<int>(i)))
      *kept++ = values.place[place], *kept++ = values.slope[place];
  }
  return false;
}

/// Whether f = f0 + f' . (x - x0) for every result, x0 where f' was taken.
template <int D>
bool SignalSet<D>::foretold(const SignalValues& values) const {
  const double* kept = values.kept.data();
  for (std::size_t i = 0; i < results_.size(); ++i) {
    const double now = values.value[results_[i].signal], before = *kept++;
    double change = now - before, all = 0;
    for (const int place : program_.inputs_of(static_cast<int>(i))) {
      const double x0 = *kept++, part = *kept++ * (values.place[place] - x0);
      change -= part;
      all += std::abs(part);
    }
    if (!(std::abs(change) <= kForetold * all + kRounding * (std::abs(now) + std::abs(before)))) return false;
  }
  return true;
}

template <int D>
template <bool Wrenches>
void SignalSet<D>::read_given(double t, const BodyKinematics<D>& k, const VecX& turns, SignalValues& values) const {
  if (!contacts_.empty()) see_contacts(k, turns, Wrenches, values);
  for (const auto& [signal, at, leaf, has_along] : given_) {
    if (leaf >= 0) {
      values.value[signal] = evaluate_leaf<Wrenches>(leaf, k, turns, values);
      if (has_along) {
        const Measure<D>& measure = leaves_[leaf].measure;
        values.along[signal] = {values.value[signal], measure.rate(k, measure.gradient(k)), 0};
      }
    } else {
      if (at >= 0) values.value[signal] = given_value(signal, t, values);
      if (has_along) values.along[signal] = along_arguments(signal, t, values);
    }
    if (at >= 0) values.place[at] = values.value[signal];
  }
}

template <int D>
template <bool Gradients>
void SignalSet<D>::run(const BodyKinematics<D>& k, SignalValues& values) const {
  double* place = values.place.data();
  program_.evaluate(place, [&](int signal, const std::vector<int>& arguments, int first_partial) {
    return call<Gradients>(signal, arguments, values.partial.data() + first_partial, k, values);
  });
  for (std::size_t i = 0; i < results_.size(); ++i)
    values.value[results_[i].signal] = program_.value(static_cast<int>(i), place);
}

template <int D>
void SignalSet<D>::evaluate_followed(double t, const BodyKinematics<D>& k, const VecX& turns,
                                     SignalValues& values) const {
  read_given<false>(t, k, turns, values);
  run<false>(k, values);
}

template <int D>
template <bool Wrenches>
double SignalSet<D>::evaluate_leaf(int index, const BodyKinematics<D>& k, const VecX& turns,
                                   SignalValues& values) const {
  const Leaf& leaf = leaves_[index];
  if (leaf.sort == Leaf::Sort::contact) return contact_value(leaf, values);
  const auto set_wrench = [&](const double* W) { std::copy_n(W, S::kTwist, values.wrench.data() + 6 * index); };
  const double* const shared = leaf.shares < 0 ? nullptr : values.wrench.data() + 6 * leaf.shares;
  const auto continued = [&](double value) {
    return leaf.turns_of >= 0 ? nearest_turn(value, turns[leaf.turns_of]) : value;
  };
  if (values.is_known[index]) {
    if (Wrenches) set_wrench(shared ? shared : leaf.measure.gradient(k).data());
    return leaf.sort == Leaf::Sort::rate ? values.known[index] : continued(values.known[index]);
  }
  if (!shared || (!Wrenches && values.is_known[leaf.shares])) {
    if (!Wrenches && !leaf.is_shared && leaf.sort == Leaf::Sort::value) return continued(leaf.measure.value(k));
    const auto now = evaluate(leaf, k, turns);
    if (Wrenches || leaf.is_shared) set_wrench(now.gradient.data());
    return now.value;
  }
  if (Wrenches) set_wrench(shared);
  if (leaf.sort == Leaf::Sort::rate)
    return Eigen::Map<const Twist>(shared).dot(k.twist[leaf.body2] - k.twist[leaf.body1]);
  return continued(leaf.measure.value(k));
}

template <int D>
template <bool Gradients>
double SignalSet<D>::call(int signal, const std::vector<int>& arguments, double* partial, const BodyKinematics<D>& k,
                          const SignalValues& values) const {
  const Signal& s = signals_[signal];
  if (s.kind == Signal::Kind::tyre) {
    if (Gradients) tyre_partials(s, values, partial);
    const TyreForce<double, D> f = model_.tyre_force(model_.tyres()[s.index], k);
    return s.component == 0 ? f.load : f.force[s.component - 1];
  }
  if (s.kind == Signal::Kind::function) {
    const Function::Value f = s.of.evaluate(values.place[arguments[0]]);
    partial[0] = f.d1;
    return f.f;
  }
  double given[Expression::kMostVariables];
  for (std::size_t j = 0; j < arguments.size(); ++j) given[j] = values.place[arguments[j]];
  return Gradients ? s.expression.evaluate(given, partial) : s.expression.evaluate(given);
}

template void SignalSet<2>::write_program();
template void SignalSet<3>::write_program();
template void SignalSet<2>::evaluate_followed(double, const BodyKinematics<2>&, const VecX&, SignalValues&) const;
template void SignalSet<3>::evaluate_followed(double, const BodyKinematics<3>&, const VecX&, SignalValues&) const;
template bool SignalSet<2>::differentiate(double, const BodyKinematics<2>&, const VecX&, bool, SignalValues&) const;
template bool SignalSet<3>::differentiate(double, const BodyKinematics<3>&, const VecX&, bool, SignalValues&) const;

}  // namespace cardan
