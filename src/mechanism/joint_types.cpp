#include "mechanism/joint_types.hpp"

#include <algorithm>
#include <array>

namespace cardan {
namespace {

using Attach = JointTraits::Attach;

constexpr const char* kUseRevolute = "use a revolute joint, or make the model spatial";
constexpr const char* kUsePrismatic = "use a prismatic joint, or make the model spatial";
constexpr const char* kUseFree = "use a free joint: it has the same three coordinates";
constexpr const char* kUseOnLine = "use 'point_on_line', or make the model spatial";
constexpr const char* kUseParallel = "use 'parallel', or make the model spatial";

// name, coordinates, in the plane, there instead, fields, reversed, link, needs a place, attach
constexpr std::array<JointTraits, 14> kTypes{{
    {"revolute", "Z", "Z", nullptr, "at axis x_axis drawn", "z", false, true, Attach::in_plane},
    {"prismatic", "z", "x", nullptr, "at axis x_axis drawn", "y"},
    {"cylindrical", "zZ", "zZ", kUsePrismatic, "at axis x_axis drawn", "y"},
    {"universal", "XY", "XY", kUseRevolute, "at axes drawn", "xyz"},
    {"spherical", "123", "123", kUseRevolute, "at drawn", "", false, true, Attach::always},
    {"planar", "xyZ", "xyZ", kUseFree, "at axis x_axis drawn", "z"},
    {"fixed", "", "", nullptr, "at", "", false, false, Attach::always},
    {"free", "xyz123", "xyZ", nullptr, "at drawn", "", false, false},
    {"distance", "", "", nullptr, "at length", "", true, true, Attach::always},
    {"screw", "Z", "Z", kUsePrismatic, "at axis pitch x_axis drawn", "z"},
    {"point_on_line", "", "", nullptr, "at axis x_axis", "y", true, true, Attach::always},
    {"point_on_plane", "", "", kUseOnLine, "at axis x_axis", "y", true, true, Attach::always},
    {"parallel", "", "", nullptr, "at axis", "y", true, false},
    {"perpendicular", "", "", kUseParallel, "at axes", "z", true, false},
}};
static_assert(kTypes.size() == static_cast<std::size_t>(JointType::perpendicular) + 1);

char letter(JointType type, bool planar, int index) {
  const std::string_view letters = planar ? traits(type).in_plane : traits(type).coordinates;
  return index >= 0 && index < static_cast<int>(letters.size()) ? letters[static_cast<std::size_t>(index)] : '\0';
}

}  // namespace

std::vector<std::string_view> JointTraits::all_fields() const {
  std::vector<std::string_view> list{name};
  for (std::string_view rest = fields; !rest.empty();) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    list.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return list;
}

bool JointTraits::has_field(std::string_view field) const {
  const std::vector<std::string_view> list = all_fields();
  return std::find(list.begin(), list.end(), field) != list.end();
}

const JointTraits& traits(JointType type) { return kTypes[static_cast<std::size_t>(type)]; }
std::span<const JointTraits> joint_types() { return kTypes; }

CoordinateDirection coordinate_direction(JointType type, bool planar, int index) {
  const std::string_view letters = "xyzXYZ123";
  const std::size_t at = letters.find(letter(type, planar, index));
  return {static_cast<int>(at % 3), at >= 3};
}

bool is_rotation_vector(JointType type, bool planar, int index) {
  const char c = letter(type, planar, index);
  return c >= '1' && c <= '3';
}

bool is_angle(JointType type, bool planar, int index) {
  const char c = letter(type, planar, index);
  return c >= 'X' && c <= 'Z';
}

int joint_coordinate_count(JointType type, bool planar) {
  return static_cast<int>((planar ? traits(type).in_plane : traits(type).coordinates).size());
}

bool can_be_attached(JointType type, bool planar) {
  const Attach attach = traits(type).attach;
  return attach == Attach::always || (attach == Attach::in_plane && planar);
}

bool is_link(JointType type) { return traits(type).link; }

const char* joint_type_name(JointType type) { return traits(type).name.data(); }

}  // namespace cardan
