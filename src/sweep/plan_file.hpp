// What every plan begins with, that of a sweep as those of optimize and fit: the version of its format, the model that
// it names, beside it, and its own name. Its sections name parameters and inputs of that model.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/model_template.hpp"
#include "io/yaml_fields.hpp"
#include "sweep/plan.hpp"

namespace cardan {

class PlanFile {
 public:
  /// `kind`: the key that the plan begins with, whose value is the version. `plan` is filled by open().
  PlanFile(std::string kind, PlanSource& plan);

  /// The plan, which has `sections` and those of all plans; the parameters of its model are known in all of its
  /// numbers. Throws ModelError where there is nothing to read on.
  Fields open(const std::string& path, std::vector<std::string_view> sections);

  Problems& problems() { return problems_; }
  Reading& reading() { return reading_; }
  ModelTemplate& model() { return *template_; }
  const Mechanism& mechanism() const { return mechanism_; }

  /// The entries of a section that is a block of names.
  void each(Fields& plan, const char* key, const std::function<void(const YamlEntry&)>& read);
  /// Whether the model has the parameter, or one of its parts may have it; says so when it has not.
  bool knows_parameter(const YamlEntry& entry, const std::string& element);
  /// The input of that name; null after reporting that there is none.
  const Input* find_input(const YamlEntry& entry, const std::string& element);
  /// Reports names in an expression that are neither parameters nor in `known`, which are called `called`.
  void check_expression(const YamlNode& node, const std::string& text, const std::string& element,
                        const std::vector<std::string>& known, const char* called);

 private:
  void check_version(Fields& plan);
  void read_model(Fields& plan);

  std::string kind_;
  PlanSource& plan_;
  Problems problems_;
  Reading reading_;
  YamlPointer document_;
  std::optional<ModelTemplate> template_;
  Mechanism mechanism_;
};

}  // namespace cardan
