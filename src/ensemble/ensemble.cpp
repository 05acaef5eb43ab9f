#include "cardan/ensemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "ensemble/lane_group.hpp"
#include "formulation/input_values.hpp"
#include "mechanism/automatic_formulation.hpp"
#include "options/method.hpp"
#include "options/unknown_name.hpp"

namespace cardan {
namespace {

/// By the options and the mechanism alone.
std::string refused(const Mechanism& mechanism, const RunOptions& options) {
  if (options.formulation != "hybrid")
    return fmt::format("the formulation {} does not go in lanes: take hybrid", options.formulation);
  if (method_of(options) != Method::newmark)
    return fmt::format("the integrator {} does not go in lanes: take trapezoidal, newmark, hht or generalized-alpha",
                       options.integrator);
  if (options.step_control.value_or("fixed") != "fixed") return "chosen steps do not go in lanes: take constant ones";
  if (options.start == "equilibrium") return "a start from equilibrium does not go in lanes: let it start as drawn";
  if (!mechanism.events.empty())
    return fmt::format("events do not go in lanes, and there is '{}'", mechanism.events.front().name);
  return {};
}

std::string in_words(const std::string& what) {
  return what.empty() ? what : fmt::format("this does not go in lanes: {}", what);
}

RunOptions resolved(RunOptions options, const Mechanism& mechanism) {
  resolve_method(options, mechanism);
  options.check();
  return options;
}

/// An ensemble warns of nothing.
StartingPoint bare_start() {
  StartingPoint start;
  start.bare = true;
  return start;
}

}  // namespace

struct Ensemble::Impl {
  struct Instance {
    Mechanism mechanism;
    PhaseSet phases;
    StepStatus status = StepStatus::ok;
    long iterations = 0;
    bool is_given = true;  // its state is that of its lane
    Instance(const Mechanism& m, const RunOptions& options, const std::vector<std::string>* signals)
        : mechanism(m), phases(mechanism, options, bare_start(), signals) {}
    /// For states that are exchanged with a Simulation, when one is first asked for.
    void identify(const RunOptions& options) {
      Phase& phase = phases.now();
      if (phase.state.system != 0) return;
      cardan::identify(mechanism, options.formulation, phase.compiled);
      phase.state.system = phase.compiled.system;
    }
  };

  RunOptions options;
  std::vector<std::unique_ptr<Instance>> instances;
  std::vector<std::unique_ptr<LaneGroup>> groups;

  Impl(const std::vector<Mechanism>& mechanisms, const RunOptions& asked, const std::vector<std::string>& signals) {
    if (mechanisms.empty()) throw std::invalid_argument("an ensemble has one instance at least");
    options = resolved(asked, mechanisms.front());
    for (const Mechanism& mechanism : mechanisms) {
      if (const std::string why = refused(mechanism, options); !why.empty()) throw std::invalid_argument(why);
      instances.push_back(std::make_unique<Instance>(mechanism, options, signals.empty() ? nullptr : &signals));
      const std::string what = not_in_lanes(instances.back()->phases.now(), mechanism.planar);
      if (!what.empty()) throw std::invalid_argument(in_words(what));
    }
    for (std::size_t first = 0; first < instances.size(); first += kLanes) {
      std::vector<Phase*> phases;
      std::vector<const Mechanism*> described;
      for (std::size_t i = first; i < std::min(first + kLanes, instances.size()); ++i) {
        phases.push_back(&instances[i]->phases.now());
        described.push_back(&instances[i]->mechanism);
      }
      groups.push_back(make_lane_group(phases, described.data(), options));
    }
  }

  Instance& at(int instance) {
    if (instance < 0 || instance >= static_cast<int>(instances.size()))
      throw std::invalid_argument(
          fmt::format("there is no instance {}: they are 0 to {}", instance, instances.size() - 1));
    return *instances[static_cast<std::size_t>(instance)];
  }
  LaneGroup& group(int instance) { return *groups[static_cast<std::size_t>(instance / kLanes)]; }

  StepStatus step(double h) {
    StepStatus result = StepStatus::ok;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const std::size_t first = g * kLanes, count = std::min<std::size_t>(kLanes, instances.size() - first);
      unsigned which = 0;
      long iterations[kLanes] = {};
      for (std::size_t i = 0; i < count; ++i)
        if (instances[first + i]->status == StepStatus::ok) which |= 1U << i;
      if (which == 0) continue;
      const unsigned done = groups[g]->step(h, which, iterations);
      for (std::size_t i = 0; i < count; ++i) {
        Instance& one = *instances[first + i];
        if ((which >> i & 1U) == 0) continue;
        one.iterations += iterations[i];
        one.is_given = false;
        if ((done >> i & 1U) == 0) one.status = result = StepStatus::not_converged;
      }
    }
    return result;
  }

