#include "vernier/denoise/consistent.hpp"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "statistics.hpp"
#include "support/integer_laws.hpp"
#include "support/seeded_bits.hpp"
#include "vernier/denoise/regular_tree.hpp"
#include "vernier/noise/integer_sampler.hpp"

namespace vernier::denoise {
namespace {

using noise::DiscreteGaussian;
using noise::Geometric;
using testing::law_at;
using Numbers = std::vector<double>;
using Released = std::vector<std::int64_t>;

std::vector<IntegerLaw> laws_of(std::initializer_list<std::pair<std::size_t, IntegerLaw>> runs) {
  std::vector<IntegerLaw> laws;
  for (const auto& [count, law] : runs) laws.insert(laws.end(), count, law);
  return laws;
}

IntegerLaw gaussian(double scale) { return law_at<DiscreteGaussian>(scale); }
IntegerLaw geometric(double scale) { return law_at<Geometric>(scale); }

// The normal equations (M^T S^-1 M) x = M^T S^-1 y by elimination with pivots: another way to the same estimates.
Numbers least_squares(const Layout& layout, const std::vector<IntegerLaw>& laws, const Released& released) {
  const std::size_t n = layout.cells;
  std::vector<Numbers> system(n, Numbers(n + 1, 0.0));
  for (std::size_t k = 0; k < laws.size(); ++k) {
    const std::vector<std::size_t> cells = k < n ? std::vector<std::size_t>{k} : layout.totals[k - n];
    for (const std::size_t i : cells) {
      for (const std::size_t j : cells) system[i][j] += 1 / variance_of(laws[k]);
      system[i][n] += static_cast<double>(released[k]) / variance_of(laws[k]);
    }
  }
  for (std::size_t p = 0; p < n; ++p) {
    std::size_t best = p;
    for (std::size_t i = p; i < n; ++i) best = std::abs(system[i][p]) > std::abs(system[best][p]) ? i : best;
    std::swap(system[p], system[best]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == p) continue;
      const double factor = system[i][p] / system[p][p];
      for (std::size_t j = p; j <= n; ++j) system[i][j] -= factor * system[p][j];
    }
  }
  Numbers estimates;
  for (std::size_t i = 0; i < n; ++i) estimates.push_back(system[i][n] / system[i][i]);
  for (const auto& total : layout.totals) {
    double sum = 0;
    for (const std::size_t i : total) sum += estimates[i];
    estimates.push_back(sum);
  }
  return estimates;
}

struct Case {
  Layout layout;
  std::vector<IntegerLaw> laws;
};

std::vector<Case> cases() {
  Layout uneven{5, {{0, 1}, {1, 2, 3}, {0, 1, 2, 3, 4}}};
  return {{one_total(4), laws_of({{4, gaussian(10)}, {1, gaussian(3)}})},
          {margins_of_table(3, 4), laws_of({{12, geometric(5)}, {3, geometric(2)}, {4, gaussian(40)}})},
          {uneven,
           {gaussian(1), gaussian(2), geometric(3), geometric(0.2), gaussian(50), gaussian(7), geometric(1),
            gaussian(0.3)}},
          {RegularTree::of(3, 3)->layout(), laws_of({{9, geometric(4)}, {4, geometric(6)}})}};
}

Released some_numbers(std::size_t count) {
  Released released;
  for (std::size_t i = 0; i < count; ++i) released.push_back(static_cast<std::int64_t>((i * 7919 + 13) % 1009));
  return released;
}

TEST(Consistency, IsGeneralisedLeastSquares) {
  for (const Case& one : cases()) {
    const auto consistency = Consistency::of(one.layout, one.laws).value();
    const Released released = some_numbers(one.laws.size());
    const Numbers found = consistency.estimates(released).value();
    const Numbers expected = least_squares(one.layout, one.laws, released);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-7) << i;
  }
}

