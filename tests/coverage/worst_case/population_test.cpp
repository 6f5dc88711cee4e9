#include <functional>

#include <gtest/gtest.h>

#include "coverage/worst_case/search.hpp"
#include "support/integer_laws.hpp"
#include "vernier/interval/population/mean.hpp"
#include "vernier/interval/population/proportion.hpp"
#include "vernier/interval/population/public_count_mean.hpp"
#include "vernier/interval/population/spread.hpp"
#include "vernier/interval/population/sum.hpp"

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
using From = std::function<Told(const Sums&, std::int64_t rows)>;

constexpr double no_noise = 0.01;  // its draws are 0 but for e^-100

noise::ValueRange unit() { return *noise::ValueRange::of(*Real::of(0), *Real::of(1)); }
Told told_of(const interval::PopulationInterval& found) { return {found.value, found.interval}; }
MeanNodes nodes_of(std::int64_t steps) { return *MeanNodes::of(Basis::bernstein, steps); }

// Rows at equal distances, the first at the lower bound and the last at the upper one. Steps are fine: what a test
// grants the lattice of the noise is then nothing that hides a miss.
constexpr std::int64_t fine = 1024, coarse = 1;
Sums sums_of(const MeanNodes& nodes, const Sums& rows_at) {
  Sums sums(nodes.count(), 0);
  const auto between = nodes.steps() / static_cast<std::int64_t>(rows_at.size() - 1);
  for (std::size_t k = 0; k < rows_at.size(); ++k) {
    const auto row = nodes.row(static_cast<std::int64_t>(k) * between);
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += rows_at[k] * row[i];
  }
  return sums;
}

// ---- the kinds, from node sums to what is told

template <class Law>
From mean_of(const Law& law, std::int64_t steps, double alpha, Assurance assurance, Design design = {}) {
  const auto made =
      *interval::PopulationMeanInference<Law>::of(law, nodes_of(steps), unit(), *Alpha::of(alpha), assurance, design);
  return [made](const Sums& sums, std::int64_t) { return told_of(*made.from(sums)); };
}

From public_mean_of(std::int64_t steps, double alpha, Assurance assurance) {
  const auto made = *interval::PublicCountPopulationMean<Geometric>::of(law_at<Geometric>(no_noise), nodes_of(steps),
                                                                        unit(), *Alpha::of(alpha), assurance, {});
  return [made](const Sums& sums, std::int64_t rows) { return told_of(*made.from(sums, rows)); };
}

From spread_of(std::int64_t steps, double alpha) {
  const interval::SpreadForm form{interval::Divisor::rows, false};
  const auto made = *interval::PopulationSpreadInference<Geometric>::of(law_at<Geometric>(no_noise), nodes_of(steps),
                                                                        *Real::of(1), *Alpha::of(alpha), form, {});
  return [made](const Sums& sums, std::int64_t) { return told_of(*made.from(sums)); };
}

// ---- two values, all numbers of rows at each

// Of a population on three values, of which the first and the last are the bounds.
struct Shares {
  double middle, upper, place;  // the middle one's place between the bounds
  double mean() const { return middle * place + upper; }
  double variance() const { return middle * place * place + upper - mean() * mean(); }
};
using Truth = double (*)(const Shares&);
double mean_of(const Shares& shares) { return shares.mean(); }
double variance_of(const Shares& shares) { return shares.variance(); }

void search_two_points(Worst& worst, const From& from, std::int64_t n, double alpha, Truth truth, Ends ends, int grid) {
  std::vector<Interval> found;
  for (std::int64_t k = 0; k <= n; ++k) found.push_back(ends(from(sums_of(nodes_of(fine), {n - k, k}), n)));
  for (const double p : shares(n, grid)) {
    double miss = 0;
    for (std::int64_t k = 0; k <= n; ++k) {
      if (!contains(found[static_cast<std::size_t>(k)], truth({0, p, 0}))) miss += binomial(n, k, p);
    }
    worst.add(miss, alpha, "n " + std::to_string(n) + " share " + std::to_string(p));
  }
}

