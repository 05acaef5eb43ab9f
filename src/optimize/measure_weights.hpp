// Measures of a run and how they change with its samples, for runs that are gone through backwards: the derivatives of
// measure_slopes.hpp the other way round.
#pragma once

#include <vector>

#include "cardan/adjoint.hpp"
#include "optimize/measure_slopes.hpp"

namespace cardan {

class MeasureWeights final : public AdjointResults {
 public:
  MeasureWeights(const std::vector<SweepMeasure>& measures, std::vector<Eigen::Index> columns);

  int size() const override { return static_cast<int>(measures_.size()); }
  void sample(const VecX& row) override;
  bool weights(std::int64_t index, Eigen::MatrixXd& weights) const override;
  VecX values() const { return slopes_.values(); }

 private:
  using Weights = std::vector<double>;  // of every sample
  Weights of(const SweepMeasure& measure, Eigen::Index column) const;
  /// Of max, min, mean and rms.
  void add_pieces(const SweepMeasure& measure, Eigen::Index column, Weights& weights) const;

  const std::vector<SweepMeasure>& measures_;
  std::vector<Eigen::Index> columns_;
  MeasureSlopes slopes_;  // of no parameters: values
  std::vector<VecX> rows_;
  mutable std::vector<Weights> found_;  // of every measure, once all samples are there
};

}  // namespace cardan
