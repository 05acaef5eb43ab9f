// What comparisons say where a pack holds a single instance, and what else is the same of all such packs. Belongs to
// the files of packs: read within their choice of CARDAN_LANES.
#pragma once

#define CARDAN_INLINE __attribute__((always_inline)) inline

namespace cardan::CARDAN_LANES {

/// Rows without stiffness may have a derivative of it.
inline constexpr bool kAllRowsLive = true;

struct Mask {
  bool on;
  bool any() const { return on; }
  bool all() const { return on; }
  unsigned which() const { return on ? 1U : 0U; }
  static Mask of(unsigned which) { return {(which & 1U) != 0}; }
};
CARDAN_INLINE Mask operator&(Mask a, Mask b) { return {a.on && b.on}; }
CARDAN_INLINE Mask operator|(Mask a, Mask b) { return {a.on || b.on}; }
CARDAN_INLINE Mask operator~(Mask a) { return {!a.on}; }

}  // namespace cardan::CARDAN_LANES
