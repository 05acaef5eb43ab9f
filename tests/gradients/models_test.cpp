// Derivatives of the models of the repository against differences.
#include <gtest/gtest.h>

#include "compared_gradients.hpp"

namespace cardan {
namespace {

struct Case {
  std::string model;
  std::vector<std::string> parameters, signals;
  double until;
  std::string formulation = "hybrid", integrator = "trapezoidal";
  double bar = 1e-6;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.model << " " << c.formulation << " " << c.integrator; }

class Models : public testing::TestWithParam<Case> {};

TEST_P(Models, HaveTheDerivativesOfDifferences) {
  const Case& c = GetParam();
  const std::string path = std::string(CARDAN_SOURCE_DIR) + "/models/" + c.model + ".yaml";
  std::vector<DesignVariable> variables;
  std::vector<DesignSignal> signals;
  for (const std::string& name : c.parameters) variables.push_back({name});
  for (const std::string& text : c.signals)
    signals.push_back({"s" + std::to_string(signals.size()), expression_node(text)});
  ModelSources sources;
  const Mechanism mechanism = read_mechanism(path, {}, sources);
  std::vector<double> values;
  for (DesignVariable& variable : variables) {
    const auto found = std::find_if(sources.parameters.begin(), sources.parameters.end(),
                                    [&](const ModelParameter& p) { return p.name == variable.name; });
    if (found != sources.parameters.end()) values.push_back(found->value);
    for (const Input& input : mechanism.inputs)
      if (input.name == variable.name) variable.is_input = true, values.push_back(input.start);
  }
  ASSERT_EQ(values.size(), variables.size());
  DesignModel model(path, variables, signals);
  SimulationDefaults given;
  given.until = c.until;
  given.formulation = c.formulation;
  given.integrator = c.integrator;
  if (c.integrator != "rk4") given.tolerance = 1e-12;
  const Comparison compared = compare_gradients(model, values, asked_options(mechanism, given));
  EXPECT_EQ(compared.failure, "");
  EXPECT_EQ(compared.rows, 0);
  EXPECT_LT(compared.error, c.bar) << compared.where;
}

/// Signals that move with the parameters, over times in which no wheel or stop meets a kink.
std::vector<Case> cases() {
  std::vector<Case> all;
  for (const char* formulation : {"hybrid", "global"}) {
    const std::vector<Case> some{
        {"four_bar", {"L", "m"}, {"crank.x", "coupler.vy", "rocker.w", "pinB1.fx"}, 0.6},
        {"double_four_bar", {"L", "speed"}, {"crank.x", "coupler1.vy", "rocker2.w"}, 0.6},
        {"bricard", {"L"}, {"rod1.x", "rod3.vy"}, 0.6},
        {"slider_crank", {"r", "l"}, {"crank.x", "piston.vx", "big_end.fx"}, 0.01},
        {"spherical_pendulum", {"L"}, {"arm.x", "arm.vy", "ball.fz"}, 1},
        {"stewart_platform", {"base", "top", "height", "stroke", "rate"}, {"platform.vz"}, 0.2},
        {"stiff_double_pendulum", {"l1", "l2", "m1", "m2", "tilt", "spin"}, {"arm1.x", "arm2.vy", "arm2.w"}, 0.01},
        {"wishbone_axle", {"strut_c"}, {"chassis.z", "chassis.vz", "'left/wheel.x'"}, 0.1},
        {"andrews_squeezer", {"xa", "ya", "xb", "d", "da"}, {"k1.x", "k3.vy", "k7.w"}, 0.001},
        {"puma560", {"hand", "v0"}, {"link2.x", "link3.wz"}, 0.3},
        {"puma_driven", {"hand", "v0", "stiff", "damp", "wrist_k"}, {"link2.x", "link3.wz", "link6.vz"}, 0.1},
        {"excavator", {"bore_boom", "Q", "P"}, {"tip_at.x", "lift.pa", "draw.pb"}, 0.2},
        {"iltis_suspension", {"quarter", "lift"}, {"block.z", "block.vz"}, 0.1},
        {"iltis", {"speed", "leaf_stiffness", "damping"}, {"chassis.z", "chassis.x"}, 0.3},
        {"iltis_driven", {"speed", "power", "resistance"}, {"chassis.z", "chassis.x", "chassis.vx"}, 0.05},
        {"bump_steer", {"in_y", "in_z", "out_z"}, {"toe"}, 0.4},
        {"four_bar_path", {"r1", "r2", "r3", "r4", "px", "py", "begin"}, {"tip.x", "tip.y"}, 1},
        {"steered_axle", {"bar_k", "travel"}, {"chassis.z", "rack.y", "bar_twist.q"}, 0.3},
        {"excavator_driven", {"boom_lever", "stick_lever", "bucket_lever"}, {"tip_at.x", "tip_at.z"}, 0.1},
        {"forklift_driven", {"travel_lever"}, {"'truck/chassis.x'", "'truck/load.z'"}, 0.05},
        {"forklift", {"speed", "wheelbase", "mass_load", "front_k"}, {"chassis.z", "chassis.x"}, 0.05},
    };
    for (Case one : some) {
      one.formulation = formulation;
      all.push_back(one);
    }
  }
  for (const char* integrator : {"newmark", "hht", "generalized-alpha"})
    all.push_back({"four_bar", {"L", "m"}, {"crank.x", "coupler.vy", "pinB1.fx"}, 0.6, "hybrid", integrator});
  for (const char* formulation : {"hybrid", "global", "recursive", "cartesian"})
    all.push_back({"four_bar", {"L", "m"}, {"crank.x", "coupler.vy", "pinB1.fx"}, 0.6, formulation, "rk4"});
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, Models, testing::ValuesIn(cases()));

}  // namespace
}  // namespace cardan
