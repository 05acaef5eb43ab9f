// Models for other tools: one function for each format, listed once.
#include <fmt/format.h>

#include "commands.hpp"
#include "options/unknown_name.hpp"

namespace cardan {
namespace {

struct ExportFormat {
  std::string name, description;
  int (*write)(const ExportRequest& request);
};

const std::vector<ExportFormat>& export_formats() {
  static const std::vector<ExportFormat> formats{
      {"urdf", "a robot for ROS and its kin; beside it a model file with what URDF has no words for", export_as_urdf},
      {"mjcf", "a model for MuJoCo, loops as equality constraints", export_as_mjcf},
  };
  return formats;
}

}  // namespace

std::string listed_export_formats() {
  std::string text = "\nformats:\n";
  for (const ExportFormat& format : export_formats())
    text += fmt::format("  {:<8}{}\n", format.name, format.description);
  return text;
}

int export_model(const ExportRequest& request) {
  return find_by_name("format", request.format, export_formats()).write(request);
}

}  // namespace cardan
