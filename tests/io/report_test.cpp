#include "io/report.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "cardan/builder.hpp"
#include "cardan/io.hpp"
#include "cardan/scene.hpp"
#include "cardan/simulation.hpp"
#include "io/result_folder.hpp"
#include "io/viewer_page.hpp"

namespace cardan {
namespace {

using nlohmann::json;

class ReportTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_FALSE(viewer_page().empty()) << viewer_page_missing();
    std::string pattern = (std::filesystem::temp_directory_path() / "cardan_report_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override {
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
  }
  static std::string text(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  /// What the page would find in its element.
  static json data(const std::string& html) {
    const std::string mark = R"(id="cardan-data">)";
    const std::size_t begin = html.find(mark) + mark.size();
    return json::parse(html.substr(begin, html.find("</script>", begin) - begin));
  }
  static std::vector<unsigned char> bytes(const std::string& text) {
    const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::vector<unsigned char> result;
    unsigned bits = 0, group = 0;
    for (const char c : text) {
      if (c == '=') break;
      group = group << 6 | static_cast<unsigned>(digits.find(c));
      bits += 6;
      if (bits >= 8) result.push_back(static_cast<unsigned char>(group >> (bits -= 8)));
    }
    return result;
  }
  template <typename T>
  static std::vector<T> numbers(const json& base64) {
    const std::vector<unsigned char> raw = bytes(base64.get<std::string>());
    std::vector<T> values(raw.size() / sizeof(T));
    std::memcpy(values.data(), raw.data(), values.size() * sizeof(T));
    return values;
  }
  std::filesystem::path folder_;
};

std::string pendulum_scene() {
  MechanismBuilder builder("pendulum");
  builder.planar().rod("arm", {0, 0}, {1, 0}, 1).revolute("pin", "ground", "arm", {0, 0});
  return scene_json(builder.build());
}

TEST_F(ReportTest, HoldsWhatItWasGiven) {
  ReportData report;
  report.title = "A </script><b>title";
  report.command = "cardan run 'a b.yaml'";
  report.summary = R"({"status": "ok", "steps": 3})";
  report.models = {{"a.yaml", "cardan: 1"}, {"part.yaml", "# <part>"}};
  report.tables.push_back({"energy", {"ours", "published"}, {{"1", "2"}, {"3", "-"}}, "J", "above"});
  report.plots.push_back(
      {"precision", "work", "error", true, true, {{"rk4", {1, 2, 4}, {0.1, 0.01, 1e-3}, true, "hybrid"}}, ""});
  report.runs.push_back({"run", pendulum_scene(), "", {"t", "arm.x"}, {{0, 0.1, 0.2}, {0.5, 0.25, -1}}, 0});
  write_report(folder_ / "report.html", report);

  const std::string html = text(folder_ / "report.html");
  EXPECT_EQ(html.find("<b>title"), std::string::npos) << "data never becomes markup";
  EXPECT_NE(html.find("<!doctype html>"), std::string::npos);
  const json found = data(html);
  EXPECT_EQ(found["title"], report.title);
  EXPECT_EQ(found["command"], report.command);
  EXPECT_EQ(found["summary"]["steps"], 3);
  EXPECT_EQ(found["tables"][0]["rows"][1][0], "3");
  EXPECT_EQ(found["tables"][0]["text"], "above");
  EXPECT_EQ(found["models"][1]["text"], "# <part>");
  EXPECT_EQ(found["plots"][0]["series"][0]["group"], "hybrid");
  EXPECT_EQ(numbers<double>(found["plots"][0]["series"][0]["y"]), (std::vector<double>{0.1, 0.01, 1e-3}));
  EXPECT_EQ(found["plots"][0]["x_log"], true);
  EXPECT_EQ(found["runs"][0]["scene"]["name"], "pendulum");
  EXPECT_EQ(numbers<double>(found["runs"][0]["t"]), (std::vector<double>{0, 0.1, 0.2}));
  EXPECT_EQ(numbers<float>(found["runs"][0]["data"]), (std::vector<float>{0.5F, 0.25F, -1.F}));
}

TEST_F(ReportTest, LongCurvesAreThinnedWithoutLosingPeaks) {
  ReportSeries series{"h", {}, {}, false};
  for (int i = 0; i < 100000; ++i) {
    series.x.push_back(i);
    series.y.push_back(i == 77777 ? 1000 : i % 7);
  }
  ReportData report;
  report.plots.push_back({"steps", "t", "h", false, false, {series}, ""});
  write_report(folder_ / "report.html", report);
  const json found = data(text(folder_ / "report.html"));
  const std::vector<double> x = numbers<double>(found["plots"][0]["series"][0]["x"]);
  const std::vector<double> y = numbers<double>(found["plots"][0]["series"][0]["y"]);
  EXPECT_LE(x.size(), 3000U);
  EXPECT_TRUE(std::is_sorted(x.begin(), x.end()));
  EXPECT_EQ(*std::max_element(y.begin(), y.end()), 1000);
}

/// As many columns and rows as 8 s of a vehicle with 27 bodies and 31 joints give.
TEST_F(ReportTest, ALongRunOfAVehicleStaysBelowFiveMegabytes) {
  std::ofstream(folder_ / "scene.json") << pendulum_scene();
  {
    std::ofstream csv(folder_ / "trajectory.csv");
    csv << "t";
    std::string row;
    for (int b = 0; b < 27; ++b) {
      for (const char* suffix : {"x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz"}) {
        csv << ",b" << b << '.' << suffix;
        row += ",1";
      }
    }
    for (int j = 0; j < 31; ++j) {
      for (const char* suffix : {"q", "v", "fx", "fy", "fz", "mx", "my", "mz"}) {
        csv << ",j" << j << '.' << suffix;
        row += ",2";
      }
    }
    csv << '\n';
    for (int i = 0; i <= 8000; ++i) csv << fmt::format("{}{}\n", 1e-3 * i, row);
  }
  ReportData report;
  // The scene says planar, where a spatial body has no angle: its columns still fit.
  report.runs.push_back(read_report_run("vehicle", folder_));
  const ReportRun& run = report.runs[0];
  EXPECT_EQ(run.columns[0], "t");
  EXPECT_EQ(run.samples[0].size(), 2000U);
  EXPECT_EQ(run.samples[0].front(), 0);
  EXPECT_EQ(run.samples[0].back(), 8);
  EXPECT_EQ(run.rows_of, 8001U);
  EXPECT_GT(run.columns.size(), 250U);
  write_report(folder_ / "report.html", report);
  const auto size = std::filesystem::file_size(folder_ / "report.html");
  RecordProperty("bytes", std::to_string(size));
  EXPECT_LT(size, 5'000'000U);
}

TEST_F(ReportTest, StepHistoriesStandSideBySide) {
  std::filesystem::create_directories(folder_ / "new");
  std::filesystem::create_directories(folder_ / "old");
  std::ofstream(folder_ / "new/steps.csv")
      << "t,h,error,iterations,rejected,energy_error,position_violation,velocity_violation\n"
         "0.1,0.1,0.5,3,0,-0.25,1e-9,0\n0.101,0.001,0.5,2,1,0.5,0,0\n";
  // What an earlier version wrote.
  std::ofstream(folder_ / "old/steps.csv") << "t,h,error,iterations,rejected\n0.1,0.1,0,4,0\n0.2,0.1,0,4,0\n";

  const std::vector<ReportPlot> one = step_history_plots({{"", folder_ / "new"}});
  ASSERT_EQ(one.size(), 4U);
  EXPECT_EQ(one[2].title, "Step") << "steps and iterations come last";
  EXPECT_EQ(one[3].title, "Iterations");
  EXPECT_TRUE(one[2].y_log) << "steps over two powers of ten";
  EXPECT_EQ(one[0].series[0].y, (std::vector<double>{-0.25, 0.5}));
  EXPECT_FALSE(one[0].y_log);
  EXPECT_TRUE(one[1].y_log);
  ASSERT_EQ(one[1].series.size(), 1U) << "velocities are never off, so they have no curve";
  EXPECT_EQ(one[1].series[0].name, "positions");

  const std::vector<ReportPlot> old = step_history_plots({{"", folder_ / "old"}});
  ASSERT_EQ(old.size(), 2U);
  EXPECT_EQ(old[0].title, "Step");
  EXPECT_FALSE(old[0].y_log);

  const std::vector<ReportPlot> both = step_history_plots({{"new", folder_ / "new"}, {"old", folder_ / "old"}});
  ASSERT_EQ(both.size(), 4U);
  ASSERT_EQ(both[3].series.size(), 2U);
  EXPECT_EQ(both[3].series[1].name, "old");
  EXPECT_EQ(both[0].series.size(), 1U);
  EXPECT_TRUE(step_history_plots({{"none", folder_}}).empty());
}

TEST_F(ReportTest, ShowsTheColumnsThatWereAskedForByUnit) {
  Mechanism mechanism = read_mechanism_text(R"(cardan: 1
planar: true
bodies: {arm: {rod: [[0, 0], [2, 0]], mass: 1}}
joints: {pin: {revolute: [ground, arm], at: [0, 0]}}
loads: {coil: {spring: [ground, arm], at: [[2, 1], [2, 0]], stiffness: 30}}
plots:
  Swing: [arm.angle, pin.q, coil.force]
  Spring: coil.*
)",
                                            "asked.yaml");
  run_into_folder(mechanism, RunOptions::for_mechanism(mechanism), folder_);
  const std::vector<ReportPlot> plots = asked_plots(mechanism, folder_);
  ASSERT_EQ(plots.size(), 4U);
  const char* const titles[] = {"Swing: arm.angle and others", "Swing: coil.force", "Spring: coil.length",
                                "Spring: coil.force"};
  const char* const units[] = {"rad", "N", "m", "N"};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(plots[i].title, titles[i]);
    EXPECT_EQ(plots[i].y_label, units[i]);
    for (const ReportSeries& series : plots[i].series) EXPECT_EQ(series.x.size(), 1001U);
  }
  ASSERT_EQ(plots[0].series.size(), 2U);
  for (std::size_t i = 0; i < plots[0].series[0].y.size(); ++i)
    EXPECT_NEAR(plots[0].series[0].y[i], plots[0].series[1].y[i], 1e-9) << "the arm turns about the pin alone";
  // However little fits into the report, these columns do.
  const ReportRun run = read_report_run("asked", folder_, 10);
  for (const char* column : {"arm.angle", "pin.q", "coil.length", "coil.force"})
    EXPECT_NE(std::find(run.columns.begin(), run.columns.end(), column), run.columns.end()) << column;
  EXPECT_EQ(std::find(run.columns.begin(), run.columns.end(), "arm.vx"), run.columns.end());
}

TEST_F(ReportTest, ModelsComeWithTheirParts) {
  const std::vector<ReportModel> models = model_texts(read_mechanism(CARDAN_SOURCE_DIR "/models/iltis.yaml"));
  ASSERT_EQ(models.size(), 2U);
  EXPECT_TRUE(models[0].name.ends_with("models/iltis.yaml"));
  EXPECT_TRUE(models[1].name.ends_with("parts/iltis_corner.yaml"));
  EXPECT_NE(models[1].text.find("cardan: 1"), std::string::npos);
}

TEST_F(ReportTest, RefusesResultsItCannotRead) {
  EXPECT_THROW(read_report_run("none", folder_), std::runtime_error);
  std::ofstream(folder_ / "scene.json") << pendulum_scene();
  std::ofstream(folder_ / "trajectory.csv") << "t,a\n";
  EXPECT_THROW(read_report_run("empty", folder_), std::runtime_error);
  ReportData report;
  EXPECT_THROW(write_report(folder_ / "no/such/folder.html", report), std::system_error);
}

}  // namespace
}  // namespace cardan