// ---- three values, all samples

// Shares of the middle and of the upper value, common and rare.
std::vector<std::array<double, 2>> pairs_of_shares(std::int64_t n, int grid) {
  std::vector<std::array<double, 2>> found;
  for (int i = 1; i < grid; ++i) {
    for (int j = 1; i + j < grid; ++j) found.push_back({i / double(grid), j / double(grid)});
  }
  for (const double rare : {0.3 / double(n), 1 / double(n), 3 / double(n)}) {
    for (const double common : {0.05, 0.3, 0.5}) {
      if (rare + common < 1) found.insert(found.end(), {{rare, common}, {common, rare}, {1 - rare - common, rare}});
    }
  }
  return found;
}

void search_three_points(Worst& worst, const From& from, std::int64_t n, double alpha, Truth truth, Ends ends, int grid,
                         std::int64_t eighths = 4) {
  struct Sample {
    std::array<std::int64_t, 3> rows;
    double ways;
    Interval interval;
  };
  std::vector<Sample> samples;
  const auto of = [](std::int64_t x) { return std::lgamma(static_cast<double>(x) + 1); };
  const auto place = static_cast<std::size_t>(eighths);
  for (std::int64_t middle = 0; middle <= n; ++middle) {
    for (std::int64_t upper = 0; middle + upper <= n; ++upper) {
      const std::array<std::int64_t, 3> rows{n - middle - upper, middle, upper};
      Sums at(9, 0);
      at[0] = rows[0], at[8] = upper, at[place] += middle;
      samples.push_back(
          {rows, of(n) - of(rows[0]) - of(middle) - of(upper), ends(from(sums_of(nodes_of(fine), at), n))});
    }
  }
  for (const auto& [middle, upper] : pairs_of_shares(n, grid)) {
    const std::array<double, 3> share{1 - middle - upper, middle, upper};
    const double told = truth({middle, upper, static_cast<double>(eighths) / 8});
    double miss = 0;
    for (const Sample& one : samples) {
      if (contains(one.interval, told)) continue;
      double log_mass = one.ways;
      for (std::size_t k = 0; k < 3; ++k) {
        if (one.rows[k] > 0) log_mass += static_cast<double>(one.rows[k]) * std::log(share[k]);
      }
      miss += std::exp(log_mass);
    }
    worst.add(miss, alpha,
              "n " + std::to_string(n) + " shares " + std::to_string(middle) + " at " + std::to_string(eighths) +
                  "/8, " + std::to_string(upper));
  }
}

// ---- two values and noise: all samples, and the law of the noise itself

// The masses of a law up to its reach, and what lies beyond.
struct Masses {
  std::int64_t reach;
  std::vector<double> at, above;  // P[X = x] from -reach on, P[X > x] from 0 on
  template <class Law>
  Masses(const Law& law, double rest) : reach(*law.two_sided_quantile(*Probability::of(rest))) {
    for (std::int64_t x = -reach; x <= reach; ++x) at.push_back(law.mass(x).upper);
    for (std::int64_t x = 0; x <= reach; ++x) above.push_back(law.tail(x).upper);
  }
  double operator()(std::int64_t x) const { return at[static_cast<std::size_t>(x + reach)]; }
};

// The chance of a draw with which the truth is missed, of the upper sum, all others being what they are. Those that
// cover are neighbours: their ends are looked for outward from one of them.
double missed_by_upper(const Masses& masses, const std::function<bool(std::int64_t)>& is_covered) {
  std::int64_t start = 0;
  for (; !is_covered(start) && start <= masses.reach; start = start <= 0 ? 1 - start : -start) {
  }
  if (start > masses.reach) return 1;
  const auto last_covered = [&](std::int64_t sign) {
    std::int64_t covered = sign * start, missed = masses.reach + 1;
    while (missed - covered > 1) {
      const std::int64_t middle = covered + (missed - covered) / 2;
      (is_covered(sign * middle) ? covered : missed) = middle;
    }
    return covered;
  };
  const auto from = [&](std::int64_t x) {  // P[X > x], which is 1 - P[X > -x - 1] by symmetry
    return x >= 0 ? masses.above[static_cast<std::size_t>(x)] : 1 - masses.above[static_cast<std::size_t>(-x - 1)];
  };
  return from(last_covered(1)) + from(last_covered(-1));
}

