#include "studies/orders/orders.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <vector>

#include "cardan/registry.hpp"
#include "studies/orders/next_term.hpp"
#include "studies/orders/order_run.hpp"
#include "studies/orders/small_steps.hpp"
#include "studies/parallel.hpp"

namespace cardan {
namespace {

constexpr int kRungs = 4;

struct Job {
  const OrderCase* mechanism;
  const OrderReference* reference;
  std::string formulation, integrator;
};

std::string verdict(const OrderResult& result) {
  if (!result.refused.empty()) return "refused";
  if (!result.failure.empty()) return "failed";
  return result.good() ? "good" : result.above() ? "above" : "off";
}

/// A table cell: the order, or what happened instead.
std::string cell(const OrderResult& result) {
  const std::string said = verdict(result);
  if (said == "refused" || said == "failed") return said;
  if (result.theoretical == 0) return said == "good" ? "held" : "not held";
  return std::isnan(result.order) ? "rounding" : fmt::format("{:.2f}", result.order);
}

void write_ladders(const StudyContext& context, const std::vector<OrderResult>& results) {
  ResultTable table(context.out / "ladders.csv", {{"mechanism", ""},
                                                  {"formulation", ""},
                                                  {"integrator", ""},
                                                  {"step", ""},
                                                  {"position_error", ""},
                                                  {"velocity_error", ""}});
  for (const OrderResult& r : results) {
    for (std::size_t i = 0; i < r.steps.size(); ++i) {
      table.add(r.mechanism, r.formulation, r.integrator, r.steps[i], r.position_errors[i], r.velocity_errors[i]);
    }
  }
}

void show_orders(const StudyContext& context, const std::vector<OrderResult>& results) {
  ResultTable all(context.out / "orders.csv", {{"mechanism", ""},
                                               {"formulation", ""},
                                               {"integrator", ""},
                                               {"theoretical_order", ""},
                                               {"order", ""},
                                               {"shown", ""},
                                               {"verdict", ""},
                                               {"last_slope", ""},
                                               {"shortest_step", ""},
                                               {"next_power", ""},
                                               {"misfit", ""},
                                               {"theory_below", ""},
                                               {"error_there", ""},
                                               {"reason", ""}});
  std::vector<ResultTable::Column> columns{{"", "formulation"}, {"", "integrator"}, {"", "theory", whole()}};
  for (const OrderResult& r : results) {
    if (r.formulation != results[0].formulation || r.integrator != results[0].integrator) continue;
    columns.push_back({"", r.mechanism});
  }
  const std::size_t mechanisms = columns.size() - 3;
  ResultTable table("", columns);
  // Mechanisms vary fastest.
  for (std::size_t i = 0; i < results.size(); i += mechanisms) {
    std::vector<std::string> cells;
    for (std::size_t k = 0; k < mechanisms; ++k) {
      const OrderResult& r = results[i + k];
      cells.push_back(cell(r));
      const NextTerm next = r.above() ? fit_next_term(r) : NextTerm{};
      all.add(r.mechanism, r.formulation, r.integrator, r.theoretical, r.order, cell(r), verdict(r), r.last_slope(),
              r.told > 0 ? r.steps[r.told - 1] : 0, next.power, next.largest_misfit, next.step, next.error,
              r.refused.empty() ? r.failure : r.refused);
    }
    cells.resize(6);
    table.add(results[i].formulation, results[i].integrator, results[i].theoretical, cells[0], cells[1], cells[2],
              cells[3], cells[4], cells[5]);
  }
  const auto count = [&](const char* what) {
    return std::count_if(results.begin(), results.end(), [&](const OrderResult& r) { return verdict(r) == what; });
  };
  context.show(
      table, "Orders",
      fmt::format("slope of the largest error of positions and velocities over the last factor of four of at least {} "
                  "steps, each half of the one before, down to where the last three slopes agree or errors come to "
                  "rounding; bdf, whose order varies: whether errors stay within {:g} times the tolerance",
                  kRungs, kToleranceMargin),
      fmt::format("{} combinations: {} within {:g} of the theoretical order, {} above it down to rounding, {} below, "
                  "{} failed, {} refused by name.",
                  results.size(), count("good"), kOrderMargin, count("above"), count("off"), count("failed"),
                  count("refused")));
}

void show_small_steps(const StudyContext& context, const std::vector<SmallStepResult>& results) {
  ResultTable all(context.out / "small_steps.csv", {{"mechanism", ""},
                                                    {"formulation", ""},
                                                    {"integrator", ""},
                                                    {"step", ""},
                                                    {"error", ""},
                                                    {"rounding", ""},
                                                    {"growth", ""},
                                                    {"reason", ""}});
  ResultTable table("", {{"", "mechanism"},
                         {"", "methods", whole()},
                         {"", "at 0.01 s, at most", powers(1)},
                         {"", "at 1e-6 s, at most", powers(1)},
                         {"", "rounding there", powers(1)},
                         {"", "grow"}});
  for (std::size_t i = 0; i < results.size();) {
    const std::string mechanism = results[i].mechanism;
    int methods = 0;
    double longest = 0, shortest = 0, untold = 0;
    std::string grow;
    for (; i < results.size() && results[i].mechanism == mechanism; ++i) {
      const SmallStepResult& r = results[i];
      const std::string reason = r.refused.empty() ? r.failure : r.refused;
      if (r.steps.empty()) all.add(mechanism, r.formulation, r.integrator, "", "", "", "", reason);
      for (std::size_t k = 0; k < r.steps.size(); ++k) {
        const bool last = k + 1 == r.steps.size();
        all.add(mechanism, r.formulation, r.integrator, r.steps[k], r.errors[k], r.untold, last ? r.growth : 1, reason);
      }
      if (!r.refused.empty() || r.steps.empty()) continue;
      ++methods;
      longest = std::max(longest, r.errors.front());
      shortest = std::max(shortest, r.errors.back());
      untold = std::max(untold, r.untold);
      if (r.grows())
        grow += fmt::format("{}{} on {}, {:.1f} times at {:.1e} s", grow.empty() ? "" : "; ", r.integrator,
                            r.formulation, r.growth, r.grows_at);
    }
    table.add(mechanism, methods, longest, shortest, untold, grow.empty() ? "none" : grow);
  }
  context.show(table, "Small steps",
               "errors of the first 0.02 s with steps from 0.01 s down to 1e-6 s, two to a factor of ten; one that is "
               "larger than with a longer step, and above rounding, grows");
}

/// Every mechanism with every method whose steps are the caller's.
void run_small_steps(const StudyContext& context) {
  const std::vector<OrderCase> cases = small_step_cases();
  std::vector<OrderReference> references(cases.size());
  for_each_index(cases.size(), context.threads, [&](std::size_t i) { references[i] = order_reference(cases[i]); });
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    for (const RegistryEntry& formulation : formulations()) {
      for (const RegistryEntry& integrator : integrators()) {
        if (takes_small_steps(std::string(integrator.name)))
          jobs.push_back({&cases[i], &references[i], std::string(formulation.name), std::string(integrator.name)});
      }
    }
  }
  std::vector<SmallStepResult> results(jobs.size());
  for_each_index(jobs.size(), context.threads, [&](std::size_t i) {
    results[i] = measure_small_steps(*jobs[i].mechanism, *jobs[i].reference, jobs[i].formulation, jobs[i].integrator,
                                     small_steps());
  });
  show_small_steps(context, results);
}

}  // namespace

