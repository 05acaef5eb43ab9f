#include "mechanism/subsystem.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cardan {

namespace {

template <class Spec>
void add_names(const std::vector<Spec>& specs, std::vector<std::string>& names) {
  for (const Spec& spec : specs) names.push_back(spec.name.value);
}

void add_names(const std::vector<Element>& elements, std::vector<std::string>& names) {
  for (const Element& element : elements) names.push_back(element.name().value);
}

std::vector<std::string> all_names(const MechanismSpec& spec) {
  std::vector<std::string> names;
  add_names(spec.points, names);
  add_names(spec.bodies, names);
  add_names(spec.markers, names);
  add_names(spec.joints, names);
  add_names(spec.roads, names);
  add_names(spec.elements, names);
  add_names(spec.inputs, names);
  add_names(spec.states, names);
  add_names(spec.signals, names);
  add_names(spec.companions, names);
  return names;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void check_placement(const MechanismSpec& part, const SubsystemUse& use, const MechanismSpec& whole,
                     const std::string& element, Problems& problems) {
  const Placement& placement = use.placement;
  const auto word = [](bool planar) { return planar ? "planar" : "spatial"; };
  if (part.planar != whole.planar)
    problems.error(use.name.where, element,
                   fmt::format("the model is {}, but {} is {}", word(whole.planar),
                               part.file.empty() ? "the subsystem" : "'" + part.file + "'", word(part.planar)),
                   "both must be planar, or none");
  if (whole.planar && placement.mirror[2])
    problems.error(use.name.where, element, "a planar model has no mirror image about z", "mirror it about x or y");
  const bool rotation =
      (placement.turn.transpose() * placement.turn).isIdentity(1e-9) && placement.turn.determinant() > 0;
  if (!rotation || !placement.at.allFinite())
    problems.error(use.name.where, element, "its placement is not a rotation and a finite position");
  if (whole.planar && rotation && (placement.at.z() != 0 || !placement.turn.col(2).isApprox(Vec3::UnitZ(), 1e-12)))
    problems.error(use.name.where, element, "its placement leaves the plane", "turn it about z, and leave z at 0");
}

void check_connections(const MechanismSpec& part, const SubsystemUse& use, const std::string& element,
                       Problems& problems) {
  std::vector<std::string> connections;
  add_names(part.connections, connections);
  for (const ConnectionSpec& connection : part.connections) {
    const std::string& name = connection.name.value;
    if (contains(names_of_kind(part, connection.kind), name))
      problems.error(connection.name.where, element_label("connection", name),
                     fmt::format("the subsystem has a {} of that name", connection.kind), "rename one of the two");
    if (use.connect.count(name) == 0)
      problems.error(use.name.where, element, fmt::format("connection '{}' is left open", name),
                     fmt::format("add 'connect: {{{}: {}}}'", name, connection.kind == "body" ? "BODY" : "NAME"));
  }
  for (const auto& [name, target] : use.connect)
    if (!contains(connections, name))
      problems.error(target.where, element, fmt::format("the subsystem has no connection '{}'", name),
                     suggestion(name, connections, "its connections are"));
}

void check_renaming(const MechanismSpec& part, const SubsystemUse& use, const std::string& element,
                    Problems& problems) {
  const std::vector<std::string> names = all_names(part);
  for (const auto& [name, target] : use.rename)
    if (!contains(names, name))
      problems.error(target.where, element, fmt::format("the subsystem has no element '{}' to rename", name),
                     suggestion(name, names, "its elements are"));
}

}  // namespace

std::vector<std::string> connection_kinds() { return {"body", "joint", "point", "road", "load", "signal"}; }

std::vector<std::string> names_of_kind(const MechanismSpec& spec, std::string_view kind) {
  std::vector<std::string> names;
  if (kind == "body") add_names(spec.bodies, names);
  if (kind == "joint") add_names(spec.joints, names);
  if (kind == "road") add_names(spec.roads, names);
  if (kind == "load") {
    for (const Element& element : spec.elements)
      if (std::string_view(element.kind().section) == kind) names.push_back(element.name().value);
  }
  if (kind == "load or driver") {
    for (const Element& element : spec.elements)
      if (element.kind().switchable) names.push_back(element.name().value);
  }
  if (kind == "point") {
    add_names(spec.points, names);
    add_names(spec.markers, names);
  }
  if (kind == "signal") {
    add_names(spec.inputs, names);
    add_names(spec.states, names);
    add_names(spec.signals, names);
  }
  return names;
}

std::string outer_name(const SubsystemUse& use, const std::string& name) {
  if (const auto given = use.rename.find(name); given != use.rename.end()) return given->second.value;
  return use.name.value.empty() ? name : use.name.value + "/" + name;
}

void include_subsystem(const MechanismSpec& part, const SubsystemUse& use, MechanismSpec& whole, Problems& problems) {
  const std::string element = element_label("subsystem", use.name.value);
  const std::size_t before = problems.error_count();
  check_placement(part, use, whole, element, problems);
  check_connections(part, use, element, problems);
  check_renaming(part, use, element, problems);
  if (problems.error_count() > before || noted(part).part_missing) {
    noted(whole).part_missing = true;
    return;
  }
  MechanismSpec moved = part;
  Inclusion inclusion(part, use, problems);
  const auto take = [&inclusion](auto& from, auto& into) {
    for (auto& spec : from) {
      carry(inclusion, spec);
      into.push_back(std::move(spec));
    }
  };
  // Every member by its place, so that a new one does not compile until it is thought of here.
  auto& [name, file, planar, gravity, points, bodies, markers, joints, roads, elements, inputs, states, signals,
         companions, initial, events, geometry, plots, outputs, simulation, connections, connected, subsystem_gravity,
         provenance] = moved;
  take(connected, whole.connected);
  if (problems.error_count() > before) {  // whatever uses these connections would complain as well
    noted(whole).part_missing = true;
    return;
  }
  take(points, whole.points);
  take(bodies, whole.bodies);
  take(markers, whole.markers);
  take(joints, whole.joints);
  take(roads, whole.roads);
  take(elements, whole.elements);
  take(inputs, whole.inputs);
  take(states, whole.states);
  take(signals, whole.signals);
  take(companions, whole.companions);
  // How a part moves as a whole is for whoever includes it to say.
  std::erase_if(initial, [&](const InitialSpec& spec) {
    const std::string& name = spec.name.value;
    return name == InitialSpec::kWhole && !inclusion.has_body(spec.name) &&
           !contains(names_of_kind(part, "joint"), name) && !inclusion.connects(name);
  });
  take(initial, whole.initial);
  take(events, whole.events);
  take(geometry, whole.geometry);
  take(plots, whole.plots);
  take(outputs, whole.outputs);
  for (const ConnectionSpec& connection : connections)
    whole.connected.push_back({use.connect.at(connection.name.value), connection.kind, element});
  if (gravity) whole.subsystem_gravity.push_back(*gravity);
  whole.subsystem_gravity.insert(whole.subsystem_gravity.end(), subsystem_gravity.begin(), subsystem_gravity.end());
  noted(whole).incomplete |= noted(provenance).incomplete;
  if (problems.error_count() > before) noted(whole).part_missing = true;
}

}  // namespace cardan
