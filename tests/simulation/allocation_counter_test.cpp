#include "simulation/allocation_counter.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

#include "cardan/csv_sink.hpp"

namespace cardan {
namespace {

TEST(AllocationCounter, SeesEveryWayToAllocate) {
  ASSERT_NE(allocation_counter, nullptr);
  const auto count = [](auto allocate, auto release) {
    const std::uint64_t before = allocation_counter();
    void* volatile memory = allocate();  // volatile, or the compiler leaves the pair out
    const std::uint64_t after = allocation_counter();
    release(memory);
    return after - before;
  };
  const auto free = [](void* memory) { std::free(memory); };
  EXPECT_EQ(count([] { return std::malloc(8); }, free), 1U);
  EXPECT_EQ(count([] { return std::calloc(2, 8); }, free), 1U);
  EXPECT_EQ(count([] { return std::realloc(nullptr, 8); }, free), 1U);
  EXPECT_EQ(count([] { return std::aligned_alloc(64, 128); }, free), 1U);
  const auto aligned = [] {
    void* memory = nullptr;
    return posix_memalign(&memory, 64, 128) == 0 ? memory : nullptr;
  };
  EXPECT_EQ(count(aligned, free), 1U);
  EXPECT_EQ(count([] { return ::operator new(8); }, [](void* memory) { ::operator delete(memory); }), 1U);
  EXPECT_EQ(count([]() -> void* { return nullptr; }, free), 0U);
}

TEST(AllocationCounter, CountsEachThreadForItself) {
  const std::uint64_t before = allocation_counter();
  std::uint64_t in_thread = 0;
  std::thread thread([&in_thread] {
    const std::uint64_t start = allocation_counter();
    for (int i = 0; i < 100; ++i) {
      void* volatile memory = std::malloc(8);
      std::free(memory);
    }
    in_thread = allocation_counter() - start;
  });
  thread.join();
  EXPECT_EQ(in_thread, 100U);
  EXPECT_LT(allocation_counter() - before, 100U);
}

TEST(AllocationCounter, CsvSinkSamplesWithoutAllocation) {
  CsvSink sink("/dev/null");
  sink.start(std::vector<std::string>(50, "x"));
  const std::vector<double> row(50, 1.0 / 3);
  const std::uint64_t before = allocation_counter();
  for (int i = 0; i < 100000; ++i) sink.sample(row.data(), row.size());
  EXPECT_EQ(allocation_counter() - before, 0U);
  sink.finish();
}

}  // namespace
}  // namespace cardan
