#include "io/adams/adams_statements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/formats/xml_file.hpp"

namespace cardan {

namespace {

constexpr std::string_view kKeywords[] = {
    "ACCGRAV",     "ADAMS",      "ARRAY",   "BEAM",     "BUSHING",     "CONTACT",  "COUPLER",    "CURVE",
    "CVCV",        "DEBUG",      "DIFF",    "END",      "EQUILIBRIUM", "FIELD",    "FLEX_BODY",  "FRICTION",
    "GCON",        "GEAR",       "GFORCE",  "GRAPHICS", "GSE",         "IC",       "INTEGRATOR", "JOINT",
    "JPRIM",       "KINEMATICS", "LSE",     "LSOLVER",  "MARKER",      "MATERIAL", "MATRIX",     "MFORCE",
    "MOTION",      "MREQUEST",   "NFORCE",  "OUTPUT",   "PART",        "PINPUT",   "POINT_MASS", "POUTPUT",
    "PREFERENCES", "PTCV",       "REQUEST", "RESULTS",  "SENSOR",      "SFORCE",   "SPLINE",     "SPRINGDAMPER",
    "STRING",      "SURFACE",    "TFSISO",  "TIRE",     "TITLE",       "UCON",     "UNITS",      "VARIABLE",
    "VFORCE",      "VTORQUE"};

/// The keyword in full where two letters or more tell it apart.
std::string whole_keyword(const std::string& word) {
  std::string found;
  for (const std::string_view keyword : kKeywords) {
    if (keyword == word) return word;
    if (word.size() < 2 || !keyword.starts_with(word)) continue;
    if (!found.empty()) return word;
    found = keyword;
  }
  return found.empty() ? word : found;
}

struct AdamsLine {
  std::string text;
  int number;
};

/// What a statement consists of, its lines still apart.
struct RawStatement {
  std::vector<AdamsLine> lines;
  std::string view_name;
};

/// The name in a comment "! adams_view_name='crank'".
std::string view_name_in(std::string_view comment) {
  constexpr std::string_view mark = "adams_view_name=";
  const std::size_t at = comment.find(mark);
  if (at == std::string_view::npos) return "";
  std::string_view rest = comment.substr(at + mark.size());
  if (rest.empty() || (rest[0] != '\'' && rest[0] != '"')) return std::string(trimmed(rest));
  const std::size_t end = rest.find(rest[0], 1);
  return std::string(rest.substr(1, end == std::string_view::npos ? end : end - 1));
}

/// Lines put together to statements; the title is taken off.
std::vector<RawStatement> gather(const ForeignFile& file, std::string& title) {
  std::vector<RawStatement> statements;
  std::string name;
  bool goes_on = false;  // the line before ended with a comma
  int number = 0;
  for (std::size_t begin = 0; begin < file.text.size();) {
    const std::size_t end = std::min(file.text.find('\n', begin), file.text.size());
    std::string_view line = std::string_view(file.text).substr(begin, end - begin);
    begin = end + 1;
    ++number;
    const std::size_t mark = line.find('!');
    const std::string_view comment = mark == std::string_view::npos ? std::string_view() : line.substr(mark);
    line = trimmed(line.substr(0, mark));
    const bool ampersand = !line.empty() && line.back() == '&';  // goes on, like a comma, which it is not
    if (ampersand) line = trimmed(line.substr(0, line.size() - 1));
    if (const std::string given = view_name_in(comment); !given.empty()) name = given;
    // The first line is a title unless it is a statement already.
    if (number == 1 && line.find('/') != std::string_view::npos && !line.empty()) {
      const std::string word = upper_case(trimmed(line.substr(0, line.find('/'))));
      const bool statement = std::find(std::begin(kKeywords), std::end(kKeywords), word) != std::end(kKeywords);
      if (!statement || word == "ADAMS") {
        title = line;
        continue;
      }
    } else if (number == 1 && !line.empty()) {
      title = line;
      continue;
    }
    if (line.empty()) continue;
    for (bool first = true; !line.empty() || first; first = false) {
      const std::size_t stop = std::min(line.find(';'), line.size());
      const std::string_view piece = trimmed(line.substr(0, stop));
      line = stop < line.size() ? line.substr(stop + 1) : std::string_view();
      if (piece.empty()) break;
      if (first && !statements.empty() && (piece.front() == ',' || goes_on)) {
        statements.back().lines.push_back({std::string(piece), number});
      } else {
        statements.push_back({{{std::string(piece), number}}, name});
        name.clear();
      }
      goes_on = piece.back() == ',';
    }
    goes_on = goes_on || ampersand;
  }
  return statements;
}

/// A character of a statement and the line that it is on.
struct Flat {
  std::string text;
  std::vector<int> lines;
  void add(std::string_view piece, int line) {
    text += piece;
    lines.insert(lines.end(), piece.size(), line);
  }
};

/// Whether the comma that a line begins with only says that the line goes on: behind another comma, and within brackets
/// where an expression is broken before or behind an operator.
bool only_goes_on(std::string_view before, int depth, std::string_view line) {
  before = trimmed(before);
  if (before.empty() || before.back() == ',') return true;
  if (depth <= 0) return false;
  const std::string_view rest = trimmed(line.substr(1));
  constexpr std::string_view operators = "+-*/(:";
  return operators.find(before.back()) != std::string_view::npos || rest.empty() ||
         std::string_view("+-*/)").find(rest.front()) != std::string_view::npos;
}

Flat flatten(const RawStatement& raw) {
  Flat flat;
  int depth = 0;  // of brackets
  for (const AdamsLine& line : raw.lines) {
    std::string_view text = line.text;
    if (!flat.text.empty() && text.front() == ',' && only_goes_on(flat.text, depth, text)) text.remove_prefix(1);
    for (const char c : text) depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    flat.add(text, line.number);
    flat.add(" ", line.number);
  }
  return flat;
}

bool is_name(std::string_view text) {
  if (text.empty() || !((text[0] >= 'A' && text[0] <= 'Z') || text[0] == '_')) return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; });
}

