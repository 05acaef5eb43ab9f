// URDF and MJCF: one text, and for URDF a model file beside it with what URDF has no words for.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "cardan/formats.hpp"
#include "cardan/io.hpp"
#include "commands.hpp"
#include "output.hpp"

namespace cardan {

namespace {

void say_left_out(const ExportedModel& model) {
  for (const std::string& line : model.left_out) say("left out: " + line);
}

/// The model file beside a URDF file replaces one that was written so, and no other.
void keep_what_is_there(const std::string& file) {
  std::ifstream stream(file);
  std::string line;
  if (stream && std::getline(stream, line) && !line.starts_with("# What "))
    throw std::invalid_argument(
        fmt::format("'{}' is there already, and the model file that goes with the URDF file would replace it; "
                    "choose another name",
                    file));
}

}  // namespace

int export_as_urdf(const ExportRequest& request) {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  const Mechanism mechanism = read_mechanism(request.model, parse_parameters(request.parameters), &files);
  const fs::path file(request.out);
  const std::string beside = fs::path(file).replace_extension(".yaml").string();
  if (!request.out.empty()) {
    if (beside == file.string())
      throw std::invalid_argument(fmt::format("'{}' is what the model file beside it is called; use .urdf", beside));
    keep_what_is_there(beside);
    prepare_output(request.out, files);
    prepare_output(beside, files);
  }
  ExportOptions options;
  options.leave_out = request.leave_out;
  const ExportedModel model = export_urdf(mechanism, file.empty() ? "robot.urdf" : file.filename().string(), options);
  say_left_out(model);
  if (request.out.empty()) {
    print(model.text);
    if (!model.sidecar.empty()) say("with -o FILE, a model file beside it has the loops, the gravity and the start");
    return exit_done;
  }
  write_result(request.out, model.text);
  print(fmt::format("{}: {}, {}\n", request.out, counted(mechanism.bodies.size(), "body", "bodies"),
                    counted(mechanism.joints.size(), "joint")));
  if (!model.sidecar.empty()) {
    write_result(beside, model.sidecar);
    print(fmt::format("{}: what URDF has no words for; it includes {}\n", beside, file.filename().string()));
  }
  return exit_done;
}

int export_as_mjcf(const ExportRequest& request) {
  std::vector<std::string> files;
  const Mechanism mechanism = read_mechanism(request.model, parse_parameters(request.parameters), &files);
  if (!request.out.empty()) prepare_output(request.out, files);
  ExportOptions options;
  options.leave_out = request.leave_out;
  const ExportedModel model = export_mjcf(mechanism, options);
  say_left_out(model);
  if (request.out.empty()) {
    print(model.text);
    return exit_done;
  }
  write_result(request.out, model.text);
  print(fmt::format("{}: {}, {}\n", request.out, counted(mechanism.bodies.size(), "body", "bodies"),
                    counted(mechanism.joints.size(), "joint")));
  return exit_done;
}

}  // namespace cardan
