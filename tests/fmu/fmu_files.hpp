// FMUs for tests: made by the program, by hand around an FMU in C, and broken on purpose.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "fmu/zip_archive.hpp"

namespace cardan {

inline std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class FmuTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "cardan fmu_XXXXXX").string();  // with a space
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& file, const std::string& text) const {
    std::ofstream(folder_ / file, std::ios::binary) << text;
  }
  struct Result {
    int code = -1;
    std::string out;
  };
  Result shell(const std::string& command) const {
    const std::string script = "cd '" + folder_.string() + "' && { " + command + "; } > stdout.txt 2>&1";
    const int status = std::system(script.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, bytes_of(folder_ / "stdout.txt")};
  }

  /// Exports a model into NAME.fmu and unpacks it into the folder NAME.
  void export_and_unpack(const std::string& name, const std::string& model, int version,
                         const std::string& options = "") {
    const Result made = shell("'" CARDAN_PROGRAM "' export fmu '" + model + "' --fmi " + std::to_string(version) + " " +
                              options + " -o " + name + ".fmu");
    ASSERT_EQ(made.code, 0) << made.out;
    std::filesystem::create_directories(folder_ / name);
    ZipReader(folder_ / (name + ".fmu")).extract(folder_ / name);
  }

  std::filesystem::path folder_;
};

/// The controller of pid_fmu.c.
inline std::string pid_description(int version, const std::string& more = "") {
  if (version == 2)
    return R"(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="pid" guid="{pid}">
  <CoSimulation modelIdentifier="pid" canHandleVariableCommunicationStepSize="true" )" +
           more + R"(/>
  <ModelVariables>
    <ScalarVariable name="u" valueReference="0" causality="input" variability="continuous"><Real start="0"/></ScalarVariable>
    <ScalarVariable name="y" valueReference="1" causality="output" variability="continuous"><Real unit="N"/></ScalarVariable>
    <ScalarVariable name="kp" valueReference="2" causality="parameter" variability="fixed"><Real start="1"/></ScalarVariable>
    <ScalarVariable name="ki" valueReference="3" causality="parameter" variability="fixed"><Real start="0"/></ScalarVariable>
    <ScalarVariable name="kd" valueReference="4" causality="parameter" variability="fixed"><Real start="0"/></ScalarVariable>
    <ScalarVariable name="n" valueReference="5" causality="output" variability="discrete"><Integer/></ScalarVariable>
    <ScalarVariable name="on" valueReference="6" causality="input" variability="discrete"><Boolean start="true"/></ScalarVariable>
    <ScalarVariable name="word" valueReference="7" causality="output" variability="discrete"><String/></ScalarVariable>
  </ModelVariables>
  <ModelStructure><Outputs><Unknown index="2"/><Unknown index="6"/></Outputs></ModelStructure>
</fmiModelDescription>
)";
  return R"(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="pid" instantiationToken="{pid}">
  <CoSimulation modelIdentifier="pid" canGetAndSetFMUState="true" canSerializeFMUState="true" )" +
         more + R"(/>
  <ModelVariables>
    <Float64 name="time" valueReference="99" causality="independent" variability="continuous"/>
    <Float64 name="u" valueReference="0" causality="input" start="0"/>
    <Float64 name="y" valueReference="1" causality="output" unit="N"/>
    <Float64 name="kp" valueReference="2" causality="parameter" variability="fixed" start="1"/>
    <Float64 name="ki" valueReference="3" causality="parameter" variability="fixed" start="0"/>
    <Float64 name="kd" valueReference="4" causality="parameter" variability="fixed" start="0"/>
    <Int32 name="n" valueReference="5" causality="output"/>
    <Boolean name="on" valueReference="6" causality="input" start="true"/>
    <Float64 name="vector" valueReference="8" causality="output"><Dimension start="3"/></Float64>
  </ModelVariables>
  <ModelStructure><Output valueReference="1"/><Output valueReference="5"/></ModelStructure>
</fmiModelDescription>
)";
}

inline std::string pid_fmu(int version, const std::string& more = "") {
  ZipWriter archive;
  archive.add("modelDescription.xml", pid_description(version, more));
  archive.add(version == 2 ? "binaries/linux64/pid.so" : "binaries/x86_64-linux/pid.so", bytes_of(PID_FMU));
  return archive.finish();
}

}  // namespace cardan
