// Derivatives of a measure s between two bodies with respect to their Cartesian coordinates q: the gradient s_q, the
// Hessian s_qq, the bias v^T s_qq v and its gradient. Every kind of measure is made of scalar products of vectors
// carried by the two bodies, so the derivatives stand once, for the product; each kind adds its outer function. Of a
// velocity that is no rate, B v, the gradient is B, and the Hessian B_q, which is not symmetric.
#pragma once

#include "formulation/cartesian/attitude.hpp"
#include "formulation/measure.hpp"

namespace cardan {

template <int D>
class MeasureDerivatives {
 public:
  static constexpr int kBody = BodyCoordinates<D>::kSize;
  static constexpr int kSize = 2 * kBody;  // body 1, then body 2
  using Vector = typename Space<D>::Vector;
  using Row = Eigen::Matrix<double, kSize, 1>;
  using Square = Eigen::Matrix<double, kSize, kSize>;

  double value = 0;
  Row gradient = Row::Zero();       // s_q
  double rate = 0;                  // s_q v
  double bias = 0;                  // v^T s_qq v
  Square hessian = Square::Zero();  // s_qq, rows by the first q
  Row bias_gradient = Row::Zero();  // (v^T s_qq v)_q

  /// value and gradient
  void position(const Measure<D>& m, const BodyCoordinates<D>& one, const BodyCoordinates<D>& two);
  /// also rate and bias
  void velocity(const Measure<D>& m, const BodyCoordinates<D>& one, const BodyCoordinates<D>& two);
  /// all of the above and the Hessian and the gradient of the bias
  void second(const Measure<D>& m, const BodyCoordinates<D>& one, const BodyCoordinates<D>& two);

 private:
  enum class Level { position, velocity, second };
  void evaluate(Level level, const Measure<D>& m, const BodyCoordinates<D>& one, const BodyCoordinates<D>& two);
  void evaluate_velocity(Level level, const Measure<D>& m, const BodyCoordinates<D>& one,
                         const BodyCoordinates<D>& two);
};

}  // namespace cardan
