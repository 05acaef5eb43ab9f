// `cardan import FILE -o MODEL.yaml`: another program's file as a model file that a person can read and go on with.
#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>

#include "cardan/formats.hpp"
#include "cardan/io.hpp"
#include "commands.hpp"
#include "output.hpp"

namespace cardan {

namespace {

ImportOptions options_of(const ImportRequest& request) {
  ImportOptions options;
  options.leave_out = request.leave_out;
  options.stops = request.stops;
  options.floating = request.floating;
  for (const std::string& package : request.packages) {
    const std::size_t equals = package.find('=');
    if (equals == std::string::npos || equals == 0)
      throw std::invalid_argument(fmt::format("--package takes NAME=FOLDER, not '{}'", package));
    options.packages[package.substr(0, equals)] = package.substr(equals + 1);
  }
  if (!request.out.empty()) {
    const std::filesystem::path folder = std::filesystem::path(request.out).parent_path();
    options.folder = folder.empty() ? "." : folder.string();
  }
  if (options.stops && !(*options.stops > 0)) throw std::invalid_argument("--stops takes a stiffness above 0");
  return options;
}

}  // namespace

int import_file(const ImportRequest& request) {
  const ImportOptions options = options_of(request);
  if (!request.out.empty()) prepare_output(request.out, {request.file});
  std::vector<Diagnostic> warnings;
  const std::string text = import_model(request.file, options, &warnings);
  for (const Diagnostic& warning : warnings) say(warning.text());
  if (request.out.empty()) {
    print(text);
    return exit_done;
  }
  write_result(request.out, text);
  try {
    const Mechanism mechanism = read_mechanism_text(text, request.out);
    print(fmt::format("{}: {}, {}\n", request.out, counted(mechanism.bodies.size(), "body", "bodies"),
                      counted(mechanism.joints.size(), "joint")));
    for (const Diagnostic& warning : mechanism.warnings) say(warning.text());
  } catch (const ModelError& error) {
    say(error.what());
    complain(fmt::format("'{}' is written, but is no model yet", request.out));
    return exit_bad_input;
  }
  return exit_done;
}

}  // namespace cardan
