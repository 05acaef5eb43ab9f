// XML as pugixml reads it, with the line of every element. pugixml was chosen over expat, tinyxml2 and urdfdom: it
// knows where an element stands and where a file breaks off, takes no stack for nesting and expands no entities of the
// file's own.
#pragma once

#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace cardan {

/// Of a byte of a text, both from 1.
struct TextPlace {
  int line = 1, column = 1;
};

class XmlDocument {
 public:
  /// Of UTF-8, which the caller has seen to (first_not_text() of text/utf8.hpp).
  explicit XmlDocument(std::string_view text);

  /// Why it could not be read, where, and whether it breaks off there; empty when it could.
  const std::string& complaint() const { return complaint_; }
  TextPlace complaint_place() const { return complaint_place_; }
  bool cut_short() const { return cut_short_; }

  pugi::xml_node root() const { return document_.document_element(); }
  TextPlace place(const pugi::xml_node& node) const;

 private:
  TextPlace place(std::ptrdiff_t offset) const;

  pugi::xml_document document_;
  std::vector<std::ptrdiff_t> lines_{0};  // where each begins
  std::string complaint_;
  TextPlace complaint_place_;
  bool cut_short_ = false;
};

}  // namespace cardan
