#include "system/load_list.hpp"

#include <stdexcept>

#include "mechanism/phases.hpp"
#include "mechanism/quantities.hpp"
#include "options/unknown_name.hpp"

namespace cardan {
namespace {

std::vector<std::string> load_names(const Mechanism& mechanism) {
  std::vector<std::string> names;
  visit_switchable(mechanism, [&](const auto& elements) {
    for (const auto& element : elements)
      if constexpr (!std::is_same_v<std::decay_t<decltype(element)>, Driver>) names.push_back(element.name);
  });
  return names;
}

}  // namespace

template <int D>
int LoadList<D>::find(const std::string& name) const {
  index_of_name("load", name, load_names(mechanism_));
  const std::lock_guard lock(guard_);
  const auto [place, is_new] = index_.try_emplace(name, static_cast<int>(models_.size()));
  if (is_new) models_.push_back(std::make_unique<const BodyModel<D>>(with_load_alone(mechanism_, name)));
  return place->second;
}

template <int D>
void LoadList<D>::check(LoadHandle load) const {
  const std::lock_guard lock(guard_);
  if (load.index >= 0 && load.index < std::ssize(models_)) return;
  throw std::invalid_argument("this handle is of no load of '" + mechanism_.name + "'; System::load() gives them");
}

template <int D>
const BodyModel<D>& LoadList<D>::model(int load) const {
  const std::lock_guard lock(guard_);
  return *models_[static_cast<std::size_t>(load)];
}

template <int D>
LoadEffort LoadList<D>::effort(int load, double t, const BodyKinematics<D>& k, const VecX& turns) const {
  const BodyModel<D>& alone = model(load);
  const Mechanism& mechanism = alone.mechanism();
  const auto &scalars = alone.scalar_loads(), &efforts = alone.efforts();
  const std::size_t springs = mechanism.springs.size() + mechanism.joint_springs.size();
  const bool others = scalars.size() > springs || !mechanism.forces.empty() || !mechanism.torques.empty() ||
                      !mechanism.tyres.empty() || !mechanism.contacts.empty() || !mechanism.custom_wrenches.empty();
  const bool driven = efforts.size() == 1 && !mechanism.actuators.empty() &&
                      springs_beside(mechanism, mechanism.actuators.front()).size() == scalars.size();
  if (others || !(driven || scalars.size() + efforts.size() == 1)) {
    throw std::invalid_argument(
        "this load acts on more than one length or coordinate; load_wrench() and load_forces() have what it does");
  }
  LoadEffort found;
  const auto length = [&](const Measure<D>& measure, int turns_of) {
    const double own = measure.value(k);
    return turns_of < 0 ? own : nearest_turn(own, turns[turns_of]);
  };
  for (const auto& spring : scalars) {
    found.length = length(spring.measure, spring.turns_of);
    found.effort += (driven ? -1 : 1) * alone.tension(spring, k, turns);
  }
  for (const auto& effort : efforts) {
    int turns_of = -1;
    if (driven) {
      const Actuator& actuator = mechanism.actuators.front();
      const int index = alone.coordinate_index(actuator.joint, actuator.coordinate);
      if (alone.joint_coordinates()[index].angular) turns_of = index;
    }
    found.length = length(effort.measure, turns_of);
    found.effort += alone.value(effort.law, t, k);
  }
  return found;
}

template class LoadList<2>;
template class LoadList<3>;

}  // namespace cardan
