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

/// True for the unit of "0.5 kg" and "32 N/mm": the name of one, behind a number.
bool follows_a_number(const std::string& text, const std::string& name);
inline constexpr const char* kDecimalPoint = "numbers have a decimal point: 0.4, not 0,4";
inline constexpr const char* kNoUnits =
    "numbers have no units here: lengths are in m, masses in kg, times in s, forces in N, angles in rad (30 degrees: "
    "30*pi/180)";

/// The names that an expression refers to, functions left out.
std::vector<std::string> names_in_expression(const std::string& text);

/// Fills reading.parameters from the section (may be null) and the values from outside.
void read_parameters(Reading& reading, const YamlNode* section, const std::map<std::string, double>& replacements);

}  // namespace cardan
