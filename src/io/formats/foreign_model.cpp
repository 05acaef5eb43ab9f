#include "io/formats/foreign_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "io/adams/adams.hpp"
#include "io/formats/yaml_writer.hpp"
#include "io/urdf/urdf.hpp"
#include "io/yaml_sections.hpp"

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

/// The length of the character that begins here, or 0 where there is none of UTF-8.
std::size_t utf8_length(const std::string& text, std::size_t i) {
  const auto byte = [&](std::size_t j) { return j < text.size() ? static_cast<unsigned char>(text[j]) : 0u; };
  const unsigned char first = static_cast<unsigned char>(text[i]);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 && first < 0xF5 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
  if (first >= 0xF5) return 0;
  for (std::size_t j = 1; j < length; ++j)
    if ((byte(i + j) & 0xC0) != 0x80) return 0;
  return length;
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
  int line = 1, column = 1;
  const std::string& text = file.text;
  for (std::size_t i = 0; i < text.size();) {
    const unsigned char c = static_cast<unsigned char>(text[i]);
    const std::size_t length = utf8_length(text, i);
    if (length == 0 || (c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\f') || c == 127) {
      problems.error(file.at(line, column), "", fmt::format("this is no text in UTF-8 (byte 0x{:02x})", c), remedy);
      return true;
    }
    column = c == '\n' ? 1 : column + 1;
    line += c == '\n';
    i += length;
  }
  return false;
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
