// Names, places, vectors and axes of a part as they are in the whole (the rules are in subsystem.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "mechanism/frames.hpp"
#include "mechanism/joint_types.hpp"
#include "mechanism/resolver.hpp"
#include "mechanism/subsystem.hpp"
#include "text/nearest_name.hpp"

namespace cardan {

namespace {

// Quarter turns leave traces of the rounding of pi; without them components stay where they belong.
Mat3 without_traces(Mat3 matrix) {
  constexpr double kTrace = 1e-15;
  for (double& entry : matrix.reshaped()) {
    if (std::abs(entry) < kTrace) entry = 0;
    if (std::abs(std::abs(entry) - 1) < kTrace) entry = std::copysign(1.0, entry);
  }
  return matrix;
}

const Vec3 kOnes = Vec3::Ones();
const Vec3 kReverseY(1, -1, 1);
const Vec3 kReverseZ(1, 1, -1);

}  // namespace

Inclusion::Inclusion(const MechanismSpec& part, const SubsystemUse& use, Problems& problems)
    : part_(part), use_(use), problems_(problems), at_(use.placement.at) {
  const auto& mirror = use.placement.mirror;
  const Vec3 reversed(mirror[0] ? -1 : 1, mirror[1] ? -1 : 1, mirror[2] ? -1 : 1);
  turn_ = without_traces(use.placement.turn * reversed.asDiagonal());
  determinant_ = reversed.prod();
  reflection_ = mirrors() ? reversed : kOnes;
  for (const std::string& kind : connection_kinds())
    for (std::string& name : names_of_kind(part, kind)) names_[kind].insert(std::move(name));
  for (const ConnectionSpec& connection : part.connections) connections_.emplace(connection.name.value, &connection);
  for (const BodySpec& body : part.bodies) bodies_.emplace(body.name.value, &body);
  for (const MarkerSpec& marker : part.markers) markers_.emplace(marker.name.value, &marker);
  for (const JointSpec& joint : part.joints) joints_.emplace(joint.name.value, &joint);
}

void Inclusion::own(const char* kind, Name& name) {
  element_ = element_label(kind, name.value);
  name.value = outer_name(use_, name.value);
}

void Inclusion::refer(const std::string& kind, std::string& name, const SourceLocation& where) {
  if (kind == "body" && name == "ground") return;
  if (const auto found = connections_.find(name); found != connections_.end()) {
    const ConnectionSpec& connection = *found->second;
    if (connection.kind != kind)
      problems_.error(where, element_, fmt::format("connection '{}' is a {}, not a {}", name, connection.kind, kind),
                      fmt::format("connect a {} as well", kind));
    if (const auto target = use_.connect.find(name); target != use_.connect.end()) name = target->second.value;
    return;
  }
  const std::set<std::string>& known = names_[kind];
  if (known.count(name) > 0) {
    name = outer_name(use_, name);
    return;
  }
  std::vector<std::string> near(known.begin(), known.end());
  for (const auto& [connection, unused] : connections_) near.push_back(connection);
  const std::string nearest = nearest_name(name, near);
  problems_.error(where, element_, fmt::format("no {} of the subsystem is called '{}'", kind, name),
                  nearest.empty() ? fmt::format("if it is outside, declare it: 'connections: {{{}: {}}}'", name, kind)
                                  : fmt::format("did you mean '{}'?", nearest));
}

/// Inputs, states and signals of the part by their names, ELEMENT.QUANTITY by that of the element.
void Inclusion::signals(Located<Varying>& number) {
  for (Varying::Term& term : number.value.terms) {
    for (std::size_t i = 0; i < term.expression.names().size(); ++i) {
      std::string name = term.expression.names()[i];
      const bool rate = name.starts_with("rate(");
      if (rate) name = name.substr(5, name.size() - 6);
      signal(name, number.where);
      term.expression.rename(i, rate ? "rate(" + name + ")" : name);
    }
  }
}

void Inclusion::signal(std::string& name, const SourceLocation& where) {
  if (name == "t") return;
  const auto own = [&](const std::string& word) {
    const auto is = [&](const auto& specs) {
      return std::any_of(specs.begin(), specs.end(), [&](const auto& spec) { return spec.name.value == word; });
    };
    return is(part_.inputs) || is(part_.states) || is(part_.signals);
  };
  const std::size_t dot = name.rfind('.');
  const std::string element = name.substr(0, dot), field = dot == std::string::npos ? "" : name.substr(dot);
  if (own(element)) {
    name = outer_name(use_, element) + field;
    return;
  }
  const auto refuse = [&](const char* what) {
    problems_.error(where, element_, fmt::format("'{}' is {} of a part that is mirrored or turned", name, what),
                    "use joint coordinates and lengths, which go with the part, or a signal of the whole model");
  };
  if (const auto found = connections_.find(element); found != connections_.end()) {
    if (found->second->kind == "body" && turns()) refuse("the motion of a body");
    if (const auto target = use_.connect.find(element); target != use_.connect.end())
      name = target->second.value + field;
    return;
  }
  if (dot == std::string::npos) {  // a load that is a signal, as a controller; else unknown, as will be reported
    if (names_["load"].count(name) > 0) name = outer_name(use_, name);
    return;
  }
  if (element == "energy" && names_["joint"].count(element) + bodies_.count(element) == 0) return;  // of the whole
  if (const auto joint = joints_.find(element); joint != joints_.end() && field.size() > 1) {
    const int index = field.size() > 2 ? field[2] - '1' : 0;
    const bool coordinate = field.size() < 4 && (field[1] == 'q' || field[1] == 'v' || field[1] == 'a');
    const int count = joint_coordinate_count(joint->second->type, part_.planar);
    if (coordinate && index >= 0 && index < count && coordinate_sign(*joint->second, index) < 0)
      refuse("a coordinate that turns round in a mirror,");
  }
  const bool is_marker = std::any_of(part_.markers.begin(), part_.markers.end(),
                                     [&](const MarkerSpec& marker) { return marker.name.value == element; });
  // "fx" to "mz", and the same behind "inertial_"
  const std::string last = field.size() > 2 ? field.substr(field.size() - 2) : "";
  const bool component = !last.empty() && (last[0] == 'f' || last[0] == 'm') && last[1] >= 'x' && last[1] <= 'z';
  if (bodies_.count(element) > 0 && turns()) {
    refuse("the motion of a body");
  } else if (is_marker && turns()) {
    refuse("the motion of a marker");
  } else if (component && turns()) {
    refuse("a component of a force");
  } else if (field.starts_with(".effort") && mirrors()) {
    const auto found = std::find_if(part_.elements.begin(), part_.elements.end(),
                                    [&](const Element& e) { return e.name().value == element; });
    if (found == part_.elements.end() || !keeps_effort(*this, *found))
      refuse("an effort on a coordinate that turns round in a mirror,");
  }
  name = outer_name(use_, element) + field;
}

void Inclusion::refuse_to_move(const SourceLocation& where, const char* kind) {
  if (!turns() && at_.isZero(0)) return;
  problems_.error(where, element_, fmt::format("a {} is not placed with a subsystem", kind),
                  fmt::format("put it into the including model and connect it: 'connections: {{NAME: {}}}'", kind));
}

void Inclusion::body_or_joint(const char* kind, Name& name) {
  element_ = element_label(kind, name.value);
  const auto connection = connections_.find(name.value);
  const bool is_joint =
      connection != connections_.end() ? connection->second->kind == "joint" : names_["joint"].count(name.value) > 0;
  refer(is_joint ? "joint" : "body", name.value, name.where);
}

void Inclusion::body_or_road(Name& name) {
  if (name.value.find('*') != std::string::npos) {
    name.value = outer_name(use_, name.value);
    return;
  }
  const auto connection = connections_.find(name.value);
  const bool is_road =
      connection != connections_.end() ? connection->second->kind == "road" : names_["road"].count(name.value) > 0;
  refer(is_road ? "road" : "body", name.value, name.where);
}

void Inclusion::load_or_driver(Name& name) {
  const std::vector<std::string> known = names_of_kind(part_, "load or driver");
  if (std::find(known.begin(), known.end(), name.value) == known.end()) {
    problems_.error(name.where, element_, fmt::format("no load or driver of the subsystem is called '{}'", name.value),
                    suggestion(name.value, known, "there are"));
  }
  name.value = outer_name(use_, name.value);
}

void Inclusion::place(Place& place) {
  if (place.name.empty()) {
    place.position = point(place.position);
  } else {
    refer("point", place.name, place.where);
  }
}

void Inclusion::place(std::optional<Place>& place) {
  if (place) this->place(*place);
}

void Inclusion::polar(Direction& direction) {
  for (Place& end : direction.between) place(end);
  if (!direction.between.empty()) return;  // its points carry it over
  if (const std::optional<Vec3> axis = inertial_axis(direction.name)) direction.components = *axis;
  if (direction.components.isZero(0)) return;  // not a direction, as will be reported
  direction.name.clear();
  direction.components = polar(direction.components);
}

void Inclusion::axial(Direction& direction) {
  polar(direction);
  if (!mirrors()) return;
  direction.components = -direction.components;
  std::reverse(direction.between.begin(), direction.between.end());
}

void Inclusion::places_of(std::optional<Direction>& direction) {
  if (!direction) return;
  for (Place& end : direction->between) place(end);
}

void Inclusion::places_of(std::optional<AxesSpec>& axes) {
  if (!axes) return;
  for (std::optional<Direction>* direction : {&axes->x, &axes->y, &axes->z}) places_of(*direction);
}

void Inclusion::combine(const Mat3& matrix, std::array<Located<Varying>, 3>& components) const {
  if (matrix == Mat3::Identity()) return;
  const std::vector<Varying> old{components[0].value, components[1].value, components[2].value};
  for (int i = 0; i < 3; ++i)
    components[static_cast<std::size_t>(i)].value =
        Varying::combination({matrix(i, 0), matrix(i, 1), matrix(i, 2)}, old);
}

std::optional<Vec3> Inclusion::body_signs(const Name& body) {
  if (const auto found = bodies_.find(body.value); found != bodies_.end()) return signs_of(*found->second);
  if (body.value == "ground" || turn_ == Mat3::Identity()) return kOnes;
  if (connections_.count(body.value) > 0)
    problems_.error(
        body.where, element_,
        fmt::format("its components are in the axes of '{}', which is not placed with the subsystem", body.value),
        "put the load into the model that has the body");
  return std::nullopt;
}

void Inclusion::components(std::array<Located<Varying>, 3>& components, const VectorSort& sort) {
  Mat3 image = turn_;
  double determinant = determinant_;
  if (sort.body_axes) {
    const auto signs = body_signs(sort.body);
    if (!signs) return;
    image = signs->asDiagonal();
    determinant = signs->prod();
  }
  combine(sort.parity == Parity::polar ? image : Mat3(determinant * image), components);
}

void Inclusion::open(const Mat3& matrix, std::optional<Located<Vec3>>& velocity) {
  if (!velocity) return;
  Vec3& value = velocity->value;
  if (!value.hasNaN()) {
    value = matrix * value;
    return;
  }
  Vec3 result;
  for (int i = 0; i < 3; ++i) {
    int source = -1;
    for (int j = 0; j < 3; ++j) {
      if (matrix(i, j) == 0) continue;
      if (source >= 0) {
        problems_.error(velocity->where, element_, "a component left 'free' cannot be turned with the subsystem",
                        "give all components, or turn it by quarter turns about x, y, z");
        return;
      }
      source = j;
    }
    result[i] = matrix(i, source) * value[source];
  }
  value = result;
}

void Inclusion::image(AxesImage& image, const Vec3& signs) const {
  image.turn = turn_ * image.turn;
  image.signs = image.signs.cwiseProduct(signs);
}

// Two axes that are given are mirrored; the third completes them.
Vec3 Inclusion::signs_of(const std::optional<AxesSpec>& axes) const {
  if (!mirrors()) return kOnes;
  if (!axes) return reflection_;
  if (axes->x && axes->y) return kReverseZ;
  if (axes->y && axes->z) return {-1, 1, 1};
  return kReverseY;
}

Vec3 Inclusion::signs_of(const BodySpec& body) const {
  const bool has_line =
      std::holds_alternative<RodShape>(body.shape) || std::holds_alternative<CylinderShape>(body.shape);
  return mirrors() && has_line && !body.axes ? kReverseY : signs_of(body.axes);
}

Vec3 Inclusion::signs_of(const MarkerSpec& marker) const { return signs_of(marker.axes); }

Vec3 Inclusion::signs_of(const GeometrySpec& geometry) const {
  const auto body = bodies_.find(geometry.body.value);
  return geometry.axes || body == bodies_.end() ? signs_of(geometry.axes) : signs_of(*body->second);
}

Vec3 Inclusion::signs_of(const JointSpec& joint) const {
  const std::string_view reversed = traits(joint.type).reversed;
  if (!mirrors() || reversed.empty()) return reflection_;
  if (part_.planar) return kReverseY;  // z stays normal to the plane
  Vec3 signs = kOnes;
  for (const char axis : reversed) signs[axis - 'x'] = -1;
  return signs;
}

Vec3 Inclusion::marker_signs(const std::optional<Place>& place, const Vec3& signs) const {
  const auto found = place ? markers_.find(place->name) : markers_.end();
  return found == markers_.end() ? kOnes : Vec3(signs.cwiseProduct(signs_of(*found->second)));
}

void Inclusion::lent_axes(ProvenanceAccess::Content& noted, const std::optional<Place>& at1,
                          const std::optional<Place>& at2, const Vec3& signs) const {
  noted.marker_signs1 = noted.marker_signs1.cwiseProduct(marker_signs(at1, signs));
  noted.marker_signs2 = noted.marker_signs2.cwiseProduct(marker_signs(at2, signs));
}

double Inclusion::coordinate_sign(const JointSpec& joint, int index) const {
  if (!mirrors() || index < 0) return 1;
  const double sign = signs_of(joint)[coordinate_direction(joint.type, part_.planar, index).axis];
  const bool turns = is_angle(joint.type, part_.planar, index) || is_rotation_vector(joint.type, part_.planar, index);
  return turns ? -sign : sign;  // det(D) = -1
}

double Inclusion::coordinate_sign(const Name& joint, const std::optional<Located<int>>& coordinate,
                                  CoordinateSort sort) const {
  const auto found = joints_.find(joint.value);
  if (found == joints_.end()) return 1;
  if (coordinate) return coordinate_sign(*found->second, coordinate->value - 1);
  const JointType type = found->second->type;
  const int count = joint_coordinate_count(type, part_.planar);
  for (int i = 0; i < count; ++i)
    if (sort == CoordinateSort::any || (sort == CoordinateSort::angle) == is_angle(type, part_.planar, i))
      return coordinate_sign(*found->second, i);
  return 1;
}

}  // namespace cardan
