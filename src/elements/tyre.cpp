// A wheel on a road.
#include <fmt/format.h>

#include "cardan/element.hpp"
#include "cardan/specs/loads.hpp"
#include "elements/calspan_fields.hpp"
#include "math/disc_contact.hpp"

namespace cardan {
namespace {

void calspan_fields(FieldVisitor& visit, CalspanTyre& p) {
  calspan_coefficients(visit, p, Bound::any);
  visit.number(Field("low_speed", "", "m/s", "0.05").bounded(Bound::positive), p.low_speed);
}

}  // namespace

ElementKind TyreSpec::kind() const { return {"tyre", "a tyre"}; }

void TyreSpec::fields(FieldVisitor& visit) {
  visit.body(Field("tyre", "the wheel's body").required(), body);
  visit.road(Field("road", "the road's name").required("add 'road'"), road);
  visit.place(Field("at", "the wheel's centre", "", "the body's centre"), at);
  // The sign of the axle tells forward from backward, and the aligning torque from its opposite.
  visit.direction(Field("axis", "the axle (in space)", "", "`y`"), axis, Parity::axial, "y");
  visit.number(Field("radius", "r, of the unloaded tyre", "m").required("add 'radius'").bounded(Bound::positive),
               radius);
  visit.number(Field("stiffness", "k", "N/m").required("add 'stiffness'").bounded(Bound::not_negative), stiffness);
  visit.number(Field("damping", "c", "N s/m", "0").bounded(Bound::not_negative), damping);
  visit.record(Field("lateral", "`{calspan: {...}}`: side force and aligning torque, below", "", "none"), lateral,
               [](FieldVisitor& inside, CalspanTyre& calspan) {
                 std::optional<Located<CalspanTyre>> formulas = calspan;
                 inside.record(Field("calspan").required("add 'calspan: {...}'"), formulas, calspan_fields);
                 calspan = formulas->value;
               });
}

void TyreSpec::lower(Lowering& to) const {
  Tyre tyre{.body = to.body(body), .road = to.road(road), .radius = radius->value, .stiffness = stiffness->value};
  tyre.center = at ? to.place(*at) : to.mechanism().bodies[static_cast<std::size_t>(tyre.body)].center;
  if (axis) tyre.axis = to.direction(*axis);
  if (damping) tyre.damping = damping->value;
  if (lateral) tyre.lateral = lateral->value;
  const bool planar = to.mechanism().planar;
  if (lateral && planar) return to.error(lateral->where, "a planar model has no side forces", "leave 'lateral' out");
  const Road& under = to.mechanism().roads[static_cast<std::size_t>(tyre.road)];
  if (under.sort != Road::Sort::profile)
    return to.error({}, fmt::format("road '{}' is no profile", under.name), "give it as 'profile' or 'height'");
  const Profile profile(under.profile);
  if (!profile.covers(tyre.center.x()))
    return to.error({},
                    fmt::format("the wheel is drawn at x = {:.6g} m, but road '{}' reaches from {:.6g} to {:.6g} m",
                                tyre.center.x(), under.name, profile.begin(), profile.end()),
                    "make the road longer");
  const double height = planar ? tyre.center.y() : tyre.center.z(), ground = profile.height(tyre.center.x());
  if (!(height > ground))
    return to.error(
        {},
        fmt::format("the wheel's centre is drawn at {:.6g} m, below road '{}' ({:.6g} m)", height, under.name, ground),
        "draw it above the road");
  to.add(tyre);
}

}  // namespace cardan
