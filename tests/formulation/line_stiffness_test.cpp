// The tangent of loads along a line, across it too, against differences in every formulation.
#include "formulation/line_stiffness.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <random>

#include "cardan/builder.hpp"
#include "formulation/differences.hpp"
#include "sprung_mass.hpp"
#include "system/compile.hpp"

namespace cardan {
namespace {

/// Two bodies that float, and cables between ground and their centres: no coordinate of a body's turning has a part in
/// their lengths, so that what resists is all in d_q. `pull`: of the cables as drawn; `length`: of the shortest.
Mechanism moored(bool planar, double pull, double length, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto direction = [&] {
    return Vec3(uniform(random), uniform(random), planar ? 0 : uniform(random)).normalized();
  };
  MechanismBuilder b("moored");
  if (planar) b.planar();
  b.gravity({0, 0, 0});
  const Vec3 anchor(0.3, -0.2, planar ? 0 : 0.5), one = anchor + length * direction(), two = one + 0.7 * direction();
  for (const auto& [name, place] : {std::pair{"one", one}, {"two", two}}) {
    if (planar) {
      b.body(name, 2, Place(place), 0.1);
    } else {
      b.body(name, 2, Place(place), Mat3(Vec3(0.1, 0.12, 0.08).asDiagonal()));
    }
    b.free(std::string("float_") + name, "ground", name);
  }
  const auto cable = [&](const char* name, const char* body1, const Vec3& at1, const char* body2, const Vec3& at2) {
    SpringSpec spring;
    spring.name = name, spring.body1 = body1, spring.body2 = body2;
    spring.at1 = Place(at1), spring.at2 = Place(at2);
    spring.free_length = Number((at2 - at1).norm());
    spring.force = Located<Function>(Function::polynomial({pull, 3e3, 2e3}));
    b.add(spring);
  };
  cable("mooring", "ground", anchor, "one", one);
  cable("line", "one", one, "two", two);
  return b.build();
}

/// K = S^T k S of the load rows, and -Q_q.
std::pair<Eigen::MatrixXd, Eigen::MatrixXd> tangents(const Formulation& formulation, double step) {
  const auto work = formulation.make_workspace();
  Context state;
  formulation.start(state, *work);
  const Structure& s = formulation.structure();
  const auto force = [&](const VecX& q) {
    formulation.position(state.t, q, state, *work);
    formulation.velocity(state.v, *work);
    formulation.dynamics(*work);
    return work->equations.force;
  };
  const Eigen::MatrixXd exact = -differences(force, state.q, step);
  force(state.q);
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(s.coordinates, s.coordinates);
  for (int row = 0; row < s.loads.rows(); ++row) {
    if (work->equations.stiffness[row] == 0) continue;
    VecX gradient = VecX::Zero(s.coordinates);
    add_row(s.loads, work->equations.load_gradient, row, 1, gradient);
    K += work->equations.stiffness[row] * gradient * gradient.transpose();
  }
  return {K, exact};
}

TEST(LineStiffness, IsThatOfDifferencesInEveryFormulation) {
  std::mt19937 random(5);
  int ran = 0;
  for (bool planar : {true, false}) {
    for (double length : {0.02, 0.6}) {
      const Mechanism mechanism = moored(planar, 500, length, random);
      for (const char* name : {"global", "hybrid", "topological", "cartesian"}) {
        const CompiledMechanism compiled = compile(mechanism, name, {}, {});
        const auto [K, exact] = tangents(*compiled.formulation, 0.02 * length);
        EXPECT_LT(relative_deviation(K, exact), 1e-6) << name << planar << length;
        EXPECT_GT(exact.cwiseAbs().maxCoeff(), 0.3 * 500 / length) << "there is something to see";
        ++ran;
      }
    }
  }
  EXPECT_EQ(ran, 16);
}

TEST(LineStiffness, OfAPushIsLeftOut) {
  std::mt19937 random(7);
  for (bool planar : {true, false}) {
    const Mechanism mechanism = moored(planar, -500, 0.1, random);
    for (const char* name : {"global", "hybrid", "topological", "cartesian"}) {
      const CompiledMechanism compiled = compile(mechanism, name, {}, {});
      const Eigen::MatrixXd K = tangents(*compiled.formulation, 1e-3).first;
      const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(K).eigenvalues();
      EXPECT_GT(values[0], -1e-9 * values[values.size() - 1]) << name << planar;
      EXPECT_EQ((values.array() > 1e-6 * values[values.size() - 1]).count(), 2) << "one for each cable" << name;
    }
  }
}

/// A spring of no free length whose ends meet resists all motions of its ends alike.
TEST(LineStiffness, WhereTheEndsMeetIsThatAlongTheLine) {
  for (bool planar : {true, false}) {
    const Vec3 at(0.3, -0.4, planar ? 0 : 0.7);
    SpringSpec spring{.name = "spring", .stiffness = Number(100.0), .free_length = Number(0.0)};
    const MechanismBuilder b = sprung_mass(planar, 10, at, at + Vec3(0.2, 0, 0), spring);
    StartingPoint start;
    start.poses.push_back({at, Mat3::Identity()});
    for (const char* name : {"global", "hybrid", "topological", "cartesian"}) {
      const CompiledMechanism compiled = compile(b.build(), name, {}, start);
      const auto [K, exact] = tangents(*compiled.formulation, 1e-3);
      EXPECT_LT(relative_deviation(K, exact), 1e-9) << name << planar;
    }
  }
}

}  // namespace
}  // namespace cardan
