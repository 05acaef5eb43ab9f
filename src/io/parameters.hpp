// The parameters of a model: names for numbers, in any order, each an expression of the others; values from outside
// replace those of the file.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "io/yaml_fields.hpp"

namespace cardan {

/// A number or an expression without variables. False with a message (and perhaps a remedy) when it has no finite
/// value.
bool evaluate_number(const std::string& text, const std::map<std::string, double>& parameters, double& value,
                     std::string& message, std::string& remedy);

/// The names that an expression refers to, functions left out.
std::vector<std::string> names_in_expression(const std::string& text);

/// Fills reading.parameters from the section (may be null) and the values from outside.
void read_parameters(Reading& reading, const YamlNode* section, const std::map<std::string, double>& replacements);

}  // namespace cardan
