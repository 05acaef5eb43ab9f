// Variable step for the Newmark family: docs/theory/variable-step.md, with the local error and the energy balance as
// further measures.
#include "integration/newmark.hpp"

namespace cardan {

// Context::stepper: the next step, the last error, energy and power at the end of the last step, the rate at which its
// increments shrank, and how a and lambda went on.
namespace {
constexpr int kEnergy = 2, kPower = 3, kRate = 4, kHistory = 5;

constexpr double kAll = 1e300;  // full turns count
// Of what is allowed, how much the iteration may leave, and by what a rate that was measured in a step before may be
// off; one that is not measured counts as so many times slower with every step.
constexpr double kLeft = 0.1, kUncertain = 2, kAgeing = 2;
// The PI rule of Gustafsson, exponents 0.7 / (p + 1) and 0.4 / (p + 1); one step in 50 is rejected.
constexpr double kSmooth = 0.4, kSafety = 0.5;
}  // namespace

NewmarkHistory NewmarkIntegrator::history_of(const Structure& s) { return {kHistory, s}; }

void NewmarkIntegrator::begin_memory(State& state) {
  state.stepper = VecX::Zero(kHistory + history_.size());
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
  if (report_.repartitioned) forget(state);
  return controller_.advance(
      state, before_, h_most, report_,
      [&](double h) {
        report_.increment = report_.residual = report_.error = 0;
        const bool by_error = settings_.control == Control::error;
        const StepStatus status =
            iterate(state, h, usual_increments(), by_error ? Start::extrapolated : Start::as_before);
        if (settings_.control == Control::increment) report_.error = report_.increment / *settings_.tolerance;
        if (settings_.control == Control::residual) report_.error = report_.residual / *settings_.tolerance;
        if (settings_.control == Control::error && status == StepStatus::ok) report_.error = error(h);
        if (settings_.control == Control::energy && status == StepStatus::ok) report_.error = energy_error(state, h);
        if (status == StepStatus::ok) remember(state, h);
        return status;
      },
      [&](StepStatus status) {
        state = before_;
        if (status != StepStatus::ok && retreat(state, before_)) forget(state);
      });
}

/// d and lambda of accelerations and multipliers that go on as they did in the last steps. By the error, where steps
/// are as long as can be, by their rate alone: the first increment is then of the order of the change of the jerk, and
/// where the iteration converges fast it is the only one.
void NewmarkIntegrator::extrapolate(double h) {
  const bool by_error = settings_.control == NewmarkSettings::Control::error;
  history_.foretell(before_.stepper, h, by_error ? NewmarkHistory::Terms{1, 1} : history_.terms(before_.stepper),
                    moved_, lambda_);
  moved_ *= rule_.beta * h * h;
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
  const double h_before = history_.last_step(before_.stepper);
  const auto jerk_before = history_.jerk(before_.stepper);
  const double constant_q = 1.0 / 6 - rule_.beta, constant_v = 0.5 - rule_.gamma;
  return mean_error(
      settings_.error, structure_.scale, {before_.q, before_.v}, {q_, v_},
      [&](Eigen::Index i) {
        const double j = (A_[i] - before_.acceleration[i]) / h, j_before = h_before > 0 ? jerk_before[i] : j;
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

/// In the coordinates of the step, which begins with what `before_` remembers.
void NewmarkIntegrator::remember(State& state, double h) {
  state.stepper[kRate] = rate_ < 1 ? rate_ : std::min(kAgeing * before_.stepper[kRate], 1.0);
  history_.see(h, a_ - before_.algorithmic, lambda_ - before_.lambda, state.stepper);
}

/// What is remembered of accelerations is of other coordinates.
void NewmarkIntegrator::forget(State& state) {
  history_.forget(state.stepper);
  history_.forget(before_.stepper);
}

void NewmarkIntegrator::interpolate(double t, State& state) const {
  interpolate_step(before_, report_.taken, {q_, v_, A_}, t, state);
}

}  // namespace cardan
