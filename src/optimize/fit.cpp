#include "optimize/fit.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "optimize/design_runs.hpp"

namespace cardan {
namespace {

/// Rows at the times that were measured, on straight lines between samples, with their derivatives.
class AtTimes final : public GradientSink {
 public:
  explicit AtTimes(const std::vector<double>& times) : times_(times) {}

  void sample(const VecX& row, const Eigen::MatrixXd& slopes) override {
    const double slack = 1e-9 * (1 + row[0]);
    for (; next_ < times_.size() && times_[next_] <= row[0] + slack; ++next_) {
      const double t0 = last_.size() > 0 ? last_[0] : row[0];
      const double part = row[0] > t0 ? std::min(1.0, (times_[next_] - t0) / (row[0] - t0)) : 1;
      rows.push_back(part < 1 ? VecX(last_ + part * (row - last_)) : row);
      all_slopes.push_back(part < 1 ? Eigen::MatrixXd(last_slopes_ + part * (slopes - last_slopes_)) : slopes);
    }
    last_ = row;
    last_slopes_ = slopes;
  }

  std::vector<VecX> rows;
  std::vector<Eigen::MatrixXd> all_slopes;

 private:
  const std::vector<double>& times_;
  std::size_t next_ = 0;
  VecX last_;
  Eigen::MatrixXd last_slopes_;
};

std::vector<DesignSignal> signals_of(const FitPlan& plan) {
  std::vector<DesignSignal> signals;
  for (std::size_t i = 0; i < plan.columns.size(); ++i)
    signals.push_back({fmt::format("column-{}", i + 1), plan.columns[i].expression});
  return signals;
}

class Fit {
 public:
  explicit Fit(const FitPlan& plan) : plan_(plan), runs_(plan, signals_of(plan)) {}

  FitResult go(const std::function<bool(const FitIteration&)>& told) {
    FitResult result;
    try {
      result.numbers = least_squares([this](const VecX& x) { return residuals(x); }, plan_.start(), plan_.lower(),
                                     plan_.upper(), plan_.scale(), {plan_.iterations, plan_.tolerance}, told);
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(runs_.failure().empty() ? error.what()
                                                          : fmt::format("the start has no value: {}", runs_.failure()));
    }
    AtTimes at(plan_.times);
    runs_.run(result.numbers.x, at, plan_.times.back());
    for (std::size_t c = 0; c < plan_.columns.size(); ++c) {
      double sum = 0, count = 0;
      std::vector<double>& computed = result.computed.emplace_back();
      for (std::size_t i = 0; i < at.rows.size(); ++i) {
        computed.push_back(at.rows[i][static_cast<Eigen::Index>(c) + 1]);
        const double off = computed.back() - plan_.measured[c][i];
        if (std::isfinite(off)) sum += off * off, ++count;
      }
      result.deviations.push_back(std::sqrt(sum / std::max(count, 1.0)));
    }
    result.runs = runs_.runs();
    return result;
  }

 private:
  /// What was not measured does not count.
  std::optional<Residuals> residuals(const VecX& x) {
    AtTimes at(plan_.times);
    if (!runs_.run(x, at, plan_.times.back()) || at.rows.size() != plan_.times.size()) return std::nullopt;
    std::vector<double> r;
    std::vector<VecX> rows;
    for (std::size_t c = 0; c < plan_.columns.size(); ++c) {
      const auto column = static_cast<Eigen::Index>(c) + 1;
      for (std::size_t i = 0; i < plan_.times.size(); ++i) {
        if (!std::isfinite(plan_.measured[c][i])) continue;
        r.push_back((at.rows[i][column] - plan_.measured[c][i]) / plan_.columns[c].deviation);
        rows.emplace_back(at.all_slopes[i].col(column) / plan_.columns[c].deviation);
      }
    }
    Residuals result{Eigen::Map<const VecX>(r.data(), std::ssize(r)), Eigen::MatrixXd(std::ssize(r), x.size())};
    for (std::size_t i = 0; i < rows.size(); ++i) result.J.row(static_cast<Eigen::Index>(i)) = rows[i];
    return result;
  }

  const FitPlan& plan_;
  DesignRuns runs_;
};

}  // namespace

FitResult fit(const FitPlan& plan, const std::function<bool(const FitIteration&)>& told) { return Fit(plan).go(told); }

}  // namespace cardan
