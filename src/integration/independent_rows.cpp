#include "integration/independent_rows.hpp"

#include <algorithm>
#include <cmath>

#include "formulation/constraint_rank.hpp"

namespace cardan {
namespace {

constexpr double kVanishedRow = 1e-10;  // length of a dimensionless row, from what projections leave of positions
constexpr double kSpanned = 1e-8;       // distance of a unit row from the span of the others
constexpr double kPreferred = 3;        // a row that was not kept takes the place of one that was when so much longer

}  // namespace

void IndependentRows::resize() {
  rest_ = Eigen::MatrixXd::Zero(structure_.coordinates, structure_.constraints);
  length2_ = spanned_ = VecX::Zero(structure_.constraints);
  rounding_ = row_rounding(structure_, structure_.jacobian.start);
  last_ = Eigen::VectorXi::Zero(structure_.constraints);
}

bool IndependentRows::choose(const VecX& jacobian, Eigen::VectorXi& kept) {
  const RowPattern& J = structure_.jacobian;
  const int m = structure_.constraints;
  last_ = kept;
  kept.setZero();
  rest_.setZero();
  for (int k = 0; k < m; ++k) {
    for (int e = J.start[k]; e < J.start[k + 1]; ++e) {
      rest_(J.column[e], k) = structure_.scale[J.column[e]] / structure_.constraint_scale[k] * jacobian[e];
    }
    // One that has vanished holds nothing, also where all others have too: a shaft in two bearings.
    const double length = rest_.col(k).norm();
    length2_[k] = length > std::max(kVanishedRow, rounding_[k]) ? 1 : 0;
    if (length2_[k] == 0) continue;
    rest_.col(k) /= length;
    spanned_[k] = std::max(kSpanned, rounding_[k] / length);
  }
  for (int rank = 0; rank < std::min(m, structure_.coordinates); ++rank) {
    const int next = longest();
    if (length2_[next] == 0) break;
    kept[next] = 1;
    length2_[next] = 0;
    rest_.col(next).normalize();
    for (int k = 0; k < m; ++k) {
      if (length2_[k] == 0) continue;
      const double along = rest_.col(next).dot(rest_.col(k));
      if (along == 0) continue;
      rest_.col(k) -= along * rest_.col(next);
      length2_[k] = rest_.col(k).squaredNorm();
      if (!(length2_[k] > spanned_[k] * spanned_[k])) length2_[k] = 0;
    }
  }
  return kept != last_;
}

/// What was kept is preferred, since its weights fit.
int IndependentRows::longest() const {
  int longest = 0;
  double most = 0;
  for (int k = 0; k < structure_.constraints; ++k) {
    const double length2 = length2_[k] * (last_[k] ? kPreferred * kPreferred : 1);
    if (length2 > most) most = length2, longest = k;
  }
  return longest;
}

}  // namespace cardan