void run_orders_study(StudyContext& context) {
  const std::vector<OrderCase> cases = order_cases();
  std::vector<OrderReference> references(cases.size());
  for_each_index(cases.size(), context.threads, [&](std::size_t i) { references[i] = order_reference(cases[i]); });
  ResultTable table(context.out / "mechanisms.csv", {{"mechanism", "mechanism"},
                                                     {"about", "what it is"},
                                                     {"duration", "runs for [s]", significant()},
                                                     {"longest_step", "longest step [s]", significant()},
                                                     {"uncertainty", "two references differ by", powers(1)}});
  for (std::size_t i = 0; i < cases.size(); ++i) {
    table.add(cases[i].name, cases[i].about, cases[i].duration, cases[i].longest_step, references[i].uncertainty);
  }
  context.show(table, "Mechanisms",
               "each turned and moved at random; errors are taken against dopri5 on topological, which is itself "
               "compared with the same on cartesian");

  std::vector<Job> jobs;
  for (const RegistryEntry& formulation : formulations()) {
    for (const RegistryEntry& integrator : integrators()) {
      for (std::size_t i = 0; i < cases.size(); ++i) {
        jobs.push_back({&cases[i], &references[i], std::string(formulation.name), std::string(integrator.name)});
      }
    }
  }
  std::vector<OrderResult> results(jobs.size());
  std::atomic<std::size_t> done = 0;
  for_each_index(jobs.size(), context.threads, [&](std::size_t i) {
    results[i] = measure_order(*jobs[i].mechanism, *jobs[i].reference, jobs[i].formulation, jobs[i].integrator, kRungs);
    if (context.progress) context.progress(static_cast<double>(++done) / static_cast<double>(jobs.size()));
  });
  show_orders(context, results);
  write_ladders(context, results);
  run_small_steps(context);
}

}  // namespace cardan
