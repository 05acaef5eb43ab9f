// Variable step for the Newmark family: docs/theory/variable-step.md, with the local error and the energy balance as
// further measures.
#include "integration/newmark.hpp"

namespace cardan {

// Context::stepper: the next step, the last error, the last step, energy and power at its end, the rate at which its
// increments shrank, and A and lambda at its start.
namespace {
constexpr int kLastStep = 2, kEnergy = 3, kPower = 4, kRate = 5, kLastStart = 6;

constexpr double kAll = 1e300;  // full turns count
// Of what is allowed, how much the iteration may leave, and by what a rate that was measured in a step before may be
// off; one that is not measured counts as so many times slower with every step.
constexpr double kLeft = 0.1, kUncertain = 2, kAgeing = 2;
// The PI rule of Gustafsson, exponents 0.7 / (p + 1) and 0.4 / (p + 1); one step in 50 is rejected.
constexpr double kSmooth = 0.4, kSafety = 0.5;
}  // namespace

void NewmarkIntegrator::begin_control(State& state) {
  state.stepper = VecX::Zero(kLastStart + structure_.coordinates + structure_.constraints);
  state.stepper.head(2) << std::min(settings_.first_step, settings_.step_max), 1;
  state.stepper[kRate] = 1;
  if (settings_.control == NewmarkSettings::Control::error) {
    controller_.beta = kSmooth * controller_.exponent;
    controller_.safety = kSafety;
  }
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
        const StepStatus status = iterate(state, h, usual_increments());
        if (settings_.control == Control::increment) report_.error = report_.increment / *settings_.tolerance;
        if (settings_.control == Control::residual) report_.error = report_.residual / *settings_.tolerance;
        if (settings_.control == Control::error && status == StepStatus::ok) report_.error = error(h);
        if (settings_.control == Control::energy && status == StepStatus::ok) report_.error = energy_error(state, h);
        if (status == StepStatus::ok) remember(state, h);
        return status;
      },
      [&](StepStatus status) {
        state = before_;
        if (status != StepStatus::ok) retreat(state, before_);
      });
}

/// d and lambda of accelerations and multipliers that go on changing as they did in the last step: the first increment
/// is then of the order of the change of the jerk, and where the iteration converges fast it is the only one.
void NewmarkIntegrator::extrapolate(double h) {
  const double h_before = before_.stepper[kLastStep];
  if (!(h_before > 0)) return;
  const auto A_before = before_.stepper.segment(kLastStart, structure_.coordinates);
  moved_ = (rule_.beta * h * h * h / h_before) * (before_.acceleration - A_before);
  lambda_ += (h / h_before) * (before_.lambda - before_.stepper.tail(structure_.constraints));
}

/// Whether what the iteration leaves is a small part of the error that is allowed: the next increment would be `rate`
/// times the last one, which moves positions by itself and velocities by g / (b h) of it.
bool NewmarkIntegrator::leaves_little(double rate, double h) const {
  const double in_velocity = rule_.gamma / (rule_.beta * h);
  const double last = mean_error(
      settings_.error, structure_.scale, {before_.q, before_.v}, {q_, v_},
      [&](Eigen::Index i) { return std::pair(rhs_[i], in_velocity * rhs_[i]); }, kAll);
  return std::min(kUncertain * rate, 1.0) * last <= kLeft;
}

double NewmarkIntegrator::rate_before() const { return before_.stepper[kRate]; }

/// What Newmark's formulas leave out of Taylor's series, with the jerk j = (A1 - A0) / h and its change:
///     of q: (1/6 - b) h^3 j,   of v: (1/2 - g) h^2 j + h^2 (j - j_before) / 12 * 2 h / (h + h_before)
/// as a multiple of what is allowed, in the root mean square over q and v.
double NewmarkIntegrator::error(double h) const {
  const double h_before = before_.stepper[kLastStep];
  const double constant_q = 1.0 / 6 - rule_.beta, constant_v = 0.5 - rule_.gamma;
  return mean_error(
      settings_.error, structure_.scale, {before_.q, before_.v}, {q_, v_},
      [&](Eigen::Index i) {
        const double A0 = before_.acceleration[i], j = (A_[i] - A0) / h;
        const double j_before = h_before > 0 ? (A0 - before_.stepper[kLastStart + i]) / h_before : j;
        return std::pair(constant_q * h * h * h * j,
                         constant_v * h * h * j + h * h * h * (j - j_before) / (6 * (h + h_before)));
      },
      kAll);
}

/// What the step adds to the energy balance, E1 - E0 - h/2 (P0 + P1), with E the energy and P the power of what is not
/// conservative, as a multiple of what is allowed: a number of joules and a part of the kinetic energy.
double NewmarkIntegrator::energy_error(State& state, double h) const {
  const EnergyReading reading = meter_(state);
  const double created = reading.total - before_.stepper[kEnergy] - 0.5 * h * (before_.stepper[kPower] + reading.power);
  state.stepper[kEnergy] = reading.total;
  state.stepper[kPower] = reading.power;
  return std::abs(created) / (settings_.error.absolute + settings_.error.relative * reading.kinetic);
}

void NewmarkIntegrator::remember(State& state, double h) const {
  state.stepper[kLastStep] = h;
  state.stepper[kRate] = rate_ < 1 ? rate_ : std::min(kAgeing * before_.stepper[kRate], 1.0);
  state.stepper.segment(kLastStart, structure_.coordinates) = before_.acceleration;
  state.stepper.tail(structure_.constraints) = before_.lambda;
}

void NewmarkIntegrator::interpolate(double t, State& state) const {
  interpolate_step(before_, report_.taken, {q_, v_, A_}, t, state);
}

}  // namespace cardan
