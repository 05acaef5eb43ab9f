#include "io/csv_pairs.hpp"

#include <fmt/format.h>

#include <charconv>

#include "io/csv_cells.hpp"
#include "io/yaml_sections.hpp"

namespace cardan {

namespace {

using Kind = YamlNode::Kind;

/// Reads the two columns of one file; every report goes to the CSV file or to the model, whichever is wrong.
class PairReader {
 public:
  PairReader(Fields& fields, std::string path, SourceLocation named_at)
      : fields_(fields),
        path_(std::move(path)),
        named_at_(std::move(named_at)),
        from_(std::make_shared<const SourceLocation>(named_at_)) {}

  std::optional<std::vector<CsvPair>> read(std::string_view text) {
    if (!take_lines(text, "give two columns of numbers")) return std::nullopt;
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

  /// All cells of every line.
  std::optional<std::vector<TableRow>> read_rows(std::string_view text) {
    if (!take_lines(text, "give rows of numbers")) return std::nullopt;
    std::vector<TableRow> rows;
    for (std::size_t i = has_header_ ? 1 : 0; i < lines_.size(); ++i) {
      TableRow& row = rows.emplace_back(TableRow{{}, in_file(lines_[i], lines_[i].cells[0].column)});
      for (const CsvCell& cell : lines_[i].cells) {
        const auto number = number_in(lines_[i], cell);
        if (!number) return std::nullopt;
        row.values.push_back(*number);
      }
    }
    return rows;
  }

 private:
  bool take_lines(std::string_view text, const char* remedy) {
    lines_ = csv_lines(text);
    if (lines_.empty()) refuse(named_at_, fmt::format("'{}' has no rows", path_), remedy);
    for (std::size_t i = 0; !lines_.empty() && i < lines_[0].cells.size(); ++i)
      has_header_ = has_header_ || !csv_number(lines_[0].cells[i].text);
    return !lines_.empty();
  }

  std::optional<double> number_in(const CsvLine& line, const CsvCell& cell) {
    const auto number = csv_number(cell.text);
    if (!number) refuse(in_file(line, cell.column), fmt::format("'{}' is not a finite number", cell.text));
    return number;
  }

  std::nullopt_t refuse(const SourceLocation& where, std::string message, std::string remedy = "") {
    fields_.error(where, std::move(message), std::move(remedy));
    return std::nullopt;
  }

  SourceLocation in_file(const CsvLine& line, int column) const { return {path_, line.number, column, from_}; }

  std::optional<CsvPair> pair_in(const CsvLine& line, const int (&column)[2]) {
    double value[2];
    for (int i = 0; i < 2; ++i) {
      if (column[i] >= static_cast<int>(line.cells.size())) {
        const int end = line.cells.back().column + static_cast<int>(line.cells.back().text.size());
        return refuse(
            in_file(line, end),
            fmt::format("the line has {} cells, but column {} is asked for", line.cells.size(), column[i] + 1),
            "give every line as many cells");
      }
      const CsvCell& cell = line.cells[static_cast<std::size_t>(column[i])];
      const auto number = number_in(line, cell);
      if (!number) return std::nullopt;
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
    const std::vector<CsvCell>& first = lines_[0].cells;
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
  std::vector<CsvLine> lines_;
  bool has_header_ = false;
};

}  // namespace

/// What may stand in the map of a file, and its text.
static std::optional<TextFile> file_in(Fields& fields, std::span<const std::string_view> known,
                                       const std::string& what) {
  fields.allow(known, what);
  fields.require("file", "add 'file: PATH', a CSV file");
  if (fields.failed()) return std::nullopt;
  return fields.text_file("file");
}

std::optional<std::vector<TableRow>> read_csv_rows(Reading& reading, const YamlNode& node, const std::string& element,
                                                   const std::string& what) {
  Fields fields(reading, node, element, node.where);
  constexpr std::string_view known[] = {"file"};
  const auto file = file_in(fields, known, what);
  return file ? PairReader(fields, file->path, file->where).read_rows(file->text) : std::nullopt;
}

std::optional<std::vector<CsvPair>> read_csv_pairs(Reading& reading, const YamlNode& node, const std::string& element,
                                                   const std::string& what) {
  Fields fields(reading, node, element, node.where);
  constexpr std::string_view known[] = {"file", "columns"};
  const auto file = file_in(fields, known, what);
  return file ? PairReader(fields, file->path, file->where).read(file->text) : std::nullopt;
}

}  // namespace cardan
