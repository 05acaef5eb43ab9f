#include "studies/robustness/random_mechanism.hpp"

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "cardan/builder.hpp"

namespace cardan {
namespace {

/// Draws numbers, and places, directions and masses made of them.
class Draw {
 public:
  Draw(unsigned seed, bool planar) : random_(seed), planar_(planar) {
    for (unsigned i = 0; i < 8; ++i) random_();
    const Vec3 axis = planar ? Vec3(0, 0, 1) : Vec3(number(), number(), number()).normalized();
    turn_ = Eigen::AngleAxisd(std::numbers::pi * number(), axis);
    const double x = 2 * number(), y = 2 * number(), z = 2 * number();
    shift_ = Vec3(x, y, planar ? 0 : z);
    size_ = std::pow(2, number());
  }
  double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  double number() { return between(-1, 1); }
  int whole(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  bool chance(double part) { return between(0, 1) < part; }
  /// kg: in half of the mechanisms all are alike, in the others a gram to a ton.
  double mass() {
    if (!ratios_) ratios_ = chance(0.5) ? 3 : 0.3;
    return std::pow(10, *ratios_ * number());
  }
  Vec3 vector() {
    const double x = number(), y = number(), z = number();
    return {x, y, planar_ ? 0 : z};
  }
  Vec3 direction() { return vector().normalized(); }
  Vec3 at(const Vec3& drawn) const { return shift_ + turn_ * (size_ * drawn); }
  Vec3 along(const Vec3& drawn) const { return turn_ * drawn; }
  double size() const { return size_; }
  bool planar() const { return planar_; }

 private:
  std::mt19937 random_;
  bool planar_;
  std::optional<double> ratios_;
  Quat turn_;
  Vec3 shift_;
  double size_ = 1;
};

std::string numbered_name(const char* what, int i) { return what + std::to_string(i); }

MechanismBuilder started(Draw& draw, const char* kind) {
  MechanismBuilder b(kind);
  b.planar(draw.planar()).gravity(9.81 * draw.along(draw.planar() ? Vec3(0, -1, 0) : draw.direction()));
  return b;
}

void pin(MechanismBuilder& b, const Draw& draw, const std::string& name, const std::string& one, const std::string& two,
         const Vec3& drawn, const Vec3& axis = Vec3(0, 0, 1)) {
  if (draw.planar())
    b.revolute(name, one, two, draw.at(drawn));
  else
    b.revolute(name, one, two, draw.at(drawn), draw.along(axis));
}

void rod(MechanismBuilder& b, Draw& draw, const std::string& name, const Vec3& from, const Vec3& to) {
  b.rod(name, draw.at(from), draw.at(to), draw.mass(), draw.planar() ? 0 : 0.05 * draw.size());
}

/// Chains with branches, springs from ground to some of the bodies.
Mechanism tree(Draw& draw, const char* kind) {
  MechanismBuilder b = started(draw, kind);
  const int bodies = draw.whole(2, 5);
  std::vector<Vec3> center{Vec3::Zero()};
  std::vector<std::string> name{"ground"};
  for (int i = 0; i < bodies; ++i) {
    const int parent = draw.chance(0.7) ? i : draw.whole(0, i);
    center.push_back(center[parent] + 0.3 * draw.direction() + 0.5 * draw.vector());
    name.push_back(numbered_name("body", i));
    const double mass = draw.mass(), square = draw.size() * draw.size();
    const double x = draw.between(0.02, 0.1), y = draw.between(0.02, 0.1);
    const Mat3 axes = Eigen::AngleAxisd(3 * draw.number(), Vec3(0.3, -0.5, 0.8).normalized()).toRotationMatrix();
    if (draw.planar())
      b.body(name.back(), mass, draw.at(center.back()), mass * square * x);
    else
      b.body(name.back(), mass, draw.at(center.back()),
             Mat3(mass * square * (axes * Vec3(x, y, 0.9 * (x + y)).asDiagonal() * axes.transpose())));
    const std::string joint = numbered_name("joint", i);
    const Vec3 middle = 0.5 * (center[parent] + center.back()) + 0.1 * draw.vector();
    const Vec3 axis = draw.direction();
    const int type = draw.whole(0, draw.planar() ? 3 : 6);
    switch (type) {
      case 0:
        b.prismatic(joint, name[parent], name.back(), draw.at(middle), draw.along(axis));
        break;
      case 4:
        b.spherical(joint, name[parent], name.back(), draw.at(middle));
        break;
      case 5:
        b.universal(joint, name[parent], name.back(), draw.at(middle), draw.along(axis),
                    draw.along(axis.cross(draw.vector()).normalized()));
        break;
      case 6:
        b.cylindrical(joint, name[parent], name.back(), draw.at(middle), draw.along(axis));
        break;
      default:
        pin(b, draw, joint, name[parent], name.back(), middle, axis);
    }
    if (type < 4) b.joint_velocity(joint, 2 * draw.number());  // those of one coordinate
    if (draw.chance(0.5))
      b.spring(numbered_name("spring", i), "ground", name.back(), draw.at(2 * draw.direction()),
               draw.at(center.back() + 0.2 * draw.vector()), 100 * mass, draw.chance(0.5) ? 2 * mass : 0);
  }
  return b.build();
}

/// Four-bars, one on another: each takes the rocker of the one before for its crank, or begins anew at ground.
Mechanism planar_loops(Draw& draw, const char* kind) {
  MechanismBuilder b = started(draw, kind);
  const int loops = draw.whole(1, 3);
  Vec3 foot(0, 0, 0), top = Vec3(0.2 * draw.number(), draw.between(0.3, 0.6), 0);
  rod(b, draw, "bar0", foot, top);
  pin(b, draw, "foot0", "ground", "bar0", foot);
  for (int i = 1; i <= loops; ++i) {
    const std::string before = numbered_name("bar", i - 1), bar = numbered_name("bar", i);
    const Vec3 next_foot = foot + Vec3(draw.between(0.8, 1.2), 0.2 * draw.number(), 0);
    const Vec3 next_top = next_foot + Vec3(draw.between(-0.1, 0.3), draw.between(0.7, 1.0), 0);
    const std::string coupler = numbered_name("coupler", i);
    rod(b, draw, coupler, top, next_top);
    rod(b, draw, bar, next_foot, next_top);
    pin(b, draw, numbered_name("left", i), before, coupler, top);
    pin(b, draw, numbered_name("right", i), coupler, bar, next_top);
    pin(b, draw, numbered_name("foot", i), "ground", bar, next_foot);
    foot = next_foot, top = next_top;
  }
  if (draw.chance(0.5)) b.torsion("drag", "foot0", 5 * draw.mass(), 0.2);
  b.joint_velocity("foot0", 3 * draw.number());
  return b.build();
}

/// Revolute, spherical, universal (or spherical, with a coupler that spins), revolute.
Mechanism spatial_loop(Draw& draw, const char* kind) {
  MechanismBuilder b = started(draw, kind);
  const Vec3 foot = 0.1 * draw.vector(), top = foot + Vec3(0.3, 0, 0.1) + 0.1 * draw.vector();
  const Vec3 end = Vec3(0.9, 0.8, 0.7) + 0.2 * draw.vector(), base = Vec3(1.1, 0.3, 0.1) + 0.1 * draw.vector();
  const Vec3 crank_axis = (Vec3(-0.2, 0.3, 0.9) + 0.2 * draw.vector()).normalized();
  const Vec3 rocker_axis = (Vec3(0.9, -0.3, 0.4) + 0.2 * draw.vector()).normalized();
  rod(b, draw, "crank", foot, top);
  rod(b, draw, "coupler", top, end);
  rod(b, draw, "rocker", base, end);
  pin(b, draw, "A0", "ground", "crank", foot, crank_axis);
  b.spherical("A", "crank", "coupler", draw.at(top));
  const Vec3 first = (end - top).normalized().cross(rocker_axis).normalized();
  if (draw.chance(0.7))
    b.universal("C", "coupler", "rocker", draw.at(end), draw.along(first),
                draw.along(first.cross(Vec3(0.1, 0.2, 1)).normalized()));
  else
    b.spherical("C", "coupler", "rocker", draw.at(end));
  pin(b, draw, "C0", "ground", "rocker", base, rocker_axis);
  b.joint_velocity("A0", 4 * draw.number());
  return b.build();
}

/// Bars at one angle that couplers keep parallel; with more than two of them the plane itself has redundant
/// constraints. Lying flat (angle 0) they may fold apart.
RandomMechanism parallel_bars(Draw& draw, const char* kind, double angle, double rate) {
  MechanismBuilder b = started(draw, kind);
  const int windows = draw.whole(1, 2);
  const Vec3 bar = draw.between(0.5, 1) * Vec3(std::cos(angle), std::sin(angle), 0);
  Vec3 foot(0, 0, 0);
  for (int i = 0; i <= windows; ++i) {
    const std::string name = numbered_name("bar", i);
    rod(b, draw, name, foot, foot + bar);
    pin(b, draw, numbered_name("foot", i), "ground", name, foot);
    b.joint_velocity(numbered_name("foot", i), rate);  // of all: lying flat, each could go its own way
    if (i > 0) pin(b, draw, numbered_name("right", i), numbered_name("coupler", i), name, foot + bar);
    if (i == windows) break;
    const Vec3 next = foot + Vec3(draw.between(0.6, 1.4), 0, 0);
    const std::string coupler = numbered_name("coupler", i + 1);
    rod(b, draw, coupler, foot + bar, next + bar);
    pin(b, draw, numbered_name("left", i + 1), name, coupler, foot + bar);
    foot = next;
  }
  RandomMechanism result;
  result.mechanism = b.build();
  ParallelBars motion;
  motion.axis = draw.along(Vec3(0, 0, 1));
  motion.bar = draw.size() * draw.along(bar);
  motion.gravity = result.mechanism.gravity;
  motion.rate = rate;
  for (const Body& body : result.mechanism.bodies) {
    const bool turns = body.name.starts_with("bar");
    const Vec3 arm = (turns ? 0.5 : 1) * motion.bar;
    motion.moment += body.mass * arm;
    motion.inertia += body.mass * arm.squaredNorm();
    if (turns) motion.inertia += motion.axis.dot(body.inertia * motion.axis);
  }
  result.bars = motion;
  return result;
}

}  // namespace

double ParallelBars::turn(double time) const {
  const auto second = [&](double angle) {
    return axis.dot((Eigen::AngleAxisd(angle, axis) * moment).cross(gravity)) / inertia;
  };
  constexpr int steps = 1000;  // of RK4
  const double h = time / steps;
  double angle = 0, speed = rate;
  for (int i = 0; i < steps; ++i) {
    const double v1 = speed, a1 = second(angle);
    const double v2 = speed + h / 2 * a1, a2 = second(angle + h / 2 * v1);
    const double v3 = speed + h / 2 * a2, a3 = second(angle + h / 2 * v2);
    const double v4 = speed + h * a3, a4 = second(angle + h * v3);
    angle += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
    speed += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return angle;
}

RandomMechanism random_mechanism(unsigned seed) {
  constexpr int kinds = std::size(kRandomKinds);
  const int kind = static_cast<int>(seed % kinds);
  const bool planar = kind == 0 || kind == 2 || (kind > 4 && seed / kinds % 2 == 0);
  Draw draw(seed, planar);
  RandomMechanism result;
  const char* const name = kRandomKinds[kind];
  double angle = 0;
  switch (kind) {
    case 0:
    case 1:
      result.mechanism = tree(draw, name);
      break;
    case 3:
      result.mechanism = spatial_loop(draw, name);
      break;
    case 5:
      result = parallel_bars(draw, name, 0, draw.between(1, 3));
      break;
    case 6:
      angle = draw.between(0.3, 0.6);
      result = parallel_bars(draw, name, angle, -draw.between(2, 4));
      break;
    default:  // in space all axes are parallel, and three equations of each loop redundant
      result.mechanism = planar_loops(draw, name);
  }
  result.kind = name;
  return result;
}

}  // namespace cardan