class Splitter {
 public:
  Splitter(const ForeignFile& file, Problems& problems) : file_(file), problems_(problems) {}

  std::optional<AdamsStatement> split(const RawStatement& raw) {
    const Flat flat = flatten(raw);
    AdamsStatement statement;
    statement.view_name = raw.view_name;
    statement.where = file_.at(flat.lines[0], 1);
    std::size_t at = std::min(flat.text.find_first_of("/,"), flat.text.size());
    const std::string word = upper_case(trimmed(std::string_view(flat.text).substr(0, at)));
    statement.keyword = whole_keyword(word);
    if (!is_name(word)) {
      problems_.error(statement.where, "", fmt::format("'{}' is no statement", trimmed(flat.text)),
                      "statements are KEYWORD/ID, ARGUMENT=VALUE, ...; lines that go on with one begin with a comma");
      return std::nullopt;
    }
    if (at < flat.text.size() && flat.text[at] == '/') {
      const std::size_t from = at + 1;
      at = std::min(flat.text.find(',', from), flat.text.size());
      const std::string_view id = trimmed(std::string_view(flat.text).substr(from, at - from));
      double value = 0;
      if (parse_number(id, value) && value == std::floor(value) && std::abs(value) < 2e9) {
        statement.id = static_cast<int>(value);
      } else if (!id.empty()) {
        at = from - 1;  // UNITS/FORCE = NEWTON: what stands there is an argument
      }
    }
    if (at < flat.text.size()) split_arguments(flat, at + 1, statement);
    return statement;
  }

 private:
  // Arguments are separated by commas outside of brackets, and by backslashes. A piece without '=' is a word alone or,
  // behind an argument with a value, one more of its values.
  void split_arguments(const Flat& flat, std::size_t at, AdamsStatement& statement) {
    int depth = 0;
    std::size_t from = at;
    bool after_backslash = false;
    for (std::size_t i = at; i <= flat.text.size(); ++i) {
      const char c = i < flat.text.size() ? flat.text[i] : ',';
      if (c == '(') ++depth;
      if (c == ')') --depth;
      const bool ends = i == flat.text.size() || (depth <= 0 && (c == ',' || c == '\\')) || c == '\\';
      if (!ends) continue;
      take(flat, from, i, after_backslash, statement);
      after_backslash = c == '\\';
      if (after_backslash) depth = 0;
      from = i + 1;
    }
  }

