#include "vernier/table/design.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "vernier/table/noise.hpp"
#include "vernier/table/targets.hpp"

namespace vernier::table {
namespace {

using Keys = std::vector<std::int64_t>;

// The domains of the literature, and what ResidualPlanner (Xiao, He, Zhang and Kifer 2023, its own program) finds
// there.
const Keys adult = {85, 9, 100, 16, 7, 15, 6, 5, 2, 100, 100, 99, 42, 2};
const Keys cps = {50, 100, 7, 4, 2};
const Keys loans = {101, 101, 101, 101, 3, 8, 36, 6, 51, 4, 5, 15};

struct Anchor {
  Keys keys;
  std::size_t least, most;
  double error;  // root of the mean square over all cells, at cost 1
  double worst;  // the least possible largest variance
};
const std::vector<Anchor> anchors = {{cps, 0, 3, 2.2759, 13.2156},
                                     {adult, 3, 3, 10.5153, 236.8428},
                                     {adult, 0, 3, 10.6650, 253.6052},
                                     {loans, 0, 3, 8.8756, 180.8171}};

Lattice lattice_of(const Anchor& anchor) {
  std::vector<Columns> tables;
  const std::vector<Columns> all = all_up_to(anchor.keys.size(), anchor.most).value();
  for (const Columns& set : all) {
    if (set.size() >= anchor.least) tables.push_back(set);
  }
  return Lattice::of(anchor.keys, tables).value();
}

std::vector<double> sizes_of(const Lattice& lattice) {
  std::vector<double> sizes;
  for (const Columns& set : lattice.tables()) sizes.push_back(static_cast<double>(lattice.cells(set)));
  return sizes;
}

double largest(const std::vector<double>& values) { return *std::ranges::max_element(values); }

TEST(Design, HasTheErrorOfResidualPlanner) {
  for (const Anchor& anchor : anchors) {
    const Lattice lattice = lattice_of(anchor);
    const std::vector<double> sizes = sizes_of(lattice);
    const Design design = design_of_least_sum(lattice, sizes);
    EXPECT_NEAR(cost_of(lattice, design.variances), 1, 1e-12);
    const std::vector<double> variances = table_variances(lattice, design.variances);
    const double sum = std::inner_product(sizes.begin(), sizes.end(), variances.begin(), 0.0);
    EXPECT_NEAR(std::sqrt(sum / std::accumulate(sizes.begin(), sizes.end(), 0.0)), anchor.error, 6e-5);
  }
}

TEST(Design, HasTheLeastLargestVarianceWithADualThatShowsIt) {
  for (const Anchor& anchor : anchors) {
    const Lattice lattice = lattice_of(anchor);
    const Design design = design_for(lattice, std::vector<double>(lattice.tables().size(), 1.0));
    EXPECT_LE(design.gap(), 1e-6);
    EXPECT_NEAR(design.cost, anchor.worst, anchor.worst * 2e-6);
    EXPECT_NEAR(cost_of(lattice, design.variances), design.cost, 1e-9 * design.cost);
    EXPECT_LE(largest(table_variances(lattice, design.variances)), 1 + 1e-12);
  }
}

// Measuring one table alone: the price of plain noise on its cells.
TEST(Design, OfOneTableIsThatOfPlainNoise) {
  const Lattice lattice = Lattice::of({3, 4, 2}, {{0, 1, 2}}).value();
  const Design design = design_for(lattice, std::vector<double>{5.0});
  EXPECT_NEAR(design.cost, 1.0 / 5, 1e-7);
  for (std::size_t i = 0; i < lattice.residuals().size(); ++i) {
    const auto others = static_cast<double>(24 / lattice.cells(lattice.residuals()[i]));
    EXPECT_NEAR(design.variances[i], 5 * others, 1e-3 * others);
  }
}

TEST(Design, MeetsEveryTargetAndPaysForNoneThatIsNotThere) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> logarithm(-3, 3);
  for (int round = 0; round < 20; ++round) {
    const Lattice lattice = Lattice::of({4, 3, 6, 2}, all_up_to(4, 2).value()).value();
    std::vector<double> targets;
    for (std::size_t i = 0; i < lattice.tables().size(); ++i) targets.push_back(std::exp(logarithm(random)));
    const Design design = design_for(lattice, targets);
    const std::vector<double> variances = table_variances(lattice, design.variances);
    for (std::size_t i = 0; i < targets.size(); ++i) EXPECT_LE(variances[i], targets[i] * (1 + 1e-12));
    EXPECT_LE(design.gap(), 1e-6) << round;
    double apart = 0;
    for (const double target : targets) apart += 1 / target;
    EXPECT_LT(design.cost, apart);
  }
}

// No other variances do better: small changes of them, back on the targets, cost at least as much.
TEST(Design, IsNotImprovedByChanges) {
  const Lattice lattice = Lattice::of({4, 3, 6}, all_up_to(3, 2).value()).value();
  const std::vector<double> targets(lattice.tables().size(), 1.0);
  const Design design = design_for(lattice, targets);
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> change(-0.3, 0.3);
  for (int round = 0; round < 200; ++round) {
    std::vector<double> other = design.variances;
    for (double& one : other) one *= std::exp(change(random));
    EXPECT_GE(cost_of(lattice, other) * largest(table_variances(lattice, other)), design.least * (1 - 1e-12));
  }
}

TEST(Design, KeepsProvenReachesWithinTheAccuraciesThatAreAsked) {
  const Lattice lattice = Lattice::of({13, 7, 3}, all_up_to(3, 2).value()).value();
  const Alpha alpha = Alpha::of(0.05).value();
  std::vector<double> wanted;
  for (const Columns& set : lattice.tables()) wanted.push_back(20 + 15 * static_cast<double>(set.size()));
  const Design design = design_within(lattice, wanted, alpha).value();
  const std::vector<double> reaches = reaches_of(lattice, laws_of(lattice, design.variances).value(), alpha);
  double nearest = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    EXPECT_LE(reaches[i], wanted[i]);
    nearest = std::max(nearest, reaches[i] / wanted[i]);
  }
  EXPECT_GT(nearest, 1 - 2e-6);
}

