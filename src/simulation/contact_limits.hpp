// What contacts ask of the method.
#pragma once

#include "cardan/mechanism.hpp"

namespace cardan {

/// Implicit methods go by tangents, which contacts of very many pairs do not have. Throws std::invalid_argument.
void refuse_contacts_without_tangents(const Mechanism& mechanism, const RunOptions& options);
/// How long an impact lasts and the longest step that resolves it, s, by the lightest bodies that the contact can be of
/// (where the law is not linear, at 1 m/s). With s of the restitution (math/contact/contact_law.hpp) the force grows at
/// first as that of a spring of (1 + s) k: a tenth of its half period is what a step may be, so that plastic impacts
/// take shorter ones than elastic ones.
struct ImpactTime {
  double duration = 0, step = 0;
};
ImpactTime impact_time(const Contact& contact, const Mechanism& mechanism);

}  // namespace cardan
