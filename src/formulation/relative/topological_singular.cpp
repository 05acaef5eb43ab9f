// Singular positions in independent relative coordinates: how near one is, and what is said of it.
#include <algorithm>

#include "formulation/relative/topological_formulation.hpp"

namespace cardan {
namespace {
constexpr double kNear = 0.15;  // of the best of the smallest pivot relative to the largest
}  // namespace

template <int D>
void TopologicalFormulation<D>::note_singular(Work& w, int pivot, const Eigen::VectorXi& order) const {
  if (rank_ == 0) return;
  w.complaint = "the loop closed by '";
  w.complaint += relative_.structure().constraint_names[order[pivot]];
  w.complaint += "' is singular";
}

/// Of the weakest pivot.
template <int D>
void TopologicalFormulation<D>::note_singular(Work& w, const Eigen::VectorXi& order) const {
  int weakest = 0;
  if (rank_ > 0) w.partition.pivots().cwiseAbs().minCoeff(&weakest);
  note_singular(w, weakest, order);
}

/// There, or where the step started.
template <int D>
bool TopologicalFormulation<D>::is_near_singular(const State& before, const Work& w) const {
  const auto ratio = [](const auto& pivots) { return pivots.cwiseAbs().minCoeff() / pivots.cwiseAbs().maxCoeff(); };
  const double near = kNear * before.memory[best_at()];
  return !(ratio(w.partition.pivots()) > near && ratio(before.memory.segment(pivots_at(), rank_)) > near);
}

/// Newton's iteration did not close the loops: far from singular positions it was asked for too much.
template <int D>
void TopologicalFormulation<D>::note_open(Work& w, const State& reference) const {
  note_singular(w, reference.partition);
  if (rank_ == 0 || is_near_singular(reference, w)) return;
  int weakest = 0;
  w.partition.pivots().cwiseAbs().minCoeff(&weakest);
  w.complaint = "the loop closed by '";
  w.complaint += relative_.structure().constraint_names[reference.partition[weakest]];
  w.complaint += "' was not closed in an iteration";
}

/// Near a singular position another branch is near too, and dependent coordinates that fell onto it have other
/// velocities, which no acceleration explains: |v - v_0 - h a| is as large as v, however short the step. (The error of
/// the independent coordinates shows nothing of that.)
template <int D>
bool TopologicalFormulation<D>::leaves_branch(const State& before, const State& state, Work& w) const {
  constexpr double kJump = 0.3;  // of the largest velocity
  if (rank_ == 0) return false;
  if (!is_near_singular(before, w)) return false;
  const VecX& scale = relative_.structure().scale;
  const double h = state.t - before.t;
  w.product = w.bias;
  w.R.spread(state.acceleration, w.product);
  double jump = 0, velocity = 0;
  for (int i = 0; i < n_; ++i) {
    const double v0 = before.memory[v_at() + i];
    jump = std::max(jump, std::abs(w.v[i] - v0 - h * w.product[i]) / scale[i]);
    velocity = std::max(velocity, std::abs(v0) / scale[i]);
  }
  return jump > kJump * velocity;
}

template void TopologicalFormulation<2>::note_singular(Work&, int, const Eigen::VectorXi&) const;
template void TopologicalFormulation<2>::note_singular(Work&, const Eigen::VectorXi&) const;
template bool TopologicalFormulation<2>::is_near_singular(const State&, const Work&) const;
template void TopologicalFormulation<2>::note_open(Work&, const State&) const;
template bool TopologicalFormulation<2>::leaves_branch(const State&, const State&, Work&) const;
template void TopologicalFormulation<3>::note_singular(Work&, int, const Eigen::VectorXi&) const;
template void TopologicalFormulation<3>::note_singular(Work&, const Eigen::VectorXi&) const;
template bool TopologicalFormulation<3>::is_near_singular(const State&, const Work&) const;
template void TopologicalFormulation<3>::note_open(Work&, const State&) const;
template bool TopologicalFormulation<3>::leaves_branch(const State&, const State&, Work&) const;

}  // namespace cardan
