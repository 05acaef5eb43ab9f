#include "studies/robustness/silent_failures.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <span>

#include "cardan/registry.hpp"
#include "options/integrators.hpp"
#include "studies/parallel.hpp"
#include "studies/robustness/random_mechanism.hpp"

namespace cardan {
namespace {

constexpr int kInstants = 5;

/// Places and turns of all bodies at some instants.
class Poses final : public Sink {
 public:
  explicit Poses(const Mechanism& mechanism) : mechanism_(mechanism) {}

  void start(const std::vector<std::string>& columns) override {
    columns_.clear();
    for (const Body& body : mechanism_.bodies) {
      for (const char* field : mechanism_.planar ? std::span<const char* const>(kPlane) : kSpace) {
        const auto found = std::find(columns.begin(), columns.end(), body.name + field);
        columns_.push_back(static_cast<std::size_t>(found - columns.begin()));
      }
    }
    rows_.clear();
  }
  void sample(const double* row, std::size_t) override {
    std::vector<double>& kept = rows_.emplace_back();
    for (std::size_t column : columns_) kept.push_back(row[column]);
    times_.push_back(row[0]);
  }

  /// Of bars that stay parallel, from where they are drawn.
  static Poses of(const RandomMechanism& random, const RunOptions& options) {
    Poses result(random.mechanism);
    Simulation simulation(random.mechanism, options);
    std::vector<double> row(simulation.columns().size());
    simulation.sample(row.data());
    result.start(simulation.columns());
    result.sample(row.data(), row.size());
    const std::vector<double> drawn = result.rows_[0];
    for (int i = 1; i <= kInstants; ++i) {
      result.times_.push_back(random.duration * i / kInstants);
      result.rows_.push_back(drawn);
      result.turn(random, random.bars->turn(result.times_.back()), result.rows_.back());
    }
    return result;
  }

  /// The largest difference of places over the size, or of turns, at the instants; infinite when they are not there.
  static double difference(const Poses& one, const Poses& two, double size, double duration) {
    double worst = 0;
    for (int i = 1; i <= kInstants; ++i) {
      const std::vector<double>*a = one.at(duration * i / kInstants), *b = two.at(duration * i / kInstants);
      if (!a || !b) return HUGE_VAL;
      worst = std::max(worst, one.mechanism_.planar ? planar(*a, *b, size) : spatial(*a, *b, size));
    }
    return worst;
  }

 private:
  static constexpr const char* kPlane[] = {".x", ".y", ".angle"};
  static constexpr const char* kSpace[] = {".x", ".y", ".z", ".qw", ".qx", ".qy", ".qz"};

  const std::vector<double>* at(double time) const {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (std::abs(times_[i] - time) < 1e-9) return &rows_[i];
    }
    return nullptr;
  }
  void turn(const RandomMechanism& random, double angle, std::vector<double>& row) const {
    const Quat turned(Eigen::AngleAxisd(angle, random.bars->axis));
    double* at = row.data();
    for (const Body& body : random.mechanism.bodies) {
      const bool turns = body.name.starts_with("bar");
      const Vec3 arm = (turns ? 0.5 : 1) * random.bars->bar, moved = turned * arm - arm;
      const int axes = mechanism_.planar ? 2 : 3;
      for (int k = 0; k < axes; ++k) *at++ += moved[k];
      if (mechanism_.planar) {
        *at++ += turns ? angle : 0;
        continue;
      }
      if (turns) {
        const Quat now = turned * Quat(at[0], at[1], at[2], at[3]);
        at[0] = now.w(), at[1] = now.x(), at[2] = now.y(), at[3] = now.z();
      }
      at += 4;
    }
  }
  static double worse(double worst, double value) { return value > worst || std::isnan(value) ? value : worst; }
  static double planar(const std::vector<double>& a, const std::vector<double>& b, double size) {
    double worst = 0;
    for (std::size_t k = 0; k < a.size(); k += std::size(kPlane)) {
      worst = worse(worst, std::hypot(a[k] - b[k], a[k + 1] - b[k + 1]) / size);
      worst = worse(worst, std::abs(std::remainder(a[k + 2] - b[k + 2], 2 * std::numbers::pi)));
    }
    return worst;
  }
  /// |q1 -+ q2| = 2 sin(angle / 4)
  static double spatial(const std::vector<double>& a, const std::vector<double>& b, double size) {
    double worst = 0;
    for (std::size_t k = 0; k < a.size(); k += std::size(kSpace)) {
      worst = worse(worst, Vec3(a[k] - b[k], a[k + 1] - b[k + 1], a[k + 2] - b[k + 2]).norm() / size);
      const Eigen::Map<const Eigen::Vector4d> p(&a[k + 3]), q(&b[k + 3]);
      worst = worse(worst, 2 * std::min((p - q).norm(), (p + q).norm()));
    }
    return worst;
  }

