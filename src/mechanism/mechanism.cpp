#include "cardan/mechanism.hpp"

namespace cardan {

const std::string& Mechanism::body_name(int body) const {
  static const std::string ground = "ground";
  return body == kGround ? ground : bodies.at(static_cast<std::size_t>(body)).name;
}

}  // namespace cardan
