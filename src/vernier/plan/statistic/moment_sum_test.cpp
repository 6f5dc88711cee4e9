#include "vernier/plan/statistic/moment_sum.hpp"

#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "vernier/plan/statistic/moments.hpp"
#include "vernier/plan/statistic/statistic.hpp"

namespace vernier::plan {
namespace {

using numeric::Rational;

constexpr std::int64_t steps = 4, fineness = 4;  // a row has 16 parts

BoundStatistic statistic_of(bool of_population, std::int64_t sampled_in) {
  BoundStatistic made{"s", {}, {}, {1, 1}, Rational::of(1), 100, {}, {}, {}, {}};
  made.inference.of_population = of_population;
  if (sampled_in > 0) made.table.sampled = *quotient(Rational::of(1), Rational::of(sampled_in));
  Measurement one{};
  one.kind = Moments::kind, one.figure = Figure::sum, one.aggregation = 0;
  one.granularity = 0.5, one.is_rounded = true;
  one.steps = steps, one.fineness = fineness;
  made.measurements = {one};
  return made;
}

noise::Geometric noise_of(double scale) { return *noise::Geometric::of(*LaplaceScale::of(scale)); }

// Of rows that all lie at the lower bound.
double reach_at(const SumReach& reach, std::int64_t rows, std::int64_t noise) {
  const std::array<std::int64_t, 3> nodes{rows * steps * fineness + noise, 0, 0};
  return reach(nodes);
}

// Of n of the members, each with this chance, as far as doubles go.
std::vector<double> binomial(std::int64_t members, double chance) {
  std::vector<double> masses(static_cast<std::size_t>(members) + 1);
  for (std::size_t n = 0; n < masses.size(); ++n) {
    const double k = static_cast<double>(n), all = static_cast<double>(members);
    masses[n] = std::exp(std::lgamma(all + 1) - std::lgamma(k + 1) - std::lgamma(all - k + 1) + k * std::log(chance) +
                         (all - k) * std::log1p(-chance));
  }
  return masses;
}

TEST(MomentSum, AllowsForAllMembersOfThePopulationAsOftenAsItSays) {
  const std::int64_t part = 3;
  const BoundStatistic statistic = statistic_of(true, part);
  const Measured in = measured_at(statistic, 0);
  for (const double alpha : {1e-9, 1e-3, 0.3}) {
    const SumReach reach = sum_reach(in, noise_of(1e-3), *Alpha::of(alpha));
    for (const std::int64_t members : {1, 2, 5, 12, 40, 100, 400, 3000}) {
      const std::vector<double> drawn = binomial(members, 1.0 / static_cast<double>(part));
      double missed = 0;
      for (std::size_t n = 0; n < drawn.size(); ++n) {
        const bool is_missed = reach_at(reach, static_cast<std::int64_t>(n), 0) < static_cast<double>(members) * 0.25;
        missed += is_missed ? drawn[n] : 0;
      }
      EXPECT_LE(missed, alpha) << members;
    }
    // And of many not for many more.
    EXPECT_LE(reach_at(reach, 1'000'000, 0), 3e6 * 0.25 * 1.02);
  }
}

// Three noises of half a row each, by the exact law of their sum.
TEST(MomentSum, AllowsForAllRowsAsOftenAsItSays) {
  const BoundStatistic statistic = statistic_of(false, 0);
  const Measured in = measured_at(statistic, 0);
  const noise::Geometric law = noise_of(8);
  constexpr std::int64_t most = 300;
  std::vector<double> one(2 * most + 1), sum{1};
  for (std::int64_t k = -most; k <= most; ++k) one[static_cast<std::size_t>(k + most)] = law.mass(k).upper;
  for (int draw = 0; draw < 3; ++draw) {
    std::vector<double> next(sum.size() + one.size() - 1);
    for (std::size_t i = 0; i < sum.size(); ++i) {
      for (std::size_t j = 0; j < one.size(); ++j) next[i + j] += sum[i] * one[j];
    }
    sum = next;
  }
  for (const double alpha : {0.001, 0.05, 0.5}) {
    const SumReach reach = sum_reach(in, law, *Alpha::of(alpha));
    for (const std::int64_t rows : {0, 1, 10, 1000}) {
      double missed = 0;
      for (std::size_t i = 0; i < sum.size(); ++i) {
        const bool is_missed =
            reach_at(reach, rows, static_cast<std::int64_t>(i) - 3 * most) < static_cast<double>(rows) * 0.25;
        missed += is_missed ? sum[i] : 0;
      }
      EXPECT_LE(missed, alpha) << rows;
      if (rows == 1000) {
        EXPECT_GT(missed, alpha / 6);  // of one side alone, by a bound on the tail
      }
    }
  }
}

TEST(MomentSum, LeavesWhatIsExactAsItIs) {
  BoundStatistic statistic = statistic_of(false, 0);
  EXPECT_TRUE(is_rounded_moment_sum(measured_at(statistic, 0)));
  statistic.measurements[0].is_rounded = false;
  EXPECT_FALSE(is_rounded_moment_sum(measured_at(statistic, 0)));
  statistic.table.unit = "id";  // of which a part may be cut to whole parts of a row
  EXPECT_TRUE(is_rounded_moment_sum(measured_at(statistic, 0)));
  EXPECT_NEAR(moved_by_member(measured_at(statistic, 0)), 0.125, 1e-9);
}

}  // namespace
}  // namespace vernier::plan
