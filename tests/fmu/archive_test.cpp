// Archives that others wrote, or damaged: clear errors, nothing outside of the folder, and no more memory than they are
// worth.
#include <gtest/gtest.h>

#include <random>

#include "fmu/description.hpp"
#include "fmu/fmu_model.hpp"
#include "fmu/zip_archive.hpp"
#include "fmu_files.hpp"

namespace cardan {
namespace {

class ArchiveTest : public FmuTest {
 protected:
  /// What is wrong with these bytes as an FMU.
  std::string error_of(const std::string& bytes) const {
    write("a.fmu", bytes);
    try {
      const UnpackedFmu fmu(folder_ / "a.fmu");
      return "";
    } catch (const std::runtime_error& error) {
      return error.what();
    }
  }
  static std::string with_entry(const std::string& name, const std::string& contents = "x") {
    ZipWriter archive;
    archive.add("modelDescription.xml", pid_description(2));
    archive.add("binaries/linux64/pid.so", bytes_of(PID_FMU));
    archive.add(name, contents);
    return archive.finish();
  }
  static std::string with_description(const std::string& xml) {
    ZipWriter archive;
    archive.add("modelDescription.xml", xml);
    archive.add("binaries/linux64/pid.so", bytes_of(PID_FMU));
    return archive.finish();
  }
  static std::string replaced(std::string text, const std::string& what, const std::string& by) {
    const std::size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    return at == std::string::npos ? text : text.replace(at, what.size(), by);
  }
};

TEST_F(ArchiveTest, ReadsWhatItWrites) {
  std::mt19937 random(7);
  std::vector<std::pair<std::string, std::string>> files{
      {"empty", ""}, {"a/b/c.txt", std::string(100000, 'a')}, {"ä.bin", ""}};
  for (int i = 0; i < 5000; ++i) files[2].second += static_cast<char>(random() & 255);
  ZipWriter writer;
  for (const auto& [name, contents] : files) writer.add(name, contents);
  write("a.zip", writer.finish());
  const ZipReader reader(folder_ / "a.zip");
  for (const auto& [name, contents] : files) EXPECT_EQ(reader.read(name), contents) << name;
  EXPECT_FALSE(reader.has("b"));
  EXPECT_THROW(reader.read("b"), ArchiveError);
  // Other programs read it too, where there is one.
  if (shell("command -v python3").code == 0) EXPECT_EQ(shell("python3 -m zipfile -t a.zip").out, "Done testing\n");
}

TEST_F(ArchiveTest, RefusesWhatIsNoFmu) {
  EXPECT_EQ(error_of(pid_fmu(2)), "");
  EXPECT_EQ(error_of(pid_fmu(3)), "");
  EXPECT_EQ(error_of(""), "it is no ZIP archive");
  EXPECT_EQ(error_of("some text"), "it is no ZIP archive");
  EXPECT_EQ(error_of(pid_fmu(2).substr(0, 3000)), "its directory is missing: the archive is truncated");
  ZipWriter nothing;
  EXPECT_EQ(error_of(nothing.finish()), "it has no modelDescription.xml: it is no FMU");
  ZipWriter no_binary;
  no_binary.add("modelDescription.xml", pid_description(2));
  no_binary.add("binaries/win64/pid.dll", "MZ");
  EXPECT_EQ(error_of(no_binary.finish()), "it has no 'binaries/linux64/pid.so': it was made for other systems");
  ZipWriter wrong_binary;
  wrong_binary.add("modelDescription.xml", pid_description(2));
  wrong_binary.add("binaries/linux64/pid.so", "MZ and what follows it");
  EXPECT_EQ(error_of(wrong_binary.finish()), "its binary is no shared object for x86-64 Linux");
  for (const std::size_t rest : {64, 100, 3000}) {
    ZipWriter cut_short;
    cut_short.add("modelDescription.xml", pid_description(2));
    cut_short.add("binaries/linux64/pid.so", bytes_of(PID_FMU).substr(0, rest));
    EXPECT_EQ(error_of(cut_short.finish()).substr(0, 27),
              "its binary is cut short: " + std::to_string(rest).substr(0, 2));
  }
}

TEST_F(ArchiveTest, StaysInItsFolder) {
  EXPECT_EQ(error_of(with_entry("../out.txt")), "entry '../out.txt' leads out of the archive");
  EXPECT_EQ(error_of(with_entry("resources/../../out.txt")),
            "entry 'resources/../../out.txt' leads out of the archive");
  EXPECT_EQ(error_of(with_entry("/tmp/out.txt")), "entry '/tmp/out.txt' has an absolute path");
  EXPECT_EQ(error_of(with_entry("a\\..\\b")), "entry 'a\\..\\b' has a name with '\\' or ':'");
  EXPECT_EQ(error_of(with_entry("c:b")), "entry 'c:b' has a name with '\\' or ':'");
  EXPECT_EQ(error_of(with_entry("a//b")), "entry 'a//b' has a path that is not plain");
  EXPECT_EQ(error_of(with_entry("./b")), "entry './b' has a path that is not plain");
  EXPECT_EQ(error_of(with_entry("a\nb")), "an entry has a name with control characters");
  EXPECT_EQ(error_of(with_entry("modelDescription.xml")), "entry 'modelDescription.xml' is there twice");
  // A symbolic link: the mode in the directory says so.
  std::string link = with_entry("resources/link", "/etc/passwd");
  const std::size_t at = link.rfind("resources/link") - 46 + 38 + 2;
  link[at] = '\0', link[at + 1] = static_cast<char>(0xa0);
  EXPECT_EQ(error_of(link), "entry 'resources/link' is a symbolic link");
  EXPECT_FALSE(std::filesystem::exists(folder_.parent_path() / "out.txt"));
}

TEST_F(ArchiveTest, DoesNotSwell) {
  // A hundred megabytes of zeros in a hundred kilobytes.
  EXPECT_EQ(error_of(with_entry("resources/zeros", std::string(100 << 20, '\0'))).substr(0, 15), "it would become");
  // In the shade of what does not pack.
  std::string noise;
  for (std::mt19937 random(3); noise.size() < 2 << 20;) noise += static_cast<char>(random() & 255);
  ZipWriter shaded;
  shaded.add("modelDescription.xml", pid_description(2));
  shaded.add("binaries/linux64/pid.so", bytes_of(PID_FMU));
  shaded.add("resources/noise", noise);
  shaded.add("resources/zeros", std::string(100 << 20, '\0'));
  EXPECT_EQ(error_of(shaded.finish()).substr(0, 15), "it would become");
  // One that says it is small and is not.
  std::string liar = with_entry("resources/zeros", std::string(1 << 20, '\0'));
  for (const std::size_t name : {liar.find("resources/zeros") - 30 + 22, liar.rfind("resources/zeros") - 46 + 24})
    liar[name] = 10, liar[name + 1] = liar[name + 2] = liar[name + 3] = 0;
  EXPECT_EQ(error_of(liar), "entry 'resources/zeros' is damaged");
  ZipWriter many;
  for (int i = 0; i < 10001; ++i) many.add("f" + std::to_string(i), "");
  EXPECT_EQ(error_of(many.finish()), "it has 10001 entries, more than 10000");
}

TEST_F(ArchiveTest, SaysWhatIsWrongWithTheDescription) {
  const std::string good = pid_description(2);
  EXPECT_EQ(error_of(with_description("")).substr(0, 31), "line 1 of modelDescription.xml:");
  EXPECT_EQ(error_of(with_description(good.substr(0, 300))).substr(0, 31), "line 5 of modelDescription.xml:");
  EXPECT_EQ(error_of(with_description(replaced(good, "pid\" guid", "\xff\xfe\" guid"))),
            "line 2 of modelDescription.xml: this is no text in UTF-8 (byte 0xff)");
  EXPECT_EQ(error_of(with_description(replaced(good, "UTF-8", "EBCDIC-37"))),
            "line 1 of modelDescription.xml: its encoding is 'EBCDIC-37', where FMI asks for UTF-8");
  EXPECT_EQ(error_of(with_description("<svg/>")),
            "line 1 of modelDescription.xml: this is a 'svg', no description of an FMU");
  EXPECT_EQ(error_of(with_description(replaced(good, "fmiVersion=\"2.0\"", "fmiVersion=\"1.0\""))),
            "line 2 of modelDescription.xml: version '1.0' of FMI is not known; 2.0 and 3.0 are");
  EXPECT_EQ(error_of(with_description(replaced(good, "CoSimulation", "ModelExchange"))),
            "it is not for co-simulation, and no other kind is read");
  EXPECT_EQ(error_of(with_description(replaced(good, "modelIdentifier=\"pid\"", "modelIdentifier=\"../pid\""))),
            "line 3 of modelDescription.xml: '../pid' is no model identifier");
  EXPECT_EQ(error_of(with_description(replaced(good, "valueReference=\"1\"", "valueReference=\"one\""))),
            "line 6 of modelDescription.xml: a variable needs a name and a value reference, but has 'y' and 'one'");
  // Entities that multiply.
  std::string laughs = "<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY a \"ha\">";
  for (char c = 'b'; c < 'p'; ++c) {
    const std::string inner = std::string("&") + static_cast<char>(c - 1) + ";";
    laughs +=
        std::string("<!ENTITY ") + c + " \"" + inner + inner + inner + inner + inner + inner + inner + inner + "\">";
  }
  EXPECT_NE(error_of(with_description(laughs + "]><fmiModelDescription fmiVersion=\"2.0\" modelName=\"&o;\"/>")), "");
  std::string deep = "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"a\">";
  for (int i = 0; i < 200000; ++i) deep += "<a>";
  EXPECT_EQ(error_of(with_description(deep)).substr(0, 31), "line 1 of modelDescription.xml:");
  // What older tools write.
  const std::string latin = replaced(replaced(good, "UTF-8", "iso-8859-1"), "modelName=\"pid\"", "modelName=\"\xe9\"");
  EXPECT_EQ(read_description(latin).model, "\u00e9");
}

/// Any damage ends in an error, or in nothing that matters.
TEST_F(ArchiveTest, SurvivesDamage) {
  ZipWriter archive;
  archive.add("modelDescription.xml", pid_description(3));
  archive.add("binaries/x86_64-linux/pid.so", bytes_of(PID_FMU));
  archive.add("resources/a.txt", std::string(3000, 'a'));
  const std::string good = archive.finish();
  std::mt19937 random(11);
  int refused = 0;
  for (int i = 0; i < 800; ++i) {
    std::string bad = good;
    const int changes = 1 + static_cast<int>(random() % 4);
    for (int j = 0; j < changes; ++j) bad[random() % bad.size()] = static_cast<char>(random() & 255);
    if (i % 3 == 0) bad.resize(random() % bad.size());
    refused += error_of(bad).empty() ? 0 : 1;
  }
  EXPECT_GT(refused, 500);
}

}  // namespace
}  // namespace cardan
