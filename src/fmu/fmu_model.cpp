#include "fmu/fmu_model.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <stdlib.h>

#include <stdexcept>

#include "fmu/fmu_run.hpp"
#include "fmu/shared_object.hpp"
#include "fmu/zip_archive.hpp"

namespace cardan {
namespace {

std::filesystem::path new_folder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "cardan-fmu-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr)
    throw std::runtime_error(fmt::format("no folder '{}' can be made to unpack it", pattern));
  return pattern;
}

}  // namespace

std::string binary_of(const FmuDescription& description) {
  return fmt::format("binaries/{}/{}.so", description.version == 2 ? "linux64" : "x86_64-linux",
                     description.identifier);
}

UnpackedFmu::UnpackedFmu(const std::filesystem::path& file) {
  const ZipReader archive(file);
  if (!archive.has("modelDescription.xml")) throw ArchiveError("it has no modelDescription.xml: it is no FMU");
  description_ = read_description(archive.read("modelDescription.xml"));
  const std::string binary = binary_of(description_);
  if (!archive.has(binary)) throw ArchiveError(fmt::format("it has no '{}': it was made for other systems", binary));
  if (const std::string why_not = why_no_shared_object(archive.read(binary)); !why_not.empty())
    throw ArchiveError(fmt::format("its binary {}", why_not));
  folder_ = new_folder();
  try {
    archive.extract(folder_);
    std::filesystem::create_directories(folder_ / "resources");
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
    throw;
  }
}

UnpackedFmu::~UnpackedFmu() {
  if (library_ != nullptr) dlclose(library_);
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

void* UnpackedFmu::library(std::string& why_not) const {
  if (void* loaded = library_) return loaded;
  void* opened = dlopen((folder_ / binary_of(description_)).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (opened == nullptr) {
    why_not = dlerror();
    return nullptr;
  }
  void* none = nullptr;
  if (!library_.compare_exchange_strong(none, opened)) dlclose(opened);  // another thread was first
  return library_;
}

FmuModel::FmuModel(std::shared_ptr<const UnpackedFmu> fmu, FmuVariables variables, const std::string& file)
    : fmu_(std::move(fmu)), variables_(std::move(variables)) {
  identity_ = fmt::format("{} {}", std::filesystem::path(file).filename().string(), fmu_->description().token);
  for (const auto& [variable, value] : variables_.parameters) identity_ += fmt::format(" {}={}", variable.name, value);
  for (const FmuVariable& variable : variables_.inputs) identity_ += " <" + variable.name;
  for (const FmuVariable& variable : variables_.outputs) identity_ += " >" + variable.name;
}

std::unique_ptr<CompanionRun> FmuModel::instantiate(const std::string& name, const SourceLocation& where) const {
  try {
    return (fmu_->description().version == 2 ? make_fmi2_run : make_fmi3_run)(fmu_, variables_, name);
  } catch (const std::runtime_error& error) {
    throw ModelError(error_at(where, fmt::format("fmu '{}'", name), error.what(), ""));
  }
}

}  // namespace cardan
