// The Magic Formula of Pacejka in its versions 5.2 (H. B. Pacejka, Tyre and Vehicle Dynamics, 2nd edition, 2006,
// section 4.3.2, without turn slip) and 6.1, with the pressure (I. J. M. Besselink, A. J. C. Schmeitz, H. B. Pacejka,
// An improved Magic Formula/Swift tyre model that can handle inflation pressure changes, 2010), for any scalar type:
// pure longitudinal and side slip, both combined by weighting functions, the aligning moment, with load and camber.
// Members are called as the coefficients are in tyre files. Angles of slip and camber after ISO: alpha =
// atan(v_sy/|v_x|), gamma about the wheel's forward axis.
#pragma once

#include <numbers>

#include "math/tyre/slip_models.hpp"

namespace cardan {

// What a tyre file must give, of either version, of 5.2 and of 6.1; and what it may: those have defaults.
// clang-format off
#define CARDAN_MAGIC_FORMULA_REQUIRED(X) \
  X(FNOMIN) X(UNLOADED_RADIUS) X(PCX1) X(PDX1) X(PDX2) X(PDX3) X(PEX1) X(PEX2) X(PEX3) X(PEX4) X(PKX1) X(PKX2) \
  X(PKX3) X(PHX1) X(PHX2) X(PVX1) X(PVX2) X(RBX1) X(RBX2) X(RCX1) X(REX1) X(REX2) X(RHX1) X(PCY1) X(PDY1) X(PDY2) \
  X(PDY3) X(PEY1) X(PEY2) X(PEY3) X(PEY4) X(PKY1) X(PKY2) X(PKY3) X(PHY1) X(PHY2) X(PVY1) X(PVY2) X(PVY3) X(PVY4) \
  X(RBY1) X(RBY2) X(RBY3) X(RCY1) X(REY1) X(REY2) X(RHY1) X(RHY2) X(RVY1) X(RVY2) X(RVY3) X(RVY4) X(RVY5) X(RVY6) \
  X(QBZ1) X(QBZ2) X(QBZ3) X(QBZ4) X(QBZ5) X(QBZ9) X(QBZ10) X(QCZ1) X(QDZ1) X(QDZ2) X(QDZ3) X(QDZ4) X(QDZ6) X(QDZ7) \
  X(QDZ8) X(QDZ9) X(QEZ1) X(QEZ2) X(QEZ3) X(QEZ4) X(QEZ5) X(QHZ1) X(QHZ2) X(QHZ3) X(QHZ4) X(SSZ1) X(SSZ2) X(SSZ3) \
  X(SSZ4)
#define CARDAN_MAGIC_FORMULA_52(X) \
  X(PHY3) X(PTX1) X(PTX2) X(PTX3) X(PTY1) X(PTY2)
#define CARDAN_MAGIC_FORMULA_61(X) \
  X(NOMPRES) X(PEY5) X(PKY4) X(PKY5) X(PKY6) X(PKY7) X(RBX3) X(RBY4) X(QDZ10) X(QDZ11) X(PPX1) X(PPX2) X(PPX3) \
  X(PPX4) X(PPY1) X(PPY2) X(PPY3) X(PPY4) X(PPY5) X(PPZ1) X(PPZ2) X(LONGITUDINAL_STIFFNESS) X(LATERAL_STIFFNESS)
#define CARDAN_MAGIC_FORMULA_OPTIONAL(X) \
  X(LFZO, 1) X(LCX, 1) X(LMUX, 1) X(LEX, 1) X(LKX, 1) X(LHX, 1) X(LVX, 1) X(LGAX, 1) X(LCY, 1) X(LMUY, 1) X(LEY, 1) \
  X(LKY, 1) X(LHY, 1) X(LVY, 1) X(LGAY, 1) X(LTR, 1) X(LRES, 1) X(LGAZ, 1) X(LXAL, 1) X(LYKA, 1) X(LVYKA, 1) \
  X(LS, 1) X(LSGKP, 1) X(LSGAL, 1) X(LMY, 1) X(QSY1, 0) X(QSY2, 0) X(QSY3, 0) X(QSY4, 0) X(LONGVL, 16.6) X(KPUMIN, -1) \
  X(KPUMAX, 1) X(ALPMIN, -1.5) X(ALPMAX, 1.5) X(CAMMIN, -0.3) X(CAMMAX, 0.3) X(FZMIN, 0) X(FZMAX, 0) X(INFLPRES, 0) \
  X(LKYC, 1) X(LKZC, 1) X(QSY5, 0) X(QSY6, 0) X(QSY7, 1) X(QSY8, 0) X(PCFX1, 0) X(PCFX2, 0) X(PCFX3, 0) X(PCFY1, 0) \
  X(PCFY2, 0) X(PCFY3, 0)
// clang-format on

struct MagicFormula {
#define CARDAN_MEMBER(name) double name = 0;
  CARDAN_MAGIC_FORMULA_REQUIRED(CARDAN_MEMBER)
  CARDAN_MAGIC_FORMULA_52(CARDAN_MEMBER)
  CARDAN_MAGIC_FORMULA_61(CARDAN_MEMBER)
#undef CARDAN_MEMBER
#define CARDAN_MEMBER(name, absent) double name = absent;
  CARDAN_MAGIC_FORMULA_OPTIONAL(CARDAN_MEMBER)
#undef CARDAN_MEMBER
  bool later = false;             // version 6.1; the coefficients that it adds are 0 in 5.2
  double peak_x = 1, peak_y = 1;  // slips where nearly the largest force is reached at the nominal load: find_peaks()

