// A mechanism as a part of another one: what it leaves open, and where and under which names it is included. Part of
// specs.hpp.
#pragma once

#include <array>
#include <map>
#include <string>

#include "cardan/specs/places.hpp"

namespace cardan {

/// A name that a part of a mechanism uses and does not define: whoever includes the part says what it stands for.
struct ConnectionSpec {
  Name name;
  std::string kind = "body";  // or "joint", "point" (a point or a marker), "road", "load", "signal"
};

/// What a connection of an included part stands for.
struct ConnectedSpec {
  Name target;
  std::string kind;
  std::string element;  // for messages: "subsystem 'front_left'"
};

/// Moves a part as a whole: p goes to at + turn S p, where S reverses the components along the axes marked in `mirror`.
struct Placement {
  Vec3 at = Vec3::Zero();
  Mat3 turn = Mat3::Identity();  // a rotation
  std::array<bool, 3> mirror{};  // about the planes through the part's origin normal to x, y, z
};

/// How a mechanism is included in another one. Its elements are then called NAME/ELEMENT (just ELEMENT when the name is
/// empty), unless `rename` says otherwise.
struct SubsystemUse {
  Name name;
  Placement placement = {};
  std::map<std::string, Name> connect = {};  // connection of the part -> element of the whole
  std::map<std::string, Name> rename = {};   // element of the part -> its name in the whole
};

}  // namespace cardan
