#include "compare_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace cardan {
namespace {

/// Numbered explanations below the table. Runs that failed for the same cause, of whatever element, share one; step,
/// time and element are in the CSV file.
class Explanations {
 public:
  std::string mark(const std::string& reason) {
    const auto [cause, advice] = split(reason);
    const std::string key = without_names(cause) + advice;
    const auto found = std::find(keys_.begin(), keys_.end(), key);
    const std::string mark = fmt::format("[{}]", found - keys_.begin() + 1);
    if (found == keys_.end()) {
      keys_.push_back(key);
      causes_.push_back(mark + " " + cause);
      if (!advice.empty()) advise(advice, mark);
    }
    return mark;
  }

  /// Causes, as many on a line as fit, then advice with the numbers of those that it is for.
  std::string text() const {
    std::vector<std::string> advice;
    for (const auto& [what, marks] : advice_) advice.push_back(fmt::format("{}: {}", fmt::join(marks, " "), what));
    return packed(causes_) + packed(advice);
  }

 private:
  static std::string packed(const std::vector<std::string>& items) {
    std::string text, line;
    const auto end_line = [&] {
      if (!line.empty()) text += line.size() > kScreenWidth ? wrapped("", line, kScreenWidth, 4) : line + "\n";
    };
    for (const std::string& item : items) {
      if (!line.empty() && line.size() + 3 + item.size() <= kScreenWidth) {
        line += "   " + item;
      } else {
        end_line();
        line = item;
      }
    }
    end_line();
    return text;
  }

  void advise(const std::string& advice, const std::string& mark) {
    auto found = std::find_if(advice_.begin(), advice_.end(), [&](const auto& each) { return each.first == advice; });
    if (found == advice_.end()) found = advice_.insert(advice_.end(), {advice, {}});
    found->second.push_back(mark);
  }

  static std::string without_names(std::string text) {
    for (auto open = text.find('\''); open != std::string::npos; open = text.find('\'', open + 1)) {
      const auto close = text.find('\'', open + 1);
      if (close == std::string::npos) break;
      text.erase(open + 1, close - open);
    }
    return text;
  }

  /// "in the step of ... s: CAUSE after N rejected, with ... (numbers); worst ...; ADVICE" becomes CAUSE and ADVICE,
  /// other texts their first line.
  static std::pair<std::string, std::string> split(const std::string& reason) {
    std::string text = reason.substr(0, reason.find('\n'));
    if (!text.starts_with("in the step of")) return {text, ""};
    if (const auto colon = text.find(": "); colon != std::string::npos) text.erase(0, colon + 2);
    const auto end = text.find(';');
    std::string cause = text.substr(0, end);
    if (const auto rejected = cause.find(" rejected, with "); rejected != std::string::npos) {
      const auto begin = cause.rfind(" after ", rejected), rest = cause.find(": ", rejected);
      if (begin != std::string::npos) cause.erase(begin, rest == std::string::npos ? rest : rest - begin);
    }
    for (auto open = cause.find(" ("); open != std::string::npos; open = cause.find(" (")) {
      const auto close = cause.find(')', open);
      cause.erase(open, close == std::string::npos ? close : close - open + 1);
    }
    return {cause, end == std::string::npos ? "" : text.substr(text.rfind("; ") + 2)};
  }

  std::vector<std::string> keys_, causes_;
  std::vector<std::pair<std::string, std::vector<std::string>>> advice_;  // and the marks of its causes
};

using Line = std::vector<const ComparedRun*>;

/// The runs of one formulation and integrator.
std::vector<Line> lines_of(const Comparison& comparison) {
  std::vector<Line> lines;
  for (const ComparedRun& run : comparison.runs) {
    if (lines.empty() || lines.back()[0]->formulation != run.formulation ||
        lines.back()[0]->integrator != run.integrator) {
      lines.emplace_back();
    }
    lines.back().push_back(&run);
  }
  return lines;
}

/// The run of a line whose cost is shown.
const ComparedRun* shown(const Line& line, double accuracy) {
  const ComparedRun *best = nullptr, *nearest = nullptr;
  for (const ComparedRun* run : line) {
    if (!run->ok()) continue;
    if (run->error <= accuracy && (!best || run->summary.cpu_seconds < best->summary.cpu_seconds)) best = run;
    if (!nearest || run->error < nearest->error) nearest = run;
  }
  return best ? best : nearest;
}

}  // namespace