TEST(Consistency, AddsUpAndReturnsWhatAlreadyDoes) {
  for (const Case& one : cases()) {
    const auto consistency = Consistency::of(one.layout, one.laws).value();
    Released released = some_numbers(one.layout.cells);
    for (const auto& total : one.layout.totals) {
      released.push_back(std::accumulate(total.begin(), total.end(), std::int64_t{0},
                                         [&](std::int64_t sum, std::size_t i) { return sum + released[i]; }));
    }
    const Numbers same = consistency.estimates(released).value();
    for (std::size_t i = 0; i < same.size(); ++i) EXPECT_EQ(same[i], static_cast<double>(released[i]));
    for (std::int64_t& y : released) y = y * 31 % 257;
    const Numbers found = consistency.estimates(released).value();
    for (std::size_t l = 0; l < one.layout.totals.size(); ++l) {
      double sum = 0;
      for (const std::size_t i : one.layout.totals[l]) sum += found[i];
      EXPECT_NEAR(found[one.layout.cells + l], sum, 1e-9);
    }
  }
}

// Each estimate is its exact value plus weights times noise, and none has more variance than its own measurement.
TEST(Consistency, WeightsAreThoseOfTheEstimates) {
  for (const Case& one : cases()) {
    const auto consistency = Consistency::of(one.layout, one.laws).value();
    const std::size_t n = consistency.numbers();
    for (std::size_t k = 0; k < n; ++k) {
      Released unit(n, 0);
      unit[k] = 1;
      const Numbers found = consistency.estimates(unit).value();
      for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(consistency.weights(i)[k], found[i], 1e-12);
    }
    for (std::size_t i = 0; i < n; ++i) {
      double variance = 0;
      for (std::size_t k = 0; k < n; ++k) variance += std::pow(consistency.weights(i)[k], 2) * variance_of(one.laws[k]);
      EXPECT_NEAR(consistency.variance(i), variance, 1e-9 * variance);
      EXPECT_LE(consistency.variance(i), variance_of(one.laws[i]) * (1 + 1e-9));
    }
  }
}

// A total as noisy as the sum of its cells has as much to say as they: half of its discrepancy goes to them.
TEST(Consistency, OfOneTotalIsTheClosedForm) {
  const auto consistency = Consistency::of(one_total(4), laws_of({{4, geometric(10)}, {1, geometric(20)}})).value();
  const double part = 4 * variance_of(geometric(10)) / (4 * variance_of(geometric(10)) + variance_of(geometric(20)));
  const Numbers found = consistency.estimates(Released{10, 20, 30, 40, 108}).value();
  EXPECT_NEAR(found[0], 10 + part * 8 / 4, 1e-12);
  EXPECT_NEAR(found[4], 100 + part * 8, 1e-12);
}

TEST(Consistency, WithoutTotalsChangesNothing) {
  const auto consistency = Consistency::of({3, {}}, laws_of({{3, geometric(2)}})).value();
  EXPECT_EQ(consistency.estimates(Released{3, 1, 2}).value(), (Numbers{3, 1, 2}));
  EXPECT_NEAR(consistency.reaches(*Alpha::of(0.05))[0].proven,
              static_cast<double>(*law_at<Geometric>(2).two_sided_quantile(*Probability::of(0.05))), 1e-6);
}

TEST(Consistency, IsExactForNumbersThatDoublesCannotHold) {
  const auto consistency = Consistency::of(one_total(2), laws_of({{3, geometric(2)}})).value();
  const std::int64_t big = 9'007'199'254'740'993;  // 2^53 + 1
  const Numbers found = consistency.estimates(Released{big, 1 - big, 4}).value();
  EXPECT_NEAR(found[2], 3, 1e-9);  // 1 and 4, the former with twice the variance
}

