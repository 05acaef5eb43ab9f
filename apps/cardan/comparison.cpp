#include "comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <stdexcept>

#include "cardan/registry.hpp"
#include "interruption.hpp"
#include "options/applicable_options.hpp"
#include "options/unknown_name.hpp"
#include "reference_motion.hpp"
#include "studies/parallel.hpp"

namespace cardan {
namespace {

constexpr double kFinerReference = 16;     // times finer than the smallest step compared
constexpr double kReferenceSamples = 2e4;  // kept, at most
constexpr double kComparedSamples = 2e3;   // of a run, at most

int stride(const RunOptions& options, double most) {
  return std::max(1, static_cast<int>(std::ceil(options.until / options.step / most)));
}

/// Runs, and turns whatever is thrown into a refusal.
template <class Run>
std::string refusal_of(const Run& run) {
  try {
    run();
    return {};
  } catch (const std::exception& error) {
    return error.what();
  }
}

RunSummary run_until_stopped(const Mechanism& mechanism, const RunOptions& options, Sink* sink,
                             const ComparisonPlan& plan) {
  RunControl control;
  control.stop = plan.stop;
  return run(mechanism, options, sink, {}, nullptr, control);
}

struct Reference {
  ReferenceMotion motion;
  RunOptions options;
  double error = 0;
};

/// The first that gets to the end: the one asked for, or hybrid, global, topological, recursive with a fine step.
Reference make_reference(const Mechanism& mechanism, const ComparisonPlan& plan) {
  std::vector<RunOptions> candidates;
  if (plan.reference) {
    candidates.push_back(*plan.reference);
  } else {
    for (const char* formulation : {"hybrid", "global", "topological", "recursive"}) {
      RunOptions& options = candidates.emplace_back(plan.base);
      options.formulation = formulation;
      options.integrator = "trapezoidal";
      options.step = plan.steps.back() / kFinerReference;
      options = without_foreign_options(options);
    }
  }
  std::string failures;
  for (RunOptions& options : candidates) {
    options.every = stride(options, kReferenceSamples);
    Reference reference{ReferenceMotion(mechanism), options};
    RunSummary summary;
    std::string refusal = refusal_of([&] { summary = run_until_stopped(mechanism, options, &reference.motion, plan); });
    if (plan.stop && *plan.stop) throw Interrupted();
    if (refusal.empty() && summary.status != RunStatus::ok) refusal = summary.reason;
    if (!refusal.empty()) {
      failures +=
          fmt::format("\n  {}, {}, step {:g} s: {}", options.formulation, options.integrator, options.step, refusal);
      continue;
    }
    DistanceMeter meter(reference.motion);
    RunOptions coarser = options;
    coarser.step *= 2;
    coarser.every = stride(coarser, kComparedSamples);
    const std::string no_error = refusal_of([&] { run_until_stopped(mechanism, coarser, &meter, plan); });
    reference.error = no_error.empty() ? meter.largest() : std::nan("");
    return reference;
  }
  throw std::invalid_argument("no reference could be computed, so there is nothing to compare with:" + failures);
}

/// Integrators that do not work on some formulations, for one reason.
struct LeftOut {
  std::string formulations, integrators;
  std::string_view reason;
};

std::vector<ComparedRun> plan_runs(const ComparisonPlan& plan, std::vector<std::string>& left_out) {
  std::vector<ComparedRun> runs;
  const auto add = [&runs](const std::string& formulation, const std::string& integrator, double step) {
    ComparedRun& run = runs.emplace_back();
    run.formulation = formulation;
    run.integrator = integrator;
    run.step = step;
  };
  std::vector<LeftOut> groups;
  for (const std::string& formulation : chosen_names("formulation", plan.formulations, formulations())) {
    std::vector<LeftOut> here;
    for (const std::string& integrator : chosen_names("integrator", plan.integrators, integrators())) {
      if (const std::string_view reason = why_not(formulation, integrator); !reason.empty()) {
        const auto found = std::find_if(here.begin(), here.end(), [&](const auto& g) { return g.reason == reason; });
        if (found == here.end()) {
          here.push_back({formulation, integrator, reason});
        } else {
          found->integrators += ", " + integrator;
        }
      } else if (chooses_steps(formulation, integrator)) {
        add(formulation, integrator, 0);
      } else {
        for (double step : plan.steps) add(formulation, integrator, step);
      }
    }
    for (const LeftOut& group : here) {
      const auto found = std::find_if(groups.begin(), groups.end(), [&](const auto& g) {
        return g.reason == group.reason && g.integrators == group.integrators;
      });
      if (found == groups.end()) {
        groups.push_back(group);
      } else {
        found->formulations += ", " + formulation;
      }
    }
  }
  for (const LeftOut& group : groups) {
    left_out.push_back(fmt::format("{} with {}: {}", group.formulations, group.integrators, group.reason));
  }
  return runs;
}

}  // namespace

std::vector<std::string> chosen_names(const char* kind, const std::vector<std::string>& asked,
                                      std::span<const RegistryEntry> all) {
  for (const std::string& name : asked) find_by_name(kind, name, all);
  std::vector<std::string> names;
  for (const RegistryEntry& entry : all) {
    const std::string name(entry.name);
    if (asked.empty() || std::find(asked.begin(), asked.end(), name) != asked.end()) names.push_back(name);
  }
  return names;
}

RunOptions options_of(const ComparisonPlan& plan, const ComparedRun& run) {
  RunOptions options = plan.base;
  options.formulation = run.formulation;
  options.integrator = run.integrator;
  options.step = run.step > 0 ? run.step : plan.steps.back();
  options.every = stride(options, kComparedSamples);
  return without_foreign_options(options);
}

Comparison compare(const Mechanism& mechanism, const ComparisonPlan& plan) {
  Comparison result;
  result.runs = plan_runs(plan, result.left_out);
  const Reference reference = make_reference(mechanism, plan);
  result.reference_error = reference.error;
  result.reference = fmt::format("{}, {}, step {:g} s", reference.options.formulation, reference.options.integrator,
                                 reference.options.step);

  std::atomic<std::size_t> done = 0;
  for_each_index(result.runs.size(), plan.threads, [&](std::size_t i) {
    ComparedRun& compared = result.runs[i];
    compared.summary.status = RunStatus::interrupted;
    if (plan.stop && *plan.stop) return;
    const RunOptions options = options_of(plan, compared);
    DistanceMeter meter(reference.motion);
    compared.refusal = refusal_of([&] { compared.summary = run_until_stopped(mechanism, options, &meter, plan); });
    compared.error = meter.largest();
    if (plan.progress) plan.progress(static_cast<double>(++done) / static_cast<double>(result.runs.size()));
  });
  result.missing = std::erase_if(result.runs, [](const ComparedRun& run) {
    return run.refusal.empty() && run.summary.status == RunStatus::interrupted;
  });
  return result;
}

const ComparedRun* cheapest(const Comparison& comparison, double accuracy, const std::string& formulation,
                            const std::string& integrator) {
  const ComparedRun* best = nullptr;
  for (const ComparedRun& run : comparison.runs) {
    if (!run.ok() || !(run.error <= accuracy)) continue;
    if (!formulation.empty() && run.formulation != formulation) continue;
    if (!integrator.empty() && run.integrator != integrator) continue;
    if (!best || run.summary.cpu_seconds < best->summary.cpu_seconds) best = &run;
  }
  return best;
}

}  // namespace cardan
