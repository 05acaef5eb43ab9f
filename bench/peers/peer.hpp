// What each engine does for the comparison: ten seconds of the N-window four-bar with a setting of its own, and forward
// dynamics of an open chain. The problems are stated here once, for all of them.
//
// N windows: N + 1 rods stand on the ground at unit distance, pinned to it; their tops are joined by N more. All are 1 m
// long, of 1 kg, thin; gravity 9.81 m/s^2; upright at the start, turning with 1 rad/s. Ten times in ten seconds all rods
// lie along one line, where each window could go on in two ways.
//
// Chain: links of 1 kg and 0.2 m, with the inertia of a box, hinged at their ends about axes that turn from link to link.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace peers {

struct WindowRun {
  double seconds = 0;       // of the processor, stepping alone
  double energy_error = 0;  // J, largest
  double violation = 0;     // m, largest gap of a joint at the end of a step
  bool on_branch = false;   // rods that are parallel at the start are so at the end
};

/// A setting that an engine may run the windows with.
struct Setting {
  std::string name;
  double step = 0;      // s, or 0
  double accuracy = 0;  // of step control, or 0
  double stiffness = 0;  // what the engine holds its joints with, in its own terms, or 0
};

class Peer {
 public:
  virtual ~Peer() = default;
  virtual std::string name() const = 0;
  /// From coarse to fine, so that a scan can end at the first that is good enough.
  virtual std::vector<Setting> settings() const = 0;
  virtual WindowRun windows(int count, const Setting& setting) = 0;
  /// Seconds of the processor for one forward dynamics of a chain, positions and velocities having changed: the least of
  /// several batches. Below 0: not offered.
  virtual double chain(int links) = 0;
};

inline constexpr double kDuration = 10, kGravity = 9.81, kLinkLength = 0.2;
inline constexpr double kChainInertia[3] = {0.02, 0.03, 0.04};  // kg m^2, about the link's centre
/// Axis of the hinge of link i, alike in all engines: x, y, z in turn.
inline int hinge_axis(int i) { return i % 3; }
/// Coordinates and rates of the chain at which it is asked.
inline double hinge_angle(int i) { return 0.1 + 0.07 * (i % 7); }
inline double hinge_rate(int i) { return 0.2 - 0.05 * (i % 5); }

/// Of the calling thread, s.
double processor_seconds();
/// The least of several batches of calls, s for one.
template <class Call>
double least_time(Call&& call) {
  double least = 1e300;
  for (int batch = 0; batch < 7; ++batch) {
    int calls = 0;
    const double begin = processor_seconds();
    double now = begin;
    do {
      for (int i = 0; i < 8; ++i) call();
      calls += 8;
      now = processor_seconds();
    } while (now - begin < 0.02);
    const double each = (now - begin) / calls;
    if (each < least) least = each;
  }
  return least;
}

std::unique_ptr<Peer> make_cardan();
std::unique_ptr<Peer> make_mujoco();
std::unique_ptr<Peer> make_simbody();
std::unique_ptr<Peer> make_dart();

}  // namespace peers
