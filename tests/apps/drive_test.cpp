// `cardan drive` from outside: what it records is what a run repeats, and its server is spoken to by raw bytes.
#include <sched.h>

#include <nlohmann/json.hpp>

#include "cardan/wire.h"
#include "driven.hpp"
#include "program.hpp"

namespace cardan {
namespace {

using nlohmann::json;

constexpr const char* kCart = R"(cardan: 1
name: cart
planar: true
gravity: [0, -9.81]
inputs: {push: {start: 0.5, min: -5, max: 5, unit: N}}
bodies: {cart: {mass: 2, inertia: 0.1, center: [0, 0]}, pole: {rod: [[0, 0], [0, 1]], mass: 1}}
joints:
  rail: {prismatic: [ground, cart], at: [0, 0], axis: [1, 0]}
  pin: {revolute: [cart, pole], at: [0, 0]}
loads: {motor: {actuator: rail, effort: push}}
outputs: [rail.q, pin.q, pin.v]
simulation: {step: 0.001, until: 1}
)";

class DriveTest : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    write("cart.yaml", kCart);
  }
  /// Waits for what `said` must hold.
  bool recorded(const std::string& part) const {
    for (int i = 0; i < 500; ++i) {
      if (read("here/drive.csv").find(part) != std::string::npos) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return false;
  }
};

TEST_F(DriveTest, WithoutAnybodyItIsTheRun) {
  const Result drive = cardan("drive cart.yaml --no-page --unpaced --until 1 --out here --json");
  ASSERT_EQ(drive.code, 0) << drive.err;
  const json summary = json::parse(drive.out);
  EXPECT_EQ(summary["drive"]["steps"], 1000);
  EXPECT_EQ(summary["drive"]["allocations"], 0);
  EXPECT_EQ(summary["drive"]["step"]["count"], 1000);
  EXPECT_EQ(cardan("run cart.yaml --input here/drive.csv --out again").code, 0);
  const json again = json::parse(read("again/summary.json"));
  EXPECT_EQ(again["energy"]["final"], summary["energy"]["final"]) << "every bit of it";
  EXPECT_EQ(read("here/drive.csv"), "t,push\n0,0.5\n" + summary["duration"].dump() + ",0.5\n");
}

/// A drive lasts as long as somebody drives, and so does the run that repeats it, unless the model says when it ends.
TEST_F(DriveTest, WhatRepeatsItEndsWhereItEnded) {
  std::string open_ended(kCart);
  open_ended.replace(open_ended.find(", until: 1"), 10, "");
  write("open.yaml", open_ended);
  for (const char* const until : {"1.7", "2.49", "0.063"}) {
    const Result drive =
        cardan(std::string("drive open.yaml --no-page --unpaced --overwrite --out here --until ") + until);
    ASSERT_EQ(drive.code, 0) << drive.err;
    EXPECT_FALSE(contains(drive.out, "--until")) << drive.out;
    const json driven = json::parse(read("here/summary.json"));
    EXPECT_EQ(cardan("run open.yaml --input here/drive.csv --out again").code, 0);
    const json again = json::parse(read("again/summary.json"));
    EXPECT_NEAR(driven["duration"].get<double>(), std::stod(until), 1e-6);
    EXPECT_EQ(again["duration"], driven["duration"]);
    EXPECT_EQ(again["steps"], driven["steps"]);
    EXPECT_EQ(again["energy"]["final"], driven["energy"]["final"]) << "every bit of it";
  }
  const Result drive = cardan("drive cart.yaml --no-page --unpaced --overwrite --out here --until 1.5");
  const std::string end = json::parse(read("here/summary.json"))["duration"].dump();
  EXPECT_TRUE(contains(drive.out, "drive.csv --until " + end)) << drive.out;
}

