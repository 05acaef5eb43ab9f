// Every column of trajectory.csv is a signal of the same name and value, and so is what there is beside the columns.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "cardan/io.hpp"
#include "cardan/registry.hpp"
#include "last_sample.hpp"
#include "mechanism/quantities.hpp"
#include "mechanism/trajectory_columns.hpp"
#include "signals/every_element.hpp"
#include "signals/signal_tangents.hpp"

namespace cardan {
namespace {

/// Compares columns "copy0", "copy1", ... with those that they name.
class Comparison final : public Sink {
 public:
  explicit Comparison(std::vector<std::string> names) : names_(std::move(names)) {}
  void start(const std::vector<std::string>& columns) override {
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const auto place = [&](const std::string& name) {
        return static_cast<std::size_t>(std::find(columns.begin(), columns.end(), name) - columns.begin());
      };
      pairs_.emplace_back(place(names_[i]), place("copy" + std::to_string(i)));
      ASSERT_LT(pairs_.back().second, columns.size());
    }
  }
  void sample(const double* row, std::size_t) override {
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const double column = row[pairs_[i].first], copy = row[pairs_[i].second];
      EXPECT_NEAR(copy, column, 1e-11 * (1 + std::abs(column))) << names_[i] << " at t = " << row[0];
    }
    ++rows;
  }
  int rows = 0;

 private:
  std::vector<std::string> names_;
  std::vector<std::pair<std::size_t, std::size_t>> pairs_;
};

std::string read_text(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

TEST(Columns, OfEveryModelAreSignals) {
  int runs = 0;
  for (const auto& file : std::filesystem::directory_iterator(CARDAN_SOURCE_DIR "/models")) {
    if (file.path().extension() != ".yaml") continue;
    const Mechanism model = read_mechanism(file.path().string());
    const std::vector<std::string> columns = trajectory_columns(model);
    std::string text = read_text(file.path()), copies = "\nsignals:\n";
    for (std::size_t i = 0; i < columns.size(); ++i)
      copies += "  copy" + std::to_string(i) + ": \"'" + columns[i] + "'\"\n";
    const std::size_t outputs = text.find("\noutputs: [");  // without them all are shown
    if (outputs != std::string::npos) text.erase(outputs, text.find('\n', outputs + 1) - outputs);
    const std::size_t own = text.find("\nsignals:\n");
    text.replace(std::min(own, text.size()), own == std::string::npos ? 0 : std::string("\nsignals:\n").size(), copies);
    const Mechanism copied = read_mechanism_text(text, file.path().string());
    for (const RegistryEntry& formulation : formulations()) {
      RunOptions options = options_of(std::string(formulation.name), 1e-3, 3e-3,
                                      formulation.name == "recursive" ? "rk4" : "trapezoidal");
      Comparison comparison(columns);
      const RunSummary summary = run(copied, options, &comparison);
      ASSERT_EQ(summary.status, RunStatus::ok) << file.path() << formulation.name << summary.reason;
      EXPECT_EQ(comparison.rows, 4) << file.path() << formulation.name;
      ++runs;
    }
  }
  EXPECT_GE(runs, 15 * static_cast<int>(formulations().size()));
}

MechanismBuilder with_copies(MechanismBuilder b, const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) b.signal("copy" + std::to_string(i), follow("'" + names[i] + "'"));
  return b;
}

/// Loads go off and on again on the way: what is off is 0 as a column and as a signal.
TEST(Columns, OfEveryElementAreSignals) {
  int runs = 0;
  for (const bool planar : {true, false}) {
    for (const bool events : {false, true}) {
      const RandomPlace p(31 + (events ? 1 : 0), planar);
      const MechanismBuilder b = every_element(p, planar, events);
      const std::vector<std::string> columns = trajectory_columns(b.build());
      const Mechanism copied = with_copies(b, columns).build();
      for (const RegistryEntry& formulation : formulations()) {
        Comparison comparison(columns);
        const RunSummary summary = run(copied,
                                       options_of(std::string(formulation.name), 2e-3, 0.06,
                                                  formulation.name == "recursive" ? "rk4" : "trapezoidal"),
                                       &comparison);
        ASSERT_EQ(summary.status, RunStatus::ok) << formulation.name << summary.reason;
        EXPECT_GE(comparison.rows, 31) << formulation.name;
        EXPECT_EQ(summary.allocations, 0) << formulation.name;
        ++runs;
      }
    }
  }
  EXPECT_EQ(runs, 4 * static_cast<int>(formulations().size()));
}

