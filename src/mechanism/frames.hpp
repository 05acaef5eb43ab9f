// Axes from directions, always by the same rule, so that a mechanism built twice has the same frames to the last bit.
#pragma once

#include <optional>
#include <string_view>

#include "cardan/math.hpp"
#include "cardan/specs.hpp"
#include "mechanism/provenance.hpp"

namespace cardan {

/// The direction that "x", "y", "z", "-x", "-y" or "-z" stands for; none for other words.
std::optional<Vec3> inertial_axis(std::string_view name);

/// The smallest rotation that takes the unit vector `from` to the unit vector `to`; when they are opposite, half a turn
/// about `half_turn_axis` (a unit vector at right angles to `from`). Exactly the identity when they are equal.
Mat3 smallest_rotation(const Vec3& from, const Vec3& to, const Vec3& half_turn_axis);

/// Right-handed axes whose z is `z` (a unit vector): the smallest rotation of the inertial ones; half a turn about x
/// for -z.
Mat3 axes_with_z(const Vec3& z);

/// Right-handed axes whose x is `x` (a unit vector): the smallest rotation of the inertial ones; half a turn about z
/// for -x, so that a direction in the x-y plane turns the axes in that plane, and leaves z exact.
Mat3 axes_with_x(const Vec3& x);

/// `axes` turned about their z so that their x points as nearly as possible along `direction`, which must not be
/// parallel to z.
Mat3 turned_about_z(const Mat3& axes, const Vec3& direction);

/// Axes of a part as they are in the whole: turn A diag(signs); and back.
Mat3 carried_over(const Mat3& axes, const AxesImage& image);
Mat3 carried_back(const Mat3& axes, const AxesImage& image);

}  // namespace cardan
