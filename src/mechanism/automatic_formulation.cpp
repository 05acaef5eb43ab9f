#include "mechanism/automatic_formulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cardan/diagnostic.hpp"
#include "cardan/registry.hpp"
#include "mechanism/joint_types.hpp"
#include "mechanism/spanning_tree.hpp"

namespace cardan {
namespace {

/// What a step of two iterations costs, in thousands of instructions (callgrind, trapezoidal rule), in space and in the
/// plane: fitted to single free bodies, four of them, and chains of 1, 4 and 20 links with hinges and ball joints
/// (docs/formulations.md), which it meets to 10 %. `hybrid` factorizes a matrix that is full along every path from the
/// ground: d^2 products for a coordinate with d coordinates on its path. `global` has a band, however deep the tree,
/// and `recursive` no matrix.
struct StepCost {
  double start, body, coordinate, product;
};
constexpr StepCost kHybrid[] = {{4.2, 3.3, 2.0, 6.1e-3}, {5.3, 0.6, 1.6, 12.8e-3}};
constexpr StepCost kGlobal[] = {{0, 34.5, 0, 0}, {4, 4.8, 0, 0}};
constexpr StepCost kRecursive[] = {{4, 0, 4.2, 0}, {3, 0, 2.6, 0}};
/// Times cheaper that others must be: `recursive`, since it iterates by a fixed point, and `global`, since its errors
/// at equal steps are larger.
constexpr double kWorthAFixedPoint = 2, kWorthLargerErrors = 1.3;

struct TreeSize {
  double coordinates = 0;
  double deepest = 0;         // coordinates on the longest path
  double squared_depths = 0;  // sum over the coordinates of the number on their path, squared
  std::size_t loops = 0;
};

TreeSize size_of_tree(const Mechanism& mechanism, const std::vector<std::string>& cut) {
  TreeSize size;
  const SpanningTree tree = make_spanning_tree(mechanism, cut);
  std::vector<double> depth(mechanism.bodies.size(), 0);
  for (const TreeLink& link : tree.links) {
    const JointTraits& type = traits(mechanism.joints[static_cast<std::size_t>(link.joint)].type);
    const std::size_t freedoms = (mechanism.planar ? type.in_plane : type.in_space).coordinates.size();
    double& here = depth[static_cast<std::size_t>(link.body)];
    here = link.parent == kGround ? 0 : depth[static_cast<std::size_t>(link.parent)];
    for (std::size_t i = 0; i < freedoms; ++i) {
      ++here;
      size.squared_depths += here * here;
    }
    size.coordinates += static_cast<double>(freedoms);
    size.deepest = std::max(size.deepest, here);
  }
  size.loops = tree.cut.size() + mechanism.couplers.size();
  return size;
}

/// Nothing that a fixed-point iteration could not follow at any step: forces that do not depend on the motion.
bool is_free_chain(const Mechanism& m, const TreeSize& size) {
  return size.loops == 0 && m.springs.empty() && m.joint_springs.empty() && m.bushings.empty() &&
         m.custom_wrenches.empty() && m.rotors.empty() && m.actuators.empty() && m.line_forces.empty() &&
         m.tyres.empty() && m.contacts.empty() && m.drivers.empty() && m.knife_edges.empty() &&
         m.rolling_discs.empty() && m.states.empty() && m.signals.empty() && m.events.empty();
}

}  // namespace

FormulationChoice choose_formulation(const Mechanism& mechanism, const RunOptions& options) {
  if (!why_not("hybrid", options.integrator).empty())
    return {"cartesian", fmt::format("the integrator {} runs on it alone", options.integrator)};
  if (options.treatment == "independent")
    return {"topological", "its relative coordinates are independent ones, as asked for"};
  TreeSize size;
  try {
    size = size_of_tree(mechanism, options.cut);
  } catch (const ModelError&) {
    return {"hybrid", "first choice"};  // which says what is wrong
  }
  const int kind = mechanism.planar ? 1 : 0;
  const auto cost = [&](const StepCost& step) {
    return step.start + step.body * static_cast<double>(mechanism.bodies.size()) + step.coordinate * size.coordinates +
           step.product * size.squared_depths;
  };
  const double hybrid = cost(kHybrid[kind]);
  const std::string deep =
      fmt::format("paths of up to {:.0f} coordinates from the ground make hybrid's matrix large", size.deepest);
  const bool by_sweeps = is_free_chain(mechanism, size) && why_not("recursive", options.integrator).empty() &&
                         step_control_of(options) == "fixed";
  if (by_sweeps && hybrid > kWorthAFixedPoint * cost(kRecursive[kind]))
    return {"recursive", deep + "; an open chain without stiff loads takes one sweep"};
  if (!options.cut.empty()) return {"hybrid", "loops are opened at the joints of cut"};
  if (hybrid > kWorthLargerErrors * cost(kGlobal[kind])) return {"global", deep};
  return {"hybrid", "fewest coordinates of those that pass singular positions"};
}

MethodReasons resolve_method(RunOptions& options, const Mechanism& mechanism) {
  MethodReasons because;
  if (options.integrator == kAutomatic) {
    options.integrator = integrator_of(options);
    because.integrator = "no error is asked for: constant steps, whose length is given";
  }
  if (options.formulation != kAutomatic) return because;
  FormulationChoice choice = choose_formulation(mechanism, options);
  options.formulation = std::move(choice.name);
  because.formulation = std::move(choice.because);
  return because;
}

}  // namespace cardan
