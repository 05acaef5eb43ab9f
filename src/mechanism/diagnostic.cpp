#include "cardan/diagnostic.hpp"

#include <fmt/format.h>

namespace cardan {

namespace {

std::string all_texts(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (!text.empty()) text += '\n';
    text += diagnostic.text();
  }
  return text;
}

}  // namespace

std::string Diagnostic::text() const {
  std::string text;
  if (!where.file.empty()) text += where.file + ":";
  if (where.line > 0) text += fmt::format("{}:{}:", where.line, where.column);
  if (!text.empty()) text += ' ';
  text += severity == Severity::error ? "error: " : "warning: ";
  if (!element.empty()) text += element + ": ";
  text += message;
  if (!remedy.empty()) text += "; " + remedy;
  return text;
}

Diagnostic error_at(const SourceLocation& where, const std::string& element, const std::string& message,
                    const std::string& remedy) {
  return {Diagnostic::Severity::error, where, element, message, remedy};
}

ModelError::ModelError(const Diagnostic& diagnostic) : ModelError(std::vector<Diagnostic>(1, diagnostic)) {}

ModelError::ModelError(std::vector<Diagnostic> diagnostics)
    : std::runtime_error(all_texts(diagnostics)), diagnostics_(std::move(diagnostics)) {}

}  // namespace cardan