  void take(const Flat& flat, std::size_t from, std::size_t to, bool after_backslash, AdamsStatement& statement) {
    const std::string_view piece = trimmed(std::string_view(flat.text).substr(from, to - from));
    if (piece.empty()) return;
    const std::size_t first = std::min(flat.text.find_first_not_of(' ', from), flat.text.size() - 1);
    const SourceLocation where = file_.at(flat.lines[first], 1);
    const std::size_t equals = piece.find('=');
    const std::string name = upper_case(trimmed(piece.substr(0, equals)));
    if (equals != std::string_view::npos && is_name(name)) {
      statement.arguments.push_back({name, std::string(trimmed(piece.substr(equals + 1))), where});
      return;
    }
    AdamsArgument* last = statement.arguments.empty() ? nullptr : &statement.arguments.back();
    const bool expression =
        last != nullptr && !last->value.empty() && (last->name.starts_with("FU") || is_component(last->name));
    if (expression && !(after_backslash && is_name(name))) {
      last->value += " " + std::string(piece);  // a line of an expression that begins with a comma
    } else if (equals == std::string_view::npos && is_name(name)) {
      statement.arguments.push_back({name, "", where});
    } else if (last != nullptr && !last->value.empty()) {
      last->value += ", " + std::string(piece);
    } else {
      problems_.error(where, statement.label(), fmt::format("'{}' is no argument", piece));
    }
  }

  static bool is_component(std::string_view name) {
    return name.size() == 2 && (name[0] == 'F' || name[0] == 'T') && name[1] >= 'X' && name[1] <= 'Z';
  }

  const ForeignFile& file_;
  Problems& problems_;
};

}  // namespace

std::string AdamsStatement::label() const {
  const std::string text = id == 0 ? keyword : fmt::format("{}/{}", keyword, id);
  return view_name.empty() ? text : fmt::format("{} '{}'", text, view_name);
}

const AdamsArgument* AdamsStatement::find(std::string_view name) const {
  const AdamsArgument* found = nullptr;
  for (const AdamsArgument& argument : arguments) {
    const bool exact = argument.name == name;
    if (exact || (found == nullptr && argument.name.size() >= 3 && name.starts_with(argument.name))) found = &argument;
    if (exact) break;
  }
  if (found != nullptr) found->used = true;
  return found;
}

std::string upper_case(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return result;
}

std::string_view trimmed(std::string_view text) {
  constexpr const char* blank = " \t\r\f";
  const std::size_t begin = text.find_first_not_of(blank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blank) - begin + 1);
}

bool parse_adams_number(std::string_view text, double& value) {
  std::string word = upper_case(trimmed(text));
  double unit = 1;
  if (!word.empty() && word.back() == 'D') {
    word.pop_back();
    unit = M_PI / 180;
  }
  // What is left of a D is the exponent of Fortran.
  if (const std::size_t d = word.find('D'); d != std::string::npos) word[d] = 'E';
  if (word.find_first_of("NI") != std::string::npos) return false;  // nan, inf
  if (!parse_number(word, value)) return false;
  value *= unit;
  return true;
}

AdamsDataset read_adams_statements(const ForeignFile& file, Problems& problems) {
  AdamsDataset dataset;
  Splitter splitter(file, problems);
  for (const RawStatement& raw : gather(file, dataset.title)) {
    auto statement = splitter.split(raw);
    if (!statement) continue;
    if (statement->keyword == "END") return dataset;
    dataset.statements.push_back(std::move(*statement));
  }
  if (dataset.statements.empty()) return dataset;
  // A dataset written by hand may do without END; one that breaks off within a line is not whole.
  const SourceLocation& last = dataset.statements.back().where;
  if (file.text.ends_with('\n')) {
    problems.warning(last, "", "no END follows: more may have been behind this");
  } else {
    problems.error(last, "", "no END follows: the file seems to be cut short",
                   "a dataset that is whole has END on a line of its own behind this");
  }
  return dataset;
}

}  // namespace cardan
