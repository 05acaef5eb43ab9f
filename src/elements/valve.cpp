// A directional valve with three positions: the spool x, from -1 to 1, follows its command u,
//     T x' = u - x,   or   T^2 x'' + 2 D T x' + x = u,   u held within -1 and 1
// and opens four edges. With y(x) = (d + sqrt(d^2 + e^2))/2, d = x - overlap, e such that y(0) is the leakage, made 1
// at x = 1, and K = rated flow / g(rated drop),
//     supply to a   K y(x)  g(p_s - p_a)          a to tank   K r_a y(-x) g(p_a - p_t)
//     supply to b   K y(-x) g(p_s - p_b)          b to tank   K r_b y(x)  g(p_b - p_t)
// g is sqrt|dp| with its sign, rounded off (orifice.hpp); with a check valve nothing flows back into the supply. Each
// port may have a make-up valve, K_m x^2/(x + d) for x = p_t - p > 0, and a relief valve to the tank, which lets the
// rated flow through at 10 % above its pressure.
//
// Energy: p_s times what is drawn is p_a q_a + p_b q_b, `lost`, the sum of flow times drop over all edges, and
// `returned`, p_t times what goes to the tank.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cardan/specs/hydraulics.hpp"
#include "elements/hydraulic_units.hpp"
#include "elements/orifice.hpp"
#include "math/signal_law.hpp"

namespace cardan {
namespace {

constexpr double kReliefBand = 0.1;  // of the relief pressure

/// Flows of one port: 0 a, 1 b.
template <class T>
struct PortFlow {
  T in, out, makeup, relief;
  T net() const { return in - out + makeup - relief; }
};

struct ValveLaw {
  double K, tank, transition, overlap, smooth, full, makeup;
  double to_tank[2], relief[2], relief_slope[2];  // relief < 0: none
  bool check;

