// Every key that a command writes as JSON is explained on the page that describes it.
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "program.hpp"

namespace cardan {
namespace {

/// Words inside `inline code` of a page.
std::set<std::string> words_in_code(const std::string& page) {
  std::ifstream stream(std::string(CARDAN_SOURCE_DIR "/docs/") + page);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  std::set<std::string> words;
  const std::regex span("`([^`\n]+)`"), word("[A-Za-z_][A-Za-z_0-9]*");
  for (std::sregex_iterator code(text.begin(), text.end(), span), end; code != end; ++code) {
    const std::string inside = (*code)[1];
    for (std::sregex_iterator w(inside.begin(), inside.end(), word); w != end; ++w) words.insert(w->str());
  }
  return words;
}

/// All keys of a value and what is in it, but for names that come from the model.
void collect_keys(const nlohmann::json& value, std::set<std::string>& keys) {
  static const std::set<std::string> kByName{"values", "shape", "loads"};
  if (value.is_array()) {
    for (const auto& entry : value) collect_keys(entry, keys);
  } else if (value.is_object()) {
    for (const auto& [key, inside] : value.items()) {
      keys.insert(key);
      if (!kByName.contains(key) || !inside.is_object())
        collect_keys(inside, keys);
      else if (!inside.empty())
        collect_keys(inside.begin().value(), keys);
    }
  }
}

class DocumentedKeysTest : public ProgramTest {
 protected:
  void expect_documented(const std::string& command, const std::string& page, std::size_t least) {
    const Result result = cardan(command);
    ASSERT_EQ(result.code, 0) << result.err;
    std::set<std::string> keys;
    collect_keys(nlohmann::json::parse(result.out), keys);
    EXPECT_GE(keys.size(), least) << command;
    const std::set<std::string> words = words_in_code(page);
    for (const std::string& key : keys) EXPECT_TRUE(words.contains(key)) << "`" << key << "` is not in docs/" << page;
  }
};

TEST_F(DocumentedKeysTest, Run) {
  // With events, loads, redundant joints and step control.
  expect_documented("run " CARDAN_SOURCE_DIR "/models/puma560.yaml --until 2.1 --json", "output.md", 40);
  expect_documented("run " CARDAN_SOURCE_DIR "/models/bricard.yaml --until 0.1 --integrator dopri5 --json", "output.md",
                    40);
}

TEST_F(DocumentedKeysTest, Drive) {
  write("driven.yaml", std::string(kFourBar) + "inputs: {push: {start: 0}}\noutputs: [pinA0.q]\n");
  const std::string drive = "drive driven.yaml --no-page --unpaced --until 0.1 --json --shared-memory /cardan_keys_";
  expect_documented(drive + std::to_string(getpid()), "output.md", 50);
}

TEST_F(DocumentedKeysTest, Check) {
  expect_documented("check " CARDAN_SOURCE_DIR "/models/puma560.yaml --json", "output.md", 12);
}

TEST_F(DocumentedKeysTest, Analyses) {
  expect_documented("equilibrium " CARDAN_SOURCE_DIR "/models/wishbone_axle.yaml --json", "analyses.md", 15);
  expect_documented("modes " CARDAN_SOURCE_DIR "/models/wishbone_axle.yaml --json", "analyses.md", 14);
}

}  // namespace
}  // namespace cardan
