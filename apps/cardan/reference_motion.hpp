// The motion that the runs of a comparison are measured against: a fine run kept in full, and how far another one is
// from it.
#pragma once

#include "cardan/mechanism.hpp"
#include "cardan/simulation.hpp"

namespace cardan {

/// Keeps the bodies' columns of every sample; between samples the motion is interpolated by cubics of positions and
/// velocities.
class ReferenceMotion final : public Sink {
 public:
  explicit ReferenceMotion(const Mechanism& mechanism);

  void start(const std::vector<std::string>&) override { rows_.clear(); }
  void sample(const double* row, std::size_t size) override;

  double end_time() const { return rows_.empty() ? 0 : rows_[rows_.size() - stride_]; }
  /// How far a row of trajectory.csv is from this motion: the largest distance of mass centres in sizes of the
  /// mechanism, or angle in radians.
  double distance(const double* row) const;
  /// The largest of these over the samples of `other`.
  double largest_distance(const ReferenceMotion& other) const;

 private:
  double body_distance(const double* body, const double* before, const double* after, double s, double h) const;

  bool planar_;
  std::size_t bodies_, width_, stride_;  // width_: columns of one body; stride_: of one kept row
  double size_;                          // of the mechanism, m
  std::vector<double> rows_;             // t and the bodies' columns, one row after the other
};

/// Follows a run and keeps its largest distance from the reference.
class DistanceMeter final : public Sink {
 public:
  explicit DistanceMeter(const ReferenceMotion& reference) : reference_(reference) {}
  void start(const std::vector<std::string>&) override { largest_ = 0; }
  void sample(const double* row, std::size_t) override { largest_ = std::max(largest_, reference_.distance(row)); }
  double largest() const { return largest_; }

 private:
  const ReferenceMotion& reference_;
  double largest_ = 0;
};

}  // namespace cardan