std::string brief(double value, int digits) {
  if (!std::isfinite(value)) return "-";
  const double size = std::abs(value);
  if (size == 0 || (size >= 0.1 && size < 1)) return fmt::format("{:.{}g}", value, digits);
  if (size >= 1 && size < 1e4) return fmt::format("{:.{}f}", value, digits > 1 && size < 9.95 ? 1 : 0);
  const std::string text = fmt::format("{:.{}e}", value, digits - 1);
  const std::size_t exponent = text.find('e') + 1;
  return text.substr(0, exponent) + std::to_string(std::stoi(text.substr(exponent)));
}

std::string thousands(double value) {
  const auto short_form = [](double v) { return fmt::format("{:.{}f}", v, v < 9.95 ? 1 : 0); };
  if (!(value >= 999.5)) return value < 0.995 ? brief(value) : short_form(value);
  return value < 999.5e3 ? short_form(value / 1e3) + "k" : short_form(value / 1e6) + "M";
}

ComparisonTable comparison_table(const Comparison& comparison, const ComparisonPlan& plan, double accuracy) {
  using Align = TextTable::Align;
  std::vector<TextTable::Column> columns{{"formulation", Align::left}, {"integrator", Align::left}};
  for (double step : plan.steps) columns.push_back({fmt::format("h {:g}", step)});
  // Integrators that choose their steps have the last two columns of steps to themselves, where there are two.
  const std::size_t steps = plan.steps.size();
  const bool own_column = steps < 2 && std::any_of(comparison.runs.begin(), comparison.runs.end(),
                                                   [](const ComparedRun& run) { return run.step == 0; });
  if (own_column) columns.push_back({"own h"});
  for (const char* title : {"Phi", "E, J", "it", "rej", "ms", "xRT"}) columns.push_back({title});
  TextTable table(columns);
  Explanations explanations;
  std::string formulation;
  for (const Line& line : lines_of(comparison)) {
    const ComparedRun& first = *line[0];
    std::vector<std::string> cells{first.formulation == formulation ? "" : first.formulation, first.integrator};
    formulation = first.formulation;
    const ComparedRun* const best = shown(line, accuracy);
    const std::size_t begin = cells.size();
    cells.resize(begin + steps + (own_column ? 1 : 0));
    for (const ComparedRun* run : line) {
      std::size_t place = cells.size() - 1;
      if (run->step > 0) {
        place = begin + static_cast<std::size_t>(std::find(plan.steps.begin(), plan.steps.end(), run->step) -
                                                 plan.steps.begin());
      } else if (!own_column) {
        cells[place - 1] = "own h";
      }
      cells[place] = run->ok() ? (run == best ? "*" : "") + brief(run->error) : explanations.mark(run->reason());
    }
    if (best) {
      const RunSummary& s = best->summary;
      cells.insert(cells.end(),
                   {brief(s.position.value, 1), brief(s.energy_max_error, 1),
                    fmt::format("{:.1f}", static_cast<double>(s.iterations) / std::max<double>(1, s.steps)),
                    s.rejected_steps < 1000 ? std::to_string(s.rejected_steps)
                                            : thousands(static_cast<double>(s.rejected_steps)),
                    brief(1e3 * s.cpu_seconds), thousands(s.real_time_factor)});
    }
    table.add(std::move(cells));
  }
  return {std::move(table), explanations.text()};
}

}  // namespace cardan
