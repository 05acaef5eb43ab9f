#include "command_options.hpp"

#include <fmt/format.h>

#include "options/option_list.hpp"
#include "output.hpp"

namespace cardan {

std::string listed(const char* title, std::span<const RegistryEntry> entries) {
  std::string text = fmt::format("\n{}:\n", title);
  for (const RegistryEntry& entry : entries) text += fmt::format("  {:<19}{}\n", entry.name, entry.summary);
  return text;
}

void add_model(CLI::App& command, std::string& model, std::vector<std::string>& parameters) {
  command.add_option("MODEL", model, "model file (YAML, .urdf, .adm)")->required();
  command.add_option("--set", parameters, "a parameter of the model; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
}

void add_inputs(CLI::App& command, std::vector<std::string>& inputs, std::string& interpolation) {
  command
      .add_option(
          "--input", inputs,
          "values of an input over time, from a CSV file with the columns t and NAME; FILE alone: of all inputs "
          "that its first line names; may be repeated")
      ->type_name("[NAME=]FILE")
      ->allow_extra_args(false);
  command
      .add_option("--interpolation", interpolation,
                  "of --input between two rows: held (default: each value until the next one) or linear")
      ->type_name("HOW")
      ->check(CLI::IsMember({"held", "linear"}));
}

void add_method(CLI::App& command, SimulationDefaults& options) {
  const auto add = [&command]<class T>(const RunOption& option, std::optional<T>& value) {
    if (option.flag == nullptr) {
      command.add_option(option.on_command_line(), value, option.meaning)->type_name(option.sign);
      return;
    }
    const auto give = [&value, text = std::string(option.flag_value)] {
      if constexpr (std::is_same_v<T, std::string>) value = text;
      if constexpr (std::is_same_v<T, bool>) value = text == "true";
    };
    command.add_flag_callback(option.flag, give, option.meaning);
  };
  visit_options(add, options);
  command.add_option("--cut", options.cut, "joint at which a loop is opened (default: automatic); may be repeated")
      ->type_name("JOINT")
      ->allow_extra_args(false);
}

std::string as_given(const SimulationDefaults& options) {
  std::string text;
  const auto add = [&text]<class T>(const RunOption& option, const std::optional<T>& value) {
    if (!value) return;
    text += " " + option.on_command_line();
    if (option.flag == nullptr) text += fmt::format(" {}", *value);
  };
  visit_options(add, options);
  for (const std::string& joint : options.cut) text += " --cut " + shell_word(joint);
  return text;
}

void add_overwrite(CLI::App& command, bool& overwrite) {
  command.add_flag("--overwrite", overwrite, "replace results in DIR even when they are of another model");
}

}  // namespace cardan
