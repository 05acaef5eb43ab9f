// `cardan compare MODEL`: every formulation, integrator and step side by side, as one table and as compare.csv.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "cardan/io.hpp"
#include "commands.hpp"
#include "comparison.hpp"
#include "io/text_table.hpp"
#include "output.hpp"
#include "progress_line.hpp"
#include "studies/result_file.hpp"

namespace cardan {
namespace {

/// "hybrid/trapezoidal/1e-4"
RunOptions parse_reference(const std::string& text, RunOptions options) {
  const std::size_t first = text.find('/'), second = first == std::string::npos ? first : text.find('/', first + 1);
  try {
    if (second == std::string::npos) throw std::invalid_argument("");
    std::size_t used = 0;
    const std::string step = text.substr(second + 1);
    options.step = std::stod(step, &used);
    if (used != step.size()) throw std::invalid_argument("");
  } catch (const std::exception&) {
    throw std::invalid_argument(
        fmt::format("the reference '{}' is not FORMULATION/INTEGRATOR/STEP, like hybrid/trapezoidal/1e-4", text));
  }
  options.formulation = text.substr(0, first);
  options.integrator = text.substr(first + 1, second - first - 1);
  options.check();
  return options;
}

ComparisonPlan plan_for(const Mechanism& mechanism, const CompareRequest& request) {
  ComparisonPlan plan;
  plan.formulations = request.formulations;
  plan.integrators = request.integrators;
  plan.base = RunOptions::for_mechanism(mechanism);
  if (request.until) plan.base.until = *request.until;
  plan.steps = request.steps;
  if (plan.steps.empty()) {
    for (double factor : {4.0, 2.0, 1.0, 0.5}) plan.steps.push_back(factor * plan.base.step);
  }
  std::sort(plan.steps.rbegin(), plan.steps.rend());
  plan.steps.erase(std::unique(plan.steps.begin(), plan.steps.end()), plan.steps.end());
  for (double step : plan.steps) {
    RunOptions options = plan.base;
    options.formulation = "hybrid";
    options.integrator = "trapezoidal";
    options.step = step;
    options.check();
  }
  if (!request.reference.empty()) plan.reference = parse_reference(request.reference, plan.base);
  if (!(request.accuracy > 0)) {
    throw std::invalid_argument(fmt::format("accuracy is {}, but must be a number above 0", request.accuracy));
  }
  plan.threads = std::max(1U, std::thread::hardware_concurrency());
  return plan;
}

constexpr std::size_t kWidth = 120;  // of the table's lines, in characters

/// `text` after `start` on lines of at most kWidth characters, the second and later ones indented.
std::string wrapped(const std::string& start, const std::string& text, std::size_t indent) {
  std::string result, line = start;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (line.size() + 1 + word.size() > kWidth) {
      result += line + '\n';
      line = std::string(indent, ' ') + word;
    } else {
      line += " " + word;
    }
    begin = end + 1;
  }
  return result + line + '\n';
}

/// "4.2e-4", "-1.7e-2", "29", "0.30": two digits in as few characters as they take.
std::string brief(double value) {
  if (!std::isfinite(value)) return "-";
  const double size = std::abs(value);
  if (size == 0 || (size >= 0.1 && size < 1)) return fmt::format("{:.2g}", value);
  if (size >= 1 && size < 1e4) return fmt::format("{:.{}f}", value, size < 9.95 ? 1 : 0);
  std::string text = fmt::format("{:.1e}", value);
  const std::size_t exponent = text.find('e') + 1;
  const int power = std::stoi(text.substr(exponent));
  return text.substr(0, exponent) + std::to_string(power);
}

/// Numbered explanations below the table. Runs that failed for the same cause, of whatever element, share one; step,
/// time and element are in the CSV file.
class Explanations {
 public:
  std::string mark(const std::string& reason) {
    const std::string cause = cause_of(reason), key = without_names(cause);
    const auto found = std::find(keys_.begin(), keys_.end(), key);
    const auto index = found - keys_.begin();
    if (found == keys_.end()) keys_.push_back(key), causes_.push_back(cause);
    return fmt::format("[{}]", index + 1);
  }
  std::string text() const {
    std::string text;
    for (std::size_t i = 0; i < causes_.size(); ++i) {
      text += wrapped(fmt::format("  [{}]", i + 1), causes_[i], 6);
    }
    return text;
  }

