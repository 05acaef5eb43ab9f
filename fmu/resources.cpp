#include "resources.hpp"

#include <charconv>
#include <fstream>

namespace cardan_fmu {
namespace {

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::string path_of_address(const std::string& address) {
  if (address.compare(0, 5, "file:") != 0) return address;
  std::size_t at = 5;
  if (address.compare(at, 2, "//") == 0) {
    at += 2;
    if (address.compare(at, 9, "localhost") == 0) at += 9;
  }
  std::string path;
  for (; at < address.size(); ++at) {
    const bool coded =
        address[at] == '%' && at + 2 < address.size() && digit(address[at + 1]) >= 0 && digit(address[at + 2]) >= 0;
    if (coded) {
      path += static_cast<char>(16 * digit(address[at + 1]) + digit(address[at + 2]));
      at += 2;
    } else {
      path += address[at];
    }
  }
  return path;
}

bool read_resources(const std::string& folder, Resources& resources, std::string& why_not) {
  const std::string path = folder + (folder.empty() || folder.back() == '/' ? "" : "/") + "cardan.txt";
  std::ifstream file(path);
  if (!file) {
    why_not = "the resources of this FMU are not at '" + folder + "': '" + path + "' cannot be opened";
    return false;
  }
  resources = {};
  resources.folder = folder;
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(' '), last = line.rfind(' ');
    if (first == std::string::npos) continue;
    const std::string word = line.substr(0, first), rest = line.substr(first + 1);
    const std::string name = last > first ? line.substr(first + 1, last - first - 1) : rest;
    const std::string value = line.substr(last + 1);
    if (word == "token") resources.token = rest;
    if (word == "model") resources.model = rest;
    if (word == "tunable") resources.tunable.push_back(rest);
    if (word == "option") resources.options.emplace_back(name, value);
    if (word != "parameter") continue;
    double number = 0;  // not by the locale of the importer
    std::from_chars(value.data(), value.data() + value.size(), number);
    resources.parameters.emplace_back(name, number);
  }
  if (resources.model.empty() || resources.token.empty()) {
    why_not = "'" + path + "' names no model";
    return false;
  }
  return true;
}

}  // namespace cardan_fmu
