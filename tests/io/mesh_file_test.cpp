// STL, OBJ and COLLADA: the same solid from each, and errors for what is damaged.
#include "io/mesh_file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

namespace cardan {
namespace {

struct Solid {
  std::vector<Eigen::Vector3f> corners;
  std::vector<std::array<int, 3>> faces;
};

/// A tetrahedron somewhere, of any size.
Solid tetrahedron(unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> at(-1, 1);
  Solid solid;
  const float size = std::pow(10.0F, 3 * at(random));
  for (int i = 0; i < 4; ++i) solid.corners.emplace_back(size * at(random), size * at(random), size * at(random));
  solid.faces = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
  return solid;
}

std::string number(float value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", static_cast<double>(value));
  return text;
}
std::string numbers(const Eigen::Vector3f& v) { return number(v.x()) + " " + number(v.y()) + " " + number(v.z()); }

std::string stl_bytes(const Solid& solid, const std::string& head = "made by hand") {
  std::string bytes = head + std::string(80 - head.size(), ' ');
  const auto put = [&bytes](const auto& value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); };
  put(static_cast<std::uint32_t>(solid.faces.size()));
  for (const auto& face : solid.faces) {
    for (int i = 0; i < 3; ++i) put(0.0F);
    for (const int corner : face)
      for (int i = 0; i < 3; ++i) put(solid.corners[static_cast<std::size_t>(corner)][i]);
    put(std::uint16_t{0});
  }
  return bytes;
}

std::string stl_text(const Solid& solid) {
  std::string text = "solid made by hand\n";
  for (const auto& face : solid.faces) {
    text += " facet normal 0 0 1\r\n  outer loop\n";
    for (const int corner : face)
      text += "   vertex " + numbers(solid.corners[static_cast<std::size_t>(corner)]) + "\n";
    text += "  endloop\n endfacet\n";
  }
  return text + "endsolid\n";
}

std::string obj_text(const Solid& solid) {
  std::string text = "# a comment\no solid\nvn 0 0 1\nvt 0 0\n";
  for (const auto& corner : solid.corners) text += "v " + numbers(corner) + " 1.0  # with a weight\n";
  for (const auto& [a, b, c] : solid.faces)
    text += "f " + std::to_string(a + 1) + "/1/1 " + std::to_string(b + 1) + "//1 " + std::to_string(c - 4) + "\n";
  return text;
}

/// In millimetres, moved and turned by two nodes, with normals between the indices.
std::string dae_text(const Solid& solid, const std::string& faces) {
  const Eigen::AngleAxisf turn(0.5F, Eigen::Vector3f(1, 2, 3).normalized());
  const Eigen::Vector3f away(0.3F, -0.2F, 0.1F);
  std::string points;
  for (const auto& corner : solid.corners)
    points += numbers((1000 * (turn.inverse() * Eigen::Vector3f(corner - away))).eval()) + "\n";
  std::string text =
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "
      "version=\"1.4.1\">\n<asset><unit name=\"mm\" meter=\"0.001\"/><up_axis>Y_UP</up_axis></asset>\n"
      "<library_geometries><geometry id=\"g\"><mesh><source id=\"p\"><float_array id=\"a\" count=\"12\">\n";
  text += points +
          "</float_array><technique_common><accessor source=\"#a\" count=\"4\" stride=\"3\"/></technique_common>"
          "</source><vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>" +
          faces + "</mesh></geometry></library_geometries>\n";
  return text +
         "<library_visual_scenes><visual_scene id=\"s\"><node><translate>300 -200 100</translate>"
         "<node><rotate>1 2 3 28.6478897565412</rotate><instance_geometry url=\"#g\"/></node></node></visual_scene>"
         "</library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>\n";
}

const char* const kDaeInputs =
    "<input semantic=\"NORMAL\" source=\"#p\" offset=\"0\"/><input semantic=\"VERTEX\" source=\"#v\" "
    "offset=\"1\"/>";
const std::string kDaeTriangles = std::string("<triangles count=\"4\">") + kDaeInputs +
                                  "<p>0 0 0 1 0 2  0 0 0 3 0 1  0 0 0 2 0 3  0 1 0 3 0 2</p></triangles>";
const std::string kDaeList =
    std::string("<polylist count=\"4\">") + kDaeInputs +
    "<vcount>3 3 3 3</vcount><p>0 0 0 1 0 2 0 0 0 3 0 1 0 0 0 2 0 3 0 1 0 3 0 2</p></polylist>";
const std::string kDaePolygons = std::string("<polygons>") + kDaeInputs +
                                 "<p>0 0 0 1 0 2</p><p>0 0 0 3 0 1</p><p>0 0 0 2 0 3</p><p>0 1 0 3 0 2</p></polygons>";

/// Signed, by the divergence theorem: sum of a . (b x c) / 6.
double volume(const Mesh& mesh) {
  double sum = 0;
  for (const auto& [a, b, c] : mesh.triangles) {
    const auto corner = [&](int i) { return Vec3(mesh.vertices[static_cast<std::size_t>(i)].cast<double>()); };
    sum += corner(a).dot(corner(b).cross(corner(c))) / 6;
  }
  return sum;
}

std::string refusal(const std::string& bytes, const std::string& path) {
  std::string why_not;
  return parse_mesh(bytes, path, why_not) ? "" : why_not;
}

TEST(MeshFile, ReadsTheSameSolidFromEachKind) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Solid solid = tetrahedron(seed);
    std::string why_not;
    const auto of_bytes = parse_mesh(stl_bytes(solid), "a.stl", why_not);
    const auto solid_bytes = parse_mesh(stl_bytes(solid, "solid of bytes"), "a.STL", why_not);
    const auto of_text = parse_mesh(stl_text(solid), "a.stl", why_not);
    const auto of_obj = parse_mesh(obj_text(solid), "a.obj", why_not);
    ASSERT_TRUE(of_bytes && solid_bytes && of_text && of_obj) << why_not;
    const Mesh whole{"", solid.corners, solid.faces};
    for (const auto& mesh : {of_bytes, solid_bytes, of_text, of_obj}) {
      EXPECT_EQ(mesh->vertices.size(), 4u);
      EXPECT_EQ(mesh->triangles.size(), 4u);
      EXPECT_NEAR(volume(*mesh), volume(whole), 1e-5 * std::abs(volume(whole)));
    }
  }
}

