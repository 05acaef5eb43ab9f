// The PUMA 560 through a manoeuvre with its hand held and let go: the published table and ours. README.md in this
// folder.
#pragma once

#include "cardan/mechanism.hpp"
#include "studies/study.hpp"

namespace cardan {

void run_puma_study(StudyContext& context);

/// What the paper does not mention and its arm may not have.
struct PumaVariant {
  const char* name = "friction and rotors";
  bool friction = true;  // of the motors, in the joints
  bool rotors = true;    // of the motors, geared
};
inline constexpr PumaVariant kPumaVariants[] = {
    {}, {"rotors, no friction", false, true}, {"neither friction nor rotors", false, false}};

/// The robot without torques and events, at its start: joints q1 ... q6, the hand's point as the joint `hold`.
Mechanism puma_arm(const PumaVariant& variant = {});
/// The whole manoeuvre; of a variant other than the model's: with the torques that this arm takes for the same paths.
Mechanism puma_model(const PumaVariant& variant, double sampling);
/// The efforts on the six joints over the whole manoeuvre, from its paths by inverse dynamics.
std::vector<Function> puma_torques(double sampling);
/// The same as a part of a model file.
std::string puma_torques_yaml(double sampling);

}  // namespace cardan
