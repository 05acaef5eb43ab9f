#include "io/formats/foreign_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "io/adams/adams.hpp"
#include "io/formats/yaml_writer.hpp"
#include "io/urdf/urdf.hpp"
#include "io/yaml_sections.hpp"
#include "text/utf8.hpp"

namespace cardan {

namespace {

using ForeignReader = std::optional<ModelTree> (*)(const ForeignFile&, const ImportOptions&, Problems&);
constexpr std::pair<const char*, ForeignReader> kForeign[] = {{".urdf", read_urdf}, {".adm", read_adams}};

ForeignReader reader_of(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  for (const auto& [known, reader] : kForeign)
    if (ending == known) return reader;
  return nullptr;
}

}  // namespace

bool is_foreign(const std::string& path) { return reader_of(path) != nullptr; }

std::optional<ModelTree> read_foreign(const ForeignFile& file, const ImportOptions& options, Problems& problems) {
  const std::size_t before = problems.error_count();
  auto model = reader_of(file.path)(file, options, problems);
  if (problems.error_count() > before) return std::nullopt;  // what follows from half of a file misleads
  return model;
}

bool refuse_binary(const ForeignFile& file, const char* remedy, Problems& problems) {
  const auto found = first_not_text(file.text);
  if (!found) return false;
  const std::string_view before = std::string_view(file.text).substr(0, *found);
  const std::size_t line_begin = before.rfind('\n') + 1;  // 0 on the first line
  const auto line = 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
  int column = 1;
  for (std::size_t i = line_begin; i < *found; i += utf8_length(file.text, i)) ++column;
  problems.error(file.at(line, column), "",
                 fmt::format("this is no text in UTF-8 (byte 0x{:02x})", static_cast<unsigned char>(file.text[*found])),
                 remedy);
  return true;
}

std::string import_model(const std::string& path, const ImportOptions& options, std::vector<Diagnostic>* warnings) {
  if (!is_foreign(path)) throw std::invalid_argument(fmt::format("'{}' is neither a .urdf nor an .adm file", path));
  Problems problems;
  std::string why_not;
  const auto text = read_text(path, why_not);
  if (!text) problems.error({path, 0, 0}, "", why_not);
  problems.throw_errors();
  const auto model = read_foreign({*text, path}, options, problems);
  problems.throw_errors();
  if (warnings != nullptr) *warnings = problems.warnings();
  return write_yaml(*model);
}

}  // namespace cardan
