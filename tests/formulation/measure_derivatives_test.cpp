// The derivatives of every kind of measure in Cartesian coordinates against differences, in the plane and in space.
#include "formulation/cartesian/measure_derivatives.hpp"

#include <gtest/gtest.h>

#include <random>

#include "formulation/differences.hpp"

namespace cardan {
namespace {

constexpr double kMeasureTolerance = 1e-6;

template <int D>
class MeasureDerivative : public testing::Test {
 protected:
  static constexpr int n = BodyCoordinates<D>::kSize;
  using Vector = typename Space<D>::Vector;
  std::mt19937 random{7};

  double number() { return std::uniform_real_distribution<double>(-1, 1)(random); }
  Vector vector() {
    return Vector::NullaryExpr([&] { return number(); });
  }
  VecX coordinates() {
    VecX x = VecX::NullaryExpr(2 * n, [&] { return number(); });
    for (int body = 0; body < 2; ++body) {
      if (D == 3) x.segment(body * n + D, n - D).normalize();
    }
    return x;
  }
  Measure<D> measure(typename Measure<D>::Kind kind) {
    Measure<D> m;
    m.kind = kind;
    m.body1 = 0, m.body2 = 1;
    m.point1 = vector(), m.point2 = vector() + 2 * Vector::Ones();
    m.e1 = vector().normalized(), m.e2 = vector().normalized();
    m.f1 = vector().normalized(), m.f2 = vector().normalized();
    m.axis.setZero();
    m.offset = number();
    return m;
  }
  static BodyCoordinates<D> body(const VecX& q, const VecX& v, int index) {
    BodyCoordinates<D> c;
    c.place(q.segment<D>(index * n), q.segment<n - D>(index * n + D));
    c.r_rate = v.segment<D>(index * n), c.p_rate = v.segment<n - D>(index * n + D);
    return c;
  }
  static MeasureDerivatives<D> at(const Measure<D>& m, const VecX& q, const VecX& v) {
    MeasureDerivatives<D> s;
    s.second(m, body(q, v, 0), body(q, v, 1));
    return s;
  }

  void check(typename Measure<D>::Kind kind) {
    for (int sample = 0; sample < 20; ++sample) {
      const Measure<D> m = measure(kind);
      const VecX q = coordinates(), v = VecX::NullaryExpr(2 * n, [&] { return number(); });
      const MeasureDerivatives<D> s = at(m, q, v);
      // An angle is not smooth where its two cosines vanish together or where it jumps by a turn.
      if (kind == Measure<D>::Kind::angle && (std::abs(s.value + m.offset) > 2.5 || s.gradient.norm() > 4)) continue;
      const auto value = [&](const VecX& x) { return VecX::Constant(1, at(m, x, v).value); };
      const auto gradient = [&](const VecX& x) { return VecX(at(m, x, v).gradient); };
      const auto bias = [&](const VecX& x) { return VecX::Constant(1, at(m, x, v).bias); };
      EXPECT_LT(relative_deviation(s.gradient.transpose(), differences(value, q)), kMeasureTolerance);
      EXPECT_LT(relative_deviation(s.hessian, differences(gradient, q)), kMeasureTolerance);
      EXPECT_LT(relative_deviation(s.bias_gradient.transpose(), differences(bias, q)), kMeasureTolerance);
      EXPECT_NEAR(s.rate, s.gradient.dot(v), 1e-12 * (1 + std::abs(s.rate)));
      EXPECT_NEAR(s.bias, v.dot(s.hessian * v), 1e-10 * (1 + std::abs(s.bias)));
      EXPECT_LT((s.hessian - s.hessian.transpose()).cwiseAbs().maxCoeff(), 1e-12 * (1 + s.hessian.norm()));

      BodyKinematics<D> k(2);
      for (int b = 0; b < 2; ++b) {
        k.center[b] = body(q, v, b).r;
        k.rotation[b] = Attitude<D>::rotation(body(q, v, b).p);
      }
      EXPECT_NEAR(s.value, m.value(k), 1e-14);
    }
  }
};

using Plane = MeasureDerivative<2>;
using Solid = MeasureDerivative<3>;
TEST_F(Plane, Along) { check(Measure<2>::Kind::along); }
TEST_F(Plane, Cosine) { check(Measure<2>::Kind::cosine); }
TEST_F(Plane, Distance) { check(Measure<2>::Kind::distance); }
TEST_F(Plane, Angle) { check(Measure<2>::Kind::angle); }
TEST_F(Solid, Along) { check(Measure<3>::Kind::along); }
TEST_F(Solid, Cosine) { check(Measure<3>::Kind::cosine); }
TEST_F(Solid, Distance) { check(Measure<3>::Kind::distance); }
TEST_F(Solid, Angle) { check(Measure<3>::Kind::angle); }

}  // namespace
}  // namespace cardan