// A row has 16 units of noise, so that the lattice of the noise hides little.
constexpr std::int64_t quarters = 4;

template <class Law>
void search_with_noise(Worst& worst, double scale, std::int64_t n, double alpha, Assurance assurance, Ends ends) {
  const Law law = law_at<Law>(scale);
  const From from = mean_of(law, quarters, alpha, assurance);
  const Masses masses(law, alpha / 100);
  const std::int64_t reach = masses.reach;
  for (const double p : {0.5, 0.37}) {
    double miss = 0;
    for (std::int64_t k = 0; k <= n; ++k) {
      const double sample = binomial(n, k, p);
      if (sample < 1e-3 * alpha) continue;
      const Sums exact = sums_of(nodes_of(quarters), {n - k, k});
      for (std::int64_t a = -reach; a <= reach; ++a) {
        for (std::int64_t b = -reach; b <= reach; ++b) {
          const double mass = sample * masses(a) * masses(b);
          if (mass < 1e-5 * alpha) continue;
          const auto is_covered = [&](std::int64_t c) {
            return contains(ends(from({exact[0] + a, exact[1] + b, exact[2] + c}, n)), p);
          };
          miss += mass * missed_by_upper(masses, is_covered);
        }
      }
    }
    worst.add(miss, alpha,
              "scale " + std::to_string(scale) + " n " + std::to_string(n) + " share " + std::to_string(p));
  }
}

// ---- sums over a population: members at one value, or at both bounds

void search_sums(Worst& worst, double alpha, double part, noise::ValueRange bounds, double low_members_per_high,
                 const std::vector<std::int64_t>& sizes, Ends ends) {
  const auto made = *interval::PopulationSumInference<Geometric>::of(law_at<Geometric>(no_noise), nodes_of(fine),
                                                                     bounds, *Alpha::of(alpha), {.sampled = part});
  for (const std::int64_t high : sizes) {
    const auto low = static_cast<std::int64_t>(low_members_per_high * static_cast<double>(high));
    const double truth = bounds.upper() * static_cast<double>(high) + bounds.lower() * static_cast<double>(low);
    double miss = 0;
    for (std::int64_t k = 0; k <= high; ++k) {
      for (std::int64_t j = 0; j <= low; ++j) {
        const double mass = binomial(high, k, part) * binomial(low, j, part);
        if (mass < 1e-3 * alpha / static_cast<double>((high + 1) * (low + 1))) continue;
        if (!contains(ends(told_of(*made.from(sums_of(nodes_of(fine), {j, k})))), truth)) miss += mass;
      }
    }
    worst.add(miss, alpha,
              "part " + std::to_string(part) + " members " + std::to_string(high) + " and " + std::to_string(low));
  }
}

// Weighted rows, each member drawn with 1 over its weight: the number of members.
void search_weighted_counts(Worst& worst, double alpha, std::int64_t weight, const std::vector<std::int64_t>& sizes,
                            Ends ends) {
  const Design design{.greatest_weight = static_cast<double>(weight * fine), .members_of_weight = 1.0 / fine};
  const auto made =
      *interval::PopulationSumInference<Geometric>::of_count(law_at<Geometric>(no_noise), *Alpha::of(alpha), design);
  for (const std::int64_t members : sizes) {
    double miss = 0;
    for (std::int64_t k = 0; k <= members; ++k) {
      const Told told = told_of(*made.from(Sums{k * weight * fine}));
      if (!contains(ends(told), static_cast<double>(members))) {
        miss += binomial(members, k, 1 / static_cast<double>(weight));
      }
    }
    worst.add(miss, alpha, "weight " + std::to_string(weight) + " members " + std::to_string(members));
  }
}

