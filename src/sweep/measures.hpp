// Numbers that a run comes to, gathered from its samples as they pass. Between samples straight lines are drawn: means
// and root mean squares are those of the lines, exactly, and the instant at which a condition comes to hold is where
// the line passes 0.
#pragma once

#include <vector>

#include "cardan/sink.hpp"
#include "sweep/plan.hpp"

namespace cardan {

class MeasureSink final : public Sink {
 public:
  /// `columns`: where the expression of every measure stands in a row, whose first column is the time.
  MeasureSink(const std::vector<SweepMeasure>& measures, std::vector<std::size_t> columns);

  void start(const std::vector<std::string>& columns) override;
  void sample(const double* row, std::size_t size) override;
  /// In the order of the measures: NaN where there is none (a time after the end), infinity for an instant that has not
  /// come.
  const std::vector<double>& values() const;

 private:
  struct Gathered {
    double value = 0, integral = 0, time = 0, last = 0;
    bool any = false;
  };
  void gather(const SweepMeasure& measure, Gathered& so_far, double t, double value) const;
  void gather_piece(const SweepMeasure& measure, Gathered& so_far, double t, double value) const;

  const std::vector<SweepMeasure>& measures_;
  std::vector<std::size_t> columns_;
  std::vector<Gathered> gathered_;
  mutable std::vector<double> values_;
  double t_ = 0;  // of the last sample
  bool first_ = true;
};

}  // namespace cardan
