// Datasets of ADAMS Solver (.adm): statements become a model. docs/formats.md says which are understood.
#pragma once

#include "io/formats/foreign_model.hpp"

namespace cardan {

std::optional<ModelTree> read_adams(const ForeignFile& file, const ImportOptions& options, Problems& problems);

}  // namespace cardan
