// R of z' = R zi' + s, where Phi_z R = 0: independent coordinates take only those of their own group of loops along, so
// that R falls into blocks, and R^T M R has entries where M ties groups together. zi counts in units of the scales.
#pragma once

#include <span>
#include <vector>

#include "formulation/relative/partition.hpp"

namespace cardan {

/// Where what is in the full set stands in the independent one; found once. The structure must outlive it.
class ReducedStructure {
 public:
  ReducedStructure(const Structure& full, std::vector<LoopGroup> groups);

  const Structure& full() const { return full_; }
  const std::vector<LoopGroup>& groups() const { return groups_; }
  /// The same mechanics in independent coordinates: adds its rows, completes the pattern. `mass_cliques`: of the full
  /// set, coordinates that M ties together.
  void write(Structure& own, const std::vector<std::vector<int>>& mass_cliques) const;

 private:
  friend class VelocityTransformation;
  /// A row's independent columns, all of every group that it touches; and for each of its own entries where those of
  /// the entry's group begin among them.
  struct Rows {
    std::vector<std::vector<int>> columns;
    std::vector<int> offset;
  };
  Rows reduced(const RowPattern& rows, int first) const;
  std::vector<int> groups_of(std::span<const int> columns) const;
  void add_free(int group, std::vector<int>& columns) const;

  const Structure& full_;
  std::vector<LoopGroup> groups_;
  std::vector<int> group_of_;       // of a coordinate of the full set
  std::vector<int> group_of_free_;  // of an independent one
  // M by whole columns, rows of the column's group and of groups after it first, up to below_; and where its entries
  // are in the pattern.
  std::vector<int> start_, below_, row_, slot_;
  std::vector<std::vector<int>> reach_;  // of each group: the rows that its columns have in M, from its own on
  Rows loads_, velocities_;
};

class VelocityTransformation {
 public:
  explicit VelocityTransformation(const ReducedStructure& structure);

  /// For an order whose dependence the partition has just found.
  void update(const Partition& partition, const Eigen::VectorXi& order);

  /// z += R zi
  void spread(const VecX& independent, VecX& full) const;
  /// R^T x
  void gather(const VecX& full, double* independent) const;
  /// x -= M c of accelerations c that independent coordinates have no part in
  void subtract_inertia(const VecX& mass, const VecX& bias, VecX& x) const;
  /// R^T M R on the pattern of the reduced structure
  void reduce_mass(const VecX& mass, const Structure& own, VecX& reduced);
  /// The rows of the loads that are live times R
  void reduce_loads(const Equations& full, const Structure& own, VecX& reduced) const;
  /// Those of the constraints on velocities
  void reduce_velocity_constraints(const Equations& full, const Structure& own, VecX& reduced) const;

 private:
  void arrange(const Eigen::VectorXi& order);
  double column_times(int j, const double* x) const;
  void add_column(const VecX& mass, int column, int end, double factor, double* x) const;
  void reduce_row(const RowPattern& rows, const VecX& values, int row, const int* offset, int count, double* out) const;

  const ReducedStructure& structure_;
  int rank_;
  Eigen::VectorXi order_;
  std::vector<int> place_;  // n: of a coordinate within its group, dependent ones first
  // R by columns: the independent coordinate at the rate of its scale, then the dependent ones of its group.
  std::vector<int> start_, row_;
  std::vector<double> value_;
  VecX column_;  // n, zero but within reduce_mass()
};

}  // namespace cardan
