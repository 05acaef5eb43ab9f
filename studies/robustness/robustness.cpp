#include "studies/robustness/robustness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "studies/robustness/bearings.hpp"
#include "studies/robustness/random_mechanism.hpp"
#include "studies/robustness/silent_failures.hpp"
#include "studies/robustness/window_lottery.hpp"

namespace cardan {
namespace {

constexpr int kDraws = 60, kPlaces = 100;
constexpr unsigned kMechanisms = 300;

template <class Run>
int count_runs(const std::vector<Run>& runs, const std::function<bool(const Run&)>& holds) {
  return static_cast<int>(std::count_if(runs.begin(), runs.end(), holds));
}

void show_lottery(const StudyContext& context) {
  const std::vector<WindowRun> runs = run_window_lottery(kDraws, context);
  ResultTable off_runs(context.out / "lottery_off.csv", {{"windows", ""},
                                                         {"formulation", ""},
                                                         {"integrator", ""},
                                                         {"step", ""},
                                                         {"lost", ""},
                                                         {"off", ""},
                                                         {"said", ""},
                                                         {"energy_error", ""},
                                                         {"angle_error", ""},
                                                         {"tilt", ""},
                                                         {"reason", ""}});
  ResultTable table(context.out / "lottery.csv", {{"windows", "windows", whole()},
                                                  {"formulation", "formulation"},
                                                  {"integrator", "integrator"},
                                                  {"runs", "runs", whole()},
                                                  {"lost", "lost", whole()},
                                                  {"lost_unsaid", "lost, not a word", whole()},
                                                  {"off", "far off", whole()},
                                                  {"off_unsaid", "far off, not a word", whole()}});
  for (std::size_t i = 0; i < runs.size();) {
    const WindowRun& first = runs[i];
    int count = 0, lost = 0, unsaid = 0, off = 0, unsaid_off = 0;
    for (; i < runs.size() && runs[i].windows == first.windows && runs[i].formulation == first.formulation &&
           runs[i].integrator == first.integrator;
         ++i, ++count) {
      const WindowRun& r = runs[i];
      if (r.lost || r.off)
        off_runs.add(r.windows, r.formulation, r.integrator, r.step, r.lost ? 1 : 0, r.off ? 1 : 0, r.said ? 1 : 0,
                     r.energy_error, r.angle_error, r.tilt, r.reason);
      lost += r.lost, unsaid += r.lost && !r.said;
      off += r.off, unsaid_off += r.off && !r.said;
    }
    table.add(first.windows, first.formulation, first.integrator, count, lost, unsaid, off, unsaid_off);
  }
  context.show(
      table, "Singular positions as a lottery",
      fmt::format("{} steps from 0.03 to 0.066 s, or tolerances from 1e-4 to 1e-9, 10 s; a run is lost when it "
                  "fails or a coupler ends tilted by more than {} rad",
                  kDraws, kFoldedApart));
}

void show_silent_failures(const StudyContext& context) {
  const SilentFailures found = find_silent_failures(kMechanisms, context);
  ResultTable off_runs(context.out / "random_mechanisms_off.csv", {{"seed", ""},
                                                                   {"kind", ""},
                                                                   {"formulation", ""},
                                                                   {"integrator", ""},
                                                                   {"status", ""},
                                                                   {"error", ""},
                                                                   {"allowed", ""},
                                                                   {"usual", ""},
                                                                   {"estimate", ""},
                                                                   {"violation", ""},
                                                                   {"warned", ""},
                                                                   {"silent", ""},
                                                                   {"said", ""}});
  for (const JudgedRun& r : found.runs) {
    if (r.off() || r.apart())
      off_runs.add(static_cast<int>(r.seed), r.kind, r.formulation, r.integrator, r.status, r.error, r.allowed(),
                   r.usual, r.estimate, r.violation, r.warned ? 1 : 0, r.silent() ? 1 : 0, r.said);
  }
  ResultTable table(context.out / "random_mechanisms.csv", {{"kind", "kind"},
                                                            {"mechanisms", "mechanisms", whole()},
                                                            {"runs", "runs", whole()},
                                                            {"refused", "refused", whole()},
                                                            {"failed", "failed", whole()},
                                                            {"ok", "ok", whole()},
                                                            {"off", "off", whole()},
                                                            {"silent", "off, not a word", whole()},
                                                            {"apart", "far from the other formulations", whole()},
                                                            {"apart_unwarned", "of these without a warning", whole()}});
  for (const char* kind : kRandomKinds) {
    std::vector<JudgedRun> own;
    std::copy_if(found.runs.begin(), found.runs.end(), std::back_inserter(own),
                 [&](const JudgedRun& r) { return r.kind == kind; });
    const auto count = [&](const std::function<bool(const JudgedRun&)>& holds) { return count_runs(own, holds); };
    std::set<unsigned> mechanisms;
    for (const JudgedRun& r : own) mechanisms.insert(r.seed);
    table.add(kind, static_cast<int>(mechanisms.size()), static_cast<int>(own.size()),
              count([](const JudgedRun& r) { return r.status == "refused"; }),
              count([](const JudgedRun& r) { return r.status == "failed"; }),
              count([](const JudgedRun& r) { return r.ok(); }), count([](const JudgedRun& r) { return r.off(); }),
              count([](const JudgedRun& r) { return r.silent(); }), count([](const JudgedRun& r) { return r.apart(); }),
              count([](const JudgedRun& r) { return r.apart() && !r.warned; }));
  }
  context.show(table, "Silent failures",
               fmt::format("{} random mechanisms, {} of which have a reference (dopri5 at 1e-11, two formulations that "
                           "agree), 0.4 s with every method, steps of 0.004 s or the default tolerance; off: by more "
                           "than {:g} times the tolerance and the error that the run says it has; far from the other "
                           "formulations: by more than so many times the median of the rule over all of them",
                           found.mechanisms, found.judged, kAllowed));
}

void show_bearings(const StudyContext& context) {
  const std::vector<BearingRun> runs = run_bearings(kPlaces, context);
  ResultTable off_runs(context.out / "bearings_off.csv", {{"kind", ""},
                                                          {"formulation", ""},
                                                          {"integrator", ""},
                                                          {"place", ""},
                                                          {"size", ""},
                                                          {"degrees_of_freedom", ""},
                                                          {"coarse", ""},
                                                          {"fine", ""},
                                                          {"good", ""},
                                                          {"reason", ""}});
  for (const BearingRun& r : runs) {
    if (!r.good)
      off_runs.add(r.kind, r.formulation, r.integrator, r.place, r.size, r.degrees_of_freedom, r.coarse, r.fine,
                   r.good ? 1 : 0, r.failure);
  }
  ResultTable table(context.out / "bearings.csv", {{"mechanism", "mechanism"},
                                                   {"runs", "runs", whole()},
                                                   {"miscounted", "miscounted", whole()},
                                                   {"off", "off", whole()}});
  for (std::size_t i = 0; i < runs.size();) {
    const std::string kind = runs[i].kind;
    int count = 0, miscounted = 0, off = 0;
    for (; i < runs.size() && runs[i].kind == kind; ++i, ++count) {
      miscounted += runs[i].degrees_of_freedom != 1;
      off += !runs[i].good;
    }
    table.add(kind, count, miscounted, off);
  }
  context.show(
      table, "Redundant bearings",
      fmt::format("{} random sizes, places and orientations with every method, against the closed form; off: "
                  "not one degree of freedom, the error falls slower over two halvings than its order less a half, or "
                  "is above 100 times the tolerance",
                  kPlaces));
}

}  // namespace

void run_robustness_study(StudyContext& context) {
  show_silent_failures(context);
  show_bearings(context);
  show_lottery(context);
}

}  // namespace cardan
