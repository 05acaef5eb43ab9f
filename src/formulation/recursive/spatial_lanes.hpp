// What the sweeps over a spatial tree (articulated_tree.hpp) read and write, on bare numbers in fours: x, y, z and a
// zero, so that one instruction does three coordinates. The sweeps are compiled once for every set of instructions
// (spatial_sweeps.hpp) and see nothing of the library but this.
#pragma once

#include <cstddef>

namespace cardan {

/// A vector in inertial axes, or in those of a link where it is constant. The last number is zero, always.
struct alignas(32) Lanes {
  double x[4] = {0, 0, 0, 0};
};

struct LaneTwist {
  Lanes linear, angular;
};

/// [A B; B^T C], symmetric, by columns: all of them, so that both halves of I h are sums of columns.
struct LaneInertia {
  Lanes A[3], Bt[3], B[3], C[3];
};

/// The frame of a pin, a link on a single rotation: its last axis is the joint's, its origin the joint's point.
struct LaneLink {
  Lanes rotation[3];  // pins: its axes in the parent's frame at z = 0
  Lanes place;        // pins: its origin likewise
  Lanes center;       // pins: mass centre in the frame
  Lanes less, more;   // pins: the inertia is middle + more more^T - less less^T, as in TurningInertia
  double middle = 0, mass = 0;
  int body = 0;             // whose wrench it takes
  int parent = -1;          // a link before it, or ground
  int first = 0, last = 0;  // coordinates
  int inbox = -1;           // where children hand what does not follow at once
  bool own_origin = false;
};

struct LaneState {
  Lanes rotation[3];      // position level: of the link's frame
  Lanes place;            // position level: its origin
  Lanes origin;           // position level: what twists and wrenches are taken about
  Lanes center;           // position level: mass centre, from `origin`
  Lanes inertia[3];       // position level: about the mass centre
  LaneTwist twist, zeta;  // velocity level
  LaneTwist bias_wrench;  // velocity level: M zeta + rate of M Z
  LaneTwist delta;        // acceleration level
};

struct LaneColumn {
  LaneTwist column;               // position level: h
  LaneTwist force;                // acceleration level: U
  double inverse = 0, drive = 0;  // acceleration level: 1 / d; u, and after respond() the change of z''
};

struct LaneHanded {  // from a child to its parent
  LaneInertia inertia;
  LaneTwist wrench;
};

struct LaneTree {
  const LaneLink* links;
  int count;
  const double* rotor;  // of every coordinate
  int inboxes;
};
struct LaneBuffers {
  LaneState* link;
  LaneColumn* column;
  LaneHanded* inbox;
  LaneTwist* change;  // of delta, one for each link
};

/// One set of instructions. `wrenches`: six numbers for each body about the inertial origin, or null.
struct SpatialSweeps {
  /// Of pins alone, in [begin, end).
  void (*position)(const LaneTree&, int begin, int end, const double* z, const LaneBuffers&);
  void (*velocity)(const LaneTree&, int begin, int end, const double* v, const double* gravity, const LaneBuffers&);
  /// Returns -1, or the coordinate that nothing resists.
  int (*gather)(const LaneTree&, const double* wrenches, const LaneBuffers&);
  void (*spread)(const LaneTree&, const LaneBuffers&, double* a);
  void (*respond)(const LaneTree&, const double* wrenches, const LaneBuffers&);
};

SpatialSweeps plain_spatial_sweeps();
/// Only where the processor has AVX2.
SpatialSweeps avx2_spatial_sweeps();
inline bool has_avx2() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2");
#else
  return false;
#endif
}
inline SpatialSweeps best_spatial_sweeps() { return has_avx2() ? avx2_spatial_sweeps() : plain_spatial_sweeps(); }

}  // namespace cardan
