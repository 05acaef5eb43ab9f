// What large models cost before the first step: seconds, and a sentence where they are too large.
#include <fmt/format.h>
#include <sys/resource.h>

#include "program.hpp"

namespace cardan {
namespace {

class ResourcesTest : public ProgramTest {
 protected:
  /// Processor time of a command, s, which others on the machine hardly change.
  double seconds(const std::string& arguments, int code) const {
    const auto used = [] {
      rusage usage{};
      getrusage(RUSAGE_CHILDREN, &usage);
      const auto of = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
      };
      return of(usage.ru_utime) + of(usage.ru_stime);
    };
    const double before = used();
    const Result result = cardan(arguments);
    EXPECT_EQ(result.code, code) << result.err.substr(0, 300);
    return used() - before;
  }
  static std::string chain(int bodies) {
    std::string text = "cardan: 1\nname: chain\nplanar: true\nbodies:\n", joints = "joints:\n";
    for (int i = 0; i < bodies; ++i) {
      text += fmt::format("  b{}: {{rod: [[{}, 0], [{}, 0]], mass: 1}}\n", i, i, i + 1);
      joints += fmt::format("  j{}: {{revolute: [{}, b{}], at: [{}, 0]}}\n", i,
                            i == 0 ? "ground" : fmt::format("b{}", i - 1), i, i);
    }
    return text + joints;
  }
};

TEST_F(ResourcesTest, AChainOfAThousandBodiesIsChecked) {
  write("chain.yaml", chain(1000));
  EXPECT_LT(seconds("check chain.yaml", 0), 5);
}

TEST_F(ResourcesTest, TooManyBodiesAreRefusedByNumber) {
  write("chain.yaml", chain(10001));
  const Result result = cardan("check chain.yaml");
  EXPECT_EQ(result.code, 2);
  EXPECT_TRUE(contains(result.err, "the model has 10001 bodies, but at most 10000 are taken")) << result.err;
}

TEST_F(ResourcesTest, FiftyThousandNamesAreReadAndDuplicatesFound) {
  std::string text = "cardan: 1\nname: many\nplanar: true\nparameters:\n";
  for (int i = 0; i < 50000; ++i) text += fmt::format("  p{}: {}\n", i, i);
  text += "bodies: {b: {mass: 1, center: [0, 0], inertia: 1}}\njoints: {f: {free: [ground, b]}}\n";
  write("many.yaml", text);
  EXPECT_LT(seconds("check many.yaml", 0), 3);
  text.insert(text.find("bodies:"), "  p77: 1\n");
  write("twice.yaml", text);
  const Result twice = cardan("check twice.yaml");
  EXPECT_EQ(twice.code, 2);
  EXPECT_TRUE(contains(twice.err, "'p77' is given twice (first on line 82)")) << twice.err;
}

}  // namespace
}  // namespace cardan
