#include "export/fmu_description.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>
#include <vector>

#include "export/unit_definition.hpp"
#include "text/xml_text.hpp"

namespace cardan {
namespace {

std::string attribute(const char* name, const std::string& value) {
  return fmt::format(" {}=\"{}\"", name, xml_text(value));
}
std::string attribute(const char* name, double value) { return fmt::format(" {}=\"{}\"", name, value); }

/// Value references are those of fmu/instance.hpp.
struct ListedVariable {
  unsigned reference = 0;
  std::string name, causality, variability;
  const cardan_simulation::Variable* variable = nullptr;  // none: the time
  bool has_start = false;
};

class Description {
 public:
  Description(const FmuHeader& header, cardan_simulation& simulation) : header_(header), simulation_(simulation) {
    listed_.push_back({0, "time", "independent", "continuous", nullptr, false});
    names_.insert("time");
    unsigned reference = 1;
    const auto add = [&](cardan_kind kind, const char* causality, const char* variability, bool has_start) {
      for (const auto& variable : simulation.variables(kind)) {
        const bool follows = kind == CARDAN_PARAMETER && variable.follows;
        const bool tunable = kind == CARDAN_PARAMETER && header.tunable.count(variable.name) > 0;
        list({reference++, variable.name, follows ? "calculatedParameter" : causality,
              tunable ? "tunable" : variability, &variable, has_start && !follows});
      }
    };
    add(CARDAN_INPUT, "input", "continuous", true);
    add(CARDAN_OUTPUT, "output", "continuous", false);
    add(CARDAN_PARAMETER, "parameter", "fixed", true);
  }

  std::string text() {
    const bool two = header_.version == 2;
    std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription";
    xml += attribute("fmiVersion", two ? "2.0" : "3.0") + attribute("modelName", header_.model);
    xml += attribute(two ? "guid" : "instantiationToken", header_.token) + attribute("generationTool", header_.tool);
    xml +=
        attribute("variableNamingConvention", "flat") + (two ? attribute("numberOfEventIndicators", "0") : "") + ">\n";
    xml += interface() + units() + categories();
    xml += fmt::format("  <DefaultExperiment startTime=\"0\" stopTime=\"{}\" stepSize=\"{}\"/>\n", simulation_.end(),
                       simulation_.step_size());
    xml += "  <ModelVariables>\n";
    for (const ListedVariable& v : listed_) xml += two ? scalar_variable(v) : float64(v);
    xml += "  </ModelVariables>\n" + structure() + "</fmiModelDescription>\n";
    return xml;
  }

 private:
  /// Names are unique: an output that is an input is there once, a parameter that a signal is called as by another
  /// name.
  void list(ListedVariable variable) {
    if (names_.count(variable.name) > 0 && variable.causality == "output") return;
    while (!names_.insert(variable.name).second) variable.name = "parameter." + variable.name;
    listed_.push_back(std::move(variable));
  }

  std::string interface() const {
    const bool two = header_.version == 2;
    std::string xml = "  <CoSimulation" + attribute("modelIdentifier", header_.identifier);
    xml += attribute("needsExecutionTool", "false") + attribute("canHandleVariableCommunicationStepSize", "true");
    if (two) {
      xml += attribute("canInterpolateInputs", "false") + attribute("maxOutputDerivativeOrder", "0");
      xml += attribute("canRunAsynchronuously", "false") + attribute("canNotUseMemoryManagementFunctions", "true");
    }
    xml += attribute("canBeInstantiatedOnlyOncePerProcess", "false");
    xml += attribute(two ? "canGetAndSetFMUstate" : "canGetAndSetFMUState", "true");
    xml += attribute(two ? "canSerializeFMUstate" : "canSerializeFMUState", "true");
    const char* derivatives = simulation_.knows_derivatives() ? "true" : "false";
    xml += attribute(two ? "providesDirectionalDerivative" : "providesDirectionalDerivatives", derivatives);
    if (!two) xml += attribute("providesAdjointDerivatives", derivatives);
    if (!two) {
      if (!simulation_.chooses_steps()) xml += attribute("fixedInternalStepSize", simulation_.step_size());
      xml += attribute("hasEventMode", "false") + attribute("mightReturnEarlyFromDoStep", "true");
    }
    return xml + "/>\n";
  }

