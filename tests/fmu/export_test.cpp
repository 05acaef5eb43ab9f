// Exported models in a master: the same bits as a run, saved, restored, interleaved, and in every wrong order.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>

#include "cardan/io.hpp"
#include "cardan/simulation.hpp"
#include "export/fmu_export.hpp"
#include "fmu/description.hpp"
#include "fmu_files.hpp"

namespace cardan {
namespace {

const std::filesystem::path kModels = std::filesystem::path(CARDAN_SOURCE_DIR) / "models";

/// Rows of a run, chosen columns.
class Rows : public Sink {
 public:
  explicit Rows(std::vector<std::string> wanted) : wanted_(std::move(wanted)) {}
  void start(const std::vector<std::string>& columns) override {
    for (const std::string& name : wanted_) {
      const auto found = std::find(columns.begin(), columns.end(), name);
      ASSERT_NE(found, columns.end()) << name;
      indices_.push_back(static_cast<std::size_t>(found - columns.begin()));
    }
  }
  void sample(const double* row, std::size_t) override {
    rows.emplace_back();
    for (const std::size_t i : indices_) rows.back().push_back(row[i]);
  }
  std::vector<std::vector<double>> rows;

 private:
  std::vector<std::string> wanted_;
  std::vector<std::size_t> indices_;
};

struct Exported {
  const char* model;
  int version, steps;
  double step;
};

class ExportTest : public FmuTest {
 protected:
  void unpack(const std::string& model, int version, const std::string& options = "") {
    export_and_unpack("fmu", model, version, options);
    description_ = read_description(bytes_of(folder_ / "fmu/modelDescription.xml"));
    version_ = version;
    outputs_ = description_.names("output");
    inputs_ = description_.names("input");
  }
  Result master(const std::string& scenario, int steps, double step, const std::string& before = "") const {
    const std::string object =
        "fmu/binaries/" + std::string(version_ == 2 ? "linux64/" : "x86_64-linux/") + description_.identifier + ".so";
    std::ostringstream command;
    command.precision(17);
    command << before << "'" << FMU_MASTER << "' " << version_ << " './" << object << "' \"$PWD/fmu/resources\" '"
            << description_.token << "' " << scenario << " " << steps << " " << step << " " << inputs_.size();
    for (const std::string& name : outputs_) command << " " << description_.find(name)->reference;
    return shell(command.str());
  }

  FmuDescription description_;
  int version_ = 0;
  std::vector<std::string> outputs_, inputs_;
};

/// "row 0x1p+0 ..."
std::vector<std::vector<double>> rows_in(const std::string& text) {
  std::vector<std::vector<double>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("row ")) continue;
    rows.emplace_back();
    const char* at = line.c_str() + 4;
    for (char* end = nullptr; *at != 0; at = end) rows.back().push_back(std::strtod(at, &end));
  }
  return rows;
}

std::string replaced(std::string text, const std::string& word, const std::string& by) {
  const std::size_t at = text.find(word);
  return at == std::string::npos ? text : text.replace(at, word.size(), by);
}

class ExportedModels : public ExportTest, public testing::WithParamInterface<Exported> {};

