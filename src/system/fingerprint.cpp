#include "system/fingerprint.hpp"

#include <array>
#include <cmath>
#include <exception>
#include <limits>

#include "math/rotation_path.hpp"
#include "text/fingerprint.hpp"

namespace cardan {
namespace {

constexpr std::array<double, 9> kArguments{0, -1e-3, 1e-3, -0.05, 0.05, -0.7, 0.7, -11, 11};

/// Takes numbers, names, laws and whatever is made of them.
class MechanismSum {
 public:
  std::uint64_t sum() const { return sum_.sum(); }

  template <class... Parts>
  void add(const Parts&... parts) {
    (put(parts), ...);
  }

 private:
  void put(double number) { sum_.add(number); }
  void put(const std::string& name) {
    sum_.add(static_cast<double>(name.size()));
    sum_.add(name);
  }
  void put(const Vec2& v) { add(v.x(), v.y()); }
  void put(const Vec3& v) { add(v.x(), v.y(), v.z()); }
  void put(const Mat3& m) {
    for (const double number : m.reshaped()) put(number);
  }
  void put(const Frame& f) { add(f.origin, f.axes); }
  template <class T>
  void put(const std::optional<T>& value) {
    put(value ? 1.0 : 0.0);
    if (value) put(*value);
  }
  template <class T>
  void put(const std::vector<T>& values) {
    put(static_cast<double>(values.size()));
    for (const T& value : values) put(value);
  }
  /// A law of a program's own may have no value everywhere.
  void put(const Function& law) {
    for (const double x : kArguments) put(value_or_none([&] { return law(x); }));
  }
  void put(const Law& law) { add(law.function, law.signal); }
  void put(const std::array<Law, 3>& laws) { add(laws[0], laws[1], laws[2]); }
  void put(const LineForce& f) { add(f.name, f.body1, f.body2, f.point1, f.point2, f.pull); }
  void put(const Input& i) { add(i.name, i.start, i.lag); }
  void put(const StateVariable& s) { add(s.name, s.start, s.scale, s.rate); }
  void put(const Signal& s) {
    add(s.name, static_cast<double>(s.kind), s.index, s.component, s.body1, s.body2, s.expression.text(), s.of);
    for (const int argument : s.arguments) put(argument);
    if (s.expression.empty()) return;
    // Parameters have their values there without being in the text.
    std::array<double, SignalExpression::kMostNames> values{};
    for (std::size_t i = 0; i < kArguments.size(); ++i) {
      for (std::size_t k = 0; k < s.arguments.size(); ++k)
        values[k] = kArguments[(i + 3 * k) % kArguments.size()] + 0.1 * k;
      put(value_or_none([&] { return s.expression.evaluate(values.data()); }));
    }
  }

  void put(const Body& b) { add(b.name, b.mass, b.center, b.inertia, b.axes); }
  void put(const Joint& j) {
    add(j.name, static_cast<double>(j.type), j.body1, j.body2, j.frame1, j.frame2, j.length, j.pitch, j.drawn,
        j.switched, j.present);
  }
  void put(const SpringDamper& s) {
    add(s.name, s.body1, s.body2, s.point1, s.point2, s.axis, s.free_length, s.spring, s.damper);
  }
  void put(const JointSpringDamper& s) { add(s.name, s.joint, s.coordinate, s.free_position, s.spring, s.damper); }
  void put(const Bushing& b) {
    add(b.name, b.body1, b.body2, b.frame1, b.frame2, b.stiffness, b.damping, b.rotational_stiffness,
        b.rotational_damping);
  }
  void put(const CustomWrench& w) {
    add(w.name, w.body1, w.body2, w.frame1, w.frame2, w.memory, w.given);
    const std::vector<double> nothing(static_cast<std::size_t>(w.memory), 0.0);
    FramePair drawn;
    drawn.memory = nothing.data();
    drawn.one.position = w.frame1.origin, drawn.one.rotation = w.frame1.axes;
    drawn.two.position = w.frame2.origin, drawn.two.rotation = w.frame2.axes;
    for (const double x : kArguments) {
      drawn.two.position.x() = w.frame2.origin.x() + x;
      drawn.two.velocity.z() = x;
      put(value_or_none([&] { return w.law(drawn).force.sum(); }));
      put(value_or_none([&] { return w.law(drawn).moment.sum(); }));
    }
  }
  void put(const Rotor& r) { add(r.name, r.joint, r.coordinate, r.inertia, r.gear); }
  void put(const PointForce& f) { add(f.name, f.body, f.point, f.components, f.body_axes); }
  void put(const Torque& t) { add(t.name, t.body1, t.body2, t.components, t.body_axes); }
  void put(const Actuator& a) { add(a.name, a.joint, a.coordinate, a.effort); }
  void put(const Road& r) {
    add(r.name, r.profile);
    if (r.sort != Road::Sort::profile) add(r.origin, r.normal, r.body, r.grid);
  }
  void put(const HeightMap& h) { add(h.x0, h.y0, h.dx, h.dy, h.columns, h.rows, h.height); }
  void put(const Geometry& g) { add(static_cast<double>(g.shape), g.body, g.origin, g.end, g.axes, g.edges, g.radius); }
  void put(const Contact& c) {
    add(c.name, c.shapes, c.roads, c.despite_joints, c.stiffness, c.exponent, c.restitution, c.friction,
        c.tangential_stiffness, c.speed, c.rolling_resistance, c.memory);
  }
  void put(const CalspanTyre& c) {
    add(c.a0, c.a1, c.a2, c.a3, c.a4, c.b1, c.b3, c.b4, c.skid, c.m1, c.m2, c.low_speed);
  }
  void put(const Tyre& t) {
    add(t.name, t.body, t.road, t.center, t.axis, t.radius, t.stiffness, t.damping, t.lateral);
  }
  void put(const Coupler& c) { add(c.name, c.joint1, c.joint2, c.coordinate1, c.coordinate2, c.ratio); }
  void put(const KnifeEdge& k) { add(k.name, k.body1, k.body2, k.point, k.axis); }
  void put(const RollingDisc& r) {
    add(r.name, r.body1, r.body2, r.center, r.axis, r.radius, r.normal, r.ground, r.holds_longitudinal,
        r.holds_lateral);
  }
  void put(const Driver& d) {
    add(d.name, d.joint, d.coordinate, d.body1, d.body2, d.point1, d.point2, d.position);
    for (int i = 0; d.rotation && i < 4; ++i) put(d.rotation->component(i));
  }

