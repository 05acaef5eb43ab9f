// What is known of a linear map N from some vectors that it has been seen on, the newest first: pairs x, y = N x. Of
// any other vector the part along each of them counts, one after the other,
//     N x ~ sum of c_k y_k,   c_k = x_k . r / (x_k . x_k),   r <- r - c_k x_k from r = x
// so that it is exact on the newest, and zero on what none has a part of.
#pragma once

#include <algorithm>
#include <vector>

#include "cardan/math.hpp"

namespace cardan {

class SecantPairs {
 public:
  SecantPairs(int size, int most) : pairs_(static_cast<std::size_t>(most)), rest_(VecX::Zero(size)) {
    for (Pair& pair : pairs_) pair.x = pair.y = rest_;
  }
  void forget() { count_ = 0; }
  void keep(const VecX& x, const VecX& y) {
    const double square = x.squaredNorm();
    if (!(square > 0) || pairs_.empty()) return;
    newest_ = (newest_ + pairs_.size() - 1) % pairs_.size();
    count_ = std::min(count_ + 1, pairs_.size());
    Pair& pair = pairs_[newest_];
    pair.x = x;
    pair.y = y;
    pair.square = square;
  }
  /// y = N x, as far as it is known.
  void apply(const VecX& x, VecX& y) {
    y.setZero();
    rest_ = x;
    for (std::size_t k = 0; k < count_; ++k) {
      const Pair& pair = pairs_[(newest_ + k) % pairs_.size()];
      const double part = pair.x.dot(rest_) / pair.square;
      y += part * pair.y;
      rest_ -= part * pair.x;
    }
  }

 private:
  struct Pair {
    VecX x, y;
    double square = 0;
  };
  std::vector<Pair> pairs_;
  std::size_t newest_ = 0, count_ = 0;
  VecX rest_;
};

}  // namespace cardan
