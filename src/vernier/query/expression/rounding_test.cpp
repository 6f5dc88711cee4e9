#include "vernier/query/expression/rounding.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace vernier::query {
namespace {

double above(double x) { return std::nextafter(x, INFINITY); }
double below(double x) { return std::nextafter(x, -INFINITY); }

// By the distance to the floor, which is exact: of x below 0 too, but for what is nearer to 0 than half.
double by_distance(double x) {
  const double floor = std::floor(x);
  return x - floor >= 0.5 ? floor + 1 : floor;
}

TEST(Rounding, GivesTheNearestWholeNumberAndOfHalvesTheUpper) {
  EXPECT_EQ(nearest(0.49999999999999994), 0);
  EXPECT_EQ(nearest(-0.49999999999999994), 0);
  EXPECT_EQ(nearest(0.5), 1);
  EXPECT_EQ(nearest(-0.5), 0);
  EXPECT_EQ(nearest(below(-0.5)), -1);
  EXPECT_EQ(nearest(2.5), 3);
  EXPECT_EQ(nearest(-2.5), -2);
  EXPECT_EQ(nearest(0x1p52 + 1), 0x1p52 + 1);
  EXPECT_EQ(nearest(-0x1p52 - 1), -0x1p52 - 1);
  EXPECT_EQ(nearest(0x1p52 - 0.5), 0x1p52);
  EXPECT_FALSE(std::signbit(nearest(-0.3)));
}

TEST(Rounding, IsTheSameAsByTheDistanceToTheFloor) {
  std::mt19937_64 bits(5);
  std::uniform_real_distribution<double> part(-1, 1);
  for (int i = 0; i < 200'000; ++i) {
    const double halves = std::floor(part(bits) * 40) / 2;
    const double x = i % 2 == 0 ? halves : std::ldexp(part(bits), static_cast<int>(bits() % 120) - 60);
    for (const double near : {x, above(x), below(x)}) ASSERT_EQ(nearest(near), by_distance(near)) << near;
  }
}

// The greatest of the multiples around, each computed as what it is compared with.
double greatest_multiple(double x, double width) {
  double k = std::floor(x / width) + 3;
  while (k * width > x) k -= 1;
  return k * width + 0.0;
}

TEST(Rounding, PutsNothingIntoABucketThatBeginsAboveIt) {
  EXPECT_EQ(bucket_start(below(17 * 0.1), 0.1), 16 * 0.1);
  std::mt19937_64 bits(6);
  for (const double width : {0.1, 0.3, 1.0 / 3, 7.7, 1e-3, 0x1p-53, 2.5}) {
    for (int i = 0; i < 20'000; ++i) {
      const double multiple = (static_cast<double>(bits() % 2'000'000) - 1e6) * width;
      for (const double x : {multiple, above(multiple), below(multiple)}) {
        ASSERT_EQ(bucket_start(x, width), greatest_multiple(x, width)) << x << " by " << width;
      }
    }
  }
}

TEST(Rounding, KeepsTheOrderOfNumbersBeyondAllBuckets) {
  std::mt19937_64 bits(7);
  for (const double width : {0.1, 3.0, 0x1p53}) {
    double last = -INFINITY, x = -0x1p52 * width * 1.0000001;
    for (int i = 0; i < 200'000; ++i, x += width * static_cast<double>(bits() % 7'000)) {
      const double start = bucket_start(x, width);
      ASSERT_LE(last, start);
      ASSERT_LE(start, x);
      last = start;
    }
  }
  EXPECT_EQ(bucket_start(1e150, 0.1), 1e150);
}

}  // namespace
}  // namespace vernier::query
