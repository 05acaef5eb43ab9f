// The list of integrators against what runs and against what docs/formulations.md says of it.
#include "options/integrators.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "cardan/builder.hpp"
#include "every_method.hpp"
#include "random_place.hpp"

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
std::vector<std::vector<std::string>> table_after(const std::string& heading,
                                                  const std::string& file = "docs/formulations.md") {
  std::ifstream page(std::string(CARDAN_SOURCE_DIR "/") + file);
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

/// Four rods in a ring with a spring, turned and moved at random.
Mechanism closed_loop_in_space() {
  const RandomPlace place(7, false);
  const Vec3 a0 = place.at(0, 0), a = place.at(0, 0.2, 0.4), c = place.at(1.1, 0, 0.9), c0 = place.at(1, 0.1);
  MechanismBuilder b("ring");
  b.gravity(place.along(0, 0, -9.81));
  b.rod("crank", a0, a, 1).rod("coupler", a, c, 2).rod("rocker", c0, c, 1.5);
  b.revolute("A0", "ground", "crank", a0, place.along(0.1, 1, 0.1)).spherical("A", "crank", "coupler", a);
  b.universal("C", "coupler", "rocker", c, place.along(0, 1, 0), place.along(1, 0, 0));
  b.revolute("C0", "ground", "rocker", c0, place.along(0, 1, 0.2));
  b.spring("spring", "ground", "rocker", place.at(2, 0, 0.5), c, 400, 0.5);
  b.joint_velocity("A0", 3);
  return b.build();
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
  EXPECT_GE(combinations, 47);
}

/// Whoever looks for a rule finds it in the table beside the sources, which names what there is.
TEST(Integrators, AreToldWhereTheyAreWritten) {
  const std::string folder = "src/integration/";
  std::set<std::string> told, known;
  for (const RegistryEntry& integrator : integrators()) known.insert(std::string(integrator.name));
  for (const auto& row : table_after("# Where a rule is written", folder + "README.md")) {
    ASSERT_EQ(row.size(), 5U);
    for (const std::string& integrator : quoted(row[0])) {
      EXPECT_TRUE(known.contains(integrator)) << integrator;
      EXPECT_TRUE(told.insert(integrator).second) << integrator;
    }
    for (std::size_t cell = 1; cell < row.size(); ++cell) {
      for (const std::string& file : quoted(row[cell]))
        EXPECT_TRUE(std::ifstream(std::string(CARDAN_SOURCE_DIR "/") + folder + file).good()) << file;
    }
  }
  EXPECT_TRUE(told.contains("trapezoidal"));
}

/// The same of the treatments of constraints: what the reference says runs, comes near the motion, and tells so.
TEST(Integrators, RunInTheTreatmentsThatTheReferenceSays) {
  std::set<std::string> said;
  for (const auto& row : table_after("### Treatments")) {
    ASSERT_EQ(row.size(), 3U);
    for (const std::string& integrator : quoted(row[2])) said.insert(quoted(row[0]).at(0) + " " + integrator);
  }
  const Mechanism mechanism = closed_loop_in_space();
  const FinishedRun exact = finish(mechanism, options_of("hybrid", 0.002, 0.2, "radau5"));
  const auto error_on_hybrid = [&](const std::string& integrator) {
    const FinishedRun run = finish(mechanism, options_of("hybrid", 0.002, 0.2, integrator));
    return LastSample::difference(run.last, exact.last, mechanism);
  };
  const double of_order_two = error_on_hybrid("trapezoidal"), of_order_one = error_on_hybrid("newmark");
  ASSERT_LT(4 * of_order_two, of_order_one);
  std::set<std::string> seen;
  const int combinations = with_every_method(0.002, 0.2, 1e-8, [&](const RunOptions& options) {
    const FinishedRun run = finish(mechanism, options);
    ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    EXPECT_EQ(run.summary.treatment_used, treatment_of(options));
    const double error = LastSample::difference(run.last, exact.last, mechanism);
    EXPECT_LT(error, 3 * (options.integrator == "newmark" ? of_order_one : of_order_two));
    if (options.formulation == "cartesian" && options.integrator != "bdf")
      EXPECT_TRUE(seen.insert(run.summary.treatment_used + " " + options.integrator).second);
  });
  EXPECT_EQ(said, seen);
  EXPECT_EQ(seen.size(), treatments().size() * (integrators().size() - 1));  // all but bdf in both
  EXPECT_GE(combinations, 58);
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