TEST_F(DriveTest, APersonAtTheSocketIsHeardAndRecorded) {
  Driven drive(CARDAN_PROGRAM, folder_, "cart.yaml --no-browser --seconds 60");
  ASSERT_TRUE(contains(drive.first_line(), "http://127.0.0.1:"));
  const Line line(drive.port());
  ASSERT_EQ(line.upgrade(drive.secret() + "api/drive/socket"), "HTTP/1.1 101 Switching Protocols");
  EXPECT_TRUE(line.say(R"({"inputs": {"push": 2.25}, "stamp": 7})"));
  EXPECT_TRUE(line.say(R"({"command": "pause"})"));
  EXPECT_TRUE(line.say(R"({"command": "go_on"})"));
  std::string heard;
  for (int i = 0; i < 400 && heard.find("statistics") == std::string::npos; ++i) heard += line.receive();
  EXPECT_TRUE(contains(heard, "CRDF")) << "a frame";
  EXPECT_TRUE(contains(heard, "statistics"));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_EQ(drive.end(), 0);
  EXPECT_TRUE(contains(read("here/drive.csv"), ",2.25\n"));
  const json summary = json::parse(read("here/summary.json"));
  EXPECT_EQ(summary["status"], "ok");
  const std::string until = summary["duration"].dump();
  EXPECT_EQ(cardan("run cart.yaml --input here/drive.csv --out again --until " + until).code, 0);
  const json again = json::parse(read("again/summary.json"));
  EXPECT_EQ(again["energy"]["final"], summary["energy"]["final"]) << "every bit of it";
}

TEST_F(DriveTest, ForeignMalformedAndEndlessCallersDoNotEndIt) {
  Driven drive(CARDAN_PROGRAM, folder_, "cart.yaml --no-browser --seconds 120");
  const std::string socket = drive.secret() + "api/drive/socket";
  EXPECT_TRUE(contains(Line(drive.port()).upgrade("/api/drive/socket"), "403"));
  EXPECT_TRUE(contains(Line(drive.port()).upgrade("/0123456789abcdef0123456789abcdef/api/drive/socket"), "403"));
  EXPECT_TRUE(contains(Line(drive.port()).upgrade(drive.secret() + "../etc/passwd"), "403"));
  EXPECT_TRUE(contains(Line(drive.port()).upgrade(socket, "Origin: http://elsewhere.example\r\n"), "403"));
  EXPECT_TRUE(contains(Line(drive.port()).upgrade(socket, "", "elsewhere.example"), "403"));
  EXPECT_TRUE(contains(Line(drive.port()).upgrade(socket, "Host: elsewhere.example\r\n"), "400"));
  EXPECT_TRUE(contains(Line(drive.port()).upgrade(socket, "Origin: http://127.0.0.1\r\n"), "101"));
  {
    const Line odd(drive.port());
    ASSERT_TRUE(contains(odd.upgrade(socket), "101"));
    for (const char* text :
         {"", "{", "[]", "1e999", R"({"inputs": 3})", R"({"inputs": {"push": "x"}})", R"({"inputs": {"push": 1e999}})",
          R"({"inputs": {"pull": 1}})", R"({"command": "fly"})", R"({"command": 3})", R"({"command": "scale"})",
          R"({"command": "go_back", "number": -1e300})", R"({"command": "go_back", "number": 7})", "\xff\xfe"})
      odd.say(text);
    odd.say(std::string(5, 'x'), 0x8f);  // a kind of frame that there is none of
    const Line large(drive.port());
    ASSERT_TRUE(contains(large.upgrade(socket), "101"));
    large.say(std::string(60000, ' '));
    while (!odd.receive().empty() || !large.receive().empty()) {
    }
  }  // both are shown the door
  // Half-open, slow and many.
  const Line silent(drive.port());
  silent.send("GET /");
  const Line never_reads(drive.port());
  EXPECT_TRUE(contains(never_reads.upgrade(socket), "101"));
  for (int i = 0; i < 1000; ++i) Line once(drive.port());
  const Line flood(drive.port());
  ASSERT_TRUE(contains(flood.upgrade(socket), "101"));
  for (int i = 0; i < 20000; ++i)
    if (!flood.say(R"({"inputs": {"push": )" + std::to_string(i % 5) + "}}")) break;
  const Line good(drive.port());
  ASSERT_TRUE(contains(good.upgrade(socket), "101"));
  good.say(R"({"inputs": {"push": -3.5}})");
  std::string heard;
  for (int i = 0; i < 100 && heard.find("CRDF") == std::string::npos; ++i) heard += good.receive();
  EXPECT_TRUE(contains(heard, "CRDF"));
  EXPECT_TRUE(drive.alive());
  EXPECT_EQ(drive.end(), 0);
  EXPECT_TRUE(contains(read("here/drive.csv"), ",-3.5\n")) << "the person who behaves is heard";
  const json summary = json::parse(read("here/summary.json"));
  EXPECT_EQ(summary["drive"]["allocations"], 0);
  EXPECT_EQ(summary["drive"]["locks"], 0);
  // What was done to it, it tells: five foreign requests, two sockets with frames that are none.
  const json& page = summary["drive"]["page"];
  EXPECT_GE(page["connections"], 1000);
  EXPECT_GE(page["refused"], 5);
  EXPECT_GE(page["cut_off"], 2);
  EXPECT_GE(page["sockets"], 6);
}

