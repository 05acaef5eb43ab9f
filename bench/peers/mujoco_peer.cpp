#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "peer.hpp"

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

/// A thin rod of 1 m and 1 kg along z from the body's origin, or along x.
constexpr const char* kAlongZ = "<inertial pos='0 0 0.5' mass='1' diaginertia='0.0833333333 0.0833333333 1e-9'/>";
constexpr const char* kAlongX = "<inertial pos='0.5 0 0' mass='1' diaginertia='1e-9 0.0833333333 0.0833333333'/>";

/// Rod i carries the rod to its right, whose end is tied to the top of rod i + 1.
std::string windows_xml(int count, const Setting& setting) {
  std::ostringstream xml;
  // Negative numbers: stiffness and damping of the equality constraints as accelerations, 1/s^2 and 1/s.
  xml << "<mujoco><compiler balanceinertia='false' boundinertia='0'/><option timestep='" << setting.step
      << "' integrator='RK4' gravity='0 0 -" << kGravity << "' iterations='50' tolerance='1e-12'>"
      << "<flag contact='disable' energy='enable'/></option><default><equality solref='-" << setting.stiffness << " -"
      << 2 * std::sqrt(setting.stiffness) << "' solimp='0.9999 0.9999 0.001'/></default><worldbody>";
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

class MuJoCo final : public Peer {
 public:
  std::string name() const override { return std::string("MuJoCo ") + mj_versionString(); }
  std::vector<Setting> settings() const override {
    std::vector<Setting> settings;
    for (double step : {0.02, 0.01, 0.005, 0.0025, 0.001, 0.0005}) {
      // What the explicit rule stands: stiffness times step squared below 2 or so.
      for (double hardness : {0.01, 0.05, 0.2, 0.5, 1.0})
        settings.push_back({"RK4, stiff equality constraints", step, 0, hardness / (step * step)});
    }
    return settings;
  }
  WindowRun windows(int count, const Setting& setting) override {
    const Model model = load(windows_xml(count, setting));
    const Data data(mj_makeData(model.get()));
    for (int i = 0; i <= count; ++i) {
      const int body = mj_name2id(model.get(), mjOBJ_BODY, ("rod" + std::to_string(i)).c_str());
      data->qvel[model->jnt_dofadr[model->body_jntadr[body]]] = 1;
      if (i < count) data->qvel[model->jnt_dofadr[model->body_jntadr[body + 1]]] = -1;
    }
    mj_forward(model.get(), data.get());
    const double start = data->energy[0] + data->energy[1];
    WindowRun run;
    const int steps = static_cast<int>(std::lround(kDuration / setting.step));
    for (int i = 0; i < steps; ++i) {
      const double begin = processor_seconds();
      mj_step(model.get(), data.get());
      run.seconds += processor_seconds() - begin;
      run.energy_error = std::max(run.energy_error, std::abs(data->energy[0] + data->energy[1] - start));
      for (int k = 0; k < data->nefc; ++k) run.violation = std::max(run.violation, std::abs(data->efc_pos[k]));
      if (!std::isfinite(data->energy[1]) || data->warning[mjWARN_BADQACC].number > 0) return run;
    }
    run.on_branch = true;
    const int first = mj_name2id(model.get(), mjOBJ_BODY, "rod0");
    for (int i = 1; i <= count; ++i) {
      const int body = mj_name2id(model.get(), mjOBJ_BODY, ("rod" + std::to_string(i)).c_str());
      double square = 0;
      for (int k = 0; k < 3; ++k) {
        const double d = data->xmat[9 * body + 3 * k + 2] - data->xmat[9 * first + 3 * k + 2];
        square += d * d;
      }
      run.on_branch = run.on_branch && std::sqrt(square) < 0.05;
    }
    return run;
  }
  double chain(int links) override {
    if (links > 1000) return -1;  // its matrix is full: minutes
    static constexpr const char* axes[] = {"1 0 0", "0 1 0", "0 0 1"};
    std::ostringstream xml;
    xml << "<mujoco><compiler balanceinertia='false'/><size nconmax='0' njmax='0'/><option gravity='0 0 -" << kGravity
        << "'><flag contact='disable'/></option><worldbody>";
    for (int i = 0; i < links; ++i)
      xml << "<body pos='" << (i == 0 ? 0 : kLinkLength) << " 0 0'><joint type='hinge' axis='" << axes[hinge_axis(i)]
          << "'/><inertial pos='" << kLinkLength / 2 << " 0 0' mass='1' diaginertia='" << kChainInertia[0] << ' '
          << kChainInertia[1] << ' ' << kChainInertia[2] << "'/>";
    for (int i = 0; i < links; ++i) xml << "</body>";
    xml << "</worldbody></mujoco>";
    const Model model = load(xml.str());
    const Data data(mj_makeData(model.get()));
    for (int i = 0; i < links; ++i) data->qpos[i] = hinge_angle(i), data->qvel[i] = hinge_rate(i);
    return least_time([&] {
      data->qpos[0] += 1e-9;
      mj_forward(model.get(), data.get());
    });
  }
};

}  // namespace

std::unique_ptr<Peer> make_mujoco() { return std::make_unique<MuJoCo>(); }

}  // namespace peers
