#include "io/formats/xml_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace cardan {

XmlFile::XmlFile(const ForeignFile& file, Problems& problems) : file_(file), problems_(problems), lines_{0} {
  if (refuse_binary(file, "save the file as UTF-8", problems)) return;
  for (std::size_t i = 0; i < file.text.size(); ++i)
    if (file.text[i] == '\n') lines_.push_back(static_cast<std::ptrdiff_t>(i) + 1);
  const pugi::xml_parse_result result = document_.load_buffer(
      file.text.data(), file.text.size(), pugi::parse_default | pugi::parse_trim_pcdata, pugi::encoding_utf8);
  if (!result) {
    const bool empty = result.status == pugi::status_no_document_element;
    const bool cut_short = static_cast<std::size_t>(result.offset) + 1 >= file.text.size();
    std::string message = empty ? "there is no element in this file" : result.description();
    if (!empty)
      std::transform(message.begin(), message.begin() + 1, message.begin(),
                     [](char c) { return static_cast<char>(std::tolower(c)); });
    problems.error(at(empty ? 0 : result.offset), "", fmt::format("this is no XML: {}", message),
                   cut_short && !empty ? "the file seems to be cut short" : "");
    return;
  }
  ok_ = true;
}

SourceLocation XmlFile::at(std::ptrdiff_t offset) const {
  const auto next = std::upper_bound(lines_.begin(), lines_.end(), std::max<std::ptrdiff_t>(offset, 0));
  const int line = static_cast<int>(next - lines_.begin());
  return file_.at(line, static_cast<int>(std::max<std::ptrdiff_t>(offset, 0) - *(next - 1)) + 1);
}

SourceLocation XmlFile::where(const pugi::xml_node& node) const {
  // The offset is that of the name; the element begins with the bracket before it.
  return at(node.offset_debug() - 1);
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
      problems_.error(where(node), element,
                      fmt::format("'{}' of <{}> is '{}', which is no number", attribute, node.name(), text),
                      "write numbers as 0.5 or 1e-3");
      return {};
    }
    values.push_back(value);
    i = text.find_first_not_of(blank, end);
  }
  return values;
}

double XmlFile::number(const pugi::xml_node& node, const char* attribute, double absent, const std::string& element) {
  if (!node.attribute(attribute)) return absent;
  const std::size_t before = problems_.error_count();
  const std::vector<double> values = numbers(node, attribute, element);
  if (values.size() == 1) return values[0];
  if (problems_.error_count() == before)
    problems_.error(where(node), element, fmt::format("'{}' of <{}> should be one number", attribute, node.name()));
  return absent;
}

Vec3 XmlFile::vector(const pugi::xml_node& node, const char* attribute, const Vec3& absent,
                     const std::string& element) {
  if (!node.attribute(attribute)) return absent;
  const std::size_t before = problems_.error_count();
  const std::vector<double> values = numbers(node, attribute, element);
  if (values.size() == 3) return {values[0], values[1], values[2]};
  if (problems_.error_count() == before)
    problems_.error(
        where(node), element,
        fmt::format("'{}' of <{}> should be three numbers, but has {}", attribute, node.name(), values.size()));
  return absent;
}

}  // namespace cardan
