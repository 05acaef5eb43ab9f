// Every file under bad/ starts with the messages it must give, one per `# expect:` line, the file's name left out;
// LOADS stands for the kinds of loads, JOINTS for the types of joints, INTEGRATORS for those. Nothing that a file can
// hold may end in anything but a ModelError.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "cardan/element.hpp"
#include "cardan/io.hpp"
#include "cardan/registry.hpp"
#include "mechanism/joint_types.hpp"

namespace cardan {
namespace {

const std::filesystem::path kFolder = std::filesystem::path(CARDAN_SOURCE_DIR) / "tests/io/bad";
const std::filesystem::path kModels = std::filesystem::path(CARDAN_SOURCE_DIR) / "models";

std::string bad_text(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string expected_messages(const std::string& text) {
  const std::string mark = "# expect: ";
  std::istringstream lines(text);
  std::string line, expected;
  while (std::getline(lines, line) && line.starts_with(mark)) expected += line.substr(mark.size()) + "\n";
  const auto fill_in = [&](const std::string& word, const auto& list, auto name_of) {
    const std::size_t at = expected.find(word);
    if (at == std::string::npos) return;
    std::string names;
    for (const auto& item : list) {
      const std::string name(name_of(item));
      if (!name.empty()) names += (names.empty() ? "" : ", ") + name;
    }
    expected.replace(at, word.size(), names);
  };
  fill_in("LOADS", known_elements(), [](const Element& e) {
    return e.kind().section == std::string("load") ? std::string(e.kind().name) : std::string();
  });
  fill_in("JOINTS", joint_types(), [](const JointTraits& type) { return type.name; });
  fill_in("INTEGRATORS", integrator_choices(), [](const RegistryEntry& entry) { return entry.name; });
  return expected;
}

std::string messages(const std::string& text) {
  try {
    read_mechanism_text(text, "");
    return "";
  } catch (const ModelError& e) {
    return std::string(e.what()) + "\n";
  }
}

class BadModel : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(BadModel, GivesExactlyTheExpectedMessages) {
  const std::string text = bad_text(GetParam());
  const std::string expected = expected_messages(text);
  ASSERT_FALSE(expected.empty()) << "the file does not start with '# expect: '";
  EXPECT_EQ(messages(text), expected);
}

INSTANTIATE_TEST_SUITE_P(Files, BadModel, testing::ValuesIn(files_in(kFolder)),
                         [](const auto& info) { return info.param.stem().string(); });

TEST(BadModels, AreManyAndEachOfItsOwn) { EXPECT_GE(files_in(kFolder).size(), 70u); }

TEST(BadFiles, EmptyText) {
  EXPECT_EQ(messages(""), "1:1: error: the file is empty; a model starts with 'cardan: 1'\n");
}

std::string file_message(const std::string& path) {
  try {
    read_mechanism(path);
    return "";
  } catch (const ModelError& e) {
    return e.what();
  }
}

TEST(BadFiles, MissingFile) {
  EXPECT_EQ(file_message("no/such/file.yaml"),
            "no/such/file.yaml: error: the file cannot be opened: No such file or directory");
}

TEST(BadFiles, Directory) { EXPECT_EQ(file_message("."), ".: error: this is a directory, not a model file"); }

TEST(BadFiles, MessagesNameTheFile) {
  const std::string path = (kFolder / "mass_negative.yaml").string();
  EXPECT_EQ(file_message(path) + "\n", path + ":" + expected_messages(bad_text(path)));
}

TEST(BadFiles, ManyErrorsComeTogetherAndInOrder) {
  try {
    read_mechanism_text(bad_text(kFolder / "several.yaml"), "several.yaml");
    FAIL();
  } catch (const ModelError& e) {
    ASSERT_EQ(e.diagnostics().size(), 4u);
    for (std::size_t i = 1; i < 4; ++i) EXPECT_GT(e.diagnostics()[i].where.line, e.diagnostics()[i - 1].where.line);
    EXPECT_EQ(e.diagnostics()[0].element, "body 'arm'");
    EXPECT_EQ(e.diagnostics()[0].remedy, "did you mean 'mass'?");
  }
}

// A file cut anywhere is either a smaller model or an error.
TEST(BadFiles, OfVeryManyErrorsTheFirstAreShown) {
  std::string text = "cardan: 1\nname: many\nplanar: true\nbodies:\n";
  for (int i = 0; i < 50; ++i) text += "  b" + std::to_string(i) + ": {mass: -1, rod: [[0, 0], [1, 0]]}\n";
  try {
    read_mechanism_text(text, "many.yaml");
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_EQ(error.diagnostics().size(), 50U);
    const std::string message = error.what();
    EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 20);
    EXPECT_TRUE(message.ends_with("\nand 30 more")) << message;
  }
}

TEST(DamagedModels, CutAnywhere) {
  for (const auto& path : files_in(kModels)) {
    const std::string text = bad_text(path);
    for (std::size_t length = 0; length < text.size(); length += 7)
      EXPECT_NO_FATAL_FAILURE(messages(text.substr(0, length)));
  }
}

// So is a file with a few characters replaced by others.
TEST(DamagedModels, CharactersReplaced) {
  const std::string others = "[]{}:,-\"'#&*!|>%@`?~ \n\t\\0123456789.eE+()xyzt\xc3\xff\x01";
  std::mt19937 random(20240501);
  std::vector<std::string> texts;
  for (const auto& path : files_in(kModels)) texts.push_back(bad_text(path));
  for (const auto& path : files_in(kFolder)) texts.push_back(bad_text(path));
  for (std::string text : texts) {
    if (text.size() > 4000) continue;
    for (int round = 0; round < 20; ++round) {
      std::string damaged = text;
      for (int i = 0; i < 3; ++i) damaged[random() % damaged.size()] = others[random() % others.size()];
      EXPECT_NO_FATAL_FAILURE(messages(damaged));
    }
  }
}

TEST(DamagedModels, RandomBytes) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    std::string bytes(random() % 200, ' ');
    for (char& byte : bytes) byte = static_cast<char>(random() % 256);
    EXPECT_FALSE(messages(bytes).empty());
  }
}

}  // namespace
}  // namespace cardan
