// Options that several commands have, and the commands whose options fill a file of their own.
#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <vector>

#include "cardan/registry.hpp"
#include "commands.hpp"

namespace cardan {

/// Names and what they are, for the end of a help text.
std::string listed(const char* title, std::span<const RegistryEntry> entries);

void add_model(CLI::App& command, std::string& model, std::vector<std::string>& parameters);
void add_inputs(CLI::App& command, std::vector<std::string>& inputs, std::string& interpolation);
/// Formulation, integrator, step and the like.
void add_method(CLI::App& command, SimulationDefaults& options);
/// What add_method() takes, as it would be given, each word after a space.
std::string as_given(const SimulationDefaults& options);
void add_overwrite(CLI::App& command, bool& overwrite);

void add_drive(CLI::App& app, DriveRequest& request);
void add_tune(CLI::App& app, TuneRequest& request);
void add_sweep(CLI::App& app, SweepRequest& request);
void add_optimize(CLI::App& app, DesignRequest& request);
void add_fit(CLI::App& app, DesignRequest& request);
void add_import(CLI::App& app, ImportRequest& request);
void add_export(CLI::App& app, ExportRequest& request);

}  // namespace cardan
