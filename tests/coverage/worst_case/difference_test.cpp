#include "vernier/interval/difference.hpp"

#include <functional>
#include <map>
#include <memory>

#include <gtest/gtest.h>

#include "coverage/worst_case/search.hpp"
#include "support/integer_laws.hpp"

namespace vernier::worst_case {
namespace {

using interval::Assurance;
using interval::PopulationMeanInference;
using noise::Geometric;
using testing::law_at;
using Sums = std::vector<std::int64_t>;
using From = std::function<Told(const Sums& first, const Sums& second)>;

const Geometric no_noise = law_at<Geometric>(0.01);  // its draws are 0 but for e^-100
noise::ValueRange unit() { return *noise::ValueRange::of(*Real::of(0), *Real::of(1)); }
interval::MeanNodes nodes() { return *interval::MeanNodes::of(interval::Basis::bernstein, 1024); }
Sums sums_of(std::int64_t n, std::int64_t upper) { return {(n - upper) << 20, 0, upper << 20}; }

template <class Difference>
From from(const Difference& made) {
  return [made](const Sums& first, const Sums& second) {
    const interval::DifferenceInterval found = *made.from(first, second);
    return Told{found.value, found.interval};
  };
}

// As population_mean_difference makes it, but that what is told of a group is kept for the next pair.
From of_groups_apart(double alpha, Assurance assurance = Assurance::usual) {
  using Mean = PopulationMeanInference<Geometric>;
  const bool is_proven = assurance == Assurance::guaranteed;
  const auto levels = *interval::EndLevels::of(*Alpha::of(alpha),
                                               is_proven ? interval::end_of_proven_population : interval::end_of_mean);
  std::vector<Mean> cells;
  for (const Alpha level : levels.levels()) cells.push_back(*Mean::of(no_noise, nodes(), unit(), level, assurance, {}));
  const auto known = std::make_shared<std::map<Sums, interval::ToldAtLevels>>();
  const auto told = [known, cells](const Sums& sums) -> const interval::ToldAtLevels& {
    const auto [found, is_new] = known->try_emplace(sums);
    if (is_new) found->second = *interval::told_at_levels(cells, sums);
    return found->second;
  };
  return [=](const Sums& first, const Sums& second) {
    const interval::DifferenceInterval found = interval::difference_of_ends(levels, told(first), told(second));
    return Told{found.value, found.interval};
  };
}

From of_groups_that_share(double alpha) {
  using Mean = PopulationMeanInference<Geometric>;
  const auto make = [](Alpha level) { return Mean::of(no_noise, nodes(), unit(), level, Assurance::usual, {}); };
  return from(*interval::shared_difference<Mean>(*Alpha::of(alpha), make));
}

// Two groups of the same units, whose value in one is 1 less that in the other: their errors add up.
double miss_of_mirrored_groups(const From& told, std::int64_t n, double share, double alpha, Ends ends = as_told) {
  double miss = 0;
  for (std::int64_t k = 0; k <= n; ++k) {
    const double mass = binomial(n, k, share);
    if (mass < 1e-3 * alpha / static_cast<double>(n)) continue;
    if (!contains(ends(told(sums_of(n, k), sums_of(n, n - k))), 2 * share - 1)) miss += mass;
  }
  return miss;
}

// Two groups of their own units: all samples of both.
struct Group {
  std::int64_t n;
  double share;
};
double miss_of_groups_apart(const From& told, const Group& first, const Group& second, double alpha, Ends ends) {
  double miss = 0;
  for (std::int64_t k = 0; k <= first.n; ++k) {
    for (std::int64_t j = 0; j <= second.n; ++j) {
      const double mass = binomial(first.n, k, first.share) * binomial(second.n, j, second.share);
      if (mass < 0.1 * alpha / static_cast<double>((first.n + 1) * (second.n + 1))) continue;
      const Told found = told(sums_of(first.n, k), sums_of(second.n, j));
      if (!contains(ends(found), first.share - second.share)) miss += mass;
    }
  }
  return miss;
}

using Pairs = std::vector<std::pair<Group, Group>>;
Worst worst_apart(const std::vector<double>& alphas, const Pairs& pairs, Assurance assurance, Ends ends) {
  Worst worst;
  for (const double alpha : alphas) {
    const From told = of_groups_apart(alpha, assurance);
    for (const auto& [first, second] : pairs) {
      worst.add(miss_of_groups_apart(told, first, second, alpha, ends), alpha,
                "n " + std::to_string(first.n) + " share " + std::to_string(first.share) + ", n " +
                    std::to_string(second.n) + " share " + std::to_string(second.share));
    }
  }
  return worst;
}

const Pairs few{{{6, 0.5}, {6, 0.5}}, {{20, 0.1}, {20, 0.9}}, {{12, 0.5}, {40, 0.05}}, {{1, 0.5}, {30, 0.5}}};

Pairs many() {
  Pairs pairs;
  for (const std::int64_t n : {1, 3, 8, 16, 40}) {
    for (const std::int64_t m : {1, 8, 40, 90}) {
      for (const double share : {0.5, 0.3, 0.1, 0.02}) {
        for (const double other : {0.5, 0.8, 0.95, 0.05}) pairs.push_back({{n, share}, {m, other}});
      }
    }
  }
  return pairs;
}

TEST(WorstCase, NoSamplesRefuteDifferencesOfGroupsWithUnitsOfTheirOwn) {
  const Worst worst = worst_apart({0.5, 0.05, 1e-4}, few, Assurance::usual, as_told);
  EXPECT_LE(worst.ratio, 1) << worst.cell;
  tell(worst);
  const Worst planted = worst_apart({1e-3}, {{{1500, 0.5}, {1500, 0.5}}}, Assurance::usual, a_tenth_short);
  EXPECT_GT(planted.ratio, 1) << planted.cell;
}

TEST(HeavyWorstCase, NoSamplesRefuteDifferencesOfGroupsWithUnitsOfTheirOwn) {
  const Worst worst = worst_apart(levels, many(), Assurance::usual, as_told);
  EXPECT_LE(worst.ratio, 1) << worst.cell;
  tell(worst);
}

TEST(HeavyWorstCase, NoSamplesRefuteGuaranteedDifferencesOfGroupsWithUnitsOfTheirOwn) {
  const Worst worst = worst_apart({0.5, 0.05, 1e-4}, few, Assurance::guaranteed, as_told);
  EXPECT_LE(worst.ratio, 1) << worst.cell;
  tell(worst);
}

// One row each, nearly always at opposite bounds: hardly anything is told, and a tenth less is too little.
TEST(WorstCase, RefutesGuaranteedDifferencesThatAreATenthShort) {
  const Pairs one{{{1, 0.97}, {1, 0.03}}, {{2, 0.97}, {2, 0.03}}};
  EXPECT_LE(worst_apart({1e-6}, one, Assurance::guaranteed, as_told).ratio, 1);
  EXPECT_GT(worst_apart({1e-6}, one, Assurance::guaranteed, a_tenth_short).ratio, 1);
}

Worst worst_shared(const std::vector<std::int64_t>& sizes, Ends ends) {
  Worst worst;
  for (const double alpha : {0.5, 0.1, 0.01, 1e-5, 1e-9}) {
    const From told = of_groups_that_share(alpha);
    for (const std::int64_t n : sizes) {
      for (const double share : {0.5, 0.3, 0.1, 0.03}) {
        worst.add(miss_of_mirrored_groups(told, n, share, alpha, ends), alpha,
                  "n " + std::to_string(n) + " share " + std::to_string(share));
      }
    }
  }
  return worst;
}

TEST(WorstCase, NoSampleRefutesDifferencesOfGroupsThatShareTheirUnits) {
  const Worst worst = worst_shared({5, 40, 200}, as_told);
  EXPECT_LE(worst.ratio, 1) << worst.cell;
  tell(worst);
  EXPECT_GT(worst_shared({3000}, a_tenth_short).ratio, 1);
}

// Levels of independent groups were refuted here: 2 times alpha at 1,000 rows and 0.01, 25 times at 400 and 1e-5.
TEST(WorstCase, RefutesDifferencesThatTakeSharedUnitsForApart) {
  for (const auto& [n, alpha] : {std::pair{1000, 0.01}, {400, 1e-5}}) {
    EXPECT_GT(miss_of_mirrored_groups(of_groups_apart(alpha), n, 0.5, alpha), 2 * alpha);
    EXPECT_LE(miss_of_mirrored_groups(of_groups_that_share(alpha), n, 0.5, alpha), alpha);
  }
}

}  // namespace
}  // namespace vernier::worst_case
