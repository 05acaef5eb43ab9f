// Measures of a run with their derivatives, gathered from its samples as they pass: the same as sweep/measures.hpp on
// straight lines between samples, differentiated. Of a largest or smallest value it is the derivative of the sample
// where it stands; of an instant that of the line that passes 0 there.
#pragma once

#include <vector>

#include "cardan/gradients.hpp"
#include "sweep/plan.hpp"

namespace cardan {

class MeasureSlopes final : public GradientSink {
 public:
  /// `columns`: where the expression of every measure stands in a row.
  MeasureSlopes(const std::vector<SweepMeasure>& measures, std::vector<Eigen::Index> columns, Eigen::Index parameters);

  void sample(const VecX& row, const Eigen::MatrixXd& slopes) override;

  /// In the order of the measures: NaN where there is none, infinity for an instant that has not come.
  VecX values() const;
  /// Measures x parameters.
  Eigen::MatrixXd slopes() const;

 private:
  /// A number with its derivatives.
  struct Sloped {
    double value = 0;
    VecX slope;
  };
  struct Gathered {
    Sloped value, integral, last;
    double time = 0;
    bool any = false;
  };
  void gather(const SweepMeasure& measure, Gathered& so_far, double t, const Sloped& now) const;
  void gather_piece(const SweepMeasure& measure, Gathered& so_far, double t, const Sloped& now) const;
  static Sloped between(const Sloped& a, const Sloped& b, double part);

  const std::vector<SweepMeasure>& measures_;
  std::vector<Eigen::Index> columns_;
  std::vector<Gathered> gathered_;
  double t_ = 0;  // of the last sample
  bool first_ = true;
};

}  // namespace cardan
