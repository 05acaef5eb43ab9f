// The articulated-body sweeps against the mass matrix of the relative formulation, on trees at random.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "formulation/loaded_mechanisms.hpp"
#include "formulation/random_tree.hpp"
#include "formulation/recursive/recursive_formulation.hpp"
#include "formulation/relative/relative_formulation.hpp"
#include "system/assembly.hpp"

namespace cardan {
namespace {

template <int D>
struct Pair {
  std::shared_ptr<const BodyModel<D>> model;
  RelativeFormulation<D> relative;
  RecursiveFormulation<D> recursive;

  explicit Pair(const Mechanism& mechanism)
      : Pair(mechanism, std::make_shared<const BodyModel<D>>(mechanism), make_spanning_tree(mechanism, {})) {}
  Pair(const Mechanism&, const std::shared_ptr<const BodyModel<D>>& body_model, const SpanningTree& tree)
      : model(body_model),
        relative(model, assemble(*model).bodies, tree, 1),
        recursive(model, assemble(*model).bodies, tree, 1) {}
};

/// a of M a = Q - Phi_q^T lambda by a dense solution.
VecX dense_acceleration(const Formulation& f, Workspace& work, const Context& state, const VecX& lambda) {
  f.position(state.t, state.q, state, work);
  f.velocity(state.v, work);
  f.gamma(work);
  f.dynamics(work);
  const Structure& s = f.structure();
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(s.coordinates, s.coordinates);
  for (int j = 0; j < s.coordinates; ++j) {
    for (int p = s.pattern.column_start[j]; p < s.pattern.column_start[j + 1]; ++p) {
      M(s.pattern.row[p], j) = M(j, s.pattern.row[p]) = work.equations.mass[p];
    }
  }
  VecX rhs = work.equations.force;
  for (int k = 0; k < s.constraints; ++k) add_row(s.jacobian, work.equations.jacobian, k, -lambda[k], rhs);
  return M.ldlt().solve(rhs);
}

template <int D>
void expect_equal_accelerations(const Mechanism& mechanism, RandomTree& random, const std::string& what) {
  const Pair<D> pair(mechanism);
  const auto work1 = pair.relative.make_workspace(), work2 = pair.recursive.make_workspace();
  Context state;
  pair.relative.start(state, *work1);
  Context own;
  pair.recursive.start(own, *work2);
  ASSERT_EQ(own.q.size(), state.q.size()) << what;
  ASSERT_EQ(own.memory.size(), state.memory.size()) << what;
  EXPECT_LT((own.memory - state.memory).cwiseAbs().maxCoeff(), 1e-12) << what;
  EXPECT_EQ(own.v, state.v) << what;
  state.t = 0.3;
  state.q = random.numbers(static_cast<int>(state.q.size()));
  state.v = 2 * random.numbers(static_cast<int>(state.q.size()));
  const int constraints = pair.relative.structure().constraints;
  ASSERT_EQ(pair.recursive.structure().constraints, constraints) << what;
  const VecX lambda = random.numbers(constraints);

  const VecX expected = dense_acceleration(pair.relative, *work1, state, lambda);
  pair.recursive.position(state.t, state.q, state, *work2);
  pair.recursive.velocity(state.v, *work2);
  VecX a = VecX::Zero(expected.size());
  ASSERT_EQ(pair.recursive.accelerate(lambda, *work2, a), -1) << what;
  EXPECT_LT((a - expected).norm(), 1e-10 * expected.norm()) << what;

  // Poses, twists and rates of twists of the bodies.
  pair.relative.accelerations(a, *work1);
  pair.recursive.accelerations(a, *work2);
  const BodyKinematics<D>&k1 = pair.relative.kinematics(*work1), &k2 = pair.recursive.kinematics(*work2);
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
    EXPECT_LT((k1.rotation[b] - k2.rotation[b]).norm(), 1e-12) << what;
    EXPECT_LT((k1.center[b] - k2.center[b]).norm(), 1e-11) << what;
    EXPECT_LT((k1.twist[b] - k2.twist[b]).norm(), 1e-11 * (1 + k1.twist[b].norm())) << what;
    EXPECT_LT((k1.acceleration[b] - k2.acceleration[b]).norm(), 1e-10 * (1 + k1.acceleration[b].norm())) << what;
  }

