// A study is a published experiment run again: our numbers beside the published ones. One folder each; the registry
// below lists them for the command line.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "cardan/simulation.hpp"
#include "io/report.hpp"
#include "io/result_table.hpp"

namespace cardan {

/// What a study is given by the program that runs it. Whatever it says goes to the terminal and into its report.
struct StudyContext {
  explicit StudyContext(ReportData& page) : report(page) {}

  std::filesystem::path out;                      // an existing folder for its files
  std::function<void(std::string_view)> print;    // to the terminal
  std::function<void(double fraction)> progress;  // called now and then, from any thread; may be empty
  unsigned threads = 1;                           // for runs that do not depend on each other
  ReportData& report;

  /// A paragraph.
  void say(const std::string& text) const;
  /// A table under its title, `text` above it and `remark` below.
  void show(const ResultTable& table, const std::string& title, const std::string& text = "",
            const std::string& remark = "") const;

  /// A run for the animation, written to the folder out/NAME. `command`: what runs it again.
  RunSummary animate(const std::string& name, const std::string& command, const Mechanism& mechanism,
                     const RunOptions& options);
  /// The model's files into the report.
  void give_models(const Mechanism& mechanism) const;
  /// Step history, energy error and constraint violation of all animated runs side by side.
  void plot_histories() const;

 private:
  std::vector<NamedResult> animated_;
};

struct Study {
  std::string_view name;
  std::string_view summary;
  std::string_view published;  // where
  std::string_view about;      // what is done, and what the published numbers are
  void (*run)(StudyContext& context);
};

/// All studies, by name.
std::span<const Study> studies();

}  // namespace cardan