  template <class Law>
  static double value_or_none(const Law& law) {
    try {
      return law();
    } catch (const std::exception&) {
      return std::numeric_limits<double>::quiet_NaN();
    }
  }

  Fingerprint sum_;
};

}  // namespace

std::int64_t fingerprint(const Mechanism& m, const std::string& formulation, std::span<const std::string> cut,
                         std::span<const BodyPose> assembled) {
  MechanismSum sum;
  sum.add(m.name, formulation, m.planar, m.gravity, m.bodies, m.joints, m.springs, m.joint_springs, m.bushings,
          m.custom_wrenches, m.rotors, m.forces, m.torques, m.actuators, m.roads, m.tyres, m.couplers, m.drivers,
          m.line_forces, m.inputs, m.states, m.signals, m.knife_edges, m.rolling_discs);
  if (!m.contacts.empty()) sum.add(m.contacts);
  for (const Companion& c : m.companions) sum.add(c.name, c.period, c.model->identity());
  for (const std::string& joint : cut) sum.add(joint);
  for (const BodyPose& pose : assembled) sum.add(pose.position, pose.rotation);
  return 1 + static_cast<std::int64_t>(sum.sum() >> 12);
}

std::vector<StandingPart> standing_parts(const Mechanism& m) {
  std::vector<StandingPart> parts;
  const auto add = [&parts](const char* name, const auto& put) {
    MechanismSum sum;
    put(sum);
    parts.push_back({name, sum.sum()});
  };
  add("bodies", [&](MechanismSum& sum) {
    sum.add(m.planar, static_cast<double>(m.bodies.size()));
    for (const Body& b : m.bodies) sum.add(b.name, b.center, b.axes, b.initial_velocity, b.initial_angular_velocity);
  });
  add("joints", [&](MechanismSum& sum) {
    sum.add(m.joints);
    for (const Joint& j : m.joints) sum.add(j.initial_position, j.initial_velocity);
  });
  add("couplers", [&](MechanismSum& sum) { sum.add(m.couplers, m.knife_edges, m.rolling_discs); });
  add("drivers", [&](MechanismSum& sum) { sum.add(m.drivers); });
  add("inputs and states", [&](MechanismSum& sum) {
    for (const Input& i : m.inputs) sum.add(i.name, i.start, i.lag, i.period);
    for (const StateVariable& s : m.states) sum.add(s.name, s.start, s.scale);
  });
  add("events", [&](MechanismSum& sum) {
    for (const Event& e : m.events) sum.add(e.name, e.time, static_cast<double>(e.action), e.targets, e.by, e.once);
  });
  add("fmus", [&](MechanismSum& sum) {
    for (const Companion& c : m.companions) sum.add(c.name, c.period, c.model->identity());
  });
  return parts;
}

const char* other_standing_part(const Mechanism& before, const Mechanism& after) {
  const std::vector<StandingPart> old = standing_parts(before), now = standing_parts(after);
  for (std::size_t i = 0; i < old.size(); ++i)
    if (old[i].sum != now[i].sum) return old[i].name;
  return nullptr;
}

}  // namespace cardan
