// Every combination of formulation, integrator and step that applies to a mechanism, run and measured against one
// reference. A run that fails or is refused says why and leaves the others alone.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cardan/mechanism.hpp"
#include "cardan/registry.hpp"
#include "cardan/simulation.hpp"

namespace cardan {

struct ComparisonPlan {
  std::vector<std::string> formulations, integrators;  // empty: all of the registry
  std::vector<double> steps;                           // s, largest first
  RunOptions base;                                     // everything else, with `until`
  std::optional<RunOptions> reference;                 // automatic otherwise
  unsigned threads = 1;
  std::function<void(double fraction)> progress;  // from any thread
  const std::atomic<bool>* stop = nullptr;        // true: no more runs
};

struct ComparedRun {
  std::string formulation, integrator;
  double step = 0;      // s; 0 for integrators that choose their steps
  std::string refusal;  // why it could not be run at all
  RunSummary summary;
  double error = 0;  // largest distance from the reference: sizes of the mechanism, or radians
  bool ok() const { return refusal.empty() && summary.status == RunStatus::ok; }
  const std::string& reason() const { return refusal.empty() ? summary.reason : refusal; }
};

struct Comparison {
  std::string reference;              // which one, as a sentence
  double reference_error = 0;         // its distance from itself at twice the step
  std::vector<ComparedRun> runs;      // formulations and integrators in the registry's order, steps as given
  std::vector<std::string> left_out;  // combinations that do not apply, with the reason
  std::size_t missing = 0;            // runs that an interruption left out; `runs` has the others
};

/// Throws std::invalid_argument for unknown names, or when no reference could be computed; Interrupted when that comes
/// before there is a reference.
Comparison compare(const Mechanism& mechanism, const ComparisonPlan& plan);

/// Of all names those that are asked for, in the registry's order; all of them when none is. Throws
/// std::invalid_argument for an unknown one.
std::vector<std::string> chosen_names(const char* kind, const std::vector<std::string>& asked,
                                      std::span<const RegistryEntry> all);

/// What a run of the plan was run with.
RunOptions options_of(const ComparisonPlan& plan, const ComparedRun& run);

/// The cheapest run whose error is at most `accuracy`, among those of `formulation` and `integrator` where these are
/// not empty; null when there is none.
const ComparedRun* cheapest(const Comparison& comparison, double accuracy, const std::string& formulation = "",
                            const std::string& integrator = "");

}  // namespace cardan
