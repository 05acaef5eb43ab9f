// A joint coordinate, or the distance of two points, given as a function of time.
#include <fmt/format.h>

#include "cardan/element.hpp"
#include "cardan/specs/joints.hpp"

namespace cardan {

ElementKind DriverSpec::kind() const {
  return {.name = joint ? "joint" : "distance",
          .called = joint ? "a driver of a joint" : "a driver of a distance",
          .section = "driver"};
}

void DriverSpec::fields(FieldVisitor& visit) {
  if (joint) {
    visit.joint(Field("joint", "the joint").required(), *joint, coordinate);
  } else {
    visit.two_bodies(Field("distance", "`[BODY1, BODY2]`").required().like("[ground, BODY]"), body1, body2);
    visit.two_places(Field("at", "`[P1, P2]`, a place on each body, drawn apart")
                         .required("write 'at: [POINT, POINT]'", "a distance needs two points"),
                     at1, at2);
  }
  const auto path = [&](const char* name, const char* meaning, const char* angular, const char* unit,
                        const char* absent, Located<Varying>& function) {
    Field field(name, meaning, joint ? angular : unit, absent);
    field.differentiable();
    visit.varying(joint ? field.turning() : field, function);
  };
  path("position", "a function of `t`, or of inputs", "rad or m", "m", "one of the three is required", position);
  path("speed", "instead: its rate, a function of `t`", "rad/s or m/s", "m/s", "", speed);
  path("acceleration", "instead: its second derivative, a function of `t`", "rad/s^2 or m/s^2", "m/s^2", "",
       acceleration);
}

std::optional<Law> DriverSpec::path(Lowering& to, double start, double start_rate) const {
  const Located<Varying>* given = nullptr;
  const char* name = "";
  for (const auto& [one, called] :
       {std::pair(&position, "position"), std::pair(&speed, "speed"), std::pair(&acceleration, "acceleration")}) {
    if (!one->value.given) continue;
    if (given != nullptr) {
      to.error(one->where, fmt::format("both '{}' and '{}' are given", name, called), "give one of them");
      return std::nullopt;
    }
    given = one, name = called;
  }
  if (given == nullptr) {
    to.error({}, "'position' is missing", "add 'position: FUNCTION of t'");
    return std::nullopt;
  }
  if (given == &position) return to.law(position);
  if (given->value.follows_signals()) {
    to.error(given->where, fmt::format("the {} of a driver is a function of t", name),
             "a position may follow inputs; what follows other signals is the effort of an actuator");
    return std::nullopt;
  }
  const Function& rate = given->value.function;
  return Law(given == &speed ? rate.antiderivative(start) : rate.second_antiderivative(start, start_rate));
}

void DriverSpec::lower(Lowering& to) const {
  if (joint) {
    const auto q = to.coordinate(*joint, coordinate);
    if (!q) return;
    const auto found = path(to, q->initial, q->initial_rate);
    if (!found) return;
    const Law& path = *found;
    to.add(Driver{.joint = q->joint, .coordinate = q->index, .position = path.function, .signal = path.signal});
    return;
  }
  const Vec3 point1 = to.place(*at1), point2 = to.place(*at2);
  if (point1 == point2)
    return to.error(at1->where, "the two points coincide, so the distance has no direction", "draw them apart");
  const auto found = path(to, (point2 - point1).norm(), 0);
  if (!found) return;
  const Law& path = *found;
  if (const double start = path.function(0); path.signal < 0 && start <= 0)
    return to.error(position.where, fmt::format("the distance at the start is {}", start), "give a distance above 0");
  to.add(Driver{.body1 = to.body(body1),
                .body2 = to.body(body2),
                .point1 = point1,
                .point2 = point2,
                .position = path.function,
                .signal = path.signal});
}

}  // namespace cardan
