// The PUMA 560 through a manoeuvre with its hand held and let go: the published table and ours. README.md in this
// folder.
#pragma once

#include "cardan/mechanism.hpp"
#include "studies/study.hpp"

namespace cardan {

void run_puma_study(StudyContext& context);

/// The robot without torques and events, at its start: joints q1 ... q6, the hand's point as the joint `hold`.
Mechanism puma_arm();
/// The efforts on the six joints over the whole manoeuvre, from its paths by inverse dynamics.
std::vector<Function> puma_torques(double sampling);
/// The same as a part of a model file.
std::string puma_torques_yaml(double sampling);

}  // namespace cardan