  std::string units() const {
    std::set<std::string> used{"s"};
    for (const ListedVariable& v : listed_)
      if (v.variable != nullptr && !v.variable->unit.empty()) used.insert(v.variable->unit);
    std::string xml = "  <UnitDefinitions>\n";
    for (const std::string& unit : used) {
      xml += "    <Unit" + attribute("name", unit);
      const auto definition = define_unit(unit);
      if (!definition) {
        xml += "/>\n";
        continue;
      }
      xml += "><BaseUnit";
      for (std::size_t i = 0; i < definition->exponents.size(); ++i)
        if (definition->exponents[i] != 0)
          xml += attribute(UnitDefinition::kBase[i], std::to_string(definition->exponents[i]));
      if (definition->factor != 1) xml += attribute("factor", definition->factor);
      xml += "/></Unit>\n";
    }
    return xml + "  </UnitDefinitions>\n";
  }

  static std::string categories() {
    return "  <LogCategories>\n"
           "    <Category name=\"logStatusError\" description=\"what went wrong, and what would be right\"/>\n"
           "    <Category name=\"logEvents\" description=\"events of the model\"/>\n"
           "  </LogCategories>\n";
  }

  static std::string numbers(const ListedVariable& v) {
    std::string xml;
    if (v.variable == nullptr) return attribute("unit", "s");
    if (!v.variable->unit.empty()) xml += attribute("unit", v.variable->unit);
    if (std::isfinite(v.variable->min)) xml += attribute("min", v.variable->min);
    if (std::isfinite(v.variable->max)) xml += attribute("max", v.variable->max);
    if (v.has_start) xml += attribute("start", v.variable->start);
    return xml;
  }

  static std::string scalar_variable(const ListedVariable& v) {
    return "    <ScalarVariable" + attribute("name", v.name) +
           attribute("valueReference", std::to_string(v.reference)) + attribute("causality", v.causality) +
           attribute("variability", v.variability) + initial(v) + "><Real" + numbers(v) + "/></ScalarVariable>\n";
  }

  static std::string float64(const ListedVariable& v) {
    return "    <Float64" + attribute("name", v.name) + attribute("valueReference", std::to_string(v.reference)) +
           attribute("causality", v.causality) + attribute("variability", v.variability) + initial(v) + numbers(v) +
           "/>\n";
  }

  static std::string initial(const ListedVariable& v) {
    if (is_calculated(v)) return attribute("initial", "calculated");
    return v.causality == "parameter" ? attribute("initial", "exact") : "";
  }

  static bool is_calculated(const ListedVariable& v) {
    return v.causality == "output" || v.causality == "calculatedParameter";
  }

  /// The inputs that an output changes with at once; no attribute: all that is known.
  std::string dependencies(const ListedVariable& output) const {
    const auto inputs = simulation_.inputs_of(*output.variable);
    if (!inputs) return "";
    std::string list;
    for (std::size_t i = 0; i < listed_.size(); ++i) {
      if (listed_[i].causality != "input" || inputs->count(listed_[i].reference - 1) == 0) continue;
      list += (list.empty() ? "" : " ") + std::to_string(header_.version == 2 ? i + 1 : listed_[i].reference);
    }
    return attribute("dependencies", list);
  }

  std::string structure() const {
    const bool two = header_.version == 2;
    std::string outputs, unknowns;
    for (std::size_t i = 0; i < listed_.size(); ++i) {
      const ListedVariable& v = listed_[i];
      const std::string which =
          two ? attribute("index", std::to_string(i + 1)) : attribute("valueReference", std::to_string(v.reference));
      if (v.causality == "output")
        outputs += (two ? "      <Unknown" : "    <Output") + which + dependencies(v) + "/>\n";
      if (is_calculated(v)) unknowns += (two ? "      <Unknown" : "    <InitialUnknown") + which + "/>\n";
    }
    if (two) {
      if (!outputs.empty()) outputs = "    <Outputs>\n" + outputs + "    </Outputs>\n";
      if (!unknowns.empty()) unknowns = "    <InitialUnknowns>\n" + unknowns + "    </InitialUnknowns>\n";
    }
    return "  <ModelStructure>\n" + outputs + unknowns + "  </ModelStructure>\n";
  }

  const FmuHeader& header_;
  cardan_simulation& simulation_;
  std::vector<ListedVariable> listed_;
  std::set<std::string> names_;
};

}  // namespace

std::string fmu_description(const FmuHeader& header, cardan_simulation& simulation) {
  return Description(header, simulation).text();
}

}  // namespace cardan