  // The constraints' rates and accelerations, and what a change of lambda does to them.
  const Structure& s = pair.relative.structure();
  const Equations& e = work1->equations;
  VecX rate(constraints), second(constraints), change = random.numbers(constraints);
  pair.recursive.accelerate(lambda, *work2, a);
  pair.recursive.respond(change, *work2, a);
  const VecX changed = dense_acceleration(pair.relative, *work1, state, lambda + change);
  EXPECT_LT((a - changed).norm(), 1e-9 * changed.norm()) << what;
  pair.recursive.constraint_rates(*work2, rate);
  pair.recursive.constraint_accelerations(*work2, second);
  for (int k = 0; k < constraints; ++k) {
    EXPECT_NEAR(work2->equations.phi[k], e.phi[k], 1e-11) << what;
    EXPECT_NEAR(rate[k], row_times(s.jacobian, e.jacobian, k, state.v) + e.phi_t[k], 1e-10) << what;
    EXPECT_NEAR(second[k], row_times(s.jacobian, e.jacobian, k, changed) - e.gamma[k], 1e-8 * (1 + changed.norm()))
        << what;
  }
}

TEST(Recursive, AcceleratesRandomSpatialTreesAsTheMassMatrixDoes) {
  for (unsigned seed = 0; seed < 70; ++seed) {
    RandomTree random(seed);
    const Mechanism mechanism = random.spatial(1 + static_cast<int>(seed % 24));
    expect_equal_accelerations<3>(mechanism, random, "seed " + std::to_string(seed));
  }
}

TEST(Recursive, AcceleratesRandomPlanarTreesAsTheMassMatrixDoes) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    RandomTree random(1000 + seed);
    const Mechanism mechanism = random.planar(1 + static_cast<int>(seed % 24));
    expect_equal_accelerations<2>(mechanism, random, "seed " + std::to_string(seed));
  }
}

/// A rotor on every coordinate that may carry one.
Mechanism with_rotors(Mechanism mechanism, RandomTree& random) {
  for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
    const JointType type = mechanism.joints[j].type;
    if (type != JointType::revolute && type != JointType::prismatic && type != JointType::cylindrical &&
        type != JointType::universal)
      continue;
    for (int i = 0; i < joint_coordinate_count(type, mechanism.planar); ++i) {
      Rotor rotor;
      rotor.name = "rotor" + std::to_string(mechanism.rotors.size());
      rotor.joint = static_cast<int>(j);
      rotor.coordinate = i;
      rotor.inertia = 0.3 + 0.2 * random.number();
      rotor.gear = 3 * random.number();
      mechanism.rotors.push_back(rotor);
    }
  }
  return mechanism;
}

TEST(Recursive, AcceleratesTreesWithRotorsAsTheMassMatrixDoes) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    RandomTree random(300 + seed);
    const Mechanism space = with_rotors(random.spatial(3 + static_cast<int>(seed % 20)), random);
    expect_equal_accelerations<3>(space, random, "seed " + std::to_string(seed));
    const Mechanism plane = with_rotors(random.planar(3 + static_cast<int>(seed % 20)), random);
    expect_equal_accelerations<2>(plane, random, "planar seed " + std::to_string(seed));
  }
}

TEST(Recursive, AcceleratesLinksCouplersAndScrewsAsTheMassMatrixDoes) {
  RandomTree random(9);
  expect_equal_accelerations<3>(elements_in_space(), random, "space");
  expect_equal_accelerations<2>(elements_in_plane(), random, "plane");
}

