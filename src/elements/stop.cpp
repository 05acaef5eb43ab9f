// Stops of a joint's coordinate q: with d the depth beyond an end and S(u) = u^2 (3 - 2 u), 1 from u = 1 on,
//     restoring force  k (integral of S(d/w))  +  c S(d/w) q'
// so that neither the force nor its slope jumps. The first part is a spring's, the second an effort of signals.
#include <fmt/format.h>

#include <limits>

#include "cardan/element.hpp"
#include "cardan/specs/joints.hpp"
#include "mechanism/joint_types.hpp"

namespace cardan {
namespace {

/// A joint that starts deeper in a stop than where that is as stiff as it becomes is thrown out of it, which is seldom
/// meant.
void warn_of_start(const StopSpec& stop, const Joint& joint, int coordinate, double soft, Lowering& to) {
  const auto i = static_cast<std::size_t>(coordinate);
  const double start = joint.initial_position.value_or(i < joint.drawn.size() ? joint.drawn[i] : 0);
  const auto warn = [&](const Number& end, double depth, const char* which) {
    if (!(depth > soft)) return;
    const char* const unit = is_angle(joint.type, to.mechanism().planar, coordinate) ? "rad" : "m";
    const char* const of_force = unit[0] == 'm' ? "N" : "N m";
    to.warning(
        end.where,
        fmt::format("joint '{}' starts at {:.4g} {}, beyond '{}', {:.4g} {}: the stop pushes it back with {:.3g} "
                    "{} from the start on",
                    joint.name, start, unit, which, end.value, unit, stop.stiffness.value * (depth - soft / 2),
                    of_force),
        "let it start between its ends, or say with 'drawn' what its coordinate is in the drawing");
  };
  if (stop.min) warn(*stop.min, stop.min->value - start, "min");
  if (stop.max) warn(*stop.max, start - stop.max->value, "max");
}

}  // namespace

ElementKind StopSpec::kind() const { return {"stop", "a stop"}; }

void StopSpec::fields(FieldVisitor& visit) {
  visit.joint(Field("stop", "the joint").required(), joint, coordinate);
  visit.range(Field("min", "lower end", "rad or m", "none"), Field("max", "upper end", "rad or m", "none"), min, max);
  visit.number(Field("stiffness", "k, of either end", "N m/rad or N/m")
                   .required("add 'stiffness', N m/rad or N/m")
                   .bounded(Bound::positive),
               stiffness);
  visit.number(Field("damping", "c, while it touches", "N m s/rad or N s/m", "0").bounded(Bound::not_negative),
               damping);
  visit.number(Field("soft", "w, the depth over which it becomes as stiff as that", "rad or m", "0.001")
                   .bounded(Bound::positive),
               soft);
}

void StopSpec::lower(Lowering& to) const {
  constexpr double kOpen = std::numeric_limits<double>::infinity();
  constexpr double kSoft = 1e-3;  // rad or m
  if (!min && !max) return to.error({}, "the stop has no end", "add 'min', 'max' or both");
  if (min && max && !(min->value < max->value))
    return to.error(min->where, fmt::format("min is {}, not below max, {}", min->value, max->value), "exchange them");
  const auto q = to.coordinate(joint, coordinate);
  if (!q) return;
  const double w = soft ? soft->value : kSoft;
  to.add(JointSpringDamper{
      .joint = q->joint,
      .coordinate = q->index,
      .spring = Function::stop(min ? min->value : -kOpen, max ? max->value : kOpen, stiffness.value, w)});
  const Mechanism& m = to.mechanism();
  const Joint& owner = m.joints[static_cast<std::size_t>(q->joint)];
  warn_of_start(*this, owner, q->index, w, to);
  if (!damping || damping->value == 0) return;
  const std::string number = joint_coordinate_count(owner.type, m.planar) == 1 ? "" : std::to_string(q->index + 1);
  const auto touch = [&](const std::string& depth) {
    const std::string u = fmt::format("min(1, max(0, ({})/w))", depth);
    return fmt::format("{0}^2*(3 - 2*{0})", u);
  };
  std::string sum;
  std::map<std::string, double> constants{{"c", damping->value}, {"w", w}};
  if (min) sum = touch(fmt::format("low - '{}.q{}'", owner.name, number)), constants["low"] = min->value;
  if (max) {
    sum += (min ? " + " : "") + touch(fmt::format("'{}.q{}' - high", owner.name, number));
    constants["high"] = max->value;
  }
  const Varying effort = SignalExpression::parse(fmt::format("-c*({})*'{}.v{}'", sum, owner.name, number), constants);
  to.add(Actuator{.joint = q->joint, .coordinate = q->index, .effort = to.law(effort)});
}

}  // namespace cardan
