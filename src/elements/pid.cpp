// A controller of the error e, whose output is the signal NAME:
//     w = kp e + i + kd (e - f)/T_f,   u = w held within min and max
//     i' = ki e + (u - w)/T_t,   T_f f' = e - f
// so that the derivative is that of the error behind a filter of first order. Where the output is at a limit the
// integral runs back to where w would be there, with the time constant T_t (back-calculation). i starts at 0.
#include "cardan/specs/pid.hpp"

#include <fmt/format.h>

#include <limits>

#include "math/signal_law.hpp"

namespace cardan {
namespace {

struct PidLaw {
  double kp, ki, kd, filter, min, max, windup;

  template <class T>
  T wanted(const T& e, const T& i, const T& f) const {
    return kd > 0 ? kp * e + i + kd / filter * (e - f) : kp * e + i;
  }
  template <class T>
  T held(const T& w) const {
    return value_of(w) < min ? 0.0 * w + min : value_of(w) > max ? 0.0 * w + max : w;
  }
  std::string text() const { return fmt::format("pid {} {} {} {} {} {} {}", kp, ki, kd, filter, min, max, windup); }
};

}  // namespace

ElementKind PidSpec::kind() const { return {.name = "pid", .called = "a controller", .switchable = false}; }

void PidSpec::fields(FieldVisitor& visit) {
  visit.varying(Field("pid", "e, the error: a function of `t`, or of signals").required(), error);
  visit.number(Field("kp", "output over error", "", "0"), kp);
  visit.number(Field("ki", "rate of the output over error", "", "0"), ki);
  visit.number(Field("kd", "output over rate of the error", "", "0")
                   .bounded(Bound::not_negative, "kd", "turn the sign of the error"),
               kd);
  visit.number(Field("filter", "T_f", "s", "0.01").bounded(Bound::positive), filter);
  visit.number(Field("start", "f at t = 0: the error there, for a derivative that begins without a jolt", "", "0"),
               start);
  visit.number(Field("min", "least output", "", "none"), min);
  visit.number(Field("max", "largest output", "", "none"), max);
  visit.number(Field("windup", "T_t", "s", "kp/ki, or 1").bounded(Bound::positive), windup);
}

void PidSpec::lower(Lowering& to) const {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  PidLaw law{kp.value, ki.value, kd.value, filter.value, min ? min->value : -kNone, max ? max->value : kNone, 1};
  if (law.kp == 0 && law.ki == 0 && law.kd == 0) return to.error({}, "it does nothing", "give 'kp', 'ki' or 'kd'");
  if (!(law.min < law.max))
    return to.error(max ? max->where : SourceLocation{},
                    fmt::format("its least output is {}, not below its largest, {}", law.min, law.max),
                    "exchange them");
  if (law.kp * law.ki > 0) law.windup = law.kp / law.ki;
  if (windup) law.windup = windup->value;
  const auto own = [this](const char* quantity) { return signal_name(name, quantity); };
  const std::string e = own("error"), text = law.text();
  to.add_signal("error", "", error);
  const double size = law.max - law.min < kNone ? law.max - law.min : 1;
  const std::string i = law.ki != 0 ? own("integral") : e, f = law.kd > 0 ? own("filter") : e;
  // Where one of the two is absent, the error stands in its place and is not looked at.
  const bool integrates = law.ki != 0;
  const auto wanted = [law, integrates](const auto* x) {
    return law.wanted(x[0], integrates ? x[1] : 0.0 * x[1], x[2]);
  };
  to.add_signal(
      "", "",
      Varying(signal_law(text, std::array{e, i, f}, [law, wanted](const auto* x) { return law.held(wanted(x)); })));
  if (integrates)
    to.add_state("integral", "", 0, size,
                 signal_law(text + "integral", std::array{e, i, f}, [law, wanted](const auto* x) {
                   const auto w = wanted(x);
                   return law.ki * x[0] + (law.held(w) - w) / law.windup;
                 }));
  if (law.kd > 0)
    to.add_state("filter", "", start.value, 1,
                 signal_law(fmt::format("filter {}", law.filter), std::array{e, f},
                            [T = law.filter](const auto* x) { return (x[0] - x[1]) / T; }));
}

}  // namespace cardan
