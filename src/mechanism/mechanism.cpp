#include "cardan/mechanism.hpp"

#include "mechanism/automatic_formulation.hpp"

namespace cardan {

RunOptions RunOptions::for_mechanism(const Mechanism& mechanism) {
  RunOptions options;
  options.apply(mechanism.simulation);
  options.error.reset();
  resolve_method(options, mechanism);
  return options;
}

const std::string& Mechanism::body_name(int body) const {
  static const std::string ground = "ground";
  return body == kGround ? ground : bodies.at(static_cast<std::size_t>(body)).name;
}

}  // namespace cardan
