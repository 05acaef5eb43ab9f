#include "io/adams/adams_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "io/adams/adams.hpp"

namespace cardan {

namespace {

/// Statements that say how ADAMS computes and shows, not what exists.
constexpr std::string_view kOfNoConcern[] = {"ADAMS",      "DEBUG",       "EQUILIBRIUM", "IC",     "INTEGRATOR",
                                             "KINEMATICS", "LSOLVER",     "MATERIAL",    "OUTPUT", "PINPUT",
                                             "POUTPUT",    "PREFERENCES", "RESULTS",     "TITLE"};
/// Data for others, which are refused where they are used.
constexpr std::string_view kData[] = {"ARRAY", "MATRIX", "SPLINE", "STRING", "CURVE"};

template <class List>
bool holds(const List& list, std::string_view word) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

/// Comments and the title may be in any language and encoding.
std::string with_plain_comments(std::string text) {
  bool comment = true;  // the title
  for (char& c : text) {
    if (c == '\n') comment = false;
    if (c == '!') comment = true;
    if (comment && static_cast<unsigned char>(c) >= 0x80) c = '?';
  }
  return text;
}

}  // namespace

AdamsModel::AdamsModel(const ForeignFile& file, const AdamsDataset& dataset, const ImportOptions& options,
                       Problems& problems)
    : file_(file), dataset_(dataset), options_(options), problems_(problems), model_(file.at(1, 1)) {}

void AdamsModel::refuse(const std::string& message, const std::string& remedy) { throw Refusal{message, remedy}; }
void AdamsModel::broken(const std::string& message, const std::string& remedy) { throw Refusal{message, remedy, true}; }

ModelTree AdamsModel::make() {
  read_units();
  find_plant_inputs();
  std::map<std::string, int> not_read;
  std::map<std::pair<std::string, int>, int> lines;
  for (const Statement& s : dataset_.statements) {
    if (holds(kOfNoConcern, s.keyword) || holds(kData, s.keyword)) ++not_read[s.keyword];
    if (s.keyword == "VARIABLE") variables_[s.id] = name_of(s);
    if (s.keyword == "DIFF") states_[s.id] = name_of(s);
    if ((s.id == 0 && s.keyword != "ACCGRAV") || holds(kOfNoConcern, s.keyword)) continue;
    const auto [first, is_new] = lines.emplace(std::pair(s.keyword, s.id), s.where.line);
    if (!is_new)
      problems_.error(
          s.where, s.label(),
          fmt::format("{} on line {}", s.id == 0 ? "it is there already," : "the identifier is taken", first->second));
  }
  model_.set("gravity", vector_node(Vec3::Zero(), file_.at(1, 1)));
  constexpr std::pair<std::string_view, void (AdamsModel::*)(const Statement&)> readers[] = {
      {"ACCGRAV", &AdamsModel::read_gravity},    {"PART", &AdamsModel::find_part},
      {"MARKER", &AdamsModel::find_marker},      {"PART", &AdamsModel::add_body},
      {"JOINT", &AdamsModel::add_joint},         {"JPRIM", &AdamsModel::add_primitive},
      {"JOINT", &AdamsModel::add_rack},          {"COUPLER", &AdamsModel::add_coupler},
      {"GEAR", &AdamsModel::add_gear},           {"GCON", &AdamsModel::add_general_constraint},
      {"MOTION", &AdamsModel::add_motion},       {"SPRINGDAMPER", &AdamsModel::add_spring},
      {"BUSHING", &AdamsModel::add_bushing},     {"SFORCE", &AdamsModel::add_single_force},
      {"VFORCE", &AdamsModel::add_vector_force}, {"VTORQUE", &AdamsModel::add_vector_force},
      {"GFORCE", &AdamsModel::add_vector_force}, {"BEAM", &AdamsModel::add_elastic},
      {"FIELD", &AdamsModel::add_elastic},       {"VARIABLE", &AdamsModel::add_variable},
      {"DIFF", &AdamsModel::add_state},          {"SENSOR", &AdamsModel::add_sensor},
      {"REQUEST", &AdamsModel::add_request},     {"GRAPHICS", &AdamsModel::add_graphics},
      {"PART", &AdamsModel::add_start}};
  for (const auto& [keyword, read] : readers) each(keyword, read);
  add_free_joints();
  for (const Statement& s : dataset_.statements) {
    const bool known =
        s.keyword == "UNITS" || holds(kOfNoConcern, s.keyword) || holds(kData, s.keyword) ||
        std::any_of(std::begin(readers), std::end(readers), [&](const auto& r) { return r.first == s.keyword; });
    if (!known) leave_out(s.where, s.label(), {"it is not understood", "", false});
    if (known && s.keyword != "UNITS") check_all_used(s);
  }
  std::string title = dataset_.title;
  if (const std::size_t colon = title.find("model name:"); colon != std::string::npos) title = title.substr(colon + 11);
  title = std::string(trimmed(title));
  if (title.empty()) title = std::filesystem::path(file_.path).stem().string();
  model_.set("name", word_node(NameTable().take(title, "model"), file_.at(1, 1)));
  const std::string name = std::filesystem::path(file_.path).filename().string();
  model_.preface.push_back(fmt::format("Made from {}, a dataset of ADAMS, converted to m, kg, s, N and rad.", name));
  std::vector<std::string> counts;
  for (const auto& [keyword, count] : not_read) counts.push_back(fmt::format("{} {}", count, keyword));
  if (!counts.empty()) model_.preface.push_back(fmt::format("Not read: {}.", fmt::join(counts, ", ")));
  for (const std::string& line : left_out_) model_.preface.push_back("Left out: " + line);
  return std::move(model_);
}

void AdamsModel::each(std::string_view keyword, void (AdamsModel::*read)(const Statement&)) {
  for (const Statement& s : dataset_.statements)
    if (s.keyword == keyword) take(s, read);
}

void AdamsModel::take(const Statement& statement, void (AdamsModel::*read)(const Statement&)) {
  current_ = &statement;
  try {
    (this->*read)(statement);
  } catch (const Refusal& refusal) {
    leave_out(statement.where, statement.label(), refusal);
    for (const AdamsArgument& argument : statement.arguments) argument.used = true;  // said already
  }
}

void AdamsModel::leave_out(const SourceLocation& where, const std::string& label, const Refusal& refusal) {
  const bool output = label.starts_with("REQUEST") || label.starts_with("GRAPHICS") || label.starts_with("MREQUEST");
  if (output || (!refusal.broken && options_.leave_out)) {
    left_out_.push_back(fmt::format("line {}: {}: {}", where.line, label, refusal.message));
  } else {
    problems_.error(
        where, label, refusal.message,
        !refusal.remedy.empty() || refusal.broken ? refusal.remedy : "`cardan import --leave-out` does without it");
  }
}

void AdamsModel::check_all_used(const Statement& s) {
  if (holds(kOfNoConcern, s.keyword) || holds(kData, s.keyword)) return;
  for (const AdamsArgument& argument : s.arguments)
    if (!argument.used)
      leave_out(argument.where, s.label(),
                {fmt::format("its argument '{}' is not understood", argument.name), "", false});
}

std::optional<std::vector<double>> AdamsModel::numbers(const Statement& s, std::string_view name, std::size_t least,
                                                       std::size_t most) {
  const AdamsArgument* argument = s.find(name);
  if (argument == nullptr) return std::nullopt;
  std::vector<double> values;
  std::string_view rest = argument->value;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find_first_of(",:"), rest.size());
    double value = 0;
    if (!parse_adams_number(rest.substr(0, comma), value))
      broken(fmt::format("'{}' of {} is no number", trimmed(rest.substr(0, comma)), name));
    values.push_back(value);
    rest = comma < rest.size() ? rest.substr(comma + 1) : std::string_view();
  }
  if (values.size() < least || values.size() > most)
    broken(fmt::format("{} has {} numbers, but takes {}", name, values.size(), least));
  return values;
}

