// `cardan view` and `run --report` from outside. The page itself is tested in a browser, see viewer/tests.
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace cardan {
namespace {

using nlohmann::json;

class ViewTest : public ProgramTest {};

TEST_F(ViewTest, ARunWritesItsScene) {
  EXPECT_EQ(cardan("run four_bar.yaml --out here").code, 0);
  const json scene = json::parse(read("here/scene.json"));
  EXPECT_EQ(scene["name"], "four-bar");
  EXPECT_EQ(scene["bodies"].size(), 3U);
}

TEST_F(ViewTest, PrintsItsAddressAndEndsInTime) {
  EXPECT_EQ(cardan("run four_bar.yaml --out here").code, 0);
  const Result result = cardan("view here --seconds 0.3");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "http://127.0.0.1:"));
}

TEST_F(ViewTest, EndsOnInterruptAndLeavesNothingBehind) {
  const Result result = shell(
      "mkdir tmp; export TMPDIR=$PWD/tmp; '" CARDAN_PROGRAM
      "' view four_bar.yaml --until 1e9 --seconds 60 > address.txt & pid=$!; for i in $(seq 200); do grep -q http "
      "address.txt && break; sleep 0.05; done; sleep 0.3; kill -INT $pid; wait $pid; echo code $?; ls tmp");
  EXPECT_EQ(result.out, "code 0\n") << result.err;
}

TEST_F(ViewTest, KilledItLeavesNothingBehindEither) {
  const Result result = shell(
      "mkdir tmp; export TMPDIR=$PWD/tmp; '" CARDAN_PROGRAM
      "' view four_bar.yaml --until 1e9 --seconds 60 > address.txt & pid=$!; for i in $(seq 500); do [ -e "
      "tmp/*/0/trajectory.csv ] && break; sleep 0.02; done; ls tmp | wc -l; kill -KILL $pid; wait $pid; for i in $(seq "
      "500); do [ -z \"$(ls tmp)\" ] && break; sleep 0.02; done; ls tmp");
  EXPECT_EQ(result.out, "1\n") << "there was a folder, and then there was none";
}

TEST_F(ViewTest, OnlyTheAddressWithItsSecretIsAnswered) {
  EXPECT_EQ(cardan("run four_bar.yaml --out here").code, 0);
  const Result result = shell(
      "'" CARDAN_PROGRAM
      "' view here --seconds 60 > address.txt & pid=$!; for i in $(seq 500); do grep -q http address.txt && break; "
      "sleep "
      "0.02; done; address=$(sed 's| .*||' address.txt); bash -c 'rest=${0#http://127.0.0.1:}; port=${rest%%/*}; "
      "secret=/${rest#*/}; for path in / /api/runs ${secret}api/runs; do exec 3<>/dev/tcp/127.0.0.1/$port; printf "
      "\"GET "
      "$path HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nConnection: close\\r\\n\\r\\n\" >&3; cat <&3; done' \"$address\"; kill "
      "$pid; wait $pid");
  std::vector<std::string> codes;
  for (const std::string& line : split(result.out, '\n'))
    if (line.starts_with("HTTP/1.1 ")) codes.push_back(line.substr(9, 3));
  EXPECT_EQ(codes, (std::vector<std::string>{"403", "403", "200"})) << result.out << result.err;
  EXPECT_TRUE(contains(result.out, "lacks the secret"));
}

TEST_F(ViewTest, RefusesWhatIsNotThere) {
  const Result missing = cardan("view nowhere --seconds 1");
  EXPECT_EQ(missing.code, 2);
  EXPECT_TRUE(contains(missing.err, "nowhere: there is no such result folder or model"));

  write("bad.yaml", "cardan: 1\nbodies: {a: {rodd: 3}}\n");
  const Result bad = cardan("view bad.yaml --seconds 1");
  EXPECT_EQ(bad.code, 2);
  EXPECT_TRUE(contains(bad.err, "bad.yaml"));

  EXPECT_EQ(cardan("view four_bar.yaml --seconds 1 --formulation none").code, 2);
  EXPECT_EQ(cardan("view . --seconds 1 --port 99999").code, 2);
}

TEST_F(ViewTest, APortInUseIsNamed) {
  const Result result = shell(
      "mkdir here; '" CARDAN_PROGRAM
      "' view here --seconds 20 > address.txt & pid=$!; for i in $(seq 100); do grep -q http address.txt && break; "
      "sleep 0.05; done; port=$(sed 's|.*1:\\([0-9]*\\)/.*|\\1|' address.txt); code=0; cardan view here --port $port "
      "--seconds 1 || code=$?; kill $pid; wait $pid; exit $code");
  EXPECT_EQ(result.code, 2);
  EXPECT_TRUE(contains(result.err, "cannot listen on port"));
}

TEST_F(ViewTest, AReportHoldsTheCommandAndTheModel) {
  const Result result = cardan("run four_bar.yaml --out here --report 'a report.html' --step 0.02");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "a report.html"));
  const std::string html = read("a report.html");
  EXPECT_TRUE(contains(html.substr(html.find("cardan-data")), "run four_bar.yaml --out here --report 'a report.html'"));
  EXPECT_TRUE(contains(html.substr(html.find("cardan-data")), "crank:   {rod: [A0, B0], mass: 1}"));
}

}  // namespace
}  // namespace cardan
