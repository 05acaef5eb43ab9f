// Every derivative a formulation gives against differences: Phi_q, Phi_t, gamma; M against the kinetic energy of the
// bodies; Q against the power of the loads.
#include <gtest/gtest.h>

#include <random>

#include "cardan/builder.hpp"
#include "formulation/loaded_mechanisms.hpp"
#include "formulation/natural/natural_formulation.hpp"
#include "formulation/relative/topological_formulation.hpp"
#include "integration/linkages.hpp"
#include "system/assembly.hpp"

namespace cardan {
namespace {

/// Every joint type, as tree joints and closures, every kind of load, drivers; in space.
Mechanism spatial_sample() {
  MechanismBuilder b("sample");
  b.gravity({1, -2, -9});
  const char* const names[] = {"b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8"};
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto vector = [&] { return Vec3(uniform(random), uniform(random), uniform(random)); };
  for (const char* name : names)
    b.body(name, 1 + 0.5 * uniform(random), vector(), Mat3(Vec3(0.3, 0.4, 0.5).asDiagonal()));
  const Vec3 u = vector().normalized(), w = u.cross(vector()).normalized();
  b.free("j1", "ground", "b1").revolute("j2", "b1", "b2", vector(), u).prismatic("j3", "b3", "b2", vector(), w);
  b.cylindrical("j4", "b3", "b4", vector(), u)
      .universal("j5", "b5", "b4", vector(), u, w)
      .spherical("j6", "b5", "b6", vector());
  b.planar_joint("j7", "b6", "b7", vector(), w).fixed("j8", "b7", "b8");
  // Closures of every type; the sample is over-constrained, which derivatives do not mind.
  b.revolute("c2", "b1", "b4", vector(), u)
      .prismatic("c3", "b2", "b5", vector(), w)
      .cylindrical("c4", "b6", "b3", vector(), w);
  b.universal("c5", "b1", "b7", vector(), u, w)
      .spherical("c6", "b8", "b2", vector())
      .planar_joint("c7", "b3", "b8", vector(), u);
  b.fixed("c8", "b4", "b6").distance("c9", "b5", "b8", vector(), vector());
  b.spring("s1", "b1", "b6", vector(), vector(), 30, 2).torsion("s2", "j2", 5, 0.3, 0.2);
  b.driver("d1", "j3", Function::sine(0.2, 3)).driver("d2", "j2", Function::polynomial({0, 0.4, 0.2}));
  return b.build();
}

Mechanism planar_sample() {
  MechanismBuilder b("sample");
  b.planar().gravity({1, -9, 0});
  for (const char* name : {"b1", "b2", "b3", "b4"}) b.body(name, 1.5, Place(name[1] - '0', 0.3 * (name[1] - '0')), 0.4);
  b.free("j1", "ground", "b1")
      .revolute("j2", "b1", "b2", Place(1.4, 0.2))
      .prismatic("j3", "b3", "b2", Place(2.5, 0.4), Direction(1, 0.4));
  b.fixed("j4", "b3", "b4")
      .revolute("c2", "b4", "b1", Place(2, -1))
      .prismatic("c3", "ground", "b4", Place(4, 1), Direction(0.3, 1));
  b.distance("c4", "ground", "b2", Place(0, 2), Place(2, 1)).fixed("c5", "b1", "b3");
  b.spring("s1", "ground", "b3", Place(0, -2), Place(3, 0), 30, 2).torsion("s2", "j2", 5, 0.3, 0.2);
  b.driver("d1", "j3", Function::sine(0.2, 3));
  return b.build();
}

/// A formulation started at the drawn configuration (no assembly: the samples are not closed), at a random state.
template <int D, class Make>
void check_derivatives(const Mechanism& mechanism, const Make& make, bool exact_off_the_constraints) {
  auto model = std::make_shared<const BodyModel<D>>(mechanism);
  const std::unique_ptr<BodyFormulation<D>> formulation = make(model);
  const Structure& s = formulation->structure();
  const auto work = formulation->make_workspace();
  Context state;
  formulation->start(state, *work);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const double t = 0.7;
  const int drivers = static_cast<int>(mechanism.drivers.size());
  VecX q = state.q, v(s.coordinates);
  for (int i = 0; i < s.coordinates; ++i) v[i] = uniform(random);
  if (exact_off_the_constraints) {
    for (int i = 0; i < s.coordinates; ++i) q[i] += 0.3 * uniform(random);
  }
  const Equations& e = work->equations;
  const double h = 1e-5;
  // Drivers, couplers and pitches in natural coordinates are exact along motions that keep bodies rigid; their rows are
  // checked by the runs.
  int rows = s.constraints;
  if (!exact_off_the_constraints) {
    rows -= drivers + static_cast<int>(mechanism.couplers.size());
    for (const Joint& joint : mechanism.joints) rows -= joint.type == JointType::screw;
  }

  formulation->position(t, q, state, *work);
  formulation->velocity(v, *work);
  formulation->gamma(*work);
  const Equations at = e;
  const auto rate = [&](double dt) {  // of Phi along q + v dt, t + dt
    formulation->position(t + dt, q + dt * v, state, *work);
    VecX result(s.constraints);
    for (int k = 0; k < s.constraints; ++k) result[k] = row_times(s.jacobian, e.jacobian, k, v) + e.phi_t[k];
    return result;
  };
  const VecX second = (rate(h) - rate(-h)) / (2 * h);
  for (int k = 0; k < rows; ++k)
    EXPECT_NEAR(second[k], -at.gamma[k], 1e-6 * (1 + std::abs(at.gamma[k]))) << s.constraint_names[k];

  for (int i = 0; i < s.coordinates; ++i) {
    VecX plus = q, minus = q;
    plus[i] += h, minus[i] -= h;
    formulation->position(t, plus, state, *work);
    const VecX phi_plus = e.phi;
    formulation->position(t, minus, state, *work);
    const VecX column = (phi_plus - e.phi) / (2 * h);
    VecX unit = VecX::Unit(s.coordinates, i);
    for (int k = 0; k < rows; ++k) {
      EXPECT_NEAR(row_times(s.jacobian, at.jacobian, k, unit), column[k], 1e-6)
          << s.constraint_names[k] << " " << s.coordinate_names[i];
    }
  }
  formulation->position(t + h, q, state, *work);
  const VecX later = e.phi;
  formulation->position(t - h, q, state, *work);
  for (int k = 0; k < s.constraints; ++k)
    EXPECT_NEAR(at.phi_t[k], (later[k] - e.phi[k]) / (2 * h), 1e-6) << s.constraint_names[k];
}

TEST(Derivatives, OfRelativeCoordinates) {
  const auto relative = [](auto model) {
    using Model = std::decay_t<decltype(*model)>;
    constexpr int D = Model::Vector::RowsAtCompileTime;
    return std::make_unique<RelativeFormulation<D>>(model, model->drawn(), make_spanning_tree(model->mechanism(), {}),
                                                    1.0);
  };
  check_derivatives<2>(
      planar_sample(), [&](auto m) -> std::unique_ptr<BodyFormulation<2>> { return relative(m); }, true);
  check_derivatives<3>(
      spatial_sample(), [&](auto m) -> std::unique_ptr<BodyFormulation<3>> { return relative(m); }, true);
}

TEST(Derivatives, OfLinksCouplersAndScrews) {
  const auto relative = [](auto model) {
    using Model = std::decay_t<decltype(*model)>;
    constexpr int D = Model::Vector::RowsAtCompileTime;
    return std::make_unique<RelativeFormulation<D>>(
        model, model->drawn(),
        make_spanning_tree(model->mechanism(), D == 3 ? std::vector<std::string>{} : std::vector<std::string>{"guide"}),
        1.0);
  };
  // With a free joint beside the one that is cut. (In space the angle of a cut joint has the gradient of its axis,
  // which is exact where the joint holds: the runs check that.)
  const auto beside = [](Mechanism m, const char* body) {
    Joint joint;
    joint.name = "beside";
    joint.type = JointType::free;
    for (std::size_t i = 0; i < m.bodies.size(); ++i) {
      if (m.bodies[i].name == body) joint.body2 = static_cast<int>(i);
    }
    m.joints.push_back(joint);
    return m;
  };
  check_derivatives<2>(
      beside(elements_in_plane(), "slide"), [&](auto m) -> std::unique_ptr<BodyFormulation<2>> { return relative(m); },
      true);
  check_derivatives<3>(
      elements_in_space(), [&](auto m) -> std::unique_ptr<BodyFormulation<3>> { return relative(m); }, true);
  check_derivatives<2>(
      elements_in_plane(),
      [](auto m) -> std::unique_ptr<BodyFormulation<2>> {
        return std::make_unique<NaturalFormulation<2>>(m, m->drawn(), 1.0);
      },
      false);
  check_derivatives<3>(
      elements_in_space(),
      [](auto m) -> std::unique_ptr<BodyFormulation<3>> {
        return std::make_unique<NaturalFormulation<3>>(m, m->drawn(), 1.0);
      },
      false);
}

TEST(Derivatives, OfNaturalCoordinates) {
  check_derivatives<2>(
      planar_sample(),
      [](auto m) -> std::unique_ptr<BodyFormulation<2>> {
        return std::make_unique<NaturalFormulation<2>>(m, m->drawn(), 1.0);
      },
      false);
  check_derivatives<3>(
      spatial_sample(),
      [](auto m) -> std::unique_ptr<BodyFormulation<3>> {
        return std::make_unique<NaturalFormulation<3>>(m, m->drawn(), 1.0);
      },
      false);
}

/// Half v^T M v is the kinetic energy of the bodies, and Q the change of the loads' power with v.
template <int D>
void check_energy_and_power(const BodyFormulation<D>& formulation) {
  const Structure& s = formulation.structure();
  const auto work = formulation.make_workspace();
  Context state;
  formulation.start(state, *work);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  VecX v(s.coordinates);
  for (int i = 0; i < s.coordinates; ++i) v[i] = uniform(random);
  formulation.position(0, state.q, state, *work);
  formulation.velocity(v, *work);
  formulation.dynamics(*work);
  const BodyModel<D>& model = formulation.model();
  VecX momentum = VecX::Zero(s.coordinates);
  multiply_add(s.pattern, work->equations.mass, v, momentum);
  EXPECT_NEAR(0.5 * v.dot(momentum), model.kinetic_energy(formulation.kinematics(*work)), 1e-10);

  // At rest Q has no velocity terms: Q . v is the power of gravity and springs in a motion v.
  formulation.velocity(VecX::Zero(s.coordinates), *work);
  formulation.dynamics(*work);
  const VecX force = work->equations.force;
  formulation.velocity(v, *work);
  const BodyKinematics<D>& k = formulation.kinematics(*work);
  std::vector<typename Space<D>::Twist> wrenches(model.bodies() + 1, Space<D>::Twist::Zero());
  BodyKinematics<D> resting = k;
  for (auto& z : resting.twist) z.setZero();
  model.apply_gravity(resting, wrenches);
  model.apply_loads(0, resting, state.memory, wrenches, nullptr);
  double power = 0;
  for (int b = 0; b < model.bodies(); ++b) power += wrenches[b].dot(k.twist[b]);
  EXPECT_NEAR(force.dot(v), power, 1e-10 * (1 + std::abs(power)));
}

/// Q - M a by a sweep over the bodies is what Q and M say, in states next to the start.
template <int D, class Formulation>
void check_sweep(const Formulation& formulation, double away) {
  const Structure& s = formulation.structure();
  const auto work = formulation.make_workspace();
  Context state;
  formulation.start(state, *work);
  std::mt19937 random(6);
  std::uniform_real_distribution<double> uniform(-1, 1);
  VecX q = state.q, v = state.v, a = state.v, swept = VecX::Zero(s.coordinates);
  for (int again = 0; again < 3; ++again) {
    for (int i = 0; i < s.coordinates; ++i)
      q[i] = state.q[i] + away * uniform(random), v[i] = uniform(random), a[i] = uniform(random);
    ASSERT_EQ(formulation.position(0.2, q, state, *work), StepStatus::ok);
    formulation.velocity(v, *work);
    formulation.dynamics(*work);
    VecX expected = VecX::Zero(s.coordinates);
    multiply_add(s.pattern, work->equations.mass, a, expected);
    expected = work->equations.force - expected;
    formulation.sweep(a, *work, swept);
    EXPECT_LT((swept - expected).lpNorm<Eigen::Infinity>(), 1e-12 * expected.lpNorm<Eigen::Infinity>());
  }
}

template <int D>
void check_sweep(const Mechanism& mechanism) {
  const auto model = std::make_shared<const BodyModel<D>>(mechanism);
  check_sweep<D>(RelativeFormulation<D>(model, model->drawn(), make_spanning_tree(mechanism, {}), 1.0), 0.3);
}

TEST(Sweep, FindsWhatTheMassMatrixAndForcesSay) {
  for (const Mechanism& mechanism : {spatial_sample(), elements_in_space(), loaded_in_space()})
    check_sweep<3>(mechanism);
  for (const Mechanism& mechanism : {planar_sample(), loaded_in_plane()}) check_sweep<2>(mechanism);
}

/// With the loops closed, R^T (Q - M (R a + c)).
template <int D>
void check_closed_sweep(const Mechanism& mechanism, bool is_closed) {
  const auto model = std::make_shared<const BodyModel<D>>(mechanism);
  const TopologicalFormulation<D> formulation(model, model->drawn(), make_spanning_tree(mechanism, {}), 1.0);
  const int tied = formulation.full().structure().coordinates - formulation.structure().coordinates;
  ASSERT_GT(formulation.structure().coordinates, 0);
  EXPECT_EQ(tied > 0, is_closed);
  check_sweep<D>(formulation, 0.02);
}

TEST(Sweep, FindsTheSameInIndependentCoordinates) {
  for (const bool driven : {false, true}) {
    check_closed_sweep<2>(loaded_in_plane(driven), true);
    check_closed_sweep<3>(loaded_in_space(driven), true);
  }
  check_closed_sweep<2>(closed_four_bar(), true);
  check_closed_sweep<2>(n_window_linkage(3), true);
  for (const unsigned seed : {1U, 2U, 3U}) {
    check_closed_sweep<3>(spatial_loop(seed), true);
    check_closed_sweep<3>(open_chain(seed), false);
  }
  check_closed_sweep<3>(chain_in_space(), false);
}

TEST(Energy, OfTheTreeIsThatOfItsBodies) {
  const auto space = std::make_shared<const BodyModel<3>>(spatial_sample());
  check_energy_and_power<3>(
      RelativeFormulation<3>(space, space->drawn(), make_spanning_tree(space->mechanism(), {}), 1.0));
  const auto rotors = std::make_shared<const BodyModel<3>>(elements_in_space());
  check_energy_and_power<3>(
      RelativeFormulation<3>(rotors, rotors->drawn(), make_spanning_tree(rotors->mechanism(), {}), 1.0));
  const auto plane = std::make_shared<const BodyModel<2>>(planar_sample());
  check_energy_and_power<2>(
      RelativeFormulation<2>(plane, plane->drawn(), make_spanning_tree(plane->mechanism(), {}), 1.0));
}

}  // namespace
}  // namespace cardan
