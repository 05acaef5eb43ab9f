// An XML file of another program: what is wrong with it is reported, attributes are read as numbers.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/formats/foreign_model.hpp"
#include "text/xml_document.hpp"

namespace cardan {

class XmlFile {
 public:
  /// Reports what keeps it from being read.
  XmlFile(const ForeignFile& file, Problems& problems);
  bool ok() const { return document_ && document_->complaint().empty(); }
  pugi::xml_node root() const { return document_->root(); }
  SourceLocation where(const pugi::xml_node& node) const;

  // Attributes as numbers. Each reports what it cannot read under the name of the element; what is absent is `absent`.
  double number(const pugi::xml_node& node, const char* attribute, double absent, const std::string& element);
  Vec3 vector(const pugi::xml_node& node, const char* attribute, const Vec3& absent, const std::string& element);
  std::vector<double> numbers(const pugi::xml_node& node, const char* attribute, const std::string& element);
  void error(const pugi::xml_node& node, const std::string& element, std::string message, std::string remedy = "");

  /// The first thing wrong with what `act` reads here, if anything is. None of it is reported.
  template <class Act>
  std::optional<Diagnostic> complaint_of(const Act& act) {
    Problems own;
    Problems* const before = std::exchange(problems_, &own);
    act();
    problems_ = before;
    try {
      own.throw_errors();
    } catch (const ModelError& wrong) {
      return wrong.diagnostics().front();
    }
    return std::nullopt;
  }

 private:
  SourceLocation at(const TextPlace& place) const { return file_.at(place.line, place.column); }
  const ForeignFile& file_;
  Problems* problems_;
  std::optional<XmlDocument> document_;
};

/// A whole word as a number, with nothing before or behind it.
bool parse_number(std::string_view word, double& value);

}  // namespace cardan
