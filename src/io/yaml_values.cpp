// Single values of a model file. A number may be an arithmetic expression of parameters wherever it stands.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "io/parameters.hpp"
#include "io/yaml_fields.hpp"
#include "mechanism/frames.hpp"

namespace cardan {

namespace {

using Kind = YamlNode::Kind;

bool uses_broken_parameter(const Reading& reading, const std::string& text) {
  for (const std::string& name : names_in_expression(text))
    if (reading.broken_parameters.count(name) > 0) return true;
  return false;
}

}  // namespace

void wrong_kind(Reading& reading, const YamlNode& node, const std::string& element, const std::string& what,
                const std::string& expected) {
  const std::string found = node.kind == Kind::scalar     ? fmt::format("'{}'", node.text)
                            : node.kind == Kind::sequence ? fmt::format("a list of {}", node.items.size())
                                                          : node.kind_name();
  reading.problems.error(node.where, element,
                         fmt::format("{} should be {}, but is {}", what.empty() ? "the value" : what, expected, found));
}

std::optional<double> read_number(Reading& reading, const YamlNode& node, const std::string& element,
                                  const std::string& what) {
  if (node.kind != Kind::scalar) {
    wrong_kind(reading, node, element, what, "a number");
    return std::nullopt;
  }
  double value = 0;
  std::string message, remedy;
  if (evaluate_number(node.text, reading.parameters, value, message, remedy)) return value;
  if (uses_broken_parameter(reading, node.text)) {
    ++reading.silent_failures;
    return std::nullopt;
  }
  reading.problems.error(node.where, element, what.empty() ? message : fmt::format("{}: {}", what, message), remedy);
  return std::nullopt;
}

std::optional<int> read_integer(Reading& reading, const YamlNode& node, const std::string& element,
                                const std::string& what) {
  const auto value = read_number(reading, node, element, what);
  if (!value) return std::nullopt;
  if (*value != std::floor(*value) || std::abs(*value) > std::numeric_limits<int>::max()) {
    wrong_kind(reading, node, element, what, "a whole number");
    return std::nullopt;
  }
  return static_cast<int>(*value);
}

std::optional<bool> read_flag(Reading& reading, const YamlNode& node, const std::string& element,
                              const std::string& what) {
  if (node.kind == Kind::scalar && !node.quoted && (node.text == "true" || node.text == "false"))
    return node.text == "true";
  wrong_kind(reading, node, element, what, "true or false");
  return std::nullopt;
}

std::optional<std::string> read_word(Reading& reading, const YamlNode& node, const std::string& element,
                                     const std::string& what) {
  if (node.kind == Kind::scalar) return node.text;
  wrong_kind(reading, node, element, what, "a name");
  return std::nullopt;
}

std::optional<std::vector<double>> read_numbers(Reading& reading, const YamlNode& node, const std::string& element,
                                                const std::string& what) {
  if (node.kind != Kind::sequence) {
    wrong_kind(reading, node, element, what, "a list of numbers");
    return std::nullopt;
  }
  std::vector<double> values;
  bool sound = true;
  for (const YamlPointer& item : node.items) {
    const auto value = read_number(reading, *item, element, "an item of " + what);
    sound = sound && value;
    values.push_back(value.value_or(0));
  }
  if (!sound) return std::nullopt;
  return values;
}

std::optional<Vec3> read_vector(Reading& reading, const YamlNode& node, const std::string& element,
                                const std::string& what) {
  const auto dimension = static_cast<std::size_t>(reading.dimension());
  const auto expected = [&] { return fmt::format("a list of {} numbers", dimension); };
  if (node.kind != Kind::sequence) {
    wrong_kind(reading, node, element, what, expected());
    return std::nullopt;
  }
  if (node.items.size() != dimension) {
    reading.problems.error(node.where, element,
                           fmt::format("{} should be {}, but has {}", what, expected(), node.items.size()),
                           reading.planar && node.items.size() == 3    ? "a planar model has x and y only"
                           : !reading.planar && node.items.size() == 2 ? "a model in the plane says 'planar: true'"
                                                                       : "");
    return std::nullopt;
  }
  const auto values = read_numbers(reading, node, element, what);
  if (!values) return std::nullopt;
  return Vec3((*values)[0], (*values)[1], dimension == 3 ? (*values)[2] : 0);
}

std::optional<Place> read_place(Reading& reading, const YamlNode& node, const std::string& element,
                                const std::string& what) {
  if (node.kind == Kind::scalar) return Place(node.text, node.where);
  if (node.kind != Kind::sequence) {
    wrong_kind(reading, node, element, what, fmt::format("a point or a list of {} numbers", reading.dimension()));
    return std::nullopt;
  }
  const auto coordinates = read_vector(reading, node, element, what);
  if (!coordinates) return std::nullopt;
  return Place(*coordinates, node.where);
}

std::optional<Direction> read_direction(Reading& reading, const YamlNode& node, const std::string& element,
                                        const std::string& what) {
  if (node.kind == Kind::scalar) return Direction(node.text, node.where);
  if (node.kind != Kind::sequence) {
    wrong_kind(reading, node, element, what, "a direction");
    return std::nullopt;
  }
  if (node.items.size() == 2 && is_pair(reading, node)) {
    const auto from = read_place(reading, *node.items[0], element, "an item of " + what);
    const auto to = read_place(reading, *node.items[1], element, "an item of " + what);
    if (!from || !to) return std::nullopt;
    return Direction(*from, *to, node.where);
  }
  const auto components = read_vector(reading, node, element, what);
  if (!components) return std::nullopt;
  return Direction(*components, node.where);
}

std::optional<AxesSpec> read_axes(Reading& reading, const YamlNode& node, const std::string& element,
                                  const std::string& what) {
  if (node.kind != Kind::map) {
    wrong_kind(reading, node, element, what, "directions, as {x: [1, 0, 0], y: [0, 1, 0]}");
    return std::nullopt;
  }
  Fields fields(reading, node, element, node.where);
  constexpr std::string_view known[] = {"x", "y", "z", "angle"};
  fields.allow(known);
  AxesSpec axes;
  axes.where = node.where;
  axes.x = fields.direction("x");
  axes.y = fields.direction("y");
  axes.z = fields.direction("z");
  axes.angle = fields.number("angle");
  if (fields.failed()) return std::nullopt;
  return axes;
}

bool is_pair(const Reading& reading, const YamlNode& node) {
  if (node.kind != Kind::sequence || node.items.size() != 2) return false;
  const auto is_place = [&](const YamlNode& item) {
    return item.kind == Kind::sequence ||
           (item.kind == Kind::scalar && (reading.places.count(item.text) > 0 || inertial_axis(item.text)));
  };
  // A spatial vector has three items, so that two can only be a pair.
  return !reading.planar || is_place(*node.items[0]) || is_place(*node.items[1]);
}

}  // namespace cardan
