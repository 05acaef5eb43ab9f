// What a run leaves behind in its folder: trajectory.csv, steps.csv, scene.json and summary.json (docs/output.md).
#pragma once

#include <filesystem>
#include <string>

#include "cardan/simulation.hpp"

namespace cardan {

/// A whole file and a line end. Throws std::system_error.
void write_file(const std::filesystem::path& file, const std::string& text);

struct WrittenRun {
  RunSummary summary;
  std::string error;  // why trajectory.csv is incomplete (a full disk, say); empty when it is not
};

/// Runs into an existing folder. Throws what run() throws, and std::system_error when a file cannot be written.
WrittenRun run_into_folder(const Mechanism& mechanism, const RunOptions& options, const std::filesystem::path& folder,
                           const Progress& progress = {});

}  // namespace cardan
