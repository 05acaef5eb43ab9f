#include "io/result_table.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <system_error>

#include "io/text_table.hpp"
#include "text/csv_text.hpp"

namespace cardan {

ResultTable::ResultTable(const std::filesystem::path& file, std::vector<Column> columns)
    : file_(file), columns_(std::move(columns)) {
  if (file_.empty()) return;
  out_.open(file_);
  std::vector<std::string> names;
  for (const Column& column : columns_) {
    if (!column.name.empty()) names.push_back(column.name);
  }
  write_line(names);
}

ResultTable::Cell ResultTable::text_cell(std::string text) {
  Cell cell{std::move(text)};
  const char *begin = cell.full.data(), *end = begin + cell.full.size();
  double number = 0;
  const auto [rest, error] = std::from_chars(begin, end, number);
  if (error == std::errc() && rest == end) cell.number = number;
  return cell;
}

void ResultTable::write_line(const std::vector<std::string>& fields) {
  std::string line;
  for (const std::string& field : fields) line += csv_text(field) + ',';
  line.back() = '\n';
  out_ << line << std::flush;
  if (!out_) throw std::system_error(errno, std::generic_category(), "cannot write " + file_.string());
}

void ResultTable::add_row(std::vector<Cell> cells) {
  if (cells.size() > columns_.size()) throw std::logic_error("a row of a table has more cells than columns");
  cells.resize(columns_.size());
  if (!file_.empty()) {
    std::vector<std::string> fields;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (!columns_[i].name.empty()) fields.push_back(cells[i].full);
    }
    write_line(fields);
  }
  rows_.push_back(std::move(cells));
}

std::string ResultTable::failed(const std::string& reason) {
  reasons_.push_back(reason);
  return fmt::format("failed [{}]", reasons_.size());
}

std::vector<std::string> ResultTable::shown(const std::vector<Cell>& row) const {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const Column& column = columns_[i];
    if (column.title.empty()) continue;
    texts.push_back(row[i].is_number && column.format ? column.format(row[i].number) : row[i].full);
  }
  return texts;
}

std::string ResultTable::text() const {
  std::vector<TextTable::Column> columns;
  for (const Column& column : columns_) {
    if (column.title.empty()) continue;
    columns.push_back({column.title, column.format ? TextTable::Align::right : TextTable::Align::left});
  }
  TextTable table(std::move(columns));
  for (const auto& row : rows_) table.add(shown(row));
  std::string text = table.text(2);
  for (std::size_t i = 0; i < reasons_.size(); ++i) {
    text += wrapped(fmt::format("  [{}]", i + 1), reasons_[i], 120, 6);
  }
  return text;
}

ReportTable ResultTable::report() const {
  ReportTable table;
  for (const Column& column : columns_) {
    if (!column.title.empty()) table.headers.push_back(column.title);
  }
  for (const auto& row : rows_) table.rows.push_back(shown(row));
  for (std::size_t i = 0; i < reasons_.size(); ++i) {
    table.note += fmt::format("{}[{}] {}", i == 0 ? "" : "\n", i + 1, reasons_[i]);
  }
  return table;
}

std::size_t ResultTable::index_of(std::string_view name) const {
  const auto found =
      std::find_if(columns_.begin(), columns_.end(), [&](const Column& column) { return column.name == name; });
  if (found == columns_.end()) throw std::logic_error(fmt::format("a table has no column '{}'", name));
  return static_cast<std::size_t>(found - columns_.begin());
}

std::vector<ReportSeries> ResultTable::curves(std::string_view x, std::string_view y, std::string_view by,
                                              std::string_view group) const {
  const std::size_t x_column = index_of(x), y_column = index_of(y);
  const auto text = [&](const std::vector<Cell>& row, std::string_view name) {
    return name.empty() ? std::string() : row[index_of(name)].full;
  };
  std::vector<ReportSeries> series;
  for (const auto& row : rows_) {
    const double at = row[x_column].number, value = std::abs(row[y_column].number);
    if (!std::isfinite(at) || !std::isfinite(value)) continue;
    const std::string name = text(row, by), of = text(row, group);
    auto found = std::find_if(series.begin(), series.end(),
                              [&](const ReportSeries& each) { return each.name == name && each.group == of; });
    if (found == series.end()) found = series.insert(series.end(), ReportSeries{name, {}, {}, true, of});
    found->x.push_back(at);
    found->y.push_back(value);
  }
  return series;
}

namespace {

template <typename Text>
ResultTable::Format finite(const Text& text) {
  return [text](double value) -> std::string {
    if (std::isnan(value)) return "";
    return std::isfinite(value) ? text(value) : "-";
  };
}

}  // namespace

ResultTable::Format decimals(int digits, double factor) {
  return finite([=](double value) { return fmt::format("{:.{}f}", factor * value, digits); });
}
ResultTable::Format powers(int digits, double factor) {
  return finite([=](double value) { return fmt::format("{:.{}e}", factor * value, digits); });
}
ResultTable::Format significant(int digits) {
  return finite([=](double value) { return fmt::format("{:.{}g}", value, digits); });
}
ResultTable::Format whole() { return decimals(0); }

ReportPlot measurements(const std::string& title, const std::string& x_label, const std::string& y_label,
                        std::vector<ReportSeries> series, const std::string& note) {
  return {title, x_label, y_label, true, true, std::move(series), note};
}

std::vector<ReportSeries> grouped(std::vector<ReportSeries> series, const std::string& group) {
  for (ReportSeries& each : series) each.group = group;
  return series;
}

std::vector<ReportSeries> joined(std::vector<ReportSeries> first, const std::vector<ReportSeries>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

}  // namespace cardan