double AdamsModel::number(const Statement& s, std::string_view name, double absent) {
  const auto values = numbers(s, name, 1, 1);
  return values ? (*values)[0] : absent;
}

Vec3 AdamsModel::vector(const Statement& s, std::string_view name, const Vec3& absent) {
  const auto values = numbers(s, name, 3, 3);
  return values ? Vec3((*values)[0], (*values)[1], (*values)[2]) : absent;
}

std::optional<int> AdamsModel::identifier(const Statement& s, std::string_view name) {
  const auto values = numbers(s, name, 1, 1);
  if (!values) return std::nullopt;
  if ((*values)[0] < 0 || (*values)[0] > 2e9 || (*values)[0] != static_cast<int>((*values)[0]))
    broken(fmt::format("{} is no identifier", name));
  return static_cast<int>((*values)[0]);
}

std::vector<int> AdamsModel::identifiers(const Statement& s, std::string_view name, std::size_t count) {
  const auto values = numbers(s, name, 1, 30);
  if (!values) broken(fmt::format("{} is missing", name));
  if (values->size() != count)
    refuse(fmt::format("it has {} {}, of which {} are understood", values->size(), name, count));
  std::vector<int> ids;
  for (const double value : *values) {
    if (value < 0 || value > 2e9 || value != static_cast<int>(value))
      broken(fmt::format("{} are no identifiers", name));
    ids.push_back(static_cast<int>(value));
  }
  return ids;
}

