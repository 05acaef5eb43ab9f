#include "optimize/measure_weights.hpp"

#include <cmath>

namespace cardan {

MeasureWeights::MeasureWeights(const std::vector<SweepMeasure>& measures, std::vector<Eigen::Index> columns)
    : measures_(measures), columns_(columns), slopes_(measures, std::move(columns), 0) {}

void MeasureWeights::sample(const VecX& row) {
  rows_.push_back(row);
  slopes_.sample(row, Eigen::MatrixXd(0, row.size()));
}

bool MeasureWeights::weights(std::int64_t index, Eigen::MatrixXd& weights) const {
  if (found_.empty())
    for (std::size_t i = 0; i < measures_.size(); ++i) found_.push_back(of(measures_[i], columns_[i]));
  weights.setZero(size(), rows_.front().size());
  bool any = false;
  for (std::size_t i = 0; i < measures_.size(); ++i) {
    const double weight = found_[i][static_cast<std::size_t>(index)];
    weights(static_cast<Eigen::Index>(i), columns_[i]) = weight;
    any = any || weight != 0;
  }
  return any;
}

MeasureWeights::Weights MeasureWeights::of(const SweepMeasure& measure, Eigen::Index column) const {
  Weights weights(rows_.size(), 0);
  const auto t = [&](std::size_t k) { return rows_[k][0]; };
  const auto x = [&](std::size_t k) { return rows_[k][column]; };
  std::size_t k = 0;
  switch (measure.kind) {
    case SweepMeasure::Kind::end:
      weights.back() = 1;
      break;
    case SweepMeasure::Kind::at: {
      while (k < rows_.size() && t(k) < measure.time) ++k;
      if (k == rows_.size() || (k == 0 && t(0) > measure.time)) break;
      const double part = k == 0 || t(k) == t(k - 1) ? 1 : (measure.time - t(k - 1)) / (t(k) - t(k - 1));
      weights[k] = part;
      if (k > 0) weights[k - 1] = 1 - part;
      break;
    }
    case SweepMeasure::Kind::first: {
      while (k < rows_.size() && !(x(k) >= 0)) ++k;
      if (k == 0 || k == rows_.size()) break;
      const double rise = x(k - 1) - x(k), dt = t(k) - t(k - 1);
      weights[k] = dt * x(k - 1) / (rise * rise);
      weights[k - 1] = -dt * x(k) / (rise * rise);
      break;
    }
    default:
      add_pieces(measure, column, weights);
  }
  return weights;
}

/// Of the lines between samples, as far as they lie between the times of the measure: MeasureSlopes::gather_piece().
void MeasureWeights::add_pieces(const SweepMeasure& measure, Eigen::Index column, Weights& weights) const {
  struct Point {
    std::size_t first = 0, second = 0;
    double part = 0, value = 0;  // between both
  };
  const auto add = [&](const Point& p, double weight) {
    weights[p.first] += (1 - p.part) * weight;
    weights[p.second] += p.part * weight;
  };
  Point extreme;
  double time = 0, largest = -std::numeric_limits<double>::infinity(), squares = 0;
  const double sign = measure.kind == SweepMeasure::Kind::min ? -1 : 1;
  const bool is_rms = measure.kind == SweepMeasure::Kind::rms;
  const bool is_extreme = measure.kind == SweepMeasure::Kind::max || measure.kind == SweepMeasure::Kind::min;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const std::size_t before = k == 0 ? 0 : k - 1;
    const double begin = rows_[before][0], end = rows_[k][0];
    if (end < measure.from || begin > measure.to) continue;
    const double from = std::max(begin, measure.from), to = std::min(end, measure.to), dt = to - from;
    const auto point = [&](double at) {
      Point p{before, k, end > begin ? (at - begin) / (end - begin) : 1, 0};
      p.value = rows_[before][column] + p.part * (rows_[k][column] - rows_[before][column]);
      return p;
    };
    const Point a = point(from), b = point(to);
    for (const Point* p : {&a, &b})
      if (sign * p->value > largest) largest = sign * p->value, extreme = *p;
    if (is_extreme || !(dt > 0)) continue;
    time += dt;
    squares += dt * (a.value * a.value + a.value * b.value + b.value * b.value) / 3;
    add(a, is_rms ? dt * (2 * a.value + b.value) / 3 : 0.5 * dt);
    add(b, is_rms ? dt * (a.value + 2 * b.value) / 3 : 0.5 * dt);
  }
  if (is_extreme) return add(extreme, 1);
  const double over = is_rms ? 2 * std::sqrt(squares / time) * time : time;
  for (double& weight : weights) weight = over > 0 ? weight / over : 0;
}

}  // namespace cardan
