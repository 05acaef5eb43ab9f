#include <nlohmann/json.hpp>

#include "program.hpp"

namespace cardan {
namespace {

class StudyTest : public ProgramTest {};

TEST_F(StudyTest, WritesTablesRunsAndOnePage) {
  const Result result = cardan("study puma --out here");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "published [mm]"));
  EXPECT_TRUE(contains(result.out, "written: here/*.csv"));
  const std::vector<std::string> rows = split(read("here/puma.csv"), '\n');
  ASSERT_GE(rows.size(), 10U);
  EXPECT_EQ(rows[0],
            "variant,formulation,step,error,published_error,iterations,cpu_seconds,real_time_factor,status,reason");
  EXPECT_TRUE(rows[1].starts_with("friction and rotors,global,0.01,"));
  EXPECT_TRUE(contains(read("here/hybrid_at_0.01_s/steps.csv"), "energy_error,position_violation"));

  const std::string page = read("here/puma.html");
  ASSERT_FALSE(page.empty()) << result.out;
  EXPECT_TRUE(contains(result.out, "here/puma.html"));
  EXPECT_LT(page.size(), 5'000'000U);
  const std::string mark = R"(id="cardan-data">)";
  const std::size_t begin = page.find(mark) + mark.size();
  const auto report = nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  EXPECT_EQ(report["title"], "puma");
  EXPECT_TRUE(contains(report["text"], "Published: Cuadrado"));
  EXPECT_TRUE(contains(report["command"], "study puma --out here\ncardan run "));
  EXPECT_EQ(report["models"].size(), 2U) << "the robot and its torques";
  EXPECT_EQ(report["runs"].size(), 2U);
  // What is on the terminal is in the page, cell by cell.
  const auto& table = report["tables"][0];
  EXPECT_EQ(table["rows"].size(), rows.size() - 1);
  for (const auto& row : table["rows"]) {
    bool found = false;
    for (const std::string& line : split(result.out, '\n')) {
      bool all = true;
      for (const auto& cell : row) all = all && line.find(cell.get<std::string>()) != std::string::npos;
      found = found || all;
    }
    EXPECT_TRUE(found) << row;
  }
}

TEST_F(StudyTest, NamesThemAllAndKnowsNoOthers) {
  const Result list = cardan("study --list");
  for (const char* name : {"double-four-bar", "stiff-double-pendulum", "stiff-stop", "iltis-suspension", "puma",
                           "iltis-vehicle", "iltis-sdirk", "iltis-structural"}) {
    EXPECT_TRUE(contains(list.out, name));
  }
  EXPECT_EQ(cardan("study pumas").code, 2);
  EXPECT_TRUE(contains(cardan("study --help").out, "NAME.html"));
}

}  // namespace
}  // namespace cardan
