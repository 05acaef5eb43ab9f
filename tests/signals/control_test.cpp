// Controllers written as expressions, and what linearize() says of them: closed loops have the eigenvalues that were
// computed.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "cardan/analysis.hpp"
#include "cardan/builder.hpp"
#include "cardan/registry.hpp"
#include "cardan/system.hpp"
#include "follow.hpp"
#include "last_sample.hpp"
#include "random_place.hpp"

namespace cardan {
namespace {

using Complex = std::complex<double>;

/// A pole on a cart, upright where its angle is 0.
MechanismBuilder pole_on_cart(const RandomPlace& p) {
  MechanismBuilder b("pole on a cart");
  b.gravity(9.81 * p.along(0, -1));
  b.body("cart", 2, Place(p.at(0, 0)), Mat3(Mat3::Identity()));
  b.body("pole", 0.3, Place(p.at(0, 0.5)), Mat3(0.02 * Mat3::Identity()));
  b.prismatic("rail", "ground", "cart", p.at(0, 0), p.along(1, 0));
  b.revolute("pin", "cart", "pole", p.at(0, 0), p.along(0, 0, 1));
  return b;
}

Eigen::VectorXcd sorted_eigenvalues(const Eigen::MatrixXd& A) {
  Eigen::VectorXcd values = A.eigenvalues();
  std::sort(values.begin(), values.end(), [](Complex a, Complex b) {
    return std::abs(a.real() - b.real()) > 1e-6 ? a.real() < b.real() : a.imag() < b.imag();
  });
  return values;
}

/// K of min int x^T Q x + u^T R u: from the stable invariant subspace of the Hamiltonian.
Eigen::RowVectorXd regulator(const Eigen::MatrixXd& A, const VecX& B, const Eigen::MatrixXd& Q, double R) {
  const auto n = A.rows();
  Eigen::MatrixXd H(2 * n, 2 * n);
  H << A, -B * B.transpose() / R, -Q, -A.transpose();
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(H);
  Eigen::MatrixXcd X(2 * n, n);
  int column = 0;
  for (Eigen::Index i = 0; i < 2 * n; ++i)
    if (solver.eigenvalues()[i].real() < 0) X.col(column++) = solver.eigenvectors().col(i);
  const Eigen::MatrixXd P = (X.bottomRows(n) * X.topRows(n).inverse()).real();
  return B.transpose() * P / R;
}

std::string feedback(const Eigen::RowVectorXd& K) {
  return "-(" + std::to_string(K[0]) + "*rail.q + " + std::to_string(K[1]) + "*pin.q + " + std::to_string(K[2]) +
         "*rail.v + " + std::to_string(K[3]) + "*pin.v)";
}

LinearSystem linear(const Mechanism& mechanism, const std::string& formulation, bool with_effort) {
  const System system(mechanism, formulation);
  const Context start = system.start();
  return linearize(system, start,
                   with_effort ? std::vector{system.coordinate("rail")} : std::vector<CoordinateHandle>{});
}

TEST(Control, ClosedLoopsHaveTheEigenvaluesThatWereComputed) {
  int closed = 0;
  for (unsigned seed : {1u, 2u, 3u}) {
    const RandomPlace p(seed, false);
    for (const RegistryEntry& entry : formulations()) {
      const std::string formulation(entry.name);
      const LinearSystem open = linear(pole_on_cart(p).build(), formulation, true);
      ASSERT_EQ(open.states, (std::vector<std::string>{"rail.q", "pin.q", "rail.q rate", "pin.q rate"}));
      EXPECT_GT(sorted_eigenvalues(open.A).real().maxCoeff(), 1);  // it falls over
      const VecX B = open.B.col(0);
      Eigen::RowVectorXd gains[] = {regulator(open.A, B, Eigen::MatrixXd::Identity(4, 4), 0.1),
                                    (Eigen::RowVectorXd(4) << 0, 60, 0, 12).finished()};  // PD on the angle alone
      for (Eigen::RowVectorXd& K : gains) {
        for (double& k : K) k = std::stod(std::to_string(k));
        if (&K == &gains[1] && B[3] > 0) K = -K;
        MechanismBuilder b = pole_on_cart(p);
        b.actuator("motor", "rail", follow(feedback(K)));
        const LinearSystem loop = linear(b.build(), formulation, false);
        const Eigen::VectorXcd computed = sorted_eigenvalues(open.A - B * K), found = sorted_eigenvalues(loop.A);
        EXPECT_LT((computed - found).cwiseAbs().maxCoeff(), 1e-6 * computed.cwiseAbs().maxCoeff()) << formulation;
        ++closed;
      }
    }
  }
  EXPECT_EQ(closed, 3 * 5 * 2);
}

TEST(Control, ARegulatorSetsThePoleUprightFromTwentyDegrees) {
  const RandomPlace p(4, false);
  const LinearSystem open = linear(pole_on_cart(p).build(), "hybrid", true);
  const Eigen::RowVectorXd K = regulator(open.A, open.B.col(0), Eigen::MatrixXd::Identity(4, 4), 0.1);
  MechanismBuilder b = pole_on_cart(p);
  b.actuator("motor", "rail", follow(feedback(K))).joint_position("pin", 0.35);
  const Mechanism mechanism = b.build();
  for (const std::string formulation : {"hybrid", "global", "topological", "cartesian"}) {
    for (const std::string integrator : {"trapezoidal", "rk4", "sdirk3"}) {
      const FinishedRun run = finish(mechanism, options_of(formulation, 0.01, 15, integrator));
      ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
      for (const std::string column : {"rail.q", "pin.q", "rail.v", "pin.v"})
        EXPECT_LT(std::abs(run.last[column]), 1e-3) << formulation << integrator << column;
    }
  }
}

/// States and inputs of the model are those of the linear system: z' = 3 pin.q + 4 u - 5 z pushes the rail with 7 z +
/// u.
TEST(Control, LinearizesStatesAndInputs) {
  const RandomPlace p(6, false);
  for (const RegistryEntry& entry : formulations()) {
    const LinearSystem open = linear(pole_on_cart(p).build(), std::string(entry.name), true);
    MechanismBuilder b = pole_on_cart(p);
    b.add(InputSpec{.name = "u", .start = Number(0.0)});
    b.add(StateSpec{.name = "z", .start = Number(0.0), .scale = Number(3.0), .rate = follow("3*pin.q + 4*u - 5*z")});
    b.actuator("motor", "rail", follow("7*z + u"));
    const LinearSystem loop = linear(b.build(), std::string(entry.name), false);
    ASSERT_EQ(loop.states.back(), "z");
    ASSERT_EQ(loop.inputs.back(), "u");
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(5, 5);
    A.topLeftCorner(4, 4) = open.A;
    A.col(4).head(4) = 7 * open.B.col(0);
    A(4, 1) = 3;
    A(4, 4) = -5;
    VecX B(5);
    B << open.B.col(0), 4;
    EXPECT_LT((loop.A - A).cwiseAbs().maxCoeff(), 1e-8) << entry.name;
    EXPECT_LT((loop.B.rightCols(1) - B).cwiseAbs().maxCoeff(), 1e-8) << entry.name;
  }
}

}  // namespace
}  // namespace cardan
