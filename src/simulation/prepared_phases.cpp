// Before a run: what phases are prepared with, and whether the first one begins in a singular position.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "formulation/constraint_rank.hpp"
#include "formulation/direct_dynamics.hpp"
#include "simulation/phase_set.hpp"

namespace cardan {
namespace {

constexpr double kStride = 0.15;  // rad, or in sizes of the mechanism: one of the steps of wander()
constexpr int kStrides = 3;
constexpr int kAttempts = 5;  // to leave a singular position

std::vector<int> redundant_at(const State& state, const Formulation& formulation, Workspace& work) {
  const Structure& structure = formulation.structure();
  if (structure.constraints == 0 || formulation.position(state.t, state.q, state, work) != StepStatus::ok) return {};
  const auto* direct = dynamic_cast<const DirectDynamics*>(&formulation);
  return direct ? dependent_constraints(structure, direct->constraint_rows(work))
                : dependent_constraints(structure, work.equations.jacobian);
}

}  // namespace

/// At the assembled position. What is passed on sized with it.
void PhaseSet::make_first_impulse() {
  Phase& first = *phases_[0];
  const Formulation& full = first.compiled.formulation->full();
  Workspace& full_work = first.compiled.formulation->full_workspace(*first.work);
  passage_.attached = first.compiled.attached;
  full.start(passage_, full_work);
  passage_.acceleration = passage_.algorithmic = VecX::Zero(passage_.q.size());
  first.impulse = std::make_unique<Impulse>(full, full_work, first.compiled.length);
  first.impulse->prepare(passage_);
}

/// Each is started once in a position that is not the assembled one, which may be singular for what is attached later
/// (a chain drawn straight), so that rank and penalties are those of an ordinary position.
void PhaseSet::make_later_phases(const Phases& phases) {
  const std::vector<Mechanism>& mechanisms = phases.mechanisms;
  Phase& first = *phases_[0];
  const Formulation& full = first.compiled.formulation->full();
  Workspace& full_work = first.compiled.formulation->full_workspace(*first.work);
  const double length = first.compiled.length;
  State sample = passage_;
  Scatter scatter;
  wander(sample, *first.impulse, scatter, kStrides);

  for (std::size_t i = 1; i < mechanisms.size(); ++i) {
    const Event& before = mechanism_.events[static_cast<std::size_t>(phases.entered_by[i])];
    for (std::size_t j = 0; j < mechanism_.joints.size(); ++j) {
      if (mechanisms[i].joints[j].present && !mechanisms[0].joints[j].present) {
        full.position(sample.t, sample.q, sample, full_work);
        full.velocity(sample.v, full_work);
        full.attach(static_cast<int>(j), sample, full_work);
      }
    }
    phases_.push_back(make_phase(
        mechanisms[i], compile_phase(mechanisms[i], options_.formulation, options_.cut, first.compiled, sample)));
    Phase& phase = *phases_.back();
    const Formulation& formulation = *phase.compiled.formulation;
    phase.impulse = std::make_unique<Impulse>(formulation.full(), formulation.full_workspace(*phase.work), length);
    State at_event = sample;  // with the drivers where they are then, if they can be
    at_event.t = before.is_conditional() ? 0 : before.time;
    restart_turns(at_event, formulation.full(), formulation.full_workspace(*phase.work));
    phase.impulse->prepare(at_event);
    if (phase.impulse->project_position(at_event) != StepStatus::ok) at_event.q = sample.q;
    phase.impulse->project_velocity(at_event);
    formulation.enter(at_event, phase.state, *phase.work);
    if (phase.integrator->start(phase.state) != StepStatus::ok) {
      // Out of reach of something, say of a road: then in the assembled position.
      at_event = passage_;
      at_event.attached = sample.attached;
      formulation.enter(at_event, phase.state, *phase.work);
      start_phase(phase, fmt::format("after event '{}' ", before.name));
    }
    phase.state.phase = static_cast<int>(i);
  }
}

/// A little along what the constraints of the first phase leave free, in no particular direction. The state stays as it
/// is where the constraints cannot be met.
void PhaseSet::wander(State& full, Impulse& impulse, Scatter& scatter, int strides) {
  Phase& first = *phases_[0];
  const Formulation& formulation = first.compiled.formulation->full();
  Workspace& work = first.compiled.formulation->full_workspace(*first.work);
  const VecX& scale = formulation.structure().scale;
  const Eigen::Index bodies = full.v.size() - formulation.structure().states;  // coordinates of theirs
  const State start = full;
  for (int stride = 0; stride < strides; ++stride) {
    for (Eigen::Index i = 0; i < bodies; ++i) full.v[i] = scale[i] * scatter();
    if (impulse.project_velocity(full) != StepStatus::ok) break;
    const double largest = bodies > 0 ? full.v.cwiseQuotient(scale).head(bodies).cwiseAbs().maxCoeff() : 0;
    if (!(largest > 0)) break;
    full.q.head(bodies) += kStride / largest * full.v.head(bodies);
    if (impulse.project_position(full) != StepStatus::ok) {
      full = start;
      return;
    }
    formulation.position(full.t, full.q, full, work);
    formulation.velocity(full.v, work);
    const State before = full;
    formulation.accept(before, full, work);
  }
  full.v.head(bodies).setZero();
  if (!full.q.allFinite()) full = start;
}

/// A position is singular when constraints depend on each other there that are independent beside it.
void PhaseSet::look_for_singular_start(Phase& first) {
  const Formulation& full = first.compiled.formulation->full();
  Workspace& work = first.compiled.formulation->full_workspace(*first.work);
  State start;
  start.attached = first.compiled.attached;
  full.start(start, work);
  start.acceleration = start.algorithmic = VecX::Zero(start.q.size());
  const std::vector<int> here = redundant_at(start, full, work);
  if (here.empty()) return;
  Impulse impulse(full, work, first.compiled.length);
  if (impulse.prepare(start) != StepStatus::ok) return;
  // One stride, since several may lead back; other directions where the first leads nowhere.
  State beside = start;
  Scatter scatter;
  for (int attempt = 0; attempt < kAttempts && beside.q == start.q; ++attempt) wander(beside, impulse, scatter, 1);
  const std::vector<int> there = redundant_at(beside, full, work);
  // Which of the rows count as dependent may differ: only their number says that the position is singular.
  if (there.size() >= here.size()) return;
  first.singular = static_cast<int>(here.size() - there.size());
  std::vector<int> rows;
  std::set_difference(here.begin(), here.end(), there.begin(), there.end(), std::back_inserter(rows));
  std::vector<std::string> names;
  for (const int row : rows) names.push_back("'" + full.structure().constraint_names[row] + "'");
  first.compiled.warnings.push_back(
      fmt::format("{}the loop closed by {} has {} motion{} more there than beside it, and which way it leaves is open",
                  kSingularStart, fmt::join(names, ", "), first.singular, first.singular == 1 ? "" : "s"));
}

}  // namespace cardan
