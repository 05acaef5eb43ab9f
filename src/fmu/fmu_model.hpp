// An FMU for co-simulation as a companion of a mechanism: the archive unpacked into a folder of its own, its
// description, and which of its variables are used. How it runs is in fmi2_run.cpp and fmi3_run.cpp.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cardan/companion.hpp"
#include "fmu/description.hpp"

namespace cardan {

/// Of the binary in an FMU, for this system: "binaries/linux64/NAME.so", "binaries/x86_64-linux/NAME.so".
std::string binary_of(const FmuDescription& description);

/// The archive on disk, as long as somebody holds it.
class UnpackedFmu {
 public:
  /// Throws ArchiveError or std::runtime_error: half a sentence on the file.
  explicit UnpackedFmu(const std::filesystem::path& file);
  ~UnpackedFmu();
  UnpackedFmu(const UnpackedFmu&) = delete;
  UnpackedFmu& operator=(const UnpackedFmu&) = delete;

  const FmuDescription& description() const { return description_; }
  const std::filesystem::path& folder() const { return folder_; }
  /// The shared object, loaded at the first call; null with why.
  void* library(std::string& why_not) const;
  /// How many runs there are, where only one may be.
  std::atomic<int>& runs() const { return runs_; }

 private:
  FmuDescription description_;
  std::filesystem::path folder_;
  mutable std::atomic<void*> library_ = nullptr;
  mutable std::atomic<int> runs_ = 0;
};

/// What a run sets and gets.
struct FmuVariables {
  std::vector<FmuVariable> inputs, outputs;
  std::vector<std::pair<FmuVariable, double>> parameters;
};

class FmuModel : public CompanionModel {
 public:
  FmuModel(std::shared_ptr<const UnpackedFmu> fmu, FmuVariables variables, const std::string& file);
  std::unique_ptr<CompanionRun> instantiate(const std::string& name, const SourceLocation& where) const override;
  const std::string& identity() const override { return identity_; }

 private:
  std::shared_ptr<const UnpackedFmu> fmu_;
  FmuVariables variables_;
  std::string identity_;
};

}  // namespace cardan
