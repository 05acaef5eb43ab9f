// modelDescription.xml of exported models against the rules of the standard: which attributes and elements there may be
// and in which order, which causality goes with which variability and initial, and what the model structure must list.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>

#include "export/fmu_export.hpp"
#include "export/unit_definition.hpp"
#include "fmu_files.hpp"
#include "text/xml_document.hpp"

namespace cardan {
namespace {

struct XmlElement {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::vector<XmlElement> children;

  const XmlElement* child(const std::string& wanted) const {
    for (const XmlElement& element : children)
      if (element.name == wanted) return &element;
    return nullptr;
  }
  std::string operator[](const std::string& attribute) const {
    const auto found = attributes.find(attribute);
    return found == attributes.end() ? "" : found->second;
  }
};

XmlElement parse(const pugi::xml_node& node) {
  XmlElement element{node.name(), {}, {}};
  for (const pugi::xml_attribute& attribute : node.attributes())
    element.attributes[attribute.name()] = attribute.value();
  for (const pugi::xml_node& child : node.children()) element.children.push_back(parse(child));
  return element;
}

XmlElement parse(const std::string& xml) {
  const XmlDocument document(xml);
  EXPECT_EQ(document.complaint(), "");
  return parse(document.root());
}

/// Attributes that the schema allows; those before `required` are.
void check_attributes(const XmlElement& element, std::size_t required, const std::vector<std::string>& known) {
  for (std::size_t i = 0; i < required; ++i)
    EXPECT_EQ(element.attributes.count(known[i]), 1u) << element.name << " needs " << known[i];
  for (const auto& [name, value] : element.attributes)
    EXPECT_NE(std::find(known.begin(), known.end(), name), known.end()) << element.name << " may not have " << name;
}

void check_children(const XmlElement& element, const std::vector<std::string>& order) {
  std::size_t at = 0;
  for (const XmlElement& child : element.children) {
    while (at < order.size() && order[at] != child.name) ++at;
    EXPECT_LT(at, order.size()) << child.name << " is out of its place in " << element.name;
  }
}

class DescriptionTest : public FmuTest, public testing::WithParamInterface<std::tuple<const char*, int>> {
 protected:
  void SetUp() override {
    FmuTest::SetUp();
    FmuExport request;
    request.model = (std::filesystem::path(CARDAN_SOURCE_DIR) / "models" / std::get<0>(GetParam())).string();
    request.version = version_ = std::get<1>(GetParam());
    request.object = FMU_OBJECT;
    static std::map<std::tuple<std::string, int>, std::string> made;  // once for all tests
    std::string& bytes = made[{request.model, version_}];
    if (bytes.empty()) bytes = export_fmu(request).bytes;
    write("model.fmu", bytes);
    std::filesystem::create_directories(folder_ / "fmu");
    ZipReader(folder_ / "model.fmu").extract(folder_ / "fmu");
    root_ = parse(bytes_of(folder_ / "fmu/modelDescription.xml"));
  }
  std::vector<XmlElement> variables() const { return root_.child("ModelVariables")->children; }

