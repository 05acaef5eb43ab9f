// Any text as a robot (it begins with '<') or as a dataset of ADAMS: read or refused with a ModelError, nothing else;
// and the model file that is made of what was read is read alike. What speaks of COLLADA is read as a mesh.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "cardan/io.hpp"
#include "io/formats/foreign_model.hpp"
#include "io/formats/yaml_writer.hpp"
#include "io/mesh_file.hpp"

namespace {

std::string refusal_of(const std::string& text, const std::string& file) {
  try {
    cardan::read_mechanism_text(text, file);
    return "";
  } catch (const cardan::ModelError& error) {
    return error.what();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (text.find("COLLADA") != std::string::npos) {
    std::string why_not;
    if (cardan::parse_mesh(text, "fuzzed.dae", why_not) == nullptr && why_not.empty()) std::abort();
    return 0;
  }
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const std::string file = first != std::string::npos && text[first] == '<' ? "fuzzed.urdf" : "fuzzed.adm";
  cardan::Problems problems;
  cardan::ImportOptions options;
  options.leave_out = size % 2 == 0;
  const auto model = cardan::read_foreign({text, file}, options, problems);
  const std::string said = refusal_of(text, file);
  if (model && !options.leave_out && said.empty() != refusal_of(cardan::write_yaml(*model), "fuzzed.yaml").empty())
    std::abort();
  return 0;
}
