#include "sweep/option_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "options/option_list.hpp"

namespace cardan {
namespace {

using Kind = YamlNode::Kind;

class OptionReader {
 public:
  OptionReader(Reading& reading, const YamlNode& section, const SourceLocation& where, SweepPlan& plan)
      : reading_(reading), problems_(reading.problems), fields_(reading, section, "simulation", where), plan_(plan) {}

  void read() {
    std::vector<std::string_view> known;
    visit_options([&known](const RunOption& option, auto&) { known.emplace_back(option.name); }, plan_.options);
    fields_.allow(known, "the simulation");
    visit_options([this](const RunOption& option, auto& value) { read_option(fields_, option, value); }, plan_.options);
  }

 private:
  template <class Value>
  void read_option(Fields& fields, const RunOption& option, std::optional<Value>& value) {
    const YamlNode* node = fields.node(option.name);
    if (node == nullptr) return;
    const bool varies = node->kind == Kind::sequence;
    if (varies && node->items.empty())
      fields.error(node->where, fmt::format("'{}' is an empty list", option.name), "give at least one");
    SweepAxis axis;
    axis.kind = SweepAxis::Kind::option, axis.name = option.name, axis.where = fields.where_of(option.name);
    const auto read = [&](const YamlNode& item) {
      const std::string what = fmt::format("'{}'", option.name);
      std::optional<Value> one;
      if constexpr (std::is_same_v<Value, double>) one = read_number(reading_, item, "simulation", what);
      if constexpr (std::is_same_v<Value, int>) one = read_integer(reading_, item, "simulation", what);
      if constexpr (std::is_same_v<Value, bool>) one = read_flag(reading_, item, "simulation", what);
      if constexpr (std::is_same_v<Value, std::string>) one = read_word(reading_, item, "simulation", what);
      if (one) check_option(option, *one, item.where);
      if constexpr (std::is_same_v<Value, std::string> || std::is_same_v<Value, bool>) {
        if (one) axis.words.push_back(item.text);
      } else {
        if (one) axis.values.push_back(static_cast<double>(*one));
      }
      return one;
    };
    if (!varies) {
      value = read(*node);
      return;
    }
    for (const YamlPointer& item : node->items) read(*item);
    plan_.axes.push_back(std::move(axis));
  }

  template <class Value>
  void check_option(const RunOption& option, const Value& value, const SourceLocation& where) {
    if constexpr (std::is_same_v<Value, std::string>) {
      if (option.choices == nullptr) return;
      std::vector<std::string> names;
      for (const RegistryEntry& entry : option.choices()) names.emplace_back(entry.name);
      if (std::find(names.begin(), names.end(), value) != names.end()) return;
      problems_.error(where, "simulation", fmt::format("no {} is called '{}'", option.kind, value),
                      suggestion(value, names, "there are"));
    } else if constexpr (!std::is_same_v<Value, bool>) {
      if (value >= option.least && !(option.above && value == option.least) && value <= option.most) return;
      problems_.error(where, "simulation", fmt::format("{} is {}", option.name, value), option.remedy);
    }
  }

  Reading& reading_;
  Problems& problems_;
  Fields fields_;
  SweepPlan& plan_;
};

}  // namespace

void read_options(Reading& reading, const YamlNode& section, const SourceLocation& where, SweepPlan& plan) {
  OptionReader(reading, section, where, plan).read();
}

}  // namespace cardan
