// What the integrator auto chooses, beside the best setting by hand: for models and wanted errors the cheapest of all
// methods, as `cardan tune` finds it, and what auto made of the same error, measured against the same reference, in one
// thread, interleaved, the least of repeats.
//     cardan_auto_choice FOLDER MODEL...        errors 1e-2 to 1e-6; writes FOLDER/auto.csv
// A wanted error that no reference is known well enough for is left out, and said.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <limits>

#include "apps/cardan/measured_run.hpp"
#include "apps/cardan/tuning.hpp"
#include "apps/cardan/tuning_reference.hpp"
#include "cardan/io.hpp"
#include "simulation/automatic_method.hpp"

namespace {

using namespace cardan;

constexpr int kRepeats = 5;
constexpr double kBudget = 60;  // s of the processor for a run

struct Measured {
  RunOptions options;
  double error = 0, seconds = std::numeric_limits<double>::infinity();
  std::string failure;
};

void measure(const Mechanism& mechanism, const TuningReference& reference, Measured& run) {
  DistanceMeter meter(*reference.motion);
  const MeasuredRun measured = run_measured(mechanism, run.options, &meter, &meter, kBudget, nullptr);
  run.failure = measured.failure;
  run.error = measured.error;
  run.seconds = std::min(run.seconds, measured.cpu_seconds);
}

std::string describe(const TunedMethod& method) {
  return method.adaptive ? fmt::format("tolerance {:.1e}", method.options.absolute_tolerance)
                         : fmt::format("step {:.2e} s", method.options.step);
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
  const TunedMethod& best = tuning.methods.front();

  Measured hand, chosen;
  hand.options = best.options;
  chosen.options = plan.base;
  chosen.options.step_control.reset();
  chosen.options.tolerance.reset();
  chosen.options.formulation = chosen.options.integrator = "auto";
  chosen.options.error = error;
  chosen.options.step = reference.spacing;
  std::vector<MethodTrial> trials;
  choose_method(chosen.options, mechanism, &trials);
  double trial_seconds = 0;
  for (const MethodTrial& trial : trials) trial_seconds += trial.cpu_seconds;
  for (int i = 0; i < kRepeats; ++i) {
    measure(mechanism, reference, hand);
    measure(mechanism, reference, chosen);
  }
  const double seconds = std::min(hand.seconds, best.cpu_seconds);
  const auto rule = [](const RunOptions& options) {
    return options.integrator + (options.step_control ? " by " + *options.step_control : "");
  };
  return fmt::format("{},{:g},{},{},{},{:.2e},{:.4g},{},{},{:.1e},{:.2e},{:.4g},{},{:.4g},{:.3g},{}", mechanism.name,
                     error, best.options.formulation, rule(best.options), describe(best), best.error, seconds,
                     chosen.options.formulation, rule(chosen.options), chosen.options.absolute_tolerance, chosen.error,
                     chosen.seconds, trials.size(), trial_seconds, chosen.seconds / seconds,
                     chosen.failure.empty() ? "ok" : "failed");
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) {
    fmt::print(stderr, "usage: cardan_auto_choice FOLDER MODEL...\n");
    return 2;
  }
  std::ofstream file(std::filesystem::path(arguments[1]) / "auto.csv");
  file << "model,error,best_formulation,best_integrator,best_setting,best_error,best_seconds,formulation,integrator,"
          "tolerance,own_error,seconds,trials,trial_seconds,ratio,status\n";
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
