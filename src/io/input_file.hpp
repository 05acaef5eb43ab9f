// Inputs of a mechanism over time, from a CSV file: a column `t` that rises, and one for each input.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cardan/mechanism.hpp"

namespace cardan {

/// Gives inputs their tracks. Each of `given` is NAME=FILE, of which the column NAME counts, or the second where the
/// file has no names; or FILE alone, whose columns but `t` are all inputs. `held`: each value until the next one, else
/// straight lines between them. `files` receives the names of what was read. Throws std::invalid_argument
/// for what does not exist and for a file that cannot be taken, with its line.
void read_inputs_from_files(Mechanism& mechanism, const std::vector<std::string>& given, bool held,
                            std::vector<std::string>& files);

/// The last time, s, for which a file gives an input; none where no file goes beyond the start.
std::optional<double> end_of_inputs(const Mechanism& mechanism);

}  // namespace cardan
