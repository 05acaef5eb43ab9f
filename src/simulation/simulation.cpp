#include "cardan/simulation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>

#include "integration/integrator.hpp"
#include "simulation/observer.hpp"

namespace cardan {

const char* status_name(StepStatus status) {
  switch (status) {
    case StepStatus::Ok:
      return "ok";
    case StepStatus::NotConverged:
      return "not converged";
    case StepStatus::Singular:
      return "singular";
    case StepStatus::NonFinite:
      return "not finite";
    case StepStatus::Overrun:
      return "overrun";
  }
  return "";
}

namespace {

/// CPU time of this thread: what a step costs, whatever else the machine does.
double thread_cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

const RunOptions& checked(const RunOptions& options) {
  options.check();
  return options;
}

/// Drawn, or the position of rest.
StartingPoint starting_point(const Mechanism& mechanism, const RunOptions& options,
                             std::vector<std::string>& warnings) {
  StartingPoint start;
  if (options.start != "equilibrium") return start;
  const Equilibrium equilibrium = find_equilibrium(mechanism);
  if (!equilibrium.converged) {
    throw ModelError(error_at(SourceLocation{mechanism.file}, "", equilibrium.reason,
                              "give the model a position of rest, or let it start as drawn"));
  }
  start.poses = equilibrium.bodies;
  if (equilibrium.unstable > 0) warnings.insert(warnings.end(), equilibrium.notes.begin(), equilibrium.notes.end());
  return start;
}

}  // namespace

struct Simulation::Impl {
  Mechanism mechanism;
  RunOptions options;
  std::vector<std::string> start_warnings;
  CompiledMechanism compiled;
  std::unique_ptr<Workspace> work;
  std::unique_ptr<Integrator> integrator;
  State state;
  State between;  // within the last step, for samples of methods that choose their steps
  RunSummary summary;
  double work_done = 0;   // on the system since the start, J
  double last_power = 0;  // W
  double time_in_steps = 0;
  double largest_turn = 0;  // of a joint within one step, rad
  int turning_joint = -1;
  bool warned_of_turns = false;
  std::array<double, 5> history{};  // lengths of the last steps, a ring
  std::int64_t history_count = 0;

  Impl(const Mechanism& m, const RunOptions& o)
      : mechanism(m),
        options(checked(o)),
        compiled(
            compile(mechanism, options.formulation, options.cut, starting_point(mechanism, options, start_warnings))),
        work(compiled.formulation->make_workspace()),
        integrator(make_integrator(options, *compiled.formulation, *work, compiled.length)) {
    compiled.formulation->start(state, *work);
    const StepStatus status = integrator->start(state);
    if (status != StepStatus::Ok) refuse_start(status);
    describe();
    begin_energy();
    between = state;  // so that samples allocate nothing
  }

  [[noreturn]] void refuse_start(StepStatus status) const {
    const int coordinate = integrator->report().singular_coordinate;
    const std::string name =
        coordinate >= 0 ? compiled.formulation->structure().coordinate_names[coordinate] : std::string("the model");
    throw ModelError(error_at(
        SourceLocation{mechanism.file}, "",
        status == StepStatus::Singular
            ? "nothing resists a motion of '" + name + "': it moves no mass and no constraint holds it"
            : "the initial accelerations are not finite",
        status == StepStatus::Singular ? "give the bodies that it moves a mass or an inertia, or hold them by a joint"
                                       : "look for infinite loads or lengths of zero"));
  }