/// A fine sphere becomes a coarse one of nearly the same volume.
TEST(MeshFile, MakesFewerTrianglesOfMany) {
  Solid sphere;
  const int rings = 200, sides = 400;
  for (int i = 0; i <= rings; ++i)
    for (int j = 0; j < sides; ++j) {
      const double a = M_PI * i / rings, b = 2 * M_PI * j / sides;
      sphere.corners.emplace_back(std::sin(a) * std::cos(b), std::sin(a) * std::sin(b), std::cos(a));
    }
  for (int i = 0; i < rings; ++i)
    for (int j = 0; j < sides; ++j) {
      const int here = i * sides + j, next = i * sides + (j + 1) % sides;
      sphere.faces.push_back({here, here + sides, next});
      sphere.faces.push_back({next, here + sides, next + sides});
    }
  ASSERT_GT(sphere.faces.size(), 5 * kMostTriangles);
  std::string why_not;
  const auto mesh = parse_mesh(stl_bytes(sphere), "sphere.stl", why_not);
  ASSERT_TRUE(mesh) << why_not;
  EXPECT_LE(mesh->triangles.size(), kMostTriangles);
  EXPECT_GT(mesh->triangles.size(), kMostTriangles / 8);
  EXPECT_NEAR(volume(*mesh), 4 * M_PI / 3, 0.05);
}

TEST(MeshFile, CollapsesNothingOfAScene) {
  for (const std::string& faces : {kDaeTriangles, kDaeList, kDaePolygons}) {
    const Solid solid = tetrahedron(5);
    std::string why_not;
    const auto mesh = parse_mesh(dae_text(solid, faces), "a.dae", why_not);
    ASSERT_TRUE(mesh) << why_not;
    ASSERT_EQ(mesh->vertices.size(), 4u);
    EXPECT_EQ(mesh->triangles, solid.faces);
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_LT((mesh->vertices[i] - solid.corners[i]).norm(), 1e-5F * (1 + solid.corners[i].norm()));
  }
}

