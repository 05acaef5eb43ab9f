// A hydraulic motor on an angle of a joint, of constant displacement: chamber a drives it forward, b back. With w the
// rate of the angle, D the displacement, and volumes that do not change,
//     p_a' = B/V_a (q_a - q_l - D w),   p_b' = B/V_b (q_b + q_l + D w),   q_l = c_l (p_a - p_b)
//     torque = D (p_a - p_b) - c w - M_c tanh(w/w0)
// q_a, q_b: what valves and accumulators bring into the ports.
//
// Energy: what comes in, p_a q_a + p_b q_b, is work done by the motor (torque w), `lost` (leakage, friction), and the
// rate of `stored` = sum of V p^2/(2 B).
#include <fmt/format.h>

#include "elements/chambers.hpp"

namespace cardan {
namespace {

struct MotorLaw {
  double displacement, volume[2];  // of a and b
  Fluid fluid;
  SealFriction friction;

  /// Of q, p of this chamber, p of the other, w.
  template <class T>
  T rate(int chamber, const T* x) const {
    const T displaced = (chamber == 0 ? displacement : -displacement) * x[3];
    return fluid.rate(x[0], x[1], x[2], displaced, 0.0 * x[1] + volume[chamber]);
  }
  /// Of p_a, p_b, w.
  template <class T>
  T torque(const T* x) const {
    return displacement * (x[0] - x[1]) - friction(x[2]);
  }
  template <class T>
  T lost(const T* x) const {
    return fluid.leakage_loss(x[0], x[1]) + friction(x[2]) * x[2];
  }
  template <class T>
  T stored(const T* x) const {
    return fluid.stored(0.0 * x[0] + volume[0], x[0], 0.0 * x[1] + volume[1], x[1]);
  }
  std::string text() const {
    return fmt::format("hydraulic motor {} {} {} {} {} {} {} {}", displacement, volume[0], volume[1], fluid.bulk,
                       fluid.leak, friction.viscous, friction.coulomb, friction.v0);
  }
};

}  // namespace

ElementKind HydraulicMotorSpec::kind() const {
  return {.name = "hydraulic_motor", .called = "a hydraulic motor", .switchable = false};
}

void HydraulicMotorSpec::fields(FieldVisitor& visit) {
  visit.joint(Field("hydraulic_motor", "the joint").required(), joint, coordinate, CoordinateSort::angle);
  visit.number(Field("displacement", "D; a negative one turns back where a positive one turns forward", "m^3/rad")
                   .required("add 'displacement', m^3/rad")
                   .bounded(Bound::not_zero)
                   .turning(),
               displacement);
  visit.levels(Field("volumes", "`[V_a, V_b]`, of each chamber with its line; one number stands for both", "m^3")
                   .required("add 'volumes', m^3")
                   .like("[V_a, V_b]")
                   .of_two()
                   .bounded(Bound::positive, "volume"),
               volume_a, volume_b);
  chamber_fields(visit, "c_l, between the chambers");
  visit.number(
      Field("viscous", "c, friction over speed", "N m s/rad", "0").bounded(Bound::not_negative, "viscous friction"),
      viscous);
  visit.number(Field("coulomb", "M_c, friction", "N m", "0").bounded(Bound::not_negative, "Coulomb friction"), coulomb);
  visit.number(
      Field("friction_speed", "w0, where Coulomb friction is rounded off", "rad/s", "0.01").bounded(Bound::positive),
      friction_speed);
}

void HydraulicMotorSpec::lower(Lowering& to) const {
  const auto q = to.coordinate(joint, coordinate, CoordinateSort::angle, "a cylinder pushes along a line");
  if (!q) return;
  const MotorLaw law{displacement.value,
                     {volume_a->value, volume_b.value_or(*volume_a).value},
                     {bulk_modulus.value, leakage.value},
                     {viscous.value, coulomb.value, friction_speed.value}};
  const Joint& on = to.mechanism().joints[static_cast<std::size_t>(q->joint)];
  const bool only = joint_coordinate_count(on.type, to.mechanism().planar) == 1;
  const std::string rate = on.name + ".v" + (only ? "" : std::to_string(q->index + 1)), text = law.text();
  const std::array of_motion{signal_name(name, "pa"), signal_name(name, "pb"), rate};
  const auto signal = [&](const char* what, auto f) { return Varying(signal_law(text + what, of_motion, f)); };
  add_pressures(to, name, *this, law, text, std::array{rate});
  to.add_signal("lost", "W", signal("lost", [law](const auto* x) { return law.lost(x); }));
  to.add_signal("stored", "J", signal("stored", [law](const auto* x) { return law.stored(x); }));
  to.add_signal("power", "W", signal("power", [law](const auto* x) { return law.torque(x) * x[2]; }));
  to.add(Actuator{.joint = q->joint, .coordinate = q->index, .effort = to.law(signal("torque", [law](const auto* x) {
                    return law.torque(x);
                  }))});
}

}  // namespace cardan