struct Size {
  std::vector<std::int64_t> lattices, samples, noisy;
  std::vector<double> noisy_levels, scales, spread_levels;
  int grid;
};
const Size small{{1, 2, 3, 5, 10, 13, 32, 60}, {2, 5, 9}, {32}, {0.2}, {1}, {0.9, 0.5, 0.2, 0.05, 1e-4}, 12};
const Size whole{{1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,  12,  13,  14,  15,
                  16, 20, 24, 28, 32, 37, 40, 50, 64, 80, 100, 130, 160, 200, 1000},
                 {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16},
                 {1, 5, 13, 32, 60},
                 {0.5, 0.2, 0.05},
                 {1, 3},
                 levels,
                 40};

Worst worst_mean(const Size& size, Assurance assurance, Ends ends) {
  Worst worst;
  for (const double alpha : levels) {
    const From from = mean_of(law_at<Geometric>(no_noise), fine, alpha, assurance);
    for (const std::int64_t n : size.lattices) search_two_points(worst, from, n, alpha, mean_of, ends, size.grid);
    for (const std::int64_t n : size.samples) search_three_points(worst, from, n, alpha, mean_of, ends, size.grid / 2);
  }
  return worst;
}

Worst worst_public_mean(const Size& size, Assurance assurance, Ends ends) {
  Worst worst;
  for (const double alpha : levels) {
    const From two = public_mean_of(fine, alpha, assurance);
    for (const std::int64_t n : size.lattices) search_two_points(worst, two, n, alpha, mean_of, ends, size.grid);
  }
  return worst;
}

Worst worst_noisy_mean(const Size& size, Assurance assurance, Ends ends) {
  Worst worst;
  for (const double alpha : size.noisy_levels) {
    for (const std::int64_t n : size.noisy) {
      for (const double scale : size.scales) {
        search_with_noise<Geometric>(worst, scale, n, alpha, assurance, ends);
        search_with_noise<DiscreteGaussian>(worst, scale, n, alpha, assurance, ends);
      }
    }
  }
  return worst;
}

Worst worst_spread(const Size& size, Ends ends) {
  Worst worst;
  for (const double alpha : size.spread_levels) {
    const From from = spread_of(fine, alpha);
    for (const std::int64_t n : size.lattices) {
      if (n <= 200) search_two_points(worst, from, n, alpha, variance_of, ends, size.grid);
    }
    for (const std::int64_t n : size.samples) {
      for (const std::int64_t eighths : {1, 4, 6}) {
        search_three_points(worst, from, n, alpha, variance_of, ends, size.grid / 2, eighths);
      }
    }
  }
  return worst;
}

Worst worst_sum(const Size& size, Ends ends) {
  const auto positive = *noise::ValueRange::of(*Real::of(0), *Real::of(1));
  const auto both = *noise::ValueRange::of(*Real::of(-1), *Real::of(1));
  Worst worst;
  for (const double alpha : levels) {
    for (const double part : {0.1, 0.5, 0.9}) {
      search_sums(worst, alpha, part, positive, 0, size.lattices, ends);
      search_sums(worst, alpha, part, both, 1, {1, 5, 13, 26}, ends);
    }
    for (const std::int64_t weight : {2, 10}) search_weighted_counts(worst, alpha, weight, size.lattices, ends);
  }
  return worst;
}

TEST(WorstCase, NoSampleRefutesTheUsualMeanOfAPopulation) {
  const Worst worst = worst_mean(small, Assurance::usual, as_told);
  EXPECT_LE(worst.ratio, 1) << worst.cell;
  tell(worst);
  EXPECT_GT(worst.ratio, 0.5) << worst.cell;
  const Worst planted = worst_mean(small, Assurance::usual, a_tenth_short);
  EXPECT_GT(planted.ratio, 1) << planted.cell;
}

TEST(HeavyWorstCase, NoSampleRefutesTheUsualMeanOfAPopulation) {
  const Worst worst = worst_mean(whole, Assurance::usual, as_told);
  EXPECT_LE(worst.ratio, 1) << worst.cell;
  tell(worst);
}

