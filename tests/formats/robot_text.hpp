// Short robots and datasets for tests, and what is said of broken ones.
#pragma once

#include <string>

#include "cardan/formats.hpp"
#include "cardan/io.hpp"

namespace cardan {

inline const std::string kRobots = CARDAN_SOURCE_DIR "/tests/formats/robots/";

inline Mechanism read_urdf_text(const std::string& inside) {
  return read_mechanism_text("<robot name=\"r\">\n" + inside + "</robot>\n", "r.urdf");
}

/// One line for each mistake.
inline std::string refusal_of(const std::string& text, const std::string& file) {
  try {
    read_mechanism_text(text, file);
    return "";
  } catch (const ModelError& error) {
    return error.what();
  }
}

inline std::string link(const std::string& name, const std::string& center = "0 0 0", double mass = 1,
                        const std::string& moments = "ixx=\"0.1\" iyy=\"0.1\" izz=\"0.1\"",
                        const std::string& rpy = "0 0 0") {
  return "<link name=\"" + name + "\"><inertial><origin xyz=\"" + center + "\" rpy=\"" + rpy + "\"/><mass value=\"" +
         std::to_string(mass) + "\"/><inertia " + moments + "/></inertial></link>\n";
}

inline std::string joint(const std::string& name, const std::string& type, const std::string& parent,
                         const std::string& child, const std::string& inside = "") {
  return "<joint name=\"" + name + "\" type=\"" + type + "\"><parent link=\"" + parent + "\"/><child link=\"" + child +
         "\"/>" + inside + "</joint>\n";
}

}  // namespace cardan
