#include "cardan/system.hpp"

#include <stdexcept>

#include "math/decomposition/decompositions.hpp"
#include "mechanism/phases.hpp"
#include "options/unknown_name.hpp"
#include "system/fingerprint.hpp"
#include "system/state_equations.hpp"

namespace cardan {
namespace {

Eigen::Matrix<double, 6, 1> velocity_of(const BodyMotion& motion) {
  Eigen::Matrix<double, 6, 1> twist;
  twist << motion.velocity, motion.angular_velocity;
  return twist;
}

}  // namespace

System::System(const Mechanism& mechanism, const std::string& formulation, const SystemOptions& options)
    : view_(View::make(mechanism, formulation, options)) {}

System::System(const System& like, const Mechanism& mechanism) {
  const Mechanism phase = initial_phase(mechanism);
  if (const char* part = other_standing_part(like.mechanism(), phase)) {
    throw std::invalid_argument(
        "'" + mechanism.name + "' cannot be in the coordinates of another mechanism: its " + part +
        " are others, and only masses, loads, gravity and expressions may be; make a system of its own");
  }
  view_ = View::make(mechanism, like.formulation(), like.view_->options(), like.view_.get());
}

const System::View& view_of(const System& system) { return *system.view_; }

const Mechanism& System::mechanism() const { return view_->mechanism(); }
const std::string& System::formulation() const { return view_->name(); }
double System::length() const { return view_->compiled().length; }
int System::coordinates() const { return view_->structure().coordinates; }
int System::constraints() const { return view_->structure().constraints; }
const std::vector<std::string>& System::coordinate_names() const { return view_->structure().coordinate_names; }
const std::vector<std::string>& System::constraint_names() const { return view_->structure().constraint_names; }
const std::vector<std::string>& System::signal_names() const { return view_->compiled().observer->columns(); }

Context System::start() const {
  const auto work = view_->borrow();
  State state;
  view_->formulation().start(state, *work);
  state.attached = view_->compiled().attached;
  state.system = view_->compiled().system;
  const Accelerations found = forward_dynamics(*this, state);
  state.acceleration = state.algorithmic = found.acceleration;
  state.lambda = found.multipliers;
  return state;
}

int System::body(const std::string& name) const {
  return name == "ground" ? kGround : index_by_name("body", name, mechanism().bodies);
}

CoordinateHandle System::coordinate(const std::string& joint, int number) const {
  const int index = index_by_name("joint", joint, mechanism().joints);
  const int handle = view_->coordinate(index, number - 1);
  if (handle < 0) {
    throw std::invalid_argument("joint '" + joint + "' has no coordinate " + std::to_string(number) +
                                " that is an angle or a translation of its own");
  }
  return {handle};
}

FrameHandle System::marker(const std::string& name) const {
  const Marker& marker = find_by_name("marker", name, mechanism().markers);
  return view_->frame(marker.body, marker.origin, marker.axes);
}

FrameHandle System::frame(const std::string& name, const Vec3& drawn_point) const {
  const int index = body(name);
  return view_->frame(index, drawn_point, index == kGround ? Mat3::Identity() : mechanism().bodies[index].axes);
}

int System::signal(const std::string& name) const { return index_of_name("signal", name, signal_names()); }

int System::input(const std::string& name) const { return index_by_name("input", name, mechanism().inputs); }
int System::state(const std::string& name) const { return index_by_name("state", name, mechanism().states); }
LoadHandle System::load(const std::string& name) const { return {view_->load(name)}; }

JointHandle System::joint(const std::string& name) const {
  const int index = index_by_name("joint", name, mechanism().joints);
  return {index, signal(name + ".fx")};
}

FrameHandle System::joint_frame(const std::string& name, int number) const {
  const Joint& joint = find_by_name("joint", name, mechanism().joints);
  if (number != 1 && number != 2)
    throw std::invalid_argument("a joint has the frames 1 and 2, and no frame " + std::to_string(number));
  const Frame& frame = number == 1 ? joint.frame1 : joint.frame2;
  return view_->frame(number == 1 ? joint.body1 : joint.body2, frame.origin, frame.axes);
}

FrameHandle System::centre(const std::string& name) const { return {.body = body(name)}; }

Eigen::MatrixXd mass_matrix(const System& system, const Context& context) {
  return view_of(system).mass(context, *view_of(system).evaluated(context));
}

VecX bias_forces(const System& system, const Context& context) {
  return -view_of(system).force(context, *view_of(system).evaluated(context));
}

VecX constraint_values(const System& system, const Context& context) {
  return view_of(system).closure(*view_of(system).evaluated(context));
}

Eigen::MatrixXd constraint_jacobian(const System& system, const Context& context) {
  return view_of(system).jacobian(*view_of(system).evaluated(context));
}

VecX constraint_bias(const System& system, const Context& context) {
  return view_of(system).gamma(*view_of(system).evaluated(context));
}

Accelerations forward_dynamics(const System& system, const Context& context, const VecX& tau) {
  if (tau.size() != 0) view_of(system).check_size(tau, "efforts");
  const auto work = view_of(system).evaluated(context);
  return StateEquations(view_of(system), context, *work).accelerations(tau);
}

VecX inverse_dynamics(const System& system, const Context& context, const VecX& acceleration) {
  view_of(system).check_size(acceleration, "accelerations");
  const auto work = view_of(system).evaluated(context);
  return view_of(system).mass(context, *work) * acceleration - view_of(system).force(context, *work);
}

/// M a + h lies in the span of Phi_q^T and of the efforts' directions B: Z^T B u = Z^T (M a + h).
VecX inverse_dynamics(const System& system, const Context& context, const VecX& acceleration,
                      const std::vector<CoordinateHandle>& actuated) {
  const System::View& view = view_of(system);
  const auto work = view.evaluated(context);
  const StateEquations equations(view, context, *work);
  view.check_size(acceleration, "accelerations");
  const std::vector<int> which = view.indices(actuated);
  const auto scalars = view.scalars(*work);
  const Eigen::MatrixXd Z = equations.free();
  const Eigen::MatrixXd B = Z.transpose() * view.gradients(*scalars, which, context, *work).transpose();
  const VecX needed = Z.transpose() * (equations.mass() * acceleration - equations.force());
  const VecX efforts = shortest_solution(B, needed);
  const double size = needed.size() > 0 ? needed.cwiseAbs().maxCoeff() : 0;
  if (needed.size() > 0 && !((B * efforts - needed).cwiseAbs().maxCoeff() <= 1e-8 * size)) {
    throw std::domain_error("efforts on these coordinates cannot bring about this acceleration: some motion of '" +
                            system.mechanism().name + "' is out of their reach");
  }
  return efforts;
}

VecX effort_direction(const System& system, const Context& context, CoordinateHandle coordinate) {
  view_of(system).check(coordinate);
  const auto work = view_of(system).evaluated(context);
  const auto scalars = view_of(system).scalars(*work);
  return view_of(system).gradients(*scalars, {coordinate.index}, context, *work).transpose();
}

BodyMotion frame_motion(const System& system, const Context& context, const FrameHandle& frame) {
  view_of(system).check(frame);
  const auto work = view_of(system).evaluated(context);
  view_of(system).accelerate(StateEquations(view_of(system), context, *work).accelerations({}).acceleration, *work);
  return view_of(system).motion(frame, *work);
}

Eigen::MatrixXd frame_jacobian(const System& system, const Context& context, const FrameHandle& frame) {
  view_of(system).check(frame);
  const System::View& view = view_of(system);
  const auto work = view.evaluated(context);
  return view.slopes([&] { return VecX(velocity_of(view.motion(frame, *work))); }, context, *work);
}

Eigen::Matrix<double, 6, 1> frame_bias(const System& system, const Context& context, const FrameHandle& frame) {
  view_of(system).check(frame);
  const System::View& view = view_of(system);
  const auto work = view.evaluated(context);
  view.gamma(*work);
  view.accelerate(VecX::Zero(system.coordinates()), *work);
  const BodyMotion motion = view.motion(frame, *work);
  Eigen::Matrix<double, 6, 1> result;
  result << motion.acceleration, motion.angular_acceleration;
  return result;
}

EnergyParts energy(const System& system, const Context& context) {
  return view_of(system).energy(context, *view_of(system).evaluated(context));
}

Momentum momentum(const System& system, const Context& context) {
  return view_of(system).momentum(*view_of(system).evaluated(context));
}

VecX gravity_forces(const System& system, const Context& context) {
  return view_of(system).load_forces(-1, context, *view_of(system).evaluated(context));
}

VecX load_forces(const System& system, const Context& context, LoadHandle load) {
  view_of(system).check(load);
  return view_of(system).load_forces(load.index, context, *view_of(system).evaluated(context));
}

Wrench load_wrench(const System& system, const Context& context, LoadHandle load, int body) {
  view_of(system).check(load);
  view_of(system).check(FrameHandle{.body = body});
  return view_of(system).load_wrench(load.index, body, context, *view_of(system).evaluated(context));
}

LoadEffort load_effort(const System& system, const Context& context, LoadHandle load) {
  view_of(system).check(load);
  return view_of(system).load_effort(load.index, context, *view_of(system).evaluated(context));
}

Wrench joint_reaction(const System& system, const Context& context, JointHandle joint) {
  const Eigen::Index count = system.mechanism().planar ? 3 : 6;
  if (joint.index < 0 || joint.index >= std::ssize(system.mechanism().joints) || joint.column < 0 ||
      joint.column + count > std::ssize(system.signal_names())) {
    throw std::invalid_argument("this handle is of no joint of '" + system.mechanism().name +
                                "'; System::joint() gives them");
  }
  const VecX columns = signals(system, context).segment(joint.column, count);
  if (count == 6) return {columns.head<3>(), columns.tail<3>()};
  return {{columns[0], columns[1], 0}, {0, 0, columns[2]}};
}

VecX signals(const System& system, const Context& context) {
  State state = context;
  const Accelerations found = forward_dynamics(system, context);
  state.acceleration = found.acceleration;
  state.lambda = found.multipliers;
  return view_of(system).sample(state);
}

}  // namespace cardan
