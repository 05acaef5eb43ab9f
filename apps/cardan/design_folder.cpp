#include "design_folder.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <stdexcept>

#include "options/option_list.hpp"
#include "output.hpp"

namespace cardan {

DesignFolder::DesignFolder(const DesignRequest& request, const DesignPlan& plan)
    : plan_(plan), folder_(output_folder(request.out, plan.name)) {
  std::ifstream file(folder_ / "summary.json");
  if (file) {
    const auto there = nlohmann::ordered_json::parse(file, nullptr, false);
    const std::string other = there.is_object() ? there.value("plan", std::string()) : "";
    const std::string own = std::filesystem::weakly_canonical(plan.file).string();
    if (other.empty() || std::filesystem::weakly_canonical(other).string() != own)
      throw std::invalid_argument(fmt::format("'{}' holds results of {}; give another folder by --out",
                                              folder_.string(),
                                              other.empty() ? "something else" : "the plan '" + other + "'"));
  }
  std::error_code failed;
  std::filesystem::create_directories(folder_, failed);
  if (failed) throw std::runtime_error(fmt::format("'{}' cannot be made: {}", folder_.string(), failed.message()));
}

void DesignFolder::write(const std::string& name, const std::string& text) const {
  write_result((folder_ / name).string(), text);
}

std::string DesignFolder::json(const VecX& values, nlohmann::ordered_json more) const {
  nlohmann::ordered_json all;
  all["plan"] = plan_.file;
  all["model"] = plan_.model;
  for (std::size_t i = 0; i < plan_.variables.size(); ++i)
    all["parameters"][plan_.variables[i].name] = values[static_cast<Eigen::Index>(i)];
  all.update(more);
  all["view"] = design_command(plan_, values);
  return all.dump(2);
}

void DesignFolder::write_summary(const VecX& values, nlohmann::ordered_json more) const {
  write("summary.json", json(values, std::move(more)) + "\n");
}

std::string design_command(const DesignPlan& plan, const VecX& values) {
  std::string text = "cardan view " + shell_word(plan.model);
  for (const auto& [name, value] : plan.fixed) text += fmt::format(" --set {}={}", name, value);
  for (std::size_t i = 0; i < plan.variables.size(); ++i)
    if (!plan.variables[i].is_input)
      text += fmt::format(" --set {}={:.10g}", plan.variables[i].name, values[static_cast<Eigen::Index>(i)]);
  const auto add = [&text](const RunOption& option, const auto& value) {
    if (value && option.flag == nullptr) text += fmt::format(" {} {}", option.on_command_line(), *value);
  };
  visit_options(add, plan.options);
  return text;
}

void add_design_options(CLI::App& command, DesignRequest& request) {
  command.add_option("PLAN", request.plan, "the plan, a YAML file")->required();
  command.add_option("--out", request.out, "folder for the results (default: out/<plan name>)")->type_name("DIR");
  command.add_flag("--json", request.json, "print the summary as JSON");
}

}  // namespace cardan
