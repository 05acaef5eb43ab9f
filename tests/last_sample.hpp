// Runs a mechanism and keeps its last sample by column name.
#pragma once

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "cardan/simulation.hpp"

namespace cardan {

class LastSample final : public Sink {
 public:
  void start(const std::vector<std::string>& columns) override { columns_ = columns, row_.resize(columns.size()); }
  void sample(const double* row, std::size_t size) override { std::copy(row, row + size, row_.begin()); }

  double operator[](const std::string& column) const {
    const auto found = std::find(columns_.begin(), columns_.end(), column);
    if (found == columns_.end()) throw std::out_of_range("no column '" + column + "'");
    return row_[found - columns_.begin()];
  }
  Vec3 vector(const std::string& x, const std::string& y, const std::string& z) const {
    return {(*this)[x], (*this)[y], (*this)[z]};
  }
  const std::vector<std::string>& columns() const { return columns_; }
  const std::vector<double>& row() const { return row_; }

  /// Largest difference between the columns of bodies' positions and velocities in two runs of the same mechanism.
  static double difference(const LastSample& one, const LastSample& two, const Mechanism& mechanism) {
    static const std::vector<std::string> kPlane{"x", "y", "angle", "vx", "vy", "w"};
    static const std::vector<std::string> kSpace{"x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz"};
    double worst = 0;
    for (const Body& body : mechanism.bodies) {
      for (const std::string& field : mechanism.planar ? kPlane : kSpace) {
        worst = std::max(worst, std::abs(one[body.name + "." + field] - two[body.name + "." + field]));
      }
    }
    return worst;
  }

 private:
  std::vector<std::string> columns_;
  std::vector<double> row_;
};

struct FinishedRun {
  RunSummary summary;
  LastSample last;
};

inline FinishedRun finish(const Mechanism& mechanism, RunOptions options) {
  FinishedRun result;
  options.every = 1 << 30;
  result.summary = run(mechanism, options, &result.last);
  return result;
}

inline RunOptions options_of(const std::string& formulation, double step, double until,
                             const std::string& integrator = "trapezoidal") {
  RunOptions options;
  options.formulation = formulation;
  options.integrator = integrator;
  options.step = step;
  options.until = until;
  return options;
}

}  // namespace cardan
