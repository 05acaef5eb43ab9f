// Against MuJoCo, where it is installed: accelerations of robots that both read, motion of models that it is given.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <random>

#include "cardan/simulation.hpp"
#include "cardan/system.hpp"
#include "formats/random_robot.hpp"
#include "formats/robot_text.hpp"
#include "last_sample.hpp"

namespace cardan {
namespace {

struct MujocoModel {
  explicit MujocoModel(const std::string& text, const char* ending) {
    const auto file = std::filesystem::temp_directory_path() / fmt::format("cardan_mujoco_{}{}", getpid(), ending);
    std::ofstream(file) << text;
    char error[1000] = "";
    model = mj_loadXML(file.c_str(), nullptr, error, sizeof(error));
    std::filesystem::remove(file);
    if (model == nullptr) throw std::runtime_error(error);
    data = mj_makeData(model);
  }
  ~MujocoModel() {
    if (data != nullptr) mj_deleteData(data);
    if (model != nullptr) mj_deleteModel(model);
  }
  MujocoModel(const MujocoModel&) = delete;
  MujocoModel& operator=(const MujocoModel&) = delete;

  int joint(const std::string& name) const { return mj_name2id(model, mjOBJ_JOINT, name.c_str()); }
  int body(const std::string& name) const { return mj_name2id(model, mjOBJ_BODY, name.c_str()); }

