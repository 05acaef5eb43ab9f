#include "export/fmu_export.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <cctype>
#include <fstream>
#include <set>
#include <sstream>
#include <system_error>
#include <vector>

#include "c_interface/handle.hpp"
#include "cardan/io.hpp"
#include "export/fmu_description.hpp"
#include "export/tunable_parameters.hpp"
#include "fmu/shared_object.hpp"
#include "fmu/zip_archive.hpp"
#include "options/option_list.hpp"
#include "text/fingerprint.hpp"

namespace cardan {
namespace {

namespace fs = std::filesystem;

std::string contents_of(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream)
    throw std::system_error(std::make_error_code(std::errc::io_error), "cannot read '" + path.string() + "'");
  return text.str();
}

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "cardan-export-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr)
      throw std::system_error(errno, std::generic_category(), "cannot make '" + pattern + "'");
    path = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  fs::path path;
};

struct PackedFile {
  std::string name, contents;  // below resources/
};

/// In the same places relative to each other, below the folder that holds them all.
std::vector<PackedFile> pack(const std::vector<std::string>& files) {
  std::vector<fs::path> paths;
  for (const std::string& file : files) paths.push_back(fs::absolute(file).lexically_normal());
  fs::path common = paths.front().parent_path();
  for (const fs::path& path : paths) {
    while (path.lexically_relative(common).empty() || *path.lexically_relative(common).begin() == "..")
      common = common.parent_path();
  }
  std::vector<PackedFile> packed;
  for (const fs::path& path : paths)
    packed.push_back({path.lexically_relative(common).generic_string(), contents_of(path)});
  return packed;
}

/// The model is read from a copy: what it does not find there, it names by an absolute path.
void check_complete(const std::vector<PackedFile>& files, const FmuExport& request) {
  const TemporaryFolder folder;
  for (const PackedFile& file : files) {
    const fs::path path = folder.path / file.name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << file.contents;
  }
  ModelSources sources;
  read_mechanism((folder.path / files.front().name).string(), request.parameters, sources);
  for (const std::string& file : sources.files) {
    const fs::path below = fs::path(file).lexically_relative(folder.path);
    if (below.empty() || *below.begin() == "..")
      throw ModelError(error_at(SourceLocation{request.model}, "",
                                fmt::format("it refers to '{}' by an absolute path", file),
                                "name it relative to the file, so that it can go along"));
  }
}

/// Every FMU holds it, and whoever gets one cannot mend it.
std::string object_of(const fs::path& path, int version) {
  std::string bytes = contents_of(path);
  std::string why_not = why_no_shared_object(bytes);
  const char* needed = version == 2 ? "fmi2Instantiate" : "fmi3InstantiateCoSimulation";
  if (why_not.empty() && bytes.find(needed) == std::string::npos)
    why_not = fmt::format("lacks the function {}", needed);
  if (!why_not.empty())
    throw std::invalid_argument(
        fmt::format("'{}', which every FMU holds, {}: build or install Cardan again", path.string(), why_not));
  return bytes;
}

std::string token_of(const std::vector<PackedFile>& files, const std::string& settings) {
  std::uint64_t sums[2];
  for (int i = 0; i < 2; ++i) {
    Fingerprint sum;
    sum.add(static_cast<double>(i));
    sum.add(settings);
    for (const PackedFile& file : files) {
      sum.add(file.name);
      sum.add(static_cast<double>(file.contents.size()));
      sum.add(file.contents);
    }
    sums[i] = sum.sum();
  }
  return fmt::format("{{{:08x}-{:04x}-{:04x}-{:04x}-{:012x}}}", sums[0] >> 32, sums[0] >> 16 & 0xffff, sums[0] & 0xffff,
                     sums[1] >> 48, sums[1] & 0xffffffffffff);
}

/// As fmu/resources.hpp reads them.
std::string settings_of(const FmuExport& request, const std::string& model, const std::set<std::string>& tunable) {
  std::string text = fmt::format("model {}\n", model);
  const auto add = [&text]<class T>(const RunOption& option, const std::optional<T>& value) {
    if (value) text += fmt::format("option {} {}\n", option.name, *value);
  };
  visit_options(add, request.options);
  for (const auto& [name, value] : request.parameters) text += fmt::format("parameter {} {}\n", name, value);
  for (const std::string& name : tunable) text += fmt::format("tunable {}\n", name);
  return text;
}

/// A name that C allows.
std::string identifier_of(const std::string& name) {
  std::string identifier;
  for (const char c : name) identifier += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  if (identifier.empty() || std::isdigit(static_cast<unsigned char>(identifier[0])) != 0) identifier = "m" + identifier;
  return identifier;
}

}  // namespace

ExportedFmu export_fmu(const FmuExport& request) {
  if (!request.options.cut.empty())
    throw std::invalid_argument("joints to cut are given in the model, under 'simulation'");
  ModelSources sources;
  Mechanism mechanism = read_mechanism(request.model, request.parameters, sources);
  RunOptions options = RunOptions::for_mechanism(mechanism);
  options.apply(request.options);
  cardan_simulation simulation(std::move(mechanism), sources.parameters, options);
  const std::vector<PackedFile> files = pack(sources.files);
  check_complete(files, request);

  const std::set<std::string> tunable = tunable_parameters(request);
  const std::string settings = settings_of(request, files.front().name, tunable);
  const FmuHeader header{request.version,
                         simulation.name(),
                         token_of(files, settings + request.tool),
                         identifier_of(simulation.name()),
                         request.tool,
                         tunable};
  ZipWriter archive;
  archive.add("modelDescription.xml", fmu_description(header, simulation));
  archive.add(fmt::format("binaries/{}/{}.so", request.version == 2 ? "linux64" : "x86_64-linux", header.identifier),
              object_of(request.object, request.version));
  archive.add("resources/cardan.txt", fmt::format("token {}\n{}", header.token, settings));
  for (const PackedFile& file : files) archive.add("resources/" + file.name, file.contents);
  return {simulation.name(),
          archive.finish(),
          simulation.variables(CARDAN_INPUT).size(),
          simulation.variables(CARDAN_OUTPUT).size(),
          simulation.variables(CARDAN_PARAMETER).size(),
          files.size()};
}

}  // namespace cardan
