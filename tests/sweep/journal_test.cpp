// Journals that end anywhere, and chunks that are handed out.
#include "sweep/journal.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <optional>
#include <set>

#include "sweep/claims.hpp"

namespace cardan {
namespace {

namespace fs = std::filesystem;

class SweepFilesTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "cardan_sweep_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_;
};

std::vector<std::uint64_t> runs_in(const fs::path& file) {
  std::vector<std::uint64_t> runs;
  JournalReader reader(file);
  for (JournalEntry entry; reader.next(entry);) {
    EXPECT_EQ(entry.line, "row " + std::to_string(entry.run));
    EXPECT_EQ(entry.stepping_seconds, 0.125 * static_cast<double>(entry.run));
    runs.push_back(entry.run);
  }
  return runs;
}

TEST_F(SweepFilesTest, AJournalThatGoesWhileOthersReadHeldNothing) {
  std::vector<std::filesystem::path> listed;
  {
    const Journal idle(folder_);  // of one who finds nothing left to do
    listed = journals_in(folder_);
    ASSERT_EQ(listed.size(), 1U);
  }
  EXPECT_FALSE(std::filesystem::exists(listed[0]));
  JournalReader reader(listed[0]);
  JournalEntry entry;
  EXPECT_FALSE(reader.next(entry));
  EXPECT_EQ(reader.torn(), 0U);
}

TEST_F(SweepFilesTest, AJournalThatIsTornAnywhereKeepsWhatIsBefore) {
  {
    Journal journal(folder_);
    for (std::uint64_t run = 0; run < 6; ++run)
      journal.add({run, "ok", "row " + std::to_string(run), 0.125 * static_cast<double>(run)});
  }
  const fs::path file = journals_in(folder_).at(0);
  std::ifstream in(file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  EXPECT_EQ(runs_in(file).size(), 6U);
  for (std::size_t size = 0; size <= text.size(); ++size) {
    std::ofstream(file, std::ios::trunc) << text.substr(0, size);
    const auto whole =
        static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(size), '\n'));
    EXPECT_EQ(runs_in(file).size(), whole) << size;
  }
  // A damaged line is as good as none, and does no harm to the next.
  std::string damaged = text;
  damaged[text.find('\n') + 12] ^= 1;
  std::ofstream(file, std::ios::trunc) << damaged;
  EXPECT_EQ(runs_in(file), (std::vector<std::uint64_t>{0, 2, 3, 4, 5}));
}

TEST_F(SweepFilesTest, AChunkIsHeldByOneAndFreeWhenItsHolderIsGone) {
  const fs::path file = folder_ / "claims";
  const Chunks chunks{5};
  std::ofstream(file) << std::string(chunks.count() + 1, '\0');
  Claims one(file, chunks, {});
  std::optional<Claims> two(std::in_place, file, chunks, SweepPart{});
  const auto first = one.take(), second = two->take();
  ASSERT_TRUE(first && second);
  EXPECT_NE(first->number, second->number);
  EXPECT_FALSE(first->begun_by_another);
  one.complete(*first);
  two.reset();  // with a chunk in hand
  std::set<std::uint64_t> taken;
  while (const auto chunk = one.take()) {
    EXPECT_EQ(chunk->begun_by_another, chunk->number == second->number);
    EXPECT_TRUE(taken.insert(chunk->number).second);
    one.complete(*chunk);
  }
  EXPECT_EQ(taken.size(), chunks.count() - 1);
  EXPECT_EQ(one.count().runs_complete, 5U);
}

TEST(Chunks, HoldEveryRunOnce) {
  for (const std::uint64_t runs : {1ULL, 2ULL, 65536ULL, 65537ULL, 1000000ULL, 1000000007ULL}) {
    const Chunks chunks{runs};
    EXPECT_LE(chunks.count(), Chunks::kMost);
    EXPECT_EQ(chunks.first(0), 0U);
    EXPECT_EQ(chunks.end(chunks.count() - 1), runs);
    for (std::uint64_t i = 1; i < chunks.count(); ++i) ASSERT_EQ(chunks.first(i), chunks.end(i - 1));
    EXPECT_LT(chunks.first(chunks.count() - 1), runs);
  }
}

}  // namespace
}  // namespace cardan
