#include "ensemble/lane_group.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string>

#include "ensemble/lane_model.hpp"
#include "ensemble/lane_time.hpp"

namespace cardan {
namespace {

LaneRule rule_for(const RunOptions& options, const NewmarkSettings& settings) {
  const NewmarkRule rule = NewmarkRule::for_options(options);
  LaneRule result;
  result.dm = rule.dm, result.df = rule.df, result.beta = rule.beta, result.gamma = rule.gamma;
  result.has_penalty = settings.penalty.has_value();
  result.penalty = settings.penalty.value_or(0);
  result.norm_is_plain = settings.tolerance.has_value();
  result.projections = settings.projections;
  result.kappa_smallest = settings.kappa_smallest;
  result.kappa_largest = settings.kappa_largest;
  result.iteration_limit = settings.iteration_budget > 0 ? std::numeric_limits<int>::max() : settings.iteration_limit;
  return result;
}

template <int D>
class Group final : public LaneGroup {
 public:
  Group(std::span<Phase* const> phases, const Mechanism* const* mechanisms, const RunOptions& options, LaneSteps steps)
      : phases_(phases.begin(), phases.end()),
        mechanisms_(mechanisms, mechanisms + phases.size()),
        settings_(NewmarkSettings::for_options(options, 1)),
        instances_(make_instances()),
        model_(make_lane_model<D>(instances_)),
        work_(model_),
        laws_(instances_, settings_),
        rule_(rule_for(options, settings_)),
        steps_(steps) {
    const auto n = static_cast<std::size_t>(model_.coordinates);
    for (LaneArray* one : {&state_.q, &state_.v, &state_.a, &state_.A}) one->assign(n, Lanes{});
    state_.lambda.assign(static_cast<std::size_t>(model_.constraints), Lanes{});
    state_.turns.assign(2 * static_cast<std::size_t>(model_.counted) + 1, Lanes{});
    state_.references.assign(4 * static_cast<std::size_t>(model_.balls), Lanes{});
    for (int lane = 0; lane < kLanes; ++lane) {
      rule_.length.of[lane] = phase(lane).compiled.length;
      take(lane);
    }
  }

  unsigned step(double h, unsigned which, long* iterations) override {
    Lanes lengths;
    for (int lane = 0; lane < kLanes; ++lane) {
      const double t = state_.t.of[lane];
      lengths.of[lane] = (t + h) - t;  // as time goes on by, which is rounded
      if ((which >> lane & 1U) != 0) see_time(lane, t + lengths.of[lane]);
    }
    laws_.begin_step();
    LaneReport report;
    if constexpr (D == 2) report = steps_.in_plane(model_, rule_, lengths, which, laws_, state_, work_);
    if constexpr (D == 3) report = steps_.in_space(model_, rule_, lengths, which, laws_, state_, work_);
    for (std::size_t lane = 0; lane < phases_.size(); ++lane) iterations[lane] += report.iterations[lane];
    return report.done;
  }

  void take(int lane) override {
    each_number(lane, [](double& number, double& in_lane) { in_lane = number; });
    state_.t.of[lane] = phase(lane).state.t;
  }
  void give(int lane) override {
    each_number(lane, [](double& number, double& in_lane) { number = in_lane; });
    phase(lane).state.t = state_.t.of[lane];
  }
  double time(int lane) const override { return state_.t.of[lane]; }

 private:
  /// Lanes that no instance is left for repeat the first one.
  std::size_t index(int lane) const { return static_cast<std::size_t>(lane) < phases_.size() ? lane : 0; }
  Phase& phase(int lane) const { return *phases_[index(lane)]; }

  LaneInstances<D> make_instances() const {
    LaneInstances<D> instances;
    for (int lane = 0; lane < kLanes; ++lane) {
      const bool sweeps = SweptForces::of(*phase(lane).compiled.formulation) != nullptr;
      instances[lane] = {relative_formulation<D>(phase(lane)), phase(lane).integrator->constraints().effective_mass,
                         nullptr, sweeps};
    }
    return instances;
  }

  template <class F>
  void each_number(int lane, const F& f) {
    State& s = phase(lane).state;
    const auto each = [&](double* numbers, LaneArray& in_lanes) {
      for (std::size_t i = 0; i < in_lanes.size(); ++i) f(numbers[i], in_lanes[i].of[lane]);
    };
    each(s.q.data(), state_.q);
    each(s.v.data(), state_.v);
    each(s.algorithmic.data(), state_.a);
    each(s.acceleration.data(), state_.A);
    each(s.lambda.data(), state_.lambda);
    each(s.memory.data(), state_.turns);
    each(s.memory.data() + state_.turns.size(), state_.references);
  }

  /// Laws of time and inputs at the end of the step.
  void see_time(int lane, double t) {
    const Mechanism& m = *mechanisms_[index(lane)];
    const BodyModel<D>& model = instances_[lane].formulation->model();
    const VecX& inputs = phase(lane).state.inputs;
    const std::size_t drivers = 3 * model.drivers().size(), efforts = drivers + model.efforts().size();
    std::size_t at = 0;
    each_law_of_time<D>(model, m, inputs, t, seen_, [&](double value) {
      Lanes& place = at < drivers   ? work_.driver[at]
                     : at < efforts ? work_.effort[at - drivers]
                                    : work_.given[at - efforts];
      place.of[lane] = value;
      ++at;
    });
  }

  std::vector<Phase*> phases_;
  std::vector<const Mechanism*> mechanisms_;
  NewmarkSettings settings_;
  LaneInstances<D> instances_;
  LaneModel<D> model_;
  LaneWork<D> work_;
  InstanceLaws<D> laws_;
  LaneRule rule_;
  LaneSteps steps_;
  LaneState state_;
  std::vector<Function::Value> seen_;
};

}  // namespace

LaneSteps plain_lane_steps();
LaneSteps avx2_lane_steps();

LaneSteps lane_steps(const char* name) {
#if defined(__x86_64__)
  if (std::string(name) == "avx2") return __builtin_cpu_supports("avx2") ? avx2_lane_steps() : LaneSteps{};
#endif
  return std::string(name) == "plain" ? plain_lane_steps() : LaneSteps{};
}

LaneSteps lane_steps() {
  const char* asked = std::getenv("CARDAN_LANES");
  const LaneSteps best = lane_steps(asked != nullptr ? asked : "avx2");
  return best.in_plane != nullptr ? best : plain_lane_steps();
}

std::string not_in_lanes(const Phase& phase, bool planar, bool within_a_run) {
  if (planar) {
    const auto* in_plane = relative_formulation<2>(phase);
    return in_plane ? not_in_lanes(*in_plane, within_a_run) : "the formulation";
  }
  const auto* in_space = relative_formulation<3>(phase);
  return in_space ? not_in_lanes(*in_space, within_a_run) : "the formulation";
}

std::unique_ptr<LaneGroup> make_lane_group(std::span<Phase* const> phases, const Mechanism* const* mechanisms,
                                           const RunOptions& options) {
  if (mechanisms[0]->planar) return std::make_unique<Group<2>>(phases, mechanisms, options, lane_steps());
  return std::make_unique<Group<3>>(phases, mechanisms, options, lane_steps());
}

}  // namespace cardan