TEST_P(ExportedModels, RunAsTheProgramDoes) {
  const auto& [model, version, steps, step] = GetParam();
  const std::string file = (kModels / model).string();
  unpack(file, version, "--step " + std::to_string(step));
  ASSERT_GT(outputs_.size(), 0u);

  Mechanism mechanism = read_mechanism(file);
  RunOptions options = RunOptions::for_mechanism(mechanism);
  options.step = step;
  options.until = steps * step;
  int i = 0;
  for (Input& input : mechanism.inputs) {
    if (!input.is_given()) continue;
    ++i;
    ASSERT_EQ(input.name, inputs_[static_cast<std::size_t>(i - 1)]);
    for (int k = 0; k < steps; ++k) {
      input.track.t.push_back(k * step);
      input.track.value.push_back(std::clamp(0.1 * std::sin(0.3 * k + i), input.min, input.max));
    }
  }
  Rows expected(outputs_);
  ASSERT_EQ(run(mechanism, options, &expected).status, RunStatus::ok);

  const Result played = master("run", steps, step);
  ASSERT_EQ(played.code, 0) << played.out;
  const auto rows = rows_in(played.out);
  ASSERT_EQ(rows.size(), static_cast<std::size_t>(steps) + 1);
  ASSERT_EQ(expected.rows.size(), rows.size());
  int compared = 0, moved = 0;
  for (std::size_t k = 1; k < rows.size(); ++k) {
    for (std::size_t j = 0; j < outputs_.size(); ++j) {
      ASSERT_EQ(std::bit_cast<std::uint64_t>(expected.rows[k][j]), std::bit_cast<std::uint64_t>(rows[k][j + 1]))
          << outputs_[j] << " at step " << k << ": " << expected.rows[k][j] << " and " << rows[k][j + 1];
      ++compared;
      moved += expected.rows[k][j] != expected.rows[0][j];
    }
  }
  EXPECT_EQ(compared, steps * static_cast<int>(outputs_.size()));
  EXPECT_GT(moved, compared / 4);

  // Saved and restored in the middle, as bytes in a new instance too; two instances interleaved.
  for (const char* scenario : {"state", "two"}) {
    const Result again = master(scenario, steps, step);
    EXPECT_EQ(again.code, 0) << again.out;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Fmu, ExportedModels,
    testing::Values(Exported{"double_four_bar.yaml", 2, 100, 0.01}, Exported{"double_four_bar.yaml", 3, 100, 0.01},
                    Exported{"iltis_driven.yaml", 2, 60, 0.002}, Exported{"iltis_driven.yaml", 3, 60, 0.002},
                    Exported{"excavator.yaml", 2, 60, 0.005}, Exported{"excavator.yaml", 3, 60, 0.005}),
    [](const auto& info) {
      std::string name = info.param.model;
      return name.substr(0, name.find('.')) + std::to_string(info.param.version);
    });

TEST_F(ExportTest, WrongOrdersAreErrorsAndNothingMore) {
  for (const int version : {2, 3}) {
    unpack((kModels / "excavator.yaml").string(), version);
    const Result played = master("orders", 1, 0.005);
    EXPECT_EQ(played.code, 0) << played.out;
    std::filesystem::remove_all(folder_ / "fmu");
  }
}

TEST_F(ExportTest, LoadsAndUnloadsWithoutALeak) {
  for (const int version : {2, 3}) {
    unpack((kModels / "double_four_bar.yaml").string(), version);
    // What threads keep for the next allocation would count as allocated.
    const Result played = master("cycles", 40, 0.01, "GLIBC_TUNABLES=glibc.malloc.tcache_count=0 ");
    EXPECT_EQ(played.code, 0) << played.out;
    EXPECT_NE(played.out.find("the object is gone"), std::string::npos) << played.out;
    std::filesystem::remove_all(folder_ / "fmu");
  }
}

/// Six minutes of a controller's steps.
TEST_F(ExportTest, LongRunsAreNotLostToRounding) {
  write("arm.yaml",
        "cardan: 1\nname: arm\nplanar: true\nbodies: {arm: {rod: [[0, 0], [1, 0]], mass: 2}}\njoints: {pin: {revolute: "
        "[ground, arm], at: [0, 0]}}\noutputs: [pin.q]\nsimulation: {until: 1000, step: 0.001}\n");
  unpack("arm.yaml", 2);
  const Result played = master("long", 360000, 0.001);
  EXPECT_EQ(played.code, 0) << played.out;
}

constexpr const char* kSwitched = R"(cardan: 1
name: switched
planar: true
parameters: {L: 1, m: 2, J: m*L^2/3}
bodies: {arm: {rod: [[0, 0], [L, 0]], mass: m}}
joints: {pin: {revolute: [ground, arm], at: [0, 0]}}
inputs: {push: {start: 1, min: -2, max: 2, unit: N m}}
loads: {motor: {actuator: pin, effort: push}}
events: {off: {at: 0.3137, off: motor}, done: {when: t > 0.6002, end: true}}
outputs: [pin.q, push, motor.effort]
simulation: {until: 1, step: 0.01}
)";

/// FMI 3: where events are; FMI 2 has no early return and discards the step that an event ends.
TEST_F(ExportTest, EventsReturnEarly) {
  write("switched.yaml", kSwitched);
  unpack("switched.yaml", 3);
  const Result early = master("early", 100, 0.01);
  EXPECT_EQ(early.code, 0) << early.out;
  EXPECT_NE(early.out.find("return 1 0 0.3137\n"), std::string::npos) << early.out;
  EXPECT_NE(early.out.find("return 0 1 0.600"), std::string::npos) << early.out;
}

/// Levers of the excavator move valves, which the pump's flow follows at once; commands of the Iltis its torques.
TEST_F(ExportTest, DirectionalDerivatives) {
  for (const char* model : {"excavator.yaml", "iltis_driven.yaml"}) {
    for (const int version : {2, 3}) {
      unpack((kModels / model).string(), version);
      const std::string attribute = version == 2 ? "providesDirectionalDerivative" : "providesDirectionalDerivatives";
      EXPECT_NE(bytes_of(folder_ / "fmu/modelDescription.xml").find(attribute + "=\"true\""), std::string::npos);
      const Result played = master("derivatives", 20, 0.002);
      EXPECT_EQ(played.code, 0) << played.out;
      EXPECT_EQ(played.out.find("\n0 derivatives"), std::string::npos) << played.out;
      std::filesystem::remove_all(folder_ / "fmu");
    }
  }
}

