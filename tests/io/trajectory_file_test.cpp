#include "io/trajectory_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <sstream>
#include <thread>

namespace cardan {
namespace {

class TrajectoryFileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "cardan_trajectory_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path file() const { return folder_ / "trajectory.csv"; }
  void append(const std::string& text) const { std::ofstream(file(), std::ios::app | std::ios::binary) << text; }

  /// t, a = t^2, b = -t, one row per millisecond.
  static std::string rows(std::size_t from, std::size_t to) {
    std::ostringstream out;
    out.precision(17);
    for (std::size_t i = from; i < to; ++i) {
      const double t = 1e-3 * static_cast<double>(i);
      out << t << ',' << t * t << ',' << -t << '\n';
    }
    return out.str();
  }
  /// Until `rows` are summarized; the file is looked at ten times a second.
  static void wait(const TrajectoryFile& trajectory, std::size_t rows) {
    for (int i = 0; i < 1000 && trajectory.status().summarized != rows; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ASSERT_EQ(trajectory.status().summarized, rows);
  }
  std::filesystem::path folder_;
  std::vector<std::size_t> all_{0, 1, 2};
};

TEST(CsvHeader, HonoursQuotes) {
  EXPECT_EQ(parse_csv_header("t,\"a,b\"\"c\".x,d\r"), (std::vector<std::string>{"t", "a,b\"c.x", "d"}));
  EXPECT_EQ(parse_csv_header(""), std::vector<std::string>{""});
}

TEST(CsvRow, WhatIsNoNumberIsNan) {
  std::vector<double> row(3);
  EXPECT_TRUE(parse_csv_row("1,-2.5e-3,nan", row));
  EXPECT_EQ(row[1], -2.5e-3);
  EXPECT_TRUE(std::isnan(row[2]));
  EXPECT_FALSE(parse_csv_row("1,2", row));
  EXPECT_TRUE(std::isnan(row[2]));
  EXPECT_FALSE(parse_csv_row("1,x,3", row));
  EXPECT_EQ(row[2], 3);
  EXPECT_FALSE(parse_csv_row("1,2,3,4", row));
  EXPECT_FALSE(parse_csv_row("", row));
}

TEST_F(TrajectoryFileTest, SamplesAreTheNumbersOfTheFile) {
  append("t,a,b\n" + rows(0, 10001));
  const TrajectoryFile trajectory(file());
  wait(trajectory, 10001);
  const TrajectoryFile::Status status = trajectory.status();
  EXPECT_EQ(status.columns, (std::vector<std::string>{"t", "a", "b"}));
  EXPECT_EQ(status.bad_rows, 0U);
  EXPECT_FALSE(status.unfinished_line);
  EXPECT_EQ(status.first_time, 0);
  EXPECT_EQ(status.last_time, 10);

  const std::vector<std::size_t> columns{2, 0, 2};
  for (const std::size_t count : {3UL, 100UL, 10001UL, 99999UL}) {
    const TrajectoryFile::Table table = trajectory.sample(0, 10001, count, columns);
    ASSERT_EQ(table.rows.size(), std::min(count, 10001UL));
    EXPECT_EQ(table.rows.front(), 0);
    EXPECT_EQ(table.rows.back(), 10000);
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      EXPECT_EQ(table.columns[0][i], -1e-3 * table.rows[i]);
      EXPECT_EQ(table.columns[1][i], 1e-3 * table.rows[i]);
      EXPECT_EQ(table.columns[2][i], table.columns[0][i]);
    }
  }
  EXPECT_EQ(trajectory.row_at(5), 5000U);
  EXPECT_EQ(trajectory.row_at(-1), 0U);
  EXPECT_EQ(trajectory.row_at(11), 10001U);
  EXPECT_TRUE(trajectory.sample(5, 20000, 10, columns).rows.empty()) << "beyond the end";
}

TEST_F(TrajectoryFileTest, ExtremesContainEverySample) {
  const std::size_t n = 100000;
  append("t,a,b\n" + rows(0, n / 2) + "50,99999,nan\n" + rows(n / 2 + 1, n));
  const TrajectoryFile trajectory(file());
  wait(trajectory, n);
  const std::vector<std::size_t> columns{1, 2};
  for (const std::size_t count : {10UL, 300UL, 5000UL}) {  // from groups, from groups, from the rows
    const TrajectoryFile::Extremes extremes = trajectory.extremes(0, n, count, columns);
    ASSERT_EQ(extremes.time.size(), count);
    EXPECT_TRUE(extremes.complete);
    EXPECT_EQ(*std::max_element(extremes.high[0].begin(), extremes.high[0].end()), 99999);
    EXPECT_EQ(extremes.low[0].front(), 0);
    EXPECT_EQ(extremes.low[1].back(), -1e-3 * static_cast<double>(n - 1));
    for (std::size_t i = 0; i + 1 < count; ++i) EXPECT_LT(extremes.time[i], extremes.time[i + 1]);
  }
}

TEST_F(TrajectoryFileTest, GrowsAndStartsOver) {
  TrajectoryFile trajectory(file());
  EXPECT_FALSE(trajectory.status().exists);
  append("t,a,b\n" + rows(0, 100) + "0.1,0.0");
  wait(trajectory, 100);
  EXPECT_TRUE(trajectory.status().unfinished_line);
  append("1,-0.1\n" + rows(101, 150));
  wait(trajectory, 150);
  EXPECT_FALSE(trajectory.status().unfinished_line);
  EXPECT_EQ(trajectory.status().bad_rows, 0U);
  EXPECT_EQ(trajectory.extremes(0, 150, 1, std::vector<std::size_t>{2}).low[0][0], -0.149);

  const std::uint64_t generation = trajectory.status().generation;
  std::ofstream(file(), std::ios::trunc) << "t,c\n0,1\n";
  wait(trajectory, 1);
  EXPECT_GT(trajectory.status().generation, generation);
  EXPECT_EQ(trajectory.status().columns, (std::vector<std::string>{"t", "c"}));
}

TEST_F(TrajectoryFileTest, CountsBrokenLines) {
  append("t,a,b\n0,1,2\n1,2\n2,oops,3\n\n3,nan,inf\n");
  const TrajectoryFile trajectory(file());
  wait(trajectory, 5);
  EXPECT_EQ(trajectory.status().bad_rows, 3U);
  EXPECT_EQ(trajectory.status().first_bad, 3U);
}

TEST_F(TrajectoryFileTest, SurvivesAnyBytes) {
  std::srand(7);
  for (int round = 0; round < 20; ++round) {
    std::string text;
    for (int i = 0; i < 3000; ++i) text += "0123456789,.-e\n\r\"n\0\xff"[std::rand() % 20];
    std::ofstream(file(), std::ios::trunc | std::ios::binary) << text;
    const TrajectoryFile trajectory(file());
    trajectory.wait();
    const TrajectoryFile::Status status = trajectory.status();
    std::vector<std::size_t> columns(status.columns.size());
    std::iota(columns.begin(), columns.end(), 0U);
    EXPECT_EQ(trajectory.sample(0, status.rows, 50, columns).columns.size(), columns.size());
    EXPECT_LE(trajectory.extremes(0, status.rows, 3, columns).time.size(), 3U);
  }
}

}  // namespace
}  // namespace cardan
