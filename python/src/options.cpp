// The options of a run as keywords: those of the one list that files and the command line read.
#include <fmt/format.h>

#include "bindings.hpp"
#include "mechanism/asked_options.hpp"
#include "options/option_list.hpp"
#include "options/unknown_name.hpp"

namespace cardan::python {

namespace {

template <class T>
constexpr const char* kType = std::is_same_v<T, std::vector<std::string>> ? "list[str]"
                              : std::is_same_v<T, std::string>            ? "str"
                              : std::is_same_v<T, bool>                   ? "bool"
                              : std::is_same_v<T, int>                    ? "int"
                                                                          : "float";

template <class T>
T value_of(const char* name, const py::handle& given) {
  const bool is_flag = PyBool_Check(given.ptr());
  try {
    if (is_flag == std::is_same_v<T, bool>) return given.cast<T>();
  } catch (const py::cast_error&) {
    // said below
  }
  throw py::type_error(
      fmt::format("option '{}' is {}, but should be of type {}", name, py::repr(given).cast<std::string>(), kType<T>));
}

/// In words of Python: flags of the command line are values here, and the choices are listed beside it.
std::string meaning_of(const RunOption& option) {
  std::string text = option.meaning;
  if (const auto at = text.find("; see below"); at != std::string::npos) text.erase(at, 11);
  if (option.flag == nullptr) return text;
  const std::string value = option.flag_value;
  return fmt::format("{}: {}", value == "true" ? "True" : value == "false" ? "False" : "'" + value + "'", text);
}

/// Every option: name, type, meaning, and what a name may be.
py::list option_list() {
  py::list list;
  const auto add = [&list]<class T>(const RunOption& option, const std::optional<T>&) {
    py::list choices;
    if (option.choices != nullptr)
      for (const RegistryEntry& entry : option.choices()) choices.append(std::string(entry.name));
    list.append(py::make_tuple(option.name, kType<T>, meaning_of(option), choices));
  };
  const SimulationDefaults none;
  visit_options(add, none);
  list.append(py::make_tuple("cut", "list[str]",
                             "joints at which relative coordinates open the loops (default: automatic)", py::list()));
  return list;
}

}  // namespace

RunOptions options_of(const Mechanism& mechanism, const py::dict& keywords) {
  SimulationDefaults given;
  py::dict left = keywords.attr("copy")();
  std::vector<std::string> known{"cut"};
  const auto take = [&]<class T>(const RunOption& option, std::optional<T>& value) {
    known.emplace_back(option.name);
    if (!left.contains(option.name)) return;
    const py::object object = left.attr("pop")(option.name);
    if (!object.is_none()) value = value_of<T>(option.name, object);
  };
  visit_options(take, given);
  if (left.contains("cut")) {
    const py::object joints = left.attr("pop")("cut");
    if (!joints.is_none()) given.cut = value_of<std::vector<std::string>>("cut", joints);
  }
  for (const auto& [name, value] : left) throw py::type_error(unknown_name("option", name.cast<std::string>(), known));
  return asked_options(mechanism, given);
}

void bind_options(py::module_& module) {
  module.def("option_list", &option_list, "The options of a run: (name, type, meaning, choices) of each.");
  module.def(
      "check_options",
      [](const py::object& model, const py::kwargs& options) { options_of(model_of(model)->mechanism, options); },
      py::arg("model"), "Raises what run() would raise because of these options.");
}

}  // namespace cardan::python
