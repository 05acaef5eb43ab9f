// A run with derivatives. Beside the simulation itself two others stand for each parameter, made with it a little
// larger and smaller: their states are those of the run plus and minus the derivative times that change. They pass
// events, take inputs and are sampled as simulations do; how they step is in lane_tangent.hpp or newmark_tangent.hpp,
// or, where the rule is explicit, by themselves. After every step they are put back beside the run, so that nothing
// grows but the derivative.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "cardan/gradients.hpp"
#include "gradients/lane_tangent.hpp"
#include "simulation/simulation_impl.hpp"

namespace cardan {

class GradientRun {
 public:
  /// What is inside a simulation, for those that go through runs otherwise.
  using Impl = Simulation::Impl;
  static Impl& inside(Simulation& simulation) { return *simulation.impl_; }

  GradientRun(const MechanismMaker& maker, const std::vector<GradientParameter>& parameters, const RunOptions& options,
              const std::vector<std::string>& signals, const GradientOptions& how);

  RunSummary go(GradientSink& sink);

 private:
  static constexpr int kUnknown = 1 << 20;
  struct Direction {
    std::string name;
    double change = 0;                        // of the parameter
    TangentSides sides = TangentSides::both;  // one where the parameter is at its end
    Simulation plus, minus;
    NewmarkTangent::Memory memory;
    /// Of states and rows: the mean of both sides less what is between them, when both were looked at last; so many
    /// steps and samples ago.
    std::vector<VecX> even;
    VecX even_row;
    int age = kUnknown, row_age = kUnknown;
    Impl& upper() { return *plus.impl_; }
    Impl& lower() { return *minus.impl_; }
  };

  void refuse(const Mechanism& mechanism, const RunOptions& options) const;
  bool at_end() const;
  StepStatus take_step();
  bool passed_condition();
  StepStatus settle();
  StepStatus could_not_follow(const Direction& direction, StepStatus status);
  StepStatus step_part(double h);
  StepStatus follow(Direction& direction, double h);
  TangentSides next_sides(const Direction& direction, int age) const;
  void put_beside(Direction& direction, TangentSides sides);
  void sample(Direction& direction, Eigen::Index index);
  void put(GradientSink& sink);
  NewmarkTangent& tangent();
  LaneTangent* in_lanes();

  Impl& nominal() { return *simulation_.impl_; }

  const RunOptions options_;
  const GradientOptions how_;
  const bool by_tangent_;   // else sides step by themselves
  bool one_sided_ = false;  // some steps of a direction look at one side alone
  Simulation simulation_;
  std::vector<Direction> directions_;
  std::map<int, std::unique_ptr<NewmarkTangent>> tangents_;  // of every phase that has been stepped
  std::map<int, std::unique_ptr<LaneTangent>> lanes_;        // null where it does not go in lanes
  std::string failure_;                                      // why derivatives could not be followed
  std::int64_t seen_ = 0;                                    // events that have happened
  VecX inputs_;                                              // before they were looked at
  std::int64_t count_ = 0;
  double sampled_ = 0;  // time of the last sample
  VecX row_, upper_row_, lower_row_;
  Eigen::MatrixXd slopes_;
};

}  // namespace cardan
