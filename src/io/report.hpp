// One self-contained HTML file for a result: the viewer's page with the data inside. Opens from disk, needs no server.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "cardan/mechanism.hpp"

namespace cardan {

/// Line breaks in texts and notes are kept.
struct ReportTable {
  std::string title;
  std::vector<std::string> headers;
  std::vector<std::vector<std::string>> rows;
  std::string note;  // below
  std::string text;  // above
  std::vector<std::string> links = {};  // of the last cell of every row: where a click on it goes; empty: nowhere
};

/// Points are kept as given up to some thousand, else thinned to lowest and highest values; logarithmic axes leave out
/// what is not positive.
struct ReportSeries {
  std::string name;
  std::vector<double> x, y;
  bool points = false;     // marks on the curve, for measurements
  std::string group = {};  // of series that share a dash; a name has the same colour in all groups
  bool line = true;        // from point to point; a scatter has none
};
struct ReportPlot {
  std::string title, x_label, y_label;
  bool x_log = false, y_log = false;
  std::vector<ReportSeries> series = {};
  std::string note = {};
};

/// Parallel coordinates: an upright axis for each column, and a line across all of them for each row.
struct ReportParallel {
  struct Column {
    std::string name;
    std::vector<double> values;      // all columns have as many; NaN leaves a line off there
    std::vector<std::string> words;  // what 1, 2, ... stand for; empty: numbers
    bool log = false;
  };
  std::vector<Column> columns;  // the last one gives the lines their colours
};

/// A model file, or a part of one.
struct ReportModel {
  std::string name, text;
};

/// For the animation and plots of columns.
struct ReportRun {
  std::string name;
  std::string scene;                         // JSON, as scene.json
  std::string summary;                       // JSON, as summary.json, or empty
  std::vector<std::string> columns;          // `t` first
  std::vector<std::vector<double>> samples;  // one vector for each column
  std::size_t rows_of = 0;                   // rows of the whole result; 0: as many as there are
  std::string modes;                         // JSON, as modes.json; instead of columns and samples
};

struct ReportData {
  std::string title;
  std::string text;     // under the title
  std::string command;  // repeats it exactly; several on lines of their own
  std::vector<ReportModel> models;
  std::string summary;  // JSON object, shown as a table of its keys
  std::vector<ReportTable> tables;
  ReportParallel parallel;  // before the plots, where it has columns
  std::vector<ReportPlot> plots;
  std::vector<ReportRun> runs;  // two are overlaid
};

/// How much of a result goes into a report, in numbers (5.3 bytes each in the file).
inline constexpr std::size_t kReportNumbers = 600'000;

/// A result folder's scene, summary and samples: the bodies' poses and what was asked for, then as many other columns
/// as fit (joint coordinates, reactions, efforts, sensors, velocities, moments, in this order) at up to 2000 evenly
/// chosen rows. Throws std::runtime_error when scene.json or trajectory.csv cannot be read.
ReportRun read_report_run(const std::string& name, const std::filesystem::path& folder,
                          std::size_t numbers = kReportNumbers);

/// The model file and the parts that it includes, as they are now; none for a mechanism built in C++.
std::vector<ReportModel> model_texts(const Mechanism& mechanism);

/// A result folder and what its curves are called.
struct NamedResult {
  std::string name;
  std::filesystem::path folder;
};
/// The columns that somebody asked for, one plot for each unit, from the trajectory.csv of a result.
std::vector<ReportPlot> asked_plots(const Mechanism& mechanism, const std::filesystem::path& folder);

/// Energy error and constraint violations, then steps and iterations over time, from the steps.csv of one result or of
/// several side by side. What a file does not have (older ones end with `rejected`) is left out.
std::vector<ReportPlot> step_history_plots(const std::vector<NamedResult>& results);

/// Throws std::system_error when the file cannot be written, std::runtime_error when the program has no viewer in it.
void write_report(const std::filesystem::path& file, const ReportData& data);

}  // namespace cardan
