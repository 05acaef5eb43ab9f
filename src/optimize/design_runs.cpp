#include "optimize/design_runs.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "mechanism/asked_options.hpp"

namespace cardan {
namespace {

constexpr double kDifference = 1e-5;  // of a variable's scale

struct Rows final : Sink {
  std::vector<VecX> rows;
  void start(const std::vector<std::string>&) override {}
  void sample(const double* row, std::size_t size) override {
    rows.emplace_back(Eigen::Map<const VecX>(row, static_cast<Eigen::Index>(size)));
  }
};

}  // namespace

DesignRuns::DesignRuns(const DesignPlan& plan, std::vector<DesignSignal> signals)
    : plan_(plan), model_(plan.model, plan.variables, std::move(signals), plan.fixed) {
  std::vector<double> start;
  for (const DesignVariable& variable : plan.variables) start.push_back(variable.start);
  model_.make(start);
}

template <class Run>
bool DesignRuns::guarded(const VecX& values, double until, const Run& run) {
  const std::vector<double> at(values.begin(), values.end());
  ++runs_;
  try {
    RunOptions options = asked_options(model_.make(at), plan_.options);
    options.until = std::max(until, plan_.options.until || until == 0 ? options.until : 0);
    const RunSummary summary = run([this](const std::vector<double>& v) { return model_.make(v); }, at, options);
    failure_ = summary.status == RunStatus::ok ? "" : summary.reason;
  } catch (const ModelError& error) {
    failure_ = error.diagnostics().empty() ? error.what() : error.diagnostics().front().unmarked_text();
  }
  return failure_.empty();
}

bool DesignRuns::run(const VecX& values, GradientSink& sink, double until) {
  GradientOptions how;
  how.alternate = plan_.alternate;
  return guarded(values, until,
                 [&](const MechanismMaker& maker, const std::vector<double>& at, const RunOptions& options) {
                   return plan_.direct ? run_with_gradients(maker, model_.at(at), options, model_.signals(), sink, how)
                                       : by_differences(at, options, sink);
                 });
}

bool DesignRuns::run_back(const VecX& values, AdjointResults& results, Eigen::MatrixXd& gradient) {
  return guarded(values, 0, [&](const MechanismMaker& maker, const std::vector<double>& at, const RunOptions& options) {
    return run_with_adjoint(maker, model_.at(at), options, model_.signals(), results, gradient);
  });
}

std::string DesignRuns::refusal(const VecX& values) {
  const Mechanism mechanism = model_.make({values.begin(), values.end()});
  return adjoint_refusal(mechanism, asked_options(mechanism, plan_.options));
}

/// Samples come at the same times in all runs but at ends that events bring about.
RunSummary DesignRuns::by_differences(const std::vector<double>& values, const RunOptions& options,
                                      GradientSink& sink) {
  RunControl control;
  control.signals = &model_.signals();
  Rows middle;
  const RunSummary summary = cardan::run(model_.make(values), options, &middle, {}, nullptr, control);
  if (summary.status != RunStatus::ok) return summary;
  std::vector<Rows> up(values.size()), down(values.size());
  std::vector<double> change(values.size());
  const std::vector<GradientParameter> parameters = model_.at(values);
  std::size_t rows = middle.rows.size();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const GradientParameter& p = parameters[i];
    const double step = kDifference * (p.scale > 0 ? p.scale : p.value != 0 ? std::abs(p.value) : 1);
    const double ends[] = {std::min(p.value + step, p.max), std::max(p.value - step, p.min)};
    change[i] = ends[0] - ends[1];
    for (Rows* side : {&up[i], &down[i]}) {
      std::vector<double> at = values;
      at[i] = side == &up[i] ? ends[0] : ends[1];
      const RunSummary beside = cardan::run(model_.make(at), options, side, {}, nullptr, control);
      if (beside.status != RunStatus::ok) return beside;
      rows = std::min(rows, side->rows.size());
    }
  }
  std::vector<std::string> columns{"t"};
  columns.insert(columns.end(), model_.signals().begin(), model_.signals().end());
  sink.start(columns);
  Eigen::MatrixXd slopes(std::ssize(values), std::ssize(columns));
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t i = 0; i < values.size(); ++i)
      slopes.row(static_cast<Eigen::Index>(i)) = (up[i].rows[r] - down[i].rows[r]) / change[i];
    sink.sample(middle.rows[r], slopes);
  }
  return summary;
}

}  // namespace cardan