TEST(WorstCase, NoSampleRefutesTheGuaranteedMeanOfAPopulation) {
  const Worst worst = worst_mean(small, Assurance::guaranteed, as_told);
  EXPECT_LE(worst.ratio, 1) << worst.cell;
  tell(worst);
}

TEST(WorstCase, NoSampleRefutesTheMeanOfAPublicNumberOfRows) {
  const Worst worst = worst_public_mean(small, Assurance::usual, as_told);
  EXPECT_LE(worst.ratio, 1) << worst.cell;
  tell(worst);
  EXPECT_GT(worst_public_mean(small, Assurance::usual, a_tenth_short).ratio, 1);
}

TEST(WorstCase, NoSampleAndNoNoiseRefuteTheMeanOfAPopulation) {
  const Worst worst = worst_noisy_mean(small, Assurance::usual, as_told);
  EXPECT_LE(worst.ratio, 1.01) << worst.cell;  // masses are upper ends, and sum to a little more than 1
  tell(worst);
  EXPECT_GT(worst_noisy_mean(small, Assurance::usual, a_tenth_short).ratio, 1.01);
}

TEST(HeavyWorstCase, NoSampleAndNoNoiseRefuteTheMeanOfAPopulation) {
  for (const Assurance assurance : {Assurance::usual, Assurance::guaranteed}) {
    const Worst worst = worst_noisy_mean(whole, assurance, as_told);
    EXPECT_LE(worst.ratio, 1.01) << worst.cell;
    tell(worst);
  }
}

TEST(WorstCase, NoSampleRefutesTheVarianceOfAPopulation) {
  const Worst worst = worst_spread(small, as_told);
  EXPECT_LE(worst.ratio, 1) << worst.cell;
  tell(worst);
  const Worst planted = worst_spread(small, a_tenth_short);
  EXPECT_GT(planted.ratio, 1) << planted.cell;
}

TEST(HeavyWorstCase, NoSampleRefutesTheVarianceOfAPopulation) {
  const Worst worst = worst_spread(whole, as_told);
  EXPECT_LE(worst.ratio, 1) << worst.cell;
  tell(worst);
}

TEST(WorstCase, NoSampleRefutesSumsOverAPopulation) {
  const Worst worst = worst_sum(small, as_told);
  EXPECT_LE(worst.ratio, 1) << worst.cell;
  tell(worst);
  EXPECT_GT(worst_sum(small, a_tenth_short).ratio, 1);
}

TEST(HeavyWorstCase, NoSampleRefutesSumsOverAPopulation) {
  const Worst worst = worst_sum(whole, as_told);
  EXPECT_LE(worst.ratio, 1) << worst.cell;
  tell(worst);
}

// The cells in which intervals with a normal quantile and a guard of 2 ln(1 / alpha) were refuted.
TEST(WorstCase, CoversWhereIntervalsOfOldDidNot) {
  struct Cell {
    std::int64_t n;
    double share, alpha;
  };
  for (const Cell& cell : {Cell{13, 0.5, 0.5},
                           {10, 0.5, 0.3},
                           {32, 0.5, 0.2},
                           {20'000, 0.016, 1e-6},
                           {20'000, 0.016, 1e-9},
                           {20'000, 0.016, 1e-12}}) {
    const From from = mean_of(law_at<Geometric>(no_noise), fine, cell.alpha, Assurance::usual);
    const auto rows = static_cast<double>(cell.n);
    const double middle = rows * cell.share, deviation = std::sqrt(middle * (1 - cell.share));
    double miss = 0;
    for (auto k = static_cast<std::int64_t>(std::max(0.0, middle - 12 * deviation));
         k <= static_cast<std::int64_t>(std::min(rows, middle + 12 * deviation)); ++k) {
      if (!contains(from(sums_of(nodes_of(fine), {cell.n - k, k}), cell.n).interval, cell.share)) {
        miss += binomial(cell.n, k, cell.share);
      }
    }
    EXPECT_LE(miss, cell.alpha) << cell.n << " rows, alpha " << cell.alpha;
  }
}

}  // namespace
}  // namespace vernier::worst_case
