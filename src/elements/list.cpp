// The list of loads: one line for each, in the order in which messages and documentation name them.
#include <algorithm>
#include <mutex>
#include <stdexcept>

#include "cardan/load.hpp"
#include "cardan/specs/loads.hpp"

namespace cardan {
namespace {

std::vector<Load>& loads() {
  static std::vector<Load> list{
      SpringSpec{},
      JointSpringSpec{.torsion = true},
      JointSpringSpec{.torsion = false},
      BushingSpec{},
      FrictionSpec{},
      RotorSpec{},
      ActuatorSpec{},
      TyreSpec{},
      ForceSpec{},
      TorqueSpec{},
  };
  return list;
}

std::mutex guard;  // of the list: loads may be registered while another thread reads a model

bool is_word(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(),
                                      [](unsigned char c) { return c == '_' || (c < 128 && std::isalnum(c) != 0); });
}

}  // namespace

std::vector<Load> known_loads() {
  const std::lock_guard lock(guard);
  return loads();
}

void register_load(Load prototype) {
  const std::string name = prototype.kind().name;
  if (!is_word(name)) throw std::invalid_argument("'" + name + "' cannot name a load: use letters, digits and '_'");
  const std::lock_guard lock(guard);
  for (const Load& load : loads())
    if (load.kind().name == name) throw std::invalid_argument("there is a load called '" + name + "'");
  loads().push_back(std::move(prototype));
}

}  // namespace cardan
