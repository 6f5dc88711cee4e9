// How long the intervals of means are beside those of other methods that hold: mean.md and population/mean.md have the
// tables.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "statistics.hpp"
#include "support/integer_laws.hpp"
#include "support/seeded_bits.hpp"
#include "vernier/interval/rows/mean.hpp"
#include "vernier/noise/integer_sampler.hpp"

namespace vernier::interval {
namespace {

using Sums = std::vector<std::int64_t>;
using noise::DiscreteGaussian;
using noise::Geometric;
using testing::law_at;

constexpr double alpha = 0.05;
constexpr std::size_t releases = 300;
const MeanNodes nodes = *MeanNodes::of(Basis::two, 100);

template <class Law>
Sums drawn(const Law& law, std::size_t count, std::uint64_t seed) {
  auto source = testing::seeded_source(seed);
  Sums noise(count);
  EXPECT_TRUE(noise::IntegerSampler<Law>(law).fill(source, noise));
  return noise;
}

// Releases of n rows at a place.
template <class Law>
std::vector<Sums> released(const Law& law, std::int64_t n, std::int64_t k, std::uint64_t seed) {
  const Sums noise = drawn(law, 2 * releases, seed);
  std::vector<Sums> found;
  for (std::size_t i = 0; i < releases; ++i) {
    found.push_back({n * nodes.row(k)[0] + noise[2 * i], n * nodes.row(k)[1] + noise[2 * i + 1]});
  }
  return found;
}

template <class Method>
double mean_width(const std::vector<Sums>& all, const Method& method) {
  double sum = 0;
  for (const Sums& each : all) {
    const Interval found = method(static_cast<double>(each[0]), static_cast<double>(each[1]));
    sum += std::clamp(found.high, 0.0, 1.0) - std::clamp(found.low, 0.0, 1.0);
  }
  return sum / static_cast<double>(all.size());
}

// The sum and the number of rows each within a margin of its own, at what is left of alpha.
template <class Law>
double bonferroni(const Law& law, const std::vector<Sums>& all, double of_rows) {
  const double a = CombinedNoise<Law>::of(law, *Alpha::of(alpha - of_rows), 2).reach({0, 1, 0});
  const double b = CombinedNoise<Law>::of(law, *Alpha::of(of_rows), 2).reach({1, 1, 0});
  return mean_width(all, [&](double lower, double upper) {
    const double few = lower + upper - b, many = lower + upper + b;
    if (few <= 0) return Interval{0, 1};
    return Interval{std::min((upper - a) / few, (upper - a) / many), std::max((upper + a) / few, (upper + a) / many)};
  });
}

// The places that a test keeps, of 401. What the bounds have cut to nothing, or short, gets its reach back, as ours
// does: an empty interval, which some 2 % of releases would have at a bound, is no answer.
template <class Critical>
double inverted(const std::vector<Sums>& all, const Critical& critical) {
  std::vector<double> limit;
  for (int i = 0; i <= 400; ++i) limit.push_back(critical(i / 400.0));
  return mean_width(all, [&](double lower, double upper) {
    if (lower + upper <= 0) return Interval{0, 1};
    Interval kept{1, 0};
    for (int i = 0; i <= 400; ++i) {
      const double r = i / 400.0;
      if (std::abs((1 - r) * upper - r * lower) > limit[static_cast<std::size_t>(i)]) continue;
      kept = {std::min(kept.low, r - 1 / 800.0), std::max(kept.high, r + 1 / 800.0)};
    }
    const double middle = std::clamp(upper / (lower + upper), 0.0, 1.0);
    const double reach = limit[static_cast<std::size_t>(400 * middle)] / std::max(lower + upper, 100.0);
    if ((kept.low > 0 && kept.high < 1 && kept.low <= kept.high) || kept.high - kept.low >= reach) return kept;
    return Interval{std::min(kept.low, middle - reach), std::max(kept.high, middle + reach)};
  });
}

// Critical values from 4,000 simulated draws of the noise at every place: the order statistic that holds.
template <class Law>
double simulated(const Law& law, const std::vector<Sums>& all) {
  const Sums x = drawn(law, 8000, 99);
  return inverted(all, [&](double r) {
    std::vector<double> sizes;
    for (std::size_t i = 0; i < x.size(); i += 2) {
      sizes.push_back(std::abs((1 - r) * static_cast<double>(x[i]) - r * static_cast<double>(x[i + 1])));
    }
    const auto at = sizes.begin() + 3800;
    std::nth_element(sizes.begin(), at, sizes.end());
    return *at;
  });
}

double fieller(const DiscreteGaussian& law, const std::vector<Sums>& all) {
  return inverted(all, [&](double r) { return 1.96 * law.scale() * std::hypot(r, 1 - r); });
}
// With the normal quantile it does not hold for geometric noise: below.
double fieller(const Geometric&, const std::vector<Sums>&) { return INFINITY; }

// All rows at the upper bound: what is tested there is the noise of the lower sum alone.
TEST(SlowMeanWidthOfFieller, IsTooShortForGeometricNoise) {
  constexpr std::uint64_t trials = 20'000;
  const auto law = law_at<Geometric>(200);
  const double limit = 1.96 * std::sqrt(law.variance().upper);
  std::uint64_t missed = 0;
  for (const std::int64_t x : drawn(law, trials, 98)) missed += std::abs(static_cast<double>(x)) > limit ? 1 : 0;
  EXPECT_GT(missed, testing::unsurprising_counts(trials, alpha, testing::false_alarm).greatest);
}

template <class Law>
class SlowMeanWidth : public ::testing::Test {};
using Laws = ::testing::Types<Geometric, DiscreteGaussian>;
TYPED_TEST_SUITE(SlowMeanWidth, Laws);

TYPED_TEST(SlowMeanWidth, IsAtMostATenthAboveTheShortestThatHolds) {
  const TypeParam law = law_at<TypeParam>(200);  // two rows
  const auto ours =
      MeanInference<TypeParam>::of(law, nodes, *noise::ValueRange::of(*Real::of(0), *Real::of(1)), *Alpha::of(alpha));
  std::uint64_t seed = 300;
  for (const std::int64_t n : {10, 40, 200}) {
    for (const std::int64_t k : {50, 75, 100}) {
      const std::vector<Sums> all = released(law, n, k, ++seed);
      const double width = mean_width(all, [&](double lower, double upper) {
        return ours.from(Sums{static_cast<std::int64_t>(lower), static_cast<std::int64_t>(upper)})->interval;
      });
      const double best =
          std::min({bonferroni(law, all, 0.025), bonferroni(law, all, 0.01), simulated(law, all), fieller(law, all)});
      EXPECT_LE(width, 1.1 * best) << n << " rows at " << k;
    }
  }
}

}  // namespace
}  // namespace vernier::interval
