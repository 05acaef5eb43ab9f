// Variable step for the Newmark family: THEORY section 3, with the local error and the energy balance as further
// measures.
#include "integration/hermite.hpp"
#include "integration/newmark.hpp"

namespace cardan {

// State::stepper: the next step, the last error, the last step, energy and power at its end, and A at its start.
namespace {
constexpr int kLastStep = 2, kEnergy = 3, kPower = 4, kLastStart = 5;
}  // namespace

void NewmarkIntegrator::begin_control(State& state) const {
  state.stepper = VecX::Zero(kLastStart + structure_.coordinates);
  state.stepper.head(2) << std::min(settings_.first_step, settings_.step_max), 1;
  if (settings_.control != NewmarkSettings::Control::energy) return;
  const EnergyReading reading = meter_(state);
  state.stepper[kEnergy] = reading.total;
  state.stepper[kPower] = reading.power;
}

StepStatus NewmarkIntegrator::controlled_step(State& state, double h_most) {
  using Control = NewmarkSettings::Control;
  return controller_.advance(
      state, before_, h_most, report_,
      [&](double h) {
        report_.increment = report_.residual = report_.error = 0;
        const StepStatus status = iterate(state, h);
        if (settings_.control == Control::increment) report_.error = report_.increment / *settings_.tolerance;
        if (settings_.control == Control::residual) report_.error = report_.residual / *settings_.tolerance;
        if (settings_.control == Control::error && status == StepStatus::Ok) report_.error = error(h);
        if (settings_.control == Control::energy && status == StepStatus::Ok) report_.error = energy_error(state, h);
        if (status == StepStatus::Ok) remember(state, h);
        return status;
      },
      [&](StepStatus status) {
        state = before_;
        if (status != StepStatus::Ok && formulation_.prepare(state, true, work_)) report_.repartitioned = true;
        before_ = state;
      });
}

/// What Newmark's formulas leave out of Taylor's series, with the jerk j = (A1 - A0) / h and its change:
///     of q: (1/6 - b) h^3 j,   of v: (1/2 - g) h^2 j + h^2 (j - j_before) / 12 * 2 h / (h + h_before)
/// as a multiple of what is allowed, in the root mean square over q and v.
double NewmarkIntegrator::error(double h) const {
  const int n = structure_.coordinates;
  if (n == 0) return 0;
  const double h_before = before_.stepper[kLastStep];
  const double constant_q = 1.0 / 6 - rule_.beta, constant_v = 0.5 - rule_.gamma;
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const double A0 = before_.acceleration[i], j = (A_[i] - A0) / h;
    const double j_before = h_before > 0 ? (A0 - before_.stepper[kLastStart + i]) / h_before : j;
    const double of_q = constant_q * h * h * h * j;
    const double of_v = constant_v * h * h * j + h * h * h * (j - j_before) / (6 * (h + h_before));
    const double absolute = settings_.absolute * structure_.scale[i];
    const double e_q = of_q / (absolute + settings_.relative * std::max(std::abs(before_.q[i]), std::abs(q_[i])));
    const double e_v = of_v / (settings_.velocity_factor *
                               (absolute + settings_.relative * std::max(std::abs(before_.v[i]), std::abs(v_[i]))));
    sum += e_q * e_q + e_v * e_v;
  }
  return std::sqrt(sum / (2 * n));
}

/// What the step adds to the energy balance, E1 - E0 - h/2 (P0 + P1), with E the energy and P the power of what is not
/// conservative, as a multiple of what is allowed: a number of joules and a part of the kinetic energy.
double NewmarkIntegrator::energy_error(State& state, double h) const {
  const EnergyReading reading = meter_(state);
  const double created = reading.total - before_.stepper[kEnergy] - 0.5 * h * (before_.stepper[kPower] + reading.power);
  state.stepper[kEnergy] = reading.total;
  state.stepper[kPower] = reading.power;
  return std::abs(created) / (settings_.absolute + settings_.relative * reading.kinetic);
}

void NewmarkIntegrator::remember(State& state, double h) const {
  state.stepper[kLastStep] = h;
  state.stepper.tail(structure_.coordinates) = before_.acceleration;
}

/// In the coordinates of the step, which are measured from what its start remembers.
void NewmarkIntegrator::interpolate(double t, State& state) const {
  state.t = t;
  state.memory = before_.memory;
  state.partition = before_.partition;
  const double h = report_.taken;
  quintic_hermite((t - before_.t) / h, h, {before_.q, before_.v, before_.acceleration}, {q_, v_, A_}, state.q, state.v,
                  state.acceleration);
}

}  // namespace cardan
