#include "optimize/optimization.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "math/expression.hpp"
#include "optimize/design_runs.hpp"
#include "optimize/measure_weights.hpp"

namespace cardan {
namespace {

std::vector<DesignSignal> signals_of(const OptimizePlan& plan) {
  std::vector<DesignSignal> signals;
  for (const SweepMeasure& measure : plan.measures) signals.push_back({measure.name, measure.expression});
  return signals;
}

/// An expression of measures and variables with its derivatives with respect to the variables.
class DesignExpression {
 public:
  DesignExpression(const OptimizePlan& plan, const std::string& text) : expression_(compiled(plan, text)) {}

  double evaluate(const VecX& measures, const Eigen::MatrixXd& slopes, const VecX& x, VecX& df) const {
    std::vector<double> values, gradient(used_.size());
    for (const Eigen::Index i : used_) values.push_back(i < measures.size() ? measures[i] : x[i - measures.size()]);
    const double f = expression_.evaluate_gradient(values, gradient.data());
    df.setZero(x.size());
    for (std::size_t k = 0; k < used_.size(); ++k) {
      const Eigen::Index i = used_[k];
      if (i >= measures.size())
        df[i - measures.size()] += gradient[k];
      else if (gradient[k] != 0)
        df += gradient[k] * slopes.row(i).transpose();
    }
    return f;
  }

 private:
  /// Of the names that it uses: there may be more variables than an expression has.
  Expression compiled(const OptimizePlan& plan, const std::string& text) {
    std::vector<std::string> all, names, used;
    for (const SweepMeasure& measure : plan.measures) all.push_back(measure.name);
    for (const DesignVariable& variable : plan.variables) all.push_back(variable.name);
    Expression::compile_open(text, {}, used);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (std::find(used.begin(), used.end(), all[i]) == used.end()) continue;
      names.push_back(all[i]);
      used_.push_back(static_cast<Eigen::Index>(i));
    }
    if (std::ssize(names) > Expression::kMostVariables)
      throw std::invalid_argument(fmt::format("{} measures and parameters are more than an expression may have, {}",
                                              names.size(), Expression::kMostVariables));
    std::map<std::string, double> constants;
    for (const ModelParameter& parameter : plan.parameters) constants[parameter.name] = parameter.value;
    for (const auto& [name, value] : plan.fixed) constants[name] = value;
    return Expression::compile(text, names, constants);
  }

  std::vector<Eigen::Index> used_;  // among measures, then variables
  Expression expression_;
};

class Optimization {
 public:
  Optimization(const OptimizePlan& plan, const std::function<bool(const std::string&, const MinimizerIteration&)>& told)
      : plan_(plan), told_(told), runs_(plan, signals_of(plan)) {
    for (const std::string& text : plan.minimize) objectives_.emplace_back(plan, text);
    for (const SweepConstraint& constraint : plan.constraints) constraints_.emplace_back(plan, constraint.text);
    for (std::size_t i = 0; i < plan.measures.size(); ++i) columns_.push_back(static_cast<Eigen::Index>(i) + 1);
    choose_gradient();
  }

  OptimizationResult go() {
    OptimizationResult result;
    result.gradient = gradient_;
    if (plan_.front == 0) {
      result.designs.push_back(design("", 0, plan_.start(), std::nullopt));
      result.start = result.designs.front().minimum.iterations.front().f;
    } else {
      find_front(result);
    }
    return result;
  }

 private:
  /// The second objective at most `most`, where it is the first that is minimized.
  struct Limit {
    double most, range;
  };

  /// Both ends, and between them the first at limits of the second in equal steps.
  void find_front(OptimizationResult& result) {
    const OptimizedDesign one = design(fmt::format("least {}", plan_.minimize[0]), 0, plan_.start(), std::nullopt);
    result.start = one.minimum.iterations.front().f;
    result.designs.push_back(one);
    const OptimizedDesign other =
        ended_ ? one : design(fmt::format("least {}", plan_.minimize[1]), 1, one.minimum.x, std::nullopt);
    const double high = one.objectives[1], low = other.objectives[1];
    VecX start = one.minimum.x;
    for (int k = 1; k + 1 < plan_.front && !ended_; ++k) {
      const double most = high + (low - high) * k / (plan_.front - 1);
      result.designs.push_back(design(fmt::format("{} up to {:.5g}", plan_.minimize[1], most), 0, start,
                                      Limit{most, std::max(high - low, 1e-12)}));
      start = result.designs.back().minimum.x;
    }
    if (!ended_) result.designs.push_back(other);
    leave_out_dominated(result.designs);
  }

