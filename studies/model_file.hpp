// Where the models are that studies share with users: beside the sources the program was built from, or where it was
// installed.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

namespace cardan {

inline std::filesystem::path model_file(const std::string& name) {
  for (const std::filesystem::path folder : {CARDAN_MODELS_SOURCE, CARDAN_MODELS_INSTALLED}) {
    if (std::filesystem::exists(folder / name)) return folder / name;
  }
  throw std::runtime_error("the model " + name +
                           " is neither in " CARDAN_MODELS_SOURCE " nor in " CARDAN_MODELS_INSTALLED);
}

}  // namespace cardan
