// Rows of velocity constraints: B and its derivatives against differences and against the motion of bodies, in
// Cartesian coordinates to second order, and the Jacobian of Psi where they are part of it.
#include <gtest/gtest.h>

#include <random>

#include "cardan/builder.hpp"
#include "formulation/cartesian/cartesian_formulation.hpp"
#include "formulation/differences.hpp"
#include "integration/state_space/independent_motion.hpp"
#include "random_place.hpp"
#include "system/compile.hpp"

namespace cardan {
namespace {

constexpr double kRowTolerance = 1e-6;

/// A disc and a sleigh on a table that moves, and an edge between them.
Mechanism rolling_sample(bool planar) {
  const RandomPlace place(planar ? 3 : 4, planar);
  MechanismBuilder b("sample");
  if (planar) b.planar();
  b.gravity(9.81 * place.along(0.1, -1, planar ? 0 : 0.2));
  for (const auto& [name, center] :
       {std::pair("table", place.at(0, 0)), std::pair("disc", place.at(0.3, 0.5, planar ? 0 : 0.1)),
        std::pair("sleigh", place.at(-0.4, 0.7, planar ? 0 : -0.2))}) {
    planar ? b.body(name, 1.3, center, 0.2) : b.body(name, 1.3, center, Mat3(Vec3(0.2, 0.3, 0.4).asDiagonal()));
    b.free(std::string("at_") + name, "ground", name);
  }
  RollingSpec rim{.name = "rim", .body1 = "table", .body2 = "disc", .radius = 0.4, .normal = place.along(0, 1)};
  if (!planar) rim.axis = place.along(0.2, 0.3, 1);
  b.add(rim);
  b.add(KnifeEdgeSpec{
      .name = "edge", .body1 = "table", .body2 = "sleigh", .at = place.at(-0.3, 0.6), .axis = place.along(1, 0.2)});
  b.add(KnifeEdgeSpec{.name = "cut", .body1 = "sleigh", .body2 = "disc", .axis = place.along(0.4, 1)});
  return b.build();
}

template <int D>
VecX rows_times(const BodyFormulation<D>& f, const Workspace& work, const VecX& x) {
  VecX result(f.structure().constraints);
  for (int k = 0; k < result.size(); ++k) result[k] = row_times(f.structure().jacobian, work.equations.jacobian, k, x);
  return result;
}

/// What the rows say of given twists, worked out from the contact points of the bodies.
template <int D>
std::vector<double> expected_rates(const BodyModel<D>& model, const BodyKinematics<D>& k) {
  using Vector = typename Space<D>::Vector;
  const Mechanism& m = model.mechanism();
  const auto& measures = model.measures();
  const auto against = [&](int body1, int body2, const Vector& point) {
    return Vector(velocity_at<D>(k.twist[measures.body_index(body2)], point) -
                  velocity_at<D>(k.twist[measures.body_index(body1)], point));
  };
  std::vector<double> rates, velocities;
  for (const KnifeEdge& edge : m.knife_edges) {
    const int b = measures.body_index(edge.body2);
    velocities.push_back(
        Vector(k.rotation[b] * measures.local_direction(edge.body2, edge.axis))
            .dot(against(edge.body1, edge.body2, k.point(b, measures.local_point(edge.body2, edge.point)))));
  }
  for (const RollingDisc& disc : m.rolling_discs) {
    const int one = measures.body_index(disc.body1), two = measures.body_index(disc.body2);
    const Vector n = k.rotation[one] * measures.local_direction(disc.body1, disc.normal);
    const Vector c = k.point(two, measures.local_point(disc.body2, disc.center));
    Vector heading, lowest;
    if constexpr (D == 2) {
      heading = perpendicular(n), lowest = c - disc.radius * n;
    } else {
      // The point of the rim with the least height, found without the formula under test.
      const Vec3 a = k.rotation[two] * measures.local_direction(disc.body2, disc.axis);
      heading = a.cross(n).normalized();
      lowest = c - disc.radius * (n - a * a.dot(n)).normalized();
    }
    const Vector v = against(disc.body1, disc.body2, lowest);
    rates.push_back(n.dot(v));
    velocities.push_back(heading.dot(v));
    if constexpr (D == 3) velocities.push_back(n.cross(heading).dot(v));
  }
  rates.insert(rates.end(), velocities.begin(), velocities.end());
  return rates;
}

template <int D>
void check_rows(const std::string& name) {
  const CompiledMechanism compiled = compile(rolling_sample(D == 2), name, {});
  const auto& f = dynamic_cast<const BodyFormulation<D>&>(*compiled.formulation);
  const auto work = f.make_workspace();
  Context state;
  f.start(state, *work);
  const Structure& s = f.structure();
  ASSERT_EQ(s.velocity_constraints, D == 2 ? 3 : 4) << name;
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  VecX q = state.q, v(s.coordinates);
  for (int i = 0; i < s.coordinates; ++i) v[i] = uniform(random);
  if (name != "topological") {
    for (int i = 0; i < s.coordinates; ++i) q[i] += 0.2 * uniform(random);
  }
  const auto rates = [&](double dt) {
    EXPECT_EQ(f.position(0.3 + dt, q + dt * v, state, *work), StepStatus::ok);
    f.velocity(v, *work);
    return VecX(rows_times(f, *work, v) + work->equations.phi_t);
  };
  const VecX now = rates(0);
  f.gamma(*work);
  const VecX gamma = work->equations.gamma;
  const std::vector<double> expected = expected_rates(f.model(), f.kinematics(*work));
  const int count = std::min(static_cast<int>(expected.size()), s.constraints);
  for (int k = 1; k <= count; ++k) {
    EXPECT_NEAR(now[s.constraints - k], expected[expected.size() - k], 1e-12)
        << name << " " << s.constraint_names[s.constraints - k];
  }
  for (int k = s.position_constraints(); k < s.constraints; ++k) EXPECT_EQ(work->equations.phi[k], 0) << name;
  const double h = 1e-5;
  const VecX second = (rates(h) - rates(-h)) / (2 * h);
  for (int k = s.constraints - count; k < s.constraints; ++k)
    EXPECT_NEAR(second[k], -gamma[k], 1e-6 * (1 + std::abs(gamma[k]))) << name << " " << s.constraint_names[k];
}

TEST(VelocityConstraints, RowsAndTheirRatesInThePlane) {
  for (const char* name : {"hybrid", "topological", "cartesian"}) check_rows<2>(name);
}
TEST(VelocityConstraints, RowsAndTheirRatesInSpace) {
  for (const char* name : {"hybrid", "topological"}) check_rows<3>(name);
}

template <int D>
void check_cartesian() {
  const CompiledMechanism compiled = compile(rolling_sample(D == 2), "cartesian", {});
  const auto& f = dynamic_cast<const BodyFormulation<D>&>(*compiled.formulation);
  const auto work = f.make_workspace();
  Context state;
  f.start(state, *work);
  const Structure& s = f.structure();
  const int n = s.coordinates, m = s.constraints, first = s.position_constraints();
  std::mt19937 random(6);
  const auto vector = [&](Eigen::Index size, double scale) {
    return VecX(VecX::NullaryExpr(size, [&] { return scale * std::uniform_real_distribution<double>(-1, 1)(random); }));
  };
  const auto at = [&](const VecX& q, const VecX& v) -> const Equations& {
    f.position(0.4, q, state, *work);
    f.velocity(v, *work);
    f.gamma(*work);
    f.dynamics(*work);
    return work->equations;
  };
  for (int sample = 0; sample < 4; ++sample) {
    const VecX q = state.q + vector(n, 0.1), v = vector(n, 1), a = vector(n, 2), lambda = vector(m, 3);
    MotionDerivatives d(s);
    at(q, v);
    f.differentiate(a, lambda, *work, d);
    const auto full = [&](const VecX& rows) { return full_rows(s.jacobian, rows, n); };
    const Eigen::MatrixXd rate_q = full(d.rate), turning = full(d.turning);
    const auto residual = [&](const VecX& x) {
      const Equations& e = at(x, v);
      VecX r = -e.force;
      multiply_add(s.pattern, e.mass, a, r);
      for (int k = 0; k < m; ++k) add_row(s.jacobian, e.jacobian, k, lambda[k], r);
      return r;
    };
    EXPECT_LT(relative_deviation(d.stiffness.full(), differences(residual, q)), kRowTolerance);
    const auto rate = [&](const VecX& x) { return at(x, v), rows_times(f, *work, v); };
    EXPECT_LT(relative_deviation(rate_q, differences(rate, q)), kRowTolerance);
    const auto second = [&](const VecX& x) {
      const VecX gamma = at(x, v).gamma;
      return VecX(rows_times(f, *work, a) - gamma);
    };
    EXPECT_LT(relative_deviation(full(d.second), differences(second, q)), kRowTolerance);
    const auto gamma = [&](const VecX& x) { return VecX(at(q, x).gamma); };
    Eigen::MatrixXd gamma_v = -2 * rate_q;
    gamma_v.bottomRows(m - first) = -rate_q.bottomRows(m - first) - turning.bottomRows(m - first);
    EXPECT_LT(relative_deviation(gamma_v, differences(gamma, v)), kRowTolerance);
    EXPECT_GT((rate_q - turning).bottomRows(m - first).norm(), 0.1) << "they are no rates of anything";
    const auto phi = [&](const VecX& x) { return VecX(at(x, v).phi.head(first)); };
    at(q, v);
    Eigen::MatrixXd jacobian(first, n);
    for (int j = 0; j < n; ++j) jacobian.col(j) = rows_times(f, *work, VecX::Unit(n, j)).head(first);
    EXPECT_LT(relative_deviation(jacobian, differences(phi, q)), kRowTolerance);
  }
}
TEST(VelocityConstraints, CartesianDerivativesInThePlane) { check_cartesian<2>(); }
TEST(VelocityConstraints, CartesianDerivativesInSpace) { check_cartesian<3>(); }

/// Exact where Psi vanishes, which Newton's iteration shows: increments shrink quadratically.
template <int D>
void check_psi_with_velocities() {
  const CompiledMechanism compiled = compile(rolling_sample(D == 2), "cartesian", {});
  const Formulation& f = *compiled.formulation;
  const auto work = f.make_workspace();
  Context state;
  f.start(state, *work);
  state.acceleration = VecX::Zero(f.structure().coordinates);
  IndependentMotion motion(f, *work);
  ASSERT_EQ(motion.start(state), StepStatus::ok);
  const int n = motion.independent_count();
  const double h = 0.1, b = 0.25 * h * h, g = 0.5 * h;
  std::mt19937 random(7);
  VecX v(n), rate(n), x = VecX::Zero(n), psi(n);
  motion.pick(state.q, v);
  motion.pick(state.v, rate);
  for (int i = 0; i < n; ++i) rate[i] += std::uniform_real_distribution<double>(-1, 1)(random);
  motion.begin(state);
  const auto evaluate = [&](const VecX& at) {
    VecX result(n);
    EXPECT_EQ(motion.position(h, v + b * at), StepStatus::ok);
    motion.velocity(rate + g * at);
    motion.dynamics();
    motion.residual(at, result);
    return result;
  };
  Eigen::MatrixXd M(n, n), C(n, n), K(n, n);
  double before = 1, now = 1;
  for (int i = 0; i < 12 && now > 1e-9; ++i) {
    psi = evaluate(x);
    motion.tangents(M, C, K);
    const VecX increment = (M + g * C + b * K).partialPivLu().solve(psi);
    x -= increment;
    before = now, now = increment.norm();
  }
  EXPECT_LT(now, 1e-8);
  EXPECT_LT(now, 0.01 * before);
  evaluate(x);
  motion.tangents(M, C, K);
  EXPECT_LT(relative_deviation(M + g * C + b * K, differences(evaluate, x)), 1e-6);
  EXPECT_GT((g * C + b * K).norm(), 1e-3 * M.norm()) << "the derivatives besides the mass must matter";
  // What the multipliers say: M q'' + Phi_q^T lambda = Q, and the constraints on accelerations.
  evaluate(x);
  const Equations& e = work->equations;
  VecX left = -e.force;
  multiply_add(f.structure().pattern, e.mass, motion.a(), left);
  for (int k = 0; k < f.structure().constraints; ++k) {
    add_row(f.structure().jacobian, e.jacobian, k, motion.lambda()[k], left);
    EXPECT_NEAR(row_times(f.structure().jacobian, e.jacobian, k, motion.a()), e.gamma[k], 1e-8);
  }
  EXPECT_LT(left.norm(), 1e-8);
}
TEST(VelocityConstraints, PsiInThePlane) { check_psi_with_velocities<2>(); }
TEST(VelocityConstraints, PsiInSpace) { check_psi_with_velocities<3>(); }

}  // namespace
}  // namespace cardan
