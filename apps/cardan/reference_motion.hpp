// The motion that the runs of a comparison are measured against: a fine run kept in full, and how far another one is
// from it.
#pragma once

#include <array>

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
  /// The row half way between two of them, by cubics of positions and velocities; without rates.
  void half_way(const double* before, const double* after, std::vector<double>& row) const;

 private:
  using Pose = std::array<double, 7>;  // x y angle, or x y z qw qx qy qz
  Pose between(const double* before, const double* after, double s, double h) const;
  double body_distance(const double* body, const Pose& expected) const;

  bool planar_;
  std::size_t bodies_, width_, stride_;  // width_: columns of one body; stride_: of one kept row
  double size_;                          // of the mechanism, m
  std::vector<double> rows_;             // t and the bodies' columns, one row after the other
};

/// Follows a run and keeps its largest distance from the reference. `ends_of_steps`: nothing is known of the run
/// between two rows, each the end of a step; its motion is what cubics make of them, and half way it counts too. (Else
/// four steps of a high order that happen to end well would pass for a motion.)
class DistanceMeter final : public Sink {
 public:
  explicit DistanceMeter(const ReferenceMotion& reference, bool ends_of_steps = false)
      : reference_(reference), ends_of_steps_(ends_of_steps) {}
  void start(const std::vector<std::string>&) override { largest_ = 0, before_.clear(); }
  void sample(const double* row, std::size_t size) override;
  double largest() const { return largest_; }

 private:
  void see(const double* row);

  const ReferenceMotion& reference_;
  const bool ends_of_steps_;
  std::vector<double> before_, middle_;  // rows
  double largest_ = 0;
};

}  // namespace cardan
