#include "vernier/accounting/cells/lattice.hpp"

#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "support/events.hpp"
#include "support/parameters.hpp"
#include "vernier/accounting/cells/cell_sum.hpp"
#include "vernier/accounting/cells/outcomes.hpp"
#include "vernier/accounting/pure_loss.hpp"

namespace vernier::accounting::cells {
namespace {

// Few atoms, and many between two large ones at the ends.
DiscreteLoss random_law(test::Parameters& any, int count) {
  DiscreteLoss law;
  double loss = any.uniform(-1, 0), sum = 0;
  for (int i = 0; i < count; ++i) {
    loss += any.log_uniform(0.001, 0.5);
    law.losses.push_back(loss);
    law.masses.push_back(any.log_uniform(1e-4, 1));
    sum += law.masses.back();
  }
  for (double& mass : law.masses) mass /= sum;
  return law;
}

using Law = std::map<long double, long double>;

// Every sum of so many atoms, in long doubles.
Law plain_power(const DiscreteLoss& law, int times) {
  Law all{{0, 1}};
  for (int i = 0; i < times; ++i) {
    Law next;
    for (const auto& [loss, mass] : all) {
      for (std::size_t j = 0; j < law.size(); ++j) next[loss + law.losses[j]] += mass * law.masses[j];
    }
    all = std::move(next);
  }
  return all;
}

long double plain_delta(const Law& law, double epsilon) {
  long double sum = 0;
  for (const auto& [loss, mass] : law) {
    if (loss > epsilon) sum -= mass * std::expm1(epsilon - loss);
  }
  return sum;
}

double delta_of(const DiscreteLoss& law, double epsilon, End end) {
  return law.infinite + PairCurve(law, {{0}, {1}, 0}, end)(epsilon);
}

std::optional<DiscreteLoss> power(const DiscreteLoss& law, double times, double step, End end) {
  double products = 1e9;
  auto lattice = LatticePowers::of(law, {step, 1e-40, 1e300}, end);
  return lattice ? lattice->power(times, products) : std::nullopt;
}

TEST(Lattice, PowersStayOnTheirSideAtEveryEpsilon) {
  test::Parameters any(51);
  for (int i = 0; i < 60; ++i) {
    const int atoms = 2 + static_cast<int>(any.uniform(0, 5)), times = 1 + static_cast<int>(any.uniform(0, 7));
    const DiscreteLoss law = random_law(any, atoms);
    const Law exact = plain_power(law, times);
    const double step = any.log_uniform(1e-4, 0.3);
    const auto above = power(law, times, step, End::upper), below = power(law, times, step, End::lower);
    ASSERT_TRUE(above && below);
    for (const double place : {-0.5, 0.0, 0.2, 0.5, 0.8, 0.95, 0.999}) {
      const double epsilon = place * times * law.losses.back();
      const long double delta = plain_delta(exact, epsilon);
      EXPECT_GE(delta_of(*above, epsilon, End::upper), delta * (1 - 1e-15L)) << i << " " << place;
      EXPECT_LE(delta_of(*below, epsilon, End::lower), delta * (1 + 1e-15L)) << i << " " << place;
    }
  }
}

// The finer the lattice, the closer: the gap falls with the square of the step where losses are spread evenly.
TEST(Lattice, ComesNearTheLawOfManyEvenLosses) {
  const auto release = std::get<mechanism::LaplaceMechanism>(test::laplace(5));
  const auto law = [&](End end) { return loss_of(outcomes_of(release, end, 1e-30), 1, Direction::remove, end); };
  const auto gap = [&](double step) {
    const double upper = delta_of(*power(law(End::upper), 20, step, End::upper), 1.5, End::upper);
    const double lower = delta_of(*power(law(End::lower), 20, step, End::lower), 1.5, End::lower);
    EXPECT_LT(lower, upper);
    return (upper - lower) / upper;
  };
  EXPECT_LT(gap(0.02), 0.03);
  EXPECT_LT(gap(0.005), 0.003);
}

// Two losses are on every lattice, so nothing is spread at all.
TEST(Lattice, IsExactForTheWorstOfAPureStatement) {
  const PureStatement statement{*privacy::Epsilon::of(0.1)};
  for (const double times : {7.0, 100.0, 1001.0}) {
    const BinomialLoss exact(0.1, times);
    for (const End end : {End::upper, End::lower}) {
      const auto made = power(loss_of(outcomes_of(statement, end, 0), 1, Direction::remove, end), times, 1, end);
      ASSERT_TRUE(made);
      for (const double epsilon : {0.05, 0.5, 3.0}) {
        const double delta = delta_of(*made, epsilon, end);
        const Bounds truth = exact.delta(epsilon);
        EXPECT_NEAR(delta, truth.upper, 1e-9 * truth.upper) << times << " " << epsilon;
        EXPECT_TRUE(end == End::upper ? delta >= truth.lower : delta <= truth.upper) << times << " " << epsilon;
      }
    }
  }
}

TEST(Lattice, IsRefusedWhereLossesLieAloneBetweenItsPoints) {
  const DiscreteLoss law{{-1, 0.123456, 1}, {0.3, 0.3, 0.4}, 0};
  EXPECT_FALSE(LatticePowers::of(law, {0.01, 1e-40, 1e-6}, End::lower));
  EXPECT_TRUE(LatticePowers::of(law, {0.01, 1e-40, 1e-6}, End::upper));
  EXPECT_FALSE(LatticePowers::of(law, {0.01, 1e-200, 1}, End::upper));  // masses whose products are below all doubles
}

TEST(Lattice, StopsWhereItsWorkIsUsedUp) {
  double products = 1e5;
  test::Parameters any(53);
  auto lattice = LatticePowers::of(random_law(any, 6), {1e-3, 1e-40, 1}, End::upper);
  ASSERT_TRUE(lattice);
  EXPECT_FALSE(lattice->power(1000, products));
}

// A hundred releases near the greatest loss of all, where frequencies need long: 0.9 s by pairs of atoms alone.
TEST(Lattice, MakesManyReleasesCloseNearTheirGreatestLoss) {
  const std::vector<Event> events{test::event(test::laplace(20), 100)};
  const auto found = delta(events, Direction::remove, 4.9, Effort::thorough);
  ASSERT_TRUE(found);
  EXPECT_GT(found->lower, 4.986e-31);
  EXPECT_LT(found->upper, 4.988e-31);
  EXPECT_LT(found->upper - found->lower, 3e-4 * found->upper);
}

}  // namespace
}  // namespace vernier::accounting::cells
