#include "cardan/csv_sink.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <numbers>
#include <sstream>
#include <system_error>
#include <thread>

#include "io/row_ring.hpp"

namespace cardan {
namespace {

class CsvSinkTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "cardan_csv_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::vector<std::string> lines() const {
    std::ifstream in(file());
    std::vector<std::string> result;
    for (std::string line; std::getline(in, line);) result.push_back(line);
    return result;
  }
  std::filesystem::path file() const { return folder_ / "trajectory.csv"; }

  std::filesystem::path folder_;
};

std::vector<double> numbers(const std::string& line) {
  std::vector<double> result;
  std::stringstream in(line);
  for (std::string field; std::getline(in, field, ',');) result.push_back(std::strtod(field.c_str(), nullptr));
  return result;
}

TEST_F(CsvSinkTest, NumbersReadBackBitForBit) {
  const std::vector<double> row = {0.1,
                                   -1.0 / 3,
                                   std::numbers::pi,
                                   1e300,
                                   -std::numeric_limits<double>::max(),
                                   std::numeric_limits<double>::denorm_min(),
                                   -std::numeric_limits<double>::epsilon()};
  CsvSink sink(file());
  sink.start({"a", "b", "c", "d", "e", "f", "g"});
  sink.sample(row.data(), row.size());
  sink.finish();
  ASSERT_EQ(lines().size(), 2U);
  EXPECT_EQ(lines()[0], "a,b,c,d,e,f,g");
  EXPECT_EQ(numbers(lines()[1]), row);
}

TEST_F(CsvSinkTest, NotANumberAndInfinityHaveOneSpelling) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double row[] = {nan, -nan, infinity, -infinity};
  CsvSink sink(file());
  sink.start({"a", "b", "c", "d"});
  sink.sample(row, 4);
  sink.finish();
  EXPECT_EQ(lines()[1], "nan,nan,inf,-inf");
}

TEST_F(CsvSinkTest, NamesWithSeparatorsAreQuoted) {
  CsvSink sink(file());
  sink.start({"t", "left,front.x", "a \"b\""});
  sink.finish();
  EXPECT_EQ(lines()[0], "t,\"left,front.x\",\"a \"\"b\"\"\"");
}

TEST_F(CsvSinkTest, ManyMoreRowsThanTheRingHoldsArriveInOrder) {
  constexpr int kRows = 200000, kWidth = 40;  // the ring holds some 13000 of these
  CsvSink sink(file());
  sink.start(std::vector<std::string>(kWidth, "x"));
  std::vector<double> row(kWidth);
  for (int i = 0; i < kRows; ++i) {
    for (int j = 0; j < kWidth; ++j) row[j] = i * kWidth + j;
    sink.sample(row.data(), row.size());
  }
  sink.finish();
  EXPECT_EQ(sink.error(), "");
  std::ifstream in(file());
  std::string line;
  std::getline(in, line);
  for (int i = 0; i < kRows; ++i) {
    ASSERT_TRUE(std::getline(in, line));
    ASSERT_EQ(std::strtod(line.c_str(), nullptr), i * kWidth);
    ASSERT_EQ(std::strtod(line.c_str() + line.rfind(',') + 1, nullptr), i * kWidth + kWidth - 1);
  }
  EXPECT_FALSE(std::getline(in, line));
}

TEST_F(CsvSinkTest, RowsAreInTheFileBeforeTheEnd) {
  CsvSink sink(file());
  sink.start({"t"});
  const double t = 1.5;
  sink.sample(&t, 1);
  for (int i = 0; i < 1000 && lines().size() < 2; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ASSERT_EQ(lines().size(), 2U);
  EXPECT_EQ(lines()[1], "1.5");
}

TEST_F(CsvSinkTest, DestructionWritesWhatIsLeft) {
  {
    CsvSink sink(file());
    sink.start({"t"});
    for (double t = 0; t < 10; ++t) sink.sample(&t, 1);
  }
  EXPECT_EQ(lines().size(), 11U);
}

TEST_F(CsvSinkTest, AFileThatCannotBeOpenedIsNamed) {
  const std::filesystem::path missing = folder_ / "missing" / "trajectory.csv";
  try {
    CsvSink sink(missing);
    FAIL() << "opened " << missing;
  } catch (const std::system_error& error) {
    EXPECT_NE(std::string(error.what()).find(missing.string()), std::string::npos) << error.what();
    EXPECT_EQ(error.code(), std::errc::no_such_file_or_directory);
  }
}

TEST_F(CsvSinkTest, AFullDiskIsReportedAndDoesNotStopTheRun) {
  if (!std::filesystem::exists("/dev/full")) return;
  CsvSink sink("/dev/full");
  sink.start({"t"});
  for (int i = 0; i < 2000000; ++i) {
    const double t = i;
    sink.sample(&t, 1);
  }
  sink.finish();
  EXPECT_EQ(sink.error(), std::generic_category().message(ENOSPC));
}

TEST_F(CsvSinkTest, ARowOfTheWrongWidthIsRefused) {
  CsvSink sink(file());
  const double row[2] = {};
  EXPECT_THROW(sink.sample(row, 1), std::invalid_argument);
  sink.start({"t"});
  EXPECT_THROW(sink.sample(row, 2), std::invalid_argument);
}

TEST(RowRing, AProducerThatIsFasterThanTheConsumerLosesNothing) {
  constexpr int kRows = 100000;
  RowRing ring(4, 2);
  std::thread producer([&ring] {
    for (int i = 0; i < kRows; ++i) {
      const double row[] = {double(i), -double(i)};
      ring.push(row);
    }
  });
  int wrong = 0;
  for (int i = 0; i < kRows; ++i) {
    const double* row;
    while ((row = ring.front()) == nullptr) std::this_thread::yield();
    if (row[0] != i || row[1] != -i) ++wrong;
    ring.pop();
  }
  producer.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(ring.front(), nullptr);
}

}  // namespace
}  // namespace cardan
