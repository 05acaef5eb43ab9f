// What contacts ask of the method.
#pragma once

#include "cardan/mechanism.hpp"

namespace cardan {

/// Implicit methods go by tangents, which contacts of very many pairs do not have. Throws std::invalid_argument.
void refuse_contacts_without_tangents(const Mechanism& mechanism, const RunOptions& options);

}  // namespace cardan
