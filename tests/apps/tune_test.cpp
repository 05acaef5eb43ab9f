#include <nlohmann/json.hpp>

#include "program.hpp"

namespace cardan {
namespace {

using nlohmann::json;

class TuneTest : public ProgramTest {};

TEST_F(TuneTest, HoldsTheErrorThatIsAskedFor) {
  const Result result = cardan("tune four_bar.yaml --error 1e-4 --until 1 --out here");
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.err, "") << "no progress on a pipe";
  EXPECT_TRUE(contains(result.out, "take: cardan run four_bar.yaml --formulation "));
  EXPECT_TRUE(contains(result.out, "simulation: {formulation: "));
  const json tuning = json::parse(read("here/tune.json"));
  EXPECT_LE(tuning["reference_error"], 1e-5);
  int held = 0;
  double last = 0;
  for (const json& method : tuning["methods"]) {
    if (method.contains("why_not")) continue;
    ++held;
    EXPECT_LE(method["error"], 1e-4) << method;
    EXPECT_GE(method["cpu_seconds"], last) << "cheapest first";
    last = method["cpu_seconds"];
  }
  EXPECT_GE(held, 8) << tuning;
  // What it proposes does what it says, measured by another command against another reference.
  const json& best = tuning["methods"][0];
  const Result again = cardan("run four_bar.yaml --until 1 --out again " + best["options"].get<std::string>());
  EXPECT_EQ(again.code, 0) << again.err;
}

TEST_F(TuneTest, FindsLongerStepsForLargerErrors) {
  const auto step = [this](const std::string& error) {
    const Result result =
        cardan("tune four_bar.yaml --formulations hybrid --integrators trapezoidal --until 1 --error " + error +
               " --out e" + error);
    EXPECT_EQ(result.code, 0) << result.err << result.out;
    const json tuning = json::parse(read("e" + error + "/tune.json"));
    for (const json& method : tuning["methods"]) {
      if (method.contains("step")) return method["step"].get<double>();
    }
    return 0.0;
  };
  const double coarse = step("1e-3"), fine = step("1e-5");
  ASSERT_GT(fine, 0);
  // Order two: a tenth of the step for a hundredth of the error, each found to within a factor of 1.5.
  EXPECT_GT(coarse / fine, 10 / 2.3);
  EXPECT_LT(coarse / fine, 10 * 2.3);
}

TEST_F(TuneTest, KeepsWithinADeadline) {
  const Result result = cardan("tune four_bar.yaml --deadline 0.02 --until 1 --formulations hybrid,global --out here");
  ASSERT_EQ(result.code, 0) << result.err << result.out;
  const json tuning = json::parse(read("here/tune.json"));
  double last = 0;
  for (const json& method : tuning["methods"]) {
    if (method.contains("why_not")) continue;
    const double steps = 0.02 / method["step"].get<double>();
    EXPECT_NEAR(steps, std::round(steps), 1e-9) << "equal steps within the period";
    EXPECT_LE(steps * method["step_time"].get<double>(), 0.5 * 0.02);
    EXPECT_GE(method["error"], last) << "most accurate first";
    last = method["error"];
  }
  EXPECT_GT(last, 0);
}

TEST_F(TuneTest, SaysWhatIsWrong) {
  EXPECT_EQ(cardan("tune four_bar.yaml --error 0").code, 2);
  EXPECT_TRUE(contains(cardan("tune four_bar.yaml --error -1").err, "--error is -1, but must be a number above 0"));
  EXPECT_EQ(cardan("tune four_bar.yaml --error 1e-3 --deadline 1e-3").code, 2);
  const Result unknown = cardan("tune four_bar.yaml --formulations hybird");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(contains(unknown.err, "hybrid")) << unknown.err;
  const Result none = cardan("tune four_bar.yaml --formulations hybrid --integrators bdf");
  EXPECT_EQ(none.code, 2);
  EXPECT_TRUE(contains(none.err, "none of these integrators works on these formulations")) << none.err;
}

}  // namespace
}  // namespace cardan
