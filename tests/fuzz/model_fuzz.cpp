// Any text as a model file, subsystems included: read or refused with a ModelError, nothing else.
#include <cstdint>
#include <string>

#include "cardan/io.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    cardan::read_mechanism_text(std::string(reinterpret_cast<const char*>(data), size),
                                CARDAN_SOURCE_DIR "/models/fuzzed.yaml");
  } catch (const cardan::ModelError&) {
  }
  return 0;
}
