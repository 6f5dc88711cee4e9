#include "vernier/interval/difference.hpp"

#include <gtest/gtest.h>

#include "coverage/worst_case/search.hpp"
#include "support/integer_laws.hpp"

namespace vernier::worst_case {
namespace {

using interval::Assurance;
using interval::GroupUnits;
using noise::Geometric;
using testing::law_at;

// Two groups of the same units, whose value in one is 1 less that in the other: their errors add up.
double miss_of_mirrored_groups(GroupUnits units, std::int64_t n, double share, double alpha, Ends ends = as_told) {
  const auto nodes = *interval::MeanNodes::of(interval::Basis::bernstein, 1024);
  const auto bounds = *noise::ValueRange::of(*Real::of(0), *Real::of(1));
  const auto made = *interval::population_mean_difference(law_at<Geometric>(0.01), nodes, bounds, *Alpha::of(alpha),
                                                          Assurance::usual, {}, units);
  double miss = 0;
  for (std::int64_t k = 0; k <= n; ++k) {
    const double mass = binomial(n, k, share);
    if (mass < 1e-3 * alpha / static_cast<double>(n)) continue;
    const std::vector<std::int64_t> first{(n - k) << 20, 0, k << 20}, second{k << 20, 0, (n - k) << 20};
    const interval::DifferenceInterval found = *made.from(first, second);
    if (!contains(ends({found.value, found.interval}), 2 * share - 1)) miss += mass;
  }
  return miss;
}

Worst worst_difference(GroupUnits units, const std::vector<std::int64_t>& sizes, Ends ends) {
  Worst worst;
  for (const double alpha : {0.5, 0.1, 0.01, 1e-5, 1e-9}) {
    for (const std::int64_t n : sizes) {
      for (const double share : {0.5, 0.3, 0.1, 0.03}) {
        worst.add(miss_of_mirrored_groups(units, n, share, alpha, ends), alpha,
                  "n " + std::to_string(n) + " share " + std::to_string(share));
      }
    }
  }
  return worst;
}

TEST(WorstCase, NoSampleRefutesDifferencesOfGroupsThatShareTheirUnits) {
  const Worst worst = worst_difference(GroupUnits::shared, {5, 40, 200}, as_told);
  EXPECT_LE(worst.ratio, 1) << worst.cell;
  tell(worst);
  EXPECT_GT(worst_difference(GroupUnits::shared, {3000}, a_tenth_short).ratio, 1);
}

// Levels of independent groups were refuted here: 2 times alpha at 1,000 rows and 0.01, 25 times at 400 and 1e-5.
TEST(WorstCase, RefutesDifferencesThatTakeSharedUnitsForApart) {
  EXPECT_GT(miss_of_mirrored_groups(GroupUnits::apart, 1000, 0.5, 0.01), 0.01);
  EXPECT_GT(miss_of_mirrored_groups(GroupUnits::apart, 400, 0.5, 1e-5), 1e-4);
  EXPECT_LE(miss_of_mirrored_groups(GroupUnits::shared, 1000, 0.5, 0.01), 0.01);
  EXPECT_LE(miss_of_mirrored_groups(GroupUnits::shared, 400, 0.5, 1e-5), 1e-5);
}

}  // namespace
}  // namespace vernier::worst_case
