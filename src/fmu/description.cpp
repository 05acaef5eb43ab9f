#include "fmu/description.hpp"

#include <expat.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <stdexcept>

namespace cardan {
namespace {

using Attributes = std::map<std::string, std::string>;

constexpr std::size_t kMostVariables = 1000000;
constexpr int kDeepest = 100;

std::optional<double> to_number(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  if (text == "true") return 1;
  if (text == "false") return 0;
  if (const auto [stop, status] = std::from_chars(text.data(), end, value); stop == end && status == std::errc())
    return value;
  return std::nullopt;
}

/// Handlers of the parser may not throw: the first error is kept, and nothing is read after it.
class DescriptionReader {
 public:
  explicit DescriptionReader(XML_Parser parser) : parser_(parser) {}

  void start(const char* element, const char** pairs) {
    ++depth_;
    if (!error.empty()) return;
    Attributes attributes;
    for (; pairs[0] != nullptr; pairs += 2) attributes[pairs[0]] = pairs[1];
    const std::string name = element;
    if (depth_ > kDeepest) return fail("elements are nested too deep");
    if (depth_ == 1) return root(name, attributes);
    if (depth_ == 2 && name == "CoSimulation") return co_simulation(attributes);
    if (depth_ == 2) section_ = name;
    if (section_ != "ModelVariables") return;
    if (depth_ == 3) variable(name, attributes);
    if (depth_ == 4) inside_variable(name, attributes);
  }
  void end() { --depth_; }

  FmuDescription result;
  std::string error;

 private:
  void fail(const std::string& what) {
    error = fmt::format("line {} of modelDescription.xml: {}", XML_GetCurrentLineNumber(parser_), what);
    XML_StopParser(parser_, XML_FALSE);
  }

  static bool is_true(const Attributes& attributes, const char* name) {
    const auto found = attributes.find(name);
    return found != attributes.end() && (found->second == "true" || found->second == "1");
  }
  static std::string text(const Attributes& attributes, const char* name) {
    const auto found = attributes.find(name);
    return found == attributes.end() ? "" : found->second;
  }

  void root(const std::string& name, const Attributes& attributes) {
    if (name != "fmiModelDescription") return fail(fmt::format("this is a '{}', no description of an FMU", name));
    const std::string version = text(attributes, "fmiVersion");
    result.version = version == "2.0" ? 2 : version.starts_with("3.") ? 3 : 0;
    if (result.version == 0) return fail(fmt::format("version '{}' of FMI is not known; 2.0 and 3.0 are", version));
    result.model = text(attributes, "modelName");
    result.token = text(attributes, result.version == 2 ? "guid" : "instantiationToken");
  }

  void co_simulation(const Attributes& attributes) {
    result.co_simulation = true;
    result.identifier = text(attributes, "modelIdentifier");
    if (result.identifier.empty() || result.identifier.find_first_of("/\\") != std::string::npos ||
        result.identifier.find("..") != std::string::npos)
      return fail(fmt::format("'{}' is no model identifier", result.identifier));
    result.needs_tool = is_true(attributes, "needsExecutionTool");
    result.only_once = is_true(attributes, "canBeInstantiatedOnlyOncePerProcess");
    result.can_save = is_true(attributes, result.version == 2 ? "canGetAndSetFMUstate" : "canGetAndSetFMUState");
    result.can_serialize = is_true(attributes, result.version == 2 ? "canSerializeFMUstate" : "canSerializeFMUState");
  }

  void variable(const std::string& element, const Attributes& attributes) {
    if (result.variables.size() == kMostVariables) return fail("it has too many variables");
    FmuVariable variable;
    variable.name = text(attributes, "name");
    variable.causality = text(attributes, "causality");
    variable.variability = text(attributes, "variability");
    if (variable.causality.empty()) variable.causality = "local";
    const std::string reference = text(attributes, "valueReference");
    const char* end = reference.data() + reference.size();
    const auto [stop, status] = std::from_chars(reference.data(), end, variable.reference);
    if (variable.name.empty() || stop != end || reference.empty() || status != std::errc())
      return fail(fmt::format("a variable needs a name and a value reference, but has '{}' and '{}'", variable.name,
                              reference));
    if (result.version == 3) type(variable, element, attributes);
    result.variables.push_back(std::move(variable));
  }

  void inside_variable(const std::string& element, const Attributes& attributes) {
    if (result.variables.empty()) return;
    FmuVariable& variable = result.variables.back();
    if (result.version == 2) {
      type(variable, element, attributes);
    } else if (element == "Dimension") {
      variable.is_array = true;
    }
  }

  static void type(FmuVariable& variable, const std::string& element, const Attributes& attributes) {
    using Type = FmuVariable::Type;
    const std::map<std::string, Type> types{{"Real", Type::real},
                                            {"Float64", Type::real},
                                            {"Integer", Type::integer},
                                            {"Int32", Type::integer},
                                            {"Boolean", Type::boolean}};
    const auto found = types.find(element);
    if (found == types.end()) return;
    variable.type = found->second;
    variable.unit = text(attributes, "unit");
    variable.start = to_number(text(attributes, "start"));
  }

  XML_Parser parser_;
  int depth_ = 0;
  std::string section_;
};

}  // namespace

const FmuVariable* FmuDescription::find(const std::string& name) const {
  const auto found =
      std::find_if(variables.begin(), variables.end(), [&](const FmuVariable& v) { return v.name == name; });
  return found == variables.end() ? nullptr : &*found;
}

std::vector<std::string> FmuDescription::names(const std::string& causality) const {
  std::vector<std::string> names;
  for (const FmuVariable& variable : variables)
    if (variable.causality == causality) names.push_back(variable.name);
  return names;
}

FmuDescription read_description(const std::string& xml) {
  const std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser(XML_ParserCreate(nullptr), &XML_ParserFree);
  DescriptionReader reader(parser.get());
  XML_SetUserData(parser.get(), &reader);
  XML_SetElementHandler(
      parser.get(),
      [](void* user, const char* element, const char** attributes) {
        static_cast<DescriptionReader*>(user)->start(element, attributes);
      },
      [](void* user, const char*) { static_cast<DescriptionReader*>(user)->end(); });
  const XML_Status status = XML_Parse(parser.get(), xml.data(), static_cast<int>(xml.size()), 1);
  if (!reader.error.empty()) throw std::runtime_error(reader.error);
  if (status != XML_STATUS_OK)
    throw std::runtime_error(fmt::format("line {} of modelDescription.xml: {}", XML_GetCurrentLineNumber(parser.get()),
                                         XML_ErrorString(XML_GetErrorCode(parser.get()))));
  if (!reader.result.co_simulation) throw std::runtime_error("it is not for co-simulation, and no other kind is read");
  return reader.result;
}

}  // namespace cardan