  /// Loads of the file's range; beyond it all forces go with the load.
  template <class T>
  T rated(const T& load) const {
    const double low = FZMIN > 0 ? FZMIN : 0.02 * FNOMIN, high = FZMAX > 0 ? FZMAX : 3 * FNOMIN;
    return within(load, low, high);
  }

  template <class T>
  T relaxation_x(const TyreSlip<T>& at) const {
    using std::exp;
    const T Fz = rated(at.load), dfz = change(Fz);
    if (later)
      return slip_stiffness(Fz, dfz) /
             (T(LONGITUDINAL_STIFFNESS * pressed(PCFX3)) * (T(1) + T(PCFX1) * dfz + T(PCFX2) * dfz * dfz));
    return Fz * (T(PTX1) + T(PTX2) * dfz) * exp(T(-PTX3) * dfz) * T(UNLOADED_RADIUS / FNOMIN * LSGKP);
  }
  template <class T>
  T relaxation_y(const TyreSlip<T>& at) const {
    using std::abs;
    using std::atan;
    using std::sin;
    const T Fz = rated(at.load), gamma = T(LGAY) * within(at.camber, CAMMIN, CAMMAX);
    if (later) {
      const T dfz = change(Fz);
      return abs(cornering_stiffness(Fz, gamma)) /
             (T(LATERAL_STIFFNESS * pressed(PCFY3)) * (T(1) + T(PCFY1) * dfz + T(PCFY2) * dfz * dfz));
    }
    return T(PTY1 * UNLOADED_RADIUS * LFZO * LSGAL) * sin(T(2) * atan(Fz * T(1 / (PTY2 * FNOMIN * LFZO)))) *
           (T(1) - T(PKY3) * abs(gamma));
  }
  template <class T>
  T limit_x(const TyreSlip<T>&) const {
    return T(peak_x);
  }
  template <class T>
  T limit_y(const TyreSlip<T>&) const {
    return T(peak_y);
  }

  /// What is shared by forces and moment at one slip.
  template <class T>
  struct Parts {
    T Fz, dfz, kappa, alpha, gamma;
    T Kx, Ky, mu_y, By, Cy, SHy, SVy;
    T Fx, Fy, SVyk;
    T weight;   // of the side force: G
    T trailed;  // side force that acts behind the centre: without what longitudinal slip adds, in 6.1 without camber
  };

