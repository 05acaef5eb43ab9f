#include "hdf5/h5_sink.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <random>
#include <system_error>
#include <thread>

#include "h5_file.hpp"

namespace cardan {
namespace {

class H5SinkTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "cardan_h5_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    file_ = folder_ / "trajectory.h5";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  /// Numbers of every exponent, with those that are none.
  std::vector<std::vector<double>> random_columns(std::size_t columns, std::size_t rows) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN(), kMost = std::numeric_limits<double>::infinity();
    const double special[] = {0.0, -0.0, kNone, kMost, -kMost, std::numeric_limits<double>::denorm_min()};
    std::uniform_int_distribution<std::uint64_t> bits;
    std::vector<std::vector<double>> values(columns, std::vector<double>(rows));
    for (std::vector<double>& column : values)
      for (double& value : column) {
        const std::uint64_t any = bits(random_);
        value = any % 16 < 6 ? special[any % 16] : std::bit_cast<double>(any);
      }
    return values;
  }

  static void write(H5Sink& sink, const std::vector<std::vector<double>>& columns, std::size_t from, std::size_t to) {
    std::vector<double> row(columns.size());
    for (std::size_t i = from; i < to; ++i) {
      for (std::size_t c = 0; c < columns.size(); ++c) row[c] = columns[c][i];
      sink.sample(row.data(), row.size());
    }
  }

  std::filesystem::path folder_, file_;
  std::mt19937_64 random_{7};
};

const std::vector<std::string> kNames{"t", "arm.x", "left/wheel.q", "left/wheel.v", "Feder_ü.force"};

TEST_F(H5SinkTest, ReadsBackBitForBit) {
  for (const std::size_t rows : {0u, 1u, 37u, 1023u, 1024u, 1025u, 5000u}) {
    const auto values = random_columns(kNames.size(), rows);
    H5Sink sink(file_, {"a model", {{"t", "s"}, {"arm.x", "m"}, {"left/wheel.q", "rad"}}});
    sink.start(kNames);
    write(sink, values, 0, rows);
    sink.finish();
    EXPECT_EQ(sink.error(), "");
    EXPECT_EQ(sink.written(), static_cast<std::int64_t>(rows));
    const H5File file(file_);
    ASSERT_TRUE(file.opened());
    EXPECT_EQ(file.model(), "a model");
    EXPECT_EQ(file.columns(), kNames);
    EXPECT_EQ(file.unit("arm.x"), "m");
    EXPECT_EQ(file.unit("left/wheel.q"), "rad");
    EXPECT_EQ(file.unit("left/wheel.v"), "");
    for (std::size_t c = 0; c < kNames.size(); ++c)
      EXPECT_TRUE(same_bits(file.column(kNames[c]), values[c])) << kNames[c];
  }
}

TEST_F(H5SinkTest, GoesOnAfterTheRowsThatAreKept) {
  const auto values = random_columns(kNames.size(), 4000);
  for (const std::size_t kept : {1u, 700u, 1024u, 2500u}) {
    {
      H5Sink sink(file_, {"m", {}});
      sink.start(kNames);
      write(sink, values, 0, 1500);
      write(sink, values, 0, 1000);  // what is not kept
    }
    {
      H5Sink sink(file_, {"m", {}}, static_cast<std::int64_t>(kept));
      sink.start(kNames);
      write(sink, values, kept, 4000);
    }
    auto expected = values[1];
    if (kept > 1500) std::copy_n(values[1].begin(), kept - 1500, expected.begin() + 1500);
    EXPECT_TRUE(same_bits(H5File(file_).column("arm.x"), expected)) << kept;
  }
  H5Sink too_few(file_, {"m", {}}, 4001);
  EXPECT_THROW(too_few.start(kNames), std::system_error);
}

TEST_F(H5SinkTest, LeavesWhatWasThereUntilItStarts) {
  { std::ofstream(file_) << "something else"; }
  { const H5Sink never_started(file_, {"m", {}}); }
  std::ifstream in(file_);
  std::string text;
  std::getline(in, text);
  EXPECT_EQ(text, "something else");
}

TEST_F(H5SinkTest, SaysWhatCannotBeWritten) {
  H5Sink nowhere(folder_ / "no" / "such" / "folder.h5", {"m", {}});
  try {
    nowhere.start(kNames);
    FAIL();
  } catch (const std::system_error& error) {
    EXPECT_NE(std::string(error.what()).find("folder.h5"), std::string::npos) << error.what();
  }
}

TEST_F(H5SinkTest, ANameThatIsAlsoAGroupIsRefusedByName) {
  H5Sink sink(file_, {"m", {}});
  try {
    sink.start({"t", "left", "left/wheel.q"});
    FAIL();
  } catch (const std::system_error& error) {
    EXPECT_NE(std::string(error.what()).find("'left'"), std::string::npos) << error.what();
  }
}

// Rows that written() counts are there, however the program ends.
TEST_F(H5SinkTest, AKilledProgramLeavesAFileThatCanBeRead) {
  const auto values = random_columns(kNames.size(), 3000);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    H5Sink sink(file_, {"m", {}});
    sink.start(kNames);
    write(sink, values, 0, 3000);
    while (sink.written() < 3000) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  const H5File file(file_);
  ASSERT_TRUE(file.opened());
  for (std::size_t c = 0; c < kNames.size(); ++c)
    EXPECT_TRUE(same_bits(file.column(kNames[c]), values[c])) << kNames[c];
}

TEST_F(H5SinkTest, SeveralThreadsWriteAtOnce) {
  std::vector<std::thread> threads;
  const auto values = random_columns(kNames.size(), 2000);
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      H5Sink sink(folder_ / (std::to_string(i) + ".h5"), {"m", {}});
      sink.start(kNames);
      write(sink, values, 0, 2000);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < 4; ++i)
    EXPECT_TRUE(same_bits(H5File(folder_ / (std::to_string(i) + ".h5")).column("left/wheel.q"), values[2])) << i;
}

}  // namespace
}  // namespace cardan
