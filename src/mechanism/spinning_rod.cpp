#include "mechanism/spinning_rod.hpp"

#include <algorithm>
#include <cmath>

#include "mechanism/problems.hpp"

namespace cardan {
namespace {

constexpr double kOnAxis = 1e-9;  // of the rod's length

/// Whether an element has a moment about the axis. A force through a point of the axis has none.
class Moments {
 public:
  Moments(const SpinningRod& rod, const Mechanism& mechanism) : rod_(rod), mechanism_(mechanism) {}

  bool operator()(const SpringDamper& spring) const {
    if (!is_on(spring)) return false;
    // Along a direction, the force goes through the point on body 2, wherever that is on body 1.
    if (spring.axis) return spring.body1 == rod_.body || off_axis(spring.point2);
    return off_axis(end(spring, spring.point1, spring.point2));
  }
  bool operator()(const Bushing& bushing) const {
    const bool twists = !bushing.rotational_stiffness.isZero(0) || !bushing.rotational_damping.isZero(0);
    return is_on(bushing) && (twists || off_axis(end(bushing, bushing.frame1.origin, bushing.frame2.origin)));
  }
  /// Its law may have any moment.
  bool operator()(const CustomWrench& wrench) const { return is_on(wrench); }
  bool operator()(const PointForce& force) const { return force.body == rod_.body && off_axis(force.point); }
  bool operator()(const LineForce& force) const {
    return is_on(force) && off_axis(end(force, force.point1, force.point2));
  }
  bool operator()(const Torque& torque) const { return is_on(torque); }
  bool operator()(const Tyre& tyre) const { return tyre.body == rod_.body && (tyre.lateral || off_axis(tyre.center)); }
  bool operator()(const Contact& contact) const {
    const bool rubs = contact.friction > 0 || contact.rolling_resistance > 0;
    return std::any_of(contact.shapes.begin(), contact.shapes.end(), [&](const Geometry& g) {
      if (g.body != rod_.body) return false;
      const bool round = g.shape == Geometry::Shape::sphere || g.shape == Geometry::Shape::capsule;
      return !round || off_axis(g.origin) || (g.shape == Geometry::Shape::capsule && off_axis(g.end)) ||
             (rubs && g.radius > 0);
    });
  }
  bool operator()(const Driver& driver) const {
    if (driver.joint < 0) return is_on(driver) && off_axis(end(driver, driver.point1, driver.point2));
    return driver.rotation && is_on(mechanism_.joints[static_cast<std::size_t>(driver.joint)]);
  }
  bool operator()(const KnifeEdge& edge) const { return is_on(edge) && off_axis(edge.point); }
  bool operator()(const RollingDisc& disc) const { return is_on(disc); }

 private:
  bool is_on(const auto& element) const { return element.body1 == rod_.body || element.body2 == rod_.body; }
  const Vec3& end(const auto& element, const Vec3& one, const Vec3& two) const {
    return element.body1 == rod_.body ? one : two;
  }
  bool off_axis(const Vec3& point) const {
    return (point - rod_.center).cross(rod_.axis).norm() > kOnAxis * rod_.length;
  }

  const SpinningRod& rod_;
  const Mechanism& mechanism_;
};

}  // namespace

std::vector<std::string> what_turns(const SpinningRod& rod, const Mechanism& mechanism) {
  std::vector<std::string> found;
  const Moments turns(rod, mechanism);
  const auto look = [&](const char* section, const auto& elements) {
    for (const auto& element : elements)
      if (turns(element)) found.push_back(element_label(section, element.name));
  };
  look("load", mechanism.springs);
  look("load", mechanism.bushings);
  look("load", mechanism.custom_wrenches);
  look("load", mechanism.forces);
  look("load", mechanism.line_forces);
  look("load", mechanism.torques);
  look("load", mechanism.tyres);
  look("load", mechanism.contacts);
  look("driver", mechanism.drivers);
  look("constraint", mechanism.knife_edges);
  look("constraint", mechanism.rolling_discs);
  const auto& spin = mechanism.bodies[static_cast<std::size_t>(rod.body)].initial_angular_velocity;
  if (spin && std::abs(spin->dot(rod.axis)) > kOnAxis * spin->norm()) found.push_back("its initial angular velocity");
  return found;
}

}  // namespace cardan
