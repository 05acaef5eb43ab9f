// Heights on a grid from a file beside the model: numbers of a CSV file, or shades of a grey PNG picture (8 or 16
// bits). As seen from above: x to the right, y up, so that the first line is that of the largest y.
#pragma once

#include "io/yaml_fields.hpp"

namespace cardan {

/// Nothing after a report. `fields`: `grid`, the path; `at` and `spacing`; of pictures `range`.
std::optional<Located<HeightMap>> read_height_map(Fields& fields);

}  // namespace cardan
