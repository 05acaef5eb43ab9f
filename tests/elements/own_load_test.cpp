// A load that the library does not know, registered by a program: read from model files, checked, mirrored and run like
// the library's own. (That a program outside of the library can have one is tested with docs/library.md.)
#include <gtest/gtest.h>

#include <cmath>

#include "cardan/cardan.hpp"
#include "random_place.hpp"

namespace cardan {
namespace {

/// Pulls two points together with force / (distance + gap)^2, `force` being that at a metre.
struct MagnetSpec {
  Name name, body1, body2;
  std::optional<Place> at1, at2;
  Number force, gap = 0.01;
  bool exact = true;

  ElementKind kind() const { return {"magnet", "a magnet"}; }
  void fields(FieldVisitor& visit) {
    visit.two_bodies(Field("magnet").required().like("[ground, BODY]"), body1, body2);
    visit.two_places(Field("at").required("write 'at: [POINT, POINT]'"), at1, at2);
    visit.number(Field("force", "", "N").required("add 'force', N").bounded(Bound::not_negative), force);
    visit.number(Field("gap", "", "m", "0.01").bounded(Bound::positive), gap);
    visit.flag(Field("exact", "", "", "true"), exact);
  }
  void lower(Lowering& to) const {
    const double f = force.value, g = gap.value;
    const auto value = [f, g](double s) { return f / ((s + g) * (s + g)); };
    const auto with_derivatives = [f, g](double s) {
      const double r = s + g;
      return Function::Value{f / (r * r), -2 * f / (r * r * r), 6 * f / (r * r * r * r)};
    };
    to.add(SpringDamper{.body1 = to.body(body1),
                        .body2 = to.body(body2),
                        .point1 = to.place(*at1),
                        .point2 = to.place(*at2),
                        .spring = exact ? Function::custom(with_derivatives) : Function::custom(value, g)});
  }
};

/// A law on a coordinate that is not the same both ways.
struct RatchetSpec {
  Name name, joint;
  std::optional<Located<int>> coordinate;
  Number zero = 0.0;

  ElementKind kind() const { return {"ratchet", "a ratchet"}; }
  void fields(FieldVisitor& visit) {
    visit.joint(Field("ratchet").required(), joint, coordinate);
    visit.number(Field("zero", "", "rad", "0").turning(), zero);
  }
  void lower(Lowering& to) const {
    if (const auto q = to.coordinate(joint, coordinate))
      to.add(JointSpringDamper{.joint = q->joint,
                               .coordinate = q->index,
                               .free_position = zero.value,
                               .spring = Function::polynomial({0, 2})});
  }
};

/// A driver: a coordinate that swings ever faster, q = amplitude sin(rate t^2).
struct SweepSpec {
  Name name, joint;
  std::optional<Located<int>> coordinate;
  Number amplitude, rate;

