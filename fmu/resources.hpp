// What lies beside the model in the resources of an FMU and says how to run it: resources/cardan.txt, a line each.
//     token TOKEN        of the model description
//     model PATH         in resources/
//     option NAME VALUE
//     parameter NAME VALUE
//     tunable NAME       a parameter that may change on the way
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace cardan_fmu {

struct Resources {
  std::string folder, token, model;
  std::vector<std::pair<std::string, std::string>> options;
  std::vector<std::pair<std::string, double>> parameters;
  std::vector<std::string> tunable;
};

/// False with why when the folder has none.
bool read_resources(const std::string& folder, Resources& resources, std::string& why_not);

/// The path of "file:///tmp/a%20b" or "file:/tmp/a": what is no such address is a path already.
std::string path_of_address(const std::string& address);

}  // namespace cardan_fmu
