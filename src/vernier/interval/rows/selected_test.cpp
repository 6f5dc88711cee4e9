#include "vernier/interval/rows/selected.hpp"

#include <gtest/gtest.h>

#include "vernier/interval/rows/additive.hpp"

namespace vernier::interval {
namespace {

constexpr std::int64_t many = 1'000'000;

noise::Geometric make(const noise::Geometric*, double scale) { return *noise::Geometric::of(*LaplaceScale::of(scale)); }
noise::DiscreteGaussian make(const noise::DiscreteGaussian*, double scale) {
  return *noise::DiscreteGaussian::of(*Sigma::of(scale));
}

template <class Law>
class Selected : public testing::Test {
 protected:
  static Law law(double scale) { return make(static_cast<const Law*>(nullptr), scale); }
};
using Laws = testing::Types<noise::Geometric, noise::DiscreteGaussian>;
TYPED_TEST_SUITE(Selected, Laws);

struct Case {
  std::int64_t threshold, greatest;
  double alpha;
};

// The chance to cover given that the count is published, by summing the masses of all noise that publishes it, in
// extended precision and up to where what is left of the conditional law is below 1e-12.
template <class Law, class Intervals>
double coverage(const Law& law, std::int64_t exact, std::int64_t threshold, const Intervals& intervals) {
  long double covered = 0, published = 0;
  const auto reach = static_cast<std::int64_t>(40 * law.scale()) + 20;
  const std::int64_t first = std::max(threshold - exact, -reach);
  for (std::int64_t noise = first; noise <= std::max(first, std::int64_t{0}) + reach; ++noise) {
    const Bounds mass = law.mass(noise);
    const auto [low, high] = intervals(exact + noise);
    published += mass.upper;
    if (low <= exact && exact <= high) covered += mass.lower;
  }
  return static_cast<double>(covered / published);
}

struct Ends {
  std::int64_t low, high;
};

template <class Law>
auto selected(const Law& law, const Case& c) {
  return [inference = *SelectedInference<Law>::of(law, c.threshold, c.greatest, *Alpha::of(c.alpha))](std::int64_t y) {
    const SelectedInterval found = inference.from(y);
    return Ends{found.low, found.high};
  };
}

TYPED_TEST(Selected, CoversGivenThatItWasPublishedByExactSums) {
  for (const double scale : {0.7, 3.0, 12.0}) {
    for (const Case& c : {Case{10, many, 0.05}, Case{40, many, 0.05}, Case{40, 45, 0.05}, Case{25, many, 0.4},
                          Case{40, 20, 0.1}, Case{2, many, 0.01}}) {
      const TypeParam law = this->law(scale);
      const auto intervals = selected(law, c);
      for (const std::int64_t exact : {1, 2, 5, 9, 10, 15, 20, 30, 39, 40, 41, 45, 60, 100, 300}) {
        if (exact > c.greatest) continue;
        if (law.tail(c.threshold - exact - 1).upper < 1e-250) continue;  // is never published
        EXPECT_GE(coverage(law, exact, c.threshold, intervals), 1 - c.alpha - 1e-10)
            << "scale " << scale << " threshold " << c.threshold << " alpha " << c.alpha << " exact " << exact;
      }
    }
  }
}

// What the sums above are for: released +- accuracy covers a rare key that got through seldom, or never.
TYPED_TEST(Selected, IsNeededSinceTheAdditiveIntervalFailsBelowTheThreshold) {
  const TypeParam law = this->law(3);
  const std::int64_t a = *additive_accuracy(law, *Alpha::of(0.05));
  const auto plain = [&](std::int64_t y) {
    const AdditiveInterval found = additive(y, a, *PossibleRange::of(1, many));
    return Ends{found.low, found.high};
  };
  EXPECT_LT(coverage(law, 10, 40, plain), 0.01);
  EXPECT_LT(coverage(law, 35, 40, plain), 0.95);
}

TYPED_TEST(Selected, IsTheAdditiveIntervalFarAboveTheThreshold) {
  for (const double scale : {0.7, 3.0, 12.0}) {
    for (const double alpha : {0.001, 0.05, 0.3}) {
      const TypeParam law = this->law(scale);
      const std::int64_t a = *additive_accuracy(law, *Alpha::of(alpha));
      const SelectedInterval found = SelectedInference<TypeParam>::of(law, 20, many, *Alpha::of(alpha))->from(1000);
      EXPECT_EQ(found.low, 1000 - a) << scale;
      EXPECT_EQ(found.high, 1000 + a) << scale;
      EXPECT_EQ(found.value, 1000);
      EXPECT_EQ(found.accuracy, a);
    }
  }
}

TYPED_TEST(Selected, StaysWithinWhatIsPossibleAndIsNeverShort) {
  for (const double scale : {0.7, 12.0, 100.0}) {
    for (const std::int64_t greatest : {std::int64_t{1}, std::int64_t{50}, many}) {
      const TypeParam law = this->law(scale);
      const std::int64_t reach = *additive_accuracy(law, *Alpha::of(0.05));
      const auto inference = *SelectedInference<TypeParam>::of(law, 30, greatest, *Alpha::of(0.05));
      for (std::int64_t y = 30; y < 400; y += 7) {
        const SelectedInterval found = inference.from(y);
        EXPECT_LE(1, found.low);
        EXPECT_LE(found.low, found.value);
        EXPECT_LE(found.value, found.high);
        EXPECT_LE(found.high, greatest);
        EXPECT_GE(found.high, std::min(found.low + reach, greatest));
        EXPECT_LE(found.value - found.accuracy, found.low);
        EXPECT_GE(found.value + found.accuracy, found.high);
      }
    }
  }
}

// At the threshold itself nearly everything may be below.
TYPED_TEST(Selected, ReachesDownToOneWhereTheReleasedCountIsNearTheThreshold) {
  const auto inference = *SelectedInference<TypeParam>::of(this->law(8), 40, many, *Alpha::of(0.05));
  EXPECT_EQ(inference.from(40).low, 1);
  EXPECT_GT(inference.from(200).low, 150);
}

TYPED_TEST(Selected, DoesNotOverflow) {
  constexpr std::int64_t last = std::numeric_limits<std::int64_t>::max();
  const auto inference = *SelectedInference<TypeParam>::of(this->law(8), 40, last, *Alpha::of(0.05));
  EXPECT_GT(inference.from(last).high, many);
  EXPECT_GT(inference.from(last - 1).low, many);
}

}  // namespace
}  // namespace vernier::interval
