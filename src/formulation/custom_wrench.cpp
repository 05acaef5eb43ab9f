#include "formulation/custom_wrench.hpp"

#include <algorithm>

#include "math/in_space.hpp"
#include "math/rotation_vector.hpp"

namespace cardan {
namespace {

constexpr double kDifference = 6e-6;  // the cube root of the rounding: as much error by the step as by the digits

/// Where a direction of a twist is found in space: x, y and the turn about z in the plane.
template <int D>
constexpr int in_six(int i) {
  return D == 2 && i == 2 ? 5 : i;
}

template <int D>
typename Space<D>::Twist as_twist(const Wrench& w) {
  typename Space<D>::Twist result;
  for (int i = 0; i < Space<D>::kTwist; ++i)
    result[i] = in_six<D>(i) < 3 ? w.force[in_six<D>(i)] : w.moment[in_six<D>(i) - 3];
  return result;
}

template <int D>
Eigen::Matrix<double, Space<D>::kTwist, Space<D>::kTwist> reduced(const WrenchTangent::Block& block) {
  Eigen::Matrix<double, Space<D>::kTwist, Space<D>::kTwist> result;
  for (int i = 0; i < Space<D>::kTwist; ++i)
    for (int j = 0; j < Space<D>::kTwist; ++j) result(i, j) = block(in_six<D>(i), in_six<D>(j));
  return result;
}

template <int D>
Mat3 axes_on(int body, const Mat3& drawn, const Mechanism& mechanism) {
  return body == kGround ? drawn : Mat3(mechanism.bodies[static_cast<std::size_t>(body)].axes.transpose() * drawn);
}

}  // namespace

template <int D>
FrameMotion FrameOnBody<D>::motion(const typename Space<D>::Rotation& rotation, const typename Space<D>::Vector& place,
                                   const typename Space<D>::Vector& velocity,
                                   const typename Space<D>::Angular& w) const {
  return {in_space(place), rotation_in_space(rotation) * axes, in_space(velocity), turn_in_space(w)};
}

template <int D>
FramesOnBodies<D>::FramesOnBodies(int body1, const Frame& frame1, int body2, const Frame& frame2,
                                  const Mechanism& mechanism, const MeasureFactory<D>& measures)
    : one{measures.body_index(body1), measures.local_point(body1, frame1.origin),
          axes_on<D>(body1, frame1.axes, mechanism)},
      two{measures.body_index(body2), measures.local_point(body2, frame2.origin),
          axes_on<D>(body2, frame2.axes, mechanism)} {}

template <int D>
FramePair FramesOnBodies<D>::pair(double t, const BodyKinematics<D>& k, const typename Space<D>::Vector& origin) const {
  const auto motion = [&](const FrameOnBody<D>& frame) {
    const typename Space<D>::Vector place = k.point(frame.body, frame.point);
    return frame.motion(k.rotation[frame.body], origin + place, velocity_at<D>(k.twist[frame.body], place),
                        angular<D>(k.twist[frame.body]));
  };
  return {t, motion(one), motion(two)};
}

template <int D>
WrenchModel<D>::WrenchModel(const CustomWrench& wrench, const FramesOnBodies<D>& on_bodies, int ground)
    : wrench_(wrench), frames_(on_bodies), ground_(ground) {}

template <int D>
typename WrenchModel<D>::Twist WrenchModel<D>::wrench(const FramePair& pair) const {
  return as_twist<D>(wrench_.law(pair));
}

template <int D>
typename WrenchModel<D>::Twist WrenchModel<D>::working(const FramePair& pair) const {
  if (!stores_energy()) return wrench(pair);
  if (wrench_.elastic) return wrench(pair) - as_twist<D>(wrench_.elastic(pair));
  FramePair resting = pair;
  for (FrameMotion* frame : {&resting.one, &resting.two}) frame->velocity = frame->angular_velocity = Vec3::Zero();
  return wrench(pair) - wrench(resting);
}

template <int D>
typename WrenchModel<D>::Block WrenchModel<D>::by_motion(const FramePair& pair, bool of_two) const {
  Block result;
  FramePair moved = pair;
  FrameMotion& frame = of_two ? moved.two : moved.one;
  const FrameMotion there = frame;
  for (int i = 0; i < S::kTwist; ++i) {
    const int axis = in_six<D>(i);
    const double step = axis < 3 ? kDifference * wrench_.length : kDifference;
    const auto at = [&](double h) {
      frame = there;
      if (axis < 3) {
        frame.position[axis] += h;
      } else {
        frame.rotation = rotation_from_vector(h * Vec3::Unit(axis - 3)).toRotationMatrix() * there.rotation;
      }
      return wrench(moved);
    };
    result.col(i) = (at(step) - at(-step)) / (2 * step);
  }
  return result;
}

template <int D>
typename WrenchModel<D>::Block WrenchModel<D>::by_velocity(const FramePair& pair, bool of_two) const {
  Block result;
  FramePair moved = pair;
  FrameMotion& frame = of_two ? moved.two : moved.one;
  for (int i = 0; i < S::kTwist; ++i) {
    const int axis = in_six<D>(i);
    double& rate = axis < 3 ? frame.velocity[axis] : frame.angular_velocity[axis - 3];
    const double here = rate;
    const double step = kDifference * std::max(axis < 3 ? wrench_.length : 1.0, std::abs(here));
    rate = here + step;
    const Twist after = wrench(moved);
    rate = here - step;
    result.col(i) = (after - wrench(moved)) / (2 * step);
    rate = here;
  }
  return result;
}

template <int D>
typename WrenchModel<D>::Tangent WrenchModel<D>::tangent(const FramePair& pair) const {
  Tangent result;
  if (wrench_.tangent) {
    const WrenchTangent given = wrench_.tangent(pair);
    result = {reduced<D>(given.position1), reduced<D>(given.position2), reduced<D>(given.velocity1),
              reduced<D>(given.velocity2)};
  }
  const bool moves1 = frames_.one.body != ground_, moves2 = frames_.two.body != ground_;
  if (!wrench_.tangent && moves1)
    result.position1 = by_motion(pair, false), result.velocity1 = by_velocity(pair, false);
  if (!wrench_.tangent && moves2) result.position2 = by_motion(pair, true), result.velocity2 = by_velocity(pair, true);
  return result;
}

template <int D>
typename WrenchModel<D>::Resistance WrenchModel<D>::resistance(const FramePair& pair) const {
  const Tangent by = tangent(pair);
  if (frames_.two.body != ground_) return {-by.position2, -by.velocity2};
  // Seen from frame 1, frame 2 moves the other way: a turn takes the origin of frame 1 along, about that of frame 2.
  const Vector arm = (pair.one.position - pair.two.position).template head<D>();
  Block shift = Block::Identity();
  for (int i = 0; i < S::kAngular; ++i)
    shift.template block<D, 1>(0, D + i) = cross(typename S::Angular(S::Angular::Unit(i)), arm);
  return {by.position1 * shift, by.velocity1 * shift};
}

template struct FrameOnBody<2>;
template struct FrameOnBody<3>;
template struct FramesOnBodies<2>;
template struct FramesOnBodies<3>;
template class WrenchModel<2>;
template class WrenchModel<3>;

}  // namespace cardan
