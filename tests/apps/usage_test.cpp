#include <sstream>

#include "cardan/io.hpp"
#include "cardan/registry.hpp"
#include "program.hpp"

namespace cardan {
namespace {

using UsageTest = ProgramTest;

TEST_F(UsageTest, HelpTeachesAndSucceeds) {
  const Result top = cardan("--help");
  EXPECT_EQ(top.code, 0);
  for (const char* part : {"check", "run", "study", "examples:", "exit codes"}) EXPECT_TRUE(contains(top.out, part));

  const Result run = cardan("run --help");
  EXPECT_EQ(run.code, 0);
  for (const auto& entries : {formulations(), integrators(), solvers()}) {
    for (const RegistryEntry& entry : entries) {
      EXPECT_TRUE(contains(run.out, std::string(entry.name)));
      EXPECT_TRUE(contains(run.out, std::string(entry.summary)));
    }
  }
  // Every command says what it is for and shows how it is called; what files examples name is there.
  for (const char* command :
       {"check", "run", "equilibrium", "modes", "inverse", "compare", "tune", "study", "view", "export", "schema"}) {
    EXPECT_TRUE(contains(top.out, std::string("cardan ") + command)) << command;
    const Result help = cardan(std::string(command) + " --help");
    EXPECT_EQ(help.code, 0) << command;
    EXPECT_TRUE(contains(help.out, "example")) << command;
    EXPECT_TRUE(contains(help.out, std::string("  cardan ") + command)) << command;
  }
  for (const std::string& text : {top.out, cardan("check --help").out, cardan("compare --help").out}) {
    std::istringstream words(text);
    for (std::string word; words >> word;) {
      if ((word.starts_with("models/") || word.starts_with("docs/")) && word.size() > 8) {
        while (word.back() == ',' || word.back() == '.') word.pop_back();
        EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(CARDAN_SOURCE_DIR) / word)) << word;
      }
    }
  }
  EXPECT_EQ(cardan("--version").code, 0);
}

TEST_F(UsageTest, SchemaIsThatOfTheLibrary) {
  const Result schema = cardan("schema");
  EXPECT_EQ(schema.code, 0);
  EXPECT_EQ(schema.out, json_schema());
}