  template <class T>
  TyreForces<T> forces(const TyreSlip<T>& given) const {
    using std::atan;
    Parts<T> p;
    p.Fz = rated(given.load);
    p.dfz = change(p.Fz);
    p.kappa = within(given.kappa, KPUMIN, KPUMAX);
    p.alpha = within(T(atan(given.side)), ALPMIN, ALPMAX);
    p.gamma = within(given.camber, CAMMIN, CAMMAX);
    const T pure_x = longitudinal(p), pure_y = lateral(p);
    combine(pure_x, pure_y, p);
    p.trailed = p.Fy - p.SVyk;
    if (later && value_of(p.gamma) != 0) {
      Parts<T> upright = p;
      upright.gamma = T(0);
      p.trailed = p.weight * lateral(upright);
    }
    const T more = given.load / p.Fz;
    return {more * p.Fx, more * p.Fy, more * aligning(p)};
  }

  /// Rolling resistance over R0 Fz, positive; of the force ahead and the speed over LONGVL.
  template <class T>
  T resistance(const T& load, const T& camber, const T& forward, const T& speed) const {
    using std::abs;
    using std::pow;
    const T v = abs(speed) * T(1 / LONGVL);
    T part = T(QSY1) + T(QSY2 / FNOMIN) * forward + T(QSY3) * v + T(QSY4) * v * v * v * v;
    if (later) {
      const T share = rated(load) * T(1 / FNOMIN), gamma = within(camber, CAMMIN, CAMMAX);
      part = (part + (T(QSY5) + T(QSY6) * share) * gamma * gamma) * pow(share, QSY7 - 1) *
             T(std::pow(1 + overpressure(), QSY8));
    }
    return part * T(LMY);
  }

  /// To be called once the coefficients are there.
  void find_peaks() {
    const auto reached = [&](bool longitudinal) {
      constexpr int kSamples = 400;
      constexpr double kNearly = 0.98;
      double most = 0;
      const auto force = [&](int i) {
        const double slip = static_cast<double>(i) / kSamples;
        const auto f = forces(TyreSlip<double>{FNOMIN, longitudinal ? slip : 0, longitudinal ? 0 : slip, 0});
        return std::abs(longitudinal ? f.forward : f.left);
      };
      for (int i = 1; i <= kSamples; ++i) most = std::max(most, force(i));
      int first = 1;
      while (force(first) < kNearly * most) ++first;
      return static_cast<double>(first) / kSamples;
    };
    peak_x = reached(true);
    peak_y = reached(false);
  }

 private:
  template <class T>
  static T within(const T& x, double low, double high) {
    return value_of(x) < low ? T(low) : value_of(x) > high ? T(high) : x;
  }
  template <class T>
  static T at_most_one(const T& x) {
    return value_of(x) > 1 ? T(1) : x;
  }
  template <class T>
  static T sign(const T& x) {
    return T(value_of(x) < 0 ? -1.0 : 1.0);
  }
  /// (p - p0)/p0, and 1 + a dp + b dp^2.
  double overpressure() const { return later && INFLPRES > 0 ? (INFLPRES - NOMPRES) / NOMPRES : 0; }
  double pressed(double a, double b = 0) const { return 1 + overpressure() * (a + b * overpressure()); }
  template <class T>
  T change(const T& Fz) const {
    return Fz * T(1 / (LFZO * FNOMIN)) - T(1);
  }
  /// C atan(B x - E (B x - atan(B x)))
  template <class T>
  static T angle(const T& B, const T& C, const T& E, const T& x) {
    using std::atan;
    const T Bx = B * x;
    return C * atan(Bx - E * (Bx - atan(Bx)));
  }

