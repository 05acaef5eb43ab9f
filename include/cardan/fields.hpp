// The fields of an element, stated once: an element tells a visitor the name, unit, default and bound of each field and
// which member holds it. Reading from files, placing and mirroring with a subsystem, checking, the JSON Schema and the
// tables of the documentation are visitors, each written once for all elements.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cardan/function.hpp"
#include "cardan/signal_expression.hpp"
#include "cardan/specs/places.hpp"

namespace cardan {

/// What a number may be; every one must be finite.
enum class Bound { any, positive, not_negative, not_zero, resisting };  // resisting: a negative one is warned of

/// Which coordinates of a joint are meant.
enum class CoordinateSort { any, angle, translation };

/// How a direction or vector goes over into a mirror image: as a force, or as a torque or an axis of rotation.
enum class Parity { polar, axial };

/// How many ends a field names.
enum class Ends { two, one_or_two };

/// One field, with the texts of the reference (docs/model-file.md):
///   Field("damping", "c", "N s/m", "0").bounded(Bound::resisting)
/// A name of words joined by '_' reads as these words in messages.
struct Field {
  const char *name, *meaning, *unit;
  const char* absent;            // what holds when it is not given: "0", "as drawn"
  const char* to_add = nullptr;  // set when it is required: what to write
  const char *missing = "", *example = "", *called = "", *remedy = "";
  Bound bound = Bound::any;
  bool turns = false, smooth = false, has_no_side = false;

  Field(const char* n, const char* meaning_ = "", const char* unit_ = "", const char* absent_ = "")
      : name(n), meaning(meaning_), unit(unit_), absent(absent_) {}

  /// Must be given; `message` in place of "'NAME' is missing".
  Field& required(const char* what_to_write = "", const char* message = "") {
    to_add = what_to_write, missing = message;
    return *this;
  }
  /// What a list looks like: "[ground, BODY]".
  Field& like(const char* list) {
    example = list;
    return *this;
  }
  /// `words` in place of its name, and `right` in place of what the bound says, when it is not kept.
  Field& bounded(Bound b, const char* words = "", const char* right = "") {
    bound = b, called = words, remedy = right;
    return *this;
  }
  /// Counted along the joint's coordinate (two: their ratio): changes its sign when that turns round in a mirror.
  Field& turning() {
    turns = true;
    return *this;
  }
  /// A pair without sides: not one number for each direction of a coordinate, which a mirror would exchange.
  Field& of_two() {
    has_no_side = true;
    return *this;
  }
  /// A function whose first two derivatives count.
  Field& differentiable() {
    smooth = true;
    return *this;
  }
  std::string missing_message() const { return *missing != '\0' ? missing : "'" + std::string(name) + "' is missing"; }
};

/// Where the two frames of an element are, for the axes that markers lend them, and what becomes of both when a part is
/// placed, see Lowering::frames().
struct FramePlaces {
  const std::optional<Place>&at1, &at2;
  Provenance& provenance;
};

/// How a vector is meant: in inertial axes, or in those of a body.
struct VectorSort {
  Parity parity = Parity::polar;
  bool body_axes = false;
  const Name& body;
};

/// Visits every field of an element, by the sort of its value. Whoever wants only names, units and so on overrides
/// field(); what is not overridden goes there.
class FieldVisitor {
 public:
  explicit FieldVisitor(bool planar) : planar_(planar) {}
  virtual ~FieldVisitor() = default;
  /// Of a planar mechanism: some elements have other fields there.
  bool planar() const { return planar_; }

  virtual void body(const Field& f, Name& /*name*/) { field(f); }
  virtual void two_bodies(const Field& f, Name& /*body1*/, Name& /*body2*/, Ends /*ends*/ = Ends::two) { field(f); }
  virtual void road(const Field& f, Name& /*name*/) { field(f); }
  /// A joint and which of its coordinates, a field of its own.
  virtual void joint(const Field& f, Name& /*name*/, const Field& coordinate, std::optional<Located<int>>& /*index*/,
                     CoordinateSort /*sort*/) {
    field(f);
    field(coordinate);
  }
  void joint(const Field& f, Name& name, std::optional<Located<int>>& coordinate,
             CoordinateSort sort = CoordinateSort::any);
  /// A joint with all its coordinates.
  virtual void whole_joint(const Field& f, Name& /*name*/) { field(f); }
  /// Poses of that joint over time.
  virtual void poses(const Field& f, const Name& /*joint*/, std::vector<TableRow>& /*rows*/) { field(f); }
  struct End {
    Name& joint;
    std::optional<Located<int>>& coordinate;
    CoordinateSort sort;
  };
  virtual void two_joints(const Field& f, const Field& coordinates, const End& /*one*/, const End& /*two*/) {
    field(f);
    field(coordinates);
  }

