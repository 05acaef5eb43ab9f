#include "simulation/failure.hpp"

#include <fmt/format.h>

#include <cmath>

#include "simulation/contact_limits.hpp"

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
      if (report.diverged)
        what = fmt::format("the iteration diverged ({} iterations)", report.iterations);
      else if (!report.refusal)
        what = fmt::format("the iteration did not converge ({} iterations, last increment {:.2g}, m and rad mixed)",
                           report.iterations, report.increment);
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
BrokenSignal broken_law(const Mechanism& mechanism, double t) {
  const auto says = [t](const Function& law) { return std::isfinite(law(t)); };
  const auto told = [t](const char* what, const std::string& name) {
    return BrokenSignal{fmt::format("the {} of '{}' is not a finite number at t = {:.6g} s", what, name, t), true};
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
BrokenSignal broken_ahead(const Phase& phase, double h) {
  const State& state = phase.state;
  if (state.acceleration.size() != state.v.size() || state.q.size() != state.v.size()) return {};
  const Formulation& formulation = *phase.compiled.formulation;
  const VecX q = state.q + h * state.v + (0.5 * h * h) * state.acceleration, v = state.v + h * state.acceleration;
  if (formulation.position(state.t + h, q, state, *phase.work) != StepStatus::ok) return {};
  formulation.velocity(v, *phase.work);
  return phase.compiled.observer->broken_signal(*phase.work);
}

/// What is known of a failure beside its status and report.
struct Circumstances {
  bool loop_failed = false;  // in independent coordinates: a loop is singular or could not be closed
  bool road_ended = false;
  bool driven = false;
  bool jumps = false;    // a driver
  bool touches = false;  // a contact
  bool leaves_singular_start = false;
};

/// Velocities in a singular position may belong to no motion: those of least energy are no branch of it, as a rule.
const char* advice(const RunOptions& options, StepStatus status, const StepReport& report, const Circumstances& in) {
  constexpr const char* kOtherFormulation =
      "independent coordinates cannot pass a singular position: use the formulation hybrid or global";
  constexpr const char* kSmallerStepFirst =
      "try a smaller step; independent coordinates cannot pass a singular position: use the formulation hybrid or "
      "global";
  if (in.jumps) return "no motion follows a jump: let the position go there in a time of its own (step)";
  if (in.loop_failed && report.refusal) return kOtherFormulation;
  // An iterate far from the motion may be singular where the motion is not.
  if (in.loop_failed && (status == StepStatus::singular || status == StepStatus::not_converged))
    return kSmallerStepFirst;
  if (report.refusal && options.integrator == "bdf")
    return "loosen the tolerance, or, if this is a singular position, use the formulation hybrid or global";
  if (report.refusal) return "loosen the tolerance, or allow shorter steps (step_min)";
  if (status == StepStatus::below_rounding) return "take larger tolerances";
  if (options.formulation == "cartesian" && status == StepStatus::singular) return kSmallerStepFirst;
  if (in.road_ended) return "make the road longer, or the run shorter";
  if (options.formulation == "recursive" && status == StepStatus::not_converged)
    return "the loads are stiff for this step, and recursive iterates without their tangents: use the formulation "
           "hybrid, or try a smaller step";
  if (in.touches)
    return "try a smaller step, or let the error choose it (step_control: error), which resolves what happens where "
           "bodies meet";
  if (in.leaves_singular_start)
    return "the start is a singular position, and with its velocities no motion leaves it: give initial velocities "
           "that say which way, or draw it beside that position";
  return in.driven ? "try a smaller step, or see whether the drivers ask for a position that the mechanism cannot reach"
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

/// The contact that touches where the iteration ended, or where the step was heading.
std::string touching_contact(const Phase& phase, StepStatus status, double h) {
  if (status != StepStatus::not_converged || phase.integrator->report().diverged) return {};
  const State& state = phase.state;
  const std::string touching = phase.compiled.observer->touching_contact(state, *phase.work);
  if (!touching.empty()) return touching;
  phase.compiled.formulation->position(state.t + h, state.q + h * state.v, state, *phase.work);
  return phase.compiled.observer->touching_contact(state, *phase.work);
}

/// "contact 'c' touches, whose impacts take steps of 9.9e-05 s or less"; empty where none does.
std::string touching(const Phase& phase, const Mechanism& mechanism, StepStatus status, double h) {
  const std::string name = touching_contact(phase, status, h);
  for (const Contact& contact : mechanism.contacts) {
    if (name.empty() || contact.name != name) continue;
    const double step = impact_time(contact, mechanism).step;
    return fmt::format("contact '{}' touches", name) +
           (step > 0 && step < h ? fmt::format(", whose impacts take steps of {:.2g} s or less", step) : "");
  }
  return {};
}

/// The constraint that is furthest off, if it is further than iterations leave it anyway.
std::string worst_constraint(const Structure& s, const VecX& phi) {
  constexpr double kMet = 1e-10;  // relative to its scale
  if (s.constraints == 0 || !phi.allFinite()) return {};
  int k = 0;
  if (!(phi.cwiseQuotient(s.constraint_scale).cwiseAbs().maxCoeff(&k) > kMet)) return {};
  return fmt::format("; worst constraint '{}', off by {:.2g} (m, or 1 for directions)", s.constraint_names[k],
                     std::abs(phi[k]));
}

}  // namespace

/// Found by halving the time where the position changes most.
std::string jumping_driver(const Mechanism& mechanism, double t, double h) {
  constexpr int kHalvings = 40;
  constexpr double kJump = 1e-6;  // rad or m
  for (const Driver& driver : mechanism.drivers) {
    double from = t, to = t + h;
    for (int i = 0; i < kHalvings; ++i) {
      const double middle = 0.5 * (from + to), there = driver.position(middle);
      const bool first = std::abs(there - driver.position(from)) > std::abs(driver.position(to) - there);
      (first ? to : from) = middle;
    }
    const double jump = driver.position(to) - driver.position(from);
    if (std::abs(jump) > kJump)
      return fmt::format("driver '{}' jumps by {:.3g} at {:.6g} s",
                         driver.element.empty() ? driver.name : driver.element, jump, to);
  }
  return {};
}

std::string failure_reason(const Phase& phase, const Mechanism& mechanism, const RunOptions& options, StepStatus status,
                           double h, std::span<const double> steps_before) {
  const Formulation& formulation = *phase.compiled.formulation;
  Workspace& work = *phase.work;
  const StepReport& report = phase.integrator->report();
  const Structure& s = formulation.structure();

  const std::string worst = worst_constraint(s, work.equations.phi);
  const bool chosen = (report.refusal || phase.integrator->chooses_steps()) && report.taken > 0;
  const double tried = chosen ? report.taken : h;
  BrokenSignal broken = report.diverged ? BrokenSignal() : phase.compiled.observer->broken_signal(work);
  if (broken.sentence.empty()) broken = broken_law(mechanism, phase.state.t + tried);
  if (broken.sentence.empty() && status == StepStatus::not_finite) broken = broken_ahead(phase, tried);
  std::string complaint = formulation.complaint(work);
  if (complaint.empty()) complaint = phase.integrator->complaint();
  Circumstances in;
  in.loop_failed = !complaint.empty() && options.integrator != "bdf" &&
                   (options.formulation == "topological" || options.formulation == "cartesian");
  const std::string lost = lost_tyre(phase, status, tried);
  if (!lost.empty()) complaint = lost;
  if (!broken.sentence.empty()) complaint = broken.sentence;
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
  const std::string contact = touching(phase, mechanism, status, tried);
  if (!contact.empty()) what += "; " + contact;
  in.road_ended = !lost.empty();
  in.driven = phase.drivers > 0;
  if (const std::string jump = in.driven ? jumping_driver(mechanism, phase.state.t, tried) : ""; !jump.empty()) {
    what += "; " + jump;
    in.jumps = true;
  }
  in.touches = !contact.empty() && !phase.integrator->chooses_steps();
  in.leaves_singular_start = phase.singular > 0 && steps_before.empty() && !phase.state.v.isZero(0);
  constexpr const char* kDefined =
      "keep the expression defined wherever the motion may come: sqrt(max(0, x)), a / max(b, small)";
  return fmt::format("in the step of {:g} s from t = {:.6g} s: {}; {}", tried, phase.state.t, what,
                     broken.is_written ? kDefined : advice(options, status, report, in));
}

}  // namespace cardan
