// XML as pugixml reads it, with the line of every element. pugixml was chosen over tinyxml2 and urdfdom: it knows where
// an element stands and where a file breaks off, takes no stack for nesting and expands no entities of the file's own.
#pragma once

#include <pugixml.hpp>
#include <string>
#include <vector>

#include "io/formats/foreign_model.hpp"

namespace cardan {

class XmlFile {
 public:
  /// Reports what keeps it from being read.
  XmlFile(const ForeignFile& file, Problems& problems);
  bool ok() const { return ok_; }
  pugi::xml_node root() const { return document_.document_element(); }
  SourceLocation where(const pugi::xml_node& node) const;

  // Attributes as numbers. Each reports what it cannot read under the name of the element; what is absent is `absent`.
  double number(const pugi::xml_node& node, const char* attribute, double absent, const std::string& element);
  Vec3 vector(const pugi::xml_node& node, const char* attribute, const Vec3& absent, const std::string& element);
  std::vector<double> numbers(const pugi::xml_node& node, const char* attribute, const std::string& element);

 private:
  SourceLocation at(std::ptrdiff_t offset) const;
  const ForeignFile& file_;
  Problems& problems_;
  pugi::xml_document document_;
  std::vector<std::ptrdiff_t> lines_;  // where each begins
  bool ok_ = false;
};

/// A whole word as a number, with nothing before or behind it.
bool parse_number(std::string_view word, double& value);

}  // namespace cardan
