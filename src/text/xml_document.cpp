#include "text/xml_document.hpp"

#include <algorithm>

namespace cardan {

XmlDocument::XmlDocument(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') lines_.push_back(static_cast<std::ptrdiff_t>(i) + 1);
  const pugi::xml_parse_result result = document_.load_buffer(
      text.data(), text.size(), pugi::parse_default | pugi::parse_trim_pcdata, pugi::encoding_utf8);
  if (result) return;
  if (result.status == pugi::status_no_document_element) {
    complaint_ = "there is no element in this file";
    return;
  }
  complaint_ = result.description();
  if (complaint_[0] >= 'A' && complaint_[0] <= 'Z') complaint_[0] = static_cast<char>(complaint_[0] - 'A' + 'a');
  complaint_place_ = place(result.offset);
  // What has been read is kept: a whole file ends with the end of its first element.
  const std::string end = std::string("</") + document_.document_element().name() + ">";
  const std::string_view whole = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
  cut_short_ = !whole.ends_with(end);
}

TextPlace XmlDocument::place(std::ptrdiff_t offset) const {
  offset = std::max<std::ptrdiff_t>(offset, 0);
  const auto next = std::upper_bound(lines_.begin(), lines_.end(), offset);
  return {static_cast<int>(next - lines_.begin()), static_cast<int>(offset - *(next - 1)) + 1};
}

TextPlace XmlDocument::place(const pugi::xml_node& node) const {
  // The offset is that of the name; the element begins with the bracket before it.
  return place(node.offset_debug() - 1);
}

}  // namespace cardan
