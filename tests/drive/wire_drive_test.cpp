// A drive at 1 kHz with another process at its UDP port, which loses, doubles and swaps frames: what the mechanism has
// felt, as it was recorded, is what came, none of it twice or backwards.
//   CARDAN_WIRE_FRAMES=100000 drive_tests --gtest_filter='WireDrive.*'     as many as one likes: 10^5 take 100 s
#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <random>
#include <thread>

#include "cardan/io.hpp"
#include "cardan/wire.h"
#include "drive/drive_loop.hpp"

namespace cardan {
namespace {

constexpr const char* kCart = R"yaml(cardan: 1
name: cart
planar: true
inputs: {push: {start: 0, unit: N}}
bodies: {cart: {mass: 2, inertia: 0.1, center: [0, 0]}}
joints: {rail: {prismatic: [ground, cart], at: [0, 0], axis: [1, 0]}}
loads: {motor: {actuator: rail, effort: 1e-6*push}}
outputs: [rail.q]
simulation: {step: 0.001}
)yaml";

/// Sends sequence numbers as the input's values.
class Sender {
 public:
  explicit Sender(int port) : socket_(socket(AF_INET, SOCK_DGRAM, 0)) {
    to_.sin_family = AF_INET;
    to_.sin_port = htons(static_cast<std::uint16_t>(port));
    to_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  }
  ~Sender() { close(socket_); }
  void send(std::uint64_t sequence) {
    cardan_wire_frame frame;
    cardan_wire_begin(&frame, CARDAN_WIRE_INPUTS, 5, sequence, 1);
    frame.values[0] = static_cast<double>(sequence);
    const std::size_t size = cardan_wire_size(&frame);
    EXPECT_EQ(sendto(socket_, &frame, size, 0, reinterpret_cast<const sockaddr*>(&to_), sizeof to_),
              static_cast<ssize_t>(size));
    ++sent;
  }
  /// Takes the answers that are there, so that they do not pile up.
  void clear() const {
    std::array<char, sizeof(cardan_wire_frame)> bytes;
    while (recv(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT) > 0) {
    }
  }
  std::int64_t sent = 0, lost = 0, doubled = 0, swapped = 0;

 private:
  int socket_;
  sockaddr_in to_{};
};

/// Of a hundred frames one is lost, one comes twice, and one comes after the next.
void send_badly(Sender& sender, const Wire& wire, std::uint64_t frames) {
  std::mt19937 random(7);
  Schedule schedule;
  schedule.restart(monotonic_now(), 1e-3);
  for (std::uint64_t i = 1; i <= frames; ++i, schedule.advance()) {
    sleep_until(schedule.due());
    const unsigned dice = i == 1 || i + 2 > frames ? 99 : random() % 100;
    if (dice == 0) {
      ++sender.lost;
    } else if (dice == 2) {
      sender.send(i + 1), sender.send(i);
      ++i, ++sender.swapped;
    } else {
      sender.send(i);
      if (dice == 1) sender.send(i), ++sender.doubled;
    }
    sender.clear();
    // On a machine that stands still for long the system itself would lose some.
    for (int waits = 0; i % 50 == 0 && waits < 5000; ++waits) {
      const WireCounts c = wire.counts();
      if (c.applied + c.late + c.duplicates >= sender.sent) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
}

void drive_with(std::uint64_t frames) {
  std::string folder = (std::filesystem::temp_directory_path() / "cardan_wire_XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const std::filesystem::path recording = std::filesystem::path(folder) / "drive.csv";
  const Mechanism mechanism = read_mechanism_text(kCart, "cart.yaml");
  const std::unique_ptr<UdpWire> wire = make_udp_wire("127.0.0.1", 0, "", 1);
  DriveLoop drive(mechanism, RunOptions::for_mechanism(mechanism), {}, recording, wire.get());
  Sender sender(wire->port());
  std::atomic<bool> stop = false;
  std::thread stepping([&] { drive.run(stop); });
  send_badly(sender, *wire, frames);
  const auto newest = [&] { return wire->latency().count(); };  // answered
  for (std::int64_t before = -1; newest() != before;) {
    before = newest();
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
  }
  stop = true;
  stepping.join();
  EXPECT_EQ(drive.finish_recording(), "");
  const WireCounts counts = wire->counts();
  EXPECT_EQ(counts.lost, sender.lost);
  EXPECT_EQ(counts.duplicates, sender.doubled);
  EXPECT_EQ(counts.late, sender.swapped);
  EXPECT_EQ(counts.applied, static_cast<std::int64_t>(frames) - sender.lost - sender.swapped);
  EXPECT_EQ(counts.malformed, 0);
  EXPECT_EQ(drive.statistics().allocations, 0);
  EXPECT_EQ(drive.statistics().locks, 0);
  // Rows of what was felt: of frames that came within one step the last.
  std::ifstream file(recording);
  std::string line;
  std::int64_t rows = 0;
  double last = -1;
  for (std::getline(file, line); std::getline(file, line); ++rows) {
    const double value = std::stod(line.substr(line.find(',') + 1));
    if (file.peek() == std::ifstream::traits_type::eof()) {  // where it ended
      EXPECT_EQ(value, last);
      break;
    }
    EXPECT_GT(value, last);
    last = value;
  }
  EXPECT_EQ(last, static_cast<double>(frames));
  EXPECT_LE(rows, counts.applied + 1);  // and the start
  EXPECT_LE(wire->latency().count(), rows);
  EXPECT_LE(rows, wire->latency().count() + 1);
  std::filesystem::remove_all(folder);
  std::cout << fmt::format("{} frames: {} applied, {} lost, {} late, {} twice; {} steps felt another one\n", frames,
                           counts.applied, counts.lost, counts.late, counts.duplicates, rows);
}

TEST(WireDrive, NothingIsFeltTwiceOrBackwards) {
  const char* frames = std::getenv("CARDAN_WIRE_FRAMES");
  drive_with(frames ? std::strtoull(frames, nullptr, 10) : 3000);
}

}  // namespace
}  // namespace cardan
