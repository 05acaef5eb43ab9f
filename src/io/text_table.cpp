#include "io/text_table.hpp"

#include <algorithm>

namespace cardan {
namespace {

/// Characters, not bytes, of UTF-8 text.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

TextTable::TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

void TextTable::add(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  rows_.push_back(std::move(cells));
}

std::string TextTable::text(std::size_t indent) const {
  std::vector<std::string> titles;
  std::vector<std::size_t> widths;
  for (const Column& column : columns_) {
    titles.push_back(column.title);
    widths.push_back(width_of(column.title));
  }
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }

  std::string result;
  const auto append_line = [&](const std::vector<std::string>& cells) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (i > 0) line += "  ";
      const std::string padding(widths[i] - width_of(cells[i]), ' ');
      line += columns_[i].align == Align::right ? padding + cells[i] : cells[i] + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    result += line + '\n';
  };
  append_line(titles);
  for (const auto& row : rows_) append_line(row);
  return result;
}

std::string wrapped(const std::string& start, const std::string& text, std::size_t width, std::size_t indent) {
  std::string result, line = start;
  std::size_t used = width_of(start);
  bool fresh = start.empty();  // nothing but the indent in the line
  const auto end_line = [&](std::size_t blanks) {
    result += line + '\n';
    line.assign(blanks, ' ');
    used = blanks;
    fresh = true;
  };
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \n", begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (!word.empty()) {
      if (!fresh && used + 1 + width_of(word) > width) end_line(indent);
      line += (fresh ? "" : " ") + word;
      used += (fresh ? 0 : 1) + width_of(word);
      fresh = false;
    }
    if (end < text.size() && text[end] == '\n') end_line(0);
    begin = end + 1;
  }
  return result + line + '\n';
}

}  // namespace cardan