TEST(Consistency, RefusesWhatDoesNotFit) {
  const auto said = [](Layout layout, std::size_t laws) {
    const auto made = Consistency::of(std::move(layout), laws_of({{laws, geometric(2)}}));
    return made ? std::string() : made.error().sentence();
  };
  EXPECT_NE(said({0, {}}, 0).find("one cell at least"), std::string::npos);
  EXPECT_NE(said(one_total(3), 3).find("one law each, 4"), std::string::npos);
  EXPECT_NE(said({3, {{0, 0}}}, 4).find("ascending"), std::string::npos);
  EXPECT_NE(said({3, {{1, 0}}}, 4).find("ascending"), std::string::npos);
  EXPECT_NE(said({3, {{3}}}, 4).find("ascending"), std::string::npos);
  EXPECT_NE(said({3, {{}}}, 4).find("ascending"), std::string::npos);
  EXPECT_NE(said({3, std::vector<std::vector<std::size_t>>(1001, {0})}, 1004).find("at most 1000"), std::string::npos);
  const auto consistency = Consistency::of(one_total(3), laws_of({{4, geometric(2)}})).value();
  EXPECT_FALSE(consistency.estimates(Released{1, 2, 3}));
}

// ---- coverage, with the samplers that ship

template <class Law>
std::vector<int> misses(const Layout& layout, double of_cells, double of_totals, double alpha, int trials, bool proven,
                        double shrink = 1) {
  const std::size_t totals = layout.totals.size();
  const noise::IntegerSampler<Law> cells(law_at<Law>(of_cells)), sums(law_at<Law>(of_totals));
  const auto consistency =
      Consistency::of(layout, laws_of({{layout.cells, law_at<Law>(of_cells)}, {totals, law_at<Law>(of_totals)}}))
          .value();
  const std::vector<Reach> reaches = consistency.reaches(*Alpha::of(alpha));
  auto source = testing::seeded_source(21);
  std::vector<int> missed(consistency.numbers());
  Released noise(consistency.numbers());
  for (int i = 0; i < trials; ++i) {
    EXPECT_TRUE(cells.fill(source, std::span(noise).first(layout.cells)));
    EXPECT_TRUE(sums.fill(source, std::span(noise).subspan(layout.cells)));
    const Numbers off = consistency.estimates(noise).value();  // of exact numbers that are all 0
    for (std::size_t j = 0; j < off.size(); ++j) {
      missed[j] += std::abs(off[j]) > shrink * (proven ? reaches[j].proven : reaches[j].tested);
    }
  }
  return missed;
}

template <class Law>
void expect_covered(Law (*)(double), const Layout& layout, double of_cells, double of_totals, bool proven) {
  constexpr int trials = 4000;
  const auto most = testing::unsurprising_counts(trials, 0.05, testing::false_alarm).greatest;
  for (const int missed : misses<Law>(layout, of_cells, of_totals, 0.05, trials, proven)) {
    EXPECT_LE(static_cast<std::uint64_t>(missed), most) << of_cells << " " << of_totals;
  }
}

TEST(Consistency, IntervalsCover) {
  for (const double scale : {0.4, 1.0, 5.0, 40.0}) {
    expect_covered(law_at<DiscreteGaussian>, margins_of_table(3, 4), scale, 2 * scale, true);
    expect_covered(law_at<DiscreteGaussian>, margins_of_table(3, 4), scale, 2 * scale, false);
    expect_covered(law_at<Geometric>, margins_of_table(3, 4), scale, scale / 2, true);
    expect_covered(law_at<Geometric>, one_total(10), scale, scale, true);
  }
}

TEST(Consistency, IntervalsThatAreTooShortAreFoundOut) {
  constexpr int trials = 4000;
  const auto most = testing::unsurprising_counts(trials, 0.05, testing::false_alarm).greatest;
  const auto of_gaussian = misses<DiscreteGaussian>(margins_of_table(3, 4), 40, 80, 0.05, trials, false, 0.85);
  const auto of_geometric = misses<Geometric>(margins_of_table(3, 4), 40, 20, 0.05, trials, true, 0.85);
  EXPECT_GT(static_cast<std::uint64_t>(of_gaussian[0]), most);
  EXPECT_GT(static_cast<std::uint64_t>(of_geometric[0]), most);
}

