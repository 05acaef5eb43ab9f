// A hydraulic cylinder between two points: chamber a drives it out, chamber b, around the rod, drives it in. With s the
// distance of the points, v = s', x = s - retracted,
//     V_a = V_a0 + A_a x,   V_b = V_b0 + A_b (stroke - x)
//     p_a' = B/V_a (q_a - q_l - A_a v),   p_b' = B/V_b (q_b + q_l + A_b v),   q_l = c_l (p_a - p_b)
//     pull = -A_a p_a + A_b p_b + c v + F_c tanh(v/v0) + stops
// q_a, q_b: what valves and accumulators bring into the ports. A stop at depth d beyond an end of the stroke pushes
// back with k d (1 + d'/v_s), never pulling.
//
// Energy: what comes in, p_a q_a + p_b q_b, is work done by the cylinder (-pull v), `lost` (leakage, friction, damping
// of the stops), and the rate of `stored` = sum of V p^2/(2 B) and what the stops hold, less `carried` = sum of V'
// p^2/(2 B), what the swept fluid brings along with its compression.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "elements/chambers.hpp"
#include "elements/hydraulic_units.hpp"
#include "elements/orifice.hpp"

namespace cardan {
namespace {

constexpr double kDeadPart = 0.05;      // of the volume that a chamber sweeps
constexpr double kStopRounding = 1e-3;  // m

struct CylinderLaw {
  double area[2], dead[2];  // of a and b
  double retracted, stroke;
  Fluid fluid;
  SealFriction friction;
  double stop, stop_velocity;