/// By hand, with laws that bend, tables, lags, rates and an element that an event switches off; of forces there are
/// none, and the description says so.
TEST_F(ExportTest, DirectionalDerivativesByHand) {
  const std::string model = R"(cardan: 1
name: bent
planar: true
bodies: {arm: {rod: [[0, 0], [1, 0]], mass: 2}}
joints: {pin: {revolute: [ground, arm], at: [0, 0]}}
inputs: {u: {start: 0.3}, w: {start: -0.2}, slow: {start: 0.1, lag: 0.05}}
signals:
  bent: u^2*sin(w) + pin.q*u
  deep: exp(bent) - w*bent
  late: 3*slow + rate(slow)
  turning: rate(pin.q)
loads: {motor: {actuator: pin, effort: 5*u*w}}
events: {off: {at: 0.1, off: motor}}
outputs: [bent, deep, late, turning, pin.q, arm.x, motor.effort, u OTHER]
simulation: {until: 1, step: 0.01}
)";
  for (const int version : {2, 3}) {
    std::filesystem::remove_all(folder_ / "fmu");
    write("model.yaml", replaced(model, " OTHER", ""));
    unpack("model.yaml", version);
    const Result played = master("derivatives", 20, 0.01);
    EXPECT_EQ(played.code, 0) << played.out;
    std::filesystem::remove_all(folder_ / "fmu");
    write("model.yaml", replaced(model, " OTHER", ", pin.a"));
    unpack("model.yaml", version);
    EXPECT_NE(bytes_of(folder_ / "fmu/modelDescription.xml").find("providesDirectionalDerivative"), std::string::npos);
    const Result none = master("derivatives", 2, 0.01, "FMU_MASTER_SAYS=1 ");
    EXPECT_NE(none.code, 0);
    EXPECT_NE(none.out.find("no exact derivative of 'pin.a' is known"), std::string::npos) << none.out;
  }
}

/// A parameter that changes on the way is like an input in its place.
TEST_F(ExportTest, ParametersAreTuned) {
  const std::string model = R"(cardan: 1
name: tuned
planar: true
parameters:
  k: {value: 40, unit: N m/rad}
  twice: {value: 2*k, unit: N m/rad}
  m: 2
  L: {value: 1, unit: m}
  h: 0.01
  c: 0.5
bodies: {arm: {rod: [[0, 0], [L, 0]], mass: m}}
joints: {pin: {revolute: [ground, arm], at: [0, 0]}}
INPUT
loads: {motor: {actuator: pin, effort: -stiffness*pin.q - c*pin.v}}
signals: {stiffness: LAW}
outputs: [pin.q, pin.v, pin.a, motor.effort]
simulation: {until: 1, step: h, START}
)";
  for (const std::string start : {"start: drawn", "start: equilibrium"}) {
    const std::string begun = replaced(model, "START", start);
    write("model.yaml", replaced(replaced(begun, "INPUT", ""), "LAW", "twice/2"));
    const Mechanism with_input = read_mechanism_text(
        replaced(replaced(begun, "INPUT", "inputs: {given: {start: 40}}"), "LAW", "given"), "input.yaml");
    for (const int version : {2, 3}) {
      std::filesystem::remove_all(folder_ / "fmu");
      unpack("model.yaml", version);
      const std::map<std::string, std::string> expected{{"k", "tunable"}, {"twice", "tunable"}, {"m", "tunable"},
                                                        {"c", "tunable"}, {"L", "fixed"},       {"h", "fixed"}};
      for (const auto& [name, variability] : expected)
        EXPECT_EQ(description_.find(name)->variability, variability) << name;
      EXPECT_EQ(description_.find("twice")->causality, "calculatedParameter");
      EXPECT_EQ(description_.find("k")->unit, "N m/rad");
      EXPECT_EQ(description_.find("L")->unit, "m");

      const int steps = 60;
      const Result played = master("tune:" + std::to_string(description_.find("k")->reference) + ":95", steps, 0.01);
      ASSERT_EQ(played.code, 0) << played.out;
      Mechanism mechanism = with_input;
      mechanism.inputs[0].track.t = {0, steps / 2 * 0.01};
      mechanism.inputs[0].track.value = {40, 95};
      RunOptions options = RunOptions::for_mechanism(mechanism);
      options.until = steps * 0.01;
      Rows rows(outputs_);
      ASSERT_EQ(run(mechanism, options, &rows).status, RunStatus::ok);
      const auto found = rows_in(played.out);
      ASSERT_EQ(found.size(), static_cast<std::size_t>(steps));
      for (std::size_t k = 0; k < found.size(); ++k)
        for (std::size_t j = 0; j < outputs_.size(); ++j)
          EXPECT_NEAR(found[k][j], rows.rows[k + 1][j], 1e-11 * (1 + std::abs(rows.rows[k + 1][j]))) << outputs_[j];
      EXPECT_NE(rows.rows.back()[0], rows.rows.front()[0]);

      const Result fixed =
          master("refuse:" + std::to_string(description_.find("L")->reference) + ":1.5", 3, 0.01, "FMU_MASTER_SAYS=1 ");
      EXPECT_EQ(fixed.code, 0) << fixed.out;
      EXPECT_NE(fixed.out.find("parameter 'L' is fixed once the initialization is over"), std::string::npos)
          << fixed.out;
    }
  }
}

