#include "io/input_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "io/csv_cells.hpp"
#include "io/yaml_sections.hpp"
#include "text/nearest_name.hpp"

namespace cardan {
namespace {

[[noreturn]] void refuse(const std::string& sentence) { throw std::invalid_argument("--input: " + sentence); }

std::vector<std::string> names_of_inputs(const Mechanism& mechanism) {
  std::vector<std::string> names;
  for (const Input& input : mechanism.inputs)
    if (input.is_given()) names.push_back(input.name);
  return names;
}

Input& input_named(Mechanism& mechanism, const std::string& name) {
  for (Input& input : mechanism.inputs)
    if (input.name == name && input.is_given()) return input;
  const std::vector<std::string> known = names_of_inputs(mechanism);
  if (known.empty()) refuse(fmt::format("the model '{}' has no inputs", mechanism.name));
  const std::string near = nearest_name(name, known);
  refuse(fmt::format(
      "the model has no input '{}'; {}", name,
      near.empty() ? fmt::format("there are {}", fmt::join(known, ", ")) : fmt::format("did you mean '{}'?", near)));
}

/// A CSV file with the places of its numbers.
class InputFile {
 public:
  explicit InputFile(const std::string& path) : path_(path) {
    std::string why_not;
    const auto text = read_text(path, why_not);
    if (!text) refuse(fmt::format("'{}': {}", path, why_not));
    lines_ = csv_lines(*text);
    if (lines_.empty()) refuse(fmt::format("'{}' has no rows", path));
    for (const CsvCell& cell : lines_[0].cells) has_names_ = has_names_ || !csv_number(cell.text);
    if (has_names_ && lines_.size() == 1) refuse(fmt::format("'{}' has names but no rows", path));
    if (has_names_) find_time();
  }

  /// Of the columns but that of time, in their order; none where the first line is one of numbers.
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (std::size_t i = 0; has_names_ && i < lines_[0].cells.size(); ++i)
      if (i != time_) names.push_back(lines_[0].cells[i].text);
    return names;
  }

  InputTrack track(const Input& input, bool held) const {
    const std::size_t column = column_of(input.name);
    InputTrack track;
    track.held = held;
    for (std::size_t i = has_names_ ? 1 : 0; i < lines_.size(); ++i) {
      const double t = number(lines_[i], time_), value = number(lines_[i], column);
      const std::string line = fmt::format("{}:{}", path_, lines_[i].number);
      if (t < 0) refuse(fmt::format("{}: t = {} s is before the start", line, t));
      if (!track.t.empty() && t <= track.t.back())
        refuse(fmt::format("{}: t = {} s comes after {} s; times must rise", line, t, track.t.back()));
      if (value < input.min || value > input.max)
        refuse(fmt::format("{}: {} is outside of the limits of input '{}', {} to {}", line, value, input.name,
                           input.min, input.max));
      track.t.push_back(t);
      track.value.push_back(value);
    }
    return track;
  }

 private:
  void find_time() {
    const std::vector<CsvCell>& cells = lines_[0].cells;
    for (const char* name : {"t", "time"}) {
      for (std::size_t i = 0; i < cells.size(); ++i) {
        if (cells[i].text != name) continue;
        time_ = i;
        return;
      }
    }
    refuse(fmt::format("'{}' has no column 't'; call that of the time, in s, so", path_));
  }

  std::size_t column_of(const std::string& name) const {
    const std::vector<CsvCell>& cells = lines_[0].cells;
    for (std::size_t i = 0; has_names_ && i < cells.size(); ++i)
      if (i != time_ && cells[i].text == name) return i;
    if (cells.size() == 2) return 1 - time_;
    const std::vector<std::string> columns = names();
    if (columns.empty()) refuse(fmt::format("'{}' has no names in its first line and not two columns", path_));
    const std::string near = nearest_name(name, columns);
    refuse(fmt::format("'{}' has no column '{}'; {}", path_, name,
                       near.empty() ? fmt::format("its columns are {}", fmt::join(columns, ", "))
                                    : fmt::format("did you mean '{}'?", near)));
  }

  double number(const CsvLine& line, std::size_t column) const {
    if (column >= line.cells.size())
      refuse(fmt::format("{}:{}: the line has {} cells, but column {} is asked for", path_, line.number,
                         line.cells.size(), column + 1));
    const auto value = csv_number(line.cells[column].text);
    if (!value)
      refuse(fmt::format("{}:{}:{}: '{}' is not a finite number", path_, line.number, line.cells[column].column,
                         line.cells[column].text));
    return *value;
  }

  std::string path_;
  std::vector<CsvLine> lines_;
  bool has_names_ = false;
  std::size_t time_ = 0;  // which column
};

}  // namespace

void read_inputs_from_files(Mechanism& mechanism, const std::vector<std::string>& given, bool held,
                            std::vector<std::string>& files) {
  for (const std::string& one : given) {
    const std::size_t equal = one.find('=');
    const std::string path = equal == std::string::npos ? one : one.substr(equal + 1);
    const InputFile file(path);
    std::vector<std::string> names{one.substr(0, equal)};
    if (equal == std::string::npos) names = file.names();
    if (names.empty()) refuse(fmt::format("'{}' names no inputs in its first line; give NAME={}", path, path));
    for (const std::string& name : names) {
      Input& input = input_named(mechanism, name);
      if (!input.track.t.empty()) refuse(fmt::format("input '{}' is given twice", name));
      input.track = file.track(input, held);
    }
    files.push_back(path);
  }
}

std::optional<double> end_of_inputs(const Mechanism& mechanism) {
  double end = 0;
  for (const Input& input : mechanism.inputs)
    if (!input.track.t.empty()) end = std::max(end, input.track.t.back());
  return end > 0 ? std::optional(end) : std::nullopt;
}

}  // namespace cardan
