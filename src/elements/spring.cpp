// Spring and damper between two points. What it becomes, a SpringDamper (cardan/loads.hpp) whose law is a Function with
// its derivatives, is applied and put into tangents in formulation/body_loads.cpp.
#include <fmt/format.h>

#include <cmath>

#include "cardan/specs/loads.hpp"
#include "elements/spring_laws.hpp"

namespace cardan {

ElementKind SpringSpec::kind() const { return {"spring", "a spring"}; }

void SpringSpec::fields(FieldVisitor& visit) {
  visit.two_bodies(Field("spring", "`[BODY1, BODY2]`").required().like("[ground, BODY]"), body1, body2);
  visit.two_places(Field("at", "`[P1, P2]`, a place on each body, drawn apart")
                       .required("write 'at: [POINT, POINT]'", "a spring needs two points"),
                   at1, at2);
  visit.direction(Field("along",
                        "a direction carried by body 1: s is then the distance along it, from P1 to P2, and the force "
                        "acts along it, through the point on body 2",
                        "", "the line between the points"),
                  along, Parity::polar);
  visit.number(
      Field("stiffness", "k; a negative one drives the points apart, with a warning, as does a negative `damping`",
            "N/m", "0")
          .bounded(Bound::resisting),
      stiffness);
  visit.function(Field("force", "instead of `stiffness`: a function of the elongation `x` = s - s0", "N, of m"), "x",
                 force);
  visit.number(Field("free_length", "s0", "m", "as drawn"), free_length);
  visit.number(Field("damping", "c", "N s/m", "0").bounded(Bound::resisting), damping);
  visit.function(Field("damping_force", "instead of `damping`: a function of the rate `x` = s'", "N, of m/s"), "x",
                 damping_force);
}

void SpringSpec::lower(Lowering& to) const {
  SpringDamper load{
      .body1 = to.body(body1), .body2 = to.body(body2), .point1 = to.place(*at1), .point2 = to.place(*at2)};
  if (along) load.axis = to.direction(*along);
  const Vec3 line = load.point2 - load.point1;
  const double drawn = load.axis ? load.axis->dot(line) : line.stableNorm();
  // Without a free length k (P2 - P1) needs no direction.
  const bool pulls_to_a_point =
      free_length && free_length->value == 0 && !damping && !damping_force && (!force || force->value(0) == 0);
  if (!load.axis && drawn == 0 && !pulls_to_a_point)
    return to.error(at1->where, "the two points coincide, so the spring has no direction",
                    "draw them apart, or give 'free_length: 0', no damping and a force of 0 there");
  load.free_length = free_length ? free_length->value : drawn;
  if (!load.axis && load.free_length < 0)
    return to.error(free_length->where, fmt::format("the free length is {}", load.free_length), "give it as 0 or more");
  const SpringLaws laws{stiffness, damping, force, damping_force, "force", "damping_force"};
  laws.check(to, drawn - load.free_length);
  load.spring = laws.spring();
  load.damper = laws.damper();
  to.add(load);
}

}  // namespace cardan
