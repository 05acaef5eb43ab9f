#include "formulation/body_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/rotation_path.hpp"
#include "mechanism/joint_types.hpp"

namespace cardan {
namespace {

template <int D>
typename Space<D>::Inertia body_inertia(const Body& body) {
  if constexpr (D == 2) {
    return typename Space<D>::Inertia(body.inertia(2, 2));
  } else {
    return body.axes.transpose() * body.inertia * body.axes;
  }
}

constexpr double kFar = 100;  // sizes of the mechanism from the inertial origin to the middle of the drawing

}  // namespace

template <int D>
Extent<D> BodyModel<D>::extent(const BodyKinematics<D>& k) const {
  Vector low = Vector::Constant(1e300), high = Vector::Constant(-1e300);
  const auto see = [&](const Vector& p) { low = low.cwiseMin(p), high = high.cwiseMax(p); };
  for (int b = 0; b < bodies(); ++b) see(k.center[b]);
  for (const Joint& joint : mechanism_.joints) {
    const JointEquations equations(joint.type, D == 2);
    const bool has_place = equations.has(JointEquation::Kind::position) || equations.has(JointEquation::Kind::length);
    if (!has_place) continue;  // the same wherever it is drawn
    for (const Frame* frame : {&joint.frame1, &joint.frame2}) see(frame->origin.template head<D>() - origin_);
  }
  double size = (high - low).norm();
  if (!std::isfinite(size)) return {Vector::Zero(), 1};
  for (const BodyInertia& i : inertias_) {
    // a disc on its own axis has no other length than its radius of gyration
    if (i.mass > 0) size = std::max(size, std::sqrt(i.inertia.trace() / S::kAngular / i.mass));
  }
  return {0.5 * (low + high), size > 0 ? size : 1};
}

template <int D>
BodyModel<D>::BodyModel(const Mechanism& mechanism)
    : mechanism_(mechanism),
      origin_(Vector::Zero()),
      measures_(mechanism_, origin_),
      gravity_(mechanism.gravity.head<D>()) {
  for (const Body& body : mechanism_.bodies) {
    const auto inertia = body_inertia<D>(body);
    inertias_.push_back({body.mass, inertia, TurningInertia<D>(inertia)});
  }
  const Extent<D> drawing = extent(drawn());
  distance_ = drawing.middle.norm();
  if (distance_ > kFar * drawing.size) origin_ = drawing.middle;
  find_joint_coordinates();
  compile_scalar_loads();
  compile_efforts_and_drivers();
  compile_tyres();
  contacts_ = std::make_unique<const ContactSet<D>>(mechanism_, measures_, origin_);
  compile_laws_of_frames();
  signals_ = std::make_unique<const SignalSet<D>>(*this);
  list_signal_forces();
  list_load_rows();
  for (const PointForce& f : mechanism_.forces) force_points_.push_back(measures_.local_point(f.body, f.point));
  loaded_ = finds_loads_or_drivers();
}

template <int D>
void BodyModel<D>::find_joint_coordinates() {
  const BodyKinematics<D> unturned(bodies());
  for (int j = 0; j < static_cast<int>(mechanism_.joints.size()); ++j) {
    const Joint& joint = mechanism_.joints[j];
    first_coordinate_.push_back(static_cast<int>(joint_coordinates_.size()));
    for (int i = 0; i < joint_coordinate_count(joint.type, D == 2); ++i) {
      if (is_rotation_vector(joint.type, D == 2, i)) continue;
      const Measure<D> m = measures_.coordinate(joint, i);
      joint_coordinates_.push_back({j, i, m.kind == Measure<D>::Kind::angle, m, m.value(unturned)});
    }
  }
}

template <int D>
void BodyModel<D>::compile_scalar_loads() {
  for (const SpringDamper& s : mechanism_.springs) {
    scalar_loads_.push_back({s.axis ? measures_.projected(s.body1, s.point1, s.body2, s.point2, *s.axis)
                                    : measures_.distance(s.body1, s.point1, s.body2, s.point2, 0),
                             -1, s.free_length, s.spring, s.damper});
  }
  for (const JointSpringDamper& s : mechanism_.joint_springs) {
    const int index = coordinate_index(s.joint, s.coordinate);
    const JointCoordinate& c = joint_coordinates_[index];
    scalar_loads_.push_back({c.measure, c.angular ? index : -1, s.free_position, s.spring, s.damper});
  }
  for (const Bushing& b : mechanism_.bushings) {
    Joint frames;
    frames.body1 = b.body1, frames.body2 = b.body2;
    frames.frame1 = b.frame1, frames.frame2 = b.frame2;
    const auto measures = measures_.deflections(frames);
    auto& loads = bushing_loads_.emplace_back();
    loads.fill(-1);
    for (int i = 0; i < S::kTwist; ++i) {
      const int axis = D == 2 && i == 2 ? 2 : i % 3;
      const double k = (i < D ? b.stiffness : b.rotational_stiffness)[axis];
      const double c = (i < D ? b.damping : b.rotational_damping)[axis];
      if (k == 0 && c == 0) continue;
      loads[static_cast<std::size_t>((i < D ? 0 : 3) + axis)] = static_cast<int>(scalar_loads_.size());
      scalar_loads_.push_back({measures[i], -1, 0, Function::polynomial({0, k}), Function::polynomial({0, c})});
    }
  }
}

template <int D>
void BodyModel<D>::compile_efforts_and_drivers() {
  for (const Rotor& r : mechanism_.rotors) {
    const JointCoordinate& c = joint_coordinates_[coordinate_index(r.joint, r.coordinate)];
    rotors_.push_back({c.measure, r.gear * r.gear * r.inertia, r.joint, r.coordinate});
  }
  for (const Actuator& a : mechanism_.actuators) {
    efforts_.push_back({joint_coordinates_[coordinate_index(a.joint, a.coordinate)].measure, a.effort, 1});
  }
  for (const LineForce& f : mechanism_.line_forces) {
    efforts_.push_back({measures_.distance(f.body1, f.point1, f.body2, f.point2, 0), f.pull, -1});
  }
  for (const Driver& d : mechanism_.drivers) {
    if (d.joint < 0) {
      drivers_.push_back(
          {measures_.distance(d.body1, d.point1, d.body2, d.point2, 0), false, d.position, d.name, d.signal});
    } else if (d.rotation) {
      const Measure<D> turn = measures_.turn(mechanism_.joints[d.joint], d.axis, d.rotation->evaluate(0).R);
      drivers_.push_back({turn, false, d.position, d.name, -1, d.rotation.get(), d.joint, d.axis});
    } else {
      const JointCoordinate& c = joint_coordinates_[coordinate_index(d.joint, d.coordinate)];
      drivers_.push_back({c.measure, c.angular, d.position, d.name, d.signal});
    }
  }
}

template <int D>
void BodyModel<D>::compile_tyres() {
  for (const Tyre& t : mechanism_.tyres) {
    Road road = mechanism_.roads[t.road];
    for (Vec2& point : road.profile) point -= Vec2(origin_[0], origin_[D - 1]);
    TyreModel<D>& tyre = tyres_.emplace_back(t, road);
    tyre.body = measures_.body_index(t.body);
    tyre.center = measures_.local_point(t.body, t.center);
    tyre.axis = measures_.local_direction(t.body, t.axis);
  }
}

template <int D>
void BodyModel<D>::compile_laws_of_frames() {
  const auto frames = [&](const auto& element) {
    return FramesOnBodies<D>(element.body1, element.frame1, element.body2, element.frame2, mechanism_, measures_);
  };
  for (const CustomWrench& w : mechanism_.custom_wrenches) custom_wrenches_.emplace_back(w, frames(w), bodies());
  for (const Sensor& sensor : mechanism_.sensors) sensors_.push_back({frames(sensor), sensor.value});
  std::vector<bool> is_kept(static_cast<std::size_t>(load_memory()), false);
  const auto keep = [&](int at, int count) { std::fill_n(is_kept.begin() + at, count, true); };
  for (const WrenchModel<D>& w : custom_wrenches_) keep(w.memory_at(), w.memory());
  for (const Contact& c : mechanism_.contacts) keep(c.memory_at, c.memory);
  for (int i = 0; i < load_memory(); ++i)
    if (!is_kept[static_cast<std::size_t>(i)]) forgotten_.push_back(i);
}

template <int D>
void BodyModel<D>::list_signal_forces() {
  using Sort = typename SignalForce::Sort;
  for (std::size_t i = 0; i < efforts_.size(); ++i) {
    const Effort& e = efforts_[i];
    if (e.law.signal < 0) continue;
    signal_forces_.push_back({Sort::effort, static_cast<int>(i), 0, e.law.signal, e.measure.body1, e.measure.body2});
  }
  const auto add = [&](Sort sort, std::size_t index, const std::array<Law, 3>& components, int body1, int body2) {
    for (int c = 0; c < 3; ++c) {
      if (components[c].signal < 0) continue;
      signal_forces_.push_back({sort, static_cast<int>(index), c, components[c].signal, measures_.body_index(body1),
                                measures_.body_index(body2)});
    }
  };
  for (std::size_t i = 0; i < mechanism_.forces.size(); ++i)
    add(Sort::force, i, mechanism_.forces[i].components, kGround, mechanism_.forces[i].body);
  for (std::size_t i = 0; i < mechanism_.torques.size(); ++i) {
    const Torque& torque = mechanism_.torques[i];
    add(Sort::torque, i, torque.components, torque.body1, torque.body2);
  }
}

template <int D>
Measure<D> BodyModel<D>::plane_angle(int body) const {
  Joint pin;
  pin.body2 = body;
  pin.frame2.axes = mechanism_.bodies[body].axes;
  return measures_.coordinate(pin, 0);
}

template <int D>
void BodyModel<D>::list_load_rows() {
  for (const ScalarLoad& load : scalar_loads_) add_load_row(load.measure.body1, load.measure.body2, false);
  for (const TyreModel<D>& tyre : tyres_) {
    for (int i = 0; i < TyreModel<D>::kRows; ++i) add_load_row(bodies(), tyre.body, false);
  }
  for (const WrenchModel<D>& w : custom_wrenches_) {
    constexpr int n = WrenchModel<D>::kRows;
    const int first = static_cast<int>(load_rows_.size());
    for (int i = 0; i < n; ++i) add_load_row(w.frames().one.body, w.frames().two.body, false);
    for (int i = 0; i < n * n; ++i) load_couplings_.push_back({first + i / n, first + i % n});
  }
  for (const ScalarLoad& load : scalar_loads_) {
    for (int i = 0; acts_along_line(load) && i < kAcross<D>; ++i)
      add_load_row(load.measure.body1, load.measure.body2, true);
  }
  for (const auto& [body1, body2] : contacts_->slot_bodies())
    for (int i = 0; i < ContactSet<D>::kRows; ++i) add_load_row(body1, body2, false);
  for (int slot = 0; slot < contacts_->coupled_slots(); ++slot) {
    const int first = static_cast<int>(load_rows_.size()) - ContactSet<D>::kRows * (contacts_->slots() - slot);
    for (int i = 1; i < D; ++i) load_couplings_.push_back({first + i, first});
  }
  for (const int leaf : signals_->rows_of_leaves())
    add_load_row(signals_->leaves()[leaf].body1, signals_->leaves()[leaf].body2, false);
  for (const SignalForce& force : signal_forces_) add_load_row(force.body1, force.body2, false);
}

template <int D>
void BodyModel<D>::add_load_row(int body1, int body2, bool two_wrenches) {
  load_rows_.push_back({body1, body2, load_wrenches_, load_wrenches_ + two_wrenches});
  load_wrenches_ += 1 + two_wrenches;
}

template <int D>
VecX BodyModel<D>::drawn_attachments() const {
  VecX attached;
  for (const Joint& joint : mechanism_.joints) {
    if (!joint.switched) continue;
    const AttachmentRecord<D> record{joint.length, measures_.local_point(joint.body1, joint.frame1.origin)};
    attached.conservativeResize(attached.size() + AttachmentRecord<D>::kSize);
    record.write(attached, measures_.record_index(joint));
  }
  return attached;
}

template <int D>
void BodyModel<D>::attach(int index, const BodyKinematics<D>& k, VecX& attached) const {
  const Joint& joint = mechanism_.joints[index];
  const int b1 = measures_.body_index(joint.body1), b2 = measures_.body_index(joint.body2);
  AttachmentRecord<D> record{joint.length, measures_.local_point(joint.body1, joint.frame1.origin)};
  const Vector p1 = k.point(b1, record.point1);
  const Vector p2 = k.point(b2, measures_.local_point(joint.body2, joint.frame2.origin));
  record.length = (p2 - p1).norm();
  const JointEquations equations(joint.type, D == 2);
  if (equations.has(JointEquation::Kind::position)) record.point1 = k.rotation[b1].transpose() * (p2 - k.center[b1]);
  if (equations.has(JointEquation::Kind::right_angle)) {
    // G takes the joint's axes on body 1 to where those on body 2 are.
    typename AttachmentRecord<D>::Turn drawn, held;
    for (int i = 0; i < D; ++i) {
      drawn.col(i) = measures_.local_direction(joint.body1, joint.frame1.axes.col(i));
      held.col(i) = k.rotation[b1].transpose() *
                    (k.rotation[b2] * measures_.local_direction(joint.body2, joint.frame2.axes.col(i)));
    }
    record.turn = held * drawn.transpose();
  }
  record.write(attached, measures_.record_index(joint));
}

template <int D>
BodyKinematics<D> BodyModel<D>::drawn() const {
  BodyKinematics<D> k(bodies());
  for (int b = 0; b < bodies(); ++b) {
    k.rotation[b] = mechanism_.bodies[b].axes.template topLeftCorner<D, D>();
    k.center[b] = mechanism_.bodies[b].center.template head<D>() - origin_;
  }
  return k;
}

template <int D>
double BodyModel<D>::rounding(double length) const {
  return std::numeric_limits<double>::epsilon() * (1 + distance_ / length);
}

template <int D>
std::string BodyModel<D>::lost_tyre(const BodyKinematics<D>& k) const {
  for (const TyreModel<D>& tyre : tyres_) {
    const Vector from_origin = k.point(tyre.body, tyre.center), c = origin_ + from_origin;
    // A wheel that is nowhere says nothing of its road.
    if (!c.allFinite() || tyre.is_on_road(from_origin[0], from_origin[D - 1])) continue;
    const Road& road = mechanism_.roads[tyre.tyre().road];
    const Profile profile(road.profile);  // from the inertial origin
    if (!profile.covers(c[0])) {
      return fmt::format("road '{}' reaches from x = {:.6g} to {:.6g} m, but the wheel of tyre '{}' is at x = {:.6g} m",
                         road.name, profile.begin(), profile.end(), tyre.tyre().name, c[0]);
    }
    return fmt::format(
        "the wheel centre of tyre '{}' is below road '{}' (height {:.6g} m, road {:.6g} m at x = {:.6g} m)",
        tyre.tyre().name, road.name, c[D - 1], profile.height(c[0]), c[0]);
  }
  return {};
}

template class BodyModel<2>;
template class BodyModel<3>;

}  // namespace cardan