  State& state(int instance) {
    Instance& one = at(instance);
    if (!one.is_given) group(instance).give(instance % kLanes);
    one.is_given = true;
    return one.phases.now().state;
  }

  /// Accelerations that go with a state whose motion has changed.
  void start(int instance) {
    Phase& phase = at(instance).phases.now();
    go_on(instance, phase.integrator->start(phase.state));
  }
  void go_on(int instance, StepStatus started) {
    if (started != StepStatus::ok)
      throw std::invalid_argument("no motion can start from this state: its accelerations cannot be found");
    group(instance).take(instance % kLanes);
  }
};

Ensemble::Ensemble(const std::vector<Mechanism>& instances, const RunOptions& options,
                   const std::vector<std::string>& signals)
    : impl_(std::make_unique<Impl>(instances, options, signals)) {}
Ensemble::~Ensemble() = default;
Ensemble::Ensemble(Ensemble&&) noexcept = default;
Ensemble& Ensemble::operator=(Ensemble&&) noexcept = default;

std::string Ensemble::refusal(const Mechanism& mechanism, const RunOptions& options) {
  if (options.error) return "steps that hold a wanted error do not go in lanes: leave it out for constant ones";
  const RunOptions asked = resolved(options, mechanism);
  if (const std::string why = refused(mechanism, asked); !why.empty()) return why;
  PhaseSet phases(mechanism, asked, bare_start(), nullptr);
  return in_words(not_in_lanes(phases.now(), mechanism.planar));
}

std::string Ensemble::instructions() { return lane_steps().name; }

int Ensemble::size() const { return static_cast<int>(impl_->instances.size()); }
StepStatus Ensemble::step() { return step(impl_->options.step); }
StepStatus Ensemble::step(double h) {
  if (!(h > 0) || !std::isfinite(h)) throw std::invalid_argument("a step is longer than 0 s");
  return impl_->step(h);
}
StepStatus Ensemble::status(int instance) const { return impl_->at(instance).status; }
long Ensemble::iterations(int instance) const { return impl_->at(instance).iterations; }
double Ensemble::time(int instance) const {
  impl_->at(instance);
  return impl_->group(instance).time(instance % kLanes);
}
const Context& Ensemble::state(int instance) const {
  impl_->at(instance).identify(impl_->options);
  return impl_->state(instance);
}

void Ensemble::restore(int instance, const Context& state) {
  impl_->at(instance).identify(impl_->options);
  State& own = impl_->state(instance);
  const bool fits = state.q.size() == own.q.size() && state.v.size() == own.v.size() &&
                    state.memory.size() == own.memory.size() && state.inputs.size() == own.inputs.size() &&
                    state.system == own.system;
  if (!fits) throw std::invalid_argument("this state is of another mechanism, assembly or formulation");
  const bool whole = state.acceleration.size() == own.acceleration.size() &&
                     state.algorithmic.size() == own.algorithmic.size() && state.lambda.size() == own.lambda.size();
  take_motion(state, own);
  impl_->at(instance).status = StepStatus::ok;
  if (!whole) return impl_->start(instance);
  own.acceleration = state.acceleration;
  own.algorithmic = state.algorithmic;
  own.lambda = state.lambda;
  impl_->group(instance).take(instance % kLanes);
}

void Ensemble::set_input(int instance, const std::string& name, double value) {
  State& state = impl_->state(instance);
  const std::vector<Input>& inputs = impl_->at(instance).mechanism.inputs;
  const auto found = std::find_if(inputs.begin(), inputs.end(), [&](const Input& input) { return input.name == name; });
  if (found == inputs.end()) {
    std::vector<std::string> known;
    for (const Input& input : inputs) known.push_back(input.name);
    throw std::invalid_argument(unknown_name("input", name, known));
  }
  if (std::isnan(value)) throw std::invalid_argument(fmt::format("input '{}' is not a number", name));
  const auto index = static_cast<std::size_t>(found - inputs.begin());
  if (input_values::set(*found, state.inputs, index, state.t, std::clamp(value, found->min, found->max)))
    impl_->go_on(instance, impl_->at(instance).phases.take_inputs());
}

const std::vector<std::string>& Ensemble::columns() const { return impl_->instances.front()->phases.columns(); }
void Ensemble::sample(int instance, double* row) {
  const State& state = impl_->state(instance);
  impl_->at(instance).phases.sample(state, false, row);
}

}  // namespace cardan
