#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "vernier/noise/discrete_gaussian.hpp"
#include "vernier/noise/geometric.hpp"
#include "vernier/noise/refinement.hpp"

namespace vernier::noise {
namespace {

constexpr std::size_t count = 1023;
constexpr int bits = 63;
constexpr numeric::Precision reference{320};

// 2^63 P[m] by one exponential per index at 320 bits, not by the recurrence.
template <class Law>
numeric::Ball exact_mass(const IndexLaw<Law>& index, std::int64_t m) {
  const auto factor = m == 0 ? index.factor_of_zero(reference) : index.factor(reference);
  return times_power_of_two(factor * index.law().weight(m, reference), bits);
}

template <class Law>
void expect_floors_below_and_near(const IndexLaw<Law>& index) {
  const FlooredMasses masses = floor_masses(index, bits, count);
  for (std::size_t m = 0; m < count; ++m) {
    const auto exact = static_cast<std::uint64_t>(exact_mass(index, static_cast<std::int64_t>(m)).floor_down());
    ASSERT_LE(masses.floors[m], exact) << "index " << m << " at scale " << index.law().scale();
    ASSERT_LE(exact - masses.floors[m], 1u) << "index " << m << " at scale " << index.law().scale();
  }
  EXPECT_EQ(std::accumulate(masses.floors.begin(), masses.floors.end(), masses.leftover), std::uint64_t{1} << bits);
  EXPECT_LT(std::ldexp(static_cast<double>(masses.leftover), -bits), 0x1p-52) << "at scale " << index.law().scale();
}

TEST(FlooredMasses, StayBelowTheExactMassesAndLeaveAlmostNothing) {
  for (const double scale : {1e-3, 0.3, 1.0, 10.0, 20.3, std::nextafter(24.0, 0)}) {
    expect_floors_below_and_near(IndexLaw<Geometric>::direct(*Geometric::of(*LaplaceScale::of(scale))));
  }
  for (const double scale : {1e-3, 0.3, 1.0, 10.0, 20.3, 64.0, std::nextafter(110.0, 0)}) {
    expect_floors_below_and_near(IndexLaw<DiscreteGaussian>::direct(*DiscreteGaussian::of(*Sigma::of(scale))));
  }
}

TEST(FlooredMasses, StayBelowTheExactMassesOfBuckets) {
  for (const double scale : {12.0, 15.26, std::nextafter(24.0, 0)}) {
    expect_floors_below_and_near(IndexLaw<Geometric>::bucket(*Geometric::of(*LaplaceScale::of(scale))));
  }
  for (const double scale : {55.0, 62.5, std::nextafter(110.0, 0)}) {
    expect_floors_below_and_near(IndexLaw<DiscreteGaussian>::bucket(*DiscreteGaussian::of(*Sigma::of(scale))));
  }
}

TEST(FlooredMasses, ClearTheBitsTheyAreToldTo) {
  const auto index = IndexLaw<Geometric>::direct(*Geometric::of(*LaplaceScale::of(10)));
  const FlooredMasses masses = floor_masses(index, bits, count, 50);
  for (const std::uint64_t floor : masses.floors) ASSERT_EQ(floor % (std::uint64_t{1} << 50), 0u);
  EXPECT_GT(std::ldexp(static_cast<double>(masses.leftover), -bits), 1e-3);
}

}  // namespace
}  // namespace vernier::noise
