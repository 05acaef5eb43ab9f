// A brake on a hinge: friction up to a torque that follows time and inputs. What it holds by is a twist z of stiffness
// k, carried over the step from what it was at the start, z = z0 + (w0 + w) h/2, w the speed of the hinge:
//     torque = -L g((k z + c w)/L),   |k z| held to (1 + d) L
// g rises straight to 1 - d and is 1 from 1 + d on: at rest it holds as a spring, without creep, up to L; moving it
// slides with L.
#include <cmath>

#include "cardan/element.hpp"
#include "cardan/specs/loads.hpp"

namespace cardan {
namespace {

struct BrakeLaw {
  static constexpr double kRounding = 0.25;  // d
  static constexpr double kDamping = 0.01;   // s, c over k
  static constexpr double kNothing = 1e-9;   // N m: less is no brake

  double stiffness, damping;

  struct Result {
    double torque = 0, slope = 0;  // on body 2 about the axis; its fall over the speed
    double twist = 0, speed = 0;
  };
  Result result(const FramePair& at) const {
    const Vec3 axis = at.one.rotation.col(2);
    Result r;
    r.speed = axis.dot(at.two.angular_velocity - at.one.angular_velocity);
    const double limit = at.given;
    if (!(limit > kNothing)) return r;
    const double before = at.memory != nullptr ? at.memory[0] : 0,
                 speed = at.memory != nullptr ? at.memory[1] : r.speed;
    r.twist = before + 0.5 * at.elapsed * (speed + r.speed);
    double growth = 0.5 * at.elapsed * stiffness + damping;
    const double most = (1 + kRounding) * limit / stiffness;
    if (std::abs(r.twist) > most) r.twist = std::copysign(most, r.twist), growth = damping;
    const double x = (stiffness * r.twist + damping * r.speed) / limit, size = std::abs(x);
    double g = x, g1 = 1;
    if (size >= 1 + kRounding) {
      g = std::copysign(1.0, x), g1 = 0;
    } else if (size > 1 - kRounding) {
      const double rest = 1 + kRounding - size;
      g = std::copysign(1 - rest * rest / (4 * kRounding), x), g1 = rest / (2 * kRounding);
    }
    r.torque = -limit * g;
    r.slope = g1 * growth;
    return r;
  }
  Wrench wrench(const FramePair& at) const { return {Vec3::Zero(), result(at).torque * at.one.rotation.col(2)}; }
  WrenchTangent tangent(const FramePair& at) const {
    const Result r = result(at);
    const Vec3 axis = at.one.rotation.col(2), w = at.two.angular_velocity - at.one.angular_velocity;
    WrenchTangent by;
    by.velocity2.bottomRightCorner<3, 3>() = -r.slope * axis * axis.transpose();
    by.velocity1 = -by.velocity2;
    // The axis turns with body 1: d axis = turn x axis.
    for (int i = 0; i < 3; ++i) {
      const Vec3 turned = Vec3::Unit(i).cross(axis);
      by.position1.col(3 + i).tail<3>() = r.torque * turned - r.slope * turned.dot(w) * axis;
    }
    return by;
  }
  void remember(const FramePair& at, double* memory) const {
    const Result r = result(at);
    memory[0] = r.twist, memory[1] = r.speed;
  }
};

}  // namespace

ElementKind BrakeSpec::kind() const { return {"brake", "a brake"}; }

void BrakeSpec::fields(FieldVisitor& visit) {
  visit.joint(Field("brake", "the joint, a revolute one").required(), joint, coordinate, CoordinateSort::angle);
  visit.varying(Field("torque", "L, the largest: a function of `t`, or of inputs; none where it is negative", "N m")
                    .required("add 'torque: FUNCTION of t or of inputs'"),
                torque);
  visit.number(
      Field("stiffness", "k, with which it holds", "N m/rad").required("add 'stiffness'").bounded(Bound::positive),
      stiffness);
  visit.number(Field("damping", "c", "N m s/rad", "k times 0.01 s").bounded(Bound::not_negative), damping);
}

void BrakeSpec::lower(Lowering& to) const {
  const Joint& hinge = to.mechanism().joints[static_cast<std::size_t>(to.joint(joint))];
  if (hinge.type != JointType::revolute)
    return to.error(joint.where, "a brake is on a revolute joint", "use 'friction' for others");
  const BrakeLaw law{stiffness.value, damping ? damping->value : BrakeLaw::kDamping * stiffness.value};
  CustomWrench wrench{.body1 = hinge.body1, .body2 = hinge.body2, .frame1 = hinge.frame1, .frame2 = hinge.frame2};
  wrench.given = to.given_law(torque);
  wrench.law = [law](const FramePair& at) { return law.wrench(at); };
  wrench.tangent = [law](const FramePair& at) { return law.tangent(at); };
  wrench.memory = 2;
  wrench.remember = [law](const FramePair& at, double* memory) { law.remember(at, memory); };
  wrench.readings = {{"effort", "N m", [law](const FramePair& at) { return law.result(at).torque; }},
                     {"twist", "rad", [law](const FramePair& at) { return law.result(at).twist; }}};
  to.add(std::move(wrench));
}

}  // namespace cardan
