// The list of integrators against what runs and against what docs/formulations.md says of it.
#include "options/integrators.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "cardan/builder.hpp"
#include "last_sample.hpp"

namespace cardan {
namespace {

/// What stands between backticks.
std::vector<std::string> quoted(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t begin = text.find('`'); begin != std::string::npos;) {
    const std::size_t end = text.find('`', begin + 1);
    names.push_back(text.substr(begin + 1, end - begin - 1));
    begin = text.find('`', end + 1);
  }
  return names;
}

/// Cells of the rows of the first table after a heading, without its head.
std::vector<std::vector<std::string>> table_after(const std::string& heading) {
  std::ifstream page(CARDAN_SOURCE_DIR "/docs/formulations.md");
  std::string line;
  while (std::getline(page, line) && line != heading) continue;
  while (std::getline(page, line) && !line.starts_with("| ---")) continue;
  std::vector<std::vector<std::string>> rows;
  while (std::getline(page, line) && line.starts_with("|")) {
    std::istringstream cells(line.substr(1));
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, '|');) rows.back().push_back(cell);
  }
  return rows;
}

/// No combination vanishes, and none comes, that the reference does not say.
TEST(Integrators, RunOnTheFormulationsThatTheReferenceSays) {
  std::set<std::string> all;
  for (const RegistryEntry& formulation : formulations()) all.insert(std::string(formulation.name));
  std::map<std::string, std::set<std::string>> said;
  for (const auto& row : table_after("## Integrators")) {
    ASSERT_EQ(row.size(), 4U);
    const bool everywhere = row[3].starts_with(" all");
    std::set<std::string> where = everywhere ? all : std::set<std::string>();
    for (const std::string& name : quoted(row[3])) {
      ASSERT_TRUE(all.contains(name)) << name;
      if (everywhere) {
        where.erase(name);
      } else {
        where.insert(name);
      }
    }
    for (const std::string& integrator : quoted(row[0])) {
      EXPECT_FALSE(said.contains(integrator)) << integrator;
      said[integrator] = where;
    }
  }
  int combinations = 0;
  for (const RegistryEntry& integrator : integrators()) {
    const std::string name(integrator.name);
    ASSERT_TRUE(said.contains(name)) << name << " is not in the table of docs/formulations.md";
    for (const std::string& formulation : all) {
      EXPECT_EQ(why_not(formulation, name).empty(), said[name].contains(formulation)) << name << " " << formulation;
      combinations += said[name].contains(formulation);
    }
  }
  EXPECT_EQ(said.size(), integrators().size());
  EXPECT_GE(combinations, 39);
}

/// What is said before anything is compiled is what the integrator then does.
TEST(Integrators, ChooseTheirStepsWhereTheListSaysSo) {
  MechanismBuilder b("pendulum");
  b.planar().gravity({0, -9.81, 0});
  b.rod("arm", Place(0, 0), Place(0.6, 0.8), 2).revolute("pin", "ground", "arm", Place(0, 0));
  const Mechanism mechanism = b.build();
  int choose = 0, keep = 0;
  for (const RegistryEntry& formulation : formulations()) {
    for (const RegistryEntry& integrator : integrators()) {
      if (!why_not(formulation.name, integrator.name).empty()) continue;
      const Simulation simulation(mechanism,
                                  options_of(std::string(formulation.name), 0.01, 1, std::string(integrator.name)));
      const bool said = chooses_steps(formulation.name, integrator.name);
      EXPECT_EQ(simulation.chooses_steps(), said) << formulation.name << " " << integrator.name;
      ++(said ? choose : keep);
    }
  }
  EXPECT_GE(choose, 6);
  EXPECT_GE(keep, 33);
}

}  // namespace
}  // namespace cardan
