#include "vernier/noise/grid_noise.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "statistics.hpp"
#include "support/scripted_bits.hpp"
#include "support/seeded_bits.hpp"

namespace vernier::noise {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

Real real(double value) { return Real::of(value).value(); }
Grid grid_for(double scale) { return Grid::for_scale(Sigma::of(scale).value()); }
ValueRange range(double lower, double upper) { return ValueRange::of(real(lower), real(upper)).value(); }

TEST(Grid, RoundingCostsLessThanAMillionthOfTheScale) {
  for (const double scale : {1e-100, 1e-3, 0.1, 1.0, std::nextafter(2.0, 0), 1000.0, 1e12, 1e100}) {
    const double granularity = grid_for(scale).granularity();
    EXPECT_LT(granularity / 2, scale * 0x1p-20);
    EXPECT_GT(granularity, scale * 0x1p-22);
  }
}

TEST(Grid, RoundsHalvesUpwardOnBothSidesOfZero) {
  const Grid grid = grid_for(0x1p20);  // granularity 1
  EXPECT_EQ(grid.nearest_unit(0.5), 1);
  EXPECT_EQ(grid.nearest_unit(-0.5), 0);
  EXPECT_EQ(grid.nearest_unit(-1.5), -1);
  EXPECT_EQ(grid.nearest_unit(0.49999999999999994), 0);  // where floor(x + 0.5) in doubles says 1
  EXPECT_EQ(grid.nearest_unit(0x1p62), std::int64_t{1} << 62);
  EXPECT_EQ(grid.nearest_unit(-0x1p62), -(std::int64_t{1} << 62));
}

RC_GTEST_PROP(Grid, MovesNoTwoValuesFurtherApartThanItsSensitivity, ()) {
  const double scale = std::exp2(*rc::gen::inRange(-40, 40)) * (1 + *rc::gen::inRange(0, 1000) / 1000.0);
  const Grid grid = grid_for(scale);
  const double a = *rc::gen::inRange(-1000000, 1000000) * scale / 1024;
  const double apart = *rc::gen::inRange(0, 100000) * grid.granularity() / *rc::gen::inRange(1, 64);
  const double b = a + apart;
  const std::int64_t units = grid.units_apart(real(std::fabs(b - a) * (1 + 0x1p-52))).value();
  RC_ASSERT(std::abs(grid.nearest_unit(b) - grid.nearest_unit(a)) <= units);
}

TEST(Grid, SensitivityIsRoundedUpAndNeverToZero) {
  const Grid grid = grid_for(0x1p20);
  EXPECT_EQ(grid.units_apart(real(0)).value(), 0);
  EXPECT_EQ(grid.units_apart(real(1)).value(), 1);
  EXPECT_EQ(grid.units_apart(real(1.0000000001)).value(), 2);
  EXPECT_EQ(grid_for(1e100).units_apart(real(5e-324)).value(), 1);
  EXPECT_FALSE(grid.units_apart(real(-1)));
  EXPECT_FALSE(grid.units_apart(real(1e300)));
}

TEST(GridNoise, AddsTheIntegerLawOfItsScale) {
  const GaussianNoise noise = on_grid(Gaussian::of(Sigma::of(0.1).value()));
  EXPECT_EQ(noise.units_law().scale() * noise.grid().granularity(), 0.1);
  std::vector<double> draws(1'000'000);
  auto source = testing::seeded_source(1);
  ASSERT_TRUE(noise.fill(source, draws));
  std::vector<std::int64_t> units;
  for (const double draw : draws) units.push_back(static_cast<std::int64_t>(draw / noise.grid().granularity()));
  EXPECT_EQ(testing::objection_to(testing::cells_of(noise.units_law()), units), "");
}

TEST(GridNoise, ClampsAndTakesWhatIsNoNumberAsTheLowerEnd) {
  const LaplaceNoise noise = on_grid(Laplace::of(LaplaceScale::of(1).value()));
  const std::vector<double> hostile = {nan, -infinity, infinity, -1e300, 1e300, -0.0, 5e-324};
  const std::vector<double> clamped = {-3, -3, 7, -3, 7, 0, 0};
  std::vector<double> from_hostile(hostile.size()), from_clamped(hostile.size());
  auto first = testing::seeded_source(2), second = testing::seeded_source(2);
  ASSERT_TRUE(noise.perturb(first, range(-3, 7), hostile, from_hostile));
  ASSERT_TRUE(noise.perturb(second, range(-3, 7), clamped, from_clamped));
  EXPECT_EQ(from_hostile, from_clamped);
}

TEST(GridNoise, RefusesARangeThatItsGridCannotHold) {
  const LaplaceNoise noise = on_grid(Laplace::of(LaplaceScale::of(1).value()));
  auto source = testing::seeded_source(3);
  std::vector<double> out(1);
  EXPECT_FALSE(noise.perturb(source, range(0, 1e15), std::vector<double>{0}, out));
  EXPECT_FALSE(noise.perturb(source, range(0, 1), std::vector<double>{0, 1}, out));
  EXPECT_FALSE(ValueRange::of(real(1), real(0)));
}

TEST(GridNoise, LeavesNothingThatCouldPassForNoiseWhenBitsRunOut) {
  const GaussianNoise noise = on_grid(Gaussian::of(Sigma::of(1).value()));
  auto source = testing::scripted_source({1, 2, 3});
  std::vector<double> out(100, 0);
  EXPECT_EQ(noise.fill(source, out).error().kind, ErrorKind::entropy);
  for (const double value : out) EXPECT_TRUE(std::isnan(value));
  EXPECT_EQ(noise.draw(source).error().kind, ErrorKind::entropy);
}

}  // namespace
}  // namespace vernier::noise