  template <class T>
  T opening(const T& x) const {
    using std::sqrt;
    const T d = x - overlap;
    return (d + sqrt(d * d + smooth * smooth)) / (2 * full);
  }
  template <class T>
  T from_supply(const T& drop) const {
    return check ? checked_flow(drop, transition) : orifice_flow(drop, transition);
  }
  /// At the spool x, with the pressures of the supply and of the port.
  template <class T>
  PortFlow<T> port(int which, const T& x, const T& supply, const T& p) const {
    const T along = which == 0 ? x : -x;
    PortFlow<T> q{K * opening(along) * from_supply(supply - p),
                  K * to_tank[which] * opening(-along) * orifice_flow(p - tank, transition), 0.0 * p, 0.0 * p};
    if (makeup > 0) q.makeup = makeup * soft_ramp(tank - p, transition);
    if (relief[which] > 0) q.relief = relief_slope[which] * relief_opening(p, relief[which]);
    return q;
  }
  /// Of x, p_s, p_a, p_b.
  template <class T>
  T drawn(const T* x) const {
    return K * (opening(x[0]) * from_supply(x[1] - x[2]) + opening(-x[0]) * from_supply(x[1] - x[3]));
  }
  template <class T>
  T lost(const T* x) const {
    T sum = 0.0 * x[0];
    for (int i = 0; i < 2; ++i) {
      const T p = x[2 + i];
      const PortFlow<T> q = port(i, x[0], x[1], p);
      sum = sum + q.in * (x[1] - p) + (q.out + q.relief - q.makeup) * (p - tank);
    }
    return sum;
  }
  template <class T>
  T returned(const T* x) const {
    T sum = 0.0 * x[0];
    for (int i = 0; i < 2; ++i) {
      const PortFlow<T> q = port(i, x[0], x[1], x[2 + i]);
      sum = sum + tank * (q.out + q.relief - q.makeup);
    }
    return sum;
  }
  std::string text() const {
    return fmt::format("valve {} {} {} {} {} {} {} {} {} {} {} {} {}", K, tank, transition, overlap, smooth, makeup,
                       to_tank[0], to_tank[1], relief[0], relief[1], relief_slope[0], relief_slope[1], check);
  }
};

template <class T>
T within_stroke(const T& u) {
  return value_of(u) > 1 ? 0.0 * u + 1.0 : value_of(u) < -1 ? 0.0 * u - 1.0 : u;
}

/// The command and the spool that follows it.
void add_spool(Lowering& to, const ValveSpec& valve) {
  const std::string u = signal_name(valve.name, "command"), x = signal_name(valve.name, "spool");
  to.add_signal("command", "", valve.command);
  const double T = valve.time_constant.value;
  if (T == 0) {
    to.add_signal("spool", "",
                  Varying(signal_law("spool", std::array{u}, [](const auto* z) { return within_stroke(z[0]); })));
  } else if (!valve.damping_ratio) {
    to.add_state("spool", "", 0, 1, signal_law(fmt::format("spool {}", T), std::array{u, x}, [T](const auto* z) {
                   return (within_stroke(z[0]) - z[1]) / T;
                 }));
  } else {
    const std::string w = signal_name(valve.name, "spool_rate");
    to.add_state("spool", "", 0, 1,
                 signal_law("rate of spool", std::array{w}, [](const auto* z) { return 1.0 * z[0]; }));
    to.add_state("spool_rate", "1/s", 0, 1 / T,
                 signal_law(fmt::format("spool {} {}", T, valve.damping_ratio->value), std::array{u, x, w},
                            [T, D = valve.damping_ratio->value](const auto* z) {
                              return ((within_stroke(z[0]) - z[1]) / T - 2 * D * z[2]) / T;
                            }));
  }
}

}  // namespace

ElementKind ValveSpec::kind() const { return {.name = "valve", .called = "a valve", .switchable = false}; }

void ValveSpec::fields(FieldVisitor& visit) {
  visit.element(Field("valve", "the cylinder or motor").required(), cylinder, {"cylinder", "hydraulic_motor"});
  visit.element(Field("supply", "the pump").required("add 'supply: PUMP'"), supply, {"pump"});
  visit.varying(Field("command", "u: 1 opens the supply to a, -1 to b; a function of `t`, or of signals")
                    .required("add 'command: FUNCTION'"),
                command);
  visit.number(Field("rated_flow", "through one open edge at the rated drop", "m^3/s")
                   .required("add 'rated_flow', m^3/s")
                   .bounded(Bound::positive),
               rated_flow);
  visit.number(Field("rated_drop", "of one edge", "Pa", "5e5").bounded(Bound::positive), rated_drop);
  visit.number(Field("tank", "p_t", "Pa", "0"), tank);
  visit.number(
      Field("time_constant", "T; 0: the spool is where the command is", "s", "0.02").bounded(Bound::not_negative),
      time_constant);
  visit.number(Field("damping_ratio", "D, which makes the spool one of second order", "", "first order")
                   .bounded(Bound::positive),
               damping_ratio);
  visit.number(Field("overlap", "part of the stroke before an edge opens", "", "0").bounded(Bound::not_negative),
               overlap);
  visit.number(Field("leakage", "opening of every edge at x = 0, part of the full one", "", "1e-4")
                   .bounded(Bound::positive, "", "a small part, above 0"),
               leakage);
  visit.number(Field("transition", "d, drop below which the flow is laminar", "Pa", "5e4").bounded(Bound::positive),
               transition);
  visit.number(
      Field("a_to_tank", "r_a, opening from a to the tank over that from the supply", "", "1").bounded(Bound::positive),
      a_to_tank);
  visit.number(Field("b_to_tank", "r_b, the same of b", "", "1").bounded(Bound::positive), b_to_tank);
  visit.flag(Field("check", "no flow from the cylinder into the supply", "", "false"), check);
  visit.number(Field("makeup", "flow from the tank into a port whose pressure is below the tank's by the rated drop",
                     "m^3/s", "0")
                   .bounded(Bound::not_negative),
               makeup);
  visit.levels(
      Field("port_relief", "`[p_a, p_b]` of relief valves at the ports; one number stands for both", "Pa", "none")
          .like("[p_a, p_b]")
          .bounded(Bound::positive, "relief pressure"),
      port_relief_a, port_relief_b);
}

void ValveSpec::lower(Lowering& to) const {
  if (overlap.value >= 1)
    return to.error(overlap.where, fmt::format("the overlap is {}", overlap.value),
                    "give a part of the stroke, below 1");
  if (leakage.value > 0.1)
    return to.error(leakage.where, fmt::format("the leakage is {}", leakage.value), "give a small part, 0.1 at most");
  if (damping_ratio && time_constant.value == 0)
    return to.error(damping_ratio->where, "a spool of second order needs a time constant", "add 'time_constant', s");
  warn_of_flow(to, rated_flow.value, rated_flow.where, "its rated flow");
  warn_of_pressure(to, rated_drop, "its rated drop");
  warn_of_pressure(to, port_relief_a, "the relief pressure of a port");
  ValveLaw law{};
  law.K = rated_flow.value / orifice_flow(rated_drop.value, transition.value);
  law.tank = tank.value, law.transition = transition.value, law.overlap = overlap.value, law.check = check;
  law.smooth = 2 * std::sqrt(leakage.value * (leakage.value + overlap.value));
  law.full = 1;
  law.full = law.opening(1.0);
  law.makeup = makeup.value / soft_ramp(rated_drop.value, transition.value);
  law.to_tank[0] = a_to_tank.value, law.to_tank[1] = b_to_tank.value;
  for (int i = 0; i < 2; ++i) {
    const auto& given = i == 1 && port_relief_b ? port_relief_b : port_relief_a;
    law.relief[i] = given ? given->value : -1;
    law.relief_slope[i] = given ? rated_flow.value / (kReliefBand * given->value) : 0;
  }
  const auto own = [this](const char* quantity) { return signal_name(name, quantity); };
  const std::string x = own("spool"), ps = signal_name(supply, "p");
  const std::string pa = signal_name(cylinder, "pa"), pb = signal_name(cylinder, "pb"), text = law.text();
  add_spool(to, *this);
  to.add_signal("flow_a", "m^3/s", Varying(signal_law(text + "a", std::array{x, ps, pa}, [law](const auto* z) {
                  return law.port(0, z[0], z[1], z[2]).net();
                })));
  to.add_signal("flow_b", "m^3/s", Varying(signal_law(text + "b", std::array{x, ps, pb}, [law](const auto* z) {
                  return law.port(1, z[0], z[1], z[2]).net();
                })));
  const auto follow = [](const std::string& signal) {
    return Varying(signal_law("the same", std::array{signal}, [](const auto* z) { return 1.0 * z[0]; }));
  };
  to.add_to(cylinder, "qa", follow(own("flow_a")));
  to.add_to(cylinder, "qb", follow(own("flow_b")));
  const std::array all{x, ps, pa, pb};
  to.add_to(supply, "drawn", Varying(signal_law(text + "drawn", all, [law](const auto* z) { return law.drawn(z); })));
  to.add_signal("lost", "W", Varying(signal_law(text + "lost", all, [law](const auto* z) { return law.lost(z); })));
  to.add_signal("returned", "W",
                Varying(signal_law(text + "returned", all, [law](const auto* z) { return law.returned(z); })));
}

}  // namespace cardan