  template <class T>
  T slip_stiffness(const T& Fz, const T& dfz) const {
    using std::exp;
    return Fz * (T(PKX1) + T(PKX2) * dfz) * exp(T(PKX3) * dfz) * T(LKX * pressed(PPX1, PPX2));
  }
  template <class T>
  T cornering_stiffness(const T& Fz, const T& gamma) const {
    using std::abs;
    using std::atan;
    using std::sin;
    const T stiffness = T(PKY1 * FNOMIN * LFZO * LKY * pressed(PPY1)) * (T(1) - T(PKY3) * abs(gamma));
    const double load = FNOMIN * LFZO * pressed(PPY2);
    if (!later) return stiffness * sin(T(2) * atan(Fz * T(1 / (PKY2 * load))));
    return stiffness * sin(T(PKY4) * atan(Fz / ((T(PKY2) + T(PKY5) * gamma * gamma) * T(load))));
  }

  template <class T>
  T longitudinal(Parts<T>& p) const {
    using std::sin;
    const T gamma = T(LGAX) * p.gamma;
    const T mu = (T(PDX1) + T(PDX2) * p.dfz) * (T(1) - T(PDX3) * gamma * gamma) * T(LMUX * pressed(PPX3, PPX4));
    const T x = p.kappa + (T(PHX1) + T(PHX2) * p.dfz) * T(LHX);
    const T C = T(PCX1 * LCX), D = mu * p.Fz;
    const T E =
        at_most_one(T((T(PEX1) + T(PEX2) * p.dfz + T(PEX3) * p.dfz * p.dfz) * (T(1) - T(PEX4) * sign(x)) * T(LEX)));
    p.Kx = slip_stiffness(p.Fz, p.dfz);
    const T SV = p.Fz * (T(PVX1) + T(PVX2) * p.dfz) * T(LVX * LMUX);
    return D * sin(angle(T(p.Kx / (C * D)), C, E, x)) + SV;
  }

  template <class T>
  T lateral(Parts<T>& p) const {
    using std::sin;
    const T gamma = T(LGAY) * p.gamma;
    p.mu_y = (T(PDY1) + T(PDY2) * p.dfz) * (T(1) - T(PDY3) * gamma * gamma) * T(LMUY * pressed(PPY3, PPY4));
    p.Ky = cornering_stiffness(p.Fz, gamma);
    const T camber_shift = p.Fz * (T(PVY3) + T(PVY4) * p.dfz) * gamma * T(LMUY * LKYC);
    p.SHy = (T(PHY1) + T(PHY2) * p.dfz) * T(LHY);
    p.SHy =
        p.SHy + (later ? T((p.Fz * (T(PKY6) + T(PKY7) * p.dfz) * T(LKYC * pressed(PPY5)) * gamma - camber_shift) / p.Ky)
                       : T(T(PHY3) * gamma));
    p.SVy = p.Fz * (T(PVY1) + T(PVY2) * p.dfz) * T(LVY * LMUY) + camber_shift;
    p.Cy = T(PCY1 * LCY);
    const T x = p.alpha + p.SHy, D = p.mu_y * p.Fz;
    T bend = T(1) - (T(PEY3) + T(PEY4) * gamma) * sign(x);
    if (later) bend = bend + T(PEY5) * gamma * gamma;
    const T E = at_most_one(T((T(PEY1) + T(PEY2) * p.dfz) * bend * T(LEY)));
    p.By = p.Ky / (p.Cy * D);
    return D * sin(angle(p.By, p.Cy, E, x)) + p.SVy;
  }