  ElementKind kind() const { return {"sweep", "a sweep", "driver"}; }
  void fields(FieldVisitor& visit) {
    visit.joint(Field("sweep").required(), joint, coordinate);
    visit.number(Field("amplitude", "", "rad or m").required("add 'amplitude'").turning(), amplitude);
    visit.number(Field("rate", "", "rad/s^2").required("add 'rate'"), rate);
  }
  void lower(Lowering& to) const {
    const auto q = to.coordinate(joint, coordinate);
    if (!q) return;
    const auto path = [a = amplitude.value, r = rate.value](double t) {
      const double s = std::sin(r * t * t), c = std::cos(r * t * t);
      return Function::Value{a * s, 2 * a * r * t * c, 2 * a * r * (c - 2 * r * t * t * s)};
    };
    to.add(Driver{.joint = q->joint, .coordinate = q->index, .position = Function::custom(path)});
  }
};

class OwnLoad : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    register_element(MagnetSpec{});
    register_element(RatchetSpec{});
    register_element(SweepSpec{});
  }
  static std::string messages(const std::string& loads) {
    try {
      read_mechanism_text(
          "cardan: 1\nplanar: true\nbodies: {a: {rod: [[0, 0], [1, 0]], mass: 1}}\n"
          "joints: {pin: {revolute: [ground, a], at: [0, 0]}}\nloads: {m: {" +
              loads + "}}\n",
          "m.yaml");
    } catch (const ModelError& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(OwnLoad, IsReadAndCheckedLikeAnyOther) {
  EXPECT_EQ(messages("magnet: [ground, a], at: [[2, 0], [1, 0]], force: 3"), "");
  EXPECT_EQ(messages("magnet: [ground, a], at: [[2, 0], [1, 0]], forse: 3"),
            "m.yaml:5:56: error: load 'm': a magnet has no field 'forse'; did you mean 'force'?");
  EXPECT_EQ(messages("magnet: [ground, a], at: [[2, 0], [1, 0]]"),
            "m.yaml:5:9: error: load 'm': 'force' is missing; add 'force', N");
  EXPECT_EQ(messages("magnet: [ground, a], at: [[2, 0], [1, 0]], force: 3, gap: 0"),
            "m.yaml:5:71: error: load 'm': the gap is 0; give it greater than 0");
  EXPECT_EQ(messages("magnet: [ground, b], at: [[2, 0], [1, 0]], force: 3"),
            "m.yaml:5:30: error: load 'm': no body is called 'b'; the bodies are a, ground");
  EXPECT_EQ(messages("magnet: a, at: [[2, 0], [1, 0]], force: 3"),
            "m.yaml:5:21: error: load 'm': 'magnet' should be two names, as [ground, BODY], but is 'a'");
  EXPECT_NE(messages("magnt: [ground, a]").find("did you mean 'magnet'?"), std::string::npos);
}

TEST_F(OwnLoad, IsRegisteredOnce) {
  EXPECT_THROW(register_element(MagnetSpec{}), std::invalid_argument);
  EXPECT_THROW(register_element(SpringSpec{}), std::invalid_argument);
  struct Nameless : MagnetSpec {
    ElementKind kind() const { return {"two words", "nothing"}; }
  };
  EXPECT_THROW(register_element(Nameless{}), std::invalid_argument);
  EXPECT_NE(json_schema().find("\"magnet\""), std::string::npos);
}

TEST_F(OwnLoad, BecomesAtMostOneSpring) {
  struct TwinSpec : MagnetSpec {
    ElementKind kind() const { return {"twin", "twin magnets"}; }
    void fields(FieldVisitor& visit) { visit.two_bodies(Field("twin").required(), body1, body2); }
    void lower(Lowering& to) const {
      for (double x : {1.0, 2.0}) to.add(SpringDamper{.body2 = to.body(body2), .point1 = {x, 1, 0}});
    }
  };
  register_element(TwinSpec{});
  EXPECT_NE(messages("twin: [ground, a]").find("it becomes two springs"), std::string::npos);
}

TEST_F(OwnLoad, MayBeADriverInstead) {
  const Mechanism m = read_mechanism_text(R"(
cardan: 1
planar: true
bodies: {arm: {rod: [[0, 0], [1, 0]], mass: 1}}
joints: {pin: {revolute: [ground, arm], at: [0, 0]}}
drivers: {shake: {sweep: pin, amplitude: 0.2, rate: 3}}
events: {calm: {at: 0.8, off: shake}}
)",
                                          "sweep.yaml");
  ASSERT_EQ(m.drivers.size(), 1u);
  RunOptions options;
  options.step = 1e-3;
  Simulation simulation(m, options);
  for (int i = 0; i < 700; ++i) ASSERT_EQ(simulation.step(), StepStatus::ok);
  const double angle = 0.2 * std::sin(3 * 0.49);
  EXPECT_NEAR(simulation.body(0).position.y(), 0.5 * std::sin(angle), 1e-6);
}

/// v^2 / 2 = F / m (1 / (s + g) - 1 / (s0 + g)) from rest, in every formulation and anywhere in space, with exact
/// derivatives and by differences.
TEST_F(OwnLoad, PullsAsItsLawSays) {
  int runs = 0;
  for (const RegistryEntry& formulation : formulations()) {
    for (const bool exact : {true, false}) {
      SCOPED_TRACE(std::string(formulation.name) + (exact ? " exact" : " by differences"));
      const RandomPlace place(11u + static_cast<unsigned>(runs), false);
      MechanismBuilder b("magnet");
      b.gravity(Vec3::Zero()).box("cart", {0.1, 0.2, 0.3}, place.at(1, 0), 2);
      b.prismatic("rail", "ground", "cart", place.at(1, 0), place.along(1, 0, 0));
      MagnetSpec magnet;
      magnet.name = "magnet", magnet.body1 = "ground", magnet.body2 = "cart";
      magnet.at1 = Place(place.at(0, 0)), magnet.at2 = Place(place.at(1, 0));
      magnet.force = 3.0, magnet.gap = 0.2, magnet.exact = exact;
      b.add(magnet);
      RunOptions options;
      options.formulation = formulation.name;
      options.integrator = why_not(formulation.name, "rk4").empty() ? "rk4" : "trapezoidal";
      options.step = 1e-3;
      Simulation simulation(b.build(), options);
      for (int i = 0; i < 300; ++i) ASSERT_EQ(simulation.step(), StepStatus::ok);
      const BodyMotion cart = simulation.body(0);
      const double s = (cart.position - place.at(0, 0)).norm(), s0 = place.size();
      EXPECT_LT(s, 0.99 * s0);
      EXPECT_NEAR(cart.velocity.norm(), std::sqrt(2 * 3.0 / 2 * (1 / (s + 0.2) - 1 / (s0 + 0.2))), 1e-6);
      ++runs;
    }
  }
  EXPECT_GE(runs, 10);
}

/// The angle of a planar revolute joint turns round in a mirror, and what is counted along it.
TEST_F(OwnLoad, IsMirroredByItsFields) {
  MechanismBuilder part("part");
  part.planar().rod("arm", {0, 0}, {1, 0}, 1).revolute("pin", "ground", "arm", {0, 0});
  RatchetSpec ratchet;
  ratchet.name = "ratchet", ratchet.joint = "pin", ratchet.zero = 0.3;
  part.add(ratchet);
  MagnetSpec magnet;
  magnet.name = "magnet", magnet.body1 = "ground", magnet.body2 = "arm";
  magnet.at1 = Place(0, 1), magnet.at2 = Place(1, 0), magnet.force = 1.0;
  part.add(magnet);
  MechanismBuilder whole("whole");
  whole.planar().add(part.spec(), {.name = "left", .placement = {.at = Vec3(0, 2, 0), .mirror = {false, true, false}}});
  const Mechanism m = whole.build();
  ASSERT_EQ(m.joint_springs.size(), 1u);
  EXPECT_EQ(m.joint_springs[0].name, "left/ratchet");
  EXPECT_EQ(m.joint_springs[0].free_position, -0.3);
  ASSERT_EQ(m.springs.size(), 1u);
  EXPECT_EQ(m.springs[0].point1, Vec3(0, 1, 0));
  EXPECT_EQ(m.springs[0].point2, Vec3(1, 2, 0));
}

}  // namespace
}  // namespace cardan
