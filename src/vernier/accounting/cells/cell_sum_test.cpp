#include "vernier/accounting/cells/cell_sum.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "support/events.hpp"
#include "support/exact_reference.hpp"

namespace vernier::accounting {
namespace {

using cells::Effort;
using test::discrete_gaussian;
using test::event;
using test::gaussian;
using test::geometric;
using test::laplace;
using test::pure;

Bounds larger(const std::optional<Bounds>& a, const std::optional<Bounds>& b) {
  return {std::max(a.value().lower, b.value().lower), std::max(a.value().upper, b.value().upper)};
}
Bounds delta_by_cells(const std::vector<Event>& events, double epsilon) {
  return larger(cells::delta(events, Direction::remove, epsilon, Effort::thorough),
                cells::delta(events, Direction::add, epsilon, Effort::thorough));
}
Bounds epsilon_by_cells(const std::vector<Event>& events, double delta) {
  return larger(cells::epsilon(events, Direction::remove, delta, Effort::thorough),
                cells::epsilon(events, Direction::add, delta, Effort::thorough));
}

void expect_around(const Bounds& found, const Bounds& exact, double gap) {
  EXPECT_LE(found.lower, exact.upper);
  EXPECT_GE(found.upper, exact.lower);
  EXPECT_LE(found.upper - found.lower, gap * found.upper);
}

// The closed form of a single release shares nothing with its cells.
TEST(CellSum, AgreesWithTheCurvesOfSingleReleases) {
  const std::vector<Release> releases{
      laplace(2), gaussian(0.7), geometric(1.5, 3), discrete_gaussian(0.4), discrete_gaussian(900, 40), gaussian(1e5)};
  for (const Release& release : releases) {
    for (const double rate : {1.0, 0.3, 1e-4}) {
      const std::vector<Event> events{event(release, 1, rate)};
      for (const double delta : {0.01, 1e-6, 1e-40}) {
        const Bounds exact = test::epsilon_of(events, delta).bounds;
        if (exact.upper < 1e-9) continue;
        expect_around(epsilon_by_cells(events, delta), exact, 1e-3);
        const double epsilon = 0.99 * exact.upper;  // at the end of a bounded law delta falls off a stair
        expect_around(delta_by_cells(events, epsilon), test::delta_of(events, epsilon).bounds, 2e-3);
      }
    }
  }
}

// In balls.
TEST(CellSum, AgreesWithBinomials) {
  const std::vector<Event> events{event(pure(0.3), 50, 0.2)};
  const test::Response response{0.3, 1, 0.2};
  const test::Reference exact = test::larger(test::exact_equal_responses(response, 50, test::Side::remove),
                                             test::exact_equal_responses(response, 50, test::Side::add));
  for (const double epsilon : {0.05, 0.3, 0.9, 1.5})
    expect_around(delta_by_cells(events, epsilon), exact(epsilon), 1e-6);
}

// Neighbours are 21.7 deviations apart: the first point behind a range is the whole tail.
TEST(CellSum, KnowsALatticeWithFewPoints) {
  const Bounds found = delta_by_cells({event(discrete_gaussian(0.0461), 2, 0.5)}, 938.697);
  expect_around(found, {2.103655943e-103, 2.103655944e-103}, 1e-6);
}

// Losses of 1e-7, of 0.1 and of hundreds beside each other: a far jump on a sample of 0.0004 decides.
TEST(CellSum, KnowsScalesFarApart) {
  const Bounds found = delta_by_cells({event(gaussian(0.016), 1, 0.0004), event(pure(0.1)), event(laplace(1e7))}, 2);
  EXPECT_NEAR(found.lower, 4e-4, 1e-9);
  EXPECT_NEAR(found.upper, 4e-4, 1e-9);
}

// Many releases that hardly ever jump, at a delta at which several must: as frequencies find it with much work.
TEST(SlowCellSum, KnowsPowersOfARareJump) {
  const std::vector<Event> events{event(laplace(0.0669589663173487), 292, 6.0161085499358396e-06)};
  expect_around(epsilon_by_cells(events, 2.8465405080021063e-68), {50.395, 50.402}, 1e-3);
}

// Nothing is claimed of releases that are not cut: losses without end, one by one.
TEST(CellSum, LeavesOutWhatItDoesNotCut) {
  EXPECT_FALSE(cells::delta(std::vector{event(geometric(1e6, 1'000'000))}, Direction::remove, 0.5, Effort::quick));
  EXPECT_FALSE(cells::delta(std::vector{event(laplace(1), 1000)}, Direction::remove, 0.5, Effort::quick));
}

}  // namespace
}  // namespace vernier::accounting
