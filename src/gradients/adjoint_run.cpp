#include "gradients/adjoint_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "gradients/neighbours.hpp"
#include "options/method.hpp"
#include "simulation/step_length.hpp"

namespace cardan {
namespace {

/// Of a coordinate's scale and of a rate's: of the differences that samples are differentiated by.
constexpr double kOfState = 1e-4;

std::string refusal_of(Simulation& simulation, const RunOptions& options) {
  const GradientRun::Impl& run = GradientRun::inside(simulation);
  const auto without = [](const std::string& what) {
    return fmt::format("{} has no adjoint: take derivatives parameter by parameter (gradient: direct)", what);
  };
  if (method_of(options) != Method::newmark || options.formulation != "hybrid")
    return fmt::format(
        "steps of '{}' on '{}' have no adjoint: take trapezoidal, newmark, hht or generalized-alpha on hybrid, or "
        "derivatives parameter by parameter (gradient: direct)",
        options.integrator, options.formulation);
  if (simulation.chooses_steps())
    return fmt::format(
        "'{}' chooses its steps here, and where they end depends on the parameters: take step_control fixed",
        options.integrator);
  if (options.iterations > 0)
    return "'iterations' ends Newton's iteration before it has converged, and the derivative is that of a step that "
           "has: leave it out";
  const std::string part = TapedStep::refusal(run.phases.phase(0), run.mechanism.planar);
  return part.empty() ? "" : without(part);
}

}  // namespace

AdjointRun::AdjointRun(const MechanismMaker& maker, const std::vector<GradientParameter>& parameters,
                       const RunOptions& options, const std::vector<std::string>& signals, const GradientOptions& how)
    : options_(resolved_options(options, maker(values_of(parameters)))),
      simulation_(maker(values_of(parameters)), options_, signals) {
  Impl& run = nominal();
  const std::string refusal = refusal_of(simulation_, options_);
  if (!refusal.empty()) throw std::invalid_argument(refusal);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Neighbourhood near = neighbourhood(parameters[i], how.difference);
    std::vector<double> values = values_of(parameters);
    const auto made = [&](double value) {
      values[i] = value;
      return Simulation(maker(values), options_, signals);
    };
    sides_.push_back({parameters[i].name, near.up - near.down, made(near.up), made(near.down)});
    for (Simulation* side : {&sides_.back().plus, &sides_.back().minus})
      check_alike(run.phases, GradientRun::inside(*side).phases, parameters[i].name);
  }
  row_ = up_ = down_ = VecX::Zero(static_cast<Eigen::Index>(simulation_.columns().size()));
}

bool AdjointRun::at_end() const {
  return simulation_.ended() || options_.until - simulation_.time() <= 1e-9 * std::min(options_.step, options_.until);
}

/// As Run::take_step() of run.cpp; what is to be gone back through is kept.
StepStatus AdjointRun::step() {
  Impl& run = nominal();
  const double h = next_step_length(simulation_.time(), options_.step, options_.until);
  const auto step_to_event = [&](double part) {
    const StepStatus status = run.step_to_event(part);
    if (status != StepStatus::ok) return status;
    const NewmarkStep made = dynamic_cast<const NewmarkIntegrator&>(*run.now().integrator).last_step();
    steps_.push_back({made.before, made.h, made.moved, made.v, made.A, made.lambda, made.weight});
    return status;
  };
  return run.step_in_parts(h, step_to_event, [&] { return simulation_.ended(); });
}

StepStatus AdjointRun::run_forth(AdjointResults& results) {
  Impl& run = nominal();
  const auto put = [&] {
    run.sample(run.now().state, row_.data());
    results.sample(row_);
    sampled_.push_back(std::ssize(steps_));
  };
  put();
  std::int64_t count = 0;
  StepStatus status = StepStatus::ok;
  while (status == StepStatus::ok && !at_end()) {
    const double h = std::min(options_.step, options_.until - simulation_.time());
    status = step();
    run.told(status, h);
    if (status == StepStatus::ok && ++count % options_.every == 0) put();
  }
  if (status == StepStatus::ok && sampled_.back() != std::ssize(steps_)) put();
  last_ = run.now().state;
  return status;
}

void AdjointRun::sample(Impl& side, const State& state, VecX& row) {
  side.is_evaluated = false;
  side.sample(state, row.data());
}