TEST_F(UsageTest, BadUsageExitsWith2AndOneSentence) {
  const struct {
    const char* arguments;
    const char* sentence;
  } cases[] = {
      {"", "say what to do: check, run, compare"},
      {"chek four_bar.yaml", "no command is called 'chek'; did you mean 'check'?"},
      {"help", "ask `cardan --help`, or `cardan COMMAND --help`"},
      {"run", "MODEL is required"},
      {"run four_bar.yaml --stepp 1", "`cardan run` has no option --stepp; did you mean --step?"},
      {"run four_bar.yaml --fromulation global",
       "`cardan run` has no option --fromulation; did you mean --formulation?"},
      {"run --fromulation=global four_bar.yaml", "has no option --fromulation; did you mean --formulation?"},
      {"compare four_bar.yaml --step 0.1", "`cardan compare` has no option --step; did you mean --steps?"},
      {"check four_bar.yaml --jsno", "`cardan check` has no option --jsno; did you mean --json?"},
      {"run four_bar.yaml --qqqqqq", "`cardan run` has no option --qqqqqq\n"},
      {"check four_bar.yaml four_bar.yaml", "`cardan check` does not take 'four_bar.yaml'"},
      {"run four_bar.yaml --step abc", "--step needs a number, not 'abc'"},
      {"run four_bar.yaml --iterations 0.5", "--iterations needs a whole number, not '0.5'"},
      {"run four_bar.yaml --step-max 0.1", "no --step-max with integrator"},
      {"run four_bar.yaml --step-max 0.1", "its step is constant; leave it out, or give --step-control error"},
      {"run four_bar.yaml --step 0", "step is 0 s, but must be a number above 0"},
      {"run four_bar.yaml --step -0.1", "step is -0.1 s, but must be a number above 0"},
      {"run four_bar.yaml --step nan", "step is nan s, but must be a number above 0"},
      {"run four_bar.yaml --until inf", "until is inf s, but must be a number above 0"},
      {"run four_bar.yaml --tolerance 0", "tolerance is 0, but must be a number above 0"},
      {"run four_bar.yaml --penalty -1", "penalty is -1, but must be a number above 0"},
      {"run four_bar.yaml --every 0", "every is 0, but must be 1"},
      {"run four_bar.yaml --iterations -3", "iterations is -3, but must be 0"},
      {"run four_bar.yaml --integrator hht --dissipation 0.5", "dissipation is 0.5, but must be from 0 to 1/3"},
      {"run four_bar.yaml --dissipation 0.1", "--dissipation belongs to newmark and hht, not to trapezoidal"},
      {"run four_bar.yaml --integrator generalized-alpha --spectral-radius 2",
       "--spectral-radius is 2, but must be from 0 to 1"},
      {"run four_bar.yaml --formulation hybird", "no formulation is called 'hybird'; did you mean 'hybrid'? Known: g"},
      {"run four_bar.yaml --integrator newmrk", "no integrator is called 'newmrk'; did you mean 'newmark'?"},
      {"run four_bar.yaml --solver dens", "no solver is called 'dens'; did you mean 'dense'?"},
      {"run four_bar.yaml --set L", "--set takes NAME=VALUE, such as --set L=0.5, not 'L'"},
      {"run four_bar.yaml --set =1", "--set takes NAME=VALUE"},
      {"run four_bar.yaml --set L=long", "--set L: 'long' is not a number"},
      {"run four_bar.yaml --set L=1 --set L=2", "--set gives the parameter 'L' twice"},
      {"check four_bar.yaml --set L", "--set takes NAME=VALUE"},
      {"study", "cardan study --list"},
      {"study double-fourbar", "no study is called 'double-fourbar'; did you mean 'double-four-bar'?"},
  };
  for (const auto& [arguments, sentence] : cases) {
    const Result result = cardan(arguments);
    EXPECT_EQ(result.code, 2) << arguments;
    EXPECT_EQ(result.out, "") << arguments;
    EXPECT_TRUE(contains(result.err, sentence)) << arguments;
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out")) << "bad usage must not leave files";
}

TEST_F(UsageTest, BadModelsExitWith2AndSayWhere) {
  const Result missing = cardan("run no_such_model.yaml");
  EXPECT_EQ(missing.code, 2);
  EXPECT_TRUE(contains(missing.err, "no_such_model.yaml"));

  write("bad.yaml", std::string(kFourBar) + "gravty: 3\n");
  for (const char* command : {"check", "run"}) {
    const Result bad = cardan(std::string(command) + " bad.yaml");
    EXPECT_EQ(bad.code, 2);
    EXPECT_TRUE(contains(bad.err, "bad.yaml:18:1: error: "));
    EXPECT_TRUE(contains(bad.err, "gravity"));
  }
  const Result parameter = cardan("check four_bar.yaml --set M=1");
  EXPECT_EQ(parameter.code, 2);
  EXPECT_TRUE(contains(parameter.err, "'M'"));
}

TEST_F(UsageTest, ControlCharactersOfNamesDoNotReachTheTerminal) {
  const std::string name = "\"bad \\e[31m\\x07\\r\\u009b1mname\"";
  const std::string model = std::string(kFourBar).replace(std::string(kFourBar).find("four-bar"), 8, name);
  write("named.yaml", model);
  write("wrong.yaml", model + "\"\\e[2Jx\": 3\n");
  const std::string escape = "\033", bell = "\007", csi = "\xc2\x9b";
  for (const std::string& command :
       {std::string("check named.yaml"), std::string("check wrong.yaml"), std::string("run named.yaml --out here"),
        std::string("run named.yaml --json --out here"), std::string("run \"$(printf 'no\\033[31m.yaml')\""),
        std::string("check named.yaml --\"$(printf 'a\\033[31m')\""),
        std::string("compare named.yaml --formulations hybrid --integrators trapezoidal --steps 0.01 --out here"),
        std::string("run named.yaml --set \"$(printf 'a\\033b=1')\""), std::string("\"$(printf 'chek\\033')\"")}) {
    const Result result = cardan(command);
    for (const std::string& text : {result.out, result.err}) {
      for (const std::string& control : {escape, bell, csi, std::string("\r")})
        EXPECT_EQ(text.find(control), std::string::npos) << command;
    }
    EXPECT_TRUE(contains(result.out + result.err, "\\u001b")) << command << ": shown, not hidden";
  }
}

TEST_F(UsageTest, AModelThatNeverEndsIsNotReadForEver) {
#ifdef CARDAN_SANITIZED  // what the sanitizers remember of addresses takes more than any limit
  const std::string limit;
#else
  const std::string limit = "ulimit -v 4000000; ";
#endif
  for (const char* endless : {"/dev/zero", "<(yes)"}) {
    const Result result = shell(limit + "bash -c \"'" CARDAN_PROGRAM "' check " + endless + "\"");
    EXPECT_EQ(result.code, 2) << endless;
    EXPECT_TRUE(contains(result.err, "longer than 16 MB, the most that is read of a model")) << endless;
  }
  const Result pipe = shell("cardan check /dev/stdin < four_bar.yaml");
  EXPECT_EQ(pipe.code, 0) << pipe.err;
}

TEST_F(UsageTest, StudiesAreListed) {
  const Result result = cardan("study --list");
  EXPECT_EQ(result.code, 0);
  EXPECT_TRUE(contains(result.out, "double-four-bar"));
}

TEST_F(UsageTest, AFullDiskUnderStandardOutputIsAnError) {
  const Result result = shell("cardan check four_bar.yaml > /dev/full");
  EXPECT_EQ(result.code, 1);
  EXPECT_TRUE(contains(result.err, "cannot write to standard output"));
}

}  // namespace
}  // namespace cardan
