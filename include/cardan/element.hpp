// An element of a description that acts on bodies and joints, a load, coupler or driver: any struct that states its
// fields and lowers itself to the primitives of a Mechanism (springs, bushings, forces, ...), which are all that
// formulations know. Those of the library are in specs/ and src/elements/; a program adds its own:
//
//   struct MagnetSpec {
//     cardan::Name name;
//     ...                                            // what the fields hold
//     cardan::ElementKind kind() const { return {"magnet", "a magnet"}; }
//     void fields(cardan::FieldVisitor& visit);      // every field once
//     void lower(cardan::Lowering& to) const;        // checks what spans several fields, then to.add(primitive)
//   };
//   cardan::register_element(MagnetSpec{});          // from then on model files may have it
#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cardan/fields.hpp"
#include "cardan/mechanism.hpp"
#include "cardan/specs/places.hpp"

namespace cardan {

struct ElementKind {
  const char* name;              // the field that tells it, the first one: "spring"
  const char* called;            // in messages: "a spring"
  const char* section = "load";  // or "coupler", "driver", "constraint": where model files have it
  bool switchable = true;        // by events
};

using Primitive = std::variant<SpringDamper, JointSpringDamper, Bushing, CustomWrench, Rotor, PointForce, Torque,
                               Actuator, LineForce, Tyre, Contact, Coupler, Driver, KnifeEdge, RollingDisc, Sensor>;

/// What an element becomes part of. Everything that its fields name exists and is sound: otherwise lower() is not
/// called.
class Lowering {
 public:
  struct Coordinate {
    int joint, index;  // index from 0
    double drawn;      // its value in the drawing
    double initial;    // what the model gives as initial position, or that in the drawing
    double initial_rate = 0;
  };

  virtual ~Lowering() = default;
  /// Bodies, markers, joints and roads are there; other elements as far as they have been lowered.
  virtual const Mechanism& mechanism() const = 0;
  virtual int body(const Name& name) = 0;
  virtual int road(const Name& name) = 0;
  virtual int joint(const Name& name) = 0;
  /// The coordinate that is meant, or nothing after reporting that there is none or which one must be said.
  /// `other_sort`: the remedy when it is of the other sort.
  virtual std::optional<Coordinate> coordinate(const Name& joint, const std::optional<Located<int>>& index,
                                               CoordinateSort sort = CoordinateSort::any,
                                               const char* other_sort = nullptr) = 0;
  virtual Vec3 place(const Place& place) = 0;
  /// A unit vector.
  virtual Vec3 direction(const Direction& direction) = 0;
  /// Of an element that is placed at two frames: with the axes it gives, else with those of markers, else inertial
  /// ones. Without `at2` both are at the first place.
  virtual std::pair<Frame, Frame> frames(const std::optional<Place>& at1, const std::optional<Place>& at2,
                                         const std::optional<AxesSpec>& axes, const Provenance& provenance) = 0;

  /// `where` may be nowhere: then it is the element's.
  virtual void error(const SourceLocation& where, const std::string& message, const std::string& remedy = "") = 0;
  /// What is doubtful and let through.
  virtual void warning(const SourceLocation& where, const std::string& message, const std::string& remedy = "") = 0;
  /// Reports a law of x that has no value where the motion starts.
  virtual void check_law(const std::optional<Located<Function>>& law, double start) = 0;

  /// A number that may vary, as primitives take it: expressions of signals become a signal of the mechanism.
  virtual Law law(const Located<Varying>& number) = 0;
  /// The same of time and inputs alone.
  virtual Law given_law(const Located<Varying>& number) = 0;

  // Signals of the element's own: NAME.quantity, or NAME where the quantity is empty. Laws name their own and those of
  // other elements by signal_name(); they are looked up when every element has been lowered, in whatever order.
  /// A scalar with an equation of first order of its own. `scale`: its usual size, which tolerances go by.
  virtual void add_state(const std::string& quantity, const char* unit, double start, double scale,
                         const Varying& rate) = 0;
  /// A signal with a column.
  virtual void add_signal(const std::string& quantity, const char* unit, const Located<Varying>& value) = 0;
  /// A signal with a column that is the sum of what this and other elements add to it; 0 without any.
  virtual void add_sum(const std::string& quantity, const char* unit) = 0;
  /// To the sum of another element, or of this one.
  virtual void add_to(const Name& element, const std::string& quantity, const Varying& term) = 0;
  /// ElementKind::name of another element.
  virtual std::string kind_of(const Name& element) = 0;

  /// Under the element's name. A second SpringDamper, CustomWrench or Sensor is refused: its columns would have the
  /// same names.
  virtual void add(Primitive primitive) = 0;
};

/// What a signal of an element is called.
inline std::string signal_name(const Name& element, const std::string& quantity) {
  return quantity.empty() ? element.value : element.value + "." + quantity;
}

template <class Spec>
concept ElementSpec = std::copyable<Spec> &&
    requires(Spec spec, const Spec& constant, FieldVisitor& visit, Lowering& to) {
  { spec.name } -> std::same_as<Name&>;
  { constant.kind() } -> std::same_as<ElementKind>;
  spec.fields(visit);
  constant.lower(to);
};

/// Any ElementSpec as a value.
class Element {
 public:
  template <class Spec>
  requires(!std::same_as<Spec, Element> && ElementSpec<Spec>) Element(Spec spec)
      : content_(std::make_unique<Content<Spec>>(std::move(spec))) {}
  Element(const Element& other) : content_(other.content_->clone()), provenance_(other.provenance_) {}
  Element(Element&&) = default;
  Element& operator=(Element other) {
    content_ = std::move(other.content_);
    provenance_ = other.provenance_;
    return *this;
  }

  ElementKind kind() const { return content_->kind(); }
  Name& name() { return content_->name(); }
  const Name& name() const { return content_->name(); }
  void fields(FieldVisitor& visit) { content_->fields(visit); }
  void lower(Lowering& to) const { std::as_const(*content_).lower(to); }

 private:
  struct Any {
    virtual ~Any() = default;
    virtual std::unique_ptr<Any> clone() const = 0;
    virtual ElementKind kind() const = 0;
    virtual Name& name() = 0;
    virtual void fields(FieldVisitor& visit) = 0;
    virtual void lower(Lowering& to) const = 0;
  };
  template <class Spec>
  struct Content final : Any {
    explicit Content(Spec s) : spec(std::move(s)) {}
    std::unique_ptr<Any> clone() const override { return std::make_unique<Content>(spec); }
    ElementKind kind() const override { return spec.kind(); }
    Name& name() override { return spec.name; }
    void fields(FieldVisitor& visit) override { spec.fields(visit); }
    void lower(Lowering& to) const override { spec.lower(to); }
    Spec spec;
  };
  std::unique_ptr<Any> content_;
  friend struct ProvenanceAccess;
  Provenance provenance_;
};

/// Every kind of element with the defaults of its fields: those of the library, then those registered.
std::vector<Element> known_elements();

/// Makes an element of a program's own known to model files, for all threads. Throws std::invalid_argument when the
/// name is taken or no word of letters, digits and '_', or when there is no such section.
void register_element(Element prototype);

}  // namespace cardan