/// It reads a seventh of what it is sent.
TEST_F(DriveTest, WhoReadsSlowlyGetsFewerFramesAndDelaysNobody) {
  Driven drive(CARDAN_PROGRAM, folder_, CARDAN_SOURCE_DIR "/models/iltis_driven.yaml --no-browser --seconds 120");
  const std::string socket = drive.secret() + "api/drive/socket";
  const Line quick(drive.port()), slow(drive.port(), 4096);
  ASSERT_TRUE(contains(slow.upgrade(socket), "101"));
  ASSERT_TRUE(contains(quick.upgrade(socket), "101"));
  FrameReader by_quick, by_slow;
  std::string bytes;
  std::size_t taken = 0, taken_slowly = 0;
  std::uint64_t stamp = 0;
  do {
    if (by_quick.stamp() == stamp) {
      const std::string steer = std::to_string(0.5 * static_cast<double>(stamp % 3));
      ASSERT_TRUE(quick.say(R"({"inputs": {"steer": )" + steer + "}, \"stamp\": " + std::to_string(++stamp) + "}"));
    }
    by_quick.take(bytes = quick.receive());
    taken += bytes.size();
    if (taken < 7 * taken_slowly) continue;
    by_slow.take(bytes = slow.receive(1024));
    taken_slowly += bytes.size();
  } while (by_quick.frames() < 300 && !bytes.empty());
  EXPECT_GE(by_quick.frames(), 300);
  EXPECT_GT(stamp, 10U) << "inputs are answered all the time";
  EXPECT_LT(3 * by_slow.frames(), by_quick.frames());
  EXPECT_GT(by_slow.frames(), 0);
  EXPECT_TRUE(by_slow.forwards() && by_quick.forwards());
  EXPECT_EQ(drive.end(), 0);
  const json told = json::parse(read("here/summary.json"))["drive"];
  EXPECT_GT(told["page"]["left_out"], 100);
  EXPECT_EQ(told["page"]["cut_off"], 0);
  EXPECT_EQ(told["allocations"], 0);
  EXPECT_EQ(told["locks"], 0);
}

