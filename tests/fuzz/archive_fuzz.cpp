// Archives and descriptions of FMUs: whatever the bytes, an error or a model, within limits.
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "fmu/description.hpp"
#include "fmu/fmu_model.hpp"
#include "fmu/zip_archive.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  try {
    (void)cardan::read_description(bytes);
  } catch (const std::runtime_error&) {
  }
  static const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("cardan_fuzz_" + std::to_string(getpid()) + ".fmu");
  std::ofstream(file, std::ios::binary) << bytes;
  try {
    const cardan::UnpackedFmu fmu(file);
    if (!std::filesystem::exists(fmu.folder() / "modelDescription.xml")) std::abort();
  } catch (const std::runtime_error&) {
  }
  std::filesystem::remove(file);
  return 0;
}
