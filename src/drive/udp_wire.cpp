#include <arpa/inet.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "cardan/wire.h"
#include "drive/real_time.hpp"
#include "drive/triple_buffer.hpp"
#include "drive/wire.hpp"

namespace cardan {
namespace {

sockaddr_in address_of(const std::string& host, int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  if (port < 0 || port > 65535 || inet_pton(AF_INET, host.c_str(), &address.sin_addr) != 1)
    throw std::invalid_argument(fmt::format("'{}:{}' is no address; one is 127.0.0.1:5000", host, port));
  return address;
}

sockaddr_in peer_of(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  int port = -1;
  if (colon != std::string::npos) std::from_chars(text.data() + colon + 1, text.data() + text.size(), port);
  if (port <= 0) throw std::invalid_argument(fmt::format("'{}' is no address; one is 127.0.0.1:5001", text));
  return address_of(text.substr(0, colon), port);
}

/// A thread of its own receives.
class Udp final : public UdpWire {
 public:
  Udp(const std::string& address, int port, const std::string& peer, int inputs)
      : inputs_(std::min<std::size_t>(static_cast<std::size_t>(inputs), CARDAN_WIRE_MOST)) {
    const sockaddr_in own = address_of(address, port);
    if (!peer.empty()) peer_.store(packed(peer_of(peer))), fixed_peer_ = true;
    socket_ = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (socket_ < 0) throw std::system_error(errno, std::generic_category(), "no UDP socket");
    if (bind(socket_, reinterpret_cast<const sockaddr*>(&own), sizeof own) != 0) {
      const int error = errno;
      close(socket_);
      throw std::system_error(error, std::generic_category(), fmt::format("cannot listen on UDP {}:{}", address, port));
    }
    thread_ = std::thread([this] { receive(); });
  }
  ~Udp() override {
    end_ = true;
    thread_.join();
    close(socket_);
  }

  int port() const override {
    sockaddr_in own{};
    socklen_t size = sizeof own;
    getsockname(socket_, reinterpret_cast<sockaddr*>(&own), &size);
    return ntohs(own.sin_port);
  }

  bool read(std::span<double> inputs) override {
    if (!arrived_.take()) return false;
    const Arrived& arrived = arrived_.value();
    const std::size_t count = std::min<std::size_t>(arrived.frame.head.count, inputs.size());
    std::copy_n(arrived.frame.values, count, inputs.data());
    answers_ = arrived.frame.head.sequence;
    felt_since_ = arrived.at;
    return true;
  }

  void send(double time, std::span<const double> outputs) override {
    const std::uint64_t to = peer_.load(std::memory_order_relaxed);
    if (to == 0) return;
    cardan_wire_frame frame;
    cardan_wire_begin(&frame, CARDAN_WIRE_OUTPUTS, session_, ++sequence_, static_cast<std::uint32_t>(outputs.size()));
    frame.head.answers = answers_;
    frame.head.time = time;
    std::copy_n(outputs.data(), frame.head.count, frame.values);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = static_cast<std::uint16_t>(to >> 32);
    address.sin_addr.s_addr = static_cast<std::uint32_t>(to);
    const ssize_t size = static_cast<ssize_t>(cardan_wire_size(&frame));
    const bool sent = sendto(socket_, &frame, static_cast<std::size_t>(size), MSG_DONTWAIT,
                             reinterpret_cast<const sockaddr*>(&address), sizeof address) == size;
    (sent ? sent_ : not_sent_).fetch_add(1, std::memory_order_relaxed);
    if (felt_since_ > 0) latency_.add(monotonic_now() - felt_since_);
    felt_since_ = 0;
  }

  WireCounts counts() const override {
    WireCounts counts = order_.counts();
    counts.sent = sent_, counts.not_sent = not_sent_;
    return counts;
  }

 private:
  struct Arrived {
    cardan_wire_frame frame;
    std::int64_t at;  // ns
  };

  static std::uint64_t packed(const sockaddr_in& address) {
    return std::uint64_t{address.sin_port} << 32 | address.sin_addr.s_addr;
  }

  void receive() {
    constexpr int kLook = 20;  // ms, until the end is seen
    while (!end_) {
      pollfd ready{socket_, POLLIN, 0};
      if (poll(&ready, 1, kLook) <= 0) continue;
      sockaddr_in from{};
      socklen_t size = sizeof from;
      Arrived& room = arrived_.room();
      const ssize_t bytes =
          recvfrom(socket_, &room.frame, sizeof room.frame, MSG_TRUNC, reinterpret_cast<sockaddr*>(&from), &size);
      if (bytes < 0) continue;
      room.at = monotonic_now();
      const cardan_wire_frame& frame = room.frame;
      if (!cardan_wire_valid(&frame, static_cast<std::size_t>(bytes), CARDAN_WIRE_INPUTS) || frame.head.sequence == 0 ||
          frame.head.count > inputs_ ||
          !std::all_of(frame.values, frame.values + frame.head.count, [](double v) { return std::isfinite(v); })) {
        order_.refuse();
        continue;
      }
      if (!fixed_peer_) peer_.store(packed(from), std::memory_order_relaxed);
      if (order_.take(frame.head.session, frame.head.sequence)) arrived_.publish();
    }
  }

  std::size_t inputs_;
  int socket_ = -1;
  bool fixed_peer_ = false;
  std::atomic<std::uint64_t> peer_ = 0;
  std::atomic<std::int64_t> sent_ = 0, not_sent_ = 0;
  std::atomic<bool> end_ = false;
  FrameOrder order_;
  TripleBuffer<Arrived> arrived_;
  std::uint64_t sequence_ = 0, answers_ = 0;
  std::int64_t felt_since_ = 0;
  std::uint32_t session_ = static_cast<std::uint32_t>(monotonic_now());
  std::thread thread_;
};

}  // namespace

std::unique_ptr<UdpWire> make_udp_wire(const std::string& address, int port, const std::string& peer, int inputs) {
  return std::make_unique<Udp>(address, port, peer, inputs);
}

}  // namespace cardan
