// A mechanism as a part of another: its names get a prefix, its connections are made, and the whole of it is placed,
// turned and mirrored. What happens to each sort of element is in carry_specs.cpp, one function for each, and in
// carry_elements.cpp for loads, couplers and drivers, by their fields.
//
// A placement takes the point p to at + L p with L = turn S, S the reflection (or the identity). Under L
//   points          p -> at + L p
//   polar vectors   v -> L v                 forces, velocities, directions from one point to another
//   axial vectors   w -> det(L) L w          torques, angular velocities, axes of rotation
//   inertias        I -> L I L^T
//   rotations       R -> L R L^T             of a body since the drawing
// The equations of motion do not change their form under this, gravity apart: the image of a motion of the part is a
// motion of its image (with gravity L g).
//
// Axes A (columns) of a body, a marker or a joint's frame go to L A D. D is the identity unless L reflects; then it is
// a diagonal of signs with det D = -1, so that the axes stay right-handed. Between two frames A1, A2 of a joint the
// relative rotation C = A1^T R1^T R2 A2 becomes D C D, and the distance d in frame 1 becomes D d: a translation along
// axis i takes the sign D_i, an angle about axis i (or a component of a rotation vector) the sign det(D) D_i. D is
// chosen so that as many coordinates as possible keep their sign:
//   revolute, planar     diag(1, 1, -1)    angle; translations and angle        (x and y are the mirror images)
//   prismatic            diag(1, -1, 1)    translation
//   cylindrical          diag(1, -1, 1)    the translation; the angle turns round
//   universal            diag(-1, -1, -1)  both angles
//   screw                diag(1, 1, -1)    the angle; the pitch turns round: a left-handed thread
//   links with an axis   diag(1, -1, 1)    (none)
//   perpendicular        diag(1, 1, -1)    (none)
//   spherical, fixed,    S                 components as those of a polar or axial vector; inertial axes stay inertial
//   free, distance
//   revolute in a plane  diag(1, -1, 1)    z stays normal to the plane, so that the angle turns round
// Laws, drivers, efforts and values of a coordinate that turns round are negated.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cardan/specs.hpp"
#include "mechanism/problems.hpp"
#include "mechanism/provenance.hpp"

namespace cardan {

/// What a connection can stand for: "body", "joint", "point" (a point or a marker), "road", "load", "signal" (an
/// input, a state, a signal, or ELEMENT.QUANTITY).
std::vector<std::string> connection_kinds();
/// The names of that kind, or "load or driver", that the specification defines itself.
std::vector<std::string> names_of_kind(const MechanismSpec& spec, std::string_view kind);

/// What the whole calls an element of the part.
std::string outer_name(const SubsystemUse& use, const std::string& name);

/// Adds `part` to `whole`. Problems are reported; the part is then left out and `whole` marked so.
void include_subsystem(const MechanismSpec& part, const SubsystemUse& use, MechanismSpec& whole, Problems& problems);

/// The map from the names and axes of a part to those of the whole.
class Inclusion {
 public:
  Inclusion(const MechanismSpec& part, const SubsystemUse& use, Problems& problems);

  // Names. Those that an element refers to are first looked for in the part, and are refused when they are not there.
  /// To be called first for every element: problems are then reported under its name.
  void own(const char* kind, Name& name);
  void body(Name& name) { refer("body", name.value, name.where); }
  void joint(Name& name) { refer("joint", name.value, name.where); }
  void road(Name& name) { refer("road", name.value, name.where); }
  void load(Name& name) { refer("load", name.value, name.where); }
  void body_or_joint(const char* kind, Name& name);
  /// `*` stands for any of the part.
  void body_or_road(Name& name);
  void load_or_driver(Name& name);
  void refer(const std::string& kind, std::string& name, const SourceLocation& where);
  /// The signals that a number follows.
  void signals(Located<Varying>& number);
  void signal(std::string& name, const SourceLocation& where);
  void report_as(const std::string& element) { element_ = element; }

  // Places: a name or coordinates.
  void place(Place& place);
  void place(std::optional<Place>& place);

  // Directions. `places_of` leaves components in the part's axes, for elements with an AxesImage.
  void polar(Direction& direction);
  void axial(Direction& direction);
  void places_of(std::optional<Direction>& direction);
  void places_of(std::optional<AxesSpec>& axes);

