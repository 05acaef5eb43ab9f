// Signals of time and inputs alone, with two derivatives in time: what drivers follow.
#pragma once

#include <vector>

#include "cardan/signals.hpp"

namespace cardan {

/// `inputs`: as signals see them at time t. The signal must be of level `given`.
Function::Value given_signal(const std::vector<Signal>& signals, int signal, double t, const Function::Value* inputs);

}  // namespace cardan
