#include "vernier/interval/rows/boxed.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "statistics.hpp"
#include "support/seeded_bits.hpp"

namespace vernier::interval {
namespace {

using vernier::testing::unsurprising_counts;

BoxNoise noise_at(double scale, std::size_t numbers, double alpha = 0.05) {
  return {*noise::Box::of(*LaplaceScale::of(scale)), numbers, *Alpha::of(alpha)};
}
noise::ValueRange range(double lower, double upper) {
  return *noise::ValueRange::of(*Real::of(lower), *Real::of(upper));
}

TEST(BoxTimes, MakeRoundingSmallAndLeaveFineColumnsAlone) {
  EXPECT_EQ(box_times(1), 64);
  EXPECT_EQ(box_times(63), 2);
  EXPECT_EQ(box_times(64), 1);
  EXPECT_EQ(box_times(200'000), 1);
}

// The accuracies of the page, at scale 1.
TEST(Boxed, HasTheAccuraciesOfItsNoise) {
  EXPECT_EQ(boxed_count_accuracy(noise_at(1, 2)), 4);
  EXPECT_EQ(boxed_count_accuracy(noise_at(1, 4)), 6);
  EXPECT_EQ(boxed_count_accuracy(noise_at(1, 11)), 13);
  EXPECT_NEAR(boxed_mean_accuracy(noise_at(1, 4), {1000}), 9.3 / 2, 0.05);
  EXPECT_NEAR(boxed_mean_accuracy(noise_at(1, 11), {1000}), 20.3 / 2, 0.1);
}

TEST(Boxed, FindsTheGreatestScaleOfAnAccuracy) {
  for (const double alpha : {0.05, 1e-6}) {
    for (const std::int64_t accuracy : {3, 50, 100'000}) {
      const double count = boxed_count_scale(5, accuracy, *Alpha::of(alpha));
      EXPECT_LE(boxed_count_accuracy(noise_at(count, 5, alpha)), accuracy);
      EXPECT_GT(boxed_count_accuracy(noise_at(count * (1 + 1e-6), 5, alpha)), accuracy);
      const double sum = boxed_sum_scale(5, {10}, -3, 10 * accuracy, *Alpha::of(alpha));
      EXPECT_LE(boxed_sum_accuracy(noise_at(sum, 5, alpha), {10}, -3), 10 * accuracy);
      EXPECT_GT(boxed_sum_accuracy(noise_at(sum * (1 + 1e-6), 5, alpha), {10}, -3), 10 * accuracy);
      const double mean = boxed_mean_scale(5, {10}, static_cast<double>(accuracy), *Alpha::of(alpha));
      EXPECT_LE(boxed_mean_accuracy(noise_at(mean, 5, alpha), {10}), static_cast<double>(accuracy));
      EXPECT_GT(boxed_mean_accuracy(noise_at(mean * (1 + 1e-6), 5, alpha), {10}), static_cast<double>(accuracy));
    }
  }
  EXPECT_EQ(boxed_mean_scale(5, {10}, 1e-9, *Alpha::of(0.05)), 0);  // rounding alone is more
}

// ---- how often intervals hold: rows at these steps, with noise that is drawn

struct Rows {
  std::int64_t steps, count, sum;  // of k
};

struct Missed {
  std::uint64_t count = 0, sum = 0, mean = 0;
};

// `believed` times the scale is what intervals are made with.
Missed missed(const Rows& rows, double scale, std::size_t numbers, std::uint64_t trials, double believed = 1) {
  const BoxColumn column{rows.steps};
  constexpr std::int64_t origin = -7;
  std::vector<std::int64_t> halves(numbers, 1000), drawn(numbers);
  halves[0] = box_parts;
  halves[1] = column.half();
  const auto sampler = *noise::BoxSampler::of(noise_at(scale, numbers).law, halves);
  auto source = vernier::testing::seeded_source(5 + static_cast<std::uint64_t>(rows.steps));
  const BoxNoise told = noise_at(scale * believed, numbers);
  const PossibleRange all = *PossibleRange::of(-(std::int64_t{1} << 50), std::int64_t{1} << 50);
  const BoxedMean mean(told, column, range(0, 1));
  const std::int64_t total = origin * rows.count + rows.sum;
  const double truth = static_cast<double>(rows.sum) / static_cast<double>(rows.count * rows.steps);
  Missed found;
  for (std::uint64_t i = 0; i < trials; ++i) {
    EXPECT_TRUE(sampler.draw(source, drawn));
    const std::int64_t n = box_parts * rows.count + drawn[0];
    const std::int64_t v = box_times(rows.steps) * (2 * rows.sum - rows.steps * rows.count) + drawn[1];
    const AdditiveInterval count = boxed_count(told, all, n), sum = boxed_sum(told, column, origin, all, n, v);
    found.count += count.low <= rows.count && rows.count <= count.high ? 0 : 1;
    found.sum += sum.low <= total && total <= sum.high ? 0 : 1;
    if (rows.count == 0) continue;
    const MeanInterval one = mean.from(n, v);
    EXPECT_LE(one.interval.low, one.value);
    EXPECT_LE(one.value, one.interval.high);
    found.mean += one.interval.low <= truth && truth <= one.interval.high ? 0 : 1;
  }
  return found;
}

constexpr std::uint64_t trials = 1000;

TEST(SlowBoxed, IsNowhereRefuted) {
  const std::uint64_t most = unsurprising_counts(trials, 0.05, vernier::testing::false_alarm).greatest;
  for (const std::int64_t steps : {1, 10, 5000}) {
    for (const std::int64_t count : {0, 1, 3, 20, 1000}) {
      for (const std::int64_t sum : {std::int64_t{0}, count * steps / 2, count * steps}) {
        const Missed found = missed({steps, count, sum}, 1.5, 5, trials);
        EXPECT_LE(found.count, most) << steps << " " << count << " " << sum;
        EXPECT_LE(found.sum, most) << steps << " " << count << " " << sum;
        EXPECT_LE(found.mean, most) << steps << " " << count << " " << sum;
      }
    }
  }
}

TEST(SlowBoxed, RefutesAScaleThatIsAFifthTooSmall) {
  const std::uint64_t most = unsurprising_counts(4 * trials, 0.05, vernier::testing::false_alarm).greatest;
  const Missed found = missed({5000, 1000, 1'200'000}, 20, 5, 4 * trials, 0.8);
  EXPECT_GT(found.count, most);
  EXPECT_GT(found.sum, most);
  EXPECT_GT(found.mean, most);
}

TEST(Boxed, IsMirroredWithItsData) {
  const BoxedMean mean(noise_at(3, 4), {100}, range(-1, 1));
  for (const std::int64_t centred : {0, 700, 90'000, 170'000}) {
    const MeanInterval one = mean.from(64 * 1000, centred), other = mean.from(64 * 1000, -centred);
    EXPECT_NEAR(one.interval.low, -other.interval.high, 1e-12);
    EXPECT_NEAR(one.value, -other.value, 1e-12);
  }
}

TEST(Boxed, SaysNothingOfNoRows) {
  const BoxedMean mean(noise_at(3, 4), {100}, range(0, 1));
  EXPECT_FALSE(mean.from(-640, 20).informative);
  EXPECT_TRUE(mean.from(64, 20).may_be_empty);
  EXPECT_FALSE(mean.from(64 * 1000, 20).may_be_empty);
}

}  // namespace
}  // namespace vernier::interval
