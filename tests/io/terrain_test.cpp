// Roads that are planes or heights on a grid, from CSV files and pictures.
#include <gtest/gtest.h>
#include <png.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "cardan/io.hpp"

namespace cardan {
namespace {

class Terrain : public testing::Test {
 protected:
  Terrain() : folder_(std::filesystem::temp_directory_path() / ("cardan_terrain_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~Terrain() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }
  Mechanism model(const std::string& road) const { return read_mechanism(write("model.yaml", model_text(road))); }
  std::string refusal(const std::string& road) const {
    try {
      model(road);
      return "";
    } catch (const ModelError& error) {
      std::string text = error.what();
      for (std::size_t at; (at = text.find(folder_.string() + "/")) != std::string::npos;)
        text.erase(at, folder_.string().size() + 1);
      return text;
    }
  }
  static std::string model_text(const std::string& road) {
    return "cardan: 1\nroads: {hills: " + road +
           "}\nbodies: {ball: {sphere: 0.1, at: [0, 0, 1], mass: 1}}\njoints: {a: {free: [ground, ball]}}\n"
           "loads: {hit: {contact: [ball, hills], stiffness: 1e5}}\n";
  }
  const std::filesystem::path folder_;
};

TEST_F(Terrain, IsReadFromACsvFileAsSeenFromAbove) {
  write("hills.csv", "# two rows\n1, 2, 3\n4, 5, 6\n");
  const Mechanism m = model("{grid: hills.csv, at: [-1, 2], spacing: [0.5, 0.25]}");
  ASSERT_TRUE(m.roads[0].sort == Road::Sort::grid);
  const HeightMap& map = *m.roads[0].grid;
  EXPECT_EQ(map.columns, 3);
  EXPECT_EQ(map.rows, 2);
  EXPECT_EQ(map.point(0, 0), Vec3(-1, 2, 4));
  EXPECT_EQ(map.point(2, 1), Vec3(0, 2.25, 3));
  EXPECT_EQ(m.contacts[0].roads, std::vector<int>{0});
}

/// A grey picture of 5 x 4 pixels.
std::string picture(const std::filesystem::path& file, bool wide) {
  std::vector<std::uint16_t> words;
  std::vector<std::uint8_t> bytes;
  for (int i = 0; i < 20; ++i)
    words.push_back(static_cast<std::uint16_t>(3000 * i)), bytes.push_back(static_cast<std::uint8_t>(12 * i));
  FILE* out = std::fopen(file.c_str(), "wb");
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_init_io(png, out);
  png_set_IHDR(png, info, 5, 4, wide ? 16 : 8, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, info);
  if (wide) png_set_swap(png);
  for (int row = 0; row < 4; ++row)
    png_write_row(png, wide ? reinterpret_cast<png_bytep>(words.data() + 5 * row) : bytes.data() + 5 * row);
  png_write_end(png, nullptr);
  png_destroy_write_struct(&png, &info);
  std::fclose(out);
  return file.filename().string();
}

TEST_F(Terrain, IsReadFromAPicture) {
  for (const bool wide : {false, true}) {
    picture(folder_ / "hills.png", wide);
    const Mechanism m = model("{grid: hills.png, spacing: 2, range: [-1, 4]}");
    const HeightMap& map = *m.roads[0].grid;
    ASSERT_EQ(map.columns, 5);
    ASSERT_EQ(map.rows, 4);
    for (int j = 0; j < 4; ++j) {
      for (int i = 0; i < 5; ++i) {
        const int pixel = 5 * (3 - j) + i;
        EXPECT_NEAR(map.at(i, j), -1 + 5 * (wide ? 3000 * pixel / 65535.0 : 12 * pixel / 255.0), 1e-12);
      }
    }
  }
}

TEST_F(Terrain, IsRefusedWithItsNameWhenItIsBad) {
  write("row.csv", "0, 0.1, 0.2\n");
  write("ragged.csv", "0, 0.1, 0.2\n0, 0.1\n");
  write("words.csv", "0, 0.1\n0, high\n");
  write("noise.png", "\x89PNG\r\n\x1a\nnothing");
  picture(folder_ / "grey.png", false);
  EXPECT_EQ(
      refusal("{grid: row.csv, spacing: 1}"),
      "model.yaml:2:23: error: road 'hills': the grid has 1 row of 3 heights; give two rows and two columns at least");
  EXPECT_EQ(
      refusal("{grid: ragged.csv, spacing: 1}"),
      "ragged.csv:2:1: error: road 'hills': this line has 2 heights, but the first one 3; give as many in every line");
  EXPECT_EQ(refusal("{grid: words.csv, spacing: 1}"),
            "words.csv:2:4: error: road 'hills': 'high' is not a finite number; give the height in m");
  EXPECT_EQ(refusal("{grid: grey.png, spacing: 1}"),
            "model.yaml:2:17: error: road 'hills': it is not said how high black and white are; add 'range: [LOW, "
            "HIGH]', in m");
  EXPECT_NE(refusal("{grid: noise.png, spacing: 1, range: [0, 1]}").find("give a grey PNG picture of 8 or 16 bits"),
            std::string::npos);
  EXPECT_EQ(refusal("{grid: row.csv, spacing: 0}").substr(0, 44), "model.yaml:2:23: error: road 'hills': the gr");
  EXPECT_EQ(
      refusal("{grid: row.csv}"),
      "model.yaml:2:9: error: road 'hills': 'spacing' is missing; add 'spacing', in m from one height to the next");
  EXPECT_NE(refusal("{grid: none.csv, spacing: 1}").find("cannot be opened"), std::string::npos);
  EXPECT_EQ(refusal("{plane: [0, 0, 0], spacing: 1}"),
            "model.yaml:2:35: error: road 'hills': 'spacing' belongs to 'grid'; leave it out");
  EXPECT_EQ(refusal("{plane: [0, 0, 0], profile: [[0, 0], [1, 0]]}"),
            "model.yaml:2:9: error: road 'hills': it has more than one shape; give one of them");
}

TEST_F(Terrain, OfAPartIsWhatItIsConnectedTo) {
  write("part.yaml",
        "cardan: 1\nconnections: {under: road}\npoints: {P: [0, 0, 0.9]}\n"
        "bodies: {ball1: {sphere: 0.1, at: [0, 0, 1], mass: 1}, ball2: {sphere: 0.1, at: [0, 1, 1], mass: 1}}\n"
        "joints: {a: {free: [ground, ball1]}, b: {free: [ground, ball2]}}\n"
        "loads: {hit: {contact: ['ball*', under], stiffness: 1e5},\n"
        "        tip: {contact: [ball1, under], points: [P], stiffness: 1e5}}\n");
  const Mechanism m =
      read_mechanism(write("whole.yaml",
                           "cardan: 1\nroads: {floor: {plane: [0, 0, 0]}}\n"
                           "subsystems:\n  one: {file: part.yaml, connect: {under: floor}}\n"
                           "  two: {file: part.yaml, connect: {under: floor}, mirror: y, place: {at: [3, 0, 0]}}\n"));
  ASSERT_EQ(m.contacts.size(), 4u);
  EXPECT_EQ(m.contacts[2].name, "two/hit");
  ASSERT_EQ(m.contacts[2].shapes.size(), 2u);
  EXPECT_EQ(m.body_name(m.contacts[2].shapes[1].body), "two/ball2");
  EXPECT_EQ(m.contacts[2].shapes[1].origin, Vec3(3, -1, 1));
  EXPECT_EQ(m.contacts[2].roads, std::vector<int>{0});
  EXPECT_EQ(m.contacts[3].shapes[0].origin, Vec3(3, 0, 0.9));
}

TEST(TerrainOfBodies, IsNamedByStars) {
  const Mechanism m = read_mechanism_text(
      "cardan: 1\nroads: {floor: {plane: [0, 0, 0]}, wall: {plane: [5, 0, 0], normal: [-1, 0, 0]}}\n"
      "bodies: {ball1: {sphere: 0.1, at: [0, 0, 1], mass: 1}, ball2: {sphere: 0.1, at: [0, 1, 1], mass: 1},\n"
      "         cube: {box: [1, 1, 1], at: [3, 0, 1], mass: 1}}\n"
      "joints: {a: {free: [ground, ball1]}, b: {free: [ground, ball2]}, c: {free: [ground, cube]}}\n"
      "loads: {hit: {contact: ['ball*', floor, 'w*'], stiffness: 1e5}, all: {contact: ['*'], stiffness: 1e5}}\n",
      "");
  ASSERT_EQ(m.contacts.size(), 2u);
  EXPECT_EQ(m.contacts[0].shapes.size(), 2u);
  EXPECT_EQ(m.contacts[0].roads, (std::vector<int>{0, 1}));
  EXPECT_EQ(m.contacts[1].shapes.size(), 3u);
  EXPECT_EQ(m.contacts[1].memory_at, m.contacts[0].memory);
  EXPECT_EQ(m.load_memory, m.contacts[0].memory + m.contacts[1].memory);
}

}  // namespace
}  // namespace cardan
