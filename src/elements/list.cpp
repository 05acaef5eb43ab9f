// The list of elements: one line for each kind, in the order in which messages name them.
#include <algorithm>
#include <cctype>
#include <mutex>
#include <stdexcept>

#include "cardan/element.hpp"
#include "cardan/specs/air_spring.hpp"
#include "cardan/specs/contact.hpp"
#include "cardan/specs/hydraulics.hpp"
#include "cardan/specs/joints.hpp"
#include "cardan/specs/loads.hpp"
#include "cardan/specs/pid.hpp"
#include "cardan/specs/slip_tyre.hpp"
#include "cardan/specs/velocity_constraints.hpp"

namespace cardan {
namespace {

std::vector<Element>& elements() {
  static std::vector<Element> list{
      SpringSpec{},
      AirSpringSpec{},
      JointSpringSpec{.torsion = true},
      JointSpringSpec{.torsion = false},
      StopSpec{},
      BushingSpec{},
      FrictionSpec{},
      BrakeSpec{},
      RotorSpec{},
      ActuatorSpec{},
      TyreSpec{},
      SlipTyreSpec{},
      ContactSpec{},
      LineForceSpec{},
      CylinderSpec{},
      HydraulicMotorSpec{},
      ValveSpec{},
      PumpSpec{},
      AccumulatorSpec{},
      PidSpec{},
      ForceSpec{},
      TorqueSpec{},
      CouplerSpec{.rack = false},
      CouplerSpec{.rack = true},
      DriverSpec{.joint = Name()},
      DriverSpec{},
      PathSpec{},
      KnifeEdgeSpec{},
      RollingSpec{},
  };
  return list;
}

std::mutex guard;  // of the list: elements may be registered while another thread reads a model

bool is_word(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(),
                                      [](unsigned char c) { return c == '_' || (c < 128 && std::isalnum(c) != 0); });
}

}  // namespace

std::vector<Element> known_elements() {
  const std::lock_guard lock(guard);
  return elements();
}

void register_element(Element prototype) {
  const std::string name = prototype.kind().name, section = prototype.kind().section;
  if (!is_word(name)) throw std::invalid_argument("'" + name + "' names no element: use letters, digits and '_'");
  const std::lock_guard lock(guard);
  bool is_section = false;
  for (const Element& element : elements()) {
    if (element.kind().section != section) continue;
    is_section = true;
    if (element.kind().name == name) throw std::invalid_argument("there is a " + section + " called '" + name + "'");
  }
  if (!is_section) throw std::invalid_argument("an element is a load, coupler, driver or constraint, not a " + section);
  elements().push_back(std::move(prototype));
}

}  // namespace cardan
