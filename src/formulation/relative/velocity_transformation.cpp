#include "formulation/relative/velocity_transformation.hpp"

#include <algorithm>

#include "math/by_processor.hpp"

namespace cardan {
namespace {

void make_set(std::vector<int>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

}  // namespace

ReducedStructure::ReducedStructure(const Structure& full, std::vector<LoopGroup> groups)
    : full_(full), groups_(std::move(groups)), group_of_(full.coordinates) {
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    for (int column : groups_[g].columns) group_of_[column] = static_cast<int>(g);
    group_of_free_.insert(group_of_free_.end(), groups_[g].free(), static_cast<int>(g));
  }
  const SymmetricPattern& M = full.pattern;
  std::vector<std::vector<std::pair<int, int>>> columns(M.n);
  for (int j = 0; j < M.n; ++j) {
    for (int e = M.column_start[j]; e < M.column_start[j + 1]; ++e) {
      columns[j].emplace_back(M.row[e], e);
      if (M.row[e] != j) columns[M.row[e]].emplace_back(j, e);
    }
  }
  start_.push_back(0);
  reach_.resize(groups_.size());
  for (int j = 0; j < M.n; ++j) {
    const auto is_below = [&](const auto& entry) { return group_of_[entry.first] >= group_of_[j]; };
    const auto below = std::stable_partition(columns[j].begin(), columns[j].end(), is_below) - columns[j].begin();
    below_.push_back(start_.back() + static_cast<int>(below));
    for (const auto& [row, slot] : columns[j]) {
      row_.push_back(row);
      slot_.push_back(slot);
      if (group_of_[row] >= group_of_[j]) reach_[group_of_[j]].push_back(row);
    }
    start_.push_back(static_cast<int>(row_.size()));
  }
  for (std::vector<int>& rows : reach_) make_set(rows);
  loads_ = reduced(full.loads, 0);
  velocities_ = reduced(full.jacobian, full.position_constraints());
}

std::vector<int> ReducedStructure::groups_of(std::span<const int> columns) const {
  std::vector<int> touched;
  for (int column : columns) touched.push_back(group_of_[column]);
  make_set(touched);
  return touched;
}

void ReducedStructure::add_free(int g, std::vector<int>& columns) const {
  for (int j = 0; j < groups_[g].free(); ++j) columns.push_back(groups_[g].first_free + j);
}

ReducedStructure::Rows ReducedStructure::reduced(const RowPattern& rows, int first) const {
  Rows result;
  std::vector<int> offset(groups_.size());
  for (int row = first; row < rows.rows(); ++row) {
    const std::span entries(rows.column.begin() + rows.start[row], rows.column.begin() + rows.start[row + 1]);
    std::vector<int> columns;
    for (int g : groups_of(entries)) {
      offset[g] = static_cast<int>(columns.size());
      add_free(g, columns);
    }
    for (int column : entries) result.offset.push_back(offset[group_of_[column]]);
    result.columns.push_back(columns);
  }
  return result;
}

void ReducedStructure::write(Structure& own, const std::vector<std::vector<int>>& mass_cliques) const {
  for (const auto& columns : loads_.columns) own.loads.add(columns);
  for (const auto& columns : velocities_.columns) own.jacobian.add(columns);
  std::vector<std::vector<int>> cliques;
  for (const std::vector<int>& clique : mass_cliques) {
    std::vector<int>& columns = cliques.emplace_back();
    for (int g : groups_of(clique)) add_free(g, columns);
  }
  own.complete(std::move(cliques));
}

VelocityTransformation::VelocityTransformation(const ReducedStructure& structure)
    : structure_(structure),
      rank_(rank_of(structure.groups_)),
      order_(Eigen::VectorXi::Constant(rank_ + structure.full_.coordinates, -1)),
      place_(structure.full_.coordinates),
      start_{0},
      column_(VecX::Zero(structure.full_.coordinates)) {
  for (const LoopGroup& group : structure.groups_) {
    for (int j = 0; j < group.free(); ++j) start_.push_back(start_.back() + 1 + group.rank);
  }
  row_.resize(start_.back());
  value_.resize(start_.back());
}

void VelocityTransformation::update(const Partition& partition, const Eigen::VectorXi& order) {
  if (order != order_) arrange(order);
  const int count = static_cast<int>(structure_.groups_.size());
  for (int g = 0; g < count; ++g) {
    const LoopGroup& group = structure_.groups_[g];
    const double* __restrict from = partition.dependence(g);
    double* __restrict to = value_.data() + start_[group.first_free];
    for (int j = 0, free = group.free(); j < free; ++j, from += group.rank) {
      const double own = *to++;
      for (int i = 0; i < group.rank; ++i) *to++ = own * from[i];
    }
  }
}

void VelocityTransformation::arrange(const Eigen::VectorXi& order) {
  order_ = order;
  for (const LoopGroup& group : structure_.groups_) {
    const auto dependent = order.segment(rank_ + group.first, group.rank);
    for (int i = 0; i < group.rank; ++i) place_[dependent[i]] = i;
    for (int j = 0; j < group.free(); ++j) {
      const int own = order[2 * rank_ + group.first_free + j], first = start_[group.first_free + j];
      place_[own] = group.rank + j;
      value_[first] = structure_.full_.scale[own];
      row_[first] = own;
      for (int i = 0; i < group.rank; ++i) row_[first + 1 + i] = dependent[i];
    }
  }
}

[[gnu::flatten]] CARDAN_BY_PROCESSOR void VelocityTransformation::spread(const VecX& independent, VecX& full) const {
  double* const x = full.data();
  const int *row = row_.data(), *start = start_.data();
  const double* value = value_.data();
  for (int j = 0, count = static_cast<int>(start_.size()) - 1; j < count; ++j) {
    const double own = independent[j];
    for (const double* const end = value_.data() + start[j + 1]; value != end; ++value, ++row) x[*row] += *value * own;
  }
}

/// r_j . x
inline double VelocityTransformation::column_times(int j, const double* x) const {
  double sum = 0;
  for (int e = start_[j], end = start_[j + 1]; e < end; ++e) sum += value_[e] * x[row_[e]];
  return sum;
}

[[gnu::flatten]] CARDAN_BY_PROCESSOR void VelocityTransformation::gather(const VecX& full, double* independent) const {
  for (std::size_t j = 0; j + 1 < start_.size(); ++j) independent[j] = column_times(static_cast<int>(j), full.data());
}

/// x += factor M e_column, of its entries from the first one up to `end`.
inline void VelocityTransformation::add_column(const VecX& mass, int column, int end, double factor, double* x) const {
  const int *row = structure_.row_.data(), *slot = structure_.slot_.data();
  const double* const M = mass.data();
  for (int e = structure_.start_[column]; e < end; ++e) x[row[e]] += factor * M[slot[e]];
}

[[gnu::flatten]] CARDAN_BY_PROCESSOR void VelocityTransformation::subtract_inertia(const VecX& mass, const VecX& bias,
                                                                                   VecX& x) const {
  for (int i = 0; i < rank_; ++i) {
    const int column = order_[rank_ + i];
    if (bias[column] != 0) add_column(mass, column, structure_.start_[column + 1], -bias[column], x.data());
  }
}

/// Column by column: x = M r_j in the rows of this group and those after it, then r_i . x for the columns there.
[[gnu::flatten]] CARDAN_BY_PROCESSOR void VelocityTransformation::reduce_mass(const VecX& mass, const Structure& own,
                                                                              VecX& reduced) {
  double* const x = column_.data();
  const int *start = own.pattern.column_start.data(), *row = own.pattern.row.data();
  for (std::size_t j = 0; j + 1 < start_.size(); ++j) {
    for (int e = start_[j]; e < start_[j + 1]; ++e) add_column(mass, row_[e], structure_.below_[row_[e]], value_[e], x);
    for (int e = start[j]; e < start[j + 1]; ++e) reduced[e] = column_times(row[e], x);
    for (int touched : structure_.reach_[structure_.group_of_free_[j]]) x[touched] = 0;
  }
}

/// `offset`: for each entry of the row, where those of its group begin in the reduced row of `count`.
void VelocityTransformation::reduce_row(const RowPattern& rows, const VecX& values, int row, const int* offset,
                                        int count, double* out) const {
  for (int j = 0; j < count; ++j) out[j] = 0;
  for (int e = rows.start[row]; e < rows.start[row + 1]; ++e, ++offset) {
    const int column = rows.column[e], g = structure_.group_of_[column];
    const LoopGroup& group = structure_.groups_[g];
    const int place = place_[column], own = place - group.rank;
    if (own >= 0) {
      out[*offset + own] += values[e] * value_[start_[group.first_free + own]];
      continue;
    }
    for (int j = 0; j < group.free(); ++j)
      out[*offset + j] += values[e] * value_[start_[group.first_free + j] + 1 + place];
  }
}

[[gnu::flatten]] CARDAN_BY_PROCESSOR void VelocityTransformation::reduce_loads(const Equations& full,
                                                                               const Structure& own,
                                                                               VecX& reduced) const {
  const RowPattern &rows = structure_.full_.loads, &to = own.loads;
  for (int row = 0; row < rows.rows(); ++row) {
    if (!full.live[row]) continue;
    reduce_row(rows, full.load_gradient, row, structure_.loads_.offset.data() + rows.start[row],
               to.start[row + 1] - to.start[row], reduced.data() + to.start[row]);
  }
}

void VelocityTransformation::reduce_velocity_constraints(const Equations& full, const Structure& own,
                                                         VecX& reduced) const {
  const RowPattern &rows = structure_.full_.jacobian, &to = own.jacobian;
  const int first = structure_.full_.position_constraints();
  for (int k = 0; k < to.rows(); ++k) {
    const int* offset = structure_.velocities_.offset.data() + (rows.start[first + k] - rows.start[first]);
    reduce_row(rows, full.jacobian, first + k, offset, to.start[k + 1] - to.start[k], reduced.data() + to.start[k]);
  }
}

}  // namespace cardan
