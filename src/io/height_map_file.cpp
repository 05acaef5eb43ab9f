#include "io/height_map_file.hpp"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <csetjmp>
#include <filesystem>

#include "io/csv_cells.hpp"
#include "io/yaml_sections.hpp"

namespace cardan {
namespace {

constexpr std::size_t kMostHeights = 1 << 24;

/// What a picture is read from, and where its reading ended.
struct PictureBytes {
  const std::string& bytes;
  std::size_t at = 0;
};

void give_bytes(png_structp png, png_bytep out, std::size_t count) {
  auto& from = *static_cast<PictureBytes*>(png_get_io_ptr(png));
  if (from.bytes.size() - from.at < count) png_error(png, "the file ends early");
  std::copy_n(from.bytes.data() + from.at, count, out);
  from.at += count;
}

[[noreturn]] void keep_message(png_structp png, png_const_charp message) {
  static_cast<std::string*>(png_get_error_ptr(png))->assign(message);
  std::longjmp(png_jmpbuf(png), 1);
}

struct Picture {
  int columns = 0, rows = 0, depth = 0;
  bool grey = true;
  std::vector<unsigned char> samples;
  std::vector<unsigned char*> row_starts;
};

/// False with what is wrong. No object is made between setjmp and longjmp.
bool read_png(PictureBytes& from, Picture& picture, std::string& message) {
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &message, keep_message, nullptr);
  png_infop info = png_create_info_struct(png);
  if (setjmp(png_jmpbuf(png)) != 0) {
    png_destroy_read_struct(&png, &info, nullptr);
    return false;
  }
  png_set_read_fn(png, &from, give_bytes);
  png_read_info(png, info);
  picture.columns = static_cast<int>(png_get_image_width(png, info));
  picture.rows = static_cast<int>(png_get_image_height(png, info));
  picture.depth = png_get_bit_depth(png, info);
  picture.grey = png_get_color_type(png, info) == PNG_COLOR_TYPE_GRAY;
  const std::size_t count = static_cast<std::size_t>(picture.columns) * static_cast<std::size_t>(picture.rows);
  if (!picture.grey || count > kMostHeights) png_error(png, picture.grey ? "it has too many pixels" : "it is not grey");
  if (picture.depth < 8) png_set_expand_gray_1_2_4_to_8(png);
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
  const std::size_t width = png_get_rowbytes(png, info);
  picture.samples.resize(width * static_cast<std::size_t>(picture.rows));
  for (int i = 0; i < picture.rows; ++i)
    picture.row_starts.push_back(picture.samples.data() + width * static_cast<std::size_t>(i));
  png_read_image(png, picture.row_starts.data());
  png_destroy_read_struct(&png, &info, nullptr);
  return true;
}

bool take_picture(Fields& fields, const std::string& path, const std::string& bytes, HeightMap& map) {
  PictureBytes from{bytes};
  Picture picture;
  std::string message;
  const SourceLocation where = fields.where_of("grid");
  if (!read_png(from, picture, message)) {
    fields.error(where, fmt::format("'{}': {}", path, message), "give a grey PNG picture of 8 or 16 bits");
    return false;
  }
  const YamlNode* node = fields.node("range");
  std::vector<double> range{0, 1};
  if (node == nullptr) {
    fields.error(where, "it is not said how high black and white are", "add 'range: [LOW, HIGH]', in m");
    return false;
  }
  const auto given = read_numbers(fields.reading(), *node, fields.element(), "'range'");
  if (!given) return false;
  if (given->size() != 2) {
    fields.error(node->where, fmt::format("'range' has {} numbers", given->size()), "give [LOW, HIGH], in m");
    return false;
  }
  range = *given;
  map.columns = picture.columns, map.rows = picture.rows;
  const bool wide = picture.depth == 16;
  for (int j = map.rows - 1; j >= 0; --j) {
    const unsigned char* row = picture.row_starts[static_cast<std::size_t>(j)];
    for (int i = 0; i < map.columns; ++i) {
      const double shade = wide ? (256 * row[2 * i] + row[2 * i + 1]) / 65535.0 : row[i] / 255.0;
      map.height.push_back(range[0] + shade * (range[1] - range[0]));
    }
  }
  return true;
}

bool take_numbers(Fields& fields, const std::string& path, const std::string& text, HeightMap& map) {
  const std::vector<CsvLine> lines = csv_lines(text);
  if (fields.has("range")) {
    fields.error(fields.where_of("range"), "'range' belongs to pictures: a CSV file has the heights themselves",
                 "leave it out");
    return false;
  }
  map.rows = static_cast<int>(lines.size());
  map.columns = lines.empty() ? 0 : static_cast<int>(lines[0].cells.size());
  if (lines.size() * static_cast<std::size_t>(map.columns) > kMostHeights) {
    fields.error(fields.where_of("grid"), fmt::format("'{}' has more than {} heights", path, kMostHeights));
    return false;
  }
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    const auto in_file = [&](int column) {
      return SourceLocation{path, line->number, column, fields.reading().included_from};
    };
    if (static_cast<int>(line->cells.size()) != map.columns) {
      fields.error(in_file(1),
                   fmt::format("this line has {} heights, but the first one {}", line->cells.size(), map.columns),
                   "give as many in every line");
      return false;
    }
    for (const CsvCell& cell : line->cells) {
      const auto number = csv_number(cell.text);
      if (!number) {
        fields.error(in_file(cell.column), fmt::format("'{}' is not a finite number", cell.text),
                     "give the height in m");
        return false;
      }
      map.height.push_back(*number);
    }
  }
  return true;
}

/// One number for both, or two.
bool two_numbers(Fields& fields, const char* key, double& x, double& y) {
  const YamlNode* node = fields.node(key);
  if (node == nullptr) return true;
  const std::string what = fmt::format("'{}'", key);
  if (node->kind != YamlNode::Kind::sequence) {
    const auto one = read_number(fields.reading(), *node, fields.element(), what);
    if (one) x = y = *one;
    return one.has_value();
  }
  const auto both = read_numbers(fields.reading(), *node, fields.element(), what);
  if (!both) return false;
  if (both->size() != 2) {
    fields.error(node->where, fmt::format("{} has {} numbers", what, both->size()), "give [x, y]");
    return false;
  }
  x = (*both)[0], y = (*both)[1];
  return true;
}

}  // namespace

std::optional<Located<HeightMap>> read_height_map(Fields& fields) {
  const auto file = fields.word("grid");
  if (!file) return std::nullopt;
  fields.require("spacing", "add 'spacing', in m from one height to the next");
  HeightMap map;
  if (!fields.has("spacing") || !two_numbers(fields, "at", map.x0, map.y0) ||
      !two_numbers(fields, "spacing", map.dx, map.dy))
    return std::nullopt;
  Reading& reading = fields.reading();
  const std::string path =
      (std::filesystem::path(reading.file).parent_path() / file->value).lexically_normal().string();
  std::string why_not;
  const auto bytes = read_text(path, why_not);
  if (!bytes) {
    fields.error(file->where, fmt::format("'{}': {}", path, why_not), "paths are relative to the model file");
    return std::nullopt;
  }
  reading.note(path);
  const bool is_picture = bytes->compare(0, 4, "\x89PNG") == 0;
  if (!(is_picture ? take_picture(fields, path, *bytes, map) : take_numbers(fields, path, *bytes, map)))
    return std::nullopt;
  return Located<HeightMap>(std::move(map), file->where);
}

}  // namespace cardan