/// What is no column: every name is a signal that has a finite value, its unit, and the value of the theory.
class FurtherSignals : public testing::TestWithParam<bool> {
 protected:
  /// Runs a few steps and compares at the end of each with `check(simulation, value)`.
  template <class Check>
  void at_every_step(const MechanismBuilder& b, const Check& check) {
    names_ = further_signals(b.build());
    const Mechanism m = with_copies(b, names_).build();
    for (const Signal& s : m.signals)
      if (s.shown) EXPECT_FALSE(s.unit.empty()) << s.name << " " << s.expression.text();
    int runs = 0;
    for (const RegistryEntry& formulation : formulations()) {
      SCOPED_TRACE(formulation.name);
      Simulation s(m, options_of(std::string(formulation.name), 2e-3, 1,
                                 formulation.name == "recursive" ? "rk4" : "trapezoidal"));
      std::vector<double> row(s.columns().size());
      const auto value = [&](const std::string& name) {
        const auto copy = std::find(names_.begin(), names_.end(), name);
        const std::string column = copy == names_.end() ? name : "copy" + std::to_string(copy - names_.begin());
        const auto found = std::find(s.columns().begin(), s.columns().end(), column);
        EXPECT_NE(found, s.columns().end()) << name;
        return row[static_cast<std::size_t>(found - s.columns().begin())];
      };
      for (int step = 0; step < 12; ++step) {
        ASSERT_EQ(s.step(), StepStatus::ok);
        s.sample(row.data());
        for (const double number : row) ASSERT_TRUE(std::isfinite(number));
        check(s, value);
      }
      ++runs;
    }
    EXPECT_EQ(runs, static_cast<int>(formulations().size()));
  }
  static Vec3 vector(const auto& value, const std::string& name, const std::string& prefix, bool planar) {
    return {value(name + "." + prefix + "x"), value(name + "." + prefix + "y"),
            planar ? 0 : value(name + "." + prefix + "z")};
  }

 private:
  std::vector<std::string> names_;
};
INSTANTIATE_TEST_SUITE_P(PlaneAndSpace, FurtherSignals, testing::Bool());

TEST_P(FurtherSignals, AreMotionsOfBodiesAndMarkers) {
  const bool planar = GetParam();
  const RandomPlace p(41, planar);
  at_every_step(every_element(p, planar, false), [&](Simulation& s, const auto& value) {
    for (const auto& [index, name] : {std::pair(1, "coupler"), {4, "float"}}) {
      const BodyMotion motion = s.body(index);
      EXPECT_LT((vector(value, name, "a", planar) - motion.acceleration).norm(), 1e-9);
      if (planar) {
        EXPECT_NEAR(value(std::string(name) + ".alpha"), motion.angular_acceleration.z(), 1e-9);
      } else {
        EXPECT_LT((vector(value, name, "alpha", false) - motion.angular_acceleration).norm(), 1e-9);
      }
    }
    // A point of a rigid body: v = v_c + w x r, a = a_c + w' x r + w x (w x r)
    const BodyMotion motion = s.body(1);
    const Vec3 r = vector(value, "tip", "", planar) - motion.position, w = motion.angular_velocity;
    const Vec3 drawn = p.at(1, 1.3) - (p.at(0.2, 0.8, planar ? 0 : 0.1) + p.at(2, 1.1, planar ? 0 : -0.1)) / 2;
    EXPECT_NEAR(r.norm(), drawn.norm(), 1e-9);
    EXPECT_LT((vector(value, "tip", "v", planar) - motion.velocity - w.cross(r)).norm(), 1e-9);
    const Vec3 a = motion.acceleration + motion.angular_acceleration.cross(r) + w.cross(w.cross(r));
    EXPECT_LT((vector(value, "tip", "a", planar) - a).norm(), 1e-8);
    EXPECT_LT((vector(value, "fixed_mark", "", planar) - p.at(1, 2)).norm(), 1e-12);
    EXPECT_EQ(vector(value, "fixed_mark", "v", planar), Vec3(Vec3::Zero()));
  });
}

/// Newton's and Euler's laws of whole bodies, with the forces that signals tell. An integrator's accelerations keep
/// them as well as its iterations have converged.
constexpr double kConverged = 1e-5;

