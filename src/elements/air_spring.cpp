// Gas behind a piston or in a bellows between two points, of polytropic change of state:
//     tension = A (p_a - p),   p (V0 + A x)^n = p0 V0^n,   x = s - s0
// Positive tension pulls the points together, so that gas above the atmosphere pushes them apart.
#include "cardan/specs/air_spring.hpp"

#include <fmt/format.h>

namespace cardan {

ElementKind AirSpringSpec::kind() const { return {"air_spring", "an air spring"}; }

void AirSpringSpec::fields(FieldVisitor& visit) {
  visit.two_bodies(Field("air_spring", "`[BODY1, BODY2]`").required().like("[ground, BODY]"), body1, body2);
  visit.two_places(Field("at", "`[P1, P2]`, a place on each body, drawn apart")
                       .required("write 'at: [POINT, POINT]'", "an air spring needs two points"),
                   at1, at2);
  visit.number(Field("area", "A, of the piston", "m^2").required("add 'area', m^2").bounded(Bound::positive), area);
  visit.number(
      Field("volume", "V0, of the gas at the length s0", "m^3").required("add 'volume', m^3").bounded(Bound::positive),
      volume);
  visit.number(Field("pressure", "p0, of the gas at the length s0, absolute", "Pa")
                   .required("add 'pressure', Pa")
                   .bounded(Bound::not_negative),
               pressure);
  visit.number(Field("atmosphere", "p_a, outside", "Pa", "101325").bounded(Bound::not_negative), atmosphere);
  visit.number(
      Field("exponent", "n: 1 for slow changes at one temperature, 1.4 for air without exchange of heat", "", "1.4")
          .bounded(Bound::positive),
      exponent);
  visit.number(Field("free_length", "s0", "m", "as drawn").bounded(Bound::not_negative), free_length);
}

void AirSpringSpec::lower(Lowering& to) const {
  SpringDamper load{
      .body1 = to.body(body1), .body2 = to.body(body2), .point1 = to.place(*at1), .point2 = to.place(*at2)};
  const double drawn = (load.point2 - load.point1).norm();
  if (drawn == 0)
    return to.error(at1->where, "the two points coincide, so the spring has no direction", "draw them apart");
  load.free_length = free_length ? free_length->value : drawn;
  const double left = volume.value + area.value * (drawn - load.free_length);
  if (!(left > 0))
    return to.error(volume.where, fmt::format("the volume of the gas is {:.3g} m^3 as drawn", left),
                    "give more 'volume', or draw it longer");
  load.spring = Function::expression("A*(p_a - p0*(1 + A*x/V0)^(-n))", "x",
                                     {{"A", area.value},
                                      {"V0", volume.value},
                                      {"p0", pressure.value},
                                      {"p_a", atmosphere.value},
                                      {"n", exponent.value}});
  to.add(load);
}

}  // namespace cardan