/// The other side in another process, here: it pushes by what it is told of the pole.
TEST_F(DriveTest, AControllerAtTheUdpPortIsInTheLoop) {
  Driven drive(CARDAN_PROGRAM, folder_, "cart.yaml --no-page --udp 0 --seconds 60 --scale 0.2");
  ASSERT_TRUE(contains(drive.first_line(), "udp port "));
  const int link = socket(AF_INET, SOCK_DGRAM, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(drive.port()));
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const timeval wait{5, 0};
  setsockopt(link, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
  cardan_wire_frame frame, answer;
  std::uint64_t answered = 0;
  double before = -1;
  for (std::uint64_t i = 1; i <= 200; ++i) {
    cardan_wire_begin(&frame, CARDAN_WIRE_INPUTS, 1, i, 1);
    frame.values[0] = 0.01 * static_cast<double>(i);
    ASSERT_GT(sendto(link, &frame, cardan_wire_size(&frame), 0, reinterpret_cast<const sockaddr*>(&to), sizeof to), 0);
    const ssize_t bytes = recv(link, &answer, sizeof answer, 0);
    ASSERT_GT(bytes, 0);
    ASSERT_TRUE(cardan_wire_valid(&answer, static_cast<std::size_t>(bytes), CARDAN_WIRE_OUTPUTS));
    EXPECT_EQ(answer.head.count, 3U);
    EXPECT_GT(answer.head.time, before);
    before = answer.head.time;
    answered = std::max(answered, answer.head.answers);
  }
  close(link);
  EXPECT_GT(answered, 100U);
  EXPECT_EQ(drive.end(), 0);
  const json summary = json::parse(read("here/summary.json"));
  EXPECT_EQ(summary["drive"]["wire"]["applied"], 200);
  EXPECT_EQ(summary["drive"]["wire"]["lost"], 0);
  EXPECT_GT(summary["drive"]["wire"]["latency"]["count"], 100);
  const std::string until = summary["duration"].dump();
  EXPECT_EQ(cardan("run cart.yaml --input here/drive.csv --out again --until " + until).code, 0);
  const json again = json::parse(read("again/summary.json"));
  EXPECT_EQ(again["energy"]["final"], summary["energy"]["final"]) << "every bit of it";
}

/// Model and controller of docs/drive.md, the one compiled as the page says.
TEST_F(DriveTest, TheControllerOfThePageHoldsThePole) {
  std::ifstream page(CARDAN_SOURCE_DIR "/docs/drive.md");
  std::string line, block, model, program;
  for (std::string* into = nullptr; std::getline(page, line);) {
    if (line == "```yaml") {
      into = &model;
    } else if (line == "```c") {
      into = &program;
    } else if (line == "```") {
      into = nullptr;
    } else if (into) {
      *into += line + '\n';
    }
  }
  write("cart.yaml", model);
  write("controller.c", program);
  const Result compiled = shell("cc -Wall -Wextra -Werror -I " CARDAN_SOURCE_DIR "/include controller.c -o controller");
  ASSERT_EQ(compiled.code, 0) << compiled.err;
  // Slowly, so that a busy machine has its time.
  Driven drive(CARDAN_PROGRAM, folder_, "cart.yaml --no-page --udp 0 --seconds 100 --scale 0.2");
  ASSERT_TRUE(contains(drive.first_line(), "udp port "));
  const Result controlled = shell("./controller " + std::to_string(drive.port()) + " 1");
  EXPECT_EQ(controlled.code, 0);
  const std::size_t by = controlled.out.find("leans by ");
  ASSERT_NE(by, std::string::npos) << controlled.out;
  EXPECT_LT(std::abs(std::stod(controlled.out.substr(by + 9))), 0.5) << "without it the pole lies below by then";
  EXPECT_EQ(drive.end(), 0);
}

TEST_F(DriveTest, BadRequestsAreRefused) {
  const auto refused = [&](const std::string& options, const std::string& words) {
    const Result result = cardan("drive cart.yaml --no-page --seconds 1 " + options);
    EXPECT_EQ(result.code, 2) << options;
    EXPECT_TRUE(contains(result.err, words)) << options;
  };
  refused("--integrator dopri5", "chooses its steps");
  refused("--listen 0.0.0.0", "give --token");
  refused("--listen 0.0.0.0 --token short", "at least 16 characters");
  refused("--token 'a b'", "letters, digits");
  refused("--udp x", "--udp takes a port");
  refused("--udp 0 --udp-to nowhere", "is no address");
  refused("--udp 0 --shared-memory /x", "give one");
  refused("--scale 0", "scale");
  write("mute.yaml", std::string(kFourBar));
  const Result mute = cardan("drive mute.yaml --no-page --udp 0 --seconds 1");
  EXPECT_EQ(mute.code, 2);
  EXPECT_TRUE(contains(mute.err, "names no `outputs:`"));
}

/// Priority and locked memory, or the word that they were refused.
TEST_F(DriveTest, RealTimeIsHadOrRefusedInWords) {
  Driven drive(CARDAN_PROGRAM, folder_, "cart.yaml --no-browser --real-time --seconds 60");
  const Line line(drive.port());
  ASSERT_TRUE(contains(line.upgrade(drive.secret() + "api/drive/socket"), "101"));
  ASSERT_FALSE(line.receive().empty()) << "it is under way";
  const std::filesystem::path process = "/proc/" + std::to_string(drive.id());
  const auto text_of = [](const std::filesystem::path& file) {
    std::ifstream in(file);
    return std::string{std::istreambuf_iterator<char>(in), {}};
  };
  int first = 0;
  for (const auto& task : std::filesystem::directory_iterator(process / "task")) {
    const std::string text = text_of(task.path() / "stat");
    const std::vector<std::string> fields = split(text.substr(text.rfind(')') + 2), ' ');
    if (fields.at(38) == "1") ++first;  // SCHED_FIFO
  }
  const std::string status = text_of(process / "status");
  [[maybe_unused]] const bool locked = std::stol(status.substr(status.find("VmLck:") + 6)) > 0;
  EXPECT_EQ(drive.end(), 0);
  const std::string refused = json::parse(read("here/summary.json"))["drive"]["refused"];
  EXPECT_EQ(first, refused.find("no priority") == std::string::npos ? 1 : 0)
      << refused << ": the stepping thread alone";
#ifndef CARDAN_SANITIZED  // which say that memory was locked and do nothing
  EXPECT_EQ(locked, refused.find("memory is not locked") == std::string::npos) << refused;
#endif
}

/// The stepping thread alone stays where it was told to; one that is not there is said.
TEST_F(DriveTest, AProcessorIsKeptOrRefusedInWords) {
  cpu_set_t mine;
  ASSERT_EQ(sched_getaffinity(0, sizeof mine, &mine), 0);
  int last = CPU_SETSIZE - 1;
  while (!CPU_ISSET(static_cast<std::size_t>(last), &mine)) --last;
  {
    Driven drive(CARDAN_PROGRAM, folder_, fmt::format("cart.yaml --no-browser --seconds 60 --processor {}", last));
    const Line line(drive.port());
    ASSERT_TRUE(contains(line.upgrade(drive.secret() + "api/drive/socket"), "101"));
    ASSERT_FALSE(line.receive().empty()) << "it is under way";
    int bound = 0, all = 0;
    for (const auto& task : std::filesystem::directory_iterator("/proc/" + std::to_string(drive.id()) + "/task")) {
      cpu_set_t set;
      if (sched_getaffinity(std::stoi(task.path().filename()), sizeof set, &set) != 0) continue;
      ++all;
      bound += CPU_COUNT(&set) == 1 && CPU_ISSET(static_cast<std::size_t>(last), &set) ? 1 : 0;
    }
    EXPECT_EQ(bound, CPU_COUNT(&mine) == 1 ? all : 1);
    EXPECT_EQ(drive.end(), 0);
    EXPECT_EQ(json::parse(read("here/summary.json"))["drive"]["refused"], "");
  }
  const Result none = cardan("drive cart.yaml --no-page --until 0.01 --out here --processor 1023");
  EXPECT_EQ(none.code, 0) << none.err;
  EXPECT_TRUE(contains(none.out + none.err, "processor 1023 is not to be had"));
}

TEST_F(DriveTest, WhoIsLateSaysSoFirst) {
  const Result late = cardan("drive cart.yaml --no-page --scale 100 --step 1e-6 --until 0.01 --out here");
  EXPECT_EQ(late.code, 0) << late.err;
  EXPECT_TRUE(contains(late.out.substr(0, late.out.find('\n')), "DEADLINES MISSED"));
  const Result stopped =
      cardan("drive cart.yaml --no-page --scale 100 --step 1e-6 --until 0.01 --overrun stop --out here");
  EXPECT_EQ(stopped.code, 1);
  EXPECT_TRUE(contains(stopped.err, "a step was not done in time"));
}

}  // namespace
}  // namespace cardan
