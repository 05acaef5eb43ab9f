#include "integration/integrator.hpp"

#include <algorithm>
#include <cmath>

#include "integration/bdf.hpp"
#include "integration/direct_runge_kutta.hpp"
#include "integration/explicit_runge_kutta.hpp"
#include "integration/fixed_point_newmark.hpp"
#include "integration/implicit_runge_kutta.hpp"
#include "integration/newmark.hpp"
#include "integration/state_space/state_space_integrator.hpp"
#include "math/by_processor.hpp"
#include "options/method.hpp"

namespace cardan {

namespace {

/// Largest of |value| / scale, and which.
struct Worst {
  double& value;
  int& which;
  void see(double candidate, int k) {
    if (std::abs(candidate) > value) value = std::abs(candidate), which = k;
  }
};

double scale_of(const VecX& x, double length) {
  return std::max(x.size() ? x.cwiseAbs().maxCoeff() : 0, 1e-3 * length);
}

}  // namespace

/// What a try before has left, which was not accepted.
void Integrator::forget_violation() {
  report_.phi = report_.phi_rate = report_.phi_second = report_.opening = 0;
  report_.worst_phi = report_.worst_rate = report_.worst_second = -1;
}

CARDAN_BY_PROCESSOR void Integrator::measure_violation(const VecX& v, const VecX& A) {
  const Equations& e = work_.equations;
  const RowPattern& J = structure_.jacobian;
  const double in_v_scale = 1 / scale_of(v, length_), in_a_scale = 1 / scale_of(A, length_);
  forget_violation();
  Worst phi{report_.phi, report_.worst_phi}, rate{report_.phi_rate, report_.worst_rate},
      second{report_.phi_second, report_.worst_second};
  for (int k = 0; k < structure_.constraints; ++k) {
    phi.see(e.phi[k], k);
    report_.opening = std::max(report_.opening, std::abs(e.phi[k]) / structure_.constraint_scale[k]);
    double in_v = e.phi_t[k], in_A = -e.gamma[k];
    for (int i = J.start[k]; i < J.start[k + 1]; ++i) {
      const int column = J.column[i];
      in_v += e.jacobian[i] * v[column];
      in_A += e.jacobian[i] * A[column];
    }
    rate.see(in_v * in_v_scale, k);
    second.see(in_A * in_a_scale, k);
  }
}

void Integrator::measure_violation(const VecX& rate, const VecX& second, const VecX& v, const VecX& A) {
  const VecX& phi = work_.equations.phi;
  const double v_scale = scale_of(v, length_), a_scale = scale_of(A, length_);
  forget_violation();
  for (int k = 0; k < phi.size(); ++k) {
    Worst{report_.phi, report_.worst_phi}.see(phi[k], k);
    report_.opening = std::max(report_.opening, std::abs(phi[k]) / structure_.constraint_scale[k]);
    Worst{report_.phi_rate, report_.worst_rate}.see(rate[k] / v_scale, k);
    Worst{report_.phi_second, report_.worst_second}.see(second[k] / a_scale, k);
  }
}

StepStatus Integrator::start_accelerations(Index1Acceleration& acceleration, State& state) {
  constexpr double kStrength = 1e4;
  constexpr int kIterations = 30;
  const StepStatus status = acceleration.evaluate(state.t, state.q, state.v, state);
  if (status != StepStatus::ok) return status;
  if (!analysed_) analysis_ = analyse_constraints(structure_, work_.equations);
  analysed_ = true;
  start_weight_ = kStrength * analysis_.effective_mass;
  report_.singular_coordinate = acceleration.factorize(start_weight_);
  if (report_.singular_coordinate >= 0) return StepStatus::singular;
  acceleration.solve(start_weight_, kIterations, 1e-15, state.acceleration, state.lambda);
  return state.acceleration.allFinite() ? StepStatus::ok : StepStatus::not_finite;
}

void Integrator::begin_step(State& state, State& before, double h) {
  report_ = StepReport{};
  report_.taken = h;
  report_.repartitioned = formulation_.prepare(state, false, work_);
  before = state;
}

bool Integrator::retreat(State& state, State& before) {
  state = before;
  if (!formulation_.prepare(state, true, work_)) return false;
  report_.repartitioned = true;
  before = state;
  return true;
}

StepStatus Integrator::accept(const State& before, double t, const StepEnd& end, const VecX& algorithmic,
                              const VecX& lambda, State& state) const {
  state.t = t;
  state.q = end.q;
  state.v = end.v;
  state.acceleration = end.a;
  state.algorithmic = algorithmic;
  state.lambda = lambda;
  return formulation_.accept(before, state, work_);
}

void Integrator::interpolate_step(const State& before, double h, const StepEnd& end, double t, State& state) const {
  state.t = t;
  state.memory = before.memory;
  state.partition = before.partition;
  quintic_hermite((t - before.t) / h, h, {before.q, before.v, before.acceleration}, end, state.q, state.v,
                  state.acceleration);
  formulation_.between(before, state, work_);
}

std::unique_ptr<Integrator> make_integrator(const RunOptions& options, const Formulation& formulation, Workspace& work,
                                            double length) {
  const Method method = method_of(options);
  const auto tableau = [&]() -> const ButcherTableau& { return ButcherTableau::of(options.integrator); };
  const auto runge_kutta = [&] { return RungeKuttaSettings::for_options(options, length); };
  switch (method) {
    case Method::fixed_point:
      return std::make_unique<FixedPointNewmark>(formulation, dynamic_cast<const DirectDynamics&>(formulation), work,
                                                 NewmarkRule::for_options(options),
                                                 FixedPointSettings::for_options(options, length));
    case Method::direct_runge_kutta:
      return std::make_unique<DirectRungeKutta>(formulation, dynamic_cast<const DirectDynamics&>(formulation), work,
                                                tableau(), LoopSettings::for_options(options, length), length);
    case Method::bdf:
      return std::make_unique<BdfIntegrator>(formulation, work, BdfSettings::for_options(options, length));
    case Method::state_space:
    case Method::explicit_state_space:
      return std::make_unique<StateSpaceIntegrator>(formulation, work,
                                                    StateSpaceSettings::for_options(options, length));
    case Method::newmark:
      return std::make_unique<NewmarkIntegrator>(formulation, work, NewmarkRule::for_options(options),
                                                 NewmarkSettings::for_options(options, length));
    case Method::runge_kutta:
    case Method::adaptive_runge_kutta:
      return std::make_unique<ExplicitRungeKutta>(formulation, work, tableau(), runge_kutta());
    case Method::implicit_runge_kutta:
      return std::make_unique<ImplicitRungeKutta>(formulation, work, tableau(), runge_kutta());
  }
  return nullptr;
}

}  // namespace cardan
