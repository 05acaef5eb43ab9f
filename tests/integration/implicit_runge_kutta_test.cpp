// Implicit Runge-Kutta methods of any tableau, beside those that have a name: with coupled stages, with several gammas,
// with an end that is a stage or not.
#include "integration/implicit_runge_kutta.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "integration/explicit_runge_kutta.hpp"
#include "integration/linkages.hpp"
#include "system/compile.hpp"

namespace cardan {
namespace {

ButcherTableau tableau_of(const Eigen::MatrixXd& A, const VecX& b, int order) {
  ButcherTableau t;
  t.order = order;
  t.A = A;
  t.b = b;
  t.c = A.rowwise().sum();
  return t;
}

/// Three stages, order 5, L-stable, the last stage the end of the step. Hairer and Wanner II, table IV.5.6.
ButcherTableau radau5() {
  const double r = std::sqrt(6.0);
  Eigen::MatrixXd A(3, 3);
  A << (88 - 7 * r) / 360, (296 - 169 * r) / 1800, (-2 + 3 * r) / 225,  //
      (296 + 169 * r) / 1800, (88 + 7 * r) / 360, (-2 - 3 * r) / 225,   //
      (16 - r) / 36, (16 + r) / 36, 1.0 / 9;
  return tableau_of(A, A.row(2), 5);
}

/// The first stage at the start of the step, and yet implicit.
ButcherTableau lobatto2() {
  Eigen::MatrixXd A(2, 2);
  A << 0.5, -0.5, 0.5, 0.5;
  return tableau_of(A, Eigen::Vector2d(0.5, 0.5), 2);
}

/// Diagonally implicit, with two gammas.
ButcherTableau two_gammas() {
  Eigen::MatrixXd A(2, 2);
  A << 1.0 / 4, 0, 1.0 / 2, 1.0 / 3;
  return tableau_of(A, Eigen::Vector2d(4.0 / 7, 3.0 / 7), 2);
}

/// The same method, with its stages in the opposite order: nothing in it is lower triangular.
ButcherTableau reversed(const ButcherTableau& t) { return tableau_of(t.A.reverse(), t.b.reverse(), t.order); }

constexpr double kEnd = 0.32;

/// q and v at the end, by the method under test or by rk4 where no tableau is given.
VecX end_of(const Mechanism& mechanism, const std::string& formulation, const ButcherTableau* tableau, double h,
            bool projections = true) {
  const CompiledMechanism compiled = compile(mechanism, formulation, {});
  const auto work = compiled.formulation->make_workspace();
  RungeKuttaSettings settings;
  settings.length = compiled.length;
  settings.projections = projections;
  settings.tolerance = 1e-14;
  std::unique_ptr<Integrator> integrator;
  if (tableau) {
    integrator = std::make_unique<ImplicitRungeKutta>(*compiled.formulation, *work, *tableau, settings);
  } else {
    integrator =
        std::make_unique<ExplicitRungeKutta>(*compiled.formulation, *work, ButcherTableau::of("rk4"), settings);
  }
  State state;
  state.attached = compiled.attached;
  compiled.formulation->start(state, *work);
  EXPECT_EQ(integrator->start(state), StepStatus::ok);
  for (int i = 0; i < std::lround(kEnd / h); ++i) EXPECT_EQ(integrator->step(state, h), StepStatus::ok) << i;
  VecX end(state.q.size() + state.v.size());
  end << state.q, state.v;
  return end;
}

TEST(ImplicitRungeKutta, HasTheOrderOfAnyTableau) {
  const ButcherTableau methods[] = {radau5(), lobatto2(), two_gammas(), reversed(ButcherTableau::of("sdirk3")),
                                    reversed(ButcherTableau::of("sdirk4"))};
  int measured = 0;
  for (const Mechanism& mechanism : {spatial_loop(21), open_chain(22)}) {
    for (const char* formulation : {"hybrid", "global"}) {
      const VecX reference = end_of(mechanism, formulation, nullptr, 5e-4);
      for (const ButcherTableau& method : methods) {
        ASSERT_FALSE(method.is_singly_diagonal());
        const double h = method.order < 4 ? 0.005 : 0.02;
        const double coarse = (end_of(mechanism, formulation, &method, h) - reference).norm();
        const double fine = (end_of(mechanism, formulation, &method, h / 2) - reference).norm();
        EXPECT_NEAR(std::log2(coarse / fine), method.order, 0.3)
            << mechanism.name << " " << formulation << " " << method.stages() << " " << coarse << " " << fine;
        ++measured;
      }
    }
  }
  EXPECT_EQ(measured, 20);
}

/// Without projections, which go by the mass matrix of the stage that comes last.
TEST(ImplicitRungeKutta, FindsTheSameStagesTogetherAndOneByOne) {
  for (const Mechanism& mechanism : {spatial_loop(23), open_chain(24)}) {
    for (const char* formulation : {"hybrid", "global"}) {
      for (const char* name : {"sdirk3", "sdirk4"}) {
        const ButcherTableau &one_by_one = ButcherTableau::of(name), together = reversed(one_by_one);
        const VecX one = end_of(mechanism, formulation, &one_by_one, 0.01, false);
        EXPECT_LT((end_of(mechanism, formulation, &together, 0.01, false) - one).norm(), 1e-11 * one.norm())
            << mechanism.name << " " << formulation << " " << name;
      }
    }
  }
}

}  // namespace
}  // namespace cardan
