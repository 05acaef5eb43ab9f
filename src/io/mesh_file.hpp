// Meshes of pictures: STL (of bytes or of text), OBJ and COLLADA.
#pragma once

#include <memory>
#include <string>

#include "cardan/bodies.hpp"

namespace cardan {

/// More are made fewer: vertices that lie close together become one, on a grid that is made coarser until it does.
inline constexpr std::size_t kMostTriangles = 20000;

/// Whether a file of this name is of a kind that parse_mesh() knows: .stl, .obj or .dae, in any case.
bool is_mesh_file(const std::string& path);

/// Of the kind that its name ends with. Null with half a sentence ("it is cut short: ...") when it is none.
std::shared_ptr<const Mesh> parse_mesh(const std::string& bytes, const std::string& path, std::string& why_not);

}  // namespace cardan
