#include "io/formats/xml_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace cardan {

XmlFile::XmlFile(const ForeignFile& file, Problems& problems) : file_(file), problems_(&problems) {
  if (refuse_binary(file, "save the file as UTF-8", problems)) return;
  document_.emplace(file.text);
  if (!ok())
    problems.error(at(document_->complaint_place()), "", fmt::format("this is no XML: {}", document_->complaint()),
                   document_->cut_short() ? "the file seems to be cut short" : "");
}

SourceLocation XmlFile::where(const pugi::xml_node& node) const { return at(document_->place(node)); }

void XmlFile::error(const pugi::xml_node& node, const std::string& element, std::string message, std::string remedy) {
  problems_->error(where(node), element, std::move(message), std::move(remedy));
}

bool parse_number(std::string_view word, double& value) {
  if (!word.empty() && word.front() == '+') word.remove_prefix(1);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc() && end == word.data() + word.size() && std::isfinite(value);
}

std::vector<double> XmlFile::numbers(const pugi::xml_node& node, const char* attribute, const std::string& element) {
  std::vector<double> values;
  const std::string_view text = node.attribute(attribute).value();
  constexpr const char* blank = " \t\r\n";
  for (std::size_t i = text.find_first_not_of(blank); i != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(blank, i), text.size());
    double value = 0;
    if (!parse_number(text.substr(i, end - i), value)) {
      error(node, element, fmt::format("'{}' of <{}> is '{}', which is no number", attribute, node.name(), text),
            text.find("${") == std::string_view::npos && text.find("$(") == std::string_view::npos
                ? "write numbers as 0.5 or 1e-3"
                : "it is an expression of xacro: expand the file first, xacro FILE.xacro -o FILE.urdf");
      return {};
    }
    values.push_back(value);
    i = text.find_first_not_of(blank, end);
  }
  return values;
}

double XmlFile::number(const pugi::xml_node& node, const char* attribute, double absent, const std::string& element) {
  if (!node.attribute(attribute)) return absent;
  const std::size_t before = problems_->error_count();
  const std::vector<double> values = numbers(node, attribute, element);
  if (values.size() == 1) return values[0];
  if (problems_->error_count() == before)
    error(node, element, fmt::format("'{}' of <{}> should be one number", attribute, node.name()));
  return absent;
}

Vec3 XmlFile::vector(const pugi::xml_node& node, const char* attribute, const Vec3& absent,
                     const std::string& element) {
  if (!node.attribute(attribute)) return absent;
  const std::size_t before = problems_->error_count();
  const std::vector<double> values = numbers(node, attribute, element);
  if (values.size() == 3) return {values[0], values[1], values[2]};
  if (problems_->error_count() == before)
    error(node, element,
          fmt::format("'{}' of <{}> should be three numbers, but has {}", attribute, node.name(), values.size()));
  return absent;
}

}  // namespace cardan
