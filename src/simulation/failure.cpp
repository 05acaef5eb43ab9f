#include "simulation/failure.hpp"

#include <fmt/format.h>

#include <cmath>

namespace cardan {
namespace {

std::string what_happened(StepStatus status, const StepReport& report) {
  std::string what;
  if (report.refusal) {
    what = report.refusal;
    if (report.rejected > 0) {
      what +=
          fmt::format(" after {} rejected, with {}", report.rejected,
                      std::isfinite(report.error) ? fmt::format("the error {:.3g} times what is allowed", report.error)
                                                  : std::string("an iteration that did not converge"));
    }
    if (status != StepStatus::not_converged) what += "; ";
  }
  switch (status) {
    case StepStatus::not_converged:
      if (!report.refusal)
        what = fmt::format("the iteration did not converge ({} iterations, last increment {:.2g})", report.iterations,
                           report.increment);
      break;
    case StepStatus::singular:
      what += "the equations became singular";
      break;
    case StepStatus::not_finite:
      what += "a result is not a finite number";
      break;
    case StepStatus::below_rounding:
      what += "the tolerances ask for steps below the rounding of time";
      break;
    default:
      what = status_name(status);
      break;
  }
  return what;
}

/// What is a function of time alone is no signal.
std::string broken_law(const Mechanism& mechanism, double t) {
  const auto says = [t](const Function& law) { return std::isfinite(law(t)); };
  const auto told = [t](const char* what, const std::string& name) {
    return fmt::format("the {} of '{}' is not a finite number at t = {:.6g} s", what, name, t);
  };
  for (const Driver& driver : mechanism.drivers)
    if (!says(driver.position)) return told("position", driver.name);
  for (const Actuator& actuator : mechanism.actuators)
    if (!says(actuator.effort.function)) return told("effort", actuator.name);
  for (const LineForce& force : mechanism.line_forces)
    if (!says(force.pull.function)) return told("pull", force.name);
  for (const PointForce& force : mechanism.forces)
    for (const Law& component : force.components)
      if (!says(component.function)) return told("force", force.name);
  for (const Torque& torque : mechanism.torques)
    for (const Law& component : torque.components)
      if (!says(component.function)) return told("torque", torque.name);
  return {};
}

/// Iterates that are no numbers any more do not tell which signal has begun it: that of the end of the step, as it is
/// foretold, does.
std::string broken_ahead(const Phase& phase, double h) {
  const State& state = phase.state;
  if (state.acceleration.size() != state.v.size() || state.q.size() != state.v.size()) return {};
  const Formulation& formulation = *phase.compiled.formulation;
  const VecX q = state.q + h * state.v + (0.5 * h * h) * state.acceleration, v = state.v + h * state.acceleration;
  if (formulation.position(state.t + h, q, state, *phase.work) != StepStatus::ok) return {};
  formulation.velocity(v, *phase.work);
  return phase.compiled.observer->broken_signal(*phase.work);
}

/// Stiff loads make that iteration diverge, until numbers run out somewhere.
bool iterates_without_tangents(const RunOptions& options, const StepReport& report) {
  return options.formulation == "recursive" && report.iterations > 1;
}
constexpr const char* kNoTangents =
    "the iteration of recursive has no tangents and diverges where loads or fluids are stiff: use the formulation "
    "hybrid, or a smaller step";

/// Velocities in a singular position may belong to no motion: those of least energy are no branch of it, as a rule.
const char* advice(const RunOptions& options, StepStatus status, const StepReport& report, bool road_ended, bool driven,
                   bool leaves_singular_start) {
  constexpr const char* kOtherFormulation =
      "independent coordinates cannot pass a singular position: use the formulation hybrid or global";
  if (options.formulation == "topological" && status != StepStatus::not_finite) return kOtherFormulation;
  if (report.refusal && options.integrator == "bdf")
    return "loosen the tolerance, or, if this is a singular position, use the formulation hybrid or global";
  if (report.refusal) return "loosen the tolerance, or allow shorter steps (step_min)";
  if (status == StepStatus::below_rounding) return "take larger tolerances";
  if (options.formulation == "cartesian" && status == StepStatus::singular) return kOtherFormulation;
  if (road_ended) return "make the road longer, or the run shorter";
  if (iterates_without_tangents(options, report)) return kNoTangents;
  if (leaves_singular_start)
    return "the start is a singular position, and with its velocities no motion leaves it: give initial velocities "
           "that say which way, or draw it beside that position";
  return driven ? "try a smaller step, or see whether the drivers ask for a position that the mechanism cannot reach"
                : "try a smaller step";
}

/// What the wheels say of their roads; where the iterates are no numbers any more, at the end of the step as it was
/// begun.
std::string lost_tyre(const Phase& phase, StepStatus status, double h) {
  const std::string lost = phase.compiled.observer->complaint(*phase.work);
  if (!lost.empty() || status != StepStatus::not_finite) return lost;
  const State& state = phase.state;
  phase.compiled.formulation->position(state.t + h, state.q + h * state.v, state, *phase.work);
  return phase.compiled.observer->complaint(*phase.work);
}

}  // namespace

std::string failure_reason(const Phase& phase, const Mechanism& mechanism, const RunOptions& options, StepStatus status,
                           double h, std::span<const double> steps_before) {
  const Formulation& formulation = *phase.compiled.formulation;
  Workspace& work = *phase.work;
  const StepReport& report = phase.integrator->report();
  const Structure& s = formulation.structure();

  std::string worst;
  if (s.constraints > 0 && work.equations.phi.allFinite()) {
    int k = 0;
    const double phi = work.equations.phi.cwiseAbs().maxCoeff(&k);
    worst = fmt::format("; worst constraint '{}', off by {:.2g}", s.constraint_names[k], phi);
  }
  const bool chosen = (report.refusal || phase.integrator->chooses_steps()) && report.taken > 0;
  const double tried = chosen ? report.taken : h;
  std::string broken = phase.compiled.observer->broken_signal(work);
  if (broken.empty()) broken = broken_law(mechanism, phase.state.t + tried);
  if (broken.empty() && status == StepStatus::not_finite) broken = broken_ahead(phase, tried);
  std::string complaint = formulation.complaint(work);
  const std::string lost = lost_tyre(phase, status, tried);
  if (!lost.empty()) complaint = lost;
  if (complaint.empty()) complaint = phase.integrator->complaint();
  if (!broken.empty()) complaint = broken;
  std::string what = what_happened(status, report);
  if (!complaint.empty()) {
    what += ": " + complaint;
  } else if (report.singular_coordinate >= 0) {
    what += ": nothing resists a motion of '" + s.coordinate_names[report.singular_coordinate] + "'";
  }
  what += worst;
  if (report.worst_coordinate >= 0)
    what += "; largest increment in '" + s.coordinate_names[report.worst_coordinate] + "'";
  for (std::size_t i = 0; i < steps_before.size(); ++i) {
    what += fmt::format("{} {:.3g} s", i == 0 ? "; steps before, latest first:" : ",", steps_before[i]);
  }
  if (report.rejected > 0) {
    what += fmt::format("; {} {} rejected, the last of {:.3g} s with error {:.3g}", report.rejected,
                        report.rejected == 1 ? "try" : "tries", report.taken, report.error);
  }
  constexpr const char* kDefined =
      "keep the expression defined wherever the motion may come: sqrt(max(0, x)), a / max(b, small)";
  std::string remedy = advice(options, status, report, !lost.empty(), phase.drivers > 0,
                              phase.singular > 0 && steps_before.empty() && !phase.state.v.isZero(0));
  if (!broken.empty())
    remedy = iterates_without_tangents(options, report) ? fmt::format("{}; or {}", kDefined, remedy) : kDefined;
  return fmt::format("in the step of {:g} s from t = {:.6g} s: {}; {}", tried, phase.state.t, what, remedy);
}

}  // namespace cardan
