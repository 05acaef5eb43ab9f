// Reading model files; docs/model-file.md describes the format. Every problem found is thrown together as one
// ModelError.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cardan/mechanism.hpp"

namespace cardan {

/// Of the model file itself, not of its parts.
struct ModelParameter {
  std::string name;
  double value = 0;
  bool follows = false;  // others, by an expression
  std::string unit;      // as the file has it; may be empty
};

/// What a model was read from.
struct ModelSources {
  std::vector<std::string> files;  // the model first (unless it was text), then its parts
  std::vector<ModelParameter> parameters;
};

/// Reads and checks a model file. `parameters` replace those of the file by name. `files` receives the names of all
/// that was read: the model first, then its parts.
Mechanism read_mechanism(const std::string& path, const std::map<std::string, double>& parameters = {},
                         std::vector<std::string>* files = nullptr);

/// The same from text; `file_name` is what messages call it.
Mechanism read_mechanism_text(const std::string& text, const std::string& file_name,
                              const std::map<std::string, double>& parameters = {});

/// Both with what was read.
Mechanism read_mechanism(const std::string& path, const std::map<std::string, double>& parameters,
                         ModelSources& sources);
Mechanism read_mechanism_text(const std::string& text, const std::string& file_name,
                              const std::map<std::string, double>& parameters, ModelSources& sources);

/// The JSON Schema of model files, registered elements included; `cardan schema` prints that of the library.
std::string json_schema();

}  // namespace cardan
