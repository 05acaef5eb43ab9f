#include "io/result_table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <system_error>

#include "io/text_table.hpp"

namespace cardan {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

class ResultTableTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "cardan_table_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string text(const char* file) const {
    std::ifstream in(folder_ / file);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  ResultTable table(const std::filesystem::path& file) const {
    return ResultTable(file, {{"method", "method"},
                              {"step", "h [s]", significant()},
                              {"error", "error", powers(1)},
                              {"published", "published", decimals(2)},
                              {"", "result"},
                              {"reason", ""}});
  }
  std::filesystem::path folder_;
};

TEST_F(ResultTableTest, OneStatementGivesFileTerminalAndReport) {
  ResultTable rows = table(folder_ / "rows.csv");
  rows.add("hybrid", 0.01, 1.0 / 3, "-0.21", "ok", "");
  EXPECT_EQ(text("rows.csv"),
            "method,step,error,published,reason\n"
            "hybrid,0.01,0.3333333333333333,-0.21,\n")
      << "in the file at once, in full precision";
  rows.add("global", 0.1, kNaN, "wrong results", rows.failed("singular, \"flat\""), "singular, \"flat\"");
  EXPECT_NE(text("rows.csv").find("global,0.1,nan,wrong results,\"singular, \"\"flat\"\"\"\n"), std::string::npos);

  EXPECT_EQ(rows.text(),
            "  method  h [s]    error      published  result\n"
            "  hybrid   0.01  3.3e-01          -0.21  ok\n"
            "  global    0.1           wrong results  failed [1]\n"
            "  [1] singular, \"flat\"\n");
  const ReportTable report = rows.report();
  EXPECT_EQ(report.headers, (std::vector<std::string>{"method", "h [s]", "error", "published", "result"}));
  EXPECT_EQ(report.rows[0], (std::vector<std::string>{"hybrid", "0.01", "3.3e-01", "-0.21", "ok"}));
  EXPECT_EQ(report.note, "[1] singular, \"flat\"");
}

TEST_F(ResultTableTest, CurvesLeaveOutWhatIsNoNumber) {
  ResultTable rows = table("");
  rows.add("hybrid", 0.01, -1e-3, "-0.21");
  rows.add("hybrid", 0.02, kNaN, "wrong results");
  rows.add("global", 0.01, 5e-3, "0.5 mm");
  rows.add("hybrid", 0.04, 2e-3, "3.4");
  const std::vector<ReportSeries> errors = rows.curves("step", "error", "method");
  ASSERT_EQ(errors.size(), 2U);
  EXPECT_EQ(errors[0].name, "hybrid");
  EXPECT_EQ(errors[0].x, (std::vector<double>{0.01, 0.04}));
  EXPECT_EQ(errors[0].y, (std::vector<double>{1e-3, 2e-3})) << "sizes, for logarithmic axes";
  EXPECT_TRUE(errors[0].points);
  const std::vector<ReportSeries> published = grouped(rows.curves("step", "published", ""), "published");
  ASSERT_EQ(published.size(), 1U);
  EXPECT_EQ(published[0].y, (std::vector<double>{0.21, 3.4}));
  EXPECT_EQ(published[0].group, "published");
  EXPECT_EQ(joined(errors, published).size(), 3U);
  EXPECT_EQ(rows.curves("step", "error", "published", "method")[0].group, "hybrid");
  EXPECT_THROW(rows.curves("stride", "error", ""), std::logic_error);
}

TEST_F(ResultTableTest, RefusesWhatDoesNotFit) {
  EXPECT_THROW(table(folder_ / "no/such.csv"), std::system_error);
  ResultTable rows = table("");
  EXPECT_THROW(rows.add(1, 2, 3, 4, 5, 6, 7), std::logic_error);
}

TEST(Formats, ShowNumbersShortly) {
  EXPECT_EQ(decimals(2)(1.005e1), "10.05");
  EXPECT_EQ(decimals(1, 1e3)(0.0125), "12.5");
  EXPECT_EQ(powers(1, 1e3)(0.0125), "1.2e+01");
  EXPECT_EQ(significant(3)(0.00012345), "0.000123");
  EXPECT_EQ(whole()(1909), "1909");
  EXPECT_EQ(whole()(kNaN), "");
  EXPECT_EQ(whole()(std::numeric_limits<double>::infinity()), "-");
}

TEST(Wrapped, BreaksBetweenWordsAndIndents) {
  EXPECT_EQ(wrapped("[1]", "one two three", 9, 4), "[1] one\n    two\n    three\n");
  EXPECT_EQ(wrapped("", "one two", 7), "one two\n");
  EXPECT_EQ(wrapped("", "one two\nthree", 5, 2), "one\n  two\nthree\n");
  EXPECT_EQ(wrapped("", "unbreakable", 4), "unbreakable\n") << "a long word keeps its letters";
  EXPECT_EQ(wrapped("left out:", "", 20), "left out:\n");
}

}  // namespace
}  // namespace cardan
