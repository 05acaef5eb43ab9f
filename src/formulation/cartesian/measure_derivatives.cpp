#include "formulation/cartesian/measure_derivatives.hpp"

namespace cardan {
namespace {

/// A vector x(q) made of one vector carried by each body, either of which may be missing: a direction, or the line
/// between two points. Of its derivatives x_q, x_vq = (x_q v)_q and x_vvq = ((x_q v)_q v)_q only products with vectors
/// are made but for the Hessian.
template <int D>
struct Factor {
  using Derivatives = MeasureDerivatives<D>;
  using Vector = typename Space<D>::Vector;
  using Row = typename Derivatives::Row;
  using A = Attitude<D>;
  static constexpr int kBody = Derivatives::kBody;

  struct Part {
    double sign = 0;  // 0: missing
    bool point = false;
    const Vector* local = nullptr;
    const BodyCoordinates<D>* body = nullptr;
    Vector carried;
  };
  Part parts[2];
  Vector x = Vector::Zero();
  Vector x_v = Vector::Zero();   // x_q v
  Vector x_vv = Vector::Zero();  // (x_q v)_q v

  void add(int index, double sign, bool point, const Vector& local, const BodyCoordinates<D>& c, bool rates) {
    Part& part = parts[index];
    part = {sign, point, &local, &c, c.rotation * local};
    x += sign * part.carried;
    if (point) x += sign * c.r;
    if (!rates) return;
    x_v += sign * A::first(c.p, c.p_rate, local, part.carried);
    if (point) x_v += sign * c.r_rate;
    x_vv += sign * A::second(c.p_rate, local, part.carried);
  }

  /// row += y^T x_q
  void pull(const Vector& y, Row& row) const {
    for (int b = 0; b < 2; ++b) {
      const auto& [sign, point, local, body, carried] = parts[b];
      if (sign == 0) continue;
      if (point) row.template segment<D>(b * kBody) += sign * y;
      row.template segment<A::kSize>(b * kBody + D) += sign * A::pull(body->p, *local, carried, y);
    }
  }
  /// row += y^T x_vq
  void pull_rate(const Vector& y, Row& row) const {
    for (int b = 0; b < 2; ++b) {
      const auto& [sign, point, local, body, carried] = parts[b];
      if (sign == 0) continue;
      row.template segment<A::kSize>(b * kBody + D) += sign * A::pull_rate(body->p_rate, *local, carried, y);
    }
  }
  /// row += y^T x_vvq
  void pull_second(const Vector& y, Row& row) const {
    for (int b = 0; b < 2; ++b) {
      const auto& [sign, point, local, body, carried] = parts[b];
      if (sign == 0) continue;
      row.template segment<A::kSize>(b * kBody + D) +=
          sign * A::tangent_second(body->p_rate, *local, carried).transpose() * y;
    }
  }
  /// x_q
  Eigen::Matrix<double, D, Derivatives::kSize> tangent() const {
    Eigen::Matrix<double, D, Derivatives::kSize> x_q;
    x_q.setZero();
    for (int b = 0; b < 2; ++b) {
      const auto& [sign, point, local, body, carried] = parts[b];
      if (sign == 0) continue;
      if (point) x_q.template block<D, D>(0, b * kBody).diagonal().setConstant(sign);
      x_q.template block<D, A::kSize>(0, b * kBody + D) = sign * A::tangent(body->p, *local, carried);
    }
    return x_q;
  }
  /// H += y . x_qq
  void add_curvature(const Vector& y, typename Derivatives::Square& H) const {
    for (int b = 0; b < 2; ++b) {
      const auto& [sign, point, local, body, carried] = parts[b];
      if (sign == 0) continue;
      H.template block<A::kSize, A::kSize>(b * kBody + D, b * kBody + D) += sign * A::curvature(y, *local, carried);
    }
  }
};

/// Derivatives of x . y
template <int D>
struct Product {
  using Derivatives = MeasureDerivatives<D>;
  using Row = typename Derivatives::Row;
  double value = 0, v = 0, vv = 0;
  Row q = Row::Zero(), vq, vvq;
  typename Derivatives::Square qq;

