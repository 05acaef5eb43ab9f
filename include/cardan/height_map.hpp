// Heights of a terrain on a grid of points.
#pragma once

#include <vector>

#include "cardan/math.hpp"

namespace cardan {

/// Heights (z) at x0 + i dx, y0 + j dy, those of y0 first. Each cell is two triangles, divided from its lowest x and y
/// to its highest.
struct HeightMap {
  double x0 = 0, y0 = 0, dx = 1, dy = 1;  // m
  int columns = 0, rows = 0;              // along x and along y
  std::vector<double> height;             // m

  double at(int i, int j) const {
    return height[static_cast<std::size_t>(j) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(i)];
  }
  Vec3 point(int i, int j) const { return {x0 + i * dx, y0 + j * dy, at(i, j)}; }
};

}  // namespace cardan