  // Vectors, and vectors of functions.
  Vec3 point(const Vec3& p) const { return at_ + turn_ * p; }
  Vec3 polar(const Vec3& v) const { return turn_ * v; }
  Vec3 axial(const Vec3& w) const { return determinant_ * (turn_ * w); }
  /// In inertial axes, or in those of a body of the part.
  void components(std::array<Located<Varying>, 3>& components, const VectorSort& sort);
  /// Velocities: NaN leaves a component open, which only quarter turns can carry over.
  void open_polar(std::optional<Located<Vec3>>& velocity) { open(turn_, velocity); }
  void open_axial(std::optional<Located<Vec3>>& velocity) { open(determinant_ * turn_, velocity); }

  // Axes.
  void image(AxesImage& image, const Vec3& signs) const;
  Vec3 signs_of(const BodySpec& body) const;
  Vec3 signs_of(const MarkerSpec& marker) const;
  Vec3 signs_of(const GeometrySpec& geometry) const;
  Vec3 signs_of(const JointSpec& joint) const;
  Vec3 signs_of(const std::optional<AxesSpec>& axes) const;
  /// D of a marker of the part by name, times `signs`; ones for every other place.
  Vec3 marker_signs(const std::optional<Place>& place, const Vec3& signs) const;
  /// The signs of the axes that markers at these places lend to frames carried over with `signs`.
  void lent_axes(ProvenanceAccess::Content& noted, const std::optional<Place>& at1, const std::optional<Place>& at2,
                 const Vec3& signs) const;

  // Joint coordinates.
  /// Of coordinate `index` (from 0).
  double coordinate_sign(const JointSpec& joint, int index) const;
  /// Of the coordinate that a load or driver of the part names; joints outside keep theirs. Before joint(name).
  double coordinate_sign(const Name& joint, const std::optional<Located<int>>& coordinate, CoordinateSort sort) const;

  bool is_connection(const std::optional<Place>& place) const { return place && connections_.count(place->name) > 0; }
  bool connects(const std::string& name) const { return connections_.count(name) > 0; }
  bool has_body(const Name& name) const { return bodies_.count(name.value) > 0; }
  /// For elements that belong to ground and cannot be moved.
  void refuse_to_move(const SourceLocation& where, const char* kind);
  bool planar() const { return part_.planar; }
  bool turns() const { return turn_ != Mat3::Identity(); }
  bool mirrors() const { return determinant_ < 0; }

 private:
  void combine(const Mat3& matrix, std::array<Located<Varying>, 3>& components) const;
  void open(const Mat3& matrix, std::optional<Located<Vec3>>& velocity);
  std::optional<Vec3> body_signs(const Name& body);

  const MechanismSpec& part_;
  const SubsystemUse& use_;
  Problems& problems_;
  Vec3 at_;
  Mat3 turn_;           // L
  Vec3 reflection_;     // diagonal of S, ones when an even number of planes makes it a rotation
  double determinant_;  // of L
  std::map<std::string, std::set<std::string>> names_;  // by kind
  std::map<std::string, const ConnectionSpec*> connections_;
  std::map<std::string, const BodySpec*> bodies_;
  std::map<std::string, const MarkerSpec*> markers_;
  std::map<std::string, const JointSpec*> joints_;
  std::string element_;
};

inline void negate(std::optional<Number>& number) {
  if (number) number->value = -number->value;
}

// carry_specs.cpp: names and geometry of one element. A new sort of element needs one more of these, and a line in
// include_subsystem().
void carry(Inclusion& to, PointSpec& point);
void carry(Inclusion& to, BodySpec& body);
void carry(Inclusion& to, MarkerSpec& marker);
void carry(Inclusion& to, GeometrySpec& geometry);
void carry(Inclusion& to, JointSpec& joint);
void carry(Inclusion& to, RoadSpec& road);
void carry(Inclusion& to, Element& element);
/// Whether `ELEMENT.effort` means the same in the part and where it is included: its coordinate does not turn round.
bool keeps_effort(const Inclusion& to, Element element);
void carry(Inclusion& to, InputSpec& input);
void carry(Inclusion& to, StateSpec& state);
void carry(Inclusion& to, SignalSpec& signal);
void carry(Inclusion& to, CompanionSpec& companion);
void carry(Inclusion& to, InitialSpec& initial);
void carry(Inclusion& to, EventSpec& event);
void carry(Inclusion& to, PlotSpec& plot);
void carry(Inclusion& to, Name& column);  // of plots and outputs
void carry(Inclusion& to, ConnectedSpec& connected);

}  // namespace cardan
