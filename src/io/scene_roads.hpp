// What stands under wheels and shapes, as scene.json lists it: profiles, planes, heights on a grid. Part of
// scene_json.cpp.
#pragma once

#include <nlohmann/json.hpp>

#include "cardan/mechanism.hpp"

namespace cardan {

/// Heights that a picture can show, at most this many along x and along y.
inline constexpr int kDrawnHeights = 201;

/// The same ground with at most `most` heights along x and along y, evenly spaced; the corners stay where they are.
HeightMap thinned(const HeightMap& map, int most);

/// The roads of the model, then, without a name, the planes that tyres and rolling discs have for themselves.
nlohmann::ordered_json scene_roads(const Mechanism& mechanism);

}  // namespace cardan
