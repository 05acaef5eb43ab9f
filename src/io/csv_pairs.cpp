#include "io/csv_pairs.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <filesystem>

#include "io/yaml_sections.hpp"

namespace cardan {

namespace {

using Kind = YamlNode::Kind;

struct Cell {
  std::string text;
  int column = 1;  // where it starts in its line, from 1
};

struct Line {
  std::vector<Cell> cells;
  int number = 1;
};

std::optional<double> number_in(const std::string& text) {
  const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
  const char* end = text.data() + text.size();
  double value = 0;
  const auto [stop, status] = std::from_chars(begin, end, value);
  if (stop != end || begin == end || status != std::errc() || !std::isfinite(value)) return std::nullopt;
  return value;
}

char separator_of(std::string_view line) {
  for (const char candidate : {',', ';', '\t'})
    if (line.find(candidate) != std::string_view::npos) return candidate;
  return ',';
}

/// Separators within double quotes belong to the cell; blanks around a cell do not.
std::vector<Cell> cells_of(std::string_view line, char separator) {
  std::vector<Cell> cells;
  for (std::size_t begin = 0; begin <= line.size();) {
    std::size_t end = begin;
    for (bool quoted = false; end < line.size() && (quoted || line[end] != separator); ++end)
      if (line[end] == '"') quoted = !quoted;
    const std::size_t next = end + 1;
    const auto blank = [&](std::size_t i) { return line[i] == ' ' || line[i] == '\t'; };
    while (begin < end && blank(begin)) ++begin;
    while (begin < end && blank(end - 1)) --end;
    if (end - begin >= 2 && line[begin] == '"' && line[end - 1] == '"') ++begin, --end;
    cells.push_back({std::string(line.substr(begin, end - begin)), static_cast<int>(begin) + 1});
    begin = next;
  }
  return cells;
}

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  char separator = 0;
  int number = 0;
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  while (!text.empty()) {
    ++number;
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(" \t") == std::string_view::npos || line.starts_with('#')) continue;
    if (separator == 0) separator = separator_of(line);
    lines.push_back({cells_of(line, separator), number});
  }
  return lines;
}

/// Reads the two columns of one file; every report goes to the CSV file or to the model, whichever is wrong.
class PairReader {
 public:
  PairReader(Fields& fields, std::string path, SourceLocation named_at)
      : fields_(fields),
        path_(std::move(path)),
        named_at_(std::move(named_at)),
        from_(std::make_shared<const SourceLocation>(named_at_)) {}

  std::optional<std::vector<CsvPair>> read(std::string_view text) {
    lines_ = lines_of(text);
    if (lines_.empty()) return refuse(named_at_, fmt::format("'{}' has no rows", path_), "give two columns of numbers");
    for (const Cell& cell : lines_[0].cells) has_header_ = has_header_ || !number_in(cell.text);
    int column[2] = {0, 1};
    if (!choose_columns(column)) return std::nullopt;
    std::vector<CsvPair> pairs;
    for (std::size_t i = has_header_ ? 1 : 0; i < lines_.size(); ++i) {
      const auto pair = pair_in(lines_[i], column);
      if (!pair) return std::nullopt;  // as many messages as rows would help nobody
      pairs.push_back(*pair);
    }
    return pairs;
  }

 private:
  std::nullopt_t refuse(const SourceLocation& where, std::string message, std::string remedy = "") {
    fields_.error(where, std::move(message), std::move(remedy));
    return std::nullopt;
  }

  SourceLocation in_file(const Line& line, int column) const { return {path_, line.number, column, from_}; }

  std::optional<CsvPair> pair_in(const Line& line, const int (&column)[2]) {
    double value[2];
    for (int i = 0; i < 2; ++i) {
      if (column[i] >= static_cast<int>(line.cells.size())) {
        const int end = line.cells.back().column + static_cast<int>(line.cells.back().text.size());
        return refuse(
            in_file(line, end),
            fmt::format("the line has {} cells, but column {} is asked for", line.cells.size(), column[i] + 1),
            "give every line as many cells");
      }
      const Cell& cell = line.cells[static_cast<std::size_t>(column[i])];
      const auto number = number_in(cell.text);
      if (!number) return refuse(in_file(line, cell.column), fmt::format("'{}' is not a finite number", cell.text));
      value[i] = *number;
    }
    const int at = line.cells[static_cast<std::size_t>(column[0])].column;
    return CsvPair{Vec2(value[0], value[1]), in_file(line, at)};
  }

  bool choose_columns(int (&column)[2]) {
    const YamlNode* node = fields_.node("columns");
    const int count = static_cast<int>(lines_[0].cells.size());
    if (node == nullptr) {
      if (count >= 2) return true;
      refuse(in_file(lines_[0], 1), "the file has one column, but two are needed", "separate them by commas");
      return false;
    }
    if (node->kind != Kind::sequence || node->items.size() != 2) {
      wrong_kind(fields_.reading(), *node, fields_.element(), "'columns'", "two of the file, as [t, angle] or [1, 3]");
      return false;
    }
    for (int i = 0; i < 2; ++i) {
      const auto found = find_column(*node->items[static_cast<std::size_t>(i)]);
      if (!found) return false;
      column[i] = *found;
    }
    return true;
  }

  std::optional<int> find_column(const YamlNode& node) {
    const auto word = read_word(fields_.reading(), node, fields_.element(), "an item of 'columns'");
    if (!word) return std::nullopt;
    const std::vector<Cell>& first = lines_[0].cells;
    std::vector<std::string> names;
    for (std::size_t i = 0; has_header_ && i < first.size(); ++i) {
      if (first[i].text == *word) return static_cast<int>(i);
      names.push_back(first[i].text);
    }
    int number = 0;
    const char* end = word->data() + word->size();
    const auto [stop, status] = std::from_chars(word->data(), end, number);
    if (stop != end || status != std::errc()) {
      return refuse(node.where, fmt::format("'{}' has no column '{}'", path_, *word),
                    has_header_ ? suggestion(*word, names, "its columns are")
                                : "its first line has no names: count the columns from 1");
    }
    const int count = static_cast<int>(first.size());
    if (number < 1 || number > count)
      return refuse(node.where, fmt::format("'{}' has no column {}", path_, number), fmt::format("it has {}", count));
    return number - 1;
  }

  Fields& fields_;
  std::string path_;
  SourceLocation named_at_;
  std::shared_ptr<const SourceLocation> from_;
  std::vector<Line> lines_;
  bool has_header_ = false;
};

}  // namespace

std::optional<std::vector<CsvPair>> read_csv_pairs(Reading& reading, const YamlNode& node, const std::string& element,
                                                   const std::string& what) {
  Fields fields(reading, node, element, node.where);
  constexpr std::string_view known[] = {"file", "columns"};
  fields.allow(known, what);
  fields.require("file", "add 'file: PATH', a CSV file");
  const auto file = fields.word("file");
  if (fields.failed() || !file) return std::nullopt;
  const std::string path =
      (std::filesystem::path(reading.file).parent_path() / file->value).lexically_normal().string();
  std::string why_not;
  const auto text = read_text(path, why_not);
  if (!text) {
    fields.error(file->where, fmt::format("'{}': {}", path, why_not), "paths are relative to the model file");
    return std::nullopt;
  }
  reading.note(path);
  return PairReader(fields, path, file->where).read(*text);
}

}  // namespace cardan
