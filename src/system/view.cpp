#include "system/view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "formulation/relative/partition.hpp"
#include "mechanism/phases.hpp"

namespace cardan {

System::View::View(const Mechanism& mechanism, const std::string& formulation, const SystemOptions& options,
                   const View* like)
    : mechanism_(initial_phase(mechanism)),
      name_(formulation),
      options_(options),
      compiled_(compile(mechanism_, formulation, options.cut,
                        {.poses = options.poses, .same = like ? &like->compiled_ : nullptr})),
      origin_(like ? like->origin_ : compiled_.system) {
  idle_.push_back(compiled_.formulation->make_workspace());
  compiled_.formulation->start(sizes_, *idle_.back());
  sizes_.attached = compiled_.attached;
  sizes_.system = compiled_.system;
}

void System::View::Return::operator()(Workspace* work) const {
  const std::lock_guard lock(view->guard_);
  view->idle_.emplace_back(work);
}

System::View::Borrowed System::View::borrow() const {
  {
    const std::lock_guard lock(guard_);
    if (!idle_.empty()) {
      Workspace* work = idle_.back().release();
      idle_.pop_back();
      return Borrowed(work, {this});
    }
  }
  return Borrowed(formulation().make_workspace().release(), {this});
}

void System::View::check(const State& state) const {
  if (state.system == 0)
    throw std::invalid_argument("this context is of no system; take one from start(), with_joints() or a Simulation");
  const auto fits = [&](const VecX& numbers, const VecX& like, const char* what) {
    if (numbers.size() != like.size()) {
      throw std::invalid_argument(
          fmt::format("this context is of another system: it has {} {}, and '{}' in the formulation {} has {}",
                      numbers.size(), what, mechanism_.name, name_, like.size()));
    }
    if (!numbers.allFinite()) {
      throw std::invalid_argument(fmt::format("one of the {} of this context is not a finite number", what));
    }
  };
  fits(state.q, sizes_.q, "coordinates");
  fits(state.v, sizes_.v, "velocities");
  // Integrators append to what the formulation remembers.
  fits(state.memory.head(std::min(state.memory.size(), sizes_.memory.size())), sizes_.memory, "remembered values");
  fits(state.attached, sizes_.attached, "values of joints that events attach");
  if (state.events != 0 || state.phase != 0) {
    throw std::invalid_argument(
        fmt::format("{} events are behind this context, and a System describes '{}' as it is before the first",
                    state.events, mechanism_.name));
  }
  if (state.system != sizes_.system) {
    throw std::invalid_argument(
        fmt::format("this context is of another system: that of another mechanism, formulation or assembly than '{}' "
                    "in the formulation {}, though of the same size",
                    mechanism_.name, name_));
  }
  // Integrators in independent coordinates keep a partition of their own, which nothing here looks at.
  const Structure& full = formulation().full().structure();
  const bool divided =
      sizes_.partition.size() == 0 || (state.partition.size() == sizes_.partition.size() &&
                                       is_order(state.partition, full.coordinates - full.states, full.constraints));
  if (!divided || !std::isfinite(state.t)) {
    throw std::invalid_argument("this context is of another system, or its time is not a finite number");
  }
}

void System::View::check_size(const VecX& numbers, const char* what) const {
  if (numbers.size() == structure().coordinates) return;
  throw std::invalid_argument(fmt::format("{} are given for {} coordinates, and '{}' in the formulation {} has {}",
                                          what, numbers.size(), mechanism_.name, name_, structure().coordinates));
}

void System::View::check(CoordinateHandle handle) const {
  if (handle.index >= 0 && handle.index < joint_coordinates()) return;
  throw std::invalid_argument("this handle is of no coordinate of '" + mechanism_.name +
                              "'; System::coordinate() gives them");
}

std::vector<int> System::View::indices(const std::vector<CoordinateHandle>& handles) const {
  std::vector<int> indices;
  for (const CoordinateHandle& handle : handles) {
    check(handle);
    indices.push_back(handle.index);
  }
  return indices;
}

void System::View::check(const FrameHandle& frame) const {
  if (frame.body >= kGround && frame.body < std::ssize(mechanism_.bodies)) return;
  throw std::invalid_argument("this frame is on no body of '" + mechanism_.name + "'");
}

void System::View::evaluate(const State& state, Workspace& work) const {
  check(state);
  const StepStatus status = formulation().position(state.t, state.q, state, work);
  if (status != StepStatus::ok) {
    const std::string why = formulation().complaint(work);
    throw std::domain_error(fmt::format("the formulation {} cannot be evaluated at this state: {}", name_,
                                        why.empty() ? std::string(status_name(status)) : why));
  }
  formulation().velocity(state.v, work);
}

System::View::Borrowed System::View::evaluated(const State& state) const {
  Borrowed work = borrow();
  evaluate(state, *work);
  return work;
}

Eigen::MatrixXd System::View::slopes(const std::function<VecX()>& rates, const State& state, Workspace& work) const {
  const int n = structure().coordinates;
  formulation().velocity(VecX::Zero(n), work);
  const VecX still = rates();
  Eigen::MatrixXd rows(still.size(), n);
  for (int j = 0; j < n; ++j) {
    formulation().velocity(VecX::Unit(n, j), work);
    rows.col(j) = rates() - still;
  }
  formulation().velocity(state.v, work);
  return rows;
}

Eigen::MatrixXd System::View::gradients(const ScalarList& scalars, const std::vector<int>& which, const State& state,
                                        Workspace& work) const {
  return slopes([&] { return scalars.rates(which, work); }, state, work);
}

VecX System::View::sample(const State& state, std::span<const AddedEffort> efforts) const {
  Borrowed work = borrow();
  const std::lock_guard lock(guard_);
  Observer& observer = *compiled_.observer;
  // Of the two quaternions of a rotation that with w >= 0, whatever was asked before.
  const std::span<double> quaternions = observer.continued();
  for (std::size_t i = 0; i < quaternions.size(); ++i) quaternions[i] = i % 4 == 3 ? 1 : 0;
  VecX row(static_cast<Eigen::Index>(observer.columns().size()));
  observer.sample(state, *work, row.data(), efforts);
  return row;
}

}  // namespace cardan
