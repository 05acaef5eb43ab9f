// What every spring does in a given configuration.
#pragma once

#include "cardan/analysis.hpp"

namespace cardan {

/// `turns` as State::memory begins: the last values of the joint coordinates, for angles over full turns.
std::vector<LoadValue> load_values(const Mechanism& mechanism, const std::vector<BodyPose>& poses, const VecX& turns);

}  // namespace cardan
