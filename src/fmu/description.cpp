#include "fmu/description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <stdexcept>

#include "text/utf8.hpp"
#include "text/xml_document.hpp"

namespace cardan {
namespace {

constexpr std::size_t kLargest = std::size_t{64} << 20;  // bytes of modelDescription.xml

[[noreturn]] void fail_at(int line, const std::string& what) {
  throw std::runtime_error(fmt::format("line {} of modelDescription.xml: {}", line, what));
}

std::optional<double> to_number(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  if (text == "true") return 1;
  if (text == "false") return 0;
  if (const auto [stop, status] = std::from_chars(text.data(), end, value); stop == end && status == std::errc())
    return value;
  return std::nullopt;
}

std::string latin1_as_utf8(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      result += c;
    } else {
      result += static_cast<char>(0xC0 | byte >> 6);
      result += static_cast<char>(0x80 | (byte & 0x3F));
    }
  }
  return result;
}

/// What the standard asks for is UTF-8; older tools wrote Latin-1.
std::string as_utf8(const std::string& xml) {
  const std::string head = xml.substr(0, std::min(xml.find("?>"), std::size_t{200}));
  std::string encoding;
  if (const std::size_t at = head.find("encoding=");
      head.find("<?xml") != std::string::npos && at != std::string::npos) {
    const std::size_t begin = std::min(at + 10, head.size());
    encoding = head.substr(begin, head.find_first_of("\"'", begin) - begin);
    for (char& c : encoding) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  const bool latin = encoding == "ISO-8859-1" || encoding == "LATIN1";
  if (!latin && !encoding.empty() && encoding != "UTF-8" && encoding != "US-ASCII" && encoding != "ASCII")
    fail_at(1, fmt::format("its encoding is '{}', where FMI asks for UTF-8", encoding));
  std::string text = latin ? latin1_as_utf8(xml) : xml;
  if (const auto found = first_not_text(text))
    fail_at(1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(*found), '\n')),
            fmt::format("this is no text in UTF-8 (byte 0x{:02x})", static_cast<unsigned char>(text[*found])));
  return text;
}

class DescriptionReader {
 public:
  explicit DescriptionReader(const XmlDocument& xml) : xml_(xml) {}

  FmuDescription read() {
    const pugi::xml_node root = xml_.root();
    read_root(root);
    if (const pugi::xml_node kind = root.child("CoSimulation")) co_simulation(kind);
    for (const pugi::xml_node& node : root.child("ModelVariables").children())
      if (node.type() == pugi::node_element) variable(node);
    return std::move(result_);
  }

 private:
  [[noreturn]] void fail(const pugi::xml_node& node, const std::string& what) const {
    fail_at(xml_.place(node).line, what);
  }

  void read_root(const pugi::xml_node& root) {
    if (std::string_view(root.name()) != "fmiModelDescription")
      fail(root, fmt::format("this is a '{}', no description of an FMU", root.name()));
    const std::string version = root.attribute("fmiVersion").value();
    result_.version = version == "2.0" ? 2 : version.starts_with("3.") ? 3 : 0;
    if (result_.version == 0) fail(root, fmt::format("version '{}' of FMI is not known; 2.0 and 3.0 are", version));
    result_.model = root.attribute("modelName").value();
    result_.token = root.attribute(result_.version == 2 ? "guid" : "instantiationToken").value();
  }

  void co_simulation(const pugi::xml_node& node) {
    const bool two = result_.version == 2;
    result_.co_simulation = true;
    result_.identifier = node.attribute("modelIdentifier").value();
    if (result_.identifier.empty() || result_.identifier.find_first_of("/\\") != std::string::npos ||
        result_.identifier.find("..") != std::string::npos)
      fail(node, fmt::format("'{}' is no model identifier", result_.identifier));
    const auto is_true = [&node](const char* name) {
      const std::string_view value = node.attribute(name).value();
      return value == "true" || value == "1";
    };
    result_.needs_tool = is_true("needsExecutionTool");
    result_.only_once = is_true("canBeInstantiatedOnlyOncePerProcess");
    result_.can_save = is_true(two ? "canGetAndSetFMUstate" : "canGetAndSetFMUState");
    result_.can_serialize = is_true(two ? "canSerializeFMUstate" : "canSerializeFMUState");
  }

  void variable(const pugi::xml_node& node) {
    FmuVariable variable;
    variable.name = node.attribute("name").value();
    variable.causality = node.attribute("causality").value();
    variable.variability = node.attribute("variability").value();
    if (variable.causality.empty()) variable.causality = "local";
    const std::string_view reference = node.attribute("valueReference").value();
    const char* end = reference.data() + reference.size();
    const auto [stop, status] = std::from_chars(reference.data(), end, variable.reference);
    if (variable.name.empty() || stop != end || reference.empty() || status != std::errc())
      fail(node, fmt::format("a variable needs a name and a value reference, but has '{}' and '{}'", variable.name,
                             reference));
    if (result_.version == 3) {
      type(variable, node);
      variable.is_array = !node.child("Dimension").empty();
    } else {
      for (const pugi::xml_node& inside : node.children()) type(variable, inside);
    }
    result_.variables.push_back(std::move(variable));
  }

  static void type(FmuVariable& variable, const pugi::xml_node& node) {
    using Type = FmuVariable::Type;
    static const std::map<std::string_view, Type> types{{"Real", Type::real},
                                                        {"Float64", Type::real},
                                                        {"Integer", Type::integer},
                                                        {"Int32", Type::integer},
                                                        {"Boolean", Type::boolean}};
    const auto found = types.find(node.name());
    if (found == types.end()) return;
    variable.type = found->second;
    variable.unit = node.attribute("unit").value();
    variable.start = to_number(node.attribute("start").value());
  }

  const XmlDocument& xml_;
  FmuDescription result_;
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
  if (xml.size() > kLargest)
    throw std::runtime_error(
        fmt::format("its modelDescription.xml has {} MB, more than {}", xml.size() >> 20, kLargest >> 20));
  const XmlDocument document(as_utf8(xml));
  if (!document.complaint().empty()) fail_at(document.complaint_place().line, document.complaint());
  FmuDescription description = DescriptionReader(document).read();
  if (!description.co_simulation) throw std::runtime_error("it is not for co-simulation, and no other kind is read");
  return description;
}

}  // namespace cardan
