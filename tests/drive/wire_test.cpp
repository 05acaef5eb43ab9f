// Another process at the wire, played by a thread that speaks the header's C: 10^4 frames with losses, duplicates and
// frames in the wrong order; the counts are right, nothing is applied twice or backwards, and answers follow.
#include "drive/wire.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cmath>
#include <random>
#include <thread>

#include "cardan/wire.h"

namespace cardan {
namespace {

/// The other side's socket.
class Peer {
 public:
  explicit Peer(int port) : socket_(socket(AF_INET, SOCK_DGRAM, 0)) {
    to_.sin_family = AF_INET;
    to_.sin_port = htons(static_cast<std::uint16_t>(port));
    to_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval wait{1, 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
  }
  ~Peer() { close(socket_); }
  void send(const void* bytes, std::size_t size) const {
    EXPECT_EQ(sendto(socket_, bytes, size, 0, reinterpret_cast<const sockaddr*>(&to_), sizeof to_),
              static_cast<ssize_t>(size));
  }
  void send(std::uint64_t sequence, double value) const {
    cardan_wire_frame frame;
    cardan_wire_begin(&frame, CARDAN_WIRE_INPUTS, 5, sequence, 2);
    frame.values[0] = value;
    frame.values[1] = -value;
    send(&frame, cardan_wire_size(&frame));
  }
  bool receive(cardan_wire_frame& frame) const {
    const ssize_t bytes = recv(socket_, &frame, sizeof frame, 0);
    return bytes > 0 && cardan_wire_valid(&frame, static_cast<std::size_t>(bytes), CARDAN_WIRE_OUTPUTS);
  }

 private:
  int socket_;
  sockaddr_in to_{};
};

/// Until the wire has counted so many arrivals.
void settle(const Wire& wire, std::int64_t arrivals) {
  for (int i = 0; i < 2000; ++i) {
    const WireCounts c = wire.counts();
    if (c.applied + c.late + c.duplicates + c.malformed >= arrivals) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

TEST(Wire, LossDuplicatesAndOrderAreCounted) {
  const std::unique_ptr<UdpWire> wire = make_udp_wire("127.0.0.1", 0, "", 2);
  const Peer peer(wire->port());
  std::mt19937 random(3);
  std::int64_t sent = 0, lost = 0, doubled = 0, swapped = 0;
  std::uint64_t newest_read = 0;
  std::array<double, 2> inputs{};
  const auto look = [&] {
    if (!wire->read(inputs)) return;
    EXPECT_GT(inputs[0], static_cast<double>(newest_read));
    EXPECT_EQ(inputs[1], -inputs[0]);
    newest_read = static_cast<std::uint64_t>(inputs[0]);
  };
  constexpr std::uint64_t kFrames = 10000;
  for (std::uint64_t i = 1; i <= kFrames; ++i) {
    const unsigned dice = i == 1 || i + 2 > kFrames ? 99 : random() % 100;
    if (dice == 0) {
      ++lost;
    } else if (dice == 1) {
      peer.send(i, static_cast<double>(i));
      peer.send(i, static_cast<double>(i));
      sent += 2, ++doubled;
    } else if (dice == 2) {
      peer.send(i + 1, static_cast<double>(i + 1));
      peer.send(i, static_cast<double>(i));
      ++i, sent += 2, ++swapped;
    } else {
      peer.send(i, static_cast<double>(i));
      ++sent;
    }
    if (i % 50 == 0) settle(*wire, sent);  // so that the system's own buffer loses none
    look();
  }
  settle(*wire, sent);
  look();
  const WireCounts counts = wire->counts();
  EXPECT_EQ(counts.lost, lost);
  EXPECT_EQ(counts.duplicates, doubled);
  EXPECT_EQ(counts.late, swapped);
  EXPECT_EQ(counts.applied, static_cast<std::int64_t>(kFrames) - lost - swapped);
  EXPECT_EQ(counts.malformed, 0);
  EXPECT_EQ(newest_read, kFrames);
  EXPECT_GT(lost, 50);
  EXPECT_GT(doubled, 50);
  EXPECT_GT(swapped, 50);
}

TEST(Wire, OutputsAnswerTheInputsThatTheyFelt) {
  const std::unique_ptr<UdpWire> wire = make_udp_wire("127.0.0.1", 0, "", 2);
  const Peer peer(wire->port());
  const std::array<double, 3> outputs{1, 2, 3};
  wire->send(0, outputs);  // nobody is there
  EXPECT_EQ(wire->counts().sent, 0);
  for (std::uint64_t i = 1; i <= 100; ++i) {
    peer.send(i, 0.5);
    settle(*wire, static_cast<std::int64_t>(i));
    std::array<double, 2> inputs{};
    ASSERT_TRUE(wire->read(inputs));
    wire->send(0.001 * static_cast<double>(i), outputs);
    cardan_wire_frame frame;
    ASSERT_TRUE(peer.receive(frame));
    EXPECT_EQ(frame.head.answers, i);
    EXPECT_EQ(frame.head.sequence, i);
    EXPECT_EQ(frame.head.count, 3U);
    EXPECT_EQ(frame.values[2], 3);
  }
  EXPECT_EQ(wire->latency().count(), 100);
  EXPECT_EQ(wire->counts().sent, 100);
}

TEST(Wire, WhatIsNoFrameIsCountedAndLeftAlone) {
  const std::unique_ptr<UdpWire> wire = make_udp_wire("127.0.0.1", 0, "", 2);
  const Peer peer(wire->port());
  cardan_wire_frame frame;
  const auto broken = [&](auto&& change) {
    cardan_wire_begin(&frame, CARDAN_WIRE_INPUTS, 5, 1, 2);
    frame.values[0] = frame.values[1] = 1;
    std::size_t size = cardan_wire_size(&frame);
    change(size);
    peer.send(&frame, size);
  };
  broken([&](std::size_t& size) { size = 3; });
  broken([&](std::size_t& size) { size -= 1; });
  broken([&](std::size_t& size) { size += 8; });
  broken([&](std::size_t&) { frame.head.magic = 1; });
  broken([&](std::size_t&) { frame.head.version = 9; });
  broken([&](std::size_t&) { frame.head.kind = CARDAN_WIRE_OUTPUTS; });
  broken([&](std::size_t&) { frame.head.count = 0xffffffff; });
  broken([&](std::size_t& size) { frame.head.count = 3, size += 8; });
  broken([&](std::size_t&) { frame.head.sequence = 0; });
  broken([&](std::size_t&) { frame.values[1] = std::nan(""); });
  settle(*wire, 10);
  EXPECT_EQ(wire->counts().malformed, 10);
  std::array<double, 2> inputs{7, 7};
  EXPECT_FALSE(wire->read(inputs));
  EXPECT_EQ(inputs[0], 7);
  EXPECT_THROW(make_udp_wire("nowhere", 0, "", 2), std::invalid_argument);
  EXPECT_THROW(make_udp_wire("127.0.0.1", 0, "127.0.0.1", 2), std::invalid_argument);
  EXPECT_THROW(make_udp_wire("127.0.0.1", wire->port(), "", 2), std::system_error);
}

TEST(Wire, SharedMemoryCarriesBothWays) {
  const std::string name = "/cardan_test_" + std::to_string(getpid());
  const std::unique_ptr<Wire> wire = make_shared_memory_wire(name);
  const int file = shm_open(name.c_str(), O_RDWR, 0);
  ASSERT_GE(file, 0);
  auto* const memory = static_cast<cardan_wire_memory*>(
      mmap(nullptr, sizeof(cardan_wire_memory), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
  close(file);
  std::atomic<bool> done = false;
  // It hardly pauses; what is read is never half of one frame and half of another.
  std::thread other([&] {
    cardan_wire_frame frame;
    for (std::uint64_t i = 1; !done; ++i) {
      cardan_wire_begin(&frame, CARDAN_WIRE_INPUTS, 9, i, 2);
      frame.values[0] = static_cast<double>(i);
      frame.values[1] = -static_cast<double>(i);
      cardan_wire_put(&memory->inputs, &frame);
      std::this_thread::sleep_for(std::chrono::microseconds(1));
    }
  });
  std::array<double, 2> inputs{};
  double before = 0;
  int read = 0;
  const auto begin = std::chrono::steady_clock::now();
  while (read < 1000 && std::chrono::steady_clock::now() - begin < std::chrono::seconds(20)) {
    if (!wire->read(inputs)) continue;
    EXPECT_GT(inputs[0], before);
    EXPECT_EQ(inputs[1], -inputs[0]);
    before = inputs[0];
    ++read;
  }
  done = true;
  other.join();
  EXPECT_EQ(read, 1000);
  EXPECT_EQ(wire->counts().applied, 1000);
  wire->send(2.5, std::array<double, 1>{4});
  cardan_wire_frame frame;
  ASSERT_GT(cardan_wire_look(&memory->outputs, &frame), 0U);
  EXPECT_EQ(frame.values[0], 4);
  EXPECT_EQ(static_cast<double>(frame.head.answers), before);
  munmap(memory, sizeof *memory);
  EXPECT_THROW(make_shared_memory_wire(name), std::system_error);  // it is in use
}

}  // namespace
}  // namespace cardan
