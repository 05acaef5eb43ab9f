// Bodies on an inclined plane, in a random place and orientation: what tests of contact look at.
#pragma once

#include "cardan/builder.hpp"
#include "random_place.hpp"

namespace cardan {

/// Lengths are metres whatever the size of the place. x is downhill, z out of the plane.
class Slope {
 public:
  Slope(const std::string& name, unsigned seed, double angle, bool planar = false)
      : builder(name), place_(seed, planar), planar_(planar) {
    if (planar) builder.planar();
    builder.gravity(9.81 * along(std::sin(angle), 0, -std::cos(angle)));
    RoadSpec floor;
    floor.name = "floor", floor.plane = Place(at(0, 0, 0)), floor.normal = Direction(along(0, 0, 1));
    builder.add(floor);
  }

  /// In the plane y is left out: (x, z).
  Vec3 along(double x, double y, double z) const { return planar_ ? place_.along(x, z) : place_.along(x, y, z); }
  Vec3 at(double x, double y, double z) const { return place_.at(0, 0, 0) + along(x, y, z); }
  double downhill(const Vec3& from, const Vec3& to) const { return along(1, 0, 0).dot(to - from); }

  void ball(const std::string& name, double mass, double radius, const Vec3& center) {
    if (planar_) {
      builder.body(name, mass, center, 0.5 * mass * radius * radius);
    } else {
      builder.body(name, mass, center, Mat3(0.4 * mass * radius * radius * Mat3::Identity()));
    }
    builder.free("free_" + name, "ground", name);
    builder.add(GeometrySpec{.body = Name(name), .shape = SphereShape{radius, Place(center)}});
  }
  void box(const std::string& name, double mass, const Vec3& edges, const Vec3& center) {
    AxesSpec axes;
    axes.x = Direction(along(1, 0, 0));
    if (!planar_) axes.y = Direction(along(0, 1, 0));
    const BodySpec body{.name = Name(name),
                        .shape = BoxShape{planar_ ? Vec3(edges.x(), edges.z(), 0) : edges, Place(center)},
                        .mass = Number(mass),
                        .axes = axes};
    builder.add(body);
    builder.free("free_" + name, "ground", name);
  }
  ContactSpec contact(std::vector<Name> between, double stiffness, double friction, double restitution) {
    ContactSpec spec;
    spec.name = "touch", spec.between = std::move(between);
    spec.stiffness = stiffness, spec.friction = friction, spec.restitution = restitution;
    return spec;
  }

  MechanismBuilder builder;

 private:
  RandomPlace place_;
  bool planar_;
};

}  // namespace cardan
