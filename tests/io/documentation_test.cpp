// What docs/ shows is true: its models can be read, assembled and run, and the reference of the model file leaves out
// no element and no field that the reader knows. The reader itself is asked what it knows: it lists it when it is given
// something that it does not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <utility>

#include "cardan/io.hpp"
#include "cardan/simulation.hpp"
#include "io/documented_models.hpp"
#include "io/yaml_tree.hpp"

namespace cardan {
namespace {

const std::string kReference = CARDAN_SOURCE_DIR "/docs/model-file.md";
constexpr const char* kUnknown = "qqqqqqqqqqqq";

class FiniteSink : public Sink {
 public:
  void start(const std::vector<std::string>& columns) override { columns_ = columns; }
  void sample(const double* row, std::size_t size) override {
    for (std::size_t i = 0; i < size; ++i) EXPECT_TRUE(std::isfinite(row[i])) << columns_[i];
  }

 private:
  std::vector<std::string> columns_;
};

TEST(Documentation, EveryModelReadsAssemblesAndRuns) {
  const std::vector<DocumentedModel> models = all_documented_models();
  EXPECT_GE(models.size(), 30u);
  for (const auto& [page, model] : models) {
    SCOPED_TRACE(page + ":" + model);
    try {
      const Mechanism mechanism = read_mechanism_text(model, page);
      if (model.find("unphysical: true") == std::string::npos) EXPECT_TRUE(mechanism.warnings.empty());
      EXPECT_GE(count_coordinates(mechanism, "hybrid").degrees_of_freedom, 1);
      RunOptions options = RunOptions::for_mechanism(mechanism);
      options.until = std::min(options.until, 30 * options.step);
      FiniteSink sink;
      const RunSummary summary = run(mechanism, options, &sink);
      EXPECT_EQ(summary.status, RunStatus::ok) << summary.reason;
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

/// What the reader says of a model, all messages and remedies.
std::vector<Diagnostic> complaints_about(const std::string& model) {
  try {
    read_mechanism_text(model, "test.yaml");
  } catch (const ModelError& error) {
    return error.diagnostics();
  }
  return {};
}

std::set<std::string> words_after(const std::string& text, const std::string& start) {
  std::set<std::string> words;
  const std::size_t at = text.find(start);
  if (at == std::string::npos) return words;
  std::istringstream in(text.substr(at + start.size()));
  for (std::string word; std::getline(in, word, ',');) words.insert(std::regex_replace(word, std::regex("\\s"), ""));
  return words;
}

/// Fields that the reader takes at a place of a model where `UNKNOWN` stands for a field, planar and in space.
std::set<std::string> fields_at(const std::string& place) {
  std::set<std::string> fields;
  for (const char* planar : {"true", "false"}) {
    const std::string model = "cardan: 1\nplanar: " + std::string(planar) + "\n" +
                              std::regex_replace(place, std::regex("UNKNOWN"), std::string(kUnknown) + ": 1");
    for (const Diagnostic& d : complaints_about(model)) {
      if (d.message.find(kUnknown) != std::string::npos) fields.merge(words_after(d.remedy, "the fields are "));
    }
  }
  EXPECT_FALSE(fields.empty()) << place;
  return fields;
}

/// Kinds of elements of a section (or of functions), which stand as the first field of an element.
std::set<std::string> kinds_at(const std::string& place) {
  std::set<std::string> kinds;
  for (const Diagnostic& d : complaints_about("cardan: 1\n" + place))
    kinds.merge(words_after(d.remedy, "give one of "));
  EXPECT_FALSE(kinds.empty()) << place;
  return kinds;
}

/// Every model of the reference page and the files that it includes, as trees.
std::vector<YamlPointer> read_example_trees() {
  std::vector<std::string> texts{text_of(CARDAN_SOURCE_DIR "/models/parts/double_wishbone.yaml")};
  for (const DocumentedModel& model : models_of(kReference)) texts.push_back(model.text);
  std::vector<YamlPointer> trees;
  for (const std::string& text : texts) {
    Problems problems;
    trees.push_back(parse_yaml(text, "example", problems));
  }
  return trees;
}

const std::vector<YamlPointer>& example_trees() {
  static const std::vector<YamlPointer> trees = read_example_trees();
  return trees;
}

/// Every word that stands in an inline piece of code of the reference page.
std::set<std::string> read_words_in_code() {
  std::set<std::string> words;
  std::istringstream page(text_of(kReference));
  for (std::string line; std::getline(page, line);) {
    std::istringstream pieces(line);
    std::string piece;
    for (bool code = false; std::getline(pieces, piece, '`'); code = !code) {
      if (!code) continue;
      std::string word;
      for (const char c : piece + ' ') {
        if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
          word += c;
        } else {
          words.insert(std::exchange(word, ""));
        }
      }
    }
  }
  return words;
}

/// Fields of the elements of a section that have the field `kind`, those of all elements when it is empty.
std::set<std::string> used_in(const std::string& section, const std::string& kind) {
  std::set<std::string> used;
  for (const YamlPointer& tree : example_trees()) {
    const YamlEntry* found = tree->find(section);
    if (found == nullptr) continue;
    for (const YamlEntry& element : found->value->entries) {
      if (!kind.empty() && element.value->find(kind) == nullptr) continue;
      for (const YamlEntry& field : element.value->entries) used.insert(field.key);
    }
  }
  return used;
}

void collect_keys(const YamlNode& node, std::set<std::string>& keys) {
  for (const YamlPointer& item : node.items) collect_keys(*item, keys);
  for (const YamlEntry& entry : node.entries) keys.insert(entry.key), collect_keys(*entry.value, keys);
}

class Reference : public testing::Test {
 protected:
  void expect_described(const std::string& field, const std::string& owner) {
    static const std::set<std::string> words = read_words_in_code();
    EXPECT_TRUE(words.contains(field)) << "docs/model-file.md does not describe the field '" << field << "' of "
                                       << owner;
  }
  /// Fields that many kinds have must be in a model with any of them, others in one with that kind.
  void expect_described_and_used(const std::string& section, const std::string& kind,
                                 const std::set<std::string>& fields) {
    static const std::set<std::string> shared{"at", "x_axis", "drawn", "coordinate", "coordinates", "frame"};
    const std::set<std::string> own = used_in(section, kind), any = used_in(section, "");
    for (const std::string& field : fields) {
      expect_described(field, section + " " + kind);
      const std::set<std::string>& used = shared.contains(field) ? any : own;
      EXPECT_TRUE(used.contains(field)) << "no model of docs/model-file.md has the field '" << field << "' in "
                                        << section << (kind.empty() ? "" : " of the kind ") << kind;
    }
  }
};

TEST_F(Reference, HasEverySection) {
  for (const std::string& section : fields_at("UNKNOWN\n")) {
    expect_described(section, "a model");
    if (section == "fmus") continue;  // needs an archive: tests/fmu runs the model of docs/connect.md
    const auto& trees = example_trees();
    EXPECT_TRUE(std::any_of(trees.begin(), trees.end(), [&](const auto& tree) {
      return tree->find(section) != nullptr;
    })) << section;
  }
}

TEST_F(Reference, HasEveryElementWithEveryFieldInAModelThatRuns) {
  for (const char* section : {"joints", "loads", "couplers", "drivers"}) {
    const std::set<std::string> kinds = kinds_at(section + std::string(": {e: {}}\n"));
    for (const std::string& kind : kinds) {
      expect_described_and_used(section, kind,
                                fields_at(section + std::string(": {e: {") + kind + ": [a, b], UNKNOWN}}\n"));
    }
  }
  // What every body may have must be in a model with any shape.
  const std::map<std::string, std::string> shapes{{"rod", "[[0, 0], [1, 1]]"},
                                                  {"box", "[1, 1, 1]"},
                                                  {"cylinder", "[[0, 0], [1, 1]]"},
                                                  {"sphere", "1"},
                                                  {"center", "[0, 0, 0]"}};
  std::map<std::string, std::set<std::string>> fields_of;
  for (const auto& [shape, value] : shapes)
    fields_of[shape] = fields_at("bodies: {b: {" + shape + ": " + value + ", UNKNOWN}}\n");
  std::set<std::string> common = fields_of.at("rod");
  for (const auto& [shape, fields] : fields_of)
    std::erase_if(common, [&](const auto& f) { return !fields.contains(f); });
  for (auto& [shape, fields] : fields_of) {
    std::erase_if(fields, [&](const auto& f) { return common.contains(f) || (f != shape && shapes.contains(f)); });
    expect_described_and_used("bodies", shape, fields);
  }
  expect_described_and_used("bodies", "", common);
  expect_described_and_used("markers", "", fields_at("markers: {m: {UNKNOWN}}\n"));
  expect_described_and_used("roads", "", fields_at("roads: {r: {UNKNOWN}}\n"));
  expect_described_and_used("events", "", fields_at("events: {e: {UNKNOWN}}\n"));
  expect_described_and_used("subsystems", "", fields_at("subsystems: {s: {UNKNOWN}}\n"));
  const std::string bodies = "bodies: {b: {mass: 1, center: [0, 0, 0], inertia: [1, 1, 1]}}\n";
  expect_described_and_used("initial", "", fields_at(bodies + "initial: {b: {UNKNOWN}}\n"));
  for (const std::string& field : fields_at("simulation: {UNKNOWN}\n")) expect_described(field, "simulation");
  for (const std::string& field : fields_at("loads: {t: {tyre: b, road: r, lateral: {calspan: {UNKNOWN}}}}\n"))
    expect_described(field, "calspan");
}

TEST_F(Reference, HasEveryKindOfFunction) {
  std::set<std::string> keys;
  for (const YamlPointer& tree : example_trees()) collect_keys(*tree, keys);
  for (const std::string& kind : kinds_at("loads: {a: {actuator: j, effort: {}}}\n")) {
    expect_described(kind, "functions");
    EXPECT_TRUE(keys.contains(kind)) << "no model of docs/model-file.md has a function given by '" << kind << "'";
  }
}

}  // namespace
}  // namespace cardan
