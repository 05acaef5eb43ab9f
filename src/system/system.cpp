#include "cardan/system.hpp"

#include <algorithm>
#include <stdexcept>

#include "math/decomposition/decompositions.hpp"
#include "options/unknown_name.hpp"
#include "system/state_equations.hpp"

namespace cardan {
namespace {

template <class Elements>
int index_of(const char* kind, const std::string& name, const Elements& elements) {
  return static_cast<int>(&find_by_name(kind, name, elements) - elements.data());
}

std::vector<int> indices_of(const System::View& view, const std::vector<CoordinateHandle>& handles) {
  std::vector<int> indices;
  for (const CoordinateHandle& handle : handles) {
    view.check(handle);
    indices.push_back(handle.index);
  }
  return indices;
}

}  // namespace

System::System(const Mechanism& mechanism, const std::string& formulation, const SystemOptions& options)
    : view_(View::make(mechanism, formulation, options)) {}

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
  return name == "ground" ? kGround : index_of("body", name, mechanism().bodies);
}

CoordinateHandle System::coordinate(const std::string& joint, int number) const {
  const int index = index_of("joint", joint, mechanism().joints);
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

int System::signal(const std::string& name) const {
  const auto& names = signal_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw std::invalid_argument(unknown_name("signal", name, names));
  return static_cast<int>(found - names.begin());
}

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
  const std::vector<int> which = indices_of(view, actuated);
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

double joint_position(const System& system, const Context& context, CoordinateHandle coordinate) {
  view_of(system).check(coordinate);
  const auto work = view_of(system).evaluated(context);
  return view_of(system).scalars(*work)->value(coordinate.index, context, *work);
}

double joint_velocity(const System& system, const Context& context, CoordinateHandle coordinate) {
  view_of(system).check(coordinate);
  const auto work = view_of(system).evaluated(context);
  return view_of(system).scalars(*work)->rate(coordinate.index, *work);
}

Context with_joints(const System& system, const Context& context, const std::vector<CoordinateHandle>& coordinates,
                    const VecX& positions, const VecX& velocities) {
  const auto count = static_cast<Eigen::Index>(coordinates.size());
  if (positions.size() != count || velocities.size() != count) {
    throw std::invalid_argument("a position and a velocity are needed for each coordinate");
  }
  const System::View& view = view_of(system);
  const auto work = view.evaluated(context);
  const auto scalars = view.scalars(*work);
  const std::vector<int> which = indices_of(view, coordinates);
  State state = context;
  state.books.resize(0);  // a simulation that takes it up begins its balance and its steps anew
  state.stepper.resize(0);
  Closing(view, *scalars, which).close(state, positions, velocities, *work);
  if (view.formulation().accept(context, state, *work) != StepStatus::ok) {
    throw std::domain_error("the state that was asked for is at or beyond a singular position: " +
                            view.formulation().complaint(*work));
  }
  const Accelerations found = forward_dynamics(system, state);
  state.acceleration = state.algorithmic = found.acceleration;
  state.lambda = found.multipliers;
  return state;
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
  const int n = system.coordinates();
  const auto twist = [&](const VecX& v) {
    view.formulation().velocity(v, *work);
    const BodyMotion motion = view.motion(frame, *work);
    Eigen::Matrix<double, 6, 1> result;
    result << motion.velocity, motion.angular_velocity;
    return result;
  };
  Eigen::MatrixXd J(6, n);
  const Eigen::Matrix<double, 6, 1> still = twist(VecX::Zero(n));
  for (int j = 0; j < n; ++j) J.col(j) = twist(VecX::Unit(n, j)) - still;
  return J;
}

EnergyParts energy(const System& system, const Context& context) {
  return view_of(system).energy(context, *view_of(system).evaluated(context));
}

VecX signals(const System& system, const Context& context) {
  State state = context;
  const Accelerations found = forward_dynamics(system, context);
  state.acceleration = found.acceleration;
  state.lambda = found.multipliers;
  return view_of(system).sample(state);
}

}  // namespace cardan