 private:
  static std::string without_names(std::string text) {
    for (auto open = text.find('\''); open != std::string::npos; open = text.find('\'', open + 1)) {
      const auto close = text.find('\'', open + 1);
      if (close == std::string::npos) break;
      text.erase(open + 1, close - open);
    }
    return text;
  }
  /// "in the step of ... s: CAUSE (numbers); worst ...; ADVICE" becomes "CAUSE; ADVICE", other texts their first line.
  static std::string cause_of(const std::string& reason) {
    std::string text = reason.substr(0, reason.find('\n'));
    if (!text.starts_with("in the step of")) return text;
    if (const auto colon = text.find(": "); colon != std::string::npos) text.erase(0, colon + 2);
    const auto end = text.find(';');
    std::string cause = text.substr(0, end);
    for (auto open = cause.find(" ("); open != std::string::npos; open = cause.find(" (")) {
      const auto close = cause.find(')', open);
      cause.erase(open, close == std::string::npos ? close : close - open + 1);
    }
    if (const auto advice = text.rfind("; "); end != std::string::npos) cause += text.substr(advice);
    return cause;
  }

  std::vector<std::string> keys_, causes_;
};

/// The run of a line whose cost is shown: the cheapest that is accurate enough, else the most accurate one.
const ComparedRun* shown(const std::vector<const ComparedRun*>& line, double accuracy) {
  const ComparedRun *best = nullptr, *nearest = nullptr;
  for (const ComparedRun* run : line) {
    if (!run->ok()) continue;
    if (run->error <= accuracy && (!best || run->summary.cpu_seconds < best->summary.cpu_seconds)) best = run;
    if (!nearest || run->error < nearest->error) nearest = run;
  }
  return best ? best : nearest;
}

std::string table_of(const Comparison& comparison, const ComparisonPlan& plan, double accuracy) {
  using Align = TextTable::Align;
  std::vector<TextTable::Column> columns{{"formulation", Align::left}, {"integrator", Align::left}};
  for (double step : plan.steps) columns.push_back({fmt::format("h {:g}", step)});
  const bool own =
      std::any_of(comparison.runs.begin(), comparison.runs.end(), [](const auto& run) { return run.step == 0; });
  if (own) columns.push_back({"own h"});
  for (const char* title : {"Phi", "E, J", "it", "rej", "ms", "xRT"}) columns.push_back({title});
  TextTable table(columns);
  Explanations explanations;
  std::string formulation;
  for (std::size_t i = 0; i < comparison.runs.size();) {
    std::vector<const ComparedRun*> line;
    const ComparedRun& first = comparison.runs[i];
    for (; i < comparison.runs.size() && comparison.runs[i].formulation == first.formulation &&
           comparison.runs[i].integrator == first.integrator;
         ++i) {
      line.push_back(&comparison.runs[i]);
    }
    std::vector<std::string> cells{first.formulation == formulation ? "" : first.formulation, first.integrator};
    formulation = first.formulation;
    const ComparedRun* const best = shown(line, accuracy);
    const auto error_at = [&](double step) {
      for (const ComparedRun* run : line) {
        if (run->step != step) continue;
        return run->ok() ? (run == best ? "*" : "") + brief(run->error) : explanations.mark(run->reason());
      }
      return std::string();
    };
    for (double step : plan.steps) cells.push_back(error_at(step));
    if (own) cells.push_back(error_at(0));
    if (best) {
      const RunSummary& s = best->summary;
      cells.insert(cells.end(),
                   {brief(s.position.value), brief(s.energy_max_error),
                    fmt::format("{:.1f}", static_cast<double>(s.iterations) / std::max<double>(1, s.steps)),
                    fmt::format("{}", s.rejected_steps), fmt::format("{:.3g}", 1e3 * s.cpu_seconds),
                    fmt::format("{:.0f}", s.real_time_factor)});
    }
    table.add(std::move(cells));
  }
  return table.text(2) + explanations.text();
}

std::string suggestion(const Comparison& comparison, const ComparisonPlan& plan, double accuracy) {
  const auto sentence = [&](const ComparedRun& run) {
    return fmt::format("--formulation {} --integrator {}{} (error {:.1e}, {:.3g} ms, {:.0f} times real time)",
                       run.formulation, run.integrator, run.step > 0 ? fmt::format(" --step {:g}", run.step) : "",
                       run.error, 1e3 * run.summary.cpu_seconds, run.summary.real_time_factor);
  };
  const ComparedRun* best = cheapest(comparison, accuracy);
  if (!best) return fmt::format("no run stays within {:g} of the reference: try smaller --steps\n", accuracy);
  std::string text = wrapped(fmt::format("cheapest within {:g}:", accuracy), sentence(*best), 2);
  const ComparedRun* own = cheapest(comparison, accuracy, plan.base.formulation, plan.base.integrator);
  if (own && own != best) text += wrapped("by the model's own method:", sentence(*own), 2);
  return text;
}

void write_csv(const std::filesystem::path& file, const Comparison& comparison) {
  ResultFile out(file, {"formulation", "integrator", "step", "status", "error", "violation_position",
                        "violation_velocity", "energy_error", "steps", "rejected_steps", "iterations", "cpu_seconds",
                        "real_time_factor", "end_time", "reason"});
  for (const ComparedRun& run : comparison.runs) {
    const RunSummary& s = run.summary;
    out.add(run.formulation, run.integrator, run.step, run.refusal.empty() ? s.status : std::string("refused"),
            run.error, s.position.value, s.velocity.value, s.energy_max_error, s.steps, s.rejected_steps, s.iterations,
            s.cpu_seconds, s.real_time_factor, s.duration, run.reason());
  }
}

}  // namespace