  mjModel* model = nullptr;
  mjData* data = nullptr;
};

/// Largest difference of the joints' accelerations at a random state, over the largest of them.
double acceleration_error(const RandomRobot& robot, unsigned seed) {
  // Unless it is told otherwise MuJoCo fuses links that are fixed to each other, and then looks for principal axes.
  std::string text = robot.urdf;
  text.insert(text.find('>', text.find("<robot")) + 1, "<mujoco><compiler fusestatic=\"false\"/></mujoco>");
  MujocoModel there(text, ".urdf");
  const System here(read_mechanism_text(robot.urdf, "r.urdf"), "hybrid");
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto n = static_cast<Eigen::Index>(robot.joints.size());
  VecX q(n), v(n), a(n), b(n);
  std::vector<CoordinateHandle> handles;
  for (Eigen::Index i = 0; i < n; ++i) {
    q[i] = number(random), v[i] = number(random);
    handles.push_back(here.coordinate(robot.joints[static_cast<std::size_t>(i)]));
  }
  // As near as the assembly comes; MuJoCo is put where that is.
  const Context at = with_joints(here, here.start(), handles, q, v);
  for (Eigen::Index i = 0; i < n; ++i) {
    const int id = there.joint(robot.joints[static_cast<std::size_t>(i)]);
    if (id < 0) throw std::runtime_error("no joint " + robot.joints[static_cast<std::size_t>(i)]);
    const CoordinateHandle handle = handles[static_cast<std::size_t>(i)];
    there.data->qpos[there.model->jnt_qposadr[id]] = joint_position(here, at, handle);
    there.data->qvel[there.model->jnt_dofadr[id]] = joint_velocity(here, at, handle);
  }
  mj_forward(there.model, there.data);
  const VecX all = forward_dynamics(here, at).acceleration;
  for (Eigen::Index i = 0; i < n; ++i) {
    a[i] = there.data->qacc[there.model->jnt_dofadr[there.joint(robot.joints[static_cast<std::size_t>(i)])]];
    b[i] = effort_direction(here, at, handles[static_cast<std::size_t>(i)]).dot(all);
  }
  return (a - b).lpNorm<Eigen::Infinity>() / a.lpNorm<Eigen::Infinity>();
}

TEST(Mujoco, RandomTreesAccelerateAlike) {
  double worst = 0;
  std::size_t joints = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const RandomRobot robot = random_robot(seed, 30);
    joints += robot.joints.size();
    worst = std::max(worst, acceleration_error(robot, 100 + seed));
  }
  std::printf("accelerations of 20 trees of 30 links, %zu joints: %.2e\n", joints, worst);
  EXPECT_LT(worst, 1e-8);
  EXPECT_GT(joints, 400u);
}

/// How far the inertias that MuJoCo computes with are from those that it was given, for it finds principal axes to some
/// digits only: the largest over the bodies, relative.
double lost_inertia(const std::string& urdf) {
  const MujocoModel there(urdf, ".urdf");
  double worst = 0;
  for (const Body& body : read_mechanism_text(urdf, "r.urdf").bodies) {
    const int id = there.body(body.name);
    if (id < 0) continue;  // fused
    const double* q = there.model->body_iquat + 4 * id;
    const double* d = there.model->body_inertia + 3 * id;
    const Mat3 turn = Quat(q[0], q[1], q[2], q[3]).toRotationMatrix();
    const Mat3 own = body.axes.transpose() * body.inertia * body.axes;
    if (std::abs(there.model->body_mass[id] - body.mass) > 1e-12) continue;  // fused with another
    worst = std::max(worst, (turn * Vec3(d[0], d[1], d[2]).asDiagonal() * turn.transpose() - own).norm() / own.norm());
  }
  return worst;
}

TEST(Mujoco, ArmsAccelerateAlike) {
  int count = 0;
  for (const char* name : {"panda_like", "ur_like"}) {
    std::ifstream stream(std::string(CARDAN_SOURCE_DIR "/tests/formats/robots/") + name + ".urdf");
    RandomRobot robot;
    robot.urdf = {std::istreambuf_iterator<char>(stream), {}};
    // MuJoCo would look for the mesh, takes mimic joints for free ones and holds limits: none of it is in question
    // here.
    for (const char* tag : {"<visual>", "<mimic", "<limit"}) {
      const std::string end = tag[1] == 'v' ? "</visual>" : "/>";
      for (std::size_t i = robot.urdf.find(tag); i != std::string::npos; i = robot.urdf.find(tag))
        robot.urdf.erase(i, robot.urdf.find(end, i) + end.size() - i);
    }
    const bool panda = name[0] == 'p';
    if (panda)
      for (int i = 1; i <= 7; ++i) robot.joints.push_back(fmt::format("joint{}", i));
    if (panda) robot.joints.insert(robot.joints.end(), {"left_slide", "right_slide"});
    if (!panda)
      robot.joints = {"shoulder_pan_joint", "shoulder_lift_joint", "elbow_joint",
                      "wrist_1_joint",      "wrist_2_joint",       "wrist_3_joint"};
    // The inertias of one of the arms are not along its links' axes, and MuJoCo loses digits of them; the other's are.
    const double lost = lost_inertia(robot.urdf);
    std::printf("%s: inertias in MuJoCo are %.2e off\n", name, lost);
    EXPECT_EQ(lost > 1e-12, panda);
    for (unsigned seed = 1; seed <= 5; ++seed) {
      EXPECT_LT(acceleration_error(robot, seed), std::max(1e-12, 10 * lost)) << name;
      ++count;
    }
  }
  EXPECT_EQ(count, 10);
}

/// Where the bodies' mass centres are at the end, the largest distance between both engines.
double motion_error(Mechanism mechanism, double until, double step) {
  mechanism.simulation.step = step;
  const ExportedModel exported = export_mjcf(mechanism);
  MujocoModel there(exported.text, ".xml");
  if (there.model->nkey > 0) {
    mju_copy(there.data->qpos, there.model->key_qpos, there.model->nq);
    mju_copy(there.data->qvel, there.model->key_qvel, there.model->nv);
  }
  for (int i = 0; i < static_cast<int>(std::lround(until / step)); ++i) mj_step(there.model, there.data);
  mj_forward(there.model, there.data);
  const LastSample last = finish(mechanism, options_of("hybrid", 2e-4, until, "rk4")).last;
  double worst = 0;
  for (const Body& body : mechanism.bodies) {
    const int id = there.body(body.name);
    if (id < 0) throw std::runtime_error("no body " + body.name);
    const double* x = there.data->xipos + 3 * id;
    Vec3 here(last[body.name + ".x"], last[body.name + ".y"], 0);
    if (!mechanism.planar) here.z() = last[body.name + ".z"];
    worst = std::max(worst, (here - Vec3(x[0], x[1], x[2])).norm());
  }
  return worst;
}

TEST(Mujoco, TreesMoveAlike) {
  const Mechanism chain = read_mechanism_text(R"(cardan: 1
gravity: [1, 2, -9]
bodies:
  a: {box: [0.4, 0.3, 0.2], at: [0.1, 0.2, 0.3], mass: 3, axes: {x: [1, 1, 0], z: [0, 0, 1]}}
  b: {box: [0.4, 0.1, 0.2], at: [0.6, 0.2, 0.3], mass: 2}
  c: {box: [0.1, 0.3, 0.2], at: [1.1, 0.2, 0.5], mass: 1}
  d: {box: [0.1, 0.3, 0.3], at: [1.1, 0.7, 0.5], mass: 1}
  e: {box: [0.2, 0.3, 0.3], at: [1.1, 0.7, 0.9], mass: 1}
  f: {box: [0.2, 0.1, 0.3], at: [0.3, 1.7, 0.9], mass: 1}
  g: {box: [0.2, 0.1, 0.1], at: [0.3, 1.7, 1.4], mass: 1}
joints:
  j1: {revolute: [ground, a], at: [0, 0, 0], axis: [1, 0, 2], drawn: 0.3}
  j2: {universal: [b, a], at: [0.4, 0.2, 0.3], axes: [[0, 1, 0], [0, 0, 1]]}
  j3: {cylindrical: [b, c], at: [0.9, 0.2, 0.4], axis: [1, 1, 1]}
  j4: {pin_slot: [c, d], at: [1.1, 0.5, 0.5], axis: x, x_axis: y}
  j5: {prismatic: [e, d], at: [1.1, 0.7, 0.7], axis: z}
  j6: {free: [ground, f]}
  j7: {spherical: [f, g], at: [0.3, 1.7, 1.2]}
loads:
  rub: {torsion: j1, damping: 0.5, stiffness: 3, free_angle: 0.1}
  motor: {rotor: j5, inertia: 0.01, gear: 5}
initial:
  j1: {position: 0.5, velocity: 1}
  j5: {position: 0.05, velocity: -0.2}
  f: {velocity: [0.1, 0.2, 0.3], angular_velocity: [1, -1, 0.5]}
  g: {angular_velocity: [0, 1, 0]}
)",
                                              "chain.yaml");
  const double error = motion_error(chain, 0.5, 1e-4);
  std::printf("a chain of all joints after 0.5 s: %.2e m\n", error);
  EXPECT_LT(error, 1e-6);
}

// MuJoCo keeps loops softly: the smaller its step, the nearer.
TEST(Mujoco, LoopsMoveAlikeAsFarAsTheyAreKept) {
  int count = 0;
  for (const char* name : {"four_bar", "double_four_bar"}) {
    const double error =
        motion_error(read_mechanism(std::string(CARDAN_SOURCE_DIR "/models/") + name + ".yaml"), 0.5, 1e-4);
    std::printf("%s after 0.5 s: %.2e m\n", name, error);
    EXPECT_LT(error, 2e-3) << name;
    ++count;
  }
  EXPECT_EQ(count, 2);
}

}  // namespace
}  // namespace cardan