  void describe() {
    const Structure& s = compiled.formulation->structure();
    const int drivers = static_cast<int>(mechanism.drivers.size());
    const bool constrained = s.constraints > 0;
    summary.model = mechanism.name;
    summary.formulation_asked = summary.formulation_used = options.formulation;
    summary.integrator_asked = summary.integrator_used = options.integrator;
    summary.solver_asked = options.solver;
    summary.solver_used = integrator->solver_name();
    summary.start = options.start;
    summary.step = options.step;
    summary.step_control_used = integrator->chooses_steps() ? options.step_control.value_or("error") : "fixed";
    summary.coordinates = s.coordinates;
    summary.constraints = constrained ? s.constraints - drivers : 0;
    for (int k : integrator->constraints().redundant) summary.redundant.push_back(s.constraint_names[k]);
    summary.redundant_constraints = static_cast<int>(summary.redundant.size());
    summary.degrees_of_freedom = s.coordinates - (summary.constraints - summary.redundant_constraints);
    if (!constrained) summary.degrees_of_freedom += drivers;
    summary.tolerance_used = options.tolerance.value_or(0);
    std::tie(summary.penalty_smallest, summary.penalty_largest) = integrator->penalty_range(state, options.step);
    for (const Diagnostic& d : mechanism.warnings) summary.warnings.push_back(d.text());
    for (const std::string& w : compiled.warnings) summary.warnings.push_back(w);
    for (const std::string& w : start_warnings) summary.warnings.push_back(w);
    if (const auto open = compiled.observer->open_reactions(); !open.empty()) {
      summary.warnings.push_back(
          fmt::format("reactions are not unique: the joints constrain the same motion more than once ({}); those of "
                      "least norm are given",
                      fmt::join(open, ", ")));
    }
  }

  void begin_energy() {
    compiled.formulation->position(state.t, state.q, state, *work);
    compiled.formulation->velocity(state.v, *work);
    summary.energy_initial = summary.energy_final = compiled.observer->energy(state, *work);
    last_power = compiled.observer->power(state, *work);
  }

  StepStatus step(double h) {
    const double begin = thread_cpu_seconds();
    const StepStatus status = integrator->step(state, h);
    time_in_steps += thread_cpu_seconds() - begin;
    const StepReport& report = integrator->report();
    summary.iterations += report.iterations;
    summary.factorizations += report.factorizations;
    summary.evaluations += report.evaluations;
    summary.rejected_steps += report.rejected;
    summary.cpu_seconds = time_in_steps;
    if (status != StepStatus::Ok) return status;
    ++summary.steps;
    summary.stagnated_steps += report.stagnated;
    summary.repartitions += report.repartitioned;
    summary.duration = state.t;
    history[history_count++ % history.size()] = report.taken;
    summary.step_smallest = summary.steps == 1 ? report.taken : std::min(summary.step_smallest, report.taken);
    summary.step_largest = std::max(summary.step_largest, report.taken);
    summary.real_time_factor = time_in_steps > 0 ? summary.duration / time_in_steps : 0;
    keep_worst(summary.position, report.phi, report.worst_phi);
    keep_worst(summary.velocity, report.phi_rate, report.worst_rate);
    keep_worst(summary.acceleration, report.phi_second, report.worst_second);
    balance_energy(report.taken);
    int joint = -1;
    const double turn = report.taken * compiled.observer->fastest_turn(*work, joint);
    if (turn > largest_turn) largest_turn = turn, turning_joint = joint;
    return status;
  }

  void keep_worst(ConstraintViolation& worst, double value, int constraint) const {
    if (value <= worst.value) return;
    worst.value = value;
    worst.time = state.t;
    worst.index = constraint;
  }

  void balance_energy(double h) {
    summary.energy_final = compiled.observer->energy(state, *work);
    const double power = compiled.observer->power(state, *work);
    work_done += 0.5 * h * (last_power + power);
    last_power = power;
    const double error = summary.energy_final - summary.energy_initial - work_done;
    if (std::abs(error) > std::abs(summary.energy_max_error)) {
      summary.energy_max_error = error;
      summary.energy_max_error_time = state.t;
    }
  }

  /// Angles are continued over full turns by the nearest one, which fails from half a turn a step on.
  void warn_of_turns() {
    if (warned_of_turns || largest_turn < 2.5) return;
    warned_of_turns = true;
    summary.warnings.push_back(
        fmt::format("joint '{}' turns by {:.2g} rad in one step: beyond half a turn its full turns are not counted "
                    "right, nor is the torque "
                    "of a spring on it; take a smaller step",
                    mechanism.joints[turning_joint].name, largest_turn));
  }

  void name_violations() {
    const auto& names = compiled.formulation->structure().constraint_names;
    for (ConstraintViolation* v : {&summary.position, &summary.velocity, &summary.acceleration}) {
      if (v->index >= 0) v->constraint = names[v->index];
    }
  }

