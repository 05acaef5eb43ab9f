// Whole datasets, written as ADAMS View writes them, beside the same mechanisms as model files: the same motion.
#include <gtest/gtest.h>

#include <fstream>

#include "cardan/io.hpp"
#include "formats/adams_text.hpp"

namespace cardan {
namespace {

struct Dataset {
  const char* name;
  double until;
  std::vector<const char*> requests;
};

class AdamsModels : public testing::TestWithParam<Dataset> {};

TEST_P(AdamsModels, MoveAsTheModelFileDoes) {
  const auto& [name, until, requests] = GetParam();
  const std::string file = std::string(CARDAN_SOURCE_DIR) + "/tests/formats/datasets/" + name;
  const Mechanism one = read_mechanism(file + ".adm"), two = read_mechanism(file + ".yaml");
  ASSERT_EQ(one.bodies.size(), two.bodies.size());
  ASSERT_EQ(one.joints.size(), two.joints.size());
  for (const char* formulation : {"hybrid", "global"}) {
    const RunOptions options = options_of(formulation, 1e-3, until);
    const FinishedRun a = finish(one, options), b = finish(two, options);
    ASSERT_EQ(a.summary.status, RunStatus::ok) << a.summary.reason;
    ASSERT_EQ(b.summary.status, RunStatus::ok) << b.summary.reason;
    EXPECT_LT(LastSample::difference(a.last, b.last, two), 1e-7) << formulation;
    EXPECT_EQ(a.summary.degrees_of_freedom, b.summary.degrees_of_freedom);
    double motion = 0;
    for (const Body& body : two.bodies)
      motion =
          std::max(motion, (b.last.vector(body.name + ".x", body.name + ".y", body.name + ".z") - body.center).norm());
    EXPECT_GT(motion, 1e-3);
    for (const char* request : requests) EXPECT_NO_THROW(a.last[request]) << request;
  }
  // What is made of it is the same model, to the last bit.
  const Mechanism again = read_mechanism_text(import_model(file + ".adm"), "again.yaml");
  const RunOptions options = options_of("hybrid", 1e-3, until);
  EXPECT_EQ(LastSample::difference(finish(one, options).last, finish(again, options).last, one), 0);
}

INSTANTIATE_TEST_SUITE_P(Formats, AdamsModels,
                         testing::Values(Dataset{"slider_crank", 0.4, {"PISTON_x", "request_3_f2"}},
                                         Dataset{"rssr", 0.5, {"request_1_f1", "request_1_f2"}},
                                         Dataset{"suspension", 0.3, {"request_1_f1"}}),
                         [](const auto& info) { return info.param.name; });

// Each column of a request by itself; what is not understood is named and left out, even if it is broken.
TEST(Adams, RequestsNeverStandInTheWay) {
  const std::string file = testing::TempDir() + "cardan_requests.adm";
  std::ofstream(file) << "a title\n" + kArm + kHinge + "REQUEST/1, F1=ORIENT(27,1,4,1)\\F2=DX(4,1)\nEND\n";
  const std::string text = import_model(file);
  EXPECT_NE(text.find("# Left out: line 12: REQUEST/1: F1 is not understood: ORIENT is not understood\n"),
            std::string::npos)
      << text;
  const Mechanism m =
      read_adm(kArm + kHinge + "REQUEST/1, F1=DX(99,1)\\F2=DX(4,1)\\F3=\nREQUEST/2, FUNCTION=USER(1)\n");
  EXPECT_NEAR(finish(m, options_of("hybrid", 1e-3, 1e-3)).last["request_1_f2"], 400, 0.1);
}

// Cut short anywhere a dataset is refused with a line.
TEST(Adams, FilesCutShort) {
  std::ifstream stream(CARDAN_SOURCE_DIR "/tests/formats/datasets/slider_crank.adm");
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  int refused = 0;
  for (std::size_t size = 0; size + 4 < text.size(); size += 41) {
    if (size > 0 && text[size - 1] == '\n') continue;  // the end of a line may be one that was meant
    const std::string said = refusal_of(text.substr(0, size), "m.adm");
    EXPECT_EQ(said.rfind("m.adm:", 0), 0u) << size << ": " << said;
    ++refused;
  }
  EXPECT_GT(refused, 60);
  const Mechanism arm = read_mechanism_text("a title\n" + kArm + kHinge, "m.adm");
  ASSERT_EQ(arm.warnings.size(), 1u);
  EXPECT_NE(arm.warnings[0].text().find("m.adm:11:1: warning: no END follows"), std::string::npos);
}

// Words that a manual writes in full, and that may be cut short.
TEST(Adams, WordsInFull) {
  for (const char* word : {"ROT", "ROTATION", "ROTATIONAL"}) {
    const Mechanism m = read_adm(kArm + kHinge + "MOTION/1, JOINT=1, " + word + ", FUNCTION=2*TIME\n");
    EXPECT_NEAR(finish(m, options_of("hybrid", 1e-3, 0.1)).last["joint_1.q"], 0.2, 1e-12) << word;
  }
}

// z first, or with USEXP x; the other gives way.
TEST(Adams, AxesByPoints) {
  const auto axes = [](const std::string& more) {
    return read_adm(std::string(kMillimetres) + kGroundPart + "PART/2, QG=1,2,3, ZG=1,2,13, XG=11,2,8" + more +
                    ", MASS=1, CM=3, IP=1,1,1\nMARKER/3, PART=2\n")
        .bodies[0]
        .axes;
  };
  EXPECT_LT((axes("") - Mat3::Identity()).norm(), 1e-14);
  const Vec3 x = Vec3(2, 0, 1).normalized();
  Mat3 kept;
  kept << x, Vec3::UnitY(), x.cross(Vec3::UnitY());
  EXPECT_LT((axes(", USEXG") - kept).norm(), 1e-14);
}

}  // namespace
}  // namespace cardan
