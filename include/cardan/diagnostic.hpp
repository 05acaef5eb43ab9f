// What is wrong with a model, where, and what would be right. Every check reports through these.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace cardan {

/// Where an element was written; an empty file means that it was built in C++.
struct SourceLocation {
  std::string file;
  int line = 0;
  int column = 0;
  std::shared_ptr<const SourceLocation> included_from = nullptr;  // where the file was included, if it was
};

struct Diagnostic {
  enum class Severity { warning, error };
  Severity severity = Severity::error;
  SourceLocation where;
  std::string element;  // "joint 'pinA0'", or empty when it concerns the whole model
  std::string message;  // what is wrong
  std::string remedy;   // what would be right; may be empty

  /// All of it in one line: "file:line:column: error: joint 'pinA0': no body is called 'crnk'; did you mean 'crank'?".
  /// Of a file that another one includes, "(included from OTHER line N)" stands at the end.
  /// For people, not to be parsed: the members above hold the parts.
  std::string text() const;
  /// The same without "error:" or "warning:", for lists that say so of all they hold.
  std::string unmarked_text() const;

 private:
  std::string text(const char* mark) const;
};

Diagnostic error_at(const SourceLocation& where, const std::string& element, const std::string& message,
                    const std::string& remedy);

/// Thrown by the reader and the builder with everything that was found, not only the first; what() shows the first
/// twenty.
class ModelError : public std::runtime_error {
 public:
  explicit ModelError(std::vector<Diagnostic> diagnostics);
  explicit ModelError(const Diagnostic& diagnostic);
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

}  // namespace cardan
