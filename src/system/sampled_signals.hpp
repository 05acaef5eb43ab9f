// Signals that need accelerations, reactions or what a run knows: found when a row of the trajectory is written, and
// followed by nothing.
#pragma once

#include <utility>
#include <vector>

#include "formulation/body_model.hpp"
#include "system/reactions.hpp"

namespace cardan {

template <int D>
class SampledSignals {
 public:
  using S = Space<D>;
  using Vector = typename S::Vector;
  using Twist = typename S::Twist;
  /// What is known beside the motion.
  struct Sample {
    const double* columns;  // of the row so far; the first is the time
    const VecX& turns;
    const std::vector<Twist>& wrenches;  // applied
    double work, error;                  // see Observer::note_balance()
  };

  /// Both outlive it.
  SampledSignals(const BodyModel<D>& model, const ReactionAnalysis<D>& reactions);
  /// Where those are that are columns.
  void find_columns(const std::vector<std::string>& columns);
  /// From poses, twists, accelerations and reactions; others stay as they are.
  void evaluate(const Sample& sample, const BodyKinematics<D>& k, VecX& values) const;
  /// Signals, each after what it is made of, and the columns that some of them are.
  const std::vector<std::pair<int, int>>& listed() const { return list_; }
  /// On body 2, about its joint point, in inertial axes.
  Twist inertial_reaction(int joint, const BodyKinematics<D>& k) const;

 private:
  void list(int signal, std::vector<char>& seen);
  double value(int signal, int column, const Sample& sample, const BodyKinematics<D>& k, const VecX& values) const;
  double energy_quantity(int component, const Sample& sample, const BodyKinematics<D>& k) const;

  const BodyModel<D>& model_;
  const ReactionAnalysis<D>& reactions_;
  std::vector<std::pair<int, int>> list_;
};

}  // namespace cardan
