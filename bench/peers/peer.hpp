// What each engine does for the comparison: motions of closed and open mechanisms with settings of its own, and forward
// dynamics of an open chain. The problems are stated here once, for all of them.
//
// N windows: N + 1 rods stand on the ground at unit distance, pinned to it; their tops are joined by N more. All are 1
// m long, of 1 kg, thin; gravity 9.81 m/s^2; upright at the start, turning with 1 rad/s. Ten times in ten seconds all
// rods lie along one line, where each window could go on in two ways.
//
// Bricard: five rods of 1 m and 1 kg along edges of a unit cube, (0 0 0), (1 0 0), (1 -1 0), (1 -1 1), (0 -1 1), (0 0
// 1), hinged to each other and to the ground about y, z, x, y, z, x at these points; from rest, ten seconds under
// gravity along -y. It moves although counting says that it does not: one of its closure equations is redundant.
//
// Chain: links of 1 kg and 0.2 m, with the inertia of a box, hinged at their ends about axes that turn from link to
// link. Forward dynamics at a crooked position; or a second of motion from there.
//
// Vehicle: see vehicle.hpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace peers {

enum class Problem { windows, bricard, chain, vehicle };

struct ProblemRun {
  double seconds = 0;     // of the processor, stepping alone
  double error = 0;       // J, largest error of the energy; of the vehicle m, RMS of its height over time
  double violation = 0;   // m, largest gap of a joint at the end of a step
  bool is_right = false;  // it came to its end, and rods that are parallel at the start are so there
};

/// A setting that an engine may run a problem with.
struct Setting {
  std::string name;
  double step = 0;       // s, or 0
  double accuracy = 0;   // of step control, or 0
  double stiffness = 0;  // what the engine holds its joints with, in its own terms, or 0
};

class Peer {
 public:
  virtual ~Peer() = default;
  virtual std::string name() const = 0;
  /// Families of settings, each from coarse to fine, so that a scan can leave one where it becomes dear.
  virtual std::vector<std::vector<Setting>> settings(Problem problem) const = 0;
  /// `size`: of windows or links. One that takes longer than kMostSeconds is ended.
  virtual ProblemRun run(Problem problem, int size, const Setting& setting) = 0;
  /// Seconds of the processor for one forward dynamics of a chain, positions and velocities having changed: the least
  /// of several batches. Below 0: not offered.
  virtual double chain(int links) = 0;
};

/// s: of the motion.
inline constexpr double duration(Problem problem) {
  return problem == Problem::chain ? 1 : problem == Problem::vehicle ? 8 : 10;
}
inline constexpr double kMostSeconds = 20;
inline constexpr double kGravity = 9.81, kLinkLength = 0.2;
inline constexpr double kChainInertia[3] = {0.02, 0.03, 0.04};  // kg m^2, about the link's centre
inline constexpr int kRods = 5;
inline constexpr double kCubeCorner[6][3] = {{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
/// Axis of Bricard's hinge at corner i: y, z, x, y, z, x.
inline int bricard_axis(int i) { return (i + 1) % 3; }
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
