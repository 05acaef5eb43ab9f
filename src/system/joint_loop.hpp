// Which joints stand in a row with something that does not fit: the shortest loop that it closes.
#pragma once

#include <string>

#include "cardan/mechanism.hpp"

namespace cardan {

/// "a, b, c and d", that joint first, in the order in which the loop passes them; empty where it closes none.
std::string joints_of_loop(const Mechanism& mechanism, int joint);
/// The same for what stands between two bodies without being a joint.
std::string joints_of_loop(const Mechanism& mechanism, int body1, int body2);

}  // namespace cardan