  XmlElement root_;
  int version_ = 0;
};

TEST_P(DescriptionTest, HasTheRightForm) {
  const bool two = version_ == 2;
  EXPECT_EQ(root_.name, "fmiModelDescription");
  EXPECT_EQ(root_["fmiVersion"], two ? "2.0" : "3.0");
  check_attributes(root_, 3,
                   {"fmiVersion", "modelName", two ? "guid" : "instantiationToken", "description", "author", "version",
                    "copyright", "license", "generationTool", "generationDateAndTime", "variableNamingConvention",
                    two ? "numberOfEventIndicators" : "fmiVersion"});
  check_children(root_, {"ModelExchange", "CoSimulation", "UnitDefinitions", "TypeDefinitions", "LogCategories",
                         "DefaultExperiment", "VendorAnnotations", "ModelVariables", "ModelStructure"});
  const XmlElement& kind = *root_.child("CoSimulation");
  if (two) {
    check_attributes(kind, 1,
                     {"modelIdentifier", "needsExecutionTool", "canHandleVariableCommunicationStepSize",
                      "canInterpolateInputs", "maxOutputDerivativeOrder", "canRunAsynchronuously",
                      "canBeInstantiatedOnlyOncePerProcess", "canNotUseMemoryManagementFunctions",
                      "canGetAndSetFMUstate", "canSerializeFMUstate", "providesDirectionalDerivative"});
  } else {
    check_attributes(
        kind, 1,
        {"modelIdentifier", "needsExecutionTool", "canBeInstantiatedOnlyOncePerProcess", "canGetAndSetFMUState",
         "canSerializeFMUState", "providesDirectionalDerivatives", "providesAdjointDerivatives",
         "providesPerElementDependencies", "canHandleVariableCommunicationStepSize", "fixedInternalStepSize",
         "maxOutputDerivativeOrder", "recommendedIntermediateInputSmoothness", "providesIntermediateUpdate",
         "mightReturnEarlyFromDoStep", "canReturnEarlyAfterIntermediateUpdate", "hasEventMode",
         "providesEvaluateDiscreteStates"});
  }
  const std::string binary = two ? "linux64/" : "x86_64-linux/";
  EXPECT_TRUE(std::filesystem::exists(folder_ / "fmu/binaries" / (binary + kind["modelIdentifier"] + ".so")));
  check_attributes(*root_.child("DefaultExperiment"), 0, {"startTime", "stopTime", "tolerance", "stepSize"});
  for (const XmlElement& category : root_.child("LogCategories")->children)
    check_attributes(category, 1, {"name", "description"});
  for (const XmlElement& unit : root_.child("UnitDefinitions")->children) {
    check_attributes(unit, 1, {"name"});
    for (const XmlElement& base : unit.children)
      check_attributes(base, 0, {"kg", "m", "s", "A", "K", "mol", "cd", "rad", "factor", "offset"});
  }
}

TEST_P(DescriptionTest, VariablesGoTogether) {
  const bool two = version_ == 2;
  std::set<std::string> names, references, units;
  for (const XmlElement& unit : root_.child("UnitDefinitions")->children)
    EXPECT_TRUE(units.insert(unit["name"]).second);
  int independent = 0;
  std::map<std::string, int> counts;
  for (const XmlElement& variable : variables()) {
    EXPECT_EQ(variable.name, two ? "ScalarVariable" : "Float64");
    const std::vector<std::string> common{"name",        "valueReference", "causality",
                                          "variability", "initial",        "description"};
    std::vector<std::string> known = common;
    if (!two) known.insert(known.end(), {"unit", "min", "max", "start", "nominal", "declaredType", "quantity"});
    check_attributes(variable, 2, known);
    if (two) {
      ASSERT_EQ(variable.children.size(), 1u);
      EXPECT_EQ(variable.children[0].name, "Real");
      check_attributes(variable.children[0], 0, {"unit", "min", "max", "start", "nominal", "declaredType", "quantity"});
    }
    const XmlElement& numbers = two ? variable.children[0] : variable;
    EXPECT_TRUE(names.insert(variable["name"]).second) << variable["name"];
    EXPECT_TRUE(references.insert(variable["valueReference"]).second) << variable["valueReference"];
    if (!numbers["unit"].empty()) EXPECT_EQ(units.count(numbers["unit"]), 1u) << numbers["unit"];
    const std::string causality = variable["causality"], variability = variable["variability"],
                      initial = variable["initial"];
    ++counts[causality];
    const bool has_start = !numbers["start"].empty();
    if (causality == "input") {
      EXPECT_TRUE(variability == "continuous" && initial.empty() && has_start);
    } else if (causality == "output") {
      EXPECT_TRUE(variability == "continuous" && initial == "calculated" && !has_start);
    } else if (causality == "parameter") {
      EXPECT_TRUE((variability == "fixed" || variability == "tunable") && initial == "exact" && has_start);
    } else if (causality == "calculatedParameter") {
      EXPECT_TRUE((variability == "fixed" || variability == "tunable") && initial == "calculated" && !has_start);
    } else {
      EXPECT_EQ(causality, "independent");
      EXPECT_TRUE(variability == "continuous" && initial.empty() && !has_start);
      ++independent;
    }
  }
  EXPECT_EQ(independent, 1);
  EXPECT_GT(counts["output"], 0);
}

TEST_P(DescriptionTest, StructureListsOutputsAndUnknowns) {
  const bool two = version_ == 2;
  std::set<std::string> outputs, unknowns, listed_outputs, listed_unknowns;
  int index = 0;
  for (const XmlElement& variable : variables()) {
    const std::string key = two ? std::to_string(++index) : variable["valueReference"];
    if (variable["causality"] == "output") outputs.insert(key);
    if (variable["initial"] == "calculated") unknowns.insert(key);
  }
  const XmlElement& structure = *root_.child("ModelStructure");
  check_children(structure, two ? std::vector<std::string>{"Outputs", "Derivatives", "InitialUnknowns"}
                                : std::vector<std::string>{"Output", "ContinuousStateDerivative", "ClockedState",
                                                           "InitialUnknown", "EventIndicator"});
  if (two) {
    for (const XmlElement& one : structure.child("Outputs")->children)
      EXPECT_TRUE(listed_outputs.insert(one["index"]).second);
    for (const XmlElement& one : structure.child("InitialUnknowns")->children)
      EXPECT_TRUE(listed_unknowns.insert(one["index"]).second);
  } else {
    for (const XmlElement& one : structure.children)
      EXPECT_TRUE((one.name == "Output" ? listed_outputs : listed_unknowns).insert(one["valueReference"]).second);
  }
  EXPECT_EQ(outputs, listed_outputs);
  EXPECT_EQ(unknowns, listed_unknowns);
}

bool is_number(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return !text.empty() && *end == 0 && std::isfinite(value) && text.find_first_of("xXnN ") == std::string::npos;
}

// What the schema's types allow: xs:boolean, xs:double, xs:unsignedInt, names.
TEST_P(DescriptionTest, ValuesAreOfTheirTypes) {
  const auto numbers = [](const XmlElement& element, const std::vector<std::string>& names) {
    for (const std::string& name : names)
      if (element.attributes.count(name) > 0)
        EXPECT_TRUE(is_number(element[name])) << element.name << " " << name << " '" << element[name] << "'";
  };
  const XmlElement& kind = *root_.child("CoSimulation");
  for (const auto& [name, value] : kind.attributes) {
    if (name == "modelIdentifier") {
      EXPECT_TRUE(std::isalpha(static_cast<unsigned char>(value[0])) || value[0] == '_') << value;
      for (const char c : value) EXPECT_TRUE(std::isalnum(static_cast<unsigned char>(c)) || c == '_') << value;
    } else if (name == "fixedInternalStepSize" || name == "maxOutputDerivativeOrder") {
      EXPECT_TRUE(is_number(value)) << name;
    } else {
      EXPECT_TRUE(value == "true" || value == "false") << name;
    }
  }
  EXPECT_FALSE(root_[version_ == 2 ? "guid" : "instantiationToken"].empty());
  EXPECT_FALSE(root_["modelName"].empty());
  numbers(*root_.child("DefaultExperiment"), {"startTime", "stopTime", "stepSize"});
  for (const XmlElement& unit : root_.child("UnitDefinitions")->children)
    for (const XmlElement& base : unit.children) {
      numbers(base, {"factor", "offset"});
      for (const char* name : {"kg", "m", "s", "A", "K", "mol", "cd", "rad"})
        if (!base[name].empty()) EXPECT_EQ(base[name].find_first_not_of("-0123456789"), std::string::npos);
    }
  for (const XmlElement& variable : variables()) {
    EXPECT_FALSE(variable["name"].empty());
    EXPECT_EQ(variable["name"].find_first_of("\r\n\t"), std::string::npos);
    EXPECT_EQ(variable["valueReference"].find_first_not_of("0123456789"), std::string::npos);
    const XmlElement& values = version_ == 2 ? variable.children[0] : variable;
    numbers(values, {"start", "min", "max", "nominal"});
    if (values["start"].empty()) continue;
    if (!values["min"].empty()) EXPECT_GE(std::stod(values["start"]), std::stod(values["min"])) << variable["name"];
    if (!values["max"].empty()) EXPECT_LE(std::stod(values["start"]), std::stod(values["max"])) << variable["name"];
  }
}

// An output that is said to follow certain inputs at once names those alone, and coordinates follow none.
TEST_P(DescriptionTest, DependenciesAreOfInputs) {
  const bool two = version_ == 2;
  std::map<std::string, XmlElement> by_key;
  int index = 0;
  for (const XmlElement& variable : variables())
    by_key[two ? std::to_string(++index) : variable["valueReference"]] = variable;
  const XmlElement& structure = *root_.child("ModelStructure");
  int coordinates = 0;
  for (const XmlElement& one : (two ? *structure.child("Outputs") : structure).children) {
    if (!two && one.name != "Output") continue;
    const std::string name = by_key.at(one[two ? "index" : "valueReference"])["name"];
    std::istringstream list(one["dependencies"]);
    for (std::string key; list >> key;) EXPECT_EQ(by_key.at(key)["causality"], "input") << name;
    if (!name.ends_with(".q") && !name.ends_with(".v")) continue;
    EXPECT_EQ(one.attributes.count("dependencies"), 1u) << name;
    EXPECT_EQ(one["dependencies"], "") << name;
    ++coordinates;
  }
  if (std::get<0>(GetParam()) == std::string("four_bar.yaml")) EXPECT_GT(coordinates, 0);
}

class Dependencies : public FmuTest, public testing::WithParamInterface<int> {};

TEST_P(Dependencies, AreThoseOfTheExpressions) {
  write("m.yaml",
        "cardan: 1\nname: m\nplanar: true\nbodies: {arm: {rod: [[0, 0], [1, 0]], mass: 2}}\n"
        "joints: {pin: {revolute: [ground, arm], at: [0, 0]}}\ninputs: {a: 0, b: 0}\n"
        "signals: {none: 2*pin.q + t, one: sin(pin.v)*b, both: a + one, felt: motor.effort}\n"
        "loads: {motor: {actuator: pin, effort: a}}\noutputs: [none, one, both, felt, pin.q, pin.a]\n"
        "simulation: {until: 1}\n");
  FmuExport request;
  request.model = (folder_ / "m.yaml").string();
  request.version = GetParam();
  request.object = FMU_OBJECT;
  write("model.fmu", export_fmu(request).bytes);
  std::filesystem::create_directories(folder_ / "fmu");
  ZipReader(folder_ / "model.fmu").extract(folder_ / "fmu");
  const XmlElement root = parse(bytes_of(folder_ / "fmu/modelDescription.xml"));
  const bool two = GetParam() == 2;
  std::map<std::string, std::string> names, said;
  int index = 0;
  for (const XmlElement& v : root.child("ModelVariables")->children)
    names[two ? std::to_string(++index) : v["valueReference"]] = v["name"];
  const XmlElement& structure = *root.child("ModelStructure");
  for (const XmlElement& one : (two ? *structure.child("Outputs") : structure).children) {
    if (!two && one.name != "Output") continue;
    std::string list = one.attributes.count("dependencies") > 0 ? "" : "any";
    std::istringstream keys(one["dependencies"]);
    for (std::string key; keys >> key;) list += names.at(key);
    said[names.at(one[two ? "index" : "valueReference"])] = list;
  }
  const std::map<std::string, std::string> expected{{"none", ""},  {"one", "b"},  {"both", "ab"},
                                                    {"felt", "a"}, {"pin.q", ""}, {"pin.a", "any"}};
  EXPECT_EQ(said, expected);
}

INSTANTIATE_TEST_SUITE_P(Fmu, Dependencies, testing::Values(2, 3));

INSTANTIATE_TEST_SUITE_P(Fmu, DescriptionTest,
                         testing::Combine(testing::Values("excavator.yaml", "excavator_driven.yaml", "iltis.yaml",
                                                          "iltis_driven.yaml", "puma560.yaml", "puma_driven.yaml",
                                                          "four_bar.yaml", "double_four_bar.yaml", "forklift.yaml",
                                                          "steered_axle.yaml", "stewart_platform.yaml"),
                                          testing::Values(2, 3)),
                         [](const auto& info) {
                           const std::string name = std::get<0>(info.param);
                           return name.substr(0, name.find('.')) + std::to_string(std::get<1>(info.param));
                         });

TEST(UnitDefinitionTest, KnowsWhatSignalsAreMeasuredIn) {
  const auto is = [](const char* unit, std::array<int, 8> exponents, double factor = 1) {
    const auto found = define_unit(unit);
    ASSERT_TRUE(found.has_value()) << unit;
    EXPECT_EQ(found->exponents, exponents) << unit;
    EXPECT_NEAR(found->factor, factor, 1e-15 * factor) << unit;
  };
  is("m", {0, 1});
  is("N m", {1, 2, -2});
  is("m/s^2", {0, 1, -2});
  is("N s/m", {1, 0, -1});
  is("rad/s", {0, 0, -1, 0, 0, 0, 0, 1});
  is("1/s", {0, 0, -1});
  is("m^3/s", {0, 3, -1});
  is("Pa", {1, -1, -2});
  is("kN/mm", {1, 0, -2}, 1e6);
  is("W", {1, 2, -3});
  for (const char* unit : {"", "furlong", "m^0", "m^99", "?", "m^"})
    EXPECT_FALSE(define_unit(unit).has_value()) << unit;
}

}  // namespace
}  // namespace cardan
