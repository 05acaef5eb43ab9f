// plots, outputs; docs/model-file.md is the reference.
//
//   TITLE: COLUMN | [COLUMN, ...]
//
// COLUMN is one of trajectory.csv, `*` in it standing for anything.
#include <fmt/format.h>

#include "io/yaml_sections.hpp"

namespace cardan {

void read_plots(Reading& reading, const YamlNode& section, MechanismSpec& mechanism) {
  for (const YamlEntry& entry : section.entries) {
    const std::string element = element_label("plot", entry.key);
    PlotSpec plot;
    plot.title = Name(entry.key, entry.where);
    const auto add = [&](const YamlNode& node) {
      if (const auto column = read_word(reading, node, element, "a column"))
        plot.columns.emplace_back(*column, node.where);
    };
    if (entry.value->kind == YamlNode::Kind::scalar) {
      add(*entry.value);
    } else if (entry.value->kind == YamlNode::Kind::sequence && !entry.value->items.empty()) {
      for (const YamlPointer& item : entry.value->items) add(*item);
    } else {
      wrong_kind(reading, *entry.value, element, "it", "a column of trajectory.csv or a list of columns");
    }
    mechanism.plots.push_back(std::move(plot));
  }
}

/// outputs: [COLUMN, ...]
void read_outputs(Reading& reading, const YamlNode& section, MechanismSpec& mechanism) {
  for (const YamlPointer& item : section.items) {
    if (const auto column = read_word(reading, *item, "outputs", "a column"))
      mechanism.outputs.emplace_back(*column, item->where);
  }
}

}  // namespace cardan
