// Models for other tools: one function for each format, listed once.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "cardan/version.h"
#include "commands.hpp"
#include "export/fmu_export.hpp"
#include "options/unknown_name.hpp"
#include "output.hpp"

namespace cardan {
namespace {

/// Beside the program, or where it was installed.
std::filesystem::path fmu_object() {
  const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  for (const char* place : {"cardan_fmu.so", "../" CARDAN_LIBRARY_FOLDER "/cardan/cardan_fmu.so"})
    if (std::filesystem::exists(folder / place)) return (folder / place).lexically_normal();
  throw std::invalid_argument(
      fmt::format("cardan_fmu.so, which every FMU holds, is missing beside the program in '{}': build or "
                  "install Cardan again",
                  folder.string()));
}

int export_as_fmu(const ExportRequest& request) {
  FmuExport wish;
  wish.model = request.model;
  wish.parameters = parse_parameters(request.parameters);
  wish.options = request.options;
  wish.version = request.fmi;
  wish.object = fmu_object();
  wish.tool = "Cardan " CARDAN_VERSION;
  const ExportedFmu fmu = export_fmu(wish);
  const std::string file = request.out.empty() ? fmu.name + ".fmu" : request.out;
  prepare_output(file, {request.model});
  write_result(file, fmu.bytes);
  print(fmt::format("{}: FMI {}.0 for co-simulation, {}, {}, {}, {} of the model, {} kB\n", file, request.fmi,
                    counted(fmu.inputs, "input"), counted(fmu.outputs, "output"), counted(fmu.parameters, "parameter"),
                    counted(fmu.files, "file"), fmu.bytes.size() >> 10));
  return exit_done;
}

struct ExportFormat {
  std::string name, description;
  int (*write)(const ExportRequest& request);
};

const std::vector<ExportFormat>& export_formats() {
  static const std::vector<ExportFormat> formats{
      {"fmu", "a functional mock-up unit for co-simulation (FMI 2.0, 3.0)", export_as_fmu},
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