TEST_P(FurtherSignals, AreForcesThatMoveBodies) {
  const bool planar = GetParam();
  const RandomPlace p(42, planar);
  const Mechanism m = every_element(p, planar, false).build();
  const auto inertia_about = [&](const char* name, const Vec3& axis) {
    const auto body = std::find_if(m.bodies.begin(), m.bodies.end(), [&](const Body& b) { return b.name == name; });
    return axis.dot(body->inertia * axis);
  };
  at_every_step(every_element(p, planar, false), [&](Simulation& s, const auto& value) {
    // The float hangs on rubber (axes of ground) and a rope, in wind and gravity.
    const Vec3 along = (s.body(4).position - p.at(-2, 1)).normalized();
    const Vec3 force = vector(value, "rubber", "f", planar) + vector(value, "wind", "f", planar) -
                       along * value("rope.force") + 3 * m.gravity;
    EXPECT_LT((3 * s.body(4).acceleration - force).norm(), kConverged * (1 + force.norm()));
    // The block on its guide: the driver's effort makes up for spring and buffer.
    const Vec3 guide = planar ? p.along(1, 0.2).normalized() : p.along(1, 0.2, 0.1).normalized();
    EXPECT_NEAR(value("slide.a"), s.body(3).acceleration.dot(guide), 1e-8);
    EXPECT_NEAR(value("buffer.effort"), -30 * value("slide.q") - 2 * value("slide.v"), 1e-10);
    const Vec3 reaction = vector(value, "slide", "inertial_f", planar);
    EXPECT_LT(std::abs(reaction.dot(guide)), 1e-9);
    // The wheel turns with the gear alone; the reaction of a pin is the same told in other axes.
    const Vec3 axis = planar ? Vec3(Vec3::UnitZ()) : p.along(0.2, 0, 1).normalized();
    EXPECT_NEAR(inertia_about("wheel", axis) * value("spin.a"), value("gear.effort"),
                kConverged * (1 + std::abs(value("gear.effort"))));
    EXPECT_NEAR(vector(value, "C", "inertial_f", planar).norm(), vector(value, "C", "f", planar).norm(), 1e-9);
    EXPECT_LT((1 * (s.body(5).acceleration - m.gravity) - vector(value, "spin", "inertial_f", planar)).norm(), 1e-9);
    EXPECT_NEAR(value("hinge.effort"), -4 * (value("D.q") - 0.4) - 0.3 * value("D.v"), 1e-10);
    EXPECT_NEAR(value("rub.effort"), -0.2 * value("A.v") - 0.6 * std::tanh(value("A.v") / 0.01), 1e-10);
    EXPECT_NEAR(value("armature.effort"), -9 * 0.02 * value("A.a"), 1e-9);
  });
}

TEST_P(FurtherSignals, AreEnergiesInBalance) {
  const bool planar = GetParam();
  const RandomPlace p(43, planar);
  double before = 0, power_before = 0, start = 0;
  at_every_step(every_element(p, planar, false), [&](Simulation& s, const auto& value) {
    EXPECT_NEAR(value("energy.total"), value("energy.kinetic") + value("energy.potential"), 1e-9);
    EXPECT_NEAR(value("energy.total"), s.energy(), 1e-9 * std::abs(s.energy()));
    start = s.summary().energy_initial;
    EXPECT_NEAR(value("energy.error"), value("energy.total") - start - value("energy.work"), 1e-9);
    if (s.time() > 3e-3)  // the trapezoidal rule of the ledger
      EXPECT_NEAR(value("energy.work") - before, 1e-3 * (power_before + value("energy.power")), 1e-9);
    before = value("energy.work"), power_before = value("energy.power");
  });
}