TEST_F(ExportTest, HoldsAWholeObjectOrIsNotMade) {
  const std::string whole = bytes_of(FMU_OBJECT);
  FmuExport request;
  request.model = (kModels / "four_bar.yaml").string();
  const auto refusal = [&](const std::string& bytes) -> std::string {
    write("object.so", bytes);
    request.object = folder_ / "object.so";
    try {
      export_fmu(request);
      return "";
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
  };
  EXPECT_EQ(refusal(whole), "");
  EXPECT_NE(refusal(whole.substr(0, whole.size() / 2)).find("is cut short"), std::string::npos);
  EXPECT_NE(refusal(whole.substr(0, whole.size() - 1)).find("is cut short"), std::string::npos);
  EXPECT_NE(refusal("").find("is no shared object"), std::string::npos);
  std::string other = whole;
  for (std::size_t at = 0; (at = other.find("fmi2Instantiate")) != std::string::npos;) other[at] = 'x';
  EXPECT_NE(refusal(other).find("lacks the function fmi2Instantiate"), std::string::npos);
}

TEST_F(ExportTest, ParametersAndFilesGoAlong) {
  std::filesystem::create_directories(folder_ / "deep/down");
  write("deep/down/car.yaml",
        "cardan: 1\nname: 3 cars\nplanar: true\nparameters: {k: 2}\nsubsystems: {part: {file: "
        "../part.yaml}}\nsimulation: {until: 1, "
        "step: 0.01}\n");
  write("deep/part.yaml",
        "cardan: 1\nplanar: true\nbodies: {arm: {rod: [[0, 0], [1, 0]], mass: 1}}\njoints: {pin: {revolute: [ground, "
        "arm], at: [0, "
        "0]}}\n");
  write("beside.yaml", "cardan: 1\n");
  unpack("deep/down/car.yaml", 2, "--set k=5 --formulation cartesian");
  EXPECT_TRUE(std::filesystem::exists(folder_ / "fmu/resources/down/car.yaml"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "fmu/resources/part.yaml"));
  EXPECT_EQ(description_.identifier, "m3_cars");
  EXPECT_EQ(description_.find("k")->start, 5.0);
  EXPECT_NE(bytes_of(folder_ / "fmu/resources/cardan.txt").find("option formulation cartesian\n"), std::string::npos);
  const Result played = master("run", 10, 0.01);
  EXPECT_EQ(played.code, 0) << played.out;
  EXPECT_EQ(rows_in(played.out).size(), 11u);

  // The same model makes the same FMU, bit for bit; another one another token.
  const std::string first = bytes_of(folder_ / "fmu.fmu"), token = description_.token;
  shell("'" CARDAN_PROGRAM "' export fmu deep/down/car.yaml --set k=5 --formulation cartesian -o again.fmu");
  EXPECT_EQ(first, bytes_of(folder_ / "again.fmu"));
  unpack("deep/down/car.yaml", 2, "--set k=6");
  EXPECT_NE(token, description_.token);

  // What cannot go along is said.
  write("absolute.yaml",
        "cardan: 1\nplanar: true\nsubsystems: {part: {file: '" + (folder_ / "deep/part.yaml").string() + "'}}\n");
  const Result refused = shell("'" CARDAN_PROGRAM "' export fmu absolute.yaml -o a.fmu");
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.out.find("by an absolute path"), std::string::npos) << refused.out;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "a.fmu"));
  const Result unknown = shell("'" CARDAN_PROGRAM "' export fum deep/down/car.yaml");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.out.find("did you mean 'fmu'?"), std::string::npos) << unknown.out;
}

}  // namespace
}  // namespace cardan
