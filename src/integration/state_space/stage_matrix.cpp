#include "integration/state_space/stage_matrix.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <limits>
#include <vector>

#include "integration/matrix_entries.hpp"

namespace cardan {
namespace {

class FullStageMatrix final : public StageMatrix {
 public:
  FullStageMatrix(IndependentMotion& motion, int stages)
      : motion_(motion), f_(motion.independent_count()), tangents_(stages) {
    for (Tangents& t : tangents_) t.mass = t.damping = t.stiffness = Square::Zero(f_, f_);
    matrix_ = Square::Zero(f_ * stages, f_ * stages);
    lu_ = Eigen::PartialPivLU<Square>(f_ * stages);
    right_ = VecX::Zero(f_);
  }

  void renew(int stage) override {
    Tangents& t = tangents_[stage];
    motion_.tangents(t.mass, t.damping, t.stiffness);
  }
  void factorize(const Square& b, const Square& g) override {
    for (Eigen::Index i = 0; i < b.rows(); ++i) {
      const auto& [mass, damping, stiffness] = tangents_[i];
      for (Eigen::Index j = 0; j < b.cols(); ++j) {
        auto block = matrix_.block(i * f_, j * f_, f_, f_);
        if (i == j) {
          block = mass + g(i, j) * damping + b(i, j) * stiffness;
        } else {
          block = g(i, j) * damping + b(i, j) * stiffness;
        }
      }
    }
    lu_.compute(matrix_);
  }
  void solve(const VecX& psi, VecX& increment) override { increment = lu_.solve(psi); }
  void smooth(double g, const VecX& position, VecX& velocity) override {
    right_.noalias() = tangents_[0].mass * velocity;
    right_.noalias() -= g * tangents_[0].stiffness * position;
    velocity = lu_.solve(right_);
  }
  int memory_size() const override { return 3 * f_ * f_ * static_cast<int>(tangents_.size()); }
  void recall(const double* from) override {
    for (Tangents& t : tangents_) {
      for (Square* matrix : {&t.mass, &t.damping, &t.stiffness}) {
        std::copy_n(from, matrix->size(), matrix->data());
        from += matrix->size();
      }
    }
  }
  void store(double* to) const override {
    for (const Tangents& t : tangents_) {
      for (const Square* matrix : {&t.mass, &t.damping, &t.stiffness})
        to = std::copy_n(matrix->data(), matrix->size(), to);
    }
  }

 private:
  /// M^, C^ and K^ of a stage, f x f.
  struct Tangents {
    Square mass, damping, stiffness;
  };
  IndependentMotion& motion_;
  int f_;
  std::vector<Tangents> tangents_;
  Square matrix_;  // f s x f s
  Eigen::PartialPivLU<Square> lu_;
  VecX right_;
};

/// Unknowns of a stage: dq, dq', dq'', dlambda of the rows chosen; equations in the order of the header.
class SparseStageMatrix final : public StageMatrix {
 public:
  SparseStageMatrix(IndependentMotion& motion, int stages)
      : motion_(motion),
        n_(motion.structure().coordinates),
        rank_(motion.dependent_count()),
        f_(motion.independent_count()),
        size_(3 * n_ + rank_),
        lu_(0, {}),
        parts_(stages,
               Part{MotionDerivatives(motion.structure()), motion.equations().mass, motion.equations().jacobian}),
        right_(VecX::Zero(size_ * stages)) {
    build();
  }

  void renew(int stage) override {
    Part& part = parts_[stage];
    part.derivatives = motion_.differentiate();
    part.mass = motion_.equations().mass;
    part.jacobian = motion_.equations().jacobian;
  }
  void factorize(const Square& b, const Square& g) override {
    if (order_ != motion_.order()) build();
    double* value = lu_.values().data();
    each_entry(b, g, [&](int, int, double entry) { *value++ = entry; });
    regular_ = lu_.factorize() < 0;
  }
  void solve(const VecX& psi, VecX& increment) override {
    right_.setZero();
    for (int s = 0; s < count(parts_); ++s)
      for (int k = 0; k < f_; ++k) right_[s * size_ + 3 * rank_ + independent(k)] = psi[s * f_ + k];
    solve();
    for (int s = 0; s < count(parts_); ++s)
      for (int k = 0; k < f_; ++k) increment[s * f_ + k] = right_[s * size_ + 2 * n_ + independent(k)];
  }
  /// dv'' = x - velocity, dv' = g x, dv = g^2 x + g position, of which M^ dv'' + C^ dv' + K^ dv = 0 is left.
  void smooth(double g, const VecX& position, VecX& velocity) override {
    right_.setZero();
    for (int k = 0; k < f_; ++k) {
      right_[in_position(k)] = g * g * velocity[k] + g * position[k];
      right_[in_velocity(k)] = g * velocity[k];
    }
    solve();
    for (int k = 0; k < f_; ++k) velocity[k] += right_[2 * n_ + independent(k)];
  }
  int memory_size() const override {
    int sum = 0;
    for (const Part& part : parts_) part.each([&](const VecX& numbers) { sum += static_cast<int>(numbers.size()); });
    return sum + 4 * size_ * count(parts_);
  }
  void recall(const double* from) override {
    for (Part& part : parts_) {
      part.each([&](VecX& numbers) {
        std::copy_n(from, numbers.size(), numbers.data());
        from += numbers.size();
      });
    }
    if (order_ != motion_.order()) build();
    lu_.recall_order(from);
  }
  void store(double* to) const override {
    for (const Part& part : parts_)
      part.each([&](const VecX& numbers) { to = std::copy(numbers.begin(), numbers.end(), to); });
    lu_.store_order(to);
  }