TEST(MeshFile, BrokenScenes) {
  const std::string good = dae_text(tetrahedron(5), kDaeTriangles);
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return refusal(text, "a.dae");
  };
  EXPECT_EQ(with("url=\"#g\"", "url=\"#h\""), "line 10: nothing is called 'h'");
  EXPECT_NE(with("<p>0 0", "<p>0 7").find("'7' names no vertex"), std::string::npos);
  EXPECT_NE(with("300 -200", "300 x").find("'x' is no number"), std::string::npos);
  EXPECT_NE(with("300 -200 100", "300").find("<translate> has 1 numbers, but takes 3"), std::string::npos);
  EXPECT_NE(with("<node><rotate>", "<node id=\"n\"><instance_node url=\"#n\"/><rotate>").find("in a circle"),
            std::string::npos);
  EXPECT_EQ(refusal("<robot/>", "a.dae"), "it is no COLLADA file");
  EXPECT_EQ(refusal("\xff\xfe", "a.dae"), "it is no text");
  for (std::size_t size = 0; size + 10 < good.size(); size += 11)
    EXPECT_NE(refusal(good.substr(0, size), "a.dae"), "") << size;
}

TEST(MeshFile, SaysWhatIsWrong) {
  const Solid solid = tetrahedron(1);
  const std::string bytes = stl_bytes(solid), text = stl_text(solid);
  EXPECT_EQ(refusal(bytes.substr(0, 200), "a.stl"), "it is cut short: 4 triangles take 284 bytes, and 200 are there");
  EXPECT_EQ(refusal("", "a.stl"), "it is cut short: it has 0 bytes");
  for (std::size_t size = 6; size + 12 < text.size(); size += 7)
    EXPECT_NE(refusal(text.substr(0, size), "a.stl"), "") << size;
  EXPECT_EQ(refusal(text.substr(0, text.rfind("endsolid")), "a.stl"), "it is cut short: no 'endsolid' is at its end");
  EXPECT_EQ(refusal("solid a\nfacet normal 0 0 1\nvertex 1 two 3\n", "a.stl"), "line 3: 'two' is no number");
  EXPECT_EQ(refusal("v 0 0 0\nv 1 0 0\nf 1 2 3\n", "a.obj"), "line 3: '3' names no vertex");
  EXPECT_EQ(refusal("v 0 0 0\nv 1 0 0\nf 1 0 2\n", "a.obj"), "line 3: '0' names no vertex");
  EXPECT_EQ(refusal("v 0 0 0\nv 1 0\n", "a.obj"), "line 2: '' is no number");
  EXPECT_EQ(refusal("v 0 0 1e99\n", "a.obj"), "line 1: '1e99' is no number");
  EXPECT_EQ(refusal("# nothing\n", "a.obj"), "it has no triangles");
  EXPECT_EQ(refusal(bytes, "a.ply"), "'.ply' files are not known");
  std::string broken = bytes;
  const float nan = std::nanf("");
  std::memcpy(broken.data() + 84 + 12, &nan, sizeof nan);
  EXPECT_EQ(refusal(broken, "a.stl"), "triangle 1 has a corner that is not finite");
}

TEST(MeshFile, SurvivesDamage) {
  std::mt19937 random(5);
  const Solid solid = tetrahedron(2);
  for (const auto& [good, path] : {std::pair(stl_bytes(solid), "a.stl"), std::pair(stl_text(solid), "a.stl"),
                                   std::pair(obj_text(solid), "a.obj")}) {
    for (int i = 0; i < 3000; ++i) {
      std::string bad = good;
      for (int k = 0; k < 3; ++k) bad[random() % bad.size()] = static_cast<char>(random());
      if (i % 2 == 0) bad.resize(random() % bad.size());
      std::string why_not;
      const auto mesh = parse_mesh(bad, path, why_not);
      EXPECT_NE(mesh == nullptr, why_not.empty());
      for (std::size_t k = 0; mesh && k < mesh->triangles.size(); ++k)
        for (const int corner : mesh->triangles[k])
          ASSERT_TRUE(corner >= 0 && corner < static_cast<int>(mesh->vertices.size()));
    }
  }
}

}  // namespace
}  // namespace cardan
