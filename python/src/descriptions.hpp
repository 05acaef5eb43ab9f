// What Python says of a mechanism, as the library takes it: dicts and lists become the tree that model files are read
// into, so that one reader checks them; functions become laws.
#pragma once

#include "bindings.hpp"
#include "io/yaml_tree.hpp"

namespace cardan::python {

/// None, bool, numbers, words, lists (tuples, arrays) and dicts.
std::shared_ptr<YamlNode> tree_of(const py::handle& value);

/// A name of a point, or coordinates.
Place place_of(const py::handle& value);
std::optional<Place> optional_place_of(const py::object& value);
/// "x", components, or two places.
Direction direction_of(const py::handle& value);

/// A cardan.Function or a Python function.
bool is_law(const py::handle& value);
/// Of one variable; of one of these.
Function function_of(const py::handle& value);
/// A number, a function of time, or whatever model files allow there.
Varying varying_of(const py::handle& value, const std::string& element, const std::string& what);

/// A Python function of one number, or of its value and two derivatives.
Function custom_function(const py::function& law, double scale, bool derivatives);

}  // namespace cardan::python