 private:
  struct Part {
    MotionDerivatives derivatives;
    VecX mass, jacobian;
    template <class See>
    void each(const See& see) {
      for (VecX* numbers : {&derivatives.stiffness.values(), &derivatives.damping.values(), &derivatives.rate,
                            &derivatives.second, &mass, &jacobian})
        see(*numbers);
    }
    template <class See>
    void each(const See& see) const {
      const_cast<Part*>(this)->each([&](const VecX& numbers) { see(numbers); });
    }
  };
  template <class List>
  static int count(const List& list) {
    return static_cast<int>(list.size());
  }
  int independent(int k) const { return order_[2 * rank_ + k]; }
  /// Rows of dv = b dv'' and dv' = g dv''.
  int in_position(int k) const { return 3 * rank_ + n_ + k; }
  int in_velocity(int k) const { return in_position(k) + f_; }

  void build() {
    order_ = motion_.order();
    const Square any = Square::Zero(count(parts_), count(parts_));
    std::vector<SparseLu::Entry> entries;
    each_entry(any, any, [&](int row, int column, double) { entries.push_back({row, column}); });
    lu_ = SparseLu(size_ * count(parts_), entries);
  }

  /// visit(row, column, value), always in the same order.
  template <class Visit>
  void each_entry(const Square& b, const Square& g, const Visit& visit) const {
    for (int s = 0; s < count(parts_); ++s) {
      const int base = s * size_;
      each_of_stage(parts_[s], [&](int row, int column, double value) { visit(base + row, base + column, value); });
      for (int k = 0; k < f_; ++k) {
        const int v = independent(k);
        visit(base + in_position(k), base + v, 1);
        visit(base + in_velocity(k), base + n_ + v, 1);
        for (int j = 0; j < count(parts_); ++j) {
          visit(base + in_position(k), j * size_ + 2 * n_ + v, -b(s, j));
          visit(base + in_velocity(k), j * size_ + 2 * n_ + v, -g(s, j));
        }
      }
    }
  }
  template <class Visit>
  void each_of_stage(const Part& part, const Visit& visit) const {
    const Structure& s = motion_.structure();
    const MotionDerivatives& d = part.derivatives;
    const RowPattern& J = s.jacobian;
    for (int i = 0; i < rank_; ++i) {
      for (int e = J.start[order_[i]]; e < J.start[order_[i] + 1]; ++e) {
        const int j = J.column[e];
        visit(i, j, part.jacobian[e]);
        visit(rank_ + i, n_ + j, part.jacobian[e]);
        visit(rank_ + i, j, d.rate[e]);
        visit(2 * rank_ + i, 2 * n_ + j, part.jacobian[e]);
        visit(2 * rank_ + i, n_ + j, 2 * d.rate[e]);
        visit(2 * rank_ + i, j, d.second[e]);
        visit(3 * rank_ + j, 3 * n_ + i, part.jacobian[e]);
      }
    }
    each_of_mass(s, part.mass, [&](int i, int j, double mass) { visit(3 * rank_ + i, 2 * n_ + j, mass); });
    each_of_blocks(s.tangent, [&](int i, int j, int at) {
      visit(3 * rank_ + i, j, d.stiffness.values()[at]);
      visit(3 * rank_ + i, n_ + j, d.damping.values()[at]);
    });
  }
  void solve() {
    if (regular_) {
      lu_.solve(right_.data());
    } else {
      right_.setConstant(std::numeric_limits<double>::quiet_NaN());
    }
  }

  IndependentMotion& motion_;
  int n_, rank_, f_, size_;  // size_: unknowns of a stage
  SparseLu lu_;
  std::vector<Part> parts_;
  Eigen::VectorXi order_;  // that lu_ is of
  VecX right_;
  bool regular_ = true;
};

}  // namespace

std::unique_ptr<StageMatrix> make_stage_matrix(IndependentMotion& motion, int stages) {
  if (motion.is_sparse()) return std::make_unique<SparseStageMatrix>(motion, stages);
  return std::make_unique<FullStageMatrix>(motion, stages);
}

}  // namespace cardan
