// state.json: what is written is read bit for bit, and what has been damaged, wherever and however, is not taken up.
#include "io/state_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "cardan/builder.hpp"

namespace cardan {
namespace {

class StateFile : public testing::Test {
 protected:
  StateFile() {
    MechanismBuilder b("pendulum");
    b.planar().gravity({0, -9.81, 0});
    b.rod("arm", {0, 0}, {1, 0}, 2).revolute("pin", "ground", "arm", {0, 0});
    const RunOptions options;
    Simulation simulation(b.build(), options);
    for (int i = 0; i < 7; ++i) EXPECT_EQ(simulation.step(), StepStatus::ok);
    record_.numbers.resize(simulation.record_size());
    record_.numbers.resize(simulation.save(record_.numbers.data()));
    record_.time = simulation.time();
    record_.rows = 8, record_.step_rows = 7;
    origin_ = RunOrigin::of("pendulum", {}, {{"L", 0.1}}, options, "samples");
    write_state(file_, origin_, record_);
    std::ifstream in(file_, std::ios::binary);
    text_.assign(std::istreambuf_iterator<char>(in), {});
  }
  ~StateFile() override { std::filesystem::remove(file_); }

  bool is_the_record(const RunRecord& read) const {
    return read.time == record_.time && read.rows == record_.rows && read.step_rows == record_.step_rows &&
           read.numbers.size() == record_.numbers.size() &&
           std::memcmp(read.numbers.data(), record_.numbers.data(), sizeof(double) * read.numbers.size()) == 0;
  }
  /// What is damaged is refused, but for what says the same in other characters.
  void expect_refused_or_same(const std::string& text) {
    std::ofstream(file_, std::ios::binary | std::ios::trunc) << text;
    try {
      EXPECT_TRUE(is_the_record(read_state(file_, origin_)));
    } catch (const std::invalid_argument&) {
      ++refused_;
    }
  }

  const std::filesystem::path file_ =
      std::filesystem::temp_directory_path() / ("state_file_test" + std::to_string(getpid()));
  RunRecord record_;
  RunOrigin origin_;
  std::string text_;
  int refused_ = 0;
};

TEST_F(StateFile, IsReadBitForBit) { EXPECT_TRUE(is_the_record(read_state(file_, origin_))); }

TEST_F(StateFile, WithABitFlippedAnywhereIsRefusedOrSaysTheSame) {
  for (std::size_t i = 0; i < text_.size(); ++i) {
    std::string damaged = text_;
    damaged[i] = static_cast<char>(damaged[i] ^ (1 << (i % 8)));
    expect_refused_or_same(damaged);
  }
  EXPECT_GT(refused_, static_cast<int>(text_.size()) * 8 / 10);  // the rest is space between the parts
}

TEST_F(StateFile, CutShortAnywhereIsRefused) {
  int tried = 0;
  for (std::size_t size = 0; size + 2 < text_.size(); size += 3, ++tried) expect_refused_or_same(text_.substr(0, size));
  EXPECT_EQ(refused_, tried);
}

}  // namespace
}  // namespace cardan
