#include "mechanism/joint_types.hpp"

#include <algorithm>
#include <iterator>

namespace cardan {
namespace {

using Attach = JointTraits::Attach;

constexpr const char* kUseRevolute = "use a revolute joint, or make the model spatial";
constexpr const char* kUsePrismatic = "use a prismatic joint, or make the model spatial";
constexpr const char* kUseFree = "use a free joint: it has the same three coordinates";
constexpr const char* kUseOnLine = "use 'point_on_line', or make the model spatial";
constexpr const char* kUseDistance = "use 'distance': it is the same in the plane";
constexpr const char* kUseParallel = "use 'parallel', or make the model spatial";

constexpr JointTraits::Written kNotInPlane{};
constexpr std::string_view kAlongAxis = "at axis x_axis drawn stops";

// name; coordinates and equations in space, in the plane; mark; what instead; fields; reversed, link, needs a place,
// attach
constexpr JointTraits kTypes[] = {
    {"revolute", {"Z", "x y z xz yz"}, {"Z", "x y"}, "pin", nullptr, kAlongAxis, "z", false, true, Attach::in_plane},
    {"prismatic", {"z", "x y xz yz xy"}, {"x", "y xy"}, "slider", nullptr, kAlongAxis, "y"},
    {"cylindrical", {"zZ", "x y xz yz"}, kNotInPlane, "long", kUsePrismatic, kAlongAxis, "y"},
    {"universal", {"XY", "x y z xy"}, kNotInPlane, "cross", kUseRevolute, "at axes drawn stops", "xyz"},
    {"spherical", {"123", "x y z"}, kNotInPlane, "ball", kUseRevolute, "at drawn", "", false, true, Attach::always},
    {"planar", {"xyZ", "z xz yz"}, kNotInPlane, "plate", kUseFree, kAlongAxis, "z"},
    {"fixed", {"", "x y z xz yz xy"}, {"", "x y xy"}, "block", nullptr, "at", "", false, false, Attach::always},
    {"free", {"xyz123", ""}, {"xyZ", ""}, "", nullptr, "at drawn stops", "", false, false},
    {"distance", {"", "length"}, {"", "length"}, "", nullptr, "at length", "", true, true, Attach::always},
    {"screw", {"Z", "x y xz yz pitch"}, kNotInPlane, "long", kUsePrismatic, "at axis pitch x_axis drawn stops", "z"},
    {"point_on_line", {"", "x y"}, {"", "y"}, "", nullptr, "at axis x_axis", "y", true, true, Attach::always},
    {"point_on_plane", {"", "z"}, kNotInPlane, "", kUseOnLine, "at axis x_axis", "y", true, true, Attach::always},
    {"parallel", {"", "xz yz"}, {"", "xy"}, "", nullptr, "at axis", "y", true, false},
    {"perpendicular", {"", "xy"}, kNotInPlane, "", kUseParallel, "at axes", "z", true, false},
    {"pin_slot", {"xZ", "y z xz yz"}, {"xZ", "y"}, "pin", nullptr, kAlongAxis, "z"},
    {"translation", {"xyz", "xz yz xy"}, {"xy", "xy"}, "slider", nullptr, "at drawn stops", "", false, false},
    {"revolute_spherical", {"", "z length"}, kNotInPlane, "", kUseDistance, "at axis length x_axis", "y", true},
};
static_assert(std::size(kTypes) == static_cast<std::size_t>(JointType::revolute_spherical) + 1);

const JointTraits::Written& written(JointType type, bool planar) {
  return planar ? traits(type).in_plane : traits(type).in_space;
}

char letter(JointType type, bool planar, int index) {
  const std::string_view letters = written(type, planar).coordinates;
  return index >= 0 && index < static_cast<int>(letters.size()) ? letters[static_cast<std::size_t>(index)] : '\0';
}

std::string_view take_word(std::string_view& rest) {
  const std::string_view word = rest.substr(0, rest.find(' '));
  rest.remove_prefix(std::min(word.size() + 1, rest.size()));
  return word;
}

}  // namespace

std::vector<std::string_view> JointTraits::all_fields() const {
  std::vector<std::string_view> list{name};
  for (std::string_view rest = fields; !rest.empty();) list.push_back(take_word(rest));
  return list;
}

bool JointTraits::has_field(std::string_view field) const {
  if (field == name) return true;
  for (std::string_view rest = fields; !rest.empty();)
    if (take_word(rest) == field) return true;
  return false;
}

const JointTraits& traits(JointType type) { return kTypes[static_cast<std::size_t>(type)]; }
std::span<const JointTraits> joint_types() { return kTypes; }

CoordinateDirection coordinate_direction(JointType type, bool planar, int index) {
  const std::string_view letters = "xyzXYZ123";
  const std::size_t at = letters.find(letter(type, planar, index));
  return {static_cast<int>(at % 3), at >= 3, is_angle(type, planar, index) && is_angle(type, planar, index - 1)};
}

bool is_rotation_vector(JointType type, bool planar, int index) {
  const char c = letter(type, planar, index);
  return c >= '1' && c <= '3';
}

bool is_angle(JointType type, bool planar, int index) {
  const char c = letter(type, planar, index);
  return c >= 'X' && c <= 'Z';
}

bool has_rotation_vector(JointType type, bool planar) {
  return written(type, planar).coordinates.find('1') != std::string_view::npos;
}

int joint_coordinate_count(JointType type, bool planar) {
  return static_cast<int>(written(type, planar).coordinates.size());
}

JointEquations::JointEquations(JointType type, bool planar) : planar_(planar) {
  for (std::string_view rest = written(type, planar).equations; !rest.empty();) {
    const std::string_view word = take_word(rest);
    list_[count_++] = word == "length"   ? JointEquation{Kind::length}
                      : word == "pitch"  ? JointEquation{Kind::pitch}
                      : word.size() == 1 ? JointEquation{Kind::position, word[0] - 'x'}
                                         : JointEquation{Kind::right_angle, word[0] - 'x', word[1] - 'x'};
  }
}

bool JointEquations::has(Kind kind) const {
  return std::any_of(begin(), end(), [&](const JointEquation& e) { return e.kind == kind; });
}

bool JointEquations::has_position(int axis) const {
  return std::any_of(begin(), end(),
                     [&](const JointEquation& e) { return e.kind == Kind::position && e.axis1 == axis; });
}

bool JointEquations::has_right_angle(int axis1, int axis2) const {
  return std::any_of(begin(), end(), [&](const JointEquation& e) {
    return e.kind == Kind::right_angle && e.axis1 == axis1 && e.axis2 == axis2;
  });
}

bool JointEquations::same_point() const { return has_position(0) && has_position(1) && (planar_ || has_position(2)); }

bool JointEquations::same_axis() const {
  return planar_ ? has_right_angle(0, 1) : has_right_angle(0, 2) && has_right_angle(1, 2);
}

bool JointEquations::same_axes() const { return same_axis() && has_right_angle(0, 1); }

bool can_be_attached(JointType type, bool planar) {
  const Attach attach = traits(type).attach;
  return attach == Attach::always || (attach == Attach::in_plane && planar);
}

bool is_link(JointType type) { return traits(type).link; }

const char* joint_type_name(JointType type) { return traits(type).name.data(); }

}  // namespace cardan
