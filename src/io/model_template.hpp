// A model file that is read once and made many times, with other parameters each time: files are opened and parsed
// once, sections in which no parameter that changes has a part are read once (kept_sections.hpp), and what is left is
// to evaluate the expressions and to resolve the names. One thread at a time.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "cardan/io.hpp"
#include "io/kept_sections.hpp"
#include "io/yaml_sections.hpp"

namespace cardan {

class ModelTemplate {
 public:
  /// Throws ModelError when the file cannot be opened.
  explicit ModelTemplate(const std::string& path);
  /// `file` is what messages call the text.
  ModelTemplate(std::string text, std::string file) : text_(std::move(text)), file_(std::move(file)) {}

  /// What a program adds to the description before names are resolved; `Reading` has the parameters.
  using Addition = std::function<void(Reading&, MechanismSpec&)>;
  /// Throws ModelError with all that is wrong. `sources` is added to.
  Mechanism make(const std::map<std::string, double>& parameters, ModelSources& sources, const Addition& addition = {});

 private:
  std::string text_, file_;
  bool named_after_file_ = false;
  Documents documents_;
  std::optional<KeptSections> kept_;  // by the parameters that changed last time
  std::optional<std::set<std::string>> changing_;
};

}  // namespace cardan