const AdamsMarker& AdamsModel::marker(int id) {
  const auto found = markers_.find(id);
  if (found == markers_.end()) broken(fmt::format("there is no MARKER/{}", id));
  return found->second;
}

const AdamsMarker& AdamsModel::marker_of(const Statement& s, std::string_view name, int* id) {
  const auto number = identifier(s, name);
  if (!number) broken(fmt::format("{} is missing", name));
  if (id != nullptr) *id = *number;
  return marker(*number);
}

std::string AdamsModel::expression(const Statement& s, std::string_view name, double unit) {
  const AdamsArgument* argument = s.find(name);
  if (argument == nullptr || argument->value.empty()) broken(fmt::format("{} is missing", name));
  if (upper_case(argument->value).starts_with("USER")) refuse("it is a subroutine of its own");
  std::string why_not;
  const auto text = translate_adams_expression(argument->value, *this, why_not);
  if (!text) refuse(fmt::format("{} is not understood: {}", name, why_not));
  if (unit == 1) return *text;
  double value = 0;
  if (parse_adams_number(*text, value)) return number_text(unit * value);
  return unit == -1 ? fmt::format("-({})", *text) : fmt::format("{}*({})", number_text(unit), *text);
}

std::string AdamsModel::name_of(const Statement& s) {
  std::string keyword = s.keyword;
  std::transform(keyword.begin(), keyword.end(), keyword.begin(),
                 [](char c) { return static_cast<char>(std::tolower(c)); });
  std::string wanted = s.view_name.empty() ? fmt::format("{}_{}", keyword, s.id) : s.view_name;
  std::replace(wanted.begin(), wanted.end(), '-', '_');  // names stand in expressions
  if (wanted.front() >= '0' && wanted.front() <= '9') wanted = keyword + "_" + wanted;
  return names_.take(wanted, keyword);
}

std::string AdamsModel::time() { return units_.time == 1 ? "t" : fmt::format("t/{}", number_text(units_.time)); }

std::string AdamsModel::shared(const std::string& expression) {
  // Motions are functions of time, whatever signals are made of.
  if (current_ == nullptr || current_->keyword == "MOTION") return "(" + expression + ")";
  auto [found, is_new] = shared_.emplace(expression, "");
  if (is_new) {
    found->second = names_.take(fmt::format("term_{}", shared_.size()), "signal");
    model_.add("signals", found->second, word_node(expression, current_->where));
  }
  return found->second;
}

std::optional<ModelTree> read_adams(const ForeignFile& given, const ImportOptions& options, Problems& problems) {
  const std::string text = with_plain_comments(given.text);
  const ForeignFile file{text, given.path, given.included_from};
  if (refuse_binary(file, "datasets of ADAMS (.adm) are text; a .bin file is not read", problems)) return std::nullopt;
  const std::size_t before = problems.error_count();
  const AdamsDataset dataset = read_adams_statements(file, problems);
  if (problems.error_count() > before) return std::nullopt;
  if (dataset.statements.empty()) {
    problems.error(file.at(1, 1), "", "there is no statement in this file", "a dataset has PART, MARKER, JOINT, ...");
    return std::nullopt;
  }
  return AdamsModel(file, dataset, options, problems).make();
}

}  // namespace cardan
