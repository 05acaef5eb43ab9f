// Dense output: the polynomial of degree five that has the positions, velocities and accelerations of both ends of a
// step.
#pragma once

#include "cardan/math.hpp"

namespace cardan {

/// One end of a step, in coordinates that both ends share.
struct StepEnd {
  const VecX &q, &v, &a;
};

/// q, v and a at the fraction s of a step of h seconds.
inline void quintic_hermite(double s, double h, const StepEnd& begin, const StepEnd& end, VecX& q, VecX& v, VecX& a) {
  // q = q0 + h v0 s + h^2 a0 s^2 / 2 + c3 s^3 + c4 s^4 + c5 s^5, with x, y, z what is missing at the end
  for (Eigen::Index i = 0; i < begin.q.size(); ++i) {
    const double q0 = begin.q[i], v0 = h * begin.v[i], a0 = h * h * begin.a[i];
    const double x = end.q[i] - q0 - v0 - a0 / 2;
    const double y = h * end.v[i] - v0 - a0;
    const double z = h * h * end.a[i] - a0;
    const double c3 = 10 * x - 4 * y + z / 2, c4 = -15 * x + 7 * y - z, c5 = 6 * x - 3 * y + z / 2;
    q[i] = q0 + s * (v0 + s * (a0 / 2 + s * (c3 + s * (c4 + s * c5))));
    v[i] = (v0 + s * (a0 + s * (3 * c3 + s * (4 * c4 + s * 5 * c5)))) / h;
    a[i] = (a0 + s * (6 * c3 + s * (12 * c4 + s * 20 * c5))) / (h * h);
  }
}

}  // namespace cardan
