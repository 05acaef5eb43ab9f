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

/// The same models as users of the repository call them: models/NAME.
inline std::string with_short_model_names(std::string text) {
  for (const std::string folder : {CARDAN_MODELS_SOURCE "/", CARDAN_MODELS_INSTALLED "/"}) {
    for (std::size_t at; (at = text.find(folder)) != std::string::npos;) text.replace(at, folder.size(), "models/");
  }
  return text;
}

}  // namespace cardan
