// Numbers and vectors as scene.json writes them: what is not finite is null. Part of scene_json.cpp.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>

#include "cardan/math.hpp"

namespace cardan {

inline nlohmann::ordered_json scene_number(double value) {
  using Json = nlohmann::ordered_json;
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

inline nlohmann::ordered_json scene_vector(const Vec3& v) {
  return nlohmann::ordered_json::array({scene_number(v.x()), scene_number(v.y()), scene_number(v.z())});
}

}  // namespace cardan