/// The derivatives of forces, as the rate of a state has them: exact but for how directions turn, so at rest.
TEST(Columns, TangentsOfForcesAreThoseOfDifferences) {
  for (const bool planar : {true, false}) {
    const RandomPlace p(51, planar);
    MechanismBuilder b("tangents");
    b.planar(planar).gravity(Vec3::Zero());
    const auto turn = [&](const char* name, const char* body1, const char* body2, const Vec3& at, const Vec3& axis) {
      if (planar) {
        b.revolute(name, body1, body2, at);
      } else {
        b.revolute(name, body1, body2, at, axis);
      }
    };
    b.rod("one", p.at(0, 0), p.at(1, 0.3), 2, 0.05).rod("two", p.at(1, 0.3), p.at(1.8, -0.2), 1, 0.05);
    turn("hinge", "ground", "one", p.at(0, 0), p.along(0.1, 0.2, 1));
    turn("elbow", "one", "two", p.at(1, 0.3), p.along(0.3, -0.2, 1));
    const Vec3 hub = planar ? Vec3(20, 0.25, 0) : Vec3(20, 1, 0.25);
    b.body("post", 1, Place(hub), planar ? Mat3(Mat3::Identity()) : Mat3(Mat3::Identity()));
    b.body("wheel", 1, Place(hub), planar ? Mat3(Mat3::Identity()) : Mat3(Mat3::Identity()));
    b.prismatic("lift", "ground", "post", hub, planar ? Vec3(0.2, 1, 0) : Vec3(0.2, 0.1, 1));
    turn("steer", "post", "wheel", hub + Vec3(0.05, planar ? 0.02 : 0.1, planar ? 0 : 0.02), Vec3(0.3, 0.1, 1));
    RoadSpec road;
    road.name = "track";
    road.profile = std::vector<Vec2>{{10, 0.03}, {30, -0.02}};
    TyreSpec tyre;
    tyre.name = "tyre", tyre.body = "wheel", tyre.road = "track";
    tyre.radius = Number(0.3), tyre.stiffness = Number(200), tyre.damping = Number(5);
    if (!planar) {
      tyre.axis = Direction(Vec3(0.1, 1, 0.05));
      CalspanTyre side;
      side.a0 = 5, side.a1 = 0.8, side.a2 = 400, side.a3 = 0.1, side.a4 = 400, side.b3 = 1, side.low_speed = 1;
      tyre.lateral = Located<CalspanTyre>(side);
    }
    b.add(road).add(tyre);
    JointSpringSpec hold{.name = "hold", .joint = "hinge", .torsion = true};
    hold.force = Located<Function>(Function::polynomial({0.3, 3, 0.5, 2}));
    hold.damping_force = Located<Function>(Function::polynomial({0, 0.4, 0, 0.05}));
    b.add(hold).friction("rub", "elbow", 0.2, 0.6);
    BushingSpec rubber;
    rubber.name = "rubber", rubber.body1 = "one", rubber.body2 = "two";
    rubber.at1 = Place(p.at(1, 0.4)), rubber.at2 = Place(p.at(1.1, 0.5));
    rubber.stiffness = rubber.damping = Vec3(2, 3, planar ? 0 : 4);
    rubber.rotational_stiffness = rubber.rotational_damping = planar ? Vec3(0, 0, 1) : Vec3(2, 3, 1);
    b.add(rubber);
    ForceSpec jet{
        .name = "jet", .body = "two", .at = Place(p.at(1.8, -0.2)), .components = three("1", "2 - elbow.q", "2")};
    if (planar) jet.components[2] = Varying(0.0);
    jet.body_axes = true;
    b.add(jet);
    b.marker("tip", "two", Place(p.at(1.8, -0.2)));
    std::vector<std::string> names{"hold.effort", "rub.effort", "tyre.load", "tip.x", "tip.vy"};
    for (const char* load : {"rubber.f", "tyre.f", "jet.f"})
      for (const char* axis : planar ? std::vector{"x", "y"} : std::vector{"x", "y", "z"})
        names.push_back(std::string(load) + axis);
    for (const char* axis : planar ? std::vector{"z"} : std::vector{"x", "y", "z"})
      names.push_back(std::string("rubber.m") + axis);
    for (std::size_t i = 0; i < names.size(); ++i)
      b.state("z" + std::to_string(i), 0, follow("0.1*z" + std::to_string(i) + " + '" + names[i] + "'"));
    const Mechanism m = b.build();
    for (const Signal& s : m.signals)
      for (const std::string& name : names)
        if (s.name == name) EXPECT_LE(s.level, SignalLevel::velocity) << name;
    expect_tangents_of_differences(m, "hybrid", 2e-5, static_cast<int>(names.size()));
    if (planar) expect_tangents_of_differences(m, "cartesian", 2e-5, static_cast<int>(names.size()));
  }
}

}  // namespace
}  // namespace cardan
