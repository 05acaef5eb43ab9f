#include "optimize/optimization.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "math/expression.hpp"
#include "optimize/design_runs.hpp"
#include "optimize/measure_slopes.hpp"

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
    std::vector<double> values(measures.begin(), measures.end()), gradient(measures.size() + x.size());
    values.insert(values.end(), x.begin(), x.end());
    const double f = expression_.evaluate_gradient(values, gradient.data());
    df = Eigen::Map<const VecX>(gradient.data() + measures.size(), x.size());
    for (Eigen::Index i = 0; i < measures.size(); ++i)
      if (gradient[static_cast<std::size_t>(i)] != 0)
        df += gradient[static_cast<std::size_t>(i)] * slopes.row(i).transpose();
    return f;
  }

 private:
  static Expression compiled(const OptimizePlan& plan, const std::string& text) {
    std::vector<std::string> names;
    for (const SweepMeasure& measure : plan.measures) names.push_back(measure.name);
    for (const DesignVariable& variable : plan.variables) names.push_back(variable.name);
    if (std::ssize(names) > Expression::kMostVariables)
      throw std::invalid_argument(fmt::format("{} measures and parameters are more than an expression may have, {}",
                                              names.size(), Expression::kMostVariables));
    std::map<std::string, double> constants;
    for (const ModelParameter& parameter : plan.parameters) constants[parameter.name] = parameter.value;
    for (const auto& [name, value] : plan.fixed) constants[name] = value;
    return Expression::compile(text, names, constants);
  }

  Expression expression_;
};

class Optimization {
 public:
  Optimization(const OptimizePlan& plan,
               const std::function<bool(const std::string&, const MinimizerIteration&)>& told)
      : plan_(plan), told_(told), runs_(plan, signals_of(plan)) {
    for (const std::string& text : plan.minimize) objectives_.emplace_back(plan, text);
    for (const SweepConstraint& constraint : plan.constraints) constraints_.emplace_back(plan, constraint.text);
    for (std::size_t i = 0; i < plan.measures.size(); ++i) columns_.push_back(static_cast<Eigen::Index>(i) + 1);
  }

  OptimizationResult go() {
    OptimizationResult result;
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

  std::optional<DesignValue> evaluate(const VecX& x, int objective, const std::optional<Limit>& limit) {
    MeasureSlopes measured(plan_.measures, columns_, x.size());
    if (!runs_.run(x, measured)) return std::nullopt;
    const VecX measures = measured.values();
    const Eigen::MatrixXd slopes = measured.slopes();
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
                                plan_.upper(), plan_.scale(), options, [&](const MinimizerIteration& iteration) {
                                  ended_ = told_ && !told_(title, iteration);
                                  return !ended_;
                                });
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(runs_.failure().empty() ? error.what()
                                                          : fmt::format("the start has no value: {}", runs_.failure()));
    }
    result.runs = runs_.runs() - before;
    MeasureSlopes measured(plan_.measures, columns_, start.size());
    runs_.run(result.minimum.x, measured);
    result.measures = measured.values();
    VecX slope;
    result.objectives.resize(std::ssize(objectives_));
    for (std::size_t i = 0; i < objectives_.size(); ++i)
      result.objectives[static_cast<Eigen::Index>(i)] =
          objectives_[i].evaluate(result.measures, measured.slopes(), result.minimum.x, slope);
    return result;
  }

  const OptimizePlan& plan_;
  const std::function<bool(const std::string&, const MinimizerIteration&)>& told_;
  DesignRuns runs_;
  std::vector<DesignExpression> objectives_, constraints_;
  std::vector<Eigen::Index> columns_;
  bool ended_ = false;
};

}  // namespace

OptimizationResult optimize(const OptimizePlan& plan,
                            const std::function<bool(const std::string&, const MinimizerIteration&)>& told) {
  return Optimization(plan, told).go();
}

}  // namespace cardan
