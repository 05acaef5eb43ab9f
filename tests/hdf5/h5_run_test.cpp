// `cardan run --format`.
#include "../apps/program.hpp"
#include "h5_file.hpp"

namespace cardan {
namespace {

class H5RunTest : public ProgramTest {
 protected:
  bool has(const char* file) const { return std::filesystem::exists(folder_ / "out" / file); }
  void expect_the_bits_of_csv(const std::string& h5, const std::string& csv) const {
    const auto [names, columns] = read_csv(folder_ / csv / "trajectory.csv");
    const H5File file(folder_ / h5 / "trajectory.h5");
    ASSERT_TRUE(file.opened());
    ASSERT_EQ(file.columns(), names);
    EXPECT_EQ(file.model(), "four-bar");
    EXPECT_EQ(file.unit("crank.vx"), "m/s");
    for (std::size_t i = 0; i < names.size(); ++i)
      EXPECT_TRUE(same_bits(file.column(names[i]), columns[i])) << names[i];
  }
};

TEST_F(H5RunTest, HasTheBitsOfTheCsvFile) {
  const Result both = cardan("run four_bar.yaml --format csv,h5 --out out");
  ASSERT_EQ(both.code, 0) << both.err;
  EXPECT_NE(both.out.find("trajectory.h5"), std::string::npos) << both.out;
  expect_the_bits_of_csv("out", "out");
  ASSERT_EQ(cardan("run four_bar.yaml --format h5 --out only").code, 0);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "only" / "trajectory.csv"));
  expect_the_bits_of_csv("only", "out");
}

TEST_F(H5RunTest, FilesOfAnotherFormatDoNotStay) {
  ASSERT_EQ(cardan("run four_bar.yaml --format h5 --out out").code, 0);
  EXPECT_TRUE(has("trajectory.h5") && !has("trajectory.csv"));
  ASSERT_EQ(cardan("run four_bar.yaml --out out").code, 0);
  EXPECT_TRUE(!has("trajectory.h5") && has("trajectory.csv"));
}

TEST_F(H5RunTest, AResumedRunGoesOnAsInCsv) {
  for (const std::string format : {"csv", "h5"}) {
    ASSERT_EQ(cardan("run four_bar.yaml --until 0.3 --format " + format + " --out " + format).code, 0);
    const Result resumed = cardan("run four_bar.yaml --until 0.5 --resume --format " + format + " --out " + format);
    ASSERT_EQ(resumed.code, 0) << resumed.err;
  }
  expect_the_bits_of_csv("h5", "csv");
  EXPECT_EQ(H5File(folder_ / "h5" / "trajectory.h5").column("t").size(), 51u);
}

TEST_F(H5RunTest, AnInterruptedRunLeavesARowForEverySampleSoFar) {
  const Result result =
      shell("'" CARDAN_PROGRAM
            "' run four_bar.yaml --until 1e5 --format csv,h5 --out out & pid=$!; sleep 1; kill -TERM $pid; wait $pid");
  EXPECT_EQ(result.code, 130) << result.err;
  expect_the_bits_of_csv("out", "out");
}

TEST_F(H5RunTest, WhatCannotBeIsRefused) {
  const Result unknown = cardan("run four_bar.yaml --format hdf --out out");
  EXPECT_NE(unknown.code, 0);
  EXPECT_NE((unknown.out + unknown.err).find("--format"), std::string::npos);
  const Result report = cardan("run four_bar.yaml --format h5 --report page.html --out out");
  EXPECT_NE(report.code, 0);
  EXPECT_NE(report.err.find("--format csv,h5"), std::string::npos) << report.err;
}

}  // namespace
}  // namespace cardan