int compare_model(const CompareRequest& request) {
  const Mechanism mechanism = read_mechanism(request.model, parse_parameters(request.parameters));
  ComparisonPlan plan = plan_for(mechanism, request);
  const std::string fallback = std::filesystem::path(request.model).stem().string();
  const std::filesystem::path folder = output_folder(request.out, mechanism.name.empty() ? fallback : mechanism.name);
  Comparison comparison;
  {
    ProgressLine line([](double fraction, double seconds) {
      return fmt::format("{:.0f} % of the runs, {}", 100 * fraction, time_left(fraction, seconds));
    });
    plan.progress = [&line](double fraction) { line.update(fraction); };
    comparison = compare(mechanism, plan);
  }
  write_csv(folder / "compare.csv", comparison);

  std::string text = fmt::format(
      "{} until {:g} s; largest error over the run, in sizes of the mechanism or radians, by step h in s\n"
      "reference: {} (at twice that step {:.1e} away); {} on {} threads\n"
      "*: the run whose violation of constraints, energy error, iterations a step, rejected steps, time and\n"
      "speed in multiples of real time stand at the right; [n]: failed, see below\n\n",
      mechanism.name, plan.base.until, comparison.reference, comparison.reference_error,
      counted(comparison.runs.size(), "run"), plan.threads);
  text += table_of(comparison, plan, request.accuracy);
  for (const std::string& what : comparison.left_out) text += wrapped("  left out:", what, 6);
  text += "\n" + suggestion(comparison, plan, request.accuracy);
  text += fmt::format("written: {}\n", (folder / "compare.csv").string());
  print(text);
  return kDone;
}

}  // namespace cardan
