#include "mechanism/problems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "text/nearest_name.hpp"

namespace cardan {

void Problems::error(const SourceLocation& where, std::string element, std::string message, std::string remedy) {
  ++error_count_;
  const bool said =
      where.included_from && std::any_of(errors_.begin(), errors_.end(), [&](const Diagnostic& other) {
        return std::tie(other.where.file, other.where.line, other.where.column, other.element, other.message) ==
               std::tie(where.file, where.line, where.column, element, message);
      });
  if (said) return;
  errors_.push_back({Diagnostic::Severity::error, where, std::move(element), std::move(message), std::move(remedy)});
}

void Problems::warning(const SourceLocation& where, std::string element, std::string message, std::string remedy) {
  warnings_.push_back(
      {Diagnostic::Severity::warning, where, std::move(element), std::move(message), std::move(remedy)});
}

void Problems::throw_errors() {
  if (errors_.empty()) return;
  std::map<std::string, std::size_t> order;  // of the files, as they first appear
  for (const Diagnostic& error : errors_) order.emplace(error.where.file, order.size());
  std::stable_sort(errors_.begin(), errors_.end(), [&order](const Diagnostic& a, const Diagnostic& b) {
    return std::tuple(order.at(a.where.file), a.where.line, a.where.column) <
           std::tuple(order.at(b.where.file), b.where.line, b.where.column);
  });
  throw ModelError(errors_);
}

std::string suggestion(std::string_view word, const std::vector<std::string>& known, std::string_view all_are) {
  const std::string nearest = nearest_name(word, known);
  if (!nearest.empty()) return fmt::format("did you mean '{}'?", nearest);
  constexpr std::size_t kReadable = 25;  // the sections of a model; a longer list helps nobody
  if (known.empty() || known.size() > kReadable) return "";
  if (known.size() == 1) return fmt::format("there is only '{}'", known.front());
  return fmt::format("{} {}", all_are, fmt::join(known, ", "));
}

std::string element_label(std::string_view kind, std::string_view name) {
  std::string label;  // put together by hand: every element has one, whether or not something is wrong with it
  label.reserve(kind.size() + name.size() + 3);
  return label.append(kind).append(" '").append(name).append("'");
}

std::string one_of(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    text += names[i];
  }
  return text;
}

}  // namespace cardan
