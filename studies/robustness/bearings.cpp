#include "studies/robustness/bearings.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cardan/registry.hpp"
#include "options/integrators.hpp"
#include "studies/parallel.hpp"
#include "studies/robustness/one_freedom.hpp"

namespace cardan {
namespace {

constexpr double kBearingUntil = 0.16, kBearingStep = 0.008;  // s
constexpr double kBearingRounding = 2e-9;                     // sizes, sizes per second
constexpr double kBearingCoarse = 0.03;                       // the most with the longer step
constexpr double kBearingAllowed = 100;                       // times the tolerance

/// At one instant an error may pass through zero, and that of `newmark` has a part of first and one of second order, of
/// signs of their own: the most in all samples counts.
class WatchedError final : public Sink {
 public:
  explicit WatchedError(const OneFreedom& one) : one_(one) {}

  void start(const std::vector<std::string>& columns) override {
    for (std::size_t i = 0; i < std::size(kFields); ++i) {
      const auto found = std::find(columns.begin(), columns.end(), one_.watched + kFields[i]);
      columns_[i] = static_cast<std::size_t>(found - columns.begin());
    }
  }
  void sample(const double* row, std::size_t) override {
    const OneFreedom::Motion theory = one_.motion(row[0]);
    const auto vector = [&](int i) { return Vec3(row[columns_[i]], row[columns_[i + 1]], row[columns_[i + 2]]); };
    const double place = (vector(0) - theory.center).norm(), rate = (vector(3) - theory.velocity).norm();
    largest_ = std::max({largest_, place / one_.size, rate / one_.size});
  }
  double largest() const { return largest_; }

 private:
  static constexpr const char* kFields[] = {".x", ".y", ".z", ".vx", ".vy", ".vz"};
  const OneFreedom& one_;
  std::size_t columns_[std::size(kFields)] = {};
  double largest_ = 0;
};

}  // namespace

double bearing_error(const OneFreedom& one, const std::string& formulation, const std::string& integrator, double step,
                     std::string& failure) {
  constexpr int instants = 5;
  WatchedError error(one);
  RunOptions options;
  options.formulation = formulation;
  options.integrator = integrator;
  options.step = step;
  options.until = kBearingUntil;
  if (!chooses_steps(formulation, integrator))
    options.every = static_cast<int>(std::lround(kBearingUntil / instants / step));
  const RunSummary summary = run(one.mechanism, options, &error);
  if (summary.status == RunStatus::ok) return error.largest();
  failure = summary.reason;
  return std::numeric_limits<double>::infinity();
}

BearingRun run_bearing(const OneFreedom& one, const std::string& formulation, const std::string& integrator) {
  BearingRun result;
  result.formulation = formulation;
  result.integrator = integrator;
  result.size = one.size;
  RunOptions options;
  options.formulation = formulation;
  result.degrees_of_freedom = Simulation(one.mechanism, options).summary().degrees_of_freedom;
  const auto error = [&](double step) { return bearing_error(one, formulation, integrator, step, result.failure); };
  const int order = integrator_entry(integrator).order;
  if (chooses_steps(formulation, integrator)) {
    result.coarse = error(kBearingStep);
    result.good = result.coarse <
                  kBearingAllowed * (options.relative_tolerance + options.absolute_tolerance / std::min(1.0, one.size));
  } else {
    // The part of second order of a method of first order hides its order in long steps. Two halvings: independent
    // Cartesian coordinates change on the way, at another time with another step, and the error's factor with them.
    const double step = order > 1 ? kBearingStep : kBearingStep / 8;
    result.coarse = error(step), result.fine = error(step / 4);
    result.good = result.coarse < kBearingCoarse &&
                  result.fine < std::max(result.coarse / std::pow(4, order - 0.5), kBearingRounding);
  }
  result.good = result.good && result.degrees_of_freedom == 1;
  return result;
}

std::vector<BearingRun> run_bearings(int places, const StudyContext& context) {
  struct Job {
    const OneFreedom* one;
    const char* kind;
    int place;
  };
  OneFreedomMaker maker(1);
  std::vector<OneFreedom> mechanisms;
  std::vector<Job> jobs;
  mechanisms.reserve(std::size(kOneFreedom) * static_cast<std::size_t>(places));
  for (const char* kind : kOneFreedom) {
    for (int i = 0; i < places; ++i) {
      mechanisms.push_back(maker.make(kind));
      jobs.push_back({&mechanisms.back(), kind, i});
    }
  }
  std::vector<std::vector<BearingRun>> results(jobs.size());
  for_each_index(jobs.size(), context.threads, [&](std::size_t i) {
    for (const RegistryEntry& formulation : formulations()) {
      for (const RegistryEntry& integrator : integrators()) {
        if (!why_not(formulation.name, integrator.name).empty()) continue;
        results[i].push_back(run_bearing(*jobs[i].one, std::string(formulation.name), std::string(integrator.name)));
        results[i].back().kind = jobs[i].kind;
        results[i].back().place = jobs[i].place;
      }
    }
  });
  std::vector<BearingRun> all;
  for (const std::vector<BearingRun>& of_one : results) all.insert(all.end(), of_one.begin(), of_one.end());
  return all;
}

}  // namespace cardan
