// Collects what is wrong with a model, so that one reading reports everything and not only the first mistake.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cardan/diagnostic.hpp"

namespace cardan {

class Problems {
 public:
  void error(const SourceLocation& where, std::string element, std::string message, std::string remedy = "");
  void warning(const SourceLocation& where, std::string element, std::string message, std::string remedy = "");

  /// Grows with every error, those said before included.
  std::size_t error_count() const { return error_count_; }
  const std::vector<Diagnostic>& warnings() const { return warnings_; }
  /// Throws ModelError with all errors, file by file and each in the order of its lines, if there are any. What a file
  /// that is included several times gets wrong in the same way is said once.
  void throw_errors();

 private:
  std::vector<Diagnostic> errors_;
  std::size_t error_count_ = 0;
  std::vector<Diagnostic> warnings_;
};

/// "did you mean 'crank'?", or the whole choice when nothing is near and it is short, or nothing.
std::string suggestion(std::string_view word, const std::vector<std::string>& known, std::string_view all_are);

/// "joint 'pinA0'"
std::string element_label(std::string_view kind, std::string_view name);

/// "a, b or c"
std::string one_of(const std::vector<std::string>& names);

}  // namespace cardan