// The gap of noise as it is: by the multipliers alone, against the variances at which the reaches fill the accuracies.
double stated_gap(const Lattice& lattice, const Design& design, const std::vector<double>& wanted, Alpha alpha) {
  const std::vector<double> reaches = reaches_of(lattice, laws_of(lattice, design.variances).value(), alpha);
  std::vector<double> bounds = table_variances(lattice, design.variances);
  for (std::size_t i = 0; i < bounds.size(); ++i) bounds[i] *= std::pow(wanted[i] / reaches[i], 2);
  return cost_of(lattice, design.variances) / least_cost(lattice, design.multipliers, bounds) - 1;
}

// Also where scales are so small that reaches are no multiple of deviations, and noise has to be made larger again.
TEST(Design, FillsTheAccuraciesAndStatesWhatItLoses) {
  const Alpha alpha = Alpha::of(0.05).value();
  for (const double accuracy : {1.6, 2.0, 3.0, 5.0, 20.0, 400.0}) {
    const Lattice lattice = Lattice::of({2, 2}, all_up_to(2, 2).value()).value();
    const Design design = design_within(lattice, std::vector<double>(lattice.tables().size(), accuracy), alpha).value();
    const std::vector<double> reaches = reaches_of(lattice, laws_of(lattice, design.variances).value(), alpha);
    std::vector<double> wanted, filled;
    for (std::size_t i = 0; i < reaches.size(); ++i) {
      wanted.push_back(whole_steps(accuracy, lattice.cells(lattice.tables()[i])));
      filled.push_back(reaches[i] / wanted[i]);
    }
    EXPECT_LE(largest(reaches), accuracy);
    EXPECT_EQ(largest(filled), 1) << accuracy;
    EXPECT_NEAR(design.gap(), stated_gap(lattice, design, wanted, alpha), 1e-9) << accuracy;
    // A little more noise is too much.
    const Laws more = laws_of(lattice, scaled(design, 1 + 1e-4).variances).value();
    const std::vector<double> further = reaches_of(lattice, more, alpha);
    double over = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) over = std::max(over, further[i] / wanted[i]);
    EXPECT_GT(over, 1) << accuracy;
  }
}

// No other noise that is seen to meet the accuracies is much cheaper: steps of reaches are some thousandths here.
TEST(Design, IsNotImprovedByOtherNoiseThatMeetsTheAccuracies) {
  const Lattice lattice = Lattice::of({3, 2}, all_up_to(2, 2).value()).value();
  const Alpha alpha = Alpha::of(0.05).value();
  const std::vector<double> wanted = {600, 500, 700, 800};
  const Design design = design_within(lattice, wanted, alpha).value();
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> change(-0.2, 0.2);
  for (int round = 0; round < 60; ++round) {
    std::vector<double> other = design.variances;
    for (double& one : other) one *= std::exp(change(random));
    const std::vector<double> reaches = reaches_of(lattice, laws_of(lattice, other).value(), alpha);
    double over = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) over = std::max(over, reaches[i] / wanted[i]);
    EXPECT_GE(cost_of(lattice, other) * over * over, design.cost * (1 - 5e-3)) << round;
  }
}

// Any multipliers bound the cost from below; those of the design nearly reach it.
TEST(Design, HasAWitnessThatNeedsNoSearch) {
  const Lattice lattice = Lattice::of({4, 3, 6}, all_up_to(3, 2).value()).value();
  const std::vector<double> ones(lattice.tables().size(), 1.0);
  const Design design = design_for(lattice, ones);
  EXPECT_NEAR(least_cost(lattice, design.multipliers, ones), design.least, 1e-12 * design.least);
  std::mt19937_64 random(6);
  std::uniform_real_distribution<double> any(0, 1);
  for (int round = 0; round < 50; ++round) {
    std::vector<double> multipliers;
    for (std::size_t i = 0; i < ones.size(); ++i) multipliers.push_back(any(random));
    EXPECT_LE(least_cost(lattice, multipliers, ones), design.cost * (1 + 1e-12));
  }
}

}  // namespace
}  // namespace vernier::table