  Product(const Factor<D>& x, const Factor<D>& y, bool rates, bool second) {
    value = x.x.dot(y.x);
    x.pull(y.x, q);
    y.pull(x.x, q);
    if (!rates) return;
    v = x.x_v.dot(y.x) + x.x.dot(y.x_v);
    vv = x.x_vv.dot(y.x) + 2 * x.x_v.dot(y.x_v) + x.x.dot(y.x_vv);
    if (!second) return;
    vq.setZero();
    x.pull_rate(y.x, vq);
    y.pull(x.x_v, vq);
    x.pull(y.x_v, vq);
    y.pull_rate(x.x, vq);
    vvq.setZero();
    x.pull_rate(y.x_v, vvq);
    y.pull_rate(x.x_v, vvq);
    vvq *= 2;
    x.pull_second(y.x, vvq);
    y.pull(x.x_vv, vvq);
    x.pull(y.x_vv, vvq);
    y.pull_second(x.x, vvq);
    qq.noalias() = x.tangent().transpose() * y.tangent();
    qq += qq.transpose().eval();
    x.add_curvature(y.x, qq);
    y.add_curvature(x.x, qq);
  }
};

}  // namespace

/// All kinds side by side: each is a few lines of the same products.
template <int D>
void MeasureDerivatives<D>::evaluate(Level level, const Measure<D>& m, const BodyCoordinates<D>& one,
                                     const BodyCoordinates<D>& two) {
  using Kind = typename Measure<D>::Kind;
  const bool rates = level != Level::position, all = level == Level::second;
  const auto direction = [&](int body, const Vector& local) {
    Factor<D> f;
    f.add(body, 1, false, local, body == 0 ? one : two, rates);
    return f;
  };
  const auto line = [&] {
    Factor<D> f;
    f.add(0, -1, true, m.point1, one, rates);
    f.add(1, 1, true, m.point2, two, rates);
    return f;
  };
  if (m.kind == Kind::along || m.kind == Kind::cosine) {
    const Product<D> p(direction(0, m.e1), m.kind == Kind::along ? line() : direction(1, m.e2), rates, all);
    value = p.value - m.offset;
    gradient = p.q;
    if (rates) rate = p.v, bias = p.vv;
    if (all) hessian = p.qq, bias_gradient = p.vvq;
  } else if (m.kind == Kind::turn) {
    const Product<D> p(direction(0, m.f1), direction(1, m.e2), rates, all);
    const Product<D> n(direction(0, m.e1), direction(1, m.f2), rates, all);
    value = 0.5 * (p.value - n.value) - m.offset;
    gradient = 0.5 * (p.q - n.q);
    if (rates) rate = 0.5 * (p.v - n.v), bias = 0.5 * (p.vv - n.vv);
    if (all) hessian = 0.5 * (p.qq - n.qq), bias_gradient = 0.5 * (p.vvq - n.vvq);
  } else if (m.kind == Kind::distance) {
    // s^2 = d . d, so s s_v = (d.d)_v / 2, s s_vv + s_v^2 = (d.d)_vv / 2 and so on.
    const Factor<D> d = line();
    const Product<D> p(d, d, rates, all);
    const double s = std::sqrt(p.value);
    value = s - m.offset;
    if (s == 0) {  // the direction is lost where the points meet; zeros keep the numbers finite
      gradient.setZero(), hessian.setZero(), bias_gradient.setZero();
      rate = bias = 0;
      return;
    }
    gradient = p.q / (2 * s);
    if (rates) rate = p.v / (2 * s), bias = (p.vv / 2 - rate * rate) / s;
    if (!all) return;
    hessian = p.qq / (2 * s) - gradient * gradient.transpose() / s;
    const Row rate_gradient = p.vq / (2 * s) - gradient * (rate / s);
    bias_gradient = (p.vvq / 2 - 2 * rate * rate_gradient - bias * gradient) / s;
  } else if (m.is_velocity()) {
    evaluate_velocity(level, m, one, two);
  } else if (m.kind == Kind::height) {
    // s = n . d - r F(c), F = sqrt(1 - c^2), c = n . a
    const Product<D> d(direction(0, m.e1), line(), rates, all), c(direction(0, m.e1), direction(1, m.e2), rates, all);
    const double F = std::sqrt(std::max(1 - c.value * c.value, 1e-30)), r = m.radius;
    const double F1 = -c.value / F, F2 = -1 / (F * F * F), F3 = 3 * c.value * F2 / (F * F);
    value = d.value - r * F - m.offset;
    gradient = d.q - r * F1 * c.q;
    if (rates) rate = d.v - r * F1 * c.v, bias = d.vv - r * (F2 * c.v * c.v + F1 * c.vv);
    if (!all) return;
    hessian = d.qq - r * (F2 * c.q * c.q.transpose() + F1 * c.qq);
    bias_gradient = d.vvq - r * ((F3 * c.v * c.v + F2 * c.vv) * c.q + 2 * F2 * c.v * c.vq + F1 * c.vvq);
  } else {
    // tan s = S / C, so rho s_v = C S_v - S C_v with rho = S^2 + C^2, and rho s_vv + rho_v s_v = C S_vv - S C_vv.
    const Product<D> C(direction(0, m.e1), direction(1, m.e2), rates, all);
    const Product<D> S(direction(0, m.f1), direction(1, m.f2), rates, all);
    const double rho = S.value * S.value + C.value * C.value;
    value = std::atan2(S.value, C.value) - m.offset;
    gradient = (C.value * S.q - S.value * C.q) / rho;
    if (!rates) return;
    const double rho_v = 2 * (S.value * S.v + C.value * C.v);
    rate = (C.value * S.v - S.value * C.v) / rho;
    bias = (C.value * S.vv - S.value * C.vv - rho_v * rate) / rho;
    if (!all) return;
    const Row rho_q = 2 * (S.value * S.q + C.value * C.q);
    hessian = (C.value * S.qq - S.value * C.qq + S.q * C.q.transpose() - C.q * S.q.transpose() -
               gradient * rho_q.transpose()) /
              rho;
    const Row rate_gradient = (C.q * S.v + C.value * S.vq - S.q * C.v - S.value * C.vq - rate * rho_q) / rho;
    const Row rho_vq = 2 * (S.q * S.v + S.value * S.vq + C.q * C.v + C.value * C.vq);
    bias_gradient = (C.q * S.vv + C.value * S.vvq - S.q * C.vv - S.value * C.vvq - rho_vq * rate -
                     rho_v * rate_gradient - bias * rho_q) /
                    rho;
  }
}

template <int D>
void MeasureDerivatives<D>::position(const Measure<D>& m, const BodyCoordinates<D>& one,
                                     const BodyCoordinates<D>& two) {
  evaluate(Level::position, m, one, two);
}
template <int D>
void MeasureDerivatives<D>::velocity(const Measure<D>& m, const BodyCoordinates<D>& one,
                                     const BodyCoordinates<D>& two) {
  evaluate(Level::velocity, m, one, two);
}
template <int D>
void MeasureDerivatives<D>::second(const Measure<D>& m, const BodyCoordinates<D>& one, const BodyCoordinates<D>& two) {
  evaluate(Level::second, m, one, two);
}

template class MeasureDerivatives<2>;
template class MeasureDerivatives<3>;

}  // namespace cardan
