#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "peer.hpp"
#include "vehicle.hpp"

namespace peers {
namespace {

struct FreeModel {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
};
struct FreeData {
  void operator()(mjData* data) const { mj_deleteData(data); }
};
using Model = std::unique_ptr<mjModel, FreeModel>;
using Data = std::unique_ptr<mjData, FreeData>;

Model load(const std::string& xml) {
  const auto file = std::filesystem::temp_directory_path() / "cardan_peers_bench.xml";
  std::ofstream(file) << xml;
  char error[500] = "";
  Model model(mj_loadXML(file.c_str(), nullptr, error, sizeof error));
  std::filesystem::remove(file);
  if (!model) throw std::runtime_error(std::string("MuJoCo: ") + error);
  return model;
}

constexpr const char* kAxes[] = {"1 0 0", "0 1 0", "0 0 1"};
/// A thin rod of 1 m and 1 kg along z from the body's origin, or along x.
constexpr const char* kAlongZ = "<inertial pos='0 0 0.5' mass='1' diaginertia='0.0833333333 0.0833333333 1e-9'/>";
constexpr const char* kAlongX = "<inertial pos='0.5 0 0' mass='1' diaginertia='1e-9 0.0833333333 0.0833333333'/>";

/// "CG RK4": solver and integrator.
std::string options_xml(const Setting& setting, const char* gravity) {
  const std::size_t space = setting.name.find(' ');
  std::ostringstream xml;
  // Negative numbers: stiffness and damping of the equality constraints as accelerations, 1/s^2 and 1/s.
  xml << "<compiler balanceinertia='false' boundinertia='0'/><option timestep='" << setting.step << "' solver='"
      << setting.name.substr(0, space) << "' integrator='" << setting.name.substr(space + 1) << "' gravity='" << gravity
      << "' iterations='50' tolerance='1e-12'><flag contact='disable' energy='enable'/></option>";
  if (setting.stiffness > 0)
    xml << "<default><equality solref='-" << setting.stiffness << " -" << 2 * std::sqrt(setting.stiffness)
        << "' solimp='0.9999 0.9999 0.001'/></default>";
  return xml.str();
}

/// Rod i carries the rod to its right, whose end is tied to the top of rod i + 1.
std::string windows_xml(int count, const Setting& setting) {
  std::ostringstream xml;
  xml << "<mujoco>" << options_xml(setting, "0 0 -9.81") << "<size njmax='" << 3 * count + 500 << "'/><worldbody>";
  for (int i = 0; i <= count; ++i) {
    xml << "<body name='rod" << i << "' pos='" << i << " 0 0'><joint type='hinge' axis='0 1 0'/>" << kAlongZ;
    if (i < count)
      xml << "<body name='coupler" << i << "' pos='0 0 1'><joint type='hinge' axis='0 1 0'/>" << kAlongX << "</body>";
    xml << "</body>";
  }
  xml << "</worldbody><equality>";
  for (int i = 0; i < count; ++i)
    xml << "<connect body1='coupler" << i << "' body2='rod" << i + 1 << "' anchor='1 0 0'/>";
  xml << "</equality></mujoco>";
  return xml.str();
}

/// The last rod is tied to the ground at two points of its hinge's axis, x.
std::string bricard_xml(const Setting& setting) {
  std::ostringstream xml;
  xml << "<mujoco>" << options_xml(setting, "0 -9.81 0") << "<worldbody>";
  for (int i = 0; i < kRods; ++i) {
    double along[3], from[3];
    for (int k = 0; k < 3; ++k) {
      along[k] = kCubeCorner[i + 1][k] - kCubeCorner[i][k];
      from[k] = i == 0 ? 0 : kCubeCorner[i][k] - kCubeCorner[i - 1][k];
    }
    xml << "<body name='rod" << i << "' pos='" << from[0] << ' ' << from[1] << ' ' << from[2]
        << "'><joint type='hinge' axis='" << kAxes[bricard_axis(i)] << "'/><inertial pos='" << along[0] / 2 << ' '
        << along[1] / 2 << ' ' << along[2] / 2 << "' mass='1' diaginertia='";
    for (int k = 0; k < 3; ++k) xml << (along[k] != 0 ? 1e-9 : 1. / 12) << (k < 2 ? " " : "");
    xml << "'/>";
  }
  for (int i = 0; i < kRods; ++i) xml << "</body>";
  // From rod 4's own origin, (0 -1 1), to the ground's hinge at (0 0 1).
  xml << "</worldbody><equality><connect body1='rod4' body2='world' anchor='-0.5 1 0'/>"
      << "<connect body1='rod4' body2='world' anchor='0.5 1 0'/></equality></mujoco>";
  return xml.str();
}

std::string chain_xml(int links, const std::string& options) {
  std::ostringstream xml;
  xml << "<mujoco>" << options << "<size nconmax='0' njmax='0'/><worldbody>";
  for (int i = 0; i < links; ++i)
    xml << "<body pos='" << (i == 0 ? 0 : kLinkLength) << " 0 0'><joint type='hinge' axis='" << kAxes[hinge_axis(i)]
        << "'/><inertial pos='" << kLinkLength / 2 << " 0 0' mass='1' diaginertia='" << kChainInertia[0] << ' '
        << kChainInertia[1] << ' ' << kChainInertia[2] << "'/>";
  for (int i = 0; i < links; ++i) xml << "</body>";
  xml << "</worldbody></mujoco>";
  return xml.str();
}

std::string triple(const Triple& v) {
  std::ostringstream text;
  text.precision(12);
  text << v[0] << ' ' << v[1] << ' ' << v[2];
  return text.str();
}
Triple minus(const Triple& a, const Triple& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

/// Chassis on two slides and a ball; at each corner an arm that carries the wheel, and a leaf that is tied to it. Tie
/// rods are tendons of constant length. Origins of bodies are their mass centres as drawn, but for arms and leaves.
std::string vehicle_xml(const Setting& setting) {
  using namespace vehicle;
  std::ostringstream xml, ties, tendons;
  xml << "<mujoco>" << options_xml(setting, "0 0 -9.81") << "<worldbody><body name='chassis' pos='"
      << triple(kChassisCenter) << "'><joint type='slide' axis='0 1 0'/><joint type='slide' axis='0 0 1'/>"
      << "<joint type='ball'/><inertial pos='0 0 0' mass='" << kChassisMass << "' diaginertia='"
      << triple(kChassisInertia) << "'/>";
  for (int i = 0; i < 4; ++i) {
    const Corner& c = kCorners[i];
    const Triple center = kChassisCenter, arm = minus(c.arm_out(), c.arm_in()), leaf = minus(c.leaf_out(), c.leaf_in());
    const double turn = std::atan2(arm[2], arm[1]), half = turn / 2,
                 square = (leaf[1] * leaf[1] + leaf[2] * leaf[2]) / 12;
    const auto site = [&](const char* name, const Triple& at, const Triple& origin) {
      xml << "<site name='" << name << i << "' pos='" << triple(minus(at, origin)) << "'/>";
    };
    site("tie_in", c.tie_in(), center), site("top", c.leaf_top(), center), site("shock_top", c.shock_top(), center);
    xml << "<body name='arm" << i << "' pos='" << triple(minus(c.arm_in(), center))
        << "'><joint type='hinge' axis='1 0 0'/><inertial pos='" << triple(minus(c.arm_center(), c.arm_in()))
        << "' quat='" << std::cos(half) << ' ' << std::sin(half) << " 0 0' mass='" << kArmMass << "' diaginertia='"
        << triple(kArmInertia) << "'/>";
    site("shock_foot", c.shock_foot(), c.arm_in());
    xml << "<body name='wheel" << i << "' pos='" << triple(arm) << "'><joint type='ball'/><inertial pos='"
        << triple(minus(c.wheel(), c.arm_out())) << "' mass='" << kWheelMass << "' diaginertia='"
        << triple(kWheelInertia) << "'/>";
    site("tie_out", c.tie_out(), c.arm_out());
    xml << "</body></body><body name='leaf" << i << "' pos='" << triple(minus(c.leaf_in(), center))
        << "'><joint type='hinge' axis='1 0 0'/><inertial pos='" << triple({0, leaf[1] / 2, leaf[2] / 2}) << "' mass='"
        << kLeafMass << "' fullinertia='" << kLeafMass * square << ' ' << kLeafMass * leaf[2] * leaf[2] / 12 + 1e-12
        << ' ' << kLeafMass * leaf[1] * leaf[1] / 12 + 1e-12 << " 0 0 " << -kLeafMass * leaf[1] * leaf[2] / 12 << "'/>";
    site("leaf_end", c.leaf_out(), c.leaf_in());
    xml << "</body>";
    ties << "<connect body1='leaf" << i << "' body2='wheel" << i << "' anchor='" << triple(leaf)
         << "'/><tendon tendon1='tie" << i << "'/>";
    tendons << "<spatial name='tie" << i << "'><site site='tie_in" << i << "'/><site site='tie_out" << i
            << "'/></spatial>";
  }
  xml << "</body></worldbody><tendon>" << tendons.str() << "</tendon><equality>" << ties.str()
      << "</equality></mujoco>";
  return xml.str();
}

/// Tyres, leaf springs and shock absorbers, as MuJoCo asks for passive forces in every evaluation.
struct VehicleForces {
  int chassis, wheel[4], arm[4], leaf[4], top[4], end[4], shock_top[4], shock_foot[4];

  explicit VehicleForces(const mjModel& model) {
    const auto body = [&](const std::string& name) { return mj_name2id(&model, mjOBJ_BODY, name.c_str()); };
    const auto site = [&](const std::string& name) { return mj_name2id(&model, mjOBJ_SITE, name.c_str()); };
    chassis = body("chassis");
    for (int i = 0; i < 4; ++i) {
      const std::string number = std::to_string(i);
      wheel[i] = body("wheel" + number), arm[i] = body("arm" + number), leaf[i] = body("leaf" + number);
      top[i] = site("top" + number), end[i] = site("leaf_end" + number);
      shock_top[i] = site("shock_top" + number), shock_foot[i] = site("shock_foot" + number);
    }
  }

  void apply(const mjModel* m, mjData* d) const {
    using namespace vehicle;
    for (int i = 0; i < 4; ++i) {
      const double* center = d->xipos + 3 * wheel[i];
      const auto [fx, fz] = tyre_force(center[0] + kSpeed * d->time, center[2], kCorners[i].radius);
      const double force[3] = {fx, 0, fz};
      push(m, d, wheel[i], center, force, 1);
      // Along the chassis's own z, downward.
      const double *seat = d->site_xpos + 3 * top[i], *foot = d->site_xpos + 3 * end[i];
      double down[3], distance = 0;
      for (int k = 0; k < 3; ++k) {
        down[k] = -d->xmat[9 * chassis + 3 * k + 2];
        distance += (foot[k] - seat[k]) * down[k];
      }
      pull(m, d, chassis, leaf[i], foot, down, leaf_force(distance));
      const double *upper = d->site_xpos + 3 * shock_top[i], *lower = d->site_xpos + 3 * shock_foot[i];
      double along[3], upper_velocity[6], lower_velocity[6], length = 0, rate = 0;
      for (int k = 0; k < 3; ++k) along[k] = lower[k] - upper[k], length += along[k] * along[k];
      length = std::sqrt(length);
      mj_objectVelocity(m, d, mjOBJ_SITE, shock_top[i], upper_velocity, 0);
      mj_objectVelocity(m, d, mjOBJ_SITE, shock_foot[i], lower_velocity, 0);
      for (int k = 0; k < 3; ++k)
        along[k] /= length, rate += along[k] * (lower_velocity[3 + k] - upper_velocity[3 + k]);
      pull(m, d, chassis, arm[i], lower, along, shock_force(length, rate));
    }
  }

 private:
  static void push(const mjModel* m, mjData* d, int body, const double* at, const double* force, double factor) {
    const double scaled[3] = {factor * force[0], factor * force[1], factor * force[2]}, none[3] = {0, 0, 0};
    mj_applyFT(m, d, scaled, none, at, body, d->qfrc_passive);
  }
  /// A tension along `along`, from body 1 to body 2, whose line goes through `at`.
  static void pull(const mjModel* m, mjData* d, int body1, int body2, const double* at, const double* along,
                   double tension) {
    push(m, d, body1, at, along, tension);
    push(m, d, body2, at, along, -tension);
  }
};
const VehicleForces* acting = nullptr;

int body_of(const mjModel& model, const char* name, int i) {
  return mj_name2id(&model, mjOBJ_BODY, (name + std::to_string(i)).c_str());
}

bool rods_are_parallel(const mjModel& model, const mjData& data, int windows) {
  const int first = body_of(model, "rod", 0);
  for (int i = 1; i <= windows; ++i) {
    const int body = body_of(model, "rod", i);
    double square = 0;
    for (int k = 0; k < 3; ++k) {
      const double d = data.xmat[9 * body + 3 * k + 2] - data.xmat[9 * first + 3 * k + 2];
      square += d * d;
    }
    if (std::sqrt(square) >= 0.05) return false;
  }
  return true;
}

class MuJoCo final : public Peer {
 public:
  std::string name() const override { return std::string("MuJoCo ") + mj_versionString(); }
  std::vector<std::vector<Setting>> settings(Problem problem) const override {
    std::vector<std::vector<Setting>> families;
    const auto steps = {0.1, 0.07, 0.05, 0.03, 0.02, 0.01, 0.005, 0.0025, 0.001, 0.0005, 0.00025};
    if (problem == Problem::chain) {
      for (const char* rule : {"Newton RK4", "Newton implicit"}) {
        families.emplace_back();
        for (double step : steps) families.back().push_back({rule, step});
      }
      return families;
    }
    // What the explicit rule stands: stiffness times step squared below 2 or so.
    for (const char* rule : {"Newton RK4", "CG RK4", "PGS RK4", "Newton implicit"}) {
      for (double hardness : {0.01, 0.05, 0.2, 0.5, 1.0}) {
        families.emplace_back();
        for (double step : steps) families.back().push_back({rule, step, 0, hardness / (step * step)});
      }
    }
    return families;
  }
  ProblemRun run(Problem problem, int size, const Setting& setting) override {
    if (problem == Problem::chain && size > 1000) return {};  // its matrix is full: minutes
    const Model model = load(problem == Problem::windows   ? windows_xml(size, setting)
                             : problem == Problem::bricard ? bricard_xml(setting)
                             : problem == Problem::vehicle ? vehicle_xml(setting)
                                                           : chain_xml(size, options_xml(setting, "0 0 -9.81")));
    const Data data(mj_makeData(model.get()));
    start(problem, size, *model, *data);
    const VehicleForces forces(*model);
    acting = problem == Problem::vehicle ? &forces : nullptr;
    mjcb_passive = acting ? +[](const mjModel* m, mjData* d) { acting->apply(m, d); } : mjfGeneric(nullptr);
    vehicle::HeightError height;
    mj_forward(model.get(), data.get());
    const double energy = data->energy[0] + data->energy[1];
    ProblemRun run;
    const int steps = static_cast<int>(std::lround(duration(problem) / setting.step));
    for (int i = 0; i < steps; ++i) {
      const double begin = processor_seconds();
      mj_step(model.get(), data.get());
      run.seconds += processor_seconds() - begin;
      if (acting) {
        height.see(data->time, data->qpos[1] + vehicle::kChassisCenter[2]);
        run.error = height.value();
      } else {
        run.error = std::max(run.error, std::abs(data->energy[0] + data->energy[1] - energy));
      }
      for (int k = 0; k < data->nefc; ++k) run.violation = std::max(run.violation, std::abs(data->efc_pos[k]));
      const bool lost = !std::isfinite(data->energy[1]) || data->warning[mjWARN_BADQACC].number > 0;
      if (lost || run.seconds > kMostSeconds) return run;
    }
    run.is_right = problem != Problem::windows || rods_are_parallel(*model, *data, size);
    return run;
  }
  double chain(int links) override {
    if (links > 1000) return -1;  // its matrix is full: minutes
    const Model model = load(chain_xml(links, options_xml({"Newton RK4", 0.001}, "0 0 -9.81")));
    const Data data(mj_makeData(model.get()));
    start(Problem::chain, links, *model, *data);
    return least_time([&] {
      data->qpos[0] += 1e-9;
      mj_forward(model.get(), data.get());
    });
  }

 private:
  static void start(Problem problem, int size, const mjModel& model, mjData& data) {
    if (problem == Problem::chain) {
      for (int i = 0; i < size; ++i) data.qpos[i] = hinge_angle(i), data.qvel[i] = hinge_rate(i);
    } else if (problem == Problem::windows) {
      for (int i = 0; i <= size; ++i) {
        const int body = body_of(model, "rod", i);
        data.qvel[model.jnt_dofadr[model.body_jntadr[body]]] = 1;
        if (i < size) data.qvel[model.jnt_dofadr[model.body_jntadr[body + 1]]] = -1;
      }
    }
  }
};

}  // namespace

std::unique_ptr<Peer> make_mujoco() {
  mju_user_warning = [](const char*) {};  // runs that are lost are counted
  return std::make_unique<MuJoCo>();
}

}  // namespace peers