  template <class T>
  T volume(int chamber, const T& s) const {
    const T x = s - retracted;
    const T V = chamber == 0 ? dead[0] + area[0] * x : dead[1] + area[1] * (stroke - x);
    // Beyond the stops, where only iterates are.
    const double least = 0.1 * dead[chamber];
    return value_of(V) > least ? V : 0.0 * V + least;
  }
  /// Of q, p of this chamber, p of the other, s, v.
  template <class T>
  T rate(int chamber, const T* x) const {
    const T displaced = chamber == 0 ? area[0] * x[4] : -area[1] * x[4];
    return fluid.rate(x[0], x[1], x[2], displaced, volume(chamber, x[3]));
  }
  /// The depth in a stop and its rate, positive where it is touched; which way that pushes: 1 apart, -1 together.
  template <class T>
  int depth(const T& s, const T& v, T& d, T& rate) const {
    const int side = value_of(s) - retracted < stroke / 2 ? 1 : -1;
    d = side > 0 ? retracted - s : s - (retracted + stroke);
    rate = side > 0 ? -v : v;
    return side;
  }
  /// At rest.
  template <class T>
  T stop_force(const T& d) const {
    return value_of(d) > 0 ? stop * d * d / (d + kStopRounding) : 0.0 * d;
  }
  template <class T>
  T stop_energy(const T& d) const {
    if (!(value_of(d) > 0)) return 0.0 * d;
    constexpr double w = kStopRounding;
    return stop * (0.5 * d * d - w * d + w * w * natural_logarithm(1.0 + d / w));
  }
  template <class T>
  T stop_damping(const T& d, const T& rate) const {
    using std::tanh;
    return stop_force(d) * tanh(rate / stop_velocity);
  }
  /// Of p_a, p_b, s, v.
  template <class T>
  T pull(const T* x) const {
    T d = x[2], rate = x[3];
    const int apart = depth(x[2], x[3], d, rate);
    return area[1] * x[1] - area[0] * x[0] + friction(x[3]) -
           static_cast<double>(apart) * (stop_force(d) + stop_damping(d, rate));
  }
  /// What a stop pushes back with.
  template <class T>
  T stopped(const T* x) const {
    T d = x[2], rate = x[3];
    depth(x[2], x[3], d, rate);
    return stop_force(d) + stop_damping(d, rate);
  }
  template <class T>
  T lost(const T* x) const {
    T d = x[2], rate = x[3];
    depth(x[2], x[3], d, rate);
    return fluid.leakage_loss(x[0], x[1]) + friction(x[3]) * x[3] + stop_damping(d, rate) * rate;
  }
  template <class T>
  T stored(const T* x) const {
    T d = x[2], rate = x[3];
    depth(x[2], x[3], d, rate);
    return fluid.stored(volume(0, x[2]), x[0], volume(1, x[2]), x[1]) + stop_energy(d);
  }
  template <class T>
  T carried(const T* x) const {
    return x[3] * (area[0] * x[0] * x[0] - area[1] * x[1] * x[1]) / (2 * fluid.bulk);
  }
  std::string text() const {
    return fmt::format("cylinder {} {} {} {} {} {} {} {} {} {} {} {} {}", area[0], area[1], dead[0], dead[1], retracted,
                       stroke, fluid.bulk, fluid.leak, friction.viscous, friction.coulomb, friction.v0, stop,
                       stop_velocity);
  }
};

double of_diameter(double d) { return std::numbers::pi / 4 * d * d; }
double diameter(double area) { return std::sqrt(4 / std::numbers::pi * area); }

}  // namespace

void ChambersSpec::chamber_fields(FieldVisitor& visit, const char* where_it_leaks) {
  visit.number(Field("bulk_modulus", "B, effective", "Pa", "1.5e9").bounded(Bound::positive), bulk_modulus);
  visit.levels(
      Field("start", "`[p_a, p_b]` at t = 0; one number stands for both", "Pa", "0").like("[p_a, p_b]").of_two(),
      start_a, start_b);
  visit.number(Field("leakage", where_it_leaks, "m^3/(s Pa)", "0").bounded(Bound::not_negative), leakage);
}

ElementKind CylinderSpec::kind() const { return {.name = "cylinder", .called = "a cylinder", .switchable = false}; }

void CylinderSpec::fields(FieldVisitor& visit) {
  visit.two_bodies(Field("cylinder", "`[BODY1, BODY2]`").required().like("[ground, BODY]"), body1, body2);
  visit.two_places(Field("at", "`[P1, P2]`, a place on each body, drawn apart")
                       .required("write 'at: [POINT, POINT]'", "a cylinder needs two points"),
                   at1, at2);
  visit.number(Field("bore", "diameter of the piston", "m").bounded(Bound::positive), bore);
  visit.number(Field("rod", "diameter of the rod", "m").bounded(Bound::positive), rod);
  visit.levels(Field("areas", "instead of the diameters: `[A_a, A_b]`; one number stands for both", "m^2")
                   .like("[A_a, A_b]")
                   .bounded(Bound::positive, "area"),
               area_a, area_b);
  visit.number(Field("retracted", "distance of the points when it is all in", "m")
                   .required("add 'retracted', m")
                   .bounded(Bound::not_negative, "retracted length"),
               retracted);
  visit.number(Field("stroke", "how far it goes out", "m").required("add 'stroke', m").bounded(Bound::positive),
               stroke);
  visit.levels(Field("dead_volumes",
                     "`[V_a0, V_b0]`, of each chamber with its line where it is smallest; one number "
                     "stands for both",
                     "m^3", "5 % of what each chamber sweeps")
                   .like("[V_a0, V_b0]")
                   .bounded(Bound::positive, "dead volume"),
               dead_volume_a, dead_volume_b);
  chamber_fields(visit, "c_l, across the piston");
  visit.number(Field("viscous", "c, friction of the seals over speed", "N s/m", "0")
                   .bounded(Bound::not_negative, "viscous friction"),
               viscous);
  visit.number(
      Field("coulomb", "F_c, friction of the seals", "N", "0").bounded(Bound::not_negative, "Coulomb friction"),
      coulomb);
  visit.number(
      Field("friction_velocity", "v0, where Coulomb friction is rounded off", "m/s", "0.01").bounded(Bound::positive),
      friction_velocity);
  visit.number(Field("stop_stiffness", "k, of the stops at both ends", "N/m", "1e8").bounded(Bound::positive),
               stop_stiffness);
  visit.number(Field("stop_velocity", "v_s, of the damping of the stops", "m/s", "0.1").bounded(Bound::positive),
               stop_velocity);
}

void CylinderSpec::lower(Lowering& to) const {
  const Vec3 point1 = to.place(*at1), point2 = to.place(*at2);
  const double drawn = (point2 - point1).norm();
  const bool diameters = bore || rod;
  if (diameters == area_a.has_value() || (diameters && !(bore && rod)))
    return to.error({}, "its areas are not told", "give 'bore' and 'rod', or 'areas'");
  if (diameters && rod->value >= bore->value)
    return to.error(rod->where,
                    fmt::format("the rod, {} m, is no thinner than the bore, {} m", rod->value, bore->value),
                    "exchange them");
  if (!(drawn > 0 && drawn >= retracted.value && drawn <= retracted.value + stroke.value))
    return to.error(at1->where,
                    fmt::format("its points are drawn {:.6g} m apart, but it reaches from {:.6g} to {:.6g} m", drawn,
                                retracted.value, retracted.value + stroke.value),
                    "change 'retracted' or 'stroke', or draw it elsewhere");
  warn_of_diameter(to, bore, "its bore");
  CylinderLaw law{};
  law.area[0] = diameters ? of_diameter(bore->value) : area_a->value;
  law.area[1] = diameters ? law.area[0] - of_diameter(rod->value) : area_b.value_or(*area_a).value;
  for (int i = 0; i < 2; ++i) {
    const auto& given = i == 1 && dead_volume_b ? dead_volume_b : dead_volume_a;
    law.dead[i] = given ? given->value : kDeadPart * law.area[i] * stroke.value;
  }
  law.retracted = retracted.value, law.stroke = stroke.value;
  law.fluid = {bulk_modulus.value, leakage.value};
  law.friction = {viscous.value, coulomb.value, friction_velocity.value};
  law.stop = stop_stiffness.value, law.stop_velocity = stop_velocity.value;

  const auto own = [this](const char* quantity) { return signal_name(name, quantity); };
  const std::string pa = own("pa"), pb = own("pb"), s = own("length"), v = own("rate"), text = law.text();
  const auto of_motion = [&](const char* what, auto f) {
    return Varying(signal_law(text + what, std::array{pa, pb, s, v}, f));
  };
  add_pressures(to, name, *this, law, text, std::array{s, v});
  to.add_signal("stop", "N", of_motion("stop", [law](const auto* x) { return law.stopped(x); }));
  to.add_signal("lost", "W", of_motion("lost", [law](const auto* x) { return law.lost(x); }));
  to.add_signal("stored", "J", of_motion("stored", [law](const auto* x) { return law.stored(x); }));
  to.add_signal("carried", "W", of_motion("carried", [law](const auto* x) { return law.carried(x); }));
  to.add_signal("power", "W", of_motion("power", [law](const auto* x) { return 0.0 - law.pull(x) * x[3]; }));
  to.add(LineForce{.body1 = to.body(body1),
                   .body2 = to.body(body2),
                   .point1 = point1,
                   .point2 = point2,
                   .pull = to.law(of_motion("pull", [law](const auto* x) { return law.pull(x); })),
                   .bore = diameter(law.area[0]),
                   .rod = diameter(std::max(law.area[0] - law.area[1], 0.0)),
                   .retracted = retracted.value});
}

}  // namespace cardan
