// Files of other programs that are read like models, told by the end of their names: URDF (.urdf) and datasets of ADAMS
// (.adm). docs/formats.md says what is read of them.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cardan/formats.hpp"
#include "io/formats/model_tree.hpp"
#include "mechanism/problems.hpp"

namespace cardan {

/// A file as it was read.
struct ForeignFile {
  const std::string& text;
  std::string path;  // as messages call it
  std::shared_ptr<const SourceLocation> included_from = nullptr;

  SourceLocation at(int line, int column = 0) const { return {path, line, column, included_from}; }
};

bool is_foreign(const std::string& path);

/// Its model, or nothing after a report. What is not understood is an error, or with ImportOptions::leave_out a line of
/// the preface.
std::optional<ModelTree> read_foreign(const ForeignFile& file, const ImportOptions& options, Problems& problems);

/// True after a report when the text is no UTF-8 or holds bytes that no text has.
bool refuse_binary(const ForeignFile& file, const char* remedy, Problems& problems);

}  // namespace cardan
