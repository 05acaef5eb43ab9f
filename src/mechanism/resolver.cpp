#include "mechanism/resolver.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "mechanism/checks.hpp"
#include "mechanism/frames.hpp"
#include "mechanism/subsystem.hpp"

namespace cardan {

namespace {

template <class Map>
std::vector<std::string> keys(const Map& map) {
  std::vector<std::string> names;
  names.reserve(map.size());
  for (const auto& [name, unused] : map) names.push_back(name);
  return names;
}

// Names become CSV columns NAME.x, so nothing that would break a column or its dot.
bool is_usable_name(const std::string& name) {
  if (name.empty()) return false;
  for (const unsigned char c : name)
    if (c <= ' ' || c == '.' || c == ',' || c == '"' || c == '\'' || c == 127) return false;
  return true;
}

constexpr std::size_t kMostBodies = 10000;

constexpr double kParallel = 1e-9;  // sine of the angle below which two directions count as parallel

}  // namespace

const SourceLocation& first_known(const SourceLocation& where, const SourceLocation& fallback) {
  return where.line > 0 ? where : fallback;
}

Mechanism resolve_mechanism(const MechanismSpec& spec, Problems& problems) {
  Mechanism mechanism = Resolver(spec, problems).resolve();
  problems.throw_errors();
  mechanism.warnings = problems.warnings();
  return mechanism;
}

Mechanism Resolver::resolve() {
  result_.name = spec_.name;
  result_.file = spec_.file;
  result_.planar = spec_.planar;
  if (noted(spec_).part_missing) return std::move(result_);  // everything that refers to it would complain
  const std::size_t before = problems_.error_count();
  if (spec_.bodies.size() > kMostBodies) {
    problems_.error(first_known(spec_.bodies[kMostBodies].name.where, SourceLocation{spec_.file}), "",
                    fmt::format("the model has {} bodies, but at most {} are taken", spec_.bodies.size(), kMostBodies),
                    "leave out what does not matter, or divide it into several models");
    return std::move(result_);
  }
  register_names();
  const bool names_differ = problems_.error_count() == before;
  if (!check_connections()) return std::move(result_);
  resolve_gravity();
  resolve_markers();
  resolve_bodies();
  resolve_joints();
  steady_slender_rods();
  resolve_initial();
  resolve_roads();
  resolve_geometry();
  resolve_inputs();
  resolve_elements();
  resolve_states();
  resolve_signals();
  resolve_companions();
  resolve_events();
  resolve_outputs();
  finish_signals();
  for (const PlotSpec& plot : spec_.plots) {
    std::vector<std::string> columns;
    for (const Name& column : plot.columns) columns.push_back(column.value);
    result_.plots.push_back({plot.title.value, plot.title.where, std::move(columns)});
  }
  if (spec_.plots.empty() && !result_.outputs.empty()) result_.plots.push_back({"", {}, result_.outputs});
  resolve_simulation();
  bool all_sound = !noted(spec_).incomplete && names_differ;
  for (const bool sound : body_is_sound_) all_sound = all_sound && sound;
  for (const bool sound : joint_is_sound_) all_sound = all_sound && sound;
  if (all_sound) check_attachment(result_, problems_);
  if (problems_.error_count() > 0) return std::move(result_);
  check_drivers(result_, problems_);
  check_units(result_, problems_);
  warn_of_spinning_rods();
  return std::move(result_);
}

bool Resolver::check_connections() {
  const std::size_t before = problems_.error_count();
  for (const ConnectionSpec& connection : spec_.connections)
    problems_.error(connection.name.where, element_label("connection", connection.name.value),
                    "nothing is connected here: this is a part of a model",
                    fmt::format("include it under 'subsystems' with 'connect: {{{}: {}}}'", connection.name.value,
                                connection.kind == "body" ? "BODY" : "NAME"));
  for (const ConnectedSpec& connected : spec_.connected) {
    const std::vector<std::string> known = names_of_kind(spec_, connected.kind);
    const std::string& name = connected.target.value;
    if (connected.kind == "body" && name == "ground") continue;
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    // what elements have by themselves is looked up where it is used
    if (connected.kind == "signal" && (name.find('.') != std::string::npos || element_named(name) != nullptr)) continue;
    problems_.error(connected.target.where, connected.element,
                    fmt::format("no {} is called '{}'", connected.kind, name),
                    suggestion(name, known, connected.kind == "body" ? "the bodies are" : "there are"));
  }
  return problems_.error_count() == before;
}

void Resolver::check_name(const Name& name, std::string_view kind, const SourceLocation& where) {
  if (name.value == "ground") {
    problems_.error(where, element_label(kind, name.value), "'ground' is the name of the fixed frame",
                    "choose another name");
  } else if (!is_usable_name(name.value)) {
    problems_.error(where, element_label(kind, name.value),
                    name.value.empty() ? "the name is empty" : "a name must not have dots, commas, quotes or spaces",
                    "use letters, digits, '_' and '-'");
  }
}

void Resolver::register_element(const Name& name, std::string_view kind) {
  check_name(name, kind, name.where);
  const auto [existing, inserted] = elements_.emplace(name.value, std::pair(kind, &name.where));
  if (inserted) return;
  const std::string_view other_kind = existing->second.first;
  const SourceLocation& other_where = *existing->second.second;
  std::string line = other_where.line > 0 ? fmt::format(" on line {}", other_where.line) : "";
  if (!line.empty() && other_where.file != name.where.file) line += " of " + other_where.file;
  if (!line.empty() && other_where.included_from)
    line +=
        fmt::format(", included on line {} of {}", other_where.included_from->line, other_where.included_from->file);
  problems_.error(name.where, element_label(kind, name.value),
                  fmt::format("there is a {} of that name{}", other_kind, line),
                  "every body, marker, joint, road, load, coupler and driver needs a name of its own");
}

void Resolver::register_names() {
  for (const PointSpec& point : spec_.points) {
    check_name(point.name, "point", point.name.where);
    const auto refuse = [&](const char* message, const char* remedy = "") {
      problems_.error(point.name.where, element_label("point", point.name.value), message, remedy);
    };
    if (!points_.emplace(point.name.value, &point).second) refuse("the point is given twice");
    if (noted(point).incomplete) continue;
    if (!point.position.allFinite()) refuse("a coordinate is not a finite number");
    if (spec_.planar && point.position.z() != 0) refuse("a point of a planar model has no z", "leave z at 0");
  }
  const auto add = [this](std::map<std::string, int>& index, const auto& specs, const char* kind) {
    for (std::size_t i = 0; i < specs.size(); ++i) {
      register_element(specs[i].name, kind);
      index.emplace(specs[i].name.value, static_cast<int>(i));
    }
  };
  add(bodies_, spec_.bodies, "body");
  add(markers_, spec_.markers, "marker");
  add(joints_, spec_.joints, "joint");
  add(roads_, spec_.roads, "road");
  for (const auto& [name, unused] : markers_)
    if (points_.count(name) > 0)
      problems_.error(*elements_.at(name).second, element_label("marker", name), "there is a point of that name",
                      "points and markers need different names");
  for (const Element& element : spec_.elements) register_element(element.name(), element.kind().section);
  for (const InputSpec& input : spec_.inputs) register_element(input.name, "input");
  for (const StateSpec& state : spec_.states) register_element(state.name, "state");
  for (const SignalSpec& signal : spec_.signals) register_element(signal.name, "signal");
  for (const CompanionSpec& companion : spec_.companions) register_element(companion.name, "fmu");
}

std::optional<int> Resolver::find_body(const Name& name, const std::string& element) {
  if (name.value == "ground") return kGround;
  if (const auto found = bodies_.find(name.value); found != bodies_.end()) return found->second;
  std::vector<std::string> known = keys(bodies_);
  if (bodies_.count("ground") == 0) known.push_back("ground");
  problems_.error(name.where, element, fmt::format("no body is called '{}'", name.value),
                  suggestion(name.value, known, "the bodies are"));
  return std::nullopt;
}

std::optional<int> Resolver::find_joint(const Name& name, const std::string& element) {
  if (const auto found = joints_.find(name.value); found != joints_.end()) return found->second;
  problems_.error(name.where, element, fmt::format("no joint is called '{}'", name.value),
                  suggestion(name.value, keys(joints_), "the joints are"));
  return std::nullopt;
}

const Element* Resolver::find_element(const Name& name, const std::vector<std::string>& kinds,
                                      const std::string& element) {
  const std::string wanted = fmt::format("{}", fmt::join(kinds, " or "));
  std::vector<std::string> known;
  for (const Element& other : spec_.elements) {
    const bool fits = std::find(kinds.begin(), kinds.end(), other.kind().name) != kinds.end();
    if (fits) known.push_back(other.name().value);
    if (other.name().value != name.value) continue;
    if (fits) return &other;
    problems_.error(name.where, element, fmt::format("'{}' is {}, no {}", name.value, other.kind().called, wanted),
                    fmt::format("name a {}", wanted));
    return nullptr;
  }
  problems_.error(name.where, element, fmt::format("no {} is called '{}'", wanted, name.value),
                  known.empty() ? fmt::format("add a {}", wanted) : suggestion(name.value, known, "there are"));
  return nullptr;
}

const Element* Resolver::element_named(const std::string& name) const {
  for (const Element& element : spec_.elements)
    if (element.name().value == name) return &element;
  return nullptr;
}

const Marker* Resolver::marker_named(const std::string& name) const {
  const auto found = markers_.find(name);
  return found == markers_.end() ? nullptr : &result_.markers[static_cast<std::size_t>(found->second)];
}

std::optional<Vec3> Resolver::find_place(const Place& place, const std::string& element) {
  if (place.name.empty()) {
    if (!place.position.allFinite()) {
      problems_.error(place.where, element, "a coordinate is not a finite number");
    } else if (spec_.planar && place.position.z() != 0) {
      problems_.error(place.where, element, "a place in a planar model has no z", "leave z at 0");
    } else {
      return place.position;
    }
    return std::nullopt;
  }
  if (const auto point = points_.find(place.name); point != points_.end()) {
    if (noted(*point->second).incomplete || !point->second->position.allFinite()) return std::nullopt;
    return point->second->position;
  }
  if (const auto marker = markers_.find(place.name); marker != markers_.end()) {
    const auto index = static_cast<std::size_t>(marker->second);
    if (index >= marker_is_sound_.size() || !marker_is_sound_[index]) return std::nullopt;
    return result_.markers[index].origin;
  }
  std::vector<std::string> known = keys(points_);
  for (const auto& [name, unused] : markers_) known.push_back(name);
  problems_.error(place.where, element, fmt::format("no point or marker is called '{}'", place.name),
                  suggestion(place.name, known, "the points are"));
  return std::nullopt;
}

std::optional<Vec3> Resolver::find_direction(const Direction& direction, const std::string& element, const char* what,
                                             const AxesImage& image) {
  Vec3 vector = direction.components;
  if (!direction.name.empty()) {
    if (const std::optional<Vec3> axis = inertial_axis(direction.name)) return axis;
    problems_.error(direction.where, element, fmt::format("{} '{}' is no direction", what, direction.name),
                    "give x, y, z, -x, -y, -z, components, or two points");
    return std::nullopt;
  }
  if (!direction.between.empty()) {
    const auto from = find_place(direction.between[0], element);
    const auto to = find_place(direction.between[1], element);
    if (!from || !to) return std::nullopt;
    vector = image.turn.transpose() * (*to - *from);  // places are where they are in the whole
  }
  const double largest = vector.cwiseAbs().maxCoeff();
  if (!vector.allFinite() || largest == 0) {
    problems_.error(
        direction.where, element,
        vector.allFinite() ? fmt::format("{} has no length", what) : fmt::format("{} is not finite", what),
        direction.between.empty() ? "give a direction other than zero" : "give two points apart from each other");
    return std::nullopt;
  }
  return (vector / largest).normalized();  // scaled first: huge or tiny components must not overflow
}

std::optional<Mat3> Resolver::find_axes(const AxesSpec& axes, const std::string& element, const AxesImage& image) {
  if (axes.angle) {
    if (!spec_.planar || axes.x || axes.y || axes.z) {
      problems_.error(axes.where, element, "'angle' alone is for the axes of planar models", "give two of x, y and z");
      return std::nullopt;
    }
    if (!check_finite(*axes.angle, element, "the angle of the axes")) return std::nullopt;
    return Eigen::AngleAxisd(axes.angle->value, Vec3::UnitZ()).toRotationMatrix();
  }
  const std::array<const std::optional<Direction>*, 3> given{&axes.x, &axes.y, &axes.z};
  std::vector<int> which;
  for (int i = 0; i < 3; ++i)
    if (*given[static_cast<std::size_t>(i)]) which.push_back(i);
  if (spec_.planar) {
    const auto x = which == std::vector{0} ? find_direction(*axes.x, element, "axis x", image) : std::nullopt;
    if (which != std::vector{0}) {
      problems_.error(axes.where, element, "the axes of a planar model have one direction", "give 'x' or 'angle'");
    } else if (x && x->z() != 0) {
      problems_.error(first_known(axes.x->where, axes.where), element, "axis x points out of the plane",
                      "give it in the plane");
    } else if (x) {
      return axes_with_x(*x);
    }
    return std::nullopt;
  }
  if (which.size() != 2) {
    problems_.error(axes.where, element, "axes need two directions", "give two of x, y and z");
    return std::nullopt;
  }
  const int i = which[0], j = which[1];
  const auto first = find_direction(**given[static_cast<std::size_t>(i)], element, "an axis", image);
  const auto second = find_direction(**given[static_cast<std::size_t>(j)], element, "an axis", image);
  if (!first || !second) return std::nullopt;
  const Vec3 across = *second - *first * first->dot(*second);
  if (across.norm() < kParallel) {
    problems_.error(axes.where, element, "the two axes are parallel", "give two different directions");
    return std::nullopt;
  }
  Mat3 result;
  const int k = 3 - i - j;
  result.col(i) = *first;
  result.col(j) = across.normalized();
  const bool cyclic = (i + 1) % 3 == j;
  result.col(k) =
      cyclic ? Vec3(result.col(i)).cross(Vec3(result.col(j))) : Vec3(result.col(j)).cross(Vec3(result.col(i)));
  return result;
}

bool Resolver::check_two_bodies(int body1, int body2, const std::string& element, const SourceLocation& where) {
  if (body1 != body2) return true;
  if (body1 == kGround) {
    problems_.error(where, element, "both ends are on ground", "connect at least one body");
  } else {
    problems_.error(where, element,
                    fmt::format("both ends are on body '{}'", spec_.bodies[static_cast<std::size_t>(body1)].name.value),
                    "connect two different bodies");
  }
  return false;
}

bool Resolver::check_finite(const Number& number, const std::string& element, const char* what) {
  if (std::isfinite(number.value)) return true;
  problems_.error(number.where, element, fmt::format("{} is not a finite number", what));
  return false;
}

}  // namespace cardan
