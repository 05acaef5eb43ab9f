// Derivatives of a run against differences of runs: five points, fourth order, with steps solved to rounding.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cardan/gradients.hpp"
#include "mechanism/asked_options.hpp"
#include "optimize/design_model.hpp"

namespace cardan {

inline YamlPointer expression_node(const std::string& text) {
  auto node = std::make_shared<YamlNode>();
  node->kind = YamlNode::Kind::scalar;
  node->text = text;
  return node;
}

struct Samples final : Sink, GradientSink {
  std::vector<VecX> rows;
  std::vector<Eigen::MatrixXd> slopes;
  void start(const std::vector<std::string>&) override {}
  void sample(const double* row, std::size_t size) override {
    rows.emplace_back(Eigen::Map<const VecX>(row, static_cast<Eigen::Index>(size)));
  }
  void sample(const VecX& row, const Eigen::MatrixXd& slope) override {
    rows.push_back(row);
    slopes.push_back(slope);
  }
};

struct Comparison {
  std::string failure;
  double error = 0;  // largest, of a column's derivative, relative to the largest that it has in the run
  std::string where;
  double rows = 0;  // largest difference between rows and those of run()
};

/// `difference`: of the reference, in parts of the parameters' values.
inline Comparison compare_gradients(DesignModel& model, const std::vector<double>& values, const RunOptions& options,
                                    const GradientOptions& how = {}, double difference = 1e-4) {
  Comparison result;
  const auto maker = [&](const std::vector<double>& at) { return model.make(at); };
  Samples own, plain;
  const RunSummary summary = run_with_gradients(maker, model.at(values), options, model.signals(), own, how);
  if (summary.status != RunStatus::ok) {
    result.failure = summary.reason;
    return result;
  }
  RunControl control;
  control.signals = &model.signals();
  run(model.make(values), options, &plain, {}, nullptr, control);
  if (plain.rows.size() != own.rows.size()) {
    result.failure = "other rows";
    return result;
  }
  for (std::size_t i = 0; i < own.rows.size(); ++i)
    result.rows = std::max(result.rows, (own.rows[i] - plain.rows[i]).lpNorm<Eigen::Infinity>());
  for (std::size_t p = 0; p < values.size(); ++p) {
    const double scale = model.at(values)[p].scale;
    const double dp = difference * (scale > 0 ? scale : values[p] != 0 ? std::abs(values[p]) : 1);
    std::vector<Samples> sides(4);
    const double steps[] = {dp, -dp, 2 * dp, -2 * dp};
    for (int k = 0; k < 4; ++k) {
      std::vector<double> at = values;
      at[p] += steps[k];
      const RunSummary side = run(model.make(at), options, &sides[k], {}, nullptr, control);
      if (side.status != RunStatus::ok || sides[k].rows.size() != own.rows.size()) {
        result.failure = "reference: " + side.reason;
        return result;
      }
    }
    const auto columns = own.rows.front().size();
    for (Eigen::Index c = 1; c < columns; ++c) {
      double largest = 0, off = 0, at = 0;
      for (std::size_t i = 0; i < own.rows.size(); ++i) {
        const double first = sides[0].rows[i][c] - sides[1].rows[i][c],
                     second = sides[2].rows[i][c] - sides[3].rows[i][c];
        const double reference = (8 * first - second) / (12 * dp);
        largest = std::max(largest, std::abs(reference));
        const double now = std::abs(own.slopes[i](static_cast<Eigen::Index>(p), c) - reference);
        if (now > off) off = now, at = own.rows[i][0];
      }
      // A column that does not depend on the parameter but for rounding.
      double size = 0;
      for (const VecX& row : own.rows) size = std::max(size, std::abs(row[c]));
      const double floor = 1e-2 * size / (dp / difference);
      const double error = off / std::max(largest, floor);
      if (!(error <= result.error) && off > 0)
        result.error = error, result.where = model.signals()[static_cast<std::size_t>(c - 1)] + " by " +
                                             model.variables()[p].name + " at " + std::to_string(at) + " of " +
                                             std::to_string(largest);
    }
  }
  return result;
}

}  // namespace cardan
