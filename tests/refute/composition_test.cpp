#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "refute/lattice_accountants.hpp"
#include "support/events.hpp"
#include "support/exact_lattice.hpp"
#include "support/lattice_bracket.hpp"
#include "support/random_compositions.hpp"

// The account against an independent referee: references in balls where a closed form exists, lattices of losses
// elsewhere. No upper end may lie below the exact figure, and no lower end above it.
namespace vernier::test {
namespace {

using accounting::Tightness;

using Make = Composition (*)(Parameters&);

// Both questions about so many compositions; epsilon is asked about near where it was found.
Verdict judged(Make make, int count, std::uint64_t seed) {
  Parameters any(seed);
  Verdict verdict;
  for (int i = 0; i < count; ++i) {
    const Composition composition = make(any);
    const double tightness = any.log_uniform(1e-6, 3e-5), factor = any.uniform(0.8, 1.05);
    const AnyAccountant accountant = certified_accountant(*Tightness::of(tightness));
    judge_epsilon(verdict, accountant, composition, tightness);
    const std::optional<Bounds> near = accountant.epsilon(composition.events, composition.delta);
    const double epsilon = near ? std::clamp(factor * near->upper, 1e-6, 1e4) : 1;
    judge_delta(verdict, accountant, composition, epsilon);
  }
  return verdict;
}

void expect_never_optimistic(const Verdict& verdict) {
  EXPECT_GT(verdict.questions, 0);
  EXPECT_EQ(verdict.optimistic, 0) << verdict.told();
  EXPECT_EQ(verdict.overclaimed, 0) << verdict.told();
  EXPECT_EQ(verdict.refused, 0) << verdict.told();
}

// And within 1 % of the exact figure, but for one answer in a thousand; nearly always as closely as was asked.
void expect_certified(const Verdict& verdict) {
  expect_never_optimistic(verdict);
  EXPECT_LE(verdict.loose, verdict.questions / 1000) << verdict.told();
  EXPECT_LE(verdict.wide, verdict.questions / 1000) << verdict.told();
  EXPECT_LE(verdict.slack, 0.1 * verdict.questions);
}

// A few releases on very small samples, or of very different sizes, may be answered less tightly.
void expect_mostly_tight(const Verdict& verdict) {
  expect_never_optimistic(verdict);
  EXPECT_LE(verdict.wide, 0.3 * verdict.questions) << verdict.told();
}

TEST(Composition, OfGaussiansIsCertified) { expect_certified(judged(gaussian_list, 400, 601)); }
TEST(Composition, OfEqualResponsesIsCertified) { expect_certified(judged(equal_responses, 350, 602)); }
TEST(SlowComposition, OfSampledResponsesIsCertified) { expect_certified(judged(sampled_responses, 300, 603)); }
TEST(Composition, OfDifferentResponsesIsCertified) { expect_certified(judged(different_responses, 300, 604)); }
TEST(SlowComposition, OfGeometricsIsCertified) { expect_certified(judged(geometric_lattice, 200, 605)); }
TEST(SlowComposition, OfDiscreteGaussiansIsCertified) { expect_certified(judged(discrete_gaussian_lattice, 150, 606)); }
TEST(Composition, OfOneSampledReleaseIsCertified) { expect_certified(judged(one_sampled_release, 100, 607)); }
TEST(Composition, OfOneLaplaceIsCertified) { expect_certified(judged(one_laplace, 100, 608)); }
TEST(SlowComposition, OnLongLatticesIsCertified) { expect_certified(judged(long_lattice, 40, 609)); }
TEST(SlowComposition, OfLaplacesIsCertified) { expect_certified(judged(laplaces, 25, 610)); }
TEST(SlowComposition, OfSampledNoiseIsNeverOptimistic) { expect_mostly_tight(judged(sampled_list, 20, 611)); }
TEST(SlowComposition, OfMixedListsIsNeverOptimistic) { expect_mostly_tight(judged(mixed_list, 15, 612)); }

TEST(HeavyComposition, OfGaussiansIsCertified) { expect_certified(judged(gaussian_list, 12000, 621)); }
TEST(HeavyComposition, OfEqualResponsesIsCertified) { expect_certified(judged(equal_responses, 9000, 622)); }
TEST(HeavyComposition, OfSampledResponsesIsCertified) { expect_certified(judged(sampled_responses, 2500, 623)); }
TEST(HeavyComposition, OfDifferentResponsesIsCertified) { expect_certified(judged(different_responses, 13500, 624)); }
TEST(HeavyComposition, OfGeometricsIsCertified) { expect_certified(judged(geometric_lattice, 2000, 625)); }
TEST(HeavyComposition, OfDiscreteGaussiansIsCertified) {
  expect_certified(judged(discrete_gaussian_lattice, 2000, 626));
}
TEST(HeavyComposition, OfOneSampledReleaseIsCertified) { expect_certified(judged(one_sampled_release, 4000, 627)); }
TEST(HeavyComposition, OfOneLaplaceIsCertified) { expect_certified(judged(one_laplace, 3500, 628)); }
TEST(HeavyComposition, OnLongLatticesIsCertified) { expect_certified(judged(long_lattice, 800, 629)); }
TEST(HeavyComposition, OfLaplacesIsCertified) { expect_certified(judged(laplaces, 400, 630)); }
TEST(HeavyComposition, OfSampledNoiseIsNeverOptimistic) { expect_mostly_tight(judged(sampled_list, 200, 631)); }
TEST(HeavyComposition, OfMixedListsIsNeverOptimistic) { expect_mostly_tight(judged(mixed_list, 100, 632)); }

// The two referees that share least, balls and a lattice in doubles, agree.
TEST(Referee, AgreesWithItself) {
  using Kind = LatticeRelease::Kind;
  const std::vector<accounting::Event> list{event(geometric(3, 2), 10), event(geometric(3, 5), 4)};
  const std::vector<LatticeRelease> releases{{Kind::geometric, 3, 2, {0, 1}, 10}, {Kind::geometric, 3, 5, {0, 1}, 4}};
  const Reference balls = exact_lattice(releases, 1e-40), doubles = *lattice_bracket(list, 1e-9, 700);
  for (const double epsilon : {0.01, 1.0, 5.0, 10.0, 13.1}) {
    const Bounds exact = balls(epsilon), bracket = doubles(epsilon);
    EXPECT_LE(bracket.lower, exact.upper);
    EXPECT_GE(bracket.upper, exact.lower);
    EXPECT_LE(bracket.upper - bracket.lower, 1e-8 * exact.upper) << epsilon;
  }
}

// A bracket whose lattice has to round is tight enough to judge by: a hundredth.
TEST(Referee, BracketsGaussiansCloselyAroundTheirClosedForm) {
  const std::vector<accounting::Event> list{event(gaussian(3, 1), 20)};
  const Reference exact = exact_gaussians({{3, 1, 20}}), bracket = *lattice_bracket(list, 1e-6, 1000);
  for (const double epsilon : {0.5, 3.0, 6.0, 8.0}) {
    const Bounds truth = exact(epsilon), found = bracket(epsilon);
    EXPECT_LE(found.lower, truth.upper);
    EXPECT_GE(found.upper, truth.lower);
    EXPECT_LE(found.upper - found.lower, 0.02 * truth.upper) << epsilon;
  }
}

Verdict judge_all(const std::vector<Composition>& compositions, double tightness = 1e-5) {
  Verdict verdict;
  const AnyAccountant accountant = certified_accountant(*Tightness::of(tightness));
  for (const Composition& composition : compositions) judge_epsilon(verdict, accountant, composition, tightness);
  return verdict;
}

Composition responses(double epsilon, long times, double delta, double rate = 1) {
  const Response each{epsilon, 1, rate};
  return {{event(pure(epsilon), times, rate)},
          larger(exact_equal_responses(each, times), exact_equal_responses(each, times, Side::add)),
          true,
          delta};
}
Composition gaussians(double scale, double sensitivity, long times, double delta) {
  return {{event(gaussian(scale, sensitivity), times)},
          exact_gaussians({{scale, sensitivity, static_cast<double>(times)}}),
          true,
          delta};
}
Composition geometrics(double scale, long sensitivity, long times, double delta) {
  using Kind = LatticeRelease::Kind;
  return {{event(geometric(scale, sensitivity), times)},
          exact_lattice({{Kind::geometric, scale, sensitivity, {0, 1}, times}}, 1e-30 * delta),
          true,
          delta};
}

Composition discrete_gaussians(double scale, long sensitivity, long times, double delta) {
  using Kind = LatticeRelease::Kind;
  return {{event(discrete_gaussian(scale, sensitivity), times)},
          exact_lattice({{Kind::discrete_gaussian, scale, sensitivity, {0, 1}, times}}, 1e-20 * delta),
          true,
          delta};
}

TEST(CompositionCorner, DeltaNearOneHalf) {
  expect_certified(judge_all({gaussians(20, 1, 5000, 0.5), gaussians(1, 3, 3, 0.4999), responses(0.1, 300, 0.5),
                              responses(2, 7, 0.49), geometrics(4, 3, 30, 0.5), geometrics(10, 7, 3, 0.2)}));
}

TEST(CompositionCorner, EpsilonIsZero) {
  const std::vector<Composition> compositions{gaussians(1000, 1, 2, 0.3),  responses(0.01, 5, 0.3),
                                              geometrics(500, 3, 4, 0.4),  responses(0.3, 40, 0.2, 1e-3),
                                              gaussians(50, 1, 100, 0.17), responses(0.7125, 31, 0.0242, 2.6e-4)};
  expect_certified(judge_all(compositions));
  const AnyAccountant accountant = certified_accountant(Tightness::usual());
  for (const Composition& one : compositions) {
    EXPECT_EQ(accountant.epsilon(one.events, one.delta)->upper, 0) << described(one.events);
  }
}

TEST(CompositionCorner, ABillionTimes) {
  expect_certified(judge_all({gaussians(1e5, 1, 1'000'000'000, 1e-9), gaussians(3e4, 1, 1'000'000'000, 1e-100)}));
}
TEST(SlowCompositionCorner, ABillionResponses) { expect_certified(judge_all({responses(3e-5, 1'000'000'000, 1e-6)})); }

TEST(CompositionCorner, TinyAndHugeScales) {
  expect_certified(judge_all({gaussians(1e-90, 1e-91, 10, 1e-5), gaussians(1e90, 1e89, 10, 1e-5),
                              responses(1e-9, 1000, 1e-9), responses(100, 3, 1e-9), geometrics(0.02, 2, 3, 1e-9),
                              geometrics(1e6, 2, 20, 1e-6), geometrics(0.05, 9, 2, 1e-80)}));
}

TEST(CompositionCorner, SamplingRatesNearZeroAndOne) {
  expect_certified(judge_all(
      {responses(1, 1000, 1e-6, 1e-9), responses(8, 100, 1e-9, 1e-9), responses(0.5, 200, 1e-6, 1 - 1e-9),
       responses(2, 30, 1e-12, 1 - 1e-9),
       Composition{{event(gaussian(1, 1), 1, 1e-9)}, exact_sampled_gaussian(1, 1, 1e-9), true, 1e-12},
       Composition{{event(gaussian(1, 1), 1, 1 - 1e-9)}, exact_sampled_gaussian(1, 1, 1 - 1e-9), true, 1e-12}}));
}

// Noise so small that delta falls in stairs: between two losses nothing happens for long.
TEST(CompositionCorner, LossesFarApart) {
  expect_certified(judge_all({discrete_gaussians(0.4875, 2, 3, 1.55e-5), discrete_gaussians(0.6, 3, 3, 1e-9),
                              discrete_gaussians(1.7441, 4, 3, 1e-30), geometrics(0.1, 3, 4, 1e-20)},
                             1e-3));
}

// On small samples the law has a bulk and a far tail, which begins abruptly with the tilt.
TEST(CompositionCorner, AFarTail) {
  const std::vector<accounting::Event> list{event(discrete_gaussian(3.137, 3), 42, 0.00725)};
  const Composition composition{list, *lattice_bracket(list, 1e-4, 1000), false, 1e-4};
  Verdict verdict;
  const AnyAccountant accountant = certified_accountant(Tightness::usual());
  judge_epsilon(verdict, accountant, composition, 1e-5);
  for (const double epsilon : {0.1, 0.2099, 0.5, 1.0}) judge_delta(verdict, accountant, composition, epsilon);
  expect_certified(verdict);
}

// There the loss distribution may fail; other methods still give a finite answer, and none is optimistic.
TEST(SlowCompositionCorner, AFewReleasesOnVerySmallSamples) {
  const AnyAccountant accountant = certified_accountant(Tightness::usual());
  Verdict verdict;
  for (const double mu : {0.066, 0.7}) {
    const std::vector<accounting::Event> list{event(gaussian(1, mu), 16, 1e-4)};
    const Composition composition{list, *lattice_bracket(list, 2e-4, 500), false, 2e-4};
    judge_epsilon(verdict, accountant, composition, 1e-5);
    for (const double epsilon : {1e-4, 0.01}) judge_delta(verdict, accountant, composition, epsilon);
    EXPECT_LE(accountant.epsilon(list, 2e-4)->upper, 0.5);
  }
  expect_never_optimistic(verdict);
}

// delta must be above 1 - (1 - 1e-6)^10: a little above it has an answer, a little below it has none.
TEST(CompositionCorner, DeltaJustAboveTheInfiniteMass) {
  const double infinite = -std::expm1(10 * std::log1p(-1e-6));
  const std::vector<accounting::Event> list{event(approximate(0.5, 1e-6), 10)};
  const Reference exact = exact_equal_responses({0.5, 1, 1, 1e-6}, 10);
  expect_certified(judge_all({{list, exact, true, infinite * (1 + 1e-9)}, {list, exact, true, infinite * (1 + 1e-4)}}));
  EXPECT_FALSE(certified_accountant(Tightness::usual()).epsilon(list, infinite * (1 - 1e-9)));
}

// Compositions for accountants that need a short lattice: at most 40 releases, delta from 1e-6 to 0.1.
Composition short_composition(Parameters& any) {
  const double kind = any.uniform(0, 3), delta = any.log_uniform(1e-6, 0.1);
  const long times = std::lround(any.log_uniform(2, 40));
  const double loss = any.log_uniform(0.3, 8) / std::sqrt(static_cast<double>(times));
  if (kind < 1) return gaussians(1, loss, times, delta);
  if (kind < 2) return responses(loss, times, delta);
  return geometrics(3 / loss, 3, times, delta);
}

// Asks about epsilons near the one at the composition's delta.
Verdict judged_deltas(const AnyAccountant& accountant, Make make, int count, std::uint64_t seed) {
  Parameters any(seed);
  Verdict verdict;
  const AnyAccountant guide = certified_accountant(Tightness::usual());
  for (int i = 0; i < count; ++i) {
    const Composition composition = make(any);
    const double epsilon = guide.epsilon(composition.events, composition.delta)->upper;
    judge_delta(verdict, accountant, composition, std::max(epsilon, 1e-6));
  }
  return verdict;
}

// Mutant 28.
TEST(Composition, IsNotMistakenForALatticeThatRoundsDown) {
  using testing::lattice_accountant;
  const Verdict library = judged_deltas(certified_accountant(Tightness::usual()), short_composition, 25, 641);
  const Verdict up = judged_deltas(lattice_accountant(Rounding::upward), short_composition, 25, 641);
  const Verdict down = judged_deltas(lattice_accountant(Rounding::downward), short_composition, 25, 641);
  expect_certified(library);
  EXPECT_EQ(up.optimistic, 0) << up.told();
  EXPECT_GT(down.optimistic, 20) << down.told();
}

// Whose greatest loss has about the chance 10^exponent: only a few losses lie above the epsilon asked about.
template <int exponent>
Composition responses_at_tiny_delta(Parameters& any) {
  const double epsilon = any.uniform(0.3, 1), delta = std::pow(10.0, exponent);
  const double all = std::log(delta) / -std::log1p(std::exp(-epsilon));
  return responses(epsilon, std::lround(all + any.uniform(-3, 4)), delta);
}

// Mutant 29.
TEST(Composition, IsNotMistakenForATransformThatForgetsNegativeMass) {
  const Verdict clipped = judged_deltas(testing::clipping_accountant(), responses_at_tiny_delta<-18>, 60, 642);
  EXPECT_GT(clipped.optimistic, 5) << clipped.told();
  const AnyAccountant library = certified_accountant(Tightness::usual());
  expect_certified(judged_deltas(library, responses_at_tiny_delta<-18>, 60, 642));
  expect_certified(judged_deltas(library, responses_at_tiny_delta<-30>, 60, 643));
  expect_certified(judged_deltas(library, responses_at_tiny_delta<-100>, 60, 644));
}

}  // namespace
}  // namespace vernier::test
