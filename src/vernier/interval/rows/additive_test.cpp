#include "vernier/interval/rows/additive.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "support/parameters.hpp"

namespace vernier::interval {
namespace {

constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();

Alpha alpha_of(double value) { return *Alpha::of(value); }
PossibleRange range(std::int64_t from, std::int64_t to) { return *PossibleRange::of(from, to); }

noise::Geometric make(const noise::Geometric*, double scale) { return *noise::Geometric::of(*LaplaceScale::of(scale)); }
noise::DiscreteGaussian make(const noise::DiscreteGaussian*, double scale) {
  return *noise::DiscreteGaussian::of(*Sigma::of(scale));
}

template <class Law>
class Additive : public testing::Test {
 protected:
  static Law law(double scale) { return make(static_cast<const Law*>(nullptr), scale); }
};
using Laws = testing::Types<noise::Geometric, noise::DiscreteGaussian>;
TYPED_TEST_SUITE(Additive, Laws);

// The chance to cover, by summing the masses of all noise that leads to an interval with the exact number in it.
template <class Law>
double coverage(const Law& law, std::int64_t exact, std::int64_t accuracy, PossibleRange possible) {
  double covered = 0;
  const auto reach = static_cast<std::int64_t>(60 * law.scale()) + 10;
  for (std::int64_t noise = -reach; noise <= reach; ++noise) {
    const AdditiveInterval found = additive(exact + noise, accuracy, possible);
    if (found.low <= exact && exact <= found.high) covered += law.mass(noise).upper;
  }
  return covered;
}

TYPED_TEST(Additive, CoversAtLeastAsOftenAsItSaysByExactSums) {
  for (const double scale : {0.3, 1.0, 4.7}) {
    for (const double alpha : {0.01, 0.05, 0.3}) {
      const TypeParam law = this->law(scale);
      const std::int64_t a = *additive_accuracy(law, alpha_of(alpha));
      for (const std::int64_t exact : {0, 1, 3, 20}) {
        SCOPED_TRACE(testing::Message() << "scale " << scale << " alpha " << alpha << " exact " << exact);
        EXPECT_GE(coverage(law, exact, a, range(0, 20)), 1 - alpha);
        EXPECT_GE(coverage(law, exact, a, range(least, greatest)), 1 - alpha);
      }
    }
  }
}

TYPED_TEST(Additive, IsAsShortAsItCanBe) {
  for (const double scale : {0.3, 1.0, 4.7}) {
    const TypeParam law = this->law(scale);
    const std::int64_t a = *additive_accuracy(law, alpha_of(0.05));
    if (a > 0) {
      EXPECT_LT(coverage(law, 5, a - 1, range(least, greatest)), 0.95) << scale;
    }
    EXPECT_EQ(*additive_accuracy(law, alpha_of(0.999)), 0);
  }
}

// What a scale that is 10 % too small would claim is found out by the same sums.
TYPED_TEST(Additive, CoversTooSeldomWithAScaleThatIsTooSmall) {
  const std::int64_t a = *additive_accuracy(this->law(9), alpha_of(0.05));
  EXPECT_LT(coverage(this->law(10), 0, a, range(least, greatest)), 0.945);
}

TEST(AdditiveInterval, IsTheReleasedNumberPlusMinusItsAccuracy) {
  const auto law = *noise::Geometric::of(*LaplaceScale::of(180));
  const std::int64_t a = *additive_accuracy(law, alpha_of(0.05));
  EXPECT_EQ(a, 539);  // the documents' ceiling formula says 540
  const AdditiveInterval found = additive(5000, a, range(0, 100000));
  EXPECT_EQ(found.value, 5000);
  EXPECT_EQ(found.accuracy, 539);
  EXPECT_EQ(found.low, 4461);
  EXPECT_EQ(found.high, 5539);
  EXPECT_EQ(name_of(found.status), "proven");
  EXPECT_EQ(name_of(found.covers), "bounded-value");
}

// Cutting released +- accuracy off instead would leave nothing of [-60, -40].
TEST(AdditiveInterval, KeepsItsLengthBelowTheLeastPossibleNumber) {
  const AdditiveInterval below = additive(-50, 10, range(0, 100));
  EXPECT_EQ(below.value, 0);
  EXPECT_EQ(below.low, 0);
  EXPECT_EQ(below.high, 10);
  const AdditiveInterval above = additive(1000, 10, range(0, 100));
  EXPECT_EQ(above.value, 100);
  EXPECT_EQ(above.low, 90);
  EXPECT_EQ(above.high, 100);
}

TEST(AdditiveInterval, DoesNotOverflowAtTheEndsOfTheIntegers) {
  for (const std::int64_t released : {least, least + 1, std::int64_t{-1}, std::int64_t{0}, greatest - 1, greatest}) {
    for (const std::int64_t a : {std::int64_t{0}, std::int64_t{5}, greatest}) {
      const AdditiveInterval found = additive(released, a, range(least, greatest));
      EXPECT_EQ(found.value, released);
      EXPECT_LE(found.low, released);
      EXPECT_GE(found.high, released);
      EXPECT_TRUE(found.low == least || found.low == released - a);
      EXPECT_TRUE(found.high == greatest || found.high == released + a);
    }
  }
}

TEST(AdditiveInterval, IsScaledOutwardOnTheGrid) {
  const ScaledInterval quarter = on_grid(additive(10, 3, range(0, 100)), *Real::of(0.25));
  EXPECT_EQ(quarter.value, 2.5);
  EXPECT_EQ(quarter.accuracy, 0.75);
  EXPECT_EQ(quarter.interval.low, 1.75);
  EXPECT_EQ(quarter.interval.high, 3.25);
  const std::int64_t odd = (std::int64_t{1} << 53) + 1;  // between two doubles
  const ScaledInterval wide = on_grid(additive(odd, 0, range(0, greatest)), *Real::of(1));
  EXPECT_EQ(wide.interval.low, 0x1p53);
  EXPECT_EQ(wide.interval.high, 0x1p53 + 2);
}

TEST(AdditiveInterval, RefusesARangeUpsideDown) {
  EXPECT_EQ(PossibleRange::of(5, 4).error().sentence(),
            "the least possible number must not exceed the greatest, but they are 5 and 4; exchange them");
}

}  // namespace
}  // namespace vernier::interval
