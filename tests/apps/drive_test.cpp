// `cardan drive` from outside: what it records is what a run repeats, and its server is spoken to by raw bytes.
#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "cardan/wire.h"
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

/// A drive under way with its address, ended with the object.
class Driven {
 public:
  Driven(const std::filesystem::path& folder, const std::string& options) {
    const std::string out = (folder / "said.txt").string();
    child_ = fork();
    if (child_ == 0) {
      if (chdir(folder.c_str()) != 0) _exit(9);
      const int file = open(out.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
      dup2(file, STDOUT_FILENO);
      dup2(file, STDERR_FILENO);
      const std::string command = "exec '" CARDAN_PROGRAM "' drive cart.yaml --out here " + options;
      execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
      _exit(9);
    }
    for (int i = 0; i < 1000; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      std::ifstream in(out);
      const std::string text{std::istreambuf_iterator<char>(in), {}};
      if (text.find('\n') == std::string::npos) continue;
      first_line_ = text.substr(0, text.find('\n'));
      break;
    }
  }
  ~Driven() {
    if (child_ > 0) end();
  }
  const std::string& first_line() const { return first_line_; }
  int port() const {
    const std::size_t at = first_line_.find("127.0.0.1:");
    return at == std::string::npos ? std::stoi(first_line_.substr(first_line_.rfind(' ')))
                                   : std::stoi(first_line_.substr(at + 10));
  }
  std::string secret() const {
    const std::size_t at = first_line_.find('/', first_line_.find("127.0.0.1:"));
    return first_line_.substr(at, first_line_.find(' ', at) - at);
  }
  bool alive() const { return kill(child_, 0) == 0; }
  int end(int signal = SIGINT) {
    kill(child_, signal);
    int status = 0;
    waitpid(child_, &status, 0);
    child_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  pid_t child_ = 0;
  std::string first_line_;
};

/// A connection that speaks bytes.
class Line {
 public:
  explicit Line(int port) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(port));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval wait{5, 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
    connected_ = connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
  }
  ~Line() { close(socket_); }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;
  bool send(const std::string& bytes) const {
    return connected_ &&
           ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
  }
  std::string receive(std::size_t most = 1 << 16) const {
    std::string bytes(most, '\0');
    const ssize_t count = recv(socket_, bytes.data(), most, 0);
    bytes.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    return bytes;
  }
  /// Asks for a socket; answers the status line.
  std::string upgrade(const std::string& path, const std::string& more = "",
                      const std::string& host = "127.0.0.1") const {
    send("GET " + path + " HTTP/1.1\r\nHost: " + host +
         "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: "
         "dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n" +
         more + "\r\n");
    const std::string answer = receive();
    return answer.substr(0, answer.find('\r'));
  }
  /// A frame of a client: masked, as they must be.
  bool say(const std::string& text, unsigned char kind = 0x81) const {
    std::string frame{static_cast<char>(kind)};
    if (text.size() < 126) {
      frame += static_cast<char>(0x80 | text.size());
    } else {
      frame += static_cast<char>(0x80 | 126);
      frame += static_cast<char>(text.size() >> 8);
      frame += static_cast<char>(text.size() & 255);
    }
    frame += std::string(4, '\0') + text;
    return send(frame);
  }

 private:
  int socket_;
  bool connected_ = false;
};

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
  EXPECT_EQ(read("here/drive.csv"), "t,push\n0,0.5\n");
}

TEST_F(DriveTest, APersonAtTheSocketIsHeardAndRecorded) {
  Driven drive(folder_, "--no-browser --seconds 60");
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
  Driven drive(folder_, "--no-browser --seconds 120");
  const std::string socket = drive.secret() + "api/drive/socket";
  EXPECT_TRUE(contains(Line(drive.port()).upgrade("/api/drive/socket"), "403"));
  EXPECT_TRUE(contains(Line(drive.port()).upgrade("/0123456789abcdef0123456789abcdef/api/drive/socket"), "403"));
  EXPECT_TRUE(contains(Line(drive.port()).upgrade(drive.secret() + "../etc/passwd"), "403"));
  EXPECT_TRUE(contains(Line(drive.port()).upgrade(socket, "Origin: http://elsewhere.example\r\n"), "403"));
  EXPECT_TRUE(contains(Line(drive.port()).upgrade(socket, "", "elsewhere.example"), "403"));
  EXPECT_TRUE(contains(Line(drive.port()).upgrade(socket, "Origin: http://127.0.0.1\r\n"), "101"));
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
}

/// The other side in another process, here: it pushes by what it is told of the pole.
TEST_F(DriveTest, AControllerAtTheUdpPortIsInTheLoop) {
  Driven drive(folder_, "--no-page --udp 0 --seconds 60 --scale 0.2");
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
  Driven drive(folder_, "--no-page --udp 0 --seconds 100 --scale 0.2");
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
