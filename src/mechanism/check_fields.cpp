#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "mechanism/resolver.hpp"

namespace cardan {
namespace {

/// "free length"
std::string words_of(const Field& f) {
  std::string words = *f.called != '\0' ? f.called : f.name;
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

bool keeps(Bound bound, double value) {
  switch (bound) {
    case Bound::positive:
      return value > 0;
    case Bound::not_negative:
      return value >= 0;
    case Bound::not_zero:
      return value != 0;
    case Bound::any:
    case Bound::resisting:
      break;
  }
  return true;
}

const char* remedy_of(const Field& f) {
  if (*f.remedy != '\0') return f.remedy;
  return f.bound == Bound::positive   ? "give it greater than 0"
         : f.bound == Bound::not_zero ? "give another than 0"
                                      : "give it as 0 or more";
}

class FieldChecks final : public FieldVisitor {
 public:
  FieldChecks(Resolver& resolver, const Element& element, bool planar)
      : FieldVisitor(planar),
        resolver_(resolver),
        name_(element.name()),
        element_(element_label(element.kind().section, name_.value)),
        called_(element.kind().called) {}

  void body(const Field&, Name& name) override {
    const auto body = resolver_.find_body(name, element_);
    if (body && *body == kGround) error(name.where, called_ + " on ground moves nothing", "name a body");
    need(body && resolver_.is_sound_body(*body));
  }

  void two_bodies(const Field&, Name& body1, Name& body2, Ends ends) override {
    const auto first = resolver_.find_body(body1, element_), second = resolver_.find_body(body2, element_);
    if (!first || !second) return;
    resolver_.check_two_bodies(*first, *second, element_,
                               first_known(ends == Ends::two ? body1.where : body2.where, name_.where));
    need(resolver_.is_sound_body(*first) && resolver_.is_sound_body(*second));
  }

  void road(const Field& f, Name& name) override {
    if (f.to_add == nullptr && name.value.empty()) return;
    const auto road = resolver_.find_road(name, element_, name_.where);
    need(road && resolver_.is_sound_road(*road));
  }

  void element(const Field& f, Name& name, const std::vector<std::string>& kinds) override {
    if (is_given(f, !name.value.empty())) resolver_.find_element(name, kinds, element_);
  }

  void touching(const Field& f, std::vector<Name>& names) override {
    if (!is_given(f, !names.empty())) return;
    for (const Name& name : names) need(resolver_.is_sound_party(name, element_));
  }

  void joint(const Field&, Name& name, const Field&, std::optional<Located<int>>&, CoordinateSort) override {
    need_joint(name);
  }

  void whole_joint(const Field&, Name& name) override { need_joint(name); }

  void poses(const Field& f, const Name&, std::vector<TableRow>& rows) override { is_given(f, !rows.empty()); }

  void two_joints(const Field&, const Field&, const End& one, const End& two) override {
    need_joint(one.joint);
    need_joint(two.joint);
  }

  void place(const Field& f, std::optional<Place>& place) override {
    if (is_given(f, place.has_value())) need(resolver_.find_place(*place, element_).has_value());
  }

  void places(const Field&, std::vector<Place>& places) override {
    for (const Place& place : places) need(resolver_.find_place(place, element_).has_value());
  }

  void two_places(const Field& f, std::optional<Place>& place1, std::optional<Place>& place2, Ends ends) override {
    if (!is_given(f, place1 && (place2 || ends == Ends::one_or_two))) return;
    need(resolver_.find_place(*place1, element_).has_value());
    if (place2) need(resolver_.find_place(*place2, element_).has_value());
  }

  void direction(const Field& f, std::optional<Direction>& direction, Parity, const char*) override {
    if (is_given(f, direction.has_value())) need(resolver_.find_direction(*direction, element_, f.name).has_value());
  }

  void axes(const Field& f, std::optional<AxesSpec>& axes, const FramePlaces& frames) override {
    if (is_given(f, axes.has_value()))
      need(resolver_.find_axes(*axes, element_, noted(frames.provenance).image).has_value());
  }

  void number(const Field& f, std::optional<Number>& number) override {
    if (!is_given(f, number.has_value())) return;
    const double value = number->value;
    if (!std::isfinite(value)) {
      error(number->where, fmt::format("{} is not a finite number", words_of(f)), "");
    } else if (!keeps(f.bound, value)) {
      error(number->where, fmt::format("the {} is {}", words_of(f), value), remedy_of(f));
    } else if (f.bound == Bound::resisting && value < 0) {
      resolver_.problems().warning(
          first_known(number->where, name_.where), element_,
          fmt::format("the {} is negative ({}): it drives the motion instead of holding it back", words_of(f), value),
          "check the sign");
    }
  }

  void along_axes(const Field& f, std::optional<Located<Vec3>>& numbers, bool) override {
    if (!is_given(f, numbers.has_value())) return;
    const Vec3& v = numbers->value;
    if (!v.allFinite() || !keeps(f.bound, v.minCoeff()))
      error(numbers->where,
            fmt::format("the {} is not a finite number{}", words_of(f),
                        f.bound == Bound::not_negative ? " of 0 or more" : ""),
            remedy_of(f));
  }

  void levels(const Field& f, std::optional<Number>& forward, std::optional<Number>& backward) override {
    number(f, forward);
    if (backward) number(f, backward);
  }

  void function(const Field& f, const char* variable, std::optional<Located<Function>>& function) override {
    if (is_given(f, function.has_value()) && std::string_view(variable) == "t")
      resolver_.check_function(*function, 0, f.smooth, element_, name_.where, variable);
  }

  void varying(const Field& f, Located<Varying>& number) override {
    if (is_given(f, number.value.given || !f.to_add)) check(number, f.smooth);
  }

  void components(const Field&, std::array<Located<Varying>, 3>& components, const VectorSort& sort) override {
    for (const Located<Varying>& component : components) check(component, false);
    if (!planar()) return;
    if (sort.parity == Parity::polar && !components[2].value.is_zero())
      error({}, called_ + " in a planar model has no z component", "leave it at 0");
    if (sort.parity == Parity::axial && !(components[0].value.is_zero() && components[1].value.is_zero()))
      error({}, called_ + " in a planar model acts about z", "leave x and y at 0");
  }

  void group(const Field& f, bool& given, SourceLocation&, const std::function<void(FieldVisitor&)>& inside) override {
    if (is_given(f, given)) inside(*this);
  }

  bool sound = true;  // nothing is wrong with what the fields name

 private:
  /// False after reporting that what must be given is not.
  bool is_given(const Field& f, bool given) {
    if (!given && f.to_add != nullptr) error({}, f.missing_message(), f.to_add);
    return given;
  }
  void error(const SourceLocation& where, const std::string& message, const std::string& remedy) {
    resolver_.problems().error(first_known(where, name_.where), element_, message, remedy);
  }
  void check(const Located<Varying>& number, bool smooth) {
    resolver_.check_function({number.value.function, number.where}, 0, smooth, element_, name_.where, "t");
  }
  void need_joint(const Name& name) {
    const auto joint = resolver_.find_joint(name, element_);
    need(joint && resolver_.is_read_joint(*joint));
  }
  void need(bool is_sound) { sound = sound && is_sound; }

  Resolver& resolver_;
  Name name_;
  std::string element_, called_;
};

}  // namespace

bool check_fields(Resolver& resolver, Element& element, bool planar) {
  const std::size_t before = resolver.problems().error_count();
  FieldChecks checks(resolver, element, planar);
  element.fields(checks);
  return checks.sound && resolver.problems().error_count() == before;
}

}  // namespace cardan
