// A model as an FMU for co-simulation: the model with all files that it refers to, the shared object that runs it, and
// the description. No compiler is needed: the object is the same for all models.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "cardan/run_options.hpp"

namespace cardan {

struct FmuExport {
  std::string model;                         // its file
  std::map<std::string, double> parameters;  // in place of the model's
  SimulationDefaults options;
  int version = 2;               // of FMI: 2 or 3
  std::filesystem::path object;  // cardan_fmu.so
  std::string tool;              // what made it: "Cardan 0.1.0"
};

struct ExportedFmu {
  std::string name, bytes;  // of the model; the archive
  std::size_t inputs = 0, outputs = 0, parameters = 0, files = 0;
};

/// Throws ModelError for the model, std::invalid_argument for options, std::system_error for files.
ExportedFmu export_fmu(const FmuExport& request);

}  // namespace cardan