  void explain_failure(StepStatus status, double h) {
    const StepReport& report = integrator->report();
    const Structure& s = compiled.formulation->structure();
    summary.status = "failed";
    std::string what;
    if (report.refusal) {
      what =
          fmt::format("{} after {} rejected, with {}", report.refusal, report.rejected,
                      std::isfinite(report.error) ? fmt::format("the error {:.3g} times what is allowed", report.error)
                                                  : std::string("an iteration that did not converge"));
      if (status != StepStatus::NotConverged) what += "; ";
    }
    switch (status) {
      case StepStatus::NotConverged:
        if (!report.refusal)
          what = fmt::format("the iteration did not converge ({} iterations, last increment {:.2g})", report.iterations,
                             report.increment);
        break;
      case StepStatus::Singular:
        what += "the equations became singular";
        break;
      case StepStatus::NonFinite:
        what += "a result is not a finite number";
        break;
      case StepStatus::Overrun:
        what += "the tolerances ask for steps below the rounding of time";
        break;
      default:
        what = status_name(status);
        break;
    }
    std::string complaint = compiled.formulation->complaint(*work);
    if (complaint.empty()) complaint = integrator->complaint();
    const std::string lost = compiled.observer->complaint(*work);
    if (!lost.empty()) complaint = lost;
    if (!complaint.empty()) {
      what += ": " + complaint;
    } else if (report.singular_coordinate >= 0) {
      what += ": nothing resists a motion of '" + s.coordinate_names[report.singular_coordinate] + "'";
    }
    std::string worst;
    if (s.constraints > 0) {
      int k = 0;
      const double phi = work->equations.phi.cwiseAbs().maxCoeff(&k);
      worst = fmt::format("; worst constraint '{}', off by {:.2g}", s.constraint_names[k], phi);
    }
    if (report.worst_coordinate >= 0)
      worst += "; largest increment in '" + s.coordinate_names[report.worst_coordinate] + "'";
    if (history_count > 0) {
      worst += "; steps before, latest first:";
      for (int i = 0; i < std::min<int>(history_count, static_cast<int>(history.size())); ++i) {
        worst += fmt::format("{} {:.3g} s", i == 0 ? "" : ",", history[(history_count - 1 - i) % history.size()]);
      }
    }
    if (report.rejected > 0) {
      worst += fmt::format("; {} tries rejected, the last of {:.3g} s with error {:.3g}", report.rejected, report.taken,
                           report.error);
    }
    const char* advice =
        options.formulation == "topological"
            ? "independent coordinates cannot pass a singular position: use the formulation hybrid or global"
        : report.refusal                ? "loosen the tolerance, or allow shorter steps (step_min)"
        : status == StepStatus::Overrun ? "take larger tolerances"
        : options.formulation == "cartesian" && status == StepStatus::Singular
            ? "independent coordinates cannot pass a singular position: use the formulation hybrid or global"
        : !lost.empty() ? "make the road longer, or the run shorter"
                        : "try a smaller step";
    summary.reason = fmt::format("in the step of {:g} s from t = {:.6g} s: {}{}; {}", report.refusal ? report.taken : h,
                                 state.t, what, worst, advice);
  }
};

Simulation::Simulation(const Mechanism& mechanism, const RunOptions& options)
    : impl_(std::make_unique<Impl>(mechanism, options)) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;

double Simulation::time() const { return impl_->state.t; }
StepStatus Simulation::step() { return impl_->step(impl_->options.step); }
StepStatus Simulation::step(double h) { return impl_->step(h); }
const State& Simulation::state() const { return impl_->state; }
void Simulation::restore(const State& state) { impl_->state = state; }
BodyMotion Simulation::body(int index) const {
  return impl_->compiled.observer->body(index, impl_->state, *impl_->work);
}
double Simulation::energy() const { return impl_->summary.energy_final; }
const RunSummary& Simulation::summary() const {
  impl_->name_violations();
  impl_->warn_of_turns();
  return impl_->summary;
}
const std::vector<std::string>& Simulation::columns() const { return impl_->compiled.observer->columns(); }
void Simulation::sample(double* row) { impl_->compiled.observer->sample(impl_->state, *impl_->work, row); }
bool Simulation::chooses_steps() const { return impl_->integrator->chooses_steps(); }
void Simulation::sample_at(double t, double* row) {
  impl_->between = impl_->state;
  impl_->integrator->interpolate(t, impl_->between);
  impl_->compiled.observer->sample(impl_->between, *impl_->work, row);
}
const std::vector<std::string>& Simulation::step_columns() {
  static const std::vector<std::string> columns{"t", "h", "error", "iterations", "rejected"};
  return columns;
}
void Simulation::step_row(double* row) const {
  const StepReport& report = impl_->integrator->report();
  const double values[] = {impl_->state.t, report.taken, report.error, static_cast<double>(report.iterations),
                           static_cast<double>(report.rejected)};
  std::copy(std::begin(values), std::end(values), row);
}
void Simulation::fail(StepStatus status, double h) { impl_->explain_failure(status, h); }
void Simulation::set_allocations(std::int64_t count) { impl_->summary.allocations = count; }

RunSummary run(const Mechanism& mechanism, const RunOptions& options, Sink* sink, const Progress& progress,
               Sink* steps) {
  Simulation simulation(mechanism, options);
  std::vector<double> row(simulation.columns().size());
  const auto put = [&] { sink->sample(row.data(), row.size()); };
  if (sink) {
    sink->start(simulation.columns());
    simulation.sample(row.data());
    put();
  }

  std::vector<double> step_row(Simulation::step_columns().size());
  if (steps) steps->start(Simulation::step_columns());

  const std::uint64_t allocations = allocation_counter ? allocation_counter() : 0;
  const bool chooses_steps = simulation.chooses_steps();
  double sampled = simulation.time();  // time of the last sample
  std::int64_t samples = 0;            // after the first one
  StepStatus status = StepStatus::Ok;
  double h = options.step;
  for (std::int64_t count = 1;; ++count) {
    const double rest = options.until - simulation.time();
    if (rest <= 1e-9 * std::min(options.step, options.until)) break;
    // The last step ends exactly at `until`; a rest that is a step but for rounding is one.
    h = chooses_steps || rest < options.step * (1 + 1e-9) ? rest : options.step;
    status = simulation.step(h);
    if (status != StepStatus::Ok) break;
    if (progress && count % 64 == 0) progress(simulation.time());
    if (steps) {
      simulation.step_row(step_row.data());
      steps->sample(step_row.data(), step_row.size());
    }
    if (!sink) continue;
    if (!chooses_steps) {
      if (count % options.every != 0) continue;
      simulation.sample(row.data());
      put();
      sampled = simulation.time();
      continue;
    }
    // Samples come at the times asked for, wherever the steps end.
    for (double t; (t = static_cast<double>(samples + 1) * options.every * options.step) <= simulation.time();
         ++samples) {
      simulation.sample_at(t, row.data());
      put();
      sampled = t;
    }
  }
  if (allocation_counter) simulation.set_allocations(static_cast<std::int64_t>(allocation_counter() - allocations));
  if (status != StepStatus::Ok) simulation.fail(status, h);
  if (sink) {
    if (sampled < simulation.time() - 1e-9 * options.step) {
      simulation.sample(row.data());
      put();
    }
    sink->finish();
  }
  if (steps) steps->finish();
  return simulation.summary();
}

FormulationCounts count_coordinates(const Mechanism& mechanism, const std::string& formulation) {
  RunOptions options = RunOptions::for_mechanism(mechanism);
  options.formulation = formulation;
  options.integrator = "trapezoidal";  // counts do not depend on it, and every formulation has it
  options.step_control.reset();
  options.start = "drawn";
  const CompiledMechanism compiled = compile(mechanism, formulation, options.cut);
  const Simulation simulation(mechanism, options);
  const RunSummary& s = simulation.summary();
  return {formulation, s.coordinates, s.constraints, s.degrees_of_freedom, s.redundant, compiled.cut};
}

}  // namespace cardan
