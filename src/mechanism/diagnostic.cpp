#include "cardan/diagnostic.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cardan {

namespace {

constexpr std::size_t kShown = 20;  // more would push the first ones, which explain the rest, off the screen

std::string all_texts(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (std::size_t i = 0; i < std::min(diagnostics.size(), kShown); ++i) {
    if (!text.empty()) text += '\n';
    text += diagnostics[i].text();
  }
  if (diagnostics.size() > kShown) text += fmt::format("\nand {} more", diagnostics.size() - kShown);
  return text;
}

// " (included from car.yaml line 12, from fleet.yaml line 3)", empty for a file that was not included.
std::string inclusion_text(const SourceLocation& where) {
  std::string text;
  for (auto from = where.included_from; from; from = from->included_from) {
    text += text.empty() ? " (included from " : ", from ";
    if (!from->file.empty()) text += from->file + " ";
    text += fmt::format("line {}", from->line);
  }
  return text.empty() ? text : text + ")";
}

}  // namespace

std::string Diagnostic::text() const { return text(severity == Severity::error ? "error: " : "warning: "); }

std::string Diagnostic::unmarked_text() const { return text(""); }

std::string Diagnostic::text(const char* mark) const {
  std::string text;
  if (!where.file.empty()) text += where.file + ":";
  if (where.line > 0) text += fmt::format("{}:{}:", where.line, where.column);
  if (!text.empty()) text += ' ';
  text += mark;
  if (!element.empty()) text += element + ": ";
  text += message;
  if (!remedy.empty()) text += "; " + remedy;
  return text + inclusion_text(where);
}

Diagnostic error_at(const SourceLocation& where, const std::string& element, const std::string& message,
                    const std::string& remedy) {
  return {Diagnostic::Severity::error, where, element, message, remedy};
}

ModelError::ModelError(const Diagnostic& diagnostic) : ModelError(std::vector<Diagnostic>(1, diagnostic)) {}

ModelError::ModelError(std::vector<Diagnostic> diagnostics)
    : std::runtime_error(all_texts(diagnostics)), diagnostics_(std::move(diagnostics)) {}

}  // namespace cardan
