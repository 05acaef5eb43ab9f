// Exact derivatives of the equations of motion in Cartesian coordinates against differences at random states, and the
// full Jacobian of Psi in independent coordinates.
#include <gtest/gtest.h>

#include <random>

#include "formulation/cartesian/cartesian_formulation.hpp"
#include "formulation/differences.hpp"
#include "formulation/loaded_mechanisms.hpp"
#include "integration/state_space/independent_motion.hpp"
#include "system/assembly.hpp"

namespace cardan {
namespace {

constexpr double kTolerance = 1e-6;

template <int D>
struct Compiled {
  std::shared_ptr<const BodyModel<D>> model;
  std::unique_ptr<CartesianFormulation<D>> formulation;
  std::unique_ptr<Workspace> work;
  Context state;
  double length;

  explicit Compiled(const Mechanism& mechanism) : model(std::make_shared<const BodyModel<D>>(mechanism)) {
    const Assembly<D> assembly = assemble(*model);
    length = assembly.length;
    formulation = std::make_unique<CartesianFormulation<D>>(model, assembly.bodies, length);
    work = formulation->make_workspace();
    formulation->start(state, *work);
  }
  const Structure& structure() const { return formulation->structure(); }
  const Equations& at(const VecX& q, const VecX& v) {
    formulation->position(0.4, q, state, *work);
    formulation->velocity(v, *work);
    formulation->gamma(*work);
    formulation->dynamics(*work);
    return work->equations;
  }
  VecX rows_times(const VecX& x) const {
    VecX result(structure().constraints);
    for (int k = 0; k < result.size(); ++k) result[k] = row_times(structure().jacobian, work->equations.jacobian, k, x);
    return result;
  }
};

class RandomNumbers {
 public:
  VecX vector(Eigen::Index n, double size) {
    return VecX::NullaryExpr(n, [&] { return size * std::uniform_real_distribution<double>(-1, 1)(random_); });
  }

 private:
  std::mt19937 random_{11};
};

template <int D>
void check_equations(const Mechanism& mechanism) {
  Compiled<D> c(mechanism);
  RandomNumbers random;
  const int n = c.structure().coordinates, m = c.structure().constraints;
  for (int sample = 0; sample < 5; ++sample) {
    const VecX q = c.state.q + random.vector(n, 0.1), v = random.vector(n, 1), a = random.vector(n, 2);
    const VecX lambda = random.vector(m, 3);
    const auto residual = [&](const VecX& x, const VecX& rate) {
      const Equations& e = c.at(x, rate);
      VecX r = -e.force;
      multiply_add(c.structure().pattern, e.mass, a, r);
      for (int k = 0; k < m; ++k) add_row(c.structure().jacobian, e.jacobian, k, lambda[k], r);
      return r;
    };
    MotionDerivatives d(c.structure());
    c.at(q, v);
    c.formulation->differentiate(a, lambda, *c.work, d);
    const auto full = [&](const VecX& rows) { return full_rows(c.structure().jacobian, rows, n); };
    EXPECT_LT(relative_deviation(d.stiffness.full(), differences([&](const VecX& x) { return residual(x, v); }, q)),
              kTolerance);
    EXPECT_LT(relative_deviation(d.damping.full(), differences([&](const VecX& x) { return residual(q, x); }, v)),
              kTolerance);
    const auto rate = [&](const VecX& x) {
      c.at(x, v);
      return c.rows_times(v);
    };
    EXPECT_LT(relative_deviation(full(d.rate), differences(rate, q)), kTolerance);
    const auto second = [&](const VecX& x) -> VecX {
      const VecX gamma = c.at(x, v).gamma;
      return c.rows_times(a) - gamma;
    };
    EXPECT_LT(relative_deviation(full(d.second), differences(second, q)), kTolerance);
    const auto gamma = [&](const VecX& x) { return VecX(c.at(q, x).gamma); };
    EXPECT_LT(relative_deviation(-2 * full(d.rate), differences(gamma, v)), kTolerance);
    const auto phi = [&](const VecX& x) { return VecX(c.at(x, v).phi); };
    c.at(q, v);
    Eigen::MatrixXd jacobian(m, n);
    for (int j = 0; j < n; ++j) jacobian.col(j) = c.rows_times(VecX::Unit(n, j));
    EXPECT_LT(relative_deviation(jacobian, differences(phi, q)), kTolerance);
  }
}

TEST(CartesianDerivatives, OfAllElementsInThePlane) { check_equations<2>(loaded_in_plane()); }
TEST(CartesianDerivatives, OfAllElementsInSpace) { check_equations<3>(loaded_in_space()); }

TEST(CartesianDerivatives, OfLinksCouplersAndRotorsInThePlane) { check_equations<2>(elements_in_plane()); }
TEST(CartesianDerivatives, OfLinksCouplersAndRotorsInSpace) { check_equations<3>(elements_in_space()); }

/// Psi_v'' = M^ + g C^ + b K^ against differences of Psi(v''), everything dependent found again for each.
template <int D>
void check_psi(const Mechanism& mechanism) {
  Compiled<D> c(mechanism);
  c.state.acceleration = VecX::Zero(c.structure().coordinates);
  IndependentMotion motion(*c.formulation, *c.work);
  ASSERT_EQ(motion.start(c.state), StepStatus::ok);
  RandomNumbers random;
  const int f = motion.independent_count();
  ASSERT_GT(f, 0);
  Eigen::MatrixXd M(f, f), C(f, f), K(f, f);
  for (const double h : {0.3, 0.03}) {
    const double b = 0.25 * h * h, g = 0.5 * h;
    VecX v(f), rate(f);
    motion.pick(c.state.q, v);
    motion.pick(c.state.v, rate);
    rate += random.vector(f, 1);
    const VecX second = random.vector(f, 1);
    const auto psi = [&](const VecX& x) {
      VecX result(f);
      EXPECT_EQ(motion.position(0.4, v + b * x), StepStatus::ok);
      motion.velocity(rate + g * x);
      motion.dynamics();
      motion.residual(x, result);
      return result;
    };
    motion.begin(c.state);
    psi(second);
    motion.tangents(M, C, K);
    EXPECT_LT(relative_deviation(M + g * C + b * K, differences(psi, second)), kTolerance) << "h = " << h;
    EXPECT_GT((g * C + b * K).norm(), 1e-3 * M.norm()) << "the derivatives besides the mass must matter";
  }
}

TEST(CartesianDerivatives, OfPsiInThePlane) { check_psi<2>(loaded_in_plane(false)); }
TEST(CartesianDerivatives, OfPsiInThePlaneWithADriver) { check_psi<2>(loaded_in_plane()); }
TEST(CartesianDerivatives, OfPsiInSpace) { check_psi<3>(loaded_in_space(false)); }
TEST(CartesianDerivatives, OfPsiInSpaceWithADriver) { check_psi<3>(loaded_in_space()); }

TEST(CartesianDerivatives, OfPsiWithLinksCouplersAndRotors) {
  check_psi<2>(elements_in_plane());
  check_psi<3>(elements_in_space());
}

}  // namespace
}  // namespace cardan