// A table of ten by ten at epsilon 1/2 for cells and 1/5 for margins: the price of the proof is below what is gained.
TEST(Consistency, IntervalsAreShorterThanThoseOfRawNumbers) {
  const auto consistency =
      Consistency::of(margins_of_table(10, 10), laws_of({{100, geometric(2)}, {20, geometric(5)}})).value();
  const std::vector<Reach> reaches = consistency.reaches(*Alpha::of(0.05));
  EXPECT_LT(reaches.front().proven, 5.6);  // 6
  EXPECT_LT(reaches.back().proven, 11.2);  // 15
  EXPECT_EQ(*law_at<Geometric>(2).two_sided_quantile(*Probability::of(0.05)), 6);
  EXPECT_EQ(*law_at<Geometric>(5).two_sided_quantile(*Probability::of(0.05)), 15);
}

// ---- the closed form of regular trees

TEST(RegularTree, IsTheDenseSolution) {
  for (const auto& [branching, levels] : {std::pair<std::size_t, std::size_t>{2, 2}, {2, 5}, {3, 3}, {5, 3}}) {
    const RegularTree tree = RegularTree::of(branching, levels).value();
    std::vector<IntegerLaw> by_level;
    Numbers variances;
    for (std::size_t level = 0; level < levels; ++level) {
      by_level.push_back(geometric(3 + 2.5 * static_cast<double>((level * 5) % 3)));
      variances.push_back(variance_of(by_level.back()));
    }
    std::vector<IntegerLaw> laws(tree.leaves(), by_level.back());
    for (std::size_t level = 0, width = 1; level + 1 < levels; ++level, width *= branching) {
      laws.insert(laws.end(), width, by_level[level]);
    }
    const auto dense = Consistency::of(tree.layout(), laws).value();
    const Released released = some_numbers(tree.nodes());  // cells first
    Numbers measured(released.begin() + static_cast<std::ptrdiff_t>(tree.leaves()), released.end());
    measured.insert(measured.end(), released.begin(), released.begin() + static_cast<std::ptrdiff_t>(tree.leaves()));
    const Numbers expected = dense.estimates(released).value();
    const Numbers found = tree.estimates(measured, variances).value();
    const std::size_t inner = tree.nodes() - tree.leaves();
    for (std::size_t i = 0; i < tree.leaves(); ++i) EXPECT_NEAR(found[inner + i], expected[i], 1e-8);
    for (std::size_t i = 0; i < inner; ++i) EXPECT_NEAR(found[i], expected[tree.leaves() + i], 1e-8);
    const Numbers spread = tree.estimate_variances(variances).value();
    EXPECT_NEAR(spread.back(), dense.variance(0), 1e-9 * spread.back());
    EXPECT_NEAR(spread.front(), dense.variance(tree.leaves()), 1e-9 * spread.front());
  }
}

TEST(RegularTree, RefusesWhatIsNoTree) {
  EXPECT_FALSE(RegularTree::of(1, 3));
  EXPECT_FALSE(RegularTree::of(2, 1));
  EXPECT_FALSE(RegularTree::of(2, 60));
  EXPECT_FALSE(RegularTree::of(std::size_t{1} << 40, 2));
  const RegularTree tree = RegularTree::of(2, 3).value();
  EXPECT_EQ(tree.nodes(), 7u);
  EXPECT_FALSE(tree.estimates(Numbers(6, 0.0), Numbers(3, 1.0)));
  EXPECT_FALSE(tree.estimates(Numbers(7, 0.0), Numbers(2, 1.0)));
  EXPECT_FALSE(tree.estimates(Numbers(7, 0.0), Numbers{1, 0, 1}));
}

