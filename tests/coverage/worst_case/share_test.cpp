// Shares of a population: every share at which some interval ends, so that the supremum over all of them is found.
#include <functional>

#include <gtest/gtest.h>

#include "coverage/worst_case/search.hpp"
#include "support/integer_laws.hpp"
#include "vernier/interval/population/mean.hpp"
#include "vernier/interval/population/proportion.hpp"

namespace vernier::worst_case {
namespace {

using interval::Assurance;
using interval::Basis;
using interval::Design;
using interval::MeanNodes;
using noise::DiscreteGaussian;
using noise::Geometric;
using testing::law_at;
using Sums = std::vector<std::int64_t>;
using From = std::function<Told(std::int64_t lower, std::int64_t upper)>;  // from rows at either bound

constexpr double no_noise = 0.01;  // its draws are 0 but for e^-100

noise::ValueRange unit() { return *noise::ValueRange::of(*Real::of(0), *Real::of(1)); }
Told told_of(const interval::PopulationInterval& found) { return {found.value, found.interval}; }
MeanNodes one_step() { return *MeanNodes::of(Basis::two, 1); }
MeanNodes many_steps() { return *MeanNodes::of(Basis::bernstein, 1024); }

template <class Law>
auto share_inference(const Law& law, double alpha, Design design = {}) {
  return *interval::PopulationProportionInference<Law>::of(law, one_step(), unit(), *Alpha::of(alpha), Assurance::usual,
                                                           design);
}

From share_of(double alpha, Design design = {}) {
  return [made = share_inference(law_at<Geometric>(no_noise), alpha, design)](std::int64_t lower, std::int64_t upper) {
    return told_of(*made.from(Sums{lower, upper}));
  };
}

From mean_of(double alpha, Assurance assurance, Design design = {}) {
  const auto made = *interval::PopulationMeanInference<Geometric>::of(law_at<Geometric>(no_noise), many_steps(), unit(),
                                                                      *Alpha::of(alpha), assurance, design);
  return [made](std::int64_t lower, std::int64_t upper) {
    return told_of(*made.from(Sums{lower << 20, 0, upper << 20}));
  };
}

// Just outside of every interval: between two such shares the same samples miss, and their chance has no peak that is
// not at one of its ends or within, where a grid looks.
std::vector<double> shares_beyond(const std::vector<Interval>& all, int grid) {
  constexpr double off = 4e-9;  // beyond what counts as rounding
  std::vector<double> found;
  for (const Interval& one : all) {
    for (const double share : {one.low - off, one.high + off}) {
      if (share > 0 && share < 1) found.push_back(share);
    }
  }
  for (int i = 1; i < grid; ++i) found.push_back(i / double(grid));
  return found;
}

void search_rows(Worst& worst, const From& from, std::int64_t n, double alpha, Ends ends) {
  std::vector<Interval> all;
  for (std::int64_t k = 0; k <= n; ++k) all.push_back(ends(from(n - k, k)));
  for (const double p : shares_beyond(all, 40)) {
    double miss = 0;
    for (std::int64_t k = 0; k <= n; ++k) {
      if (!contains(all[static_cast<std::size_t>(k)], p)) miss += binomial(n, k, p);
    }
    worst.add(miss, alpha, "n " + std::to_string(n) + " share " + std::to_string(p));
  }
}

const std::vector<std::int64_t> few{1, 2, 5, 13, 32};
const std::vector<double> few_levels{0.9, 0.5, 0.2, 0.05, 1e-3, 1e-6};
std::vector<std::int64_t> many() {
  std::vector<std::int64_t> sizes;
  for (std::int64_t n = 1; n <= 200; n += n < 40 ? 1 : 9) sizes.push_back(n);
  return sizes;
}

using Kind = From (*)(double alpha);
From share_at(double alpha) { return share_of(alpha); }
From usual_at(double alpha) { return mean_of(alpha, Assurance::usual); }
From guaranteed_at(double alpha) { return mean_of(alpha, Assurance::guaranteed); }

Worst worst_of_rows(Kind kind, const std::vector<std::int64_t>& sizes, Ends ends,
                    const std::vector<double>& alphas = few_levels) {
  Worst worst;
  for (const double alpha : alphas) {
    const From from = kind(alpha);
    for (const std::int64_t n : sizes) search_rows(worst, from, n, alpha, ends);
  }
  return worst;
}

TEST(WorstCase, NoShareOfAPopulationRefutesItsInterval) {
  const Worst worst = worst_of_rows(share_at, few, as_told);
  EXPECT_LE(worst.ratio, 1) << worst.cell;
  EXPECT_GT(worst.ratio, 0.5) << worst.cell;
  tell(worst);
  EXPECT_GT(worst_of_rows(share_at, {32}, a_tenth_short, {0.05}).ratio, 1);
}

// The usual mean where its intervals end, which a grid of shares passes by.
TEST(WorstCase, NoShareAtAnEndOfAnIntervalRefutesTheUsualMean) {
  const Worst worst = worst_of_rows(usual_at, few, as_told);
  EXPECT_LE(worst.ratio, 1) << worst.cell;
  tell(worst);
  EXPECT_GT(worst_of_rows(usual_at, {32}, a_tenth_short, {0.05}).ratio, 1);
}

// Of few rows at a small alpha the guaranteed one has hardly more than it needs.
TEST(WorstCase, NoShareAtAnEndOfAnIntervalRefutesTheGuaranteedMean) {
  const Worst worst = worst_of_rows(guaranteed_at, {1, 2, 5, 32}, as_told);
  EXPECT_LE(worst.ratio, 1) << worst.cell;
  tell(worst);
  EXPECT_GT(worst_of_rows(guaranteed_at, {1, 2, 5}, a_tenth_short, {1e-3, 1e-6}).ratio, 1);
}

TEST(HeavyWorstCase, NoShareAtAnEndOfAnIntervalRefutesIt) {
  for (const Kind kind : {share_at, usual_at, guaranteed_at}) {
    const Worst worst = worst_of_rows(kind, many(), as_told, levels);
    EXPECT_LE(worst.ratio, 1) << worst.cell;
    tell(worst);
  }
}

// ---- a part of a population that ends: every member is drawn by itself

void search_drawn(Worst& worst, const From& from, double part, std::int64_t members, double alpha, Ends ends) {
  for (const double share : {0.05, 0.3, 0.5, 0.9}) {
    const auto upper = std::llround(share * static_cast<double>(members));
    const std::int64_t lower = members - upper;
    double miss = 0;
    for (std::int64_t k = 0; k <= upper; ++k) {
      for (std::int64_t j = 0; j <= lower; ++j) {
        const double mass = binomial(upper, k, part) * binomial(lower, j, part);
        if (mass < 1e-3 * alpha / static_cast<double>((upper + 1) * (lower + 1))) continue;
        if (j + k == 0) continue;  // of no rows nothing is told but all that is possible
        const double truth = static_cast<double>(upper) / static_cast<double>(members);
        if (!contains(ends(from(j, k)), truth)) miss += mass;
      }
    }
    worst.add(miss, alpha,
              "part " + std::to_string(part) + " members " + std::to_string(members) + " at the upper bound " +
                  std::to_string(upper));
  }
}

using DrawnKind = From (*)(double alpha, const Design& design);
From drawn_share(double alpha, const Design& design) { return share_of(alpha, design); }
From drawn_usual(double alpha, const Design& design) { return mean_of(alpha, Assurance::usual, design); }
From drawn_guaranteed(double alpha, const Design& design) { return mean_of(alpha, Assurance::guaranteed, design); }

Worst worst_drawn(DrawnKind kind, const std::vector<std::int64_t>& sizes, Ends ends,
                  const std::vector<double>& alphas) {
  Worst worst;
  for (const double alpha : alphas) {
    for (const double part : {0.1, 0.5, 0.9, 0.99}) {
      const From from = kind(alpha, {.sampled = part});
      for (const std::int64_t members : sizes) search_drawn(worst, from, part, members, alpha, ends);
    }
  }
  return worst;
}

TEST(WorstCase, NoPartThatIsDrawnRefutesSharesAndMeansOfItsPopulation) {
  for (const DrawnKind kind : {drawn_share, drawn_usual, drawn_guaranteed}) {
    const Worst worst = worst_drawn(kind, {4, 12, 24}, as_told, {0.5, 0.05, 1e-4});
    EXPECT_LE(worst.ratio, 1) << worst.cell;
    tell(worst);
  }
  EXPECT_GT(worst_drawn(drawn_usual, {40}, a_tenth_short, {1e-4}).ratio, 1);
}

TEST(HeavyWorstCase, NoPartThatIsDrawnRefutesSharesAndMeansOfItsPopulation) {
  for (const DrawnKind kind : {drawn_share, drawn_usual, drawn_guaranteed}) {
    const Worst worst = worst_drawn(kind, {1, 2, 4, 8, 12, 20, 40, 80}, as_told, levels);
    EXPECT_LE(worst.ratio, 1) << worst.cell;
    tell(worst);
  }
}

// ---- shares with noise: all samples, and all pairs of draws

template <class Law>
void search_noisy(Worst& worst, double scale, std::int64_t n, double alpha, Ends ends) {
  const Law law = law_at<Law>(scale);
  const auto made = share_inference(law, alpha);
  const std::int64_t reach = *law.two_sided_quantile(*Probability::of(1e-4 * alpha));
  const auto width = static_cast<std::size_t>(n + 2 * reach + 1);
  std::vector<Interval> all;
  std::vector<double> masses;
  for (std::int64_t x = -reach; x <= reach; ++x) masses.push_back(law.mass(x).upper);
  for (std::int64_t a = -reach; a <= n + reach; ++a) {
    for (std::int64_t b = -reach; b <= n + reach; ++b) all.push_back(ends(told_of(*made.from(Sums{a, b}))));
  }
  for (const double p : {0.5, 0.3, 0.05, 0.01}) {
    double miss = 0;
    for (std::int64_t k = 0; k <= n; ++k) {
      for (std::int64_t x = -reach; x <= reach; ++x) {
        for (std::int64_t y = -reach; y <= reach; ++y) {
          const auto at = static_cast<std::size_t>(n - k + x + reach) * width + static_cast<std::size_t>(k + y + reach);
          if (contains(all[at], p)) continue;
          miss += binomial(n, k, p) * masses[static_cast<std::size_t>(x + reach)] *
                  masses[static_cast<std::size_t>(y + reach)];
        }
      }
    }
    worst.add(miss, alpha,
              "scale " + std::to_string(scale) + " n " + std::to_string(n) + " share " + std::to_string(p));
  }
}

Worst worst_noisy(const std::vector<std::int64_t>& sizes, const std::vector<double>& alphas, Ends ends) {
  Worst worst;
  for (const double alpha : alphas) {
    for (const std::int64_t n : sizes) {
      search_noisy<Geometric>(worst, 0.7, n, alpha, ends);
      search_noisy<DiscreteGaussian>(worst, 1, n, alpha, ends);
    }
  }
  return worst;
}

TEST(WorstCase, NoShareAndNoNoiseRefuteTheIntervalOfAShare) {
  const Worst worst = worst_noisy({8}, {0.2, 0.05}, as_told);
  EXPECT_LE(worst.ratio, 1) << worst.cell;
  tell(worst);
  EXPECT_GT(worst_noisy({16}, {1e-2}, a_tenth_short).ratio, 1);
}

}  // namespace
}  // namespace vernier::worst_case
