// Hardware, or any other process, at the inputs and outputs of a drive: frames as include/cardan/wire.h has them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "drive/frame_order.hpp"
#include "drive/time_histogram.hpp"

namespace cardan {

/// read() and send() are the stepping thread's: neither allocates, locks or waits.
class Wire {
 public:
  virtual ~Wire() = default;
  /// The newest inputs that are not read yet, as many as came; false when there are none.
  virtual bool read(std::span<double> inputs) = 0;
  /// Outputs at a time of the simulation, after a step that has felt what read() gave last.
  virtual void send(double time, std::span<const double> outputs) = 0;
  virtual WireCounts counts() const = 0;
  /// From the arrival of a frame of inputs until the first outputs leave that have felt it.
  const TimeHistogram& latency() const { return latency_; }

 protected:
  TimeHistogram latency_;
};

/// Listens on a port of `address` ("127.0.0.1"; 0: any free one) and answers whoever sent the last frame, or `peer`
/// ("127.0.0.1:5001") all along where it is not empty. Throws std::system_error, std::invalid_argument for what is no
/// address.
class UdpWire : public Wire {
 public:
  virtual int port() const = 0;
};
std::unique_ptr<UdpWire> make_udp_wire(const std::string& address, int port, const std::string& peer, int inputs);

/// A cardan_wire_memory of this name ("/cardan"), made anew and removed with the wire. Throws std::system_error.
std::unique_ptr<Wire> make_shared_memory_wire(const std::string& name);

}  // namespace cardan
