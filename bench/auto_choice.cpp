// What the integrator auto chooses, beside the best setting by hand: for models and wanted errors the cheapest of all
// methods, as `cardan tune` finds it, and what auto made of the same error. Errors are measured against the same
// reference; times are those of the processor for runs without output, in one thread, interleaved, the least of
// repeats.
//     cardan_auto_choice FOLDER MODEL...        errors 1e-2 to 1e-6; writes FOLDER/auto.csv
// A wanted error that no reference is known well enough for is left out, and said.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <limits>
#include <vector>

#include "apps/cardan/measured_run.hpp"
#include "apps/cardan/tuning.hpp"
#include "apps/cardan/tuning_reference.hpp"
#include "cardan/io.hpp"
#include "options/method.hpp"
#include "simulation/automatic_method.hpp"

namespace {

using namespace cardan;

constexpr int kFewest = 5, kMost = 40;  // repeats of a run
constexpr double kEnough = 0.2;         // s of the processor in all that a run is repeated for
constexpr double kClose = 1.3;          // times the best: settings by hand that are measured again
constexpr double kBudget = 60;          // s of the processor for a run

/// A setting whose time is measured.
struct Timed {
  RunOptions options;
  double least = std::numeric_limits<double>::infinity(), spent = 0;  // s
  int runs = 0;

  bool is_known() const { return runs >= kMost || (runs >= kFewest && spent >= kEnough); }
  void run_again(const Mechanism& mechanism) {
    const double seconds = run(mechanism, options).cpu_seconds;
    least = std::min(least, seconds);
    spent += seconds;
    ++runs;
  }
};

void measure(const Mechanism& mechanism, std::vector<Timed>& settings) {
  for (bool known = false; !known;) {
    known = true;
    for (Timed& setting : settings) {
      if (setting.is_known()) continue;
      setting.run_again(mechanism);
      known = false;
    }
  }
}

std::string describe(const RunOptions& options) {
  return step_control_of(options) == "error" ? fmt::format("tolerance {:.1e}", options.absolute_tolerance)
                                             : fmt::format("step {:.2e} s", options.step);
}

/// One line of the table.
std::string compared(const Mechanism& mechanism, double error) {
  TuningPlan plan;
  plan.base = RunOptions::for_mechanism(mechanism);
  plan.error = error;
  const TuningReference reference = make_tuning_reference(mechanism, plan);
  const Tuning tuning = tune(mechanism, plan, reference);
  if (tuning.methods.empty() || !tuning.methods.front().why_not.empty())
    throw std::invalid_argument("no method holds that error");
  RunOptions chosen = plan.base;
  chosen.step_control.reset();
  chosen.tolerance.reset();
  chosen.formulation = chosen.integrator = "auto";
  chosen.error = error;
  chosen.step = reference.spacing;
  const std::vector<MethodTrial> trials = choose_method(chosen, mechanism).trials;
  double trial_seconds = 0;
  for (const MethodTrial& trial : trials) trial_seconds += trial.cpu_seconds;
  DistanceMeter meter(*reference.motion);
  const MeasuredRun own = run_measured(mechanism, chosen, &meter, &meter, kBudget, nullptr);

  std::vector<Timed> settings{{chosen}};
  std::vector<const TunedMethod*> by_hand;
  for (const TunedMethod& method : tuning.methods) {
    if (!method.why_not.empty() || method.cpu_seconds > kClose * tuning.methods.front().cpu_seconds) continue;
    by_hand.push_back(&method);
    settings.push_back({method.options});
  }
  measure(mechanism, settings);
  const auto least = std::min_element(settings.begin() + 1, settings.end(),
                                      [](const Timed& a, const Timed& b) { return a.least < b.least; });
  const TunedMethod& best = *by_hand[static_cast<std::size_t>(least - settings.begin() - 1)];
  const double seconds = least->least;
  const auto rule = [](const RunOptions& options) {
    return options.integrator + (options.step_control ? " by " + *options.step_control : "");
  };
  return fmt::format("{},{:g},{},{},{},{:.2e},{:.4g},{},{},{},{:.2e},{:.4g},{},{:.4g},{:.3g},{}", mechanism.name, error,
                     best.options.formulation, rule(best.options), describe(best.options), best.error, seconds,
                     chosen.formulation, rule(chosen), describe(chosen), own.error, settings.front().least,
                     trials.size(), trial_seconds, settings.front().least / seconds, own.ok() ? "ok" : "failed");
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) {
    fmt::print(stderr, "usage: cardan_auto_choice FOLDER MODEL...\n");
    return 2;
  }
  std::ofstream file(std::filesystem::path(arguments[1]) / "auto.csv");
  file << "model,error,best_formulation,best_integrator,best_setting,best_error,best_seconds,formulation,integrator,"
          "setting,own_error,seconds,trials,trial_seconds,ratio,status\n";
  for (int i = 2; i < count; ++i) {
    const Mechanism mechanism = read_mechanism(arguments[i]);
    for (const double error : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
      try {
        const std::string line = compared(mechanism, error);
        fmt::print("{}\n", line);
        file << line << std::endl;
      } catch (const std::exception& problem) {
        fmt::print("{} {:g}: {}\n", mechanism.name, error, problem.what());
      }
      std::fflush(stdout);
    }
  }
}
