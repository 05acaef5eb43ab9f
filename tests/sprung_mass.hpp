// A mass that floats without gravity on one spring from ground, for tests.
#pragma once

#include "cardan/builder.hpp"

namespace cardan {

/// `law`: the spring's name, stiffness or force and free length; it is put between `anchor` and `centre`.
inline MechanismBuilder sprung_mass(bool planar, double mass, const Vec3& anchor, const Vec3& centre, SpringSpec law) {
  MechanismBuilder b("sprung mass");
  b.planar(planar).gravity({0, 0, 0});
  if (planar) {
    b.body("mass", mass, Place(centre), 0.02 * mass);
  } else {
    b.body("mass", mass, Place(centre), Mat3(mass * Vec3(0.02, 0.03, 0.04).asDiagonal()));
  }
  b.free("float", "ground", "mass");
  law.body1 = "ground", law.body2 = "mass";
  law.at1 = Place(anchor), law.at2 = Place(centre);
  b.add(law);
  return b;
}

}  // namespace cardan
