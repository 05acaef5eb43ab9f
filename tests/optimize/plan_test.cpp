// What is wrong with plans of optimize and fit is said with its place and a remedy.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "optimize/design_plan.hpp"

namespace cardan {
namespace {

const char* const kModel = CARDAN_SOURCE_DIR "/models/four_bar.yaml";

class Plans : public testing::Test {
 protected:
  Plans() : folder_(std::filesystem::temp_directory_path() / ("cardan-plans-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
    write("data.csv", "t,angle\n0.1,1.5\n0.2,1.4\n");
    write("unsorted.csv", "t,angle\n0.2,1.5\n0.1,1.4\n");
  }
  ~Plans() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  static std::string said(const std::function<void()>& work) {
    try {
      work();
    } catch (const ModelError& error) {
      return error.what();
    }
    return "nothing";
  }
  std::string optimize(const std::string& rest) const {
    const std::string path = write("plan.yaml", std::string("optimize: 1\nmodel: ") + kModel + "\n" + rest);
    return said([&] { read_optimize_plan(path); });
  }
  std::string fit(const std::string& rest) const {
    const std::string path = write("plan.yaml", std::string("fit: 1\nmodel: ") + kModel + "\n" + rest);
    return said([&] { read_fit_plan(path); });
  }

  std::filesystem::path folder_;
};

#define EXPECT_SAYS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST_F(Plans, AreReadWhole) {
  const std::string path = write("plan.yaml", std::string("optimize: 1\nmodel: ") + kModel +
                                                  "\nparameters: {L: [0.5, 2], m: 3}\nmeasures: {far: {max: crank.x}}\n"
                                                  "minimize: far + L\nconstraints: {c: far < 2}\n");
  const OptimizePlan plan = read_optimize_plan(path);
  ASSERT_EQ(plan.variables.size(), 1u);
  EXPECT_EQ(plan.variables[0].start, 1);  // the model's
  EXPECT_EQ(plan.variables[0].max, 2);
  EXPECT_EQ(plan.fixed.at("m"), 3);
  EXPECT_EQ(plan.constraints.size(), 1u);
}

TEST_F(Plans, NameWhatTheModelDoesNotHave) {
  EXPECT_SAYS(optimize("parameters: {K: [0, 1]}\nminimize: L\n"), "the model has no parameter 'K'");
  EXPECT_SAYS(optimize("inputs: {throttle: [0, 1]}\nminimize: L\n"), "the model has no input 'throttle'");
  EXPECT_SAYS(optimize("parameters: {L: [0.5, 2]}\nminimize: far\n"), "no measure or parameter is called 'far'");
  EXPECT_SAYS(optimize("parameters: {L: [0.5, 2]}\nminimise: L\n"), "minimise");
}

TEST_F(Plans, RefuseRangesThatAreEmpty) {
  EXPECT_SAYS(optimize("parameters: {L: [2, 0.5]}\nminimize: L\n"), "its range is empty: from 2 to 0.5");
  EXPECT_SAYS(optimize("parameters: {L: {start: 3, min: 0, max: 2}}\nminimize: L\n"), "outside of its range");
  EXPECT_SAYS(optimize("parameters: {L: 2}\nminimize: L\n"), "nothing is to be chosen");
}

TEST_F(Plans, WantComparisonsAsConstraints) {
  EXPECT_SAYS(optimize("parameters: {L: [0.5, 2]}\nminimize: L\nconstraints: {c: L}\n"),
              "a constraint is one comparison");
  EXPECT_SAYS(optimize("parameters: {L: [0.5, 2]}\nminimize: [L, m, 1]\n"), "a front is between two objectives");
  EXPECT_SAYS(optimize("parameters: {L: [0.5, 2]}\nminimize: L\nfront: 5\n"), "there is one objective");
}

TEST_F(Plans, LookAtTheMeasuredData) {
  const std::string start = "parameters: {L: [0.5, 2]}\n";
  EXPECT_EQ(fit(start + "data: data.csv\ncompare: {angle: crank.angle}\n"), "nothing");
  EXPECT_SAYS(fit(start + "data: none.csv\ncompare: {angle: crank.angle}\n"), "none.csv");
  EXPECT_SAYS(fit(start + "data: data.csv\ncompare: {angel: crank.angle}\n"), "has no column 'angel'");
  EXPECT_SAYS(fit(start + "data: unsorted.csv\ncompare: {angle: crank.angle}\n"), "times must rise");
  EXPECT_SAYS(fit(start + "data: data.csv\ncompare: {angle: {with: crank.angle, deviation: 0}}\n"), "not above 0");
}

TEST_F(Plans, TellModelsFromPlans) {
  EXPECT_SAYS(said([] { read_optimize_plan(kModel); }), "this is a model");
}

}  // namespace
}  // namespace cardan
