// A load and a sensor by a C++ function.
#include "cardan/specs/custom.hpp"

#include "cardan/element.hpp"

namespace cardan {
namespace {

template <class Spec>
void frame_fields(FieldVisitor& visit, const char* name, Spec& spec) {
  visit.two_bodies(Field(name).required(), spec.body1, spec.body2);
  visit.two_places(Field("at").required("give 'at1', or 'at1' and 'at2'", "no place is given"), spec.at1, spec.at2,
                   Ends::one_or_two);
  visit.axes(Field("axes"), spec.axes, {spec.at1, spec.at2, spec.provenance});
}

}  // namespace

ElementKind WrenchSpec::kind() const { return {"wrench", "a wrench"}; }

void WrenchSpec::fields(FieldVisitor& visit) {
  frame_fields(visit, "wrench", *this);
  visit.number(Field("length", "", "m", "1").bounded(Bound::positive), length);
}

void WrenchSpec::lower(Lowering& to) const {
  const auto [frame1, frame2] = to.frames(at1, at2, axes, provenance);
  to.add(CustomWrench{.body1 = to.body(body1),
                      .body2 = to.body(body2),
                      .frame1 = frame1,
                      .frame2 = frame2,
                      .law = law,
                      .tangent = tangent,
                      .energy = energy,
                      .length = length.value,
                      .elastic = elastic,
                      .memory = memory,
                      .remember = remember});
}

ElementKind SensorSpec::kind() const { return {"sensor", "a sensor", "sensor", false}; }

void SensorSpec::fields(FieldVisitor& visit) { frame_fields(visit, "sensor", *this); }

void SensorSpec::lower(Lowering& to) const {
  const auto [frame1, frame2] = to.frames(at1, at2, axes, provenance);
  to.add(Sensor{.body1 = to.body(body1), .body2 = to.body(body2), .frame1 = frame1, .frame2 = frame2, .value = value});
}

}  // namespace cardan