  /// Another element of one of these kinds ("pump"), of whose signals it makes use.
  virtual void element(const Field& f, Name& /*name*/, const std::vector<std::string>& /*kinds*/) { field(f); }

  /// Bodies and roads, `*` in their names standing for anything.
  virtual void touching(const Field& f, std::vector<Name>& /*names*/) { field(f); }

  virtual void place(const Field& f, std::optional<Place>& /*place*/) { field(f); }
  /// Any number of them.
  virtual void places(const Field& f, std::vector<Place>& /*places*/) { field(f); }
  /// One place of one_or_two is the first.
  virtual void two_places(const Field& f, std::optional<Place>& /*place1*/, std::optional<Place>& /*place2*/,
                          Ends /*ends*/ = Ends::two) {
    field(f);
  }
  /// `fallback`: the inertial axis that is meant when none is given, of a part that is placed its own; or null.
  virtual void direction(const Field& f, std::optional<Direction>& /*direction*/, Parity /*parity*/,
                         const char* /*fallback*/ = nullptr) {
    field(f);
  }
  /// Of two frames.
  virtual void axes(const Field& f, std::optional<AxesSpec>& /*axes*/, const FramePlaces&) { field(f); }

  virtual void number(const Field& f, std::optional<Number>& /*number*/) { field(f); }
  void number(const Field& f, Number& number);
  void number(const Field& f, double& number);
  /// One for all axes or one for each; rotational in a planar mechanism: one, about z.
  virtual void along_axes(const Field& f, std::optional<Located<Vec3>>& /*numbers*/, bool /*rotational*/) { field(f); }
  /// What holds along a coordinate and what against it: one number, or two.
  virtual void levels(const Field& f, std::optional<Number>& /*forward*/, std::optional<Number>& /*backward*/) {
    field(f);
  }
  /// From where to where a coordinate may go; either end may be open.
  virtual void range(const Field& min, const Field& max, std::optional<Number>& low, std::optional<Number>& high) {
    number(min, low);
    number(max, high);
  }
  /// A function of "t" or "x".
  virtual void function(const Field& f, const char* /*variable*/, std::optional<Located<Function>>& /*function*/) {
    field(f);
  }
  void function(const Field& f, const char* variable, Located<Function>& function);
  /// A function of t, or of signals.
  virtual void varying(const Field& f, Located<Varying>& /*number*/) { field(f); }
  /// The same; in a planar mechanism two of a polar vector, one (about z) of an axial one.
  virtual void components(const Field& f, std::array<Located<Varying>, 3>& /*components*/, const VectorSort&) {
    field(f);
  }
  /// One of several words.
  virtual void choice(const Field& f, const std::vector<std::string>& /*words*/, int& /*chosen*/) { field(f); }
  void choice(const Field& f, const std::string& no, const std::string& yes, bool& chosen);
  /// The words are those of the enumeration, in its order.
  template <class Enumeration>
  requires std::is_enum_v<Enumeration>
  void choice(const Field& f, const std::vector<std::string>& words, Enumeration& chosen) {
    int index = static_cast<int>(chosen);
    choice(f, words, index);
    chosen = static_cast<Enumeration>(index);
  }
  virtual void flag(const Field& f, bool& /*flag*/) { field(f); }
  /// The name of a text file, which is read.
  virtual void file(const Field& f, std::optional<TextFile>& /*file*/) { field(f); }

  /// Fields within a field.
  template <class T, class Inside>
  void record(const Field& f, std::optional<Located<T>>& value, const Inside& inside) {
    Located<T> content = value.value_or(Located<T>());
    bool given = value.has_value();
    group(f, given, content.where, [&](FieldVisitor& visit) { inside(visit, content.value); });
    if (given) value = content;
  }
  virtual void group(const Field& f, bool& /*given*/, SourceLocation& /*where*/,
                     const std::function<void(FieldVisitor&)>& /*inside*/) {
    field(f);
  }

 protected:
  virtual void field(const Field&) {}

 private:
  bool planar_;
};

}  // namespace cardan
