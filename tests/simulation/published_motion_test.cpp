// Motions whose solution others have published: Andrews' squeezing mechanism at 0.03 s (Test Set for Initial Value
// Problem Solvers, problem ANDREWS, reference solution).
#include <gtest/gtest.h>

#include "cardan/io.hpp"
#include "last_sample.hpp"

namespace cardan {
namespace {

TEST(AndrewsSqueezer, EndsWhereTheTestSetSays) {
  const Mechanism mechanism = read_mechanism(CARDAN_SOURCE_DIR "/models/andrews_squeezer.yaml");
  // What the joints call the published angles, from the drawn position.
  struct Published {
    const char* column;
    double start, end;
  };
  const Published angles[] = {
      {"o.q", -0.0617138900142764496, 15.81077119629904}, {"f.q", 0, -15.75637105984298},
      {"b.q", 0.455279819163070380, 0.04082224013073101}, {"g.q", 0.222668390165885885, -0.5347301163226948},
      {"a5.q", 0.487364979543842550, 0.5244099658805304}, {"h.q", -0.222668390165885885, 0.5347301163226948},
      {"a7.q", 1.23054744454982119, 1.048080741042263}};
  for (const char* formulation : {"global", "hybrid", "topological"}) {
    const FinishedRun coarse = finish(mechanism, options_of(formulation, 2e-6, 0.03));
    const FinishedRun fine = finish(mechanism, options_of(formulation, 1e-6, 0.03));
    ASSERT_EQ(fine.summary.status, RunStatus::ok) << fine.summary.reason;
    for (const Published& p : angles) {
      const double expected = p.end - p.start;
      EXPECT_NEAR(fine.last[p.column], expected, 2e-3) << formulation << " " << p.column;
      // The error falls with the square of the step, so this combination is better by orders.
      const double extrapolated = (4 * fine.last[p.column] - coarse.last[p.column]) / 3;
      EXPECT_NEAR(extrapolated, expected, 2e-6) << formulation << " " << p.column;
    }
  }
}

}  // namespace
}  // namespace cardan
