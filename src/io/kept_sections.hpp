// Sections of a model that are the same whatever values some of its parameters have: they are read once and copied
// after that. A section counts as one that changes where any text in it holds the name of such a parameter, or of one
// that follows it.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cardan/specs.hpp"
#include "io/yaml_tree.hpp"

namespace cardan {

/// Whether any text in it holds one of the names.
bool mentions(const YamlNode& node, const std::set<std::string>& names);

class KeptSections {
 public:
  /// `spec`: what the document was read into. Models with subsystems keep nothing.
  KeptSections(const YamlNode& document, MechanismSpec spec, const std::set<std::string>& changing);
  /// True when the section is kept: what it holds has been copied.
  bool copy(std::string_view section, MechanismSpec& mechanism) const;

 private:
  MechanismSpec spec_;
  std::vector<std::string_view> kept_;
};

}  // namespace cardan
