// modelDescription.xml of an exported model, for FMI 2.0 and 3.0.
#pragma once

#include <set>
#include <string>

#include "c_interface/handle.hpp"

namespace cardan {

struct FmuHeader {
  int version = 2;
  std::string model, token, identifier, tool;
  std::set<std::string> tunable;  // parameters
};

std::string fmu_description(const FmuHeader& header, cardan_simulation& simulation);

}  // namespace cardan