// Cells of 277 and 245 beside a total of 505, scale 0.15: no noise explains 17.
TEST(Consistent, SeesThatTablesDisagree) {
  const auto of = [](double scale, const Released& released) {
    return Consistency::of(one_total(2), std::vector<IntegerLaw>(3, geometric(scale)))
        ->disagreement(released, *Alpha::of(1e-9));
  };
  EXPECT_EQ(of(0.15, {277, 245, 505}), 0u);
  EXPECT_EQ(of(0.15, {277, 245, 523}), std::nullopt);
  EXPECT_EQ(of(10, {277, 245, 505}), std::nullopt);
}

TEST(Consistent, SeesNoDisagreementWhereThereIsNoiseAlone) {
  const std::vector<IntegerLaw> laws = laws_of({{6, geometric(2)}, {5, gaussian(3)}});
  const Consistency table = *Consistency::of(margins_of_table(2, 3), laws);
  auto source = testing::seeded_source(3);
  for (int trial = 0; trial < 300; ++trial) {
    Released cells(6), totals(5);
    ASSERT_TRUE(noise::IntegerSampler<Geometric>(law_at<Geometric>(2)).fill(source, cells));
    ASSERT_TRUE(noise::IntegerSampler<DiscreteGaussian>(law_at<DiscreteGaussian>(3)).fill(source, totals));
    Released released = cells;
    for (std::size_t i = 0; i < 6; ++i) released[i] += 100;
    for (std::size_t l = 0; l < 5; ++l) released.push_back(totals[l] + (l < 2 ? 300 : 200));
    EXPECT_EQ(table.disagreement(released, *Alpha::of(1e-9)), std::nullopt);
  }
}

// By summing both laws: a total and its cell, told apart where they agree, once in what was asked for.
TEST(Consistent, TellsTablesApartThatAgreeAsRarelyAsAsked) {
  const Geometric cell = law_at<Geometric>(5), total = law_at<Geometric>(0.5);
  for (const double chance : {1e-2, 1e-9, 1e-14}) {
    const Consistency made = *Consistency::of(one_total(1), laws_of({{1, geometric(5)}, {1, geometric(0.5)}}));
    std::int64_t least = 0;  // of what is told apart
    while (!made.disagreement(Released{0, least}, *Alpha::of(chance))) ++least;
    double apart = 0;
    for (std::int64_t x = -400; x <= 400; ++x) {
      for (std::int64_t n = -60; n <= 60; ++n) {
        if (std::abs(n - x) >= least) apart += cell.mass(x).upper * total.mass(n).upper;
      }
    }
    EXPECT_LE(apart, chance);
    EXPECT_GE(apart, chance / 100);
  }
}

// Epsilon 1,480 and more: variances are 0 in doubles, and every number must stay finite.
TEST(Consistent, StaysFiniteWhereNoiseIsNextToNothing) {
  for (const double scale : {1.0 / 700, 1.0 / 760, 1e-3}) {
    const Consistency made = *Consistency::of(one_total(2), laws_of({{2, geometric(scale)}, {1, geometric(scale)}}));
    const Numbers estimates = *made.estimates(Released{277, 245, 522});
    for (const double estimate : estimates) EXPECT_TRUE(std::isfinite(estimate));
    EXPECT_NEAR(estimates.front(), 277, 1e-9);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_TRUE(std::isfinite(made.variance(i)));
      EXPECT_TRUE(std::isfinite(made.risk(i)));
    }
    const std::vector<Reach> reaches = made.reaches(*Alpha::of(0.05));
    for (const Reach& reach : reaches) EXPECT_TRUE(std::isfinite(reach.proven));
    EXPECT_EQ(made.disagreement(Released{277, 245, 505}, *Alpha::of(1e-9)), 0u);
  }
}

}  // namespace
}  // namespace vernier::denoise
