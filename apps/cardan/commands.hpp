// The subcommands. command_line.cpp fills the requests from the command line; each command returns the program's exit
// code and throws ModelError, std::invalid_argument or std::system_error for bad input.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "cardan/mechanism.hpp"
#include "cardan/run_options.hpp"

namespace cardan {

enum ExitCode { exit_done = 0, exit_failed = 1, exit_bad_input = 2, exit_interrupted = 130 };

int run_command_line(int argc, char** argv);

/// When it becomes true a command ends at the next step with what it has; null: nothing ends it.
using Stop = const std::atomic<bool>*;

struct CheckRequest {
  std::string model;
  std::vector<std::string> parameters;  // NAME=VALUE
  bool json = false;
};
int check_model(const CheckRequest& request);

/// What is not given stays as the model's `simulation:` block has it.
struct RunRequest {
  std::string model;
  std::vector<std::string> parameters;
  std::vector<std::string> inputs;     // each NAME=FILE, or FILE: see io/input_file.hpp
  std::string interpolation = "held";  // of them, or "linear"
  SimulationDefaults options;
  bool no_error_estimate = false;
  std::vector<std::string> plots;  // each "a.q,b.force": what the report shows first; empty: the model's `plots:`
  std::string out;                 // empty: out/<model name>
  std::string report;              // file for an HTML report; empty: none
  std::string command_line;
  bool json = false;
  std::vector<std::string> formats{"csv"};  // of the trajectory: "csv", "h5"
  std::string steps_file = "every";         // see FolderRun in io/result_folder.hpp
  bool keep_state = true;                   // write state.json
  double save_every = 30;                   // s, how often
  bool resume = false;                      // go on from it
  bool overwrite = false;                   // results of another model too
  Stop stop = nullptr;
};
inline constexpr const char* kFormats[] = {"csv", "h5"};
int run_model(const RunRequest& request);
/// Throws what run_model() would throw because of the model or the options.
void check_run(const RunRequest& request);

struct EquilibriumRequest {
  std::string model;
  std::vector<std::string> parameters;
  std::optional<int> iterations;
  std::string out;  // a file for the JSON, or a folder; empty: none
  bool json = false;
  bool overwrite = false;
};
int find_equilibrium_of_model(const EquilibriumRequest& request);

struct ModesRequest {
  std::string model;
  std::vector<std::string> parameters;
  std::string at = "equilibrium";  // or "drawn"
  std::string out;                 // a folder, or with an extension a file for the JSON; empty: out/<model name>-modes
  std::string report;              // file for an HTML report; empty: none
  std::string command_line;
  bool json = false;
  bool overwrite = false;
};
int find_modes_of_model(const ModesRequest& request);

struct InverseRequest {
  std::string model;
  std::vector<std::string> parameters;
  std::optional<double> step, until;  // default: those of the model
  std::string out;                    // empty: out/<model name>-inverse
  std::string report;                 // empty: none
  std::string command_line;
  bool overwrite = false;
  Stop stop = nullptr;
};
int run_inverse_dynamics(const InverseRequest& request);

struct CompareRequest {
  std::string model;
  std::vector<std::string> parameters;
  std::vector<std::string> formulations, integrators;  // empty: all
  std::vector<double> steps;                           // empty: 4, 2, 1 and 1/2 times the model's
  std::optional<double> until;
  std::vector<std::string> inputs;  // as those of RunRequest
  std::string interpolation = "held";
  double accuracy = 1e-3;  // which error is small enough for a suggestion
  std::string reference;   // FORMULATION/INTEGRATOR/STEP; empty: automatic
  std::string out;         // empty: out/<model name>
  std::string command_line;
  bool overwrite = false;
  Stop stop = nullptr;
};
int compare_model(const CompareRequest& request);

struct TuneRequest {
  std::string model;
  std::vector<std::string> parameters;
  std::vector<std::string> formulations, integrators;  // empty: all
  std::optional<double> until;
  std::vector<std::string> inputs;  // as those of RunRequest
  std::string interpolation = "held";
  double error = 1e-3;             // wanted
  std::optional<double> deadline;  // s: a real-time loop's period, instead of an error
  double share = 0.5;              // of it that stepping may take
  std::string out;                 // empty: out/<model name>
  Stop stop = nullptr;
};
int tune_model(const TuneRequest& request);

struct ImportRequest {
  std::string file;
  std::string out;  // empty: standard output
  bool leave_out = false;
  bool floating = false;
  std::optional<double> stops;
  std::vector<std::string> packages;  // NAME=FOLDER
};
int import_file(const ImportRequest& request);

struct ExportRequest {
  std::string format;  // see listed_export_formats()
  std::string model;
  std::vector<std::string> parameters;
  SimulationDefaults options;  // fmu
  std::string out;             // empty: standard output; fmu: <model name>.fmu
  int fmi = 2;                 // fmu: version of FMI, 2 or 3
  bool leave_out = false;      // urdf, mjcf: what the format has no words for
};
int export_model(const ExportRequest& request);
/// For --help.
std::string listed_export_formats();
int export_as_urdf(const ExportRequest& request);
int export_as_mjcf(const ExportRequest& request);

struct StudyRequest {
  std::string name;
  bool list = false;
  std::string out;  // empty: out/<study name>
  std::string command_line;
  Stop stop = nullptr;
};
int run_study(const StudyRequest& request);

struct DriveRequest {
  std::string model;
  std::vector<std::string> parameters;
  SimulationDefaults options;
  double scale = 1;      // simulated seconds per second
  bool unpaced = false;  // as fast as it goes
  std::string overrun = "catch_up";
  double behind = 0.1;  // s
  bool real_time = false, paused = false;
  int processor = -1;                      // -1: any
  std::string udp, udp_to, shared_memory;  // wires; empty: none
  int port = 0;                            // of the page; 0: any free one
  std::string listen = "127.0.0.1", token;
  bool no_page = false, no_browser = false;
  double seconds = 0;  // of the clock; 0: until interrupted
  std::string out, report, command_line;
  bool json = false, overwrite = false;
  Stop stop = nullptr;
};
int drive_model(const DriveRequest& request);

struct SweepRequest {
  std::string plan;
  std::string out;                 // empty: out/<plan name>
  int threads = 0;                 // 0: all processors
  std::string part;                // I/N; empty: all
  std::vector<std::string> merge;  // folders
  bool yes = false, json = false, h5 = false;
  std::string report, command_line;
  Stop stop = nullptr;
};
int sweep_model(const SweepRequest& request);

/// Of `cardan optimize` and `cardan fit`.
struct DesignRequest {
  std::string plan;
  std::string out;  // empty: out/<plan name>
  bool json = false;
  Stop stop = nullptr;
};
int optimize_design(const DesignRequest& request);
int fit_parameters(const DesignRequest& request);

struct ViewRequest {
  std::vector<std::string> paths;  // result folders and models
  RunRequest run;                  // options for the models
  int port = 0;                    // 0: any free one
  double seconds = 0;              // 0: until interrupted
  bool no_browser = false;
};
int view_results(const ViewRequest& request);

}  // namespace cardan
