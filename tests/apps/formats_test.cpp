// `cardan import` and `cardan export`, and files of other programs wherever a model may stand.
#include "apps/program.hpp"

namespace cardan {
namespace {

class Formats : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    write("arm.urdf", R"(<robot name="arm">
  <link name="base"/>
  <link name="bar"><inertial><origin xyz="0 0 -0.5"/><mass value="2"/><inertia ixx="0.2" iyy="0.2" izz="0.01"/></inertial></link>
  <joint name="pin" type="revolute"><parent link="base"/><child link="bar"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="5" velocity="2"/></joint>
</robot>
)");
    write("friction.adm",
          "a title\nPART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=1, CM=2, IP=1,1,1\nMARKER/2, PART=2\n"
          "JOINT/1, SPHERICAL, I=2, J=1\nFRICTION/4, JOINT=1, MU_STATIC=0.3\nACCGRAV/KGRAV=-9.81\n");
  }
};

TEST_F(Formats, FilesOfOtherProgramsAreModels) {
  EXPECT_EQ(cardan("check arm.urdf").code, 0);
  const Result run = cardan("run arm.urdf --until 0.1 --out out");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.out.find("arm: done"), std::string::npos);
  write("held.yaml",
        "cardan: 1\nname: held\nsubsystems: {a: {file: arm.urdf}}\nloads: {hold: {torsion: a/pin, stiffness: 50}}\n");
  EXPECT_EQ(cardan("run held.yaml --until 0.1 --out held").code, 0);
}

TEST_F(Formats, ImportWritesModels) {
  const Result import = cardan("import arm.urdf -o arm.yaml --stops 1e4");
  EXPECT_EQ(import.code, 0) << import.err;
  EXPECT_EQ(import.out, "arm.yaml: 1 body, 1 joint\n");
  EXPECT_NE(read("arm.yaml").find("# line 3"), std::string::npos);
  EXPECT_NE(read("arm.yaml").find("stops: {min: -1, max: 1, stiffness: 10000, damping: 100}"), std::string::npos);
  EXPECT_EQ(cardan("run arm.yaml --until 0.1 --out out").code, 0);
  EXPECT_NE(cardan("import arm.urdf").out.find("cardan: 1\nname: arm\n"), std::string::npos);
}

TEST_F(Formats, WhatIsNotUnderstoodIsRefusedOrLeftOut) {
  const Result refused = cardan("import friction.adm -o friction.yaml");
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("friction.adm:7:1: error: FRICTION/4: it is not understood"), std::string::npos)
      << refused.err;
  EXPECT_EQ(cardan("run friction.adm").code, 2);
  EXPECT_EQ(cardan("import friction.adm -o friction.yaml --leave-out").code, 0);
  EXPECT_NE(read("friction.yaml").find("# Left out: line 7: FRICTION/4: it is not understood"), std::string::npos);
  const Result other = cardan("import four_bar.yaml");
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.err.find("is neither a .urdf nor an .adm file"), std::string::npos);
  EXPECT_EQ(cardan("import nowhere.urdf").code, 2);
}

TEST_F(Formats, ExportWritesFilesThatComeBack) {
  const Result urdf = cardan("export urdf four_bar.yaml -o bar.urdf");
  EXPECT_EQ(urdf.code, 0) << urdf.err;
  EXPECT_EQ(urdf.out, "bar.urdf: 3 bodies, 4 joints\nbar.yaml: what URDF has no words for; it includes bar.urdf\n");
  EXPECT_EQ(cardan("run bar.yaml --until 0.2 --out back").code, 0);
  const Result mjcf = cardan("export mjcf four_bar.yaml -o bar.xml");
  EXPECT_EQ(mjcf.code, 0) << mjcf.err;
  EXPECT_NE(read("bar.xml").find("<connect name=\"pinB1\""), std::string::npos);
  const Result unknown = cardan("export sdf four_bar.yaml");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.err.find("no format is called 'sdf'"), std::string::npos);
  // Neither replaces what it reads.
  EXPECT_EQ(cardan("export mjcf four_bar.yaml -o four_bar.yaml").code, 2);
  EXPECT_EQ(cardan("export urdf four_bar.yaml -o four_bar.urdf").code, 2);
}

}  // namespace
}  // namespace cardan
