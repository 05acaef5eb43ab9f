// The equations of motion at one instant, in any formulation:
//     M a + Phi_q^T lambda = Q,   Phi(q, t) = 0,   Phi_q v = -Phi_t,   Phi_q a = gamma
// Constraints on velocities alone, B v = -Phi_t, are the last rows: Phi is zero there, and Phi_q holds B.
// The applied forces have the tangents K = S^T k S and C = S^T c S, where the rows of S are the gradients of the loads'
// lengths and angles. k and c are diagonal where each force follows its own length or angle; one that follows another
// puts an entry beside the diagonal. Patterns are fixed when a mechanism is compiled; only values change afterwards.
#pragma once

#include <string>
#include <vector>

#include "math/block_matrix.hpp"
#include "math/linear_solver.hpp"

namespace cardan {

/// Which columns a row touches, and where the row's outer product lands in a symmetric matrix.
struct RowPattern {
  std::vector<int> start{0};
  std::vector<int> column;  // rows may list columns in any order, each once
  std::vector<int> slot_start{0};
  std::vector<int> slot;  // of entries (a, b), b <= a, of the row's outer product

  int rows() const { return static_cast<int>(start.size()) - 1; }
  void add(const std::vector<int>& columns) {
    column.insert(column.end(), columns.begin(), columns.end());
    start.push_back(static_cast<int>(column.size()));
  }
  /// Fills `slot` once the symmetric pattern is known.
  void locate(const SymmetricPattern& pattern);
};

/// y_i = row_i . x
inline double row_times(const RowPattern& p, const VecX& values, int row, const VecX& x) {
  double sum = 0;
  for (int e = p.start[row]; e < p.start[row + 1]; ++e) sum += values[e] * x[p.column[e]];
  return sum;
}
/// y += weight row_i^T
inline void add_row(const RowPattern& p, const VecX& values, int row, double weight, VecX& y) {
  for (int e = p.start[row]; e < p.start[row + 1]; ++e) y[p.column[e]] += weight * values[e];
}
/// A += weight row_i^T row_i
inline void add_outer(const RowPattern& p, const VecX& values, int row, double weight, VecX& matrix) {
  const int* slot = p.slot.data() + p.slot_start[row];
  for (int a = p.start[row]; a < p.start[row + 1]; ++a) {
    const double scaled = weight * values[a];
    for (int b = p.start[row]; b <= a; ++b) matrix[*slot++] += scaled * values[b];
  }
}

/// A += weight row_i^T row_j
template <class Matrix>
void add_outer(const RowPattern& p, const VecX& values, int i, int j, double weight, Matrix& A) {
  if (weight == 0) return;
  for (int a = p.start[i]; a < p.start[i + 1]; ++a) {
    for (int b = p.start[j]; b < p.start[j + 1]; ++b) A(p.column[a], p.column[b]) += weight * values[a] * values[b];
  }
}

/// The columns of Y, by rows of the pattern, are those of the rows times X.
void multiply_rows(const RowPattern& p, const VecX& values, const Eigen::MatrixXd& X, Eigen::MatrixXd& Y);
/// The rows as a matrix of n columns.
Eigen::MatrixXd full_rows(const RowPattern& p, const VecX& values, int n);

/// What does not change after compilation.
struct Structure {
  int coordinates = 0;           // n
  int constraints = 0;           // m
  int velocity_constraints = 0;  // how many of them, the last ones, hold no position
  SymmetricPattern pattern;      // of M and of the tangent
  RowPattern jacobian;           // Phi_q, m rows
  RowPattern loads;              // S
  /// An entry of k and c beside the diagonal: what acts on the row `force` follows the row `felt`.
  struct Coupling {
    int force, felt;
  };
  std::vector<Coupling> couplings;
  BlockPattern tangent;  // n x n, of Formulation::differentiate(); empty without it
  bool kinks = false;    // forces may change their course from one place to the next, as where bodies touch
  int states = 0;        // the last of the coordinates are the integrals of so many states: see signal_formulation.hpp
  std::vector<std::string> coordinate_names;  // n
  VecX scale;                                 // n: 1 for angles and unit vectors, the mechanism's size for lengths
  std::vector<std::string> constraint_names;  // m
  VecX constraint_scale;                      // m: of Phi likewise
  double rounding = 0;                        // of places, relative to the mechanism's size

  /// How many constraints hold positions, the first ones.
  int position_constraints() const { return constraints - velocity_constraints; }

  /// Makes the pattern from the rows and the couplings of M, and locates the rows in it.
  void complete(std::vector<std::vector<int>> mass_cliques);
};

struct Equations {
  // Position level
  VecX phi;       // m
  VecX phi_t;     // m: partial derivative of Phi with respect to time
  VecX jacobian;  // values on Structure::jacobian
  // Velocity level
  VecX gamma;  // m
  // Dynamics
  VecX mass;                                  // values on Structure::pattern
  VecX force;                                 // Q, n
  std::vector<unsigned char> live;            // one for each load row: whether it says something, else all is zero
  VecX load_gradient;                         // values on Structure::loads, of rows that are live
  VecX stiffness;                             // k, one for each load row
  VecX damping;                               // c, one for each load row
  VecX coupling_stiffness, coupling_damping;  // of every coupling
  bool couplings_kept = false;                // all are those of the dynamics before: see Workspace::is_newtons

  explicit Equations(const Structure& structure);
};

}  // namespace cardan
