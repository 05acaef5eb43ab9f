// Where `cardan optimize` and `cardan fit` write: a folder that belongs to one plan.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "commands.hpp"
#include "optimize/design_plan.hpp"

namespace cardan {

class DesignFolder {
 public:
  /// Throws std::invalid_argument when it holds results of another plan: nothing of it is touched.
  DesignFolder(const DesignRequest& request, const DesignPlan& plan);

  /// Throws std::runtime_error when it cannot be written.
  void write(const std::string& name, const std::string& text) const;
  /// summary.json, with the plan and the numbers that were chosen.
  void write_summary(const VecX& values, nlohmann::ordered_json more) const;
  std::string json(const VecX& values, nlohmann::ordered_json more) const;
  std::filesystem::path path(const std::string& name) const { return folder_ / name; }

 private:
  const DesignPlan& plan_;
  std::filesystem::path folder_;
};

/// `cardan view` of the model with these numbers.
std::string design_command(const DesignPlan& plan, const VecX& values);

void add_design_options(CLI::App& command, DesignRequest& request);

}  // namespace cardan
