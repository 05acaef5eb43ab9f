#include "io/scene_roads.hpp"

#include <algorithm>
#include <cmath>

#include "io/scene_numbers.hpp"

namespace cardan {
namespace {

using Json = nlohmann::ordered_json;

Json entry_of(const std::string& name, const char* sort) {
  return {{"name", name}, {"sort", sort}, {"polyline", Json::array()}, {"drops", Json::array()}};
}

Json plane_json(const Mechanism& mechanism, const Vec3& at, const Vec3& normal, int body) {
  return {{"at", scene_vector(at)}, {"normal", scene_vector(normal)}, {"body", mechanism.body_name(body)}};
}

/// Height at x, y by the two lines across its cell, one after the other.
double height_at(const HeightMap& map, double x, double y) {
  const double u = (x - map.x0) / map.dx, v = (y - map.y0) / map.dy;
  const int i = std::clamp(static_cast<int>(u), 0, map.columns - 2);
  const int j = std::clamp(static_cast<int>(v), 0, map.rows - 2);
  const double p = u - i, q = v - j;
  return (1 - q) * ((1 - p) * map.at(i, j) + p * map.at(i + 1, j)) +
         q * ((1 - p) * map.at(i, j + 1) + p * map.at(i + 1, j + 1));
}

/// Heights to a hundred-thousandth of their range: nobody sees more, and the file stays short.
Json heights_json(const HeightMap& map) {
  const auto [low, high] = std::minmax_element(map.height.begin(), map.height.end());
  const double largest = std::max({std::abs(*low), std::abs(*high), 1e-300});
  const int decimals = 5 - static_cast<int>(std::ceil(std::log10(*high > *low ? *high - *low : largest)));
  const double scale = std::pow(10.0, std::abs(decimals));
  Json heights = Json::array();
  for (const double height : map.height)
    heights.push_back(
        scene_number(decimals > 0 ? std::round(height * scale) / scale : std::round(height / scale) * scale));
  return heights;
}

Json grid_json(const HeightMap& whole) {
  const HeightMap map = thinned(whole, kDrawnHeights);
  Json json{{"at", {scene_number(map.x0), scene_number(map.y0)}},
            {"spacing", {scene_number(map.dx), scene_number(map.dy)}},
            {"columns", map.columns},
            {"rows", map.rows}};
  json["heights"] = heights_json(map);
  return json;
}

void add_drops(const Mechanism& mechanism, const Road& road, Json& drops) {
  for (const Event& event : mechanism.events) {
    const bool own = std::find(event.targets.begin(), event.targets.end(), road.name) != event.targets.end();
    if (event.action != Event::Action::drop || !own) continue;
    drops.push_back({{"time", scene_number(event.time)}, {"by", scene_number(event.by)}});
  }
}

Json road_json(const Mechanism& mechanism, const Road& road) {
  Json entry;
  switch (road.sort) {
    case Road::Sort::profile:
      entry = entry_of(road.name, "profile");
      for (const Vec2& point : road.profile)
        entry["polyline"].push_back({scene_number(point.x()), scene_number(point.y())});
      break;
    case Road::Sort::plane:
      entry = entry_of(road.name, "plane");
      entry["plane"] = plane_json(mechanism, road.origin, road.normal, road.body);
      break;
    case Road::Sort::grid:
      entry = entry_of(road.name, "grid");
      entry["grid"] = grid_json(*road.grid);
      break;
  }
  add_drops(mechanism, road, entry["drops"]);
  return entry;
}

/// Planes without a name, each once although every wheel has its own.
class OwnPlanes {
 public:
  OwnPlanes(const Mechanism& mechanism, Json& roads) : mechanism_(mechanism), roads_(roads) {}
  void add(const Vec3& at, const Vec3& normal, int body) {
    const auto same = [&](const Plane& other) {
      const double size = 1 + at.norm() + other.at.norm();
      return other.body == body && (other.normal - normal).norm() < 1e-9 &&
             std::abs(normal.dot(other.at - at)) < 1e-9 * size;
    };
    if (std::any_of(planes_.begin(), planes_.end(), same)) return;
    planes_.push_back({at, normal, body});
    Json entry = entry_of("", "plane");
    entry["plane"] = plane_json(mechanism_, at, normal, body);
    roads_.push_back(std::move(entry));
  }

 private:
  struct Plane {
    Vec3 at, normal;
    int body;
  };
  const Mechanism& mechanism_;
  Json& roads_;
  std::vector<Plane> planes_;
};

}  // namespace

HeightMap thinned(const HeightMap& map, int most) {
  if (map.columns <= most && map.rows <= most) return map;
  HeightMap few = map;
  few.columns = std::min(map.columns, most);
  few.rows = std::min(map.rows, most);
  few.dx = map.dx * (map.columns - 1) / (few.columns - 1);
  few.dy = map.dy * (map.rows - 1) / (few.rows - 1);
  few.height.clear();
  for (int j = 0; j < few.rows; ++j)
    for (int i = 0; i < few.columns; ++i)
      few.height.push_back(height_at(map, few.x0 + i * few.dx, few.y0 + j * few.dy));
  return few;
}

nlohmann::ordered_json scene_roads(const Mechanism& mechanism) {
  Json roads = Json::array();
  for (const Road& road : mechanism.roads) roads.push_back(road_json(mechanism, road));
  OwnPlanes own(mechanism, roads);
  const int up = mechanism.planar ? 1 : 2;
  for (const CustomWrench& wrench : mechanism.custom_wrenches)
    if (wrench.wheel && wrench.wheel->road < 0) own.add(wrench.frame1.origin, wrench.frame1.axes.col(up), wrench.body1);
  for (const RollingDisc& disc : mechanism.rolling_discs) own.add(disc.ground, disc.normal, disc.body1);
  return roads;
}

}  // namespace cardan
