#include "sweep/plan.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {

std::uint64_t SweepAxis::size() const {
  if (drawn) return 1;
  if (range) return range->count;
  return std::max(values.size(), words.size());
}

double SweepAxis::number(std::uint64_t choice) const {
  if (!range) return values.empty() ? 0 : values[choice];
  if (range->count == 1 || choice == 0) return range->from;
  if (choice == range->count - 1) return range->to;
  const double part = static_cast<double>(choice) / static_cast<double>(range->count - 1);
  return range->log ? range->from * std::pow(range->to / range->from, part)
                    : range->from + part * (range->to - range->from);
}

double SweepPlan::counted_runs() const {
  double count = static_cast<double>(samples);
  for (const SweepAxis& axis : axes) count *= static_cast<double>(axis.size());
  return count;
}

std::uint64_t SweepPlan::cells() const {
  std::uint64_t count = 1;
  for (const SweepAxis& axis : axes) count *= axis.size();
  return count;
}

int SweepPlan::drawn_axes() const {
  return static_cast<int>(
      std::count_if(axes.begin(), axes.end(), [](const SweepAxis& axis) { return axis.drawn.has_value(); }));
}

RunPoints::RunPoints(const SweepPlan& plan)
    : plan_(plan), sampler_(plan.method, plan.drawn_axes(), plan.samples, plan.seed) {}

void RunPoints::find(std::uint64_t run, RunPoint& point) const {
  point.numbers.resize(plan_.axes.size());
  point.choices.resize(plan_.axes.size());
  const std::uint64_t cells = plan_.cells(), sample = run / cells;
  std::uint64_t rest = run % cells;
  for (std::size_t i = plan_.axes.size(); i-- > 0;) {
    const SweepAxis& axis = plan_.axes[i];
    point.choices[i] = rest % axis.size();
    rest /= axis.size();
    if (!axis.drawn) point.numbers[i] = axis.number(point.choices[i]);
  }
  int dimension = 0;
  for (std::size_t i = 0; i < plan_.axes.size(); ++i)
    if (const auto& drawn = plan_.axes[i].drawn) point.numbers[i] = drawn->quantile(sampler_(sample, dimension++));
}

}  // namespace cardan
