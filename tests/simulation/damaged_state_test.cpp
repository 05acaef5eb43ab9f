// Saved states with a bit changed somewhere, or cut short. Nothing beyond a buffer is read, a simulation that refuses
// one is as it was, and its own state is taken up bit for bit afterwards.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <random>

#include "cardan/registry.hpp"
#include "integration/linkages.hpp"
#include "last_sample.hpp"

namespace cardan {
namespace {

constexpr int kDamages = 60, kStepsAfter = 3;

bool same_bits(const VecX& one, const VecX& two) {
  return one.size() == two.size() && std::memcmp(one.data(), two.data(), sizeof(double) * one.size()) == 0;
}

void flip_a_bit(double& number, std::mt19937& random) {
  auto bits = std::bit_cast<std::uint64_t>(number);
  bits ^= std::uint64_t{1} << std::uniform_int_distribution<int>(0, 63)(random);
  number = std::bit_cast<double>(bits);
}

/// Steps the simulation, however they end.
void go_on(Simulation& simulation) {
  for (int i = 0; i < kStepsAfter && simulation.step() == StepStatus::ok;) ++i;
}

/// A record has a sum, which tells of any change.
TEST(DamagedState, OfARecordIsRefused) {
  std::mt19937 random(12);
  int methods = 0, refused = 0;
  for (const RegistryEntry& formulation : formulations()) {
    for (const RegistryEntry& integrator : integrators()) {
      if (!why_not(formulation.name, integrator.name).empty()) continue;
      SCOPED_TRACE(std::string(formulation.name) + " " + std::string(integrator.name));
      ++methods;
      const RunOptions options = options_of(std::string(formulation.name), 1e-3, 1, std::string(integrator.name));
      Simulation simulation(closed_four_bar(), options), other(closed_four_bar(), options);
      ASSERT_EQ(simulation.step(), StepStatus::ok);
      std::vector<double> own(simulation.record_size());
      own.resize(simulation.save(own.data()));
      go_on(simulation);
      const Context start = other.state();
      for (int i = 0; i < kDamages; ++i) {
        std::vector<double> damaged = own;
        const auto at = std::uniform_int_distribution<std::size_t>(0, damaged.size() - 1)(random);
        if (i % 4 == 0) {
          damaged.resize(at);
        } else {
          flip_a_bit(damaged[at], random);
        }
        EXPECT_THROW(other.restore(damaged), std::invalid_argument) << at << " of " << own.size();
        ++refused;
      }
      EXPECT_TRUE(same_bits(other.state().q, start.q) && same_bits(other.state().v, start.v));
      EXPECT_EQ(other.time(), start.t);
      other.restore(own);
      go_on(other);
      EXPECT_TRUE(same_bits(other.state().q, simulation.state().q));
      EXPECT_TRUE(same_bits(other.state().v, simulation.state().v));
    }
  }
  EXPECT_GE(methods, 40);
  EXPECT_EQ(refused, methods * kDamages);
}

/// A context is a value, which may be changed: it is refused, or a state like another.
TEST(DamagedState, OfAContextIsRefusedOrAStateLikeAnother) {
  std::mt19937 random(13);
  int refused = 0, taken = 0;
  for (const RegistryEntry& formulation : formulations()) {
    for (const RegistryEntry& integrator : integrators()) {
      if (!why_not(formulation.name, integrator.name).empty()) continue;
      SCOPED_TRACE(std::string(formulation.name) + " " + std::string(integrator.name));
      const RunOptions options = options_of(std::string(formulation.name), 1e-3, 1, std::string(integrator.name));
      Simulation simulation(closed_four_bar(), options), other(closed_four_bar(), options);
      ASSERT_EQ(simulation.step(), StepStatus::ok);
      const Context own = simulation.state();
      go_on(simulation);
      for (int i = 0; i < kDamages; ++i) {
        Context damaged = own;
        VecX* const parts[] = {&damaged.q,      &damaged.v,       &damaged.acceleration, &damaged.lambda,
                               &damaged.memory, &damaged.stepper, &damaged.algorithmic,  &damaged.books};
        VecX& part = *parts[static_cast<std::size_t>(i) % std::size(parts)];
        if (part.size() == 0) continue;
        const auto at = std::uniform_int_distribution<Eigen::Index>(0, part.size() - 1)(random);
        if (i % 5 == 0) {
          part.conservativeResize(at);
        } else {
          flip_a_bit(part[at], random);
        }
        try {
          other.restore(damaged);
          ++taken;
          go_on(other);
        } catch (const std::invalid_argument&) {
          ++refused;
        }
      }
      other.restore(own);
      go_on(other);
      EXPECT_TRUE(same_bits(other.state().q, simulation.state().q));
      EXPECT_TRUE(same_bits(other.state().v, simulation.state().v));
    }
  }
  EXPECT_GT(refused, 200);
  EXPECT_GT(taken, 200);
}

}  // namespace
}  // namespace cardan
