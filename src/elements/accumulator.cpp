// Gas behind a membrane, on the line of a pump or a port of a cylinder, through an orifice. With V the volume of the
// gas
//     V' = -q,   q = K g(p_l - p),   (p + p_atm) V^n = (p_0 + p_atm) V_0^n
// p_l the pressure of the line, g as in orifice.hpp, K = rated flow / g(rated drop). Without fluid, V = V_0, the
// membrane closes the port: beyond that p falls by (p_0 + p_atm) ((V/V_0 - 1)/0.01)^2 as well.
//
// Energy: p_l q is `lost`, q (p_l - p), and the rate of `stored`, the work done on the gas since V_0:
//     ((p + p_atm) V - (p_0 + p_atm) V_0)/(n - 1) - p_atm (V_0 - V),   for n = 1 (p_0 + p_atm) V_0 ln(V_0/V) - ...
#include <fmt/format.h>

#include <cmath>

#include "cardan/specs/hydraulics.hpp"
#include "elements/hydraulic_units.hpp"
#include "elements/orifice.hpp"
#include "math/signal_law.hpp"

namespace cardan {
namespace {

constexpr double kClosing = 0.01;  // of the volume: over which the membrane closes the port

struct GasLaw {
  double volume, precharge, atmosphere, exponent;  // precharge absolute

  template <class T>
  T beyond(const T& V) const {
    return value_of(V) > volume ? (V / volume - 1.0) / kClosing : 0.0 * V;
  }
  template <class T>
  T pressure(const T& V) const {
    using std::pow;
    const T over = beyond(V);
    return precharge * pow(volume / V, exponent) - precharge * over * over - atmosphere;
  }
  template <class T>
  T stored(const T& V) const {
    using std::pow;
    const T over = beyond(V), squeezed = volume - V;
    const T closing = precharge * volume * kClosing / 3 * over * over * over;
    if (exponent == 1) return precharge * volume * natural_logarithm(volume / V) - atmosphere * squeezed + closing;
    return (precharge * pow(volume / V, exponent) * V - precharge * volume) / (exponent - 1) - atmosphere * squeezed +
           closing;
  }
  std::string text() const { return fmt::format("gas {} {} {} {}", volume, precharge, atmosphere, exponent); }
};

}  // namespace

ElementKind AccumulatorSpec::kind() const {
  return {.name = "accumulator", .called = "an accumulator", .switchable = false};
}

void AccumulatorSpec::fields(FieldVisitor& visit) {
  visit.element(Field("accumulator", "the pump, cylinder or motor that it is at").required(), line,
                {"pump", "cylinder", "hydraulic_motor"});
  visit.choice(Field("port", "of a cylinder or motor: `a` or `b`", "", "a"), {"a", "b"}, port);
  visit.number(
      Field("volume", "V_0, of the gas without fluid", "m^3").required("add 'volume', m^3").bounded(Bound::positive),
      volume);
  visit.number(Field("precharge", "p_0, of the gas without fluid", "Pa")
                   .required("add 'precharge', Pa")
                   .bounded(Bound::not_negative),
               precharge);
  visit.number(Field("start", "p at t = 0", "Pa", "the precharge"), start);
  visit.number(Field("exponent", "n: 1 for slow changes at one temperature, 1.4 for nitrogen without exchange of heat",
                     "", "1.4")
                   .bounded(Bound::positive),
               exponent);
  visit.number(Field("atmosphere", "p_atm", "Pa", "101325").bounded(Bound::positive), atmosphere);
  visit.number(Field("rated_flow", "through its port at the rated drop", "m^3/s")
                   .required("add 'rated_flow', m^3/s")
                   .bounded(Bound::positive),
               rated_flow);
  visit.number(Field("rated_drop", "of its port", "Pa", "5e5").bounded(Bound::positive), rated_drop);
  visit.number(Field("transition", "d, drop below which the flow is laminar", "Pa", "5e4").bounded(Bound::positive),
               transition);
}

void AccumulatorSpec::lower(Lowering& to) const {
  const GasLaw law{volume.value, precharge.value + atmosphere.value, atmosphere.value, exponent.value};
  if (start && start->value < precharge.value)
    return to.error(start->where, fmt::format("it starts at {} Pa, below its precharge", start->value),
                    "start at the precharge or above");
  warn_of_flow(to, rated_flow.value, rated_flow.where, "its rated flow");
  warn_of_pressure(to, precharge, "its precharge");
  const double filled = start ? start->value + atmosphere.value : law.precharge;
  const double V = law.volume * std::pow(law.precharge / filled, 1 / law.exponent);
  const bool at_pump = to.kind_of(line) == "pump";
  const auto own = [this](const char* quantity) { return signal_name(name, quantity); };
  const std::string gas = own("volume"), p = own("p"), q = own("flow"), text = law.text();
  const std::string outside = signal_name(line, at_pump ? "p" : port == 0 ? "pa" : "pb");
  to.add_signal("p", "Pa",
                Varying(signal_law(text, std::array{gas}, [law](const auto* x) { return law.pressure(x[0]); })));
  const double d = transition.value, K = rated_flow.value / orifice_flow(rated_drop.value, d);
  to.add_signal("flow", "m^3/s",
                Varying(signal_law(fmt::format("accumulator {} {}", K, d), std::array{outside, p},
                                   [K, d](const auto* x) { return K * orifice_flow(x[0] - x[1], d); })));
  to.add_state("volume", "m^3", V, law.volume,
               signal_law("against the flow", std::array{q}, [](const auto* x) { return -x[0]; }));
  const double sign = at_pump ? 1 : -1;
  to.add_to(line,
            at_pump     ? "drawn"
            : port == 0 ? "qa"
                        : "qb",
            signal_law(fmt::format("{} times", sign), std::array{q}, [sign](const auto* x) { return sign * x[0]; }));
  to.add_signal("lost", "W", Varying(signal_law("flow over a drop", std::array{q, outside, p}, [](const auto* x) {
                  return x[0] * (x[1] - x[2]);
                })));
  to.add_signal(
      "stored", "J",
      Varying(signal_law(text + "stored", std::array{gas}, [law](const auto* x) { return law.stored(x[0]); })));
}

}  // namespace cardan
