// Every option on every method: it changes something, or it is refused by name.
#include "options/applicable_options.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "cardan/builder.hpp"
#include "cardan/registry.hpp"
#include "every_method.hpp"
#include "options/option_list.hpp"

namespace cardan {
namespace {

/// A four-bar with a spring, away from singular positions.
Mechanism sprung_four_bar() {
  MechanismBuilder b("sprung four-bar");
  b.planar().gravity({0, -9.81, 0});
  const Place a0(0, 0), a(0, 0.4), c(1.1, 0.9), c0(1, 0);
  b.rod("crank", a0, a, 1).rod("coupler", a, c, 2).rod("rocker", c0, c, 1.5);
  b.revolute("A0", "ground", "crank", a0).revolute("A", "crank", "coupler", a);
  b.revolute("C", "coupler", "rocker", c).revolute("C0", "ground", "rocker", c0);
  b.spring("spring", "ground", "rocker", Place(2, 0.5), c, 400, 0.5);
  b.angular_velocity("crank", {0, 0, 5});
  return b.build();
}

struct Option {
  const char* name;  // as it stands in the refusal
  void (*give)(RunOptions&);
  /// What else it needs to mean anything, where the method can do it.
  void (*companions)(RunOptions&) = nullptr;
};

void by_error(RunOptions& o) { o.step_control = "error"; }
void by_error_loosely(RunOptions& o) {
  o.step_control = "error";
  o.absolute_tolerance = o.relative_tolerance = 1e-3;
}
void by_increment(RunOptions& o) { o.step_control = "increment"; }

const Option kOptions[] = {
    {"treatment", [](RunOptions& o) { o.treatment = "augmented"; }},
    {"treatment", [](RunOptions& o) { o.treatment = "independent"; }},
    {"step_control", [](RunOptions& o) { o.step_control = "fixed"; }},
    {"step_control", by_error},
    {"step_control", by_increment},
    {"step_control", [](RunOptions& o) { o.step_control = "residual"; }},
    {"step_control", [](RunOptions& o) { o.step_control = "energy"; }},
    {"tolerance", [](RunOptions& o) { o.tolerance = 1e-3; }},
    {"absolute_tolerance", [](RunOptions& o) { o.absolute_tolerance = 1e-3; }, by_error},
    {"relative_tolerance", [](RunOptions& o) { o.relative_tolerance = 1e-2; }, by_error},
    {"step_min", [](RunOptions& o) { o.step_min = 0.03; }, by_error},
    {"step_max", [](RunOptions& o) { o.step_max = 2e-4; }, by_error_loosely},
    {"penalty", [](RunOptions& o) { o.penalty = 1e5; }},
    {"fixed_penalty", [](RunOptions& o) { o.fixed_penalty = true; }, by_error},
    {"iterations", [](RunOptions& o) { o.iterations = 1; }},
    {"projections", [](RunOptions& o) { o.projections = false; }},
    {"dissipation", [](RunOptions& o) { o.dissipation = 0.25; }},
    {"spectral_radius", [](RunOptions& o) { o.spectral_radius = 0.3; }},
    {"index", [](RunOptions& o) { o.index = 3; }},
    {"jacobian", [](RunOptions& o) { o.jacobian = "fresh"; }},
    {"solver", [](RunOptions& o) { o.solver = "dense"; }},
    {"solver", [](RunOptions& o) { o.solver = "sparse"; }},
    {"solver", [](RunOptions& o) { o.solver = "profile"; }},
    {"cut", [](RunOptions& o) { o.cut = {"A0"}; }},
};

std::string refusal(const RunOptions& options) {
  try {
    options.check();
    return "";
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

/// Everything that a run tells, but for the time it took.
struct Told {
  std::vector<double> row;
  std::vector<std::int64_t> counts;
  std::string solver, control, treatment;
  RunStatus status;
  bool operator==(const Told&) const = default;
};

Told told(const Mechanism& mechanism, const RunOptions& options) {
  const FinishedRun run = finish(mechanism, options);
  const RunSummary& s = run.summary;
  return {run.last.row(),   {s.steps, s.rejected_steps, s.iterations, s.factorizations, s.evaluations},
          s.solver_used,    s.step_control_used,
          s.treatment_used, s.status};
}

TEST(ApplicableOptions, ChangeSomethingOrAreRefusedByName) {
  const Mechanism mechanism = sprung_four_bar();
  int honoured = 0, refused = 0, methods = 0;
  std::map<std::string, int> honoured_by_name;
  for (const RunOptions& plain : every_method(0.01, 0.1)) {
    ++methods;
    for (const Option& option : kOptions) {
      RunOptions base = plain;
      if (option.companions) option.companions(base);
      if (!refusal(base).empty()) base = plain;
      RunOptions asked = base;
      option.give(asked);
      const std::string what = name_of(plain) + " " + option.name;
      const std::string sentence = refusal(asked);
      if (!sentence.empty()) {
        ++refused;
        EXPECT_NE(sentence.find(option.name), std::string::npos) << what << ": " << sentence;
        EXPECT_NE(sentence.find(plain.integrator), std::string::npos) << what << ": " << sentence;
        EXPECT_THROW(Simulation(mechanism, asked), std::invalid_argument) << what;
        continue;
      }
      ++honoured;
      ++honoured_by_name[option.name];
      if (std::string(option.name) == "treatment") {
        EXPECT_EQ(told(mechanism, asked).treatment, *asked.treatment) << what;
      } else if (std::string(option.name) == "step_control") {
        const RunSummary summary = finish(mechanism, asked).summary;
        EXPECT_EQ(summary.step_control_used, *asked.step_control) << what;
        if (*asked.step_control == "fixed")
          EXPECT_NEAR(summary.step_smallest, summary.step_largest, 1e-9 * asked.step) << what;
      } else if (std::string(option.name) == "solver") {
        EXPECT_EQ(told(mechanism, asked).solver, asked.solver) << what;
      } else {
        EXPECT_FALSE(told(mechanism, asked) == told(mechanism, base)) << what;
      }
    }
  }
  EXPECT_GE(methods, 58);
  EXPECT_EQ(honoured + refused, methods * static_cast<int>(std::size(kOptions)));
  EXPECT_GT(honoured, 150);
  std::set<std::string> names;
  for (const Option& option : kOptions) names.insert(option.name);
  EXPECT_EQ(honoured_by_name.size(), names.size());  // each means something to some method
}

/// Every option of the list is asked above, but for those that every method has a use for, and the wanted error, which
/// none has that is named.
TEST(ApplicableOptions, AreAllAskedFor) {
  std::set<std::string> asked{"formulation", "integrator", "step", "until", "every", "start", "error"};
  for (const Option& option : kOptions) asked.insert(option.name);
  std::set<std::string> listed{"cut"};
  visit_options([&listed](const RunOption& option, const auto&) { listed.insert(option.name); }, RunOptions());
  EXPECT_EQ(asked, listed);
}

/// It chooses a method and its tolerance: whoever names one of them has chosen himself.
TEST(ApplicableOptions, AWantedErrorBelongsToTheIntegratorAuto) {
  int refused = 0;
  for (RunOptions named : every_method(0.01, 0.1)) {
    named.error = 1e-3;
    const std::string sentence = refusal(named);
    EXPECT_NE(sentence.find("no error with integrator '" + named.integrator), std::string::npos) << sentence;
    ++refused;
  }
  EXPECT_GE(refused, 58);
  RunOptions automatic;
  automatic.error = 1e-3;
  EXPECT_EQ(refusal(automatic), "");
  int together = 0;
  for (const Option& option : kOptions) {
    RunOptions asked = automatic;
    option.give(asked);
    const std::string name = option.name;
    if (name != "step_control" && name != "tolerance" && name != "absolute_tolerance" && name != "relative_tolerance" &&
        name != "iterations")
      continue;
    EXPECT_NE(refusal(asked).find("the error that is asked for decides it"), std::string::npos) << name;
    ++together;
  }
  EXPECT_EQ(together, 9);
}

const std::string* name_in(const std::string& value) { return &value; }
const std::string* name_in(const std::optional<std::string>& value) { return value ? &*value : nullptr; }
template <class T>
const std::string* name_in(const T&) {
  return nullptr;
}

/// And by every name that such an option can have. Formulations and integrators are those of the methods.
TEST(ApplicableOptions, AreAskedForByEveryName) {
  std::set<std::string> asked, listed;
  const auto note = [&](const RunOption& option, const auto& value) {
    if (const std::string* name = option.choices ? name_in(value) : nullptr)
      asked.insert(std::string(option.name) + " " + *name);
  };
  visit_options(note, RunOptions());
  for (const Option& option : kOptions) {
    RunOptions options;
    option.give(options);
    visit_options(note, options);
  }
  const std::set<std::string> of_methods{"formulation", "integrator", "start"};
  const auto list = [&](const RunOption& option, const auto&) {
    if (option.choices == nullptr || of_methods.contains(option.name)) return;
    for (const RegistryEntry& entry : option.choices())
      listed.insert(std::string(option.name) + " " + std::string(entry.name));
  };
  visit_options(list, RunOptions());
  for (const std::string& name : listed) EXPECT_TRUE(asked.contains(name)) << name;
  EXPECT_GE(listed.size(), 13U);
}

TEST(ApplicableOptions, BoundsOfTheStepHoldForAllThatChooseTheirs) {
  const Mechanism mechanism = sprung_four_bar();
  int runs = 0;
  for (RunOptions options : every_method(0.01, 0.1)) {
    options.step_control = "error";
    options.step_max = 2e-3;
    if (!refusal(options).empty()) continue;
    const RunSummary summary = finish(mechanism, options).summary;
    EXPECT_EQ(summary.status, RunStatus::ok) << summary.reason;
    EXPECT_LE(summary.step_largest, 2e-3 * (1 + 1e-9)) << name_of(options);
    options.step_max.reset();
    options.step_min = 0.03;
    options.absolute_tolerance = options.relative_tolerance = 1e-9;
    const RunSummary stopped = finish(mechanism, options).summary;
    EXPECT_EQ(stopped.status, RunStatus::failed) << name_of(options);
    EXPECT_NE(stopped.reason.find("the shortest step allowed was reached"), std::string::npos) << stopped.reason;
    ++runs;
  }
  EXPECT_EQ(runs, 24);
}

TEST(ApplicableOptions, OfAnotherMethodCanBeLeftAside) {
  RunOptions options = options_of("hybrid", 0.01, 1);
  options.penalty = 1e6;
  options.step_control = "increment";
  options.step_max = 0.1;
  options.tolerance = 1e-6;
  options.cut = {"A0"};
  options.check();
  options.formulation = "cartesian";
  options.integrator = "rk4";
  EXPECT_THROW(options.check(), std::invalid_argument);
  const RunOptions left = without_foreign_options(options);
  left.check();
  EXPECT_FALSE(left.penalty || left.step_control || left.step_max || left.tolerance || !left.cut.empty());
  EXPECT_EQ(left.step, 0.01);
}

}  // namespace
}  // namespace cardan