  template <class T>
  void combine(const T& pure_x, const T& pure_y, Parts<T>& p) const {
    using std::atan;
    using std::cos;
    using std::sin;
    const auto weight = [](const T& B, const T& C, const T& E, const T& slip, const T& shift) {
      return cos(angle(B, C, E, T(slip + shift))) / cos(angle(B, C, E, shift));
    };
    const T square = p.gamma * p.gamma;
    const T Bxa = (later ? T(T(RBX1) + T(RBX3) * square) : T(RBX1)) * T(LXAL) * cos(atan(T(RBX2) * p.kappa));
    p.Fx = pure_x * weight(Bxa, T(RCX1), at_most_one(T(T(REX1) + T(REX2) * p.dfz)), p.alpha, T(RHX1));
    const T Byk =
        (later ? T(T(RBY1) + T(RBY4) * square) : T(RBY1)) * T(LYKA) * cos(atan(T(RBY2) * (p.alpha - T(RBY3))));
    p.weight = weight(Byk, T(RCY1), at_most_one(T(T(REY1) + T(REY2) * p.dfz)), p.kappa, T(T(RHY1) + T(RHY2) * p.dfz));
    const T DV = p.mu_y * p.Fz * (T(RVY1) + T(RVY2) * p.dfz + T(RVY3) * p.gamma) * cos(atan(T(RVY4) * p.alpha));
    p.SVyk = DV * sin(T(RVY5) * atan(T(RVY6) * p.kappa)) * T(LVYKA);
    p.Fy = p.weight * pure_y + p.SVyk;
  }

  template <class T>
  T aligning(const Parts<T>& p) const {
    using std::abs;
    using std::atan;
    using std::cos;
    using std::sin;
    using std::sqrt;
    const double R0 = UNLOADED_RADIUS;
    const T gamma = T(LGAZ) * p.gamma, cosine = cos(p.alpha);
    // Slip angles that longitudinal slip makes larger.
    const T share = p.Kx / p.Ky * p.kappa;
    const auto equivalent = [&](const T& angle) {
      const T tangent = sin(angle) / cos(angle);
      return atan(sqrt(tangent * tangent + share * share + T(1e-24))) * sign(angle);
    };
    const T alpha_t = equivalent(p.alpha + T(QHZ1) + T(QHZ2) * p.dfz + (T(QHZ3) + T(QHZ4) * p.dfz) * gamma);
    const T alpha_r = equivalent(p.alpha + p.SHy + p.SVy / p.Ky);
    const T B = (T(QBZ1) + T(QBZ2) * p.dfz + T(QBZ3) * p.dfz * p.dfz) *
                (T(1) + T(QBZ4) * gamma + T(QBZ5) * abs(gamma)) * T(LKY / LMUY);
    const T D = p.Fz * (T(QDZ1) + T(QDZ2) * p.dfz) * (T(1) + T(QDZ3) * gamma + T(QDZ4) * gamma * gamma) *
                T(R0 / FNOMIN * LTR * pressed(-PPZ1));
    const T E =
        at_most_one(T((T(QEZ1) + T(QEZ2) * p.dfz + T(QEZ3) * p.dfz * p.dfz) *
                      (T(1) + (T(QEZ4) + T(QEZ5) * gamma) * T(2 / std::numbers::pi) * atan(B * T(QCZ1) * alpha_t))));
    const T trail = D * cos(angle(B, T(QCZ1), E, alpha_t)) * cosine;
    const T Br = T(QBZ9 * LKY / LMUY) + T(QBZ10) * p.By * p.Cy;
    T of_camber = (T(QDZ8) + T(QDZ9) * p.dfz) * T(LKZC * pressed(PPZ2));
    if (later) of_camber = of_camber + (T(QDZ10) + T(QDZ11) * p.dfz) * abs(gamma) * T(LKZC);
    const T Dr = p.Fz * ((T(QDZ6) + T(QDZ7) * p.dfz) * T(LRES) + of_camber * gamma) * T(R0 * LMUY);
    const T residual = Dr * cos(atan(Br * alpha_r)) * cosine;
    const T arm = (T(SSZ1) + T(SSZ2 / FNOMIN) * p.Fy + (T(SSZ3) + T(SSZ4) * p.dfz) * p.gamma) * T(R0 * LS);
    return residual - trail * p.trailed + arm * p.Fx;
  }
};

}  // namespace cardan
