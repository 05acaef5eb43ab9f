#include "studies/orders/order_cases.hpp"

#include <numbers>
#include <random>

#include "cardan/builder.hpp"

namespace cardan {
namespace {

constexpr unsigned kSeed = 20;
constexpr double kGravity = 9.81;  // m/s^2

// N m s/rad, in the bearing of a crank. Motions without it go back the way they came, and what rules err on the way
// cancels: the leading term of the error is then below the next one down to rounding, and says nothing of the order.
constexpr double kDrag = 0.3, kLittleDrag = 0.1;

Mat3 random_rotation(std::mt19937& random) {
  std::normal_distribution<double> normal;
  const double w = normal(random), x = normal(random), y = normal(random), z = normal(random);
  return Quat(w, x, y, z).normalized().toRotationMatrix();
}

Mat3 random_plane_rotation(std::mt19937& random) {
  const double angle = std::uniform_real_distribution<double>(0, 2 * std::numbers::pi)(random);
  return Eigen::AngleAxisd(angle, Vec3::UnitZ()).toRotationMatrix();
}

/// `part` somewhere, turned anyhow; its gravity turns along.
Mechanism anywhere(const MechanismBuilder& part, const Vec3& gravity, std::mt19937& random) {
  const bool planar = part.spec().planar;
  Placement placement;
  placement.turn = planar ? random_plane_rotation(random) : random_rotation(random);
  std::uniform_real_distribution<double> place(-2, 2);
  const double x = place(random), y = place(random), z = place(random);
  placement.at = Vec3(x, y, planar ? 0 : z);
  MechanismBuilder whole(part.spec().name);
  whole.planar(planar).gravity(placement.turn * gravity);
  whole.add(part.spec(), SubsystemUse{Name(""), placement, {}, {}});
  return whole.build();
}

/// Crank, coupler and rocker on a base of 1 m; the crank can turn all the way round.
void add_four_bar(MechanismBuilder& b) {
  const Place a0(0, 0), a(0, 0.4), c(1.1, 0.9), c0(1, 0);
  b.planar();
  b.rod("crank", a0, a, 1).rod("coupler", a, c, 2).rod("rocker", c0, c, 1.5);
  b.revolute("A0", "ground", "crank", a0).revolute("A", "crank", "coupler", a);
  b.revolute("C", "coupler", "rocker", c).revolute("C0", "ground", "rocker", c0);
}

Mechanism planar_loop(std::mt19937& random) {
  MechanismBuilder b("planar-loop");
  add_four_bar(b);
  b.torsion("drag", "A0", 0, kDrag);
  b.angular_velocity("crank", {0, 0, 5});
  return anywhere(b, {0, -kGravity, 0}, random);
}

/// The four-bar with an arm on its coupler, held by a spring and a damper some 40 times as fast as the linkage moves.
Mechanism stiff_loop(std::mt19937& random) {
  MechanismBuilder b("stiff-loads");
  add_four_bar(b);
  const Place middle(0.55, 0.65), tip(0.55, 1.05);
  b.rod("arm", middle, tip, 0.3).revolute("B", "coupler", "arm", middle);
  b.torsion("spring", "B", 600, 1.5);  // inertia about the pin 0.016 kg m^2: 194 rad/s, a quarter of critical damping
  b.angular_velocity("crank", {0, 0, 5});
  return anywhere(b, {0, -kGravity, 0}, random);
}

/// A spatial four-bar: revolute, spherical, universal, revolute; one degree of freedom. The crank can turn all the way.
Mechanism spatial_loop(const char* name, double crank_mass, double coupler_mass, double speed, double drag,
                       std::mt19937& random) {
  MechanismBuilder b(name);
  const Vec3 a0(0, 0, 0), a(0.25, 0, 0.1), c(0.9, 0.8, 0.7), c0(1.1, 0.3, 0.1);
  const Vec3 crank_axis = Vec3(-0.2, 0.3, 0.9).normalized(), rocker_axis = Vec3(0.9, -0.3, 0.4).normalized();
  const double radius = 0.05;
  b.rod("crank", a0, a, crank_mass, radius)
      .rod("coupler", a, c, coupler_mass, radius)
      .rod("rocker", c0, c, 1.5, radius);
  b.revolute("A0", "ground", "crank", a0, crank_axis).spherical("A", "crank", "coupler", a);
  const Vec3 along = (c - a).normalized(), first = along.cross(rocker_axis).normalized();
  b.universal("C", "coupler", "rocker", c, first, first.cross(Vec3(0.1, 0.2, 1)).normalized());
  b.revolute("C0", "ground", "rocker", c0, rocker_axis);
  b.torsion("drag", "A0", 0, drag);
  b.angular_velocity("crank", speed * crank_axis);
  return anywhere(b, {0, 0, -kGravity}, random);
}

/// Six revolute joints along the edges of a cube: moves although 6 * 5 - 5 * 6 = 0.
Mechanism bricard(std::mt19937& random) {
  MechanismBuilder b("redundant-loop");
  const Vec3 p[6] = {{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
  const char* const links[7] = {"ground", "rod1", "rod2", "rod3", "rod4", "rod5", "ground"};
  const Vec3 axes[6] = {Vec3::UnitY(), Vec3::UnitZ(), Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ(), Vec3::UnitX()};
  for (int i = 0; i < 5; ++i) b.rod(links[i + 1], p[i], p[i + 1], 1, 0.05);
  for (int i = 0; i < 6; ++i) b.revolute("hinge" + std::to_string(i + 1), links[i], links[i + 1], p[i], axes[i]);
  return anywhere(b, {0, -kGravity, 0}, random);
}

/// A rod on a ball joint, thrown sideways.
Mechanism pendulum(std::mt19937& random) {
  MechanismBuilder b("pendulum");
  const Vec3 pivot(0, 0, 0), tip(0.7, 0.2, -0.4);
  b.rod("rod", pivot, tip, 2, 0.05).spherical("ball", "ground", "rod", pivot);
  b.angular_velocity("rod", {1, -2, 3});
  return anywhere(b, {0, 0, -kGravity}, random);
}

}  // namespace

std::vector<OrderCase> small_step_cases() {
  constexpr double kDuration = 0.02, kReferenceStep = 0.002;  // s
  std::vector<OrderCase> cases = order_cases();
  std::mt19937 random(kSeed);
  cases.push_back({"pendulum", "a rod on a ball joint", pendulum(random), 0, 0});
  for (OrderCase& c : cases) c.duration = kDuration, c.longest_step = kReferenceStep, c.times = 2;
  return cases;
}

std::vector<OrderCase> order_cases() {
  std::mt19937 random(kSeed);
  std::vector<OrderCase> cases;
  cases.push_back(
      {"planar loop", "a four-bar with a little drag, as all but the redundant one", planar_loop(random), 0.8, 0.005});
  cases.push_back({"spatial loop", "a spatial four-bar with revolute, spherical, universal and revolute joints",
                   spatial_loop("spatial-loop", 1, 2, 5, kDrag, random), 0.8, 0.005});
  cases.push_back({"redundant loop", "Bricard's six bars, one constraint of which is redundant at every instant",
                   bricard(random), 0.8, 0.02});
  cases.push_back({"massless body", "the spatial four-bar with a coupler that has neither mass nor inertia",
                   spatial_loop("massless-body", 1, 0, 5, kDrag, random), 0.8, 0.005});
  cases.push_back({"stiff loads", "the planar four-bar with an arm on its coupler, held by a stiff spring and damper",
                   stiff_loop(random), 0.16, 0.001});
  cases.push_back({"many turns", "the spatial four-bar with a heavy crank, thrown through some eight turns",
                   spatial_loop("many-turns", 20, 2, 30, kLittleDrag, random), 2, 0.002});
  return cases;
}

}  // namespace cardan
