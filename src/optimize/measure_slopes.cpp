#include "optimize/measure_slopes.hpp"

#include <cmath>
#include <limits>

namespace cardan {

MeasureSlopes::MeasureSlopes(const std::vector<SweepMeasure>& measures, std::vector<Eigen::Index> columns,
                             Eigen::Index parameters)
    : measures_(measures), columns_(std::move(columns)), gathered_(measures.size()) {
  for (std::size_t i = 0; i < measures.size(); ++i) {
    const bool is_instant = measures[i].kind == SweepMeasure::Kind::first;
    gathered_[i].value.value =
        is_instant ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
    for (Sloped* one : {&gathered_[i].value, &gathered_[i].integral, &gathered_[i].last})
      one->slope = VecX::Zero(parameters);
  }
}

void MeasureSlopes::sample(const VecX& row, const Eigen::MatrixXd& slopes) {
  for (std::size_t i = 0; i < measures_.size(); ++i) {
    const Sloped now{row[columns_[i]], slopes.col(columns_[i])};
    gather(measures_[i], gathered_[i], row[0], now);
    gathered_[i].last = now;
  }
  t_ = row[0];
  first_ = false;
}

MeasureSlopes::Sloped MeasureSlopes::between(const Sloped& a, const Sloped& b, double part) {
  return {a.value + part * (b.value - a.value), a.slope + part * (b.slope - a.slope)};
}

void MeasureSlopes::gather(const SweepMeasure& measure, Gathered& so_far, double t, const Sloped& now) const {
  switch (measure.kind) {
    case SweepMeasure::Kind::end:
      so_far.value = now;
      return;
    case SweepMeasure::Kind::at:
      if (so_far.any || t < measure.time) return;
      so_far.any = !first_ || t == measure.time;
      if (so_far.any)
        so_far.value = first_ || t == t_ ? now : between(so_far.last, now, (measure.time - t_) / (t - t_));
      return;
    case SweepMeasure::Kind::first: {
      if (so_far.any || !(now.value >= 0)) return;
      so_far.any = true;
      if (first_) {
        so_far.value = {t, VecX::Zero(now.slope.size())};
        return;
      }
      // t0 + (t1 - t0) x0 / (x0 - x1)
      const double x0 = so_far.last.value, x1 = now.value, rise = x0 - x1;
      so_far.value = {t_ + (t - t_) * x0 / rise, (t - t_) * (x0 * now.slope - x1 * so_far.last.slope) / (rise * rise)};
      return;
    }
    default:
      return gather_piece(measure, so_far, t, now);
  }
}

/// The line from the last sample to this one, as far as it lies between the times of the measure.
void MeasureSlopes::gather_piece(const SweepMeasure& measure, Gathered& so_far, double t, const Sloped& now) const {
  const double begin = first_ ? t : t_;
  if (t < measure.from || begin > measure.to) return;
  const Sloped& last = first_ ? now : so_far.last;
  const double t0 = std::max(begin, measure.from), t1 = std::min(t, measure.to);
  const auto on_line = [&](double at) { return t > begin ? between(last, now, (at - begin) / (t - begin)) : now; };
  const Sloped a = on_line(t0), b = on_line(t1);
  const double dt = t1 - t0;
  const auto extreme = [&](double sign) {
    for (const Sloped* one : {&a, &b})
      if (!so_far.any || sign * one->value > sign * so_far.value.value) so_far.value = *one, so_far.any = true;
  };
  switch (measure.kind) {
    case SweepMeasure::Kind::max:
      return extreme(1);
    case SweepMeasure::Kind::min:
      return extreme(-1);
    case SweepMeasure::Kind::mean:
      so_far.integral.value += dt * 0.5 * (a.value + b.value);
      so_far.integral.slope += dt * 0.5 * (a.slope + b.slope);
      so_far.time += dt;
      so_far.value = b;
      if (so_far.time > 0) so_far.value = {so_far.integral.value / so_far.time, so_far.integral.slope / so_far.time};
      break;
    default: {  // the integral of x^2 along a line
      so_far.integral.value += dt * (a.value * a.value + a.value * b.value + b.value * b.value) / 3;
      so_far.integral.slope += dt * ((2 * a.value + b.value) * a.slope + (a.value + 2 * b.value) * b.slope) / 3;
      so_far.time += dt;
      const double rms = so_far.time > 0 ? std::sqrt(so_far.integral.value / so_far.time) : std::abs(b.value);
      so_far.value.value = rms;
      if (so_far.time > 0 && rms > 0)
        so_far.value.slope = so_far.integral.slope / (2 * rms * so_far.time);
      else
        so_far.value.slope = std::copysign(1, b.value) * b.slope;
    }
  }
  if (std::isnan(now.value)) so_far.value.value = now.value;
  so_far.any = true;
}

VecX MeasureSlopes::values() const {
  VecX result(std::ssize(gathered_));
  for (std::size_t i = 0; i < gathered_.size(); ++i) result[static_cast<Eigen::Index>(i)] = gathered_[i].value.value;
  return result;
}

Eigen::MatrixXd MeasureSlopes::slopes() const {
  Eigen::MatrixXd result(std::ssize(gathered_), gathered_.empty() ? 0 : gathered_[0].value.slope.size());
  for (std::size_t i = 0; i < gathered_.size(); ++i)
    result.row(static_cast<Eigen::Index>(i)) = gathered_[i].value.slope;
  return result;
}

}  // namespace cardan
