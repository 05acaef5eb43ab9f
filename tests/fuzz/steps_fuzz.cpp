// Any model that can be read takes five steps in every formulation, or says why not. What comes out of steps that are
// called ok is finite.
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "cardan/io.hpp"
#include "cardan/registry.hpp"
#include "cardan/simulation.hpp"

namespace {

constexpr int kSteps = 5;
constexpr std::size_t kMostBodies = 30;  // so that an input takes milliseconds

void take_steps(const cardan::Mechanism& mechanism, const std::string& formulation) {
  cardan::RunOptions options;
  options.formulation = formulation;
  options.integrator = formulation == "recursive" ? "rk4" : "trapezoidal";
  cardan::Simulation simulation(mechanism, options);
  for (int i = 0; i < kSteps; ++i) {
    if (simulation.step() != cardan::StepStatus::ok) return;
    for (std::size_t body = 0; body < mechanism.bodies.size(); ++body)
      if (!simulation.body(static_cast<int>(body)).position.allFinite()) __builtin_trap();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const cardan::Mechanism mechanism = cardan::read_mechanism_text(
        std::string(reinterpret_cast<const char*>(data), size), CARDAN_SOURCE_DIR "/models/fuzzed.yaml");
    if (mechanism.bodies.size() > kMostBodies) return 0;
    for (const cardan::RegistryEntry& formulation : cardan::formulations()) {
      try {
        take_steps(mechanism, std::string(formulation.name));
      } catch (const cardan::ModelError&) {
      } catch (const std::invalid_argument&) {  // a combination that is refused
      }
    }
  } catch (const cardan::ModelError&) {
  }
  return 0;
}
