// A tree as the text of a model file that a person can read: sections in the usual order, an element in a line where it
// fits, beside it the line of the file that it comes from.
#pragma once

#include <string>

#include "io/formats/model_tree.hpp"

namespace cardan {

std::string write_yaml(const ModelTree& model);

}  // namespace cardan
