// Plans of `cardan fit`.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>

#include "io/csv_lines.hpp"
#include "io/yaml_sections.hpp"
#include "optimize/design_reader.hpp"

namespace cardan {
namespace {

/// The columns of the plan from the file; times that do not rise and columns that are not there are told.
void read_data(FitPlan& plan, DesignReader& reader, const SourceLocation& where) {
  Problems& problems = reader.problems();
  std::string why_not;
  const auto text = read_text(plan.data, why_not);
  if (!text)
    return problems.error(where, "data", fmt::format("'{}': {}", plan.data, why_not), "paths are relative to the plan");
  std::istringstream lines(*text);
  std::string line;
  std::getline(lines, line);
  if (!line.empty() && line.back() == '\r') line.pop_back();
  const std::vector<std::string> header = parse_csv_header(line);
  const auto place_of = [&](const std::string& name) {
    return std::find(header.begin(), header.end(), name) - header.begin();
  };
  const auto count = std::ssize(header);
  if (place_of("t") == count)
    return problems.error(where, "data", fmt::format("'{}' has no column 't'", plan.data),
                          "give the times of the rows, in s, in a column 't'");
  std::vector<std::ptrdiff_t> places;
  for (const FitColumn& column : plan.columns) {
    places.push_back(place_of(column.column));
    if (places.back() == count)
      problems.error(column.where, element_label("column", column.column),
                     fmt::format("'{}' has no column '{}'", plan.data, column.column),
                     suggestion(column.column, header, "its columns are"));
  }
  if (problems.error_count() > 0) return;
  plan.measured.resize(plan.columns.size());
  std::vector<double> row(header.size());
  for (int number = 2; std::getline(lines, line); ++number) {
    if (line.empty() || line == "\r") continue;
    parse_csv_row(line, row);
    const double t = row[static_cast<std::size_t>(place_of("t"))];
    if (!std::isfinite(t) || t < 0 || (!plan.times.empty() && t <= plan.times.back()))
      return problems.error({plan.data, number, 1}, "data", "times must rise, from 0 or later",
                            "sort the rows, and leave none out twice");
    plan.times.push_back(t);
    for (std::size_t i = 0; i < places.size(); ++i)
      plan.measured[i].push_back(row[static_cast<std::size_t>(places[i])]);
  }
  if (plan.times.empty()) problems.error(where, "data", fmt::format("'{}' has no rows", plan.data));
}

void read_column(FitPlan& plan, DesignReader& reader, const YamlEntry& entry) {
  const std::string element = element_label("column", entry.key);
  FitColumn column{entry.key, entry.where, entry.value};
  if (entry.value->kind == YamlNode::Kind::map) {
    Fields fields(reader.reading(), *entry.value, element, entry.where);
    constexpr std::string_view known[] = {"with", "deviation"};
    fields.allow(known, "what is compared");
    fields.require("with", "add 'with: EXPRESSION' of signals");
    if (!fields.has("with")) return;
    column.expression = entry.value->find("with")->value;
    if (const auto deviation = fields.number("deviation")) {
      column.deviation = deviation->value;
      if (!(deviation->value > 0))
        fields.error(deviation->where, "the deviation is not above 0", "give what it is unsure by");
    }
  }
  plan.columns.push_back(std::move(column));
}

}  // namespace

FitPlan read_fit_plan(const std::string& path) {
  FitPlan plan;
  DesignReader reader("fit", plan);
  reader.read(path, {"data", "compare"}, [&](Fields& fields) {
    fields.require("data", "add 'data: FILE.csv', beside the plan");
    fields.require("compare", "add 'compare: {COLUMN: EXPRESSION}'");
    reader.each(fields, "compare", [&](const YamlEntry& entry) { read_column(plan, reader, entry); });
    const auto data = fields.word("data");
    if (!data) return;
    plan.data = (std::filesystem::path(plan.file).parent_path() / data->value).lexically_normal().string();
    plan.files.push_back(plan.data);
    read_data(plan, reader, data->where);
  });
  return plan;
}

}  // namespace cardan
