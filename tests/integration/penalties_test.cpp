// The inertia that constraints feel, in mechanisms that are too large for the dense way, against its definition.
#include "integration/penalties.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <random>

#include "cardan/builder.hpp"
#include "formulation/relative/relative_formulation.hpp"
#include "mechanism/spanning_tree.hpp"

namespace cardan {
namespace {

/// Four-bars side by side, turned and scaled as one, with masses over three orders of magnitude.
Mechanism windows(int count, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  const double turn = 3 * uniform(random), size = std::pow(10, uniform(random));
  const auto at = [&](double x, double y) {
    return Place(size * (x * std::cos(turn) - y * std::sin(turn)), size * (x * std::sin(turn) + y * std::cos(turn)));
  };
  const auto mass = [&] { return std::pow(10, 1.5 * uniform(random)); };
  MechanismBuilder b("windows");
  b.planar().gravity({0, -9.81, 0});
  for (int i = 0; i <= count; ++i) {
    const std::string rod = "rod" + std::to_string(i), coupler = "coupler" + std::to_string(i);
    b.rod(rod, at(i, 0), at(i + 0.1, 1), mass());
    b.revolute("ground" + std::to_string(i), "ground", rod, at(i, 0));
    if (i == 0) continue;
    b.rod(coupler, at(i - 0.9, 1), at(i + 0.1, 1), mass());
    b.revolute("left" + std::to_string(i), "rod" + std::to_string(i - 1), coupler, at(i - 0.9, 1));
    b.revolute("right" + std::to_string(i), coupler, rod, at(i + 0.1, 1));
  }
  return b.build();
}

TEST(Penalties, FeltInertiaOfLargeMechanisms) {
  std::mt19937 random(5);
  const Mechanism mechanism = windows(120, random);
  const auto model = std::make_shared<const BodyModel<2>>(mechanism);
  const RelativeFormulation<2> formulation(model, model->drawn(), make_spanning_tree(mechanism, {}), 1);
  const auto work = formulation.make_workspace();
  Context state;
  formulation.start(state, *work);
  formulation.velocity(state.v, *work);
  formulation.dynamics(*work);
  const Structure& s = formulation.structure();
  const Equations& e = work->equations;
  ASSERT_GT(s.coordinates + s.constraints, 400) << "too small for the way that is meant";
  const ConstraintAnalysis analysis = analyse_constraints(s, e);
  ASSERT_TRUE(analysis.redundant.empty());

  Eigen::MatrixXd M(s.coordinates, s.coordinates), J = Eigen::MatrixXd::Zero(s.constraints, s.coordinates);
  M.setZero();
  for (int j = 0; j < s.coordinates; ++j) {
    for (int p = s.pattern.column_start[j]; p < s.pattern.column_start[j + 1]; ++p)
      M(s.pattern.row[p], j) = M(j, s.pattern.row[p]) = e.mass[p];
  }
  for (int k = 0; k < s.constraints; ++k) {
    for (int p = s.jacobian.start[k]; p < s.jacobian.start[k + 1]; ++p) J(k, s.jacobian.column[p]) = e.jacobian[p];
  }
  const VecX felt = (J * M.inverse() * J.transpose()).inverse().diagonal();
  const double least = 1e-2 * felt.maxCoeff();  // none is far below its neighbours
  const double bound = s.constraints / 1e6;     // m / kappa, as of the slowest multiplier: see penalties.hpp
  int compared = 0;
  for (int k = 0; k < s.constraints; ++k) {
    if (felt[k] < least) continue;
    EXPECT_NEAR(analysis.effective_mass[k] / felt[k], 1, bound) << s.constraint_names[k];
    ++compared;
  }
  EXPECT_GT(compared, s.constraints / 10);
}

}  // namespace
}  // namespace cardan