/// Of all that a sample takes from a state, by differences; and of the parameters themselves, at the same state.
void AdjointRun::add_sample(const State& state, const Eigen::MatrixXd& weights) {
  Impl& run = nominal();
  trial_ = state;
  const VecX& scale = run.now().compiled.formulation->structure().scale;
  const auto add = [&](VecX& numbers, Eigen::Index first, Eigen::Index count, const auto& step_of,
                       VecX StateSlopes::*to) {
    for (Eigen::Index i = 0; i < count; ++i) {
      double& number = numbers[first + i];
      const double middle = number, step = step_of(i);
      VecX sum = VecX::Zero(row_.size());
      for (const auto& [times, weight] : kFivePoints) {
        number = middle + times * step;
        sample(run, trial_, up_);
        sum += weight / (12 * step) * up_;
      }
      number = middle;
      for (std::size_t r = 0; r < slopes_.size(); ++r)
        (slopes_[r].*to)[i] += weights.row(static_cast<Eigen::Index>(r)).dot(sum);
    }
  };
  const Eigen::Index n = scale.size();
  add(
      trial_.q, 0, n, [&](auto i) { return kOfState * scale[i]; }, &StateSlopes::q);
  add(
      trial_.v, 0, n, [&](auto i) { return kOfState * std::max(scale[i], std::abs(state.v[i])); }, &StateSlopes::v);
  add(
      trial_.acceleration, 0, n, [&](auto i) { return kOfState * std::max(scale[i], std::abs(state.acceleration[i])); },
      &StateSlopes::A);
  add(
      trial_.lambda, 0, state.lambda.size(),
      [&](auto i) { return kOfState * std::max(1.0, std::abs(state.lambda[i])); }, &StateSlopes::lambda);
  add(
      trial_.memory, first_reference_, references_, [&](auto) { return kOfState; }, &StateSlopes::references);
  for (std::size_t p = 0; p < sides_.size(); ++p) {
    Side& side = sides_[p];
    for (auto [one, row] :
         {std::pair(&GradientRun::inside(side.plus), &up_), std::pair(&GradientRun::inside(side.minus), &down_)}) {
      trial_.inputs = one->now().state.inputs;
      sample(*one, trial_, *row);
    }
    by_samples_.col(static_cast<Eigen::Index>(p)) += weights * ((up_ - down_) / side.change);
  }
  trial_.inputs = state.inputs;
}

void AdjointRun::add_start() {
  for (std::size_t p = 0; p < sides_.size(); ++p) {
    const State &up = GradientRun::inside(sides_[p].plus).now().state,
                &down = GradientRun::inside(sides_[p].minus).now().state;
    for (std::size_t r = 0; r < slopes_.size(); ++r) {
      const StateSlopes& s = slopes_[r];
      const double sum = s.q.dot(up.q - down.q) + s.v.dot(up.v - down.v) + s.a.dot(up.algorithmic - down.algorithmic) +
                         s.A.dot(up.acceleration - down.acceleration) + s.lambda.dot(up.lambda - down.lambda) +
                         s.references.dot(up.memory.segment(first_reference_, references_) -
                                          down.memory.segment(first_reference_, references_));
      by_samples_(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(p)) += sum / sides_[p].change;
    }
  }
}

StepStatus AdjointRun::run_back(const AdjointResults& results, TapedStep& taped) {
  Impl& run = nominal();
  const Formulation& formulation = *run.now().compiled.formulation;
  const auto& integrator = dynamic_cast<const NewmarkIntegrator&>(*run.now().integrator);
  const Structure& structure = formulation.structure();
  first_reference_ = taped.first_reference();
  references_ = taped.references();
  for (StateSlopes& one : slopes_) one.size(structure.coordinates, structure.constraints, references_);
  by_samples_.setZero(results.size(), std::ssize(sides_));
  Eigen::MatrixXd weights;
  const NewmarkStep last = integrator.last_step();
  AdjointStep back(formulation, last.rule, last.projects, taped);
  std::int64_t next = std::ssize(sampled_) - 1;
  for (std::int64_t i = std::ssize(steps_);; --i) {
    const State& state = i == std::ssize(steps_) ? last_ : steps_[static_cast<std::size_t>(i)].before;
    for (; next >= 0 && sampled_[static_cast<std::size_t>(next)] == i; --next)
      if (results.weights(next, weights)) add_sample(state, weights);
    if (i == 0) break;
    const StepRecord& step = steps_[static_cast<std::size_t>(i - 1)];
    StepStatus status = back.begin(step);
    for (std::size_t r = 0; r < slopes_.size() && status == StepStatus::ok; ++r)
      status = back.go_back(static_cast<int>(r), slopes_[r]);
    if (status != StepStatus::ok) {
      failure_ = fmt::format("at t = {:.6g} s the run could not be gone through backwards: {}", step.before.t,
                             status_name(status));
      return status;
    }
    taped.close(step);
  }
  add_start();
  return StepStatus::ok;
}

RunSummary AdjointRun::go(AdjointResults& results, Eigen::MatrixXd& gradient) {
  StepStatus status = run_forth(results);
  RunSummary summary = simulation_.summary();
  if (status != StepStatus::ok) return summary;
  slopes_.resize(static_cast<std::size_t>(results.size()));
  std::vector<TapedNeighbour> neighbours;
  for (Side& side : sides_)
    neighbours.push_back({&GradientRun::inside(side.plus).now(), &GradientRun::inside(side.minus).now(),
                          &GradientRun::inside(side.plus).mechanism, &GradientRun::inside(side.minus).mechanism,
                          side.change});
  const auto taped = TapedStep::make(nominal().now(), nominal().mechanism, neighbours, results.size());
  do {
    taped->begin_again();
    status = run_back(results, *taped);
  } while (status == StepStatus::ok && taped->surprised());
  if (status != StepStatus::ok) {
    summary.status = RunStatus::failed;
    summary.reason = failure_;
    return summary;
  }
  gradient = taped->gradient() + by_samples_;
  return summary;
}

std::string adjoint_refusal(const Mechanism& mechanism, const RunOptions& asked) {
  const RunOptions options = resolved_options(asked, mechanism);
  Simulation simulation(mechanism, options);
  return refusal_of(simulation, options);
}

RunSummary run_with_adjoint(const MechanismMaker& maker, const std::vector<GradientParameter>& parameters,
                            const RunOptions& options, const std::vector<std::string>& signals, AdjointResults& results,
                            Eigen::MatrixXd& gradient, const GradientOptions& how) {
  return AdjointRun(maker, parameters, options, signals, how).go(results, gradient);
}

}  // namespace cardan
