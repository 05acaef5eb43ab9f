#include "sweep/measures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cardan {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kNever = std::numeric_limits<double>::infinity();

}  // namespace

MeasureSink::MeasureSink(const std::vector<SweepMeasure>& measures, std::vector<std::size_t> columns)
    : measures_(measures), columns_(std::move(columns)), gathered_(measures.size()), values_(measures.size()) {}

void MeasureSink::start(const std::vector<std::string>&) {
  first_ = true;
  for (std::size_t i = 0; i < measures_.size(); ++i) {
    gathered_[i] = {};
    gathered_[i].value = measures_[i].kind == SweepMeasure::Kind::first ? kNever : kNone;
  }
}

void MeasureSink::sample(const double* row, std::size_t) {
  const double t = row[0];
  for (std::size_t i = 0; i < measures_.size(); ++i) {
    const double value = row[columns_[i]];
    gather(measures_[i], gathered_[i], t, value);
    gathered_[i].last = value;
  }
  t_ = t;
  first_ = false;
}

void MeasureSink::gather(const SweepMeasure& measure, Gathered& so_far, double t, double value) const {
  switch (measure.kind) {
    case SweepMeasure::Kind::end:
      so_far.value = value;
      return;
    case SweepMeasure::Kind::at:
      if (so_far.any || t < measure.time) return;
      so_far.any = !first_ || t == measure.time;
      if (so_far.any)
        so_far.value = first_ || t == t_ ? value : so_far.last + (measure.time - t_) / (t - t_) * (value - so_far.last);
      return;
    case SweepMeasure::Kind::first:
      if (so_far.any || !(value >= 0)) return;
      so_far.any = true;
      so_far.value = first_ ? t : t_ + (t - t_) * so_far.last / (so_far.last - value);
      return;
    default:
      return gather_piece(measure, so_far, t, value);
  }
}

/// The line from the last sample to this one, as far as it lies between the times of the measure.
void MeasureSink::gather_piece(const SweepMeasure& measure, Gathered& so_far, double t, double value) const {
  double t0 = first_ ? t : t_, x0 = first_ ? value : so_far.last, t1 = t, x1 = value;
  if (t1 < measure.from || t0 > measure.to) return;
  const double slope = t1 > t0 ? (x1 - x0) / (t1 - t0) : 0;
  if (t0 < measure.from) x0 += slope * (measure.from - t0), t0 = measure.from;
  if (t1 > measure.to) x1 -= slope * (t1 - measure.to), t1 = measure.to;
  switch (measure.kind) {
    case SweepMeasure::Kind::max:
      so_far.value = so_far.any ? std::max({so_far.value, x0, x1}) : std::max(x0, x1);
      break;
    case SweepMeasure::Kind::min:
      so_far.value = so_far.any ? std::min({so_far.value, x0, x1}) : std::min(x0, x1);
      break;
    case SweepMeasure::Kind::mean:
      so_far.integral += (t1 - t0) * 0.5 * (x0 + x1);
      so_far.time += t1 - t0;
      so_far.value = so_far.time > 0 ? so_far.integral / so_far.time : x1;
      break;
    default:  // integral of x^2 along a line
      so_far.integral += (t1 - t0) * (x0 * x0 + x0 * x1 + x1 * x1) / 3;
      so_far.time += t1 - t0;
      so_far.value = so_far.time > 0 ? std::sqrt(so_far.integral / so_far.time) : std::abs(x1);
  }
  // What is no number stays so.
  if (std::isnan(value)) so_far.value = kNone;
  so_far.any = true;
}

const std::vector<double>& MeasureSink::values() const {
  for (std::size_t i = 0; i < gathered_.size(); ++i) values_[i] = gathered_[i].value;
  return values_;
}

}  // namespace cardan