  const Mechanism& mechanism_;
  std::vector<std::size_t> columns_;
  std::vector<std::vector<double>> rows_;
  std::vector<double> times_;
};

RunOptions options_on(const RandomMechanism& random, std::string_view formulation, std::string_view integrator) {
  RunOptions options;
  options.formulation = formulation;
  options.integrator = integrator;
  options.step = random.step;
  options.until = random.duration;
  options.every = static_cast<int>(std::lround(random.duration / kInstants / random.step));
  return options;
}

/// The closed form where there is one, else dopri5 far below all that is judged, in the first two formulations that
/// agree.
std::optional<Poses> reference_of(const RandomMechanism& random, double& size) {
  constexpr double kTolerance = 1e-11, kAgree = 1e-7;
  if (random.bars) {
    const RunOptions options = options_on(random, "hybrid", "trapezoidal");
    size = Simulation(random.mechanism, options).length();
    return Poses::of(random, options);
  }
  std::vector<Poses> found;
  for (const char* formulation : {"topological", "cartesian", "hybrid", "global"}) {
    RunOptions options = options_on(random, formulation, "dopri5");
    options.absolute_tolerance = options.relative_tolerance = kTolerance;
    options.step_min = 1e-9;
    Poses poses(random.mechanism);
    try {
      size = Simulation(random.mechanism, options).length();
      if (run(random.mechanism, options, &poses).status != RunStatus::ok) continue;
    } catch (const ModelError&) {
      continue;
    }
    for (const Poses& other : found) {
      if (Poses::difference(other, poses, size, random.duration) < kAgree) return poses;
    }
    found.push_back(std::move(poses));
  }
  return {};
}

/// Whether a warning says that the motion may not be what was asked for. Reactions that are not unique are none of it.
bool tells_of_motion(const std::string& warning) {
  for (const char* part : {"energy balance", "do not hold", "not resolved", "may not be resolved", "singular position",
                           "in one step than its rate foretold"}) {
    if (warning.find(part) != std::string::npos) return true;
  }
  return false;
}

JudgedRun judged_run(const RandomMechanism& random, const Poses& reference, double size, std::string_view formulation,
                     std::string_view integrator) {
  JudgedRun result;
  result.kind = random.kind;
  result.formulation = formulation;
  result.integrator = integrator;
  const RunOptions options = options_on(random, formulation, integrator);
  RunControl control;
  control.estimate_error = true;  // as `cardan run` does
  Poses poses(random.mechanism);
  try {
    const RunSummary summary = run(random.mechanism, options, &poses, {}, nullptr, control);
    result.status = status_name(summary.status);
    result.said = summary.reason;
    result.estimate = summary.error_estimate;
    result.violation = summary.position.value / size;
    for (const std::string& warning : summary.warnings) {
      if (!tells_of_motion(warning)) continue;
      result.warned = true;
      result.said += warning;
    }
  } catch (const ModelError& refusal) {
    result.status = "refused";
    result.said = refusal.what();
    return result;
  }
  if (result.ok()) result.error = Poses::difference(poses, reference, size, random.duration);
  if (chooses_steps(formulation, integrator))
    result.tolerance = options.relative_tolerance + options.absolute_tolerance / std::min(1.0, size);
  return result;
}

/// The median error of a rule over the formulations in which it ended well; of one that a single formulation has, that
/// of the rules of its order.
double usual_error(const std::vector<JudgedRun>& runs, const std::string& integrator) {
  std::vector<double> own, alike;
  for (const JudgedRun& run : runs) {
    if (!run.ok() || run.tolerance > 0) continue;
    if (run.integrator == integrator) own.push_back(run.error);
    if (integrator_entry(run.integrator).order == integrator_entry(integrator).order) alike.push_back(run.error);
  }
  std::vector<double>& errors = own.size() > 1 ? own : alike;
  std::sort(errors.begin(), errors.end());
  return std::max(kLeast, errors.empty() ? 0 : errors[(errors.size() - 1) / 2]);
}

}  // namespace

std::vector<JudgedRun> judge_methods(unsigned seed) {
  const RandomMechanism random = random_mechanism(seed);
  double size = 1;
  const std::optional<Poses> reference = reference_of(random, size);
  std::vector<JudgedRun> runs;
  if (!reference) return runs;
  for (const RegistryEntry& formulation : formulations()) {
    for (const RegistryEntry& integrator : integrators()) {
      if (!why_not(formulation.name, integrator.name).empty()) continue;
      runs.push_back(judged_run(random, *reference, size, formulation.name, integrator.name));
      runs.back().seed = seed;
    }
  }
  std::map<std::string, double> usual;
  for (const JudgedRun& run : runs) usual[run.integrator] = usual_error(runs, run.integrator);
  for (JudgedRun& run : runs) {
    if (run.tolerance == 0) run.usual = usual[run.integrator];
  }
  return runs;
}

SilentFailures find_silent_failures(unsigned mechanisms, const StudyContext& context) {
  std::vector<std::vector<JudgedRun>> runs(mechanisms);
  std::atomic<unsigned> done = 0;
  for_each_index(mechanisms, context.threads, [&](std::size_t i) {
    runs[i] = judge_methods(static_cast<unsigned>(i));
    if (context.progress) context.progress(static_cast<double>(++done) / mechanisms);
  });
  SilentFailures result;
  for (const std::vector<JudgedRun>& of_one : runs) {
    ++result.mechanisms;
    result.judged += !of_one.empty();
    result.runs.insert(result.runs.end(), of_one.begin(), of_one.end());
  }
  return result;
}

}  // namespace cardan
