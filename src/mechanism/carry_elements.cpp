// What becomes of a load, coupler or driver when the part it belongs to is included, by the sort of each of its fields
// (the rules are in subsystem.hpp).
#include "mechanism/subsystem.hpp"

namespace cardan {
namespace {

/// Values, while names are still those of the part.
class CarryValues final : public FieldVisitor {
 public:
  explicit CarryValues(Inclusion& to) : FieldVisitor(to.planar()), to_(to) {}

  void joint(const Field&, Name& name, const Field&, std::optional<Located<int>>& index, CoordinateSort sort) override {
    turns_round_ = to_.coordinate_sign(name, index, sort) < 0;
  }
  // As the coordinates; of a quaternion w stays, and x, y, z go as a rotation vector does.
  void poses(const Field&, const Name& joint, std::vector<TableRow>& rows) override {
    for (TableRow& row : rows) {
      const std::size_t width = row.values.empty() ? 0 : row.values.size() - 1;
      const bool has_quaternion = width == 7 || (width == 4 && !planar());
      const std::size_t count = has_quaternion ? width - 1 : width;
      if (count != 3 && count != 6) continue;
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = 1 + i + (has_quaternion && i + 3 >= count ? 1 : 0);
        row.values[at] *= to_.coordinate_sign(joint, Located<int>(static_cast<int>(i) + 1), CoordinateSort::any);
      }
    }
  }
  void two_joints(const Field&, const Field&, const End& one, const End& two) override {
    const auto sign = [this](const End& end) { return to_.coordinate_sign(end.joint, end.coordinate, end.sort); };
    turns_round_ = sign(one) * sign(two) < 0;
  }
  void direction(const Field&, std::optional<Direction>& direction, Parity parity, const char* fallback) override {
    if (!direction && fallback != nullptr && to_.turns() && !planar()) direction = Direction(fallback);
    if (direction) parity == Parity::polar ? to_.polar(*direction) : to_.axial(*direction);
  }
  // Numbers along axes do not feel which way an axis points.
  void axes(const Field&, std::optional<AxesSpec>& axes, const FramePlaces& frames) override {
    const Vec3 signs = to_.signs_of(axes);
    to_.lent_axes(noted(frames.provenance), frames.at1, frames.at2, signs);
    to_.image(noted(frames.provenance).image, signs);
    to_.places_of(axes);
  }
  void number(const Field& f, std::optional<Number>& number) override {
    if (f.turns && turns_round_) negate(number);
  }
  // They change places.
  void levels(const Field& f, std::optional<Number>& forward, std::optional<Number>& backward) override {
    if (!turns_round_ || !backward || f.has_no_side) return;
    std::swap(forward, backward);
    negate(forward);
    negate(backward);
  }
  void range(const Field&, const Field&, std::optional<Number>& low, std::optional<Number>& high) override {
    if (!turns_round_) return;
    std::swap(low, high);
    negate(low);
    negate(high);
  }
  // A law becomes -f(-x).
  void function(const Field& f, const char* variable, std::optional<Located<Function>>& function) override {
    if (!f.turns || !turns_round_ || !function) return;
    function->value = function->value.scaled(-1, std::string_view(variable) == "t" ? 1 : -1);
  }
  void varying(const Field& f, Located<Varying>& number) override {
    if (f.turns && turns_round_) number.value = number.value.scaled(-1);
    to_.signals(number);
  }
  void components(const Field&, std::array<Located<Varying>, 3>& components, const VectorSort& sort) override {
    for (Located<Varying>& component : components) to_.signals(component);
    to_.components(components, sort);
  }
  void group(const Field&, bool& given, SourceLocation&, const std::function<void(FieldVisitor&)>& inside) override {
    if (given) inside(*this);
  }

 private:
  Inclusion& to_;
  bool turns_round_ = false;  // the coordinate that it acts on, or one of two
};

/// Names and places.
class CarryNames final : public FieldVisitor {
 public:
  explicit CarryNames(Inclusion& to) : FieldVisitor(to.planar()), to_(to) {}

  void body(const Field&, Name& name) override { to_.body(name); }
  void two_bodies(const Field&, Name& body1, Name& body2, Ends) override {
    to_.body(body1);
    to_.body(body2);
  }
  void road(const Field&, Name& name) override {
    if (!name.value.empty()) to_.road(name);
  }
  void touching(const Field&, std::vector<Name>& names) override {
    for (Name& name : names) to_.body_or_road(name);
  }
  void joint(const Field&, Name& name, const Field&, std::optional<Located<int>>&, CoordinateSort) override {
    to_.joint(name);
  }
  void whole_joint(const Field&, Name& name) override { to_.joint(name); }
  void two_joints(const Field&, const Field&, const End& one, const End& two) override {
    to_.joint(one.joint);
    to_.joint(two.joint);
  }
  void element(const Field&, Name& name, const std::vector<std::string>&) override { to_.load(name); }
  void place(const Field&, std::optional<Place>& place) override { to_.place(place); }
  void places(const Field&, std::vector<Place>& places) override {
    for (Place& place : places) to_.place(place);
  }
  void two_places(const Field&, std::optional<Place>& place1, std::optional<Place>& place2, Ends) override {
    to_.place(place1);
    to_.place(place2);
  }
  void group(const Field&, bool& given, SourceLocation&, const std::function<void(FieldVisitor&)>& inside) override {
    if (given) inside(*this);
  }

 private:
  Inclusion& to_;
};

/// Whether the one coordinate that an element acts on turns round.
class TurnsRound final : public FieldVisitor {
 public:
  explicit TurnsRound(const Inclusion& to) : FieldVisitor(to.planar()), to_(to) {}
  void joint(const Field&, Name& name, const Field&, std::optional<Located<int>>& index, CoordinateSort sort) override {
    keeps = to_.coordinate_sign(name, index, sort) > 0;
  }
  bool keeps = false;

 private:
  const Inclusion& to_;
};

}  // namespace

bool keeps_effort(const Inclusion& to, Element element) {
  TurnsRound visitor(to);
  element.fields(visitor);
  return visitor.keeps;
}

void carry(Inclusion& to, Element& element) {
  to.own(element.kind().section, element.name());
  CarryValues values(to);
  element.fields(values);
  CarryNames names(to);
  element.fields(names);
}

}  // namespace cardan
