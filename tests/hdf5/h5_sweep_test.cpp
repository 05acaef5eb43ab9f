// `cardan sweep --h5`.
#include "../apps/program.hpp"
#include "h5_file.hpp"

namespace cardan {
namespace {

class H5SweepTest : public ProgramTest {};

TEST_F(H5SweepTest, HasTheNumbersOfTheTable) {
  write("plan.yaml", R"(sweep: 1
name: lengths
model: four_bar.yaml
vary: {L: [0.9, 1, 1.1]}
simulation: {formulation: [hybrid, global], until: 0.1}
measures: {turned: {end: pinA0.q}, crossed: {first: pinA0.q > 100}}
constraints: {low: turned < 0}
)");
  const Result made = cardan("sweep plan.yaml --out out --h5");
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_NE(made.out.find("sweep.h5"), std::string::npos) << made.out;
  const H5File file(folder_ / "out" / "sweep.h5");
  ASSERT_TRUE(file.opened());
  EXPECT_EQ(file.columns(), (std::vector<std::string>{"run", "L", "formulation", "status", "turned", "crossed", "feasible"}));
  EXPECT_EQ(file.unit("formulation"), "1: hybrid, 2: global");
  EXPECT_EQ(file.unit("status"), "0: ok, 1: stopped, 2: failed");
  EXPECT_EQ(file.column("run"), (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(file.column("L"), (std::vector<double>{0.9, 0.9, 1, 1, 1.1, 1.1}));
  EXPECT_EQ(file.column("formulation"), (std::vector<double>{1, 2, 1, 2, 1, 2}));
  const std::vector<double> turned = file.column("turned");
  ASSERT_EQ(turned.size(), 6U);
  const std::vector<std::string> lines = split(read("out/sweep.csv"), '\n');
  for (std::size_t i = 0; i < turned.size(); ++i) EXPECT_EQ(turned[i], std::stod(split(lines[i + 1], ',')[4]));
  for (const double never : file.column("crossed")) EXPECT_TRUE(std::isinf(never));
}

}  // namespace
}  // namespace cardan
