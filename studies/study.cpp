#include "studies/study.hpp"

#include <algorithm>
#include <cctype>

#include "io/result_folder.hpp"
#include "io/text_table.hpp"
#include "studies/model_file.hpp"

namespace cardan {
namespace {

constexpr std::size_t kWidth = 120;              // of lines on the terminal
constexpr std::size_t kNumbersOfARun = 200'000;  // in the report, some 1 MB
constexpr std::size_t kAnimatedSamples = 2000;   // at most, of a run

/// "hybrid, h = 0.01 s" as "hybrid_h_0.01_s"
std::string folder_name(const std::string& name) {
  std::string result;
  for (const char c : name) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-';
    if (plain) {
      result += c;
    } else if (!result.empty() && result.back() != '_') {
      result += '_';
    }
  }
  return result;
}

}  // namespace

void StudyContext::say(const std::string& text) const {
  report.text += (report.text.empty() ? "" : "\n\n") + text;
  print(wrapped("", text, kWidth) + "\n");
}

void StudyContext::show(const ResultTable& table, const std::string& title, const std::string& text,
                        const std::string& remark) const {
  std::string lines = wrapped("", title, kWidth);
  if (!text.empty()) lines += wrapped("", text, kWidth);
  lines += "\n" + table.text() + "\n";
  if (!remark.empty()) lines += wrapped("", remark, kWidth) + "\n";
  ReportTable shown = table.report();
  shown.title = title;
  shown.text = text;
  if (!remark.empty()) shown.note += (shown.note.empty() ? "" : "\n") + remark;
  report.tables.push_back(std::move(shown));
  print(lines);  // last: whoever prints may end the study there
}

RunSummary StudyContext::animate(const std::string& name, const std::string& command, const Mechanism& mechanism,
                                 const RunOptions& options) {
  const std::filesystem::path folder = out / folder_name(name);
  std::filesystem::create_directories(folder);
  RunOptions sampled = options;
  sampled.every = std::max(options.every, static_cast<int>(options.until / options.step / kAnimatedSamples));
  const RunSummary summary = run_into_folder(mechanism, sampled, folder).summary;
  report.runs.push_back(read_report_run(name, folder, kNumbersOfARun));
  report.command += "\n" + with_short_model_names(command);
  animated_.push_back({name, folder});
  return summary;
}

void StudyContext::give_models(const Mechanism& mechanism) const {
  report.models = model_texts(mechanism);
  for (ReportModel& model : report.models) model.name = with_short_model_names(model.name);
}

void StudyContext::plot_histories() const {
  for (ReportPlot& plot : step_history_plots(animated_)) report.plots.push_back(std::move(plot));
}

}  // namespace cardan
