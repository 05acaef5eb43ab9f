// Stops of a joint's coordinate q: with d the depth beyond an end and S(u) = u^2 (3 - 2 u), 1 from u = 1 on,
//     restoring force  k (integral of S(d/w))  +  c S(d/w) q'
// so that neither the force nor its slope jumps. The first part is a spring's, the second an effort of signals.
#include <fmt/format.h>

#include <limits>

#include "cardan/element.hpp"
#include "cardan/specs/joints.hpp"

namespace cardan {

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
  if (!damping || damping->value == 0) return;
  const Mechanism& m = to.mechanism();
  const Joint& owner = m.joints[static_cast<std::size_t>(q->joint)];
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
