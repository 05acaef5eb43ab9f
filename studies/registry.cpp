#include "studies/double_four_bar/double_four_bar.hpp"
#include "studies/study.hpp"

namespace cardan {

std::span<const Study> studies() {
  static constexpr Study all[] = {
      {"double-four-bar", "one-degree-of-freedom linkage through ten singular positions: energy, angle, robustness",
       run_double_four_bar_study},
  };
  return all;
}

}  // namespace cardan