  /// A minimum near its start need not be the lowest: what another design beats in both is no part of the front.
  static void leave_out_dominated(std::vector<OptimizedDesign>& designs) {
    const std::vector<OptimizedDesign> all = designs;
    std::erase_if(designs, [&](const OptimizedDesign& one) {
      return std::any_of(all.begin(), all.end(), [&](const OptimizedDesign& other) {
        return (other.objectives.array() < one.objectives.array()).all();
      });
    });
  }

  /// Forwards a variable costs about kForth runs, backwards a measure kBack whatever the number of variables, if few
  /// samples count for it.
  void choose_gradient() {
    static constexpr double kForth = 1.5, kBack = 20;
    if (plan_.gradient == GradientMode::direct || !plan_.direct || plan_.alternate) return;
    const bool is_asked = plan_.gradient == GradientMode::adjoint;
    const bool few = std::none_of(plan_.measures.begin(), plan_.measures.end(), [](const SweepMeasure& measure) {
      return measure.kind == SweepMeasure::Kind::mean || measure.kind == SweepMeasure::Kind::rms;
    });
    const auto variables = static_cast<double>(plan_.variables.size()),
               measures = static_cast<double>(plan_.measures.size());
    if (!is_asked && (!few || kForth * variables <= kBack * measures)) return;
    const std::string refusal = runs_.refusal(plan_.start());
    if (is_asked && !refusal.empty()) throw std::invalid_argument(refusal);
    backwards_ = refusal.empty();
    gradient_ = backwards_ ? "adjoint" : fmt::format("direct, since {}", refusal);
  }

  bool measure(const VecX& x, VecX& measures, Eigen::MatrixXd& slopes) {
    if (backwards_) {
      MeasureWeights measured(plan_.measures, columns_);
      if (!runs_.run_back(x, measured, slopes)) return false;
      measures = measured.values();
      return true;
    }
    MeasureSlopes measured(plan_.measures, columns_, x.size());
    const bool ok = runs_.run(x, measured);
    measures = measured.values();
    slopes = measured.slopes();
    return ok;
  }

  std::optional<DesignValue> evaluate(const VecX& x, int objective, const std::optional<Limit>& limit) {
    VecX measures;
    Eigen::MatrixXd slopes;
    if (!measure(x, measures, slopes)) return std::nullopt;
    DesignValue value;
    value.f = objectives_[static_cast<std::size_t>(objective)].evaluate(measures, slopes, x, value.df);
    const auto count = static_cast<Eigen::Index>(constraints_.size()) + (limit ? 1 : 0);
    value.c.resize(count);
    value.dc.resize(count, x.size());
    VecX slope;
    for (std::size_t k = 0; k < constraints_.size(); ++k) {
      const auto row = static_cast<Eigen::Index>(k);
      value.c[row] = constraints_[k].evaluate(measures, slopes, x, slope);
      value.dc.row(row) = slope;
    }
    if (limit) {
      value.c[count - 1] = (limit->most - objectives_[1].evaluate(measures, slopes, x, slope)) / limit->range;
      value.dc.row(count - 1) = -slope / limit->range;
    }
    return value;
  }

  OptimizedDesign design(const std::string& title, int objective, const VecX& start,
                         const std::optional<Limit>& limit) {
    OptimizedDesign result;
    result.title = title;
    const int before = runs_.runs();
    const MinimizerOptions options{plan_.iterations, plan_.tolerance};
    try {
      result.minimum = minimize([&](const VecX& x) { return evaluate(x, objective, limit); }, start, plan_.lower(),
                                plan_.upper(), plan_.scale(), options,
                                [&](const MinimizerIteration& iteration) {
                                  ended_ = told_ && !told_(title, iteration);
                                  return !ended_;
                                });
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(runs_.failure().empty() ? error.what()
                                                          : fmt::format("the start has no value: {}", runs_.failure()));
    }
    result.runs = runs_.runs() - before;
    Eigen::MatrixXd slopes = Eigen::MatrixXd::Zero(std::ssize(columns_), start.size());
    measure(result.minimum.x, result.measures, slopes);
    VecX slope;
    result.objectives.resize(std::ssize(objectives_));
    for (std::size_t i = 0; i < objectives_.size(); ++i)
      result.objectives[static_cast<Eigen::Index>(i)] =
          objectives_[i].evaluate(result.measures, slopes, result.minimum.x, slope);
    return result;
  }

  const OptimizePlan& plan_;
  const std::function<bool(const std::string&, const MinimizerIteration&)>& told_;
  DesignRuns runs_;
  std::vector<DesignExpression> objectives_, constraints_;
  std::vector<Eigen::Index> columns_;
  bool ended_ = false;
  bool backwards_ = false;
  std::string gradient_ = "direct";
};

}  // namespace

OptimizationResult optimize(const OptimizePlan& plan,
                            const std::function<bool(const std::string&, const MinimizerIteration&)>& told) {
  return Optimization(plan, told).go();
}

}  // namespace cardan