/// Chains longer than a block of shared origins, with joints closed back to ground and to each other.
TEST(Recursive, AcceleratesLongChainsWithLoopsAsTheMassMatrixDoes) {
  RandomTree random(5);
  MechanismBuilder b("chain");
  b.gravity({0, 0, -9.81});
  for (int i = 0; i < 50; ++i) {
    const std::string name = "link" + std::to_string(i);
    b.rod(name, Vec3(i, 0, 0), Vec3(i + 1, 0, 0), 1, 0.05);
    const std::string parent = i == 0 ? "ground" : "link" + std::to_string(i - 1);
    b.revolute("pin" + std::to_string(i), parent, name, Vec3(i, 0, 0), Vec3(0.3 * random.number(), random.number(), 1));
  }
  b.distance("tie", "link40", "link10", Vec3(40, 0, 0), Vec3(10, 1, 0));
  b.spherical("end", "ground", "link49", Vec3(50, 0, 0));
  expect_equal_accelerations<3>(b.build(), random, "chain");
}

/// A chain of short links in space, as drawn, with these coordinates and rates.
Mechanism chain_in_space(int links) {
  MechanismBuilder b("chain");
  b.gravity({0, 0, -9.81});
  for (int i = 0; i < links; ++i) {
    const std::string name = "link" + std::to_string(i), parent = i == 0 ? "ground" : "link" + std::to_string(i - 1);
    b.body(name, 1, Vec3(0.1 * (i + 0.5), 0, 0), Mat3(Vec3(0.001, 0.002, 0.0025).asDiagonal()));
    b.revolute("pin" + std::to_string(i), parent, name, Vec3(0.1 * i, 0, 0), Vec3(Vec3::Unit(i % 2 == 1 ? 1 : 2)));
  }
  return b.build();
}

/// What is far away does not matter to the first link, and its rounding must not.
TEST(Recursive, RoundingDoesNotGrowAlongChains) {
  const auto first_acceleration = [](int links) {
    const Mechanism mechanism = chain_in_space(links);
    const auto model = std::make_shared<const BodyModel<3>>(mechanism);
    const RecursiveFormulation<3> formulation(model, model->drawn(), make_spanning_tree(mechanism, {}), 1);
    const auto work = formulation.make_workspace();
    Context state;
    formulation.start(state, *work);
    for (int i = 0; i < links; ++i) state.q[i] = 0.1 * std::sin(i), state.v[i] = std::cos(3 * i);
    VecX a = state.q;
    formulation.position(0, state.q, state, *work);
    formulation.velocity(state.v, *work);
    EXPECT_EQ(formulation.accelerate(VecX(), *work, a), -1);
    return a[0];
  };
  const double expected = first_acceleration(1000);
  EXPECT_NEAR(first_acceleration(4000), expected, 1e-10 * std::abs(expected));
}

TEST(Recursive, SweepsGiveTheSameBitsWithAllInstructions) {
  if (!has_avx2()) GTEST_SKIP() << "this processor has no AVX2";
  RandomTree random(7);
  for (int i = 0; i < 20; ++i) {
    const Mechanism mechanism = random.spatial(1 + i);
    const BodyModel<3> model(mechanism);
    const auto shared = std::make_shared<const BodyModel<3>>(mechanism);
    const TreeMotion<3> motion(shared, model.drawn(), make_spanning_tree(mechanism, {}), 0);
    const int n = motion.coordinates();
    VecX memory = VecX::Zero(motion.memory_size());
    motion.start(memory);
    const VecX z = random.numbers(n), v = random.numbers(n);
    std::vector<Space<3>::Twist> wrenches;
    for (int b = 0; b <= model.bodies(); ++b) wrenches.push_back(random.numbers(6));
    std::vector<VecX> found;
    for (const SpatialSweeps& sweeps : {plain_spatial_sweeps(), avx2_spatial_sweeps()}) {
      const ArticulatedTree<3> tree(model, motion, sweeps);
      ArticulatedTree<3>::Buffers buffers(tree);
      VecX& a = found.emplace_back(VecX::Zero(n));
      tree.position(z, memory, buffers);
      tree.velocity(v, z, buffers);
      ASSERT_EQ(tree.accelerate(&wrenches, buffers, a), -1);
      tree.respond(wrenches, buffers);
      tree.add_response(buffers, a);
    }
    EXPECT_EQ(found[0], found[1]) << "tree " << i;
  }
}

}  // namespace
}  // namespace cardan
