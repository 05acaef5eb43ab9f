// The models of docs/model-file.md and docs/analyses.md: what they show can be read, assembled and counted.
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "cardan/io.hpp"
#include "cardan/simulation.hpp"

namespace cardan {
namespace {

/// The complete models of a page: every ```yaml block that starts with `cardan: 1`, each behind as many blank lines as
/// put it on its line of the page, so that a message points there.
std::vector<std::string> models_of(const std::string& page) {
  std::ifstream stream(page);
  std::vector<std::string> models;
  std::string line, block;
  bool inside = false;
  for (std::size_t number = 1; std::getline(stream, line); ++number) {
    if (!inside && line == "```yaml") {
      inside = true;
      block.assign(number, '\n');
    } else if (inside && line == "```") {
      inside = false;
      if (block.find_first_not_of('\n') == block.find("cardan: 1\n")) models.push_back(block);
    } else if (inside) {
      block += line + '\n';
    }
  }
  return models;
}

TEST(Documentation, EveryModelOfTheReferenceReadsAndAssembles) {
  for (const char* name : {"/docs/model-file.md", "/docs/analyses.md"}) {
    const std::string page = CARDAN_SOURCE_DIR + std::string(name);
    const std::vector<std::string> models = models_of(page);
    EXPECT_GE(models.size(), 1u) << page;
    for (const std::string& model : models) {
      EXPECT_NO_THROW({
        const Mechanism mechanism = read_mechanism_text(model, page);
        EXPECT_TRUE(mechanism.warnings.empty()) << model;
        EXPECT_GE(count_coordinates(mechanism, "hybrid").degrees_of_freedom, 1) << model;
      }) << model;
    }
  }
}

}  // namespace
}  // namespace cardan
