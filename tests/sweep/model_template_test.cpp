// A model that is made many times is the model that is read once.
#include "io/model_template.hpp"

#include <gtest/gtest.h>

#include "cardan/simulation.hpp"

namespace cardan {
namespace {

struct LastRow final : Sink {
  std::vector<double> last;
  void start(const std::vector<std::string>&) override {}
  void sample(const double* row, std::size_t size) override { last.assign(row, row + size); }
};

std::vector<double> end_of(const Mechanism& mechanism, double until) {
  RunOptions options = RunOptions::for_mechanism(mechanism);
  options.until = until;
  LastRow sink;
  EXPECT_EQ(run(mechanism, options, &sink).status, RunStatus::ok);
  return sink.last;
}

void expect_same(const std::string& file, const std::vector<std::map<std::string, double>>& parameters, double until) {
  const std::string path = std::string(CARDAN_SOURCE_DIR) + "/models/" + file;
  ModelTemplate model(path);
  for (const auto& given : parameters) {
    ModelSources ignored;
    EXPECT_EQ(end_of(model.make(given, ignored), until), end_of(read_mechanism(path, given), until)) << file;
  }
}

TEST(ModelTemplate, MakesWhatIsRead) {
  // From the third on of the same names, sections that do not change are copies.
  expect_same("four_bar.yaml",
              {{}, {{"L", 0.7}}, {{"L", 1.3}}, {{"L", 2}}, {{"L", 0.9}}, {{"m", 2}}, {{"m", 3}}, {{"m", 4}}}, 0.1);
  expect_same("slider_crank.yaml", {{}, {}, {}}, 0.05);
  expect_same("forklift.yaml",
              {{{"mass_load", 500}}, {{"mass_load", 1000}}, {{"mass_load", 1500}}, {{"mass_load", 700}}}, 0.02);
  expect_same("iltis.yaml", {{{"damping", 0.5}}, {{"damping", 1}}, {{"damping", 2}}}, 0.01);
}

TEST(ModelTemplate, SaysWhatIsWrongEveryTime) {
  ModelTemplate model(std::string(CARDAN_SOURCE_DIR) + "/models/four_bar.yaml");
  for (int i = 0; i < 4; ++i) {
    ModelSources ignored;
    EXPECT_THROW(model.make({{"L", 0}}, ignored), ModelError);
    EXPECT_THROW(model.make({{"Lx", 1}}, ignored), ModelError);
  }
}

}  // namespace
}  // namespace cardan
