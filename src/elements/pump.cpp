// A source of flow into a line of fluid, with a relief valve:
//     p' = B/V (q - c_l p - q_r - q_d),   q_r = G r(p - p_r),   r(x) = x^2/(x + 0.01 p_r) for x > 0, else 0
// q_d: what valves and accumulators draw. Energy: `power` p q is p q_d, `lost` p (c_l p + q_r), and the rate of
// `stored` V p^2/(2 B); the shaft gives power/efficiency.
#include <fmt/format.h>

#include "cardan/specs/hydraulics.hpp"
#include "elements/hydraulic_units.hpp"
#include "elements/orifice.hpp"
#include "math/signal_law.hpp"

namespace cardan {
namespace {

struct PumpLaw {
  double volume, bulk, leak, relief, gradient;  // relief < 0: none

  template <class T>
  T relief_flow(const T& p) const {
    return relief < 0 ? 0.0 * p : gradient * relief_opening(p, relief);
  }
  std::string text() const { return fmt::format("pump {} {} {} {} {}", volume, bulk, leak, relief, gradient); }
};

}  // namespace

ElementKind PumpSpec::kind() const { return {.name = "pump", .called = "a pump", .switchable = false}; }

void PumpSpec::fields(FieldVisitor& visit) {
  visit.varying(Field("pump", "q, its flow: a function of `t`, or of signals", "m^3/s").required(), flow);
  visit.number(Field("volume", "V, of its line", "m^3").required("add 'volume', m^3").bounded(Bound::positive), volume);
  visit.number(Field("bulk_modulus", "B, effective", "Pa", "1.5e9").bounded(Bound::positive), bulk_modulus);
  visit.number(Field("start", "p at t = 0", "Pa", "0"), start);
  visit.number(Field("leakage", "c_l, inside, to the tank", "m^3/(s Pa)", "0").bounded(Bound::not_negative), leakage);
  visit.number(Field("relief", "p_r, where the relief valve begins to open", "Pa", "none")
                   .bounded(Bound::positive, "relief pressure"),
               relief);
  visit.number(Field("relief_gradient", "G, flow of the relief valve over the pressure above p_r", "m^3/(s Pa)", "1e-8")
                   .bounded(Bound::positive),
               relief_gradient);
  visit.number(Field("efficiency", "power of the flow over that of the shaft", "", "1").bounded(Bound::positive),
               efficiency);
}

void PumpSpec::lower(Lowering& to) const {
  if (efficiency.value > 1)
    return to.error(efficiency.where, fmt::format("the efficiency is {}", efficiency.value), "give it up to 1");
  if (!flow.value.follows_signals()) warn_of_flow(to, flow.value.function(0), flow.where, "its flow");
  warn_of_pressure(to, relief, "its relief pressure");
  const PumpLaw law{volume.value, bulk_modulus.value, leakage.value, relief ? relief->value : -1,
                    relief_gradient.value};
  const auto own = [this](const char* quantity) { return signal_name(name, quantity); };
  const std::string p = own("p"), q = own("flow"), text = law.text();
  to.add_signal("flow", "m^3/s", flow);
  to.add_sum("drawn", "m^3/s");
  to.add_state("p", "Pa", start.value, 1e7,
               signal_law(text + "rate", std::array{q, p, own("drawn")}, [law](const auto* x) {
                 return law.bulk / law.volume * (x[0] - law.leak * x[1] - law.relief_flow(x[1]) - x[2]);
               }));
  to.add_signal(
      "relief", "m^3/s",
      Varying(signal_law(text + "relief", std::array{p}, [law](const auto* x) { return law.relief_flow(x[0]); })));
  to.add_signal("power", "W",
                Varying(signal_law("pump power", std::array{p, q}, [](const auto* x) { return x[0] * x[1]; })));
  to.add_signal("shaft", "W",
                Varying(signal_law(fmt::format("pump shaft {}", efficiency.value), std::array{p, q},
                                   [part = efficiency.value](const auto* x) { return x[0] * x[1] / part; })));
  to.add_signal("lost", "W", Varying(signal_law(text + "lost", std::array{p}, [law](const auto* x) {
                  return x[0] * (law.leak * x[0] + law.relief_flow(x[0]));
                })));
  to.add_signal("stored", "J", Varying(signal_law(text + "stored", std::array{p}, [law](const auto* x) {
                  return law.volume / (2 * law.bulk) * x[0] * x[0];
                })));
}

}  // namespace cardan
