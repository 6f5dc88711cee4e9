#include "vernier/accounting/event_parts.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/events.hpp"
#include "support/exact_transform.hpp"
#include "vernier/accounting/key_rule.hpp"

namespace vernier::accounting {
namespace {

using test::approximate, test::ComplexBall, test::discrete_gaussian, test::event, test::gaussian, test::geometric,
    test::key_selection, test::laplace, test::pure, test::replaced, test::zcdp;

constexpr double least_delta = 1e-20;

std::vector<LossPart> parts(const std::vector<Event>& events, End end = End::upper,
                            Direction direction = Direction::remove) {
  return parts_of(events, direction, end, least_delta).value();
}

void expect_law(const LossPart& part, const test::ExactTransform& exact) {
  for (const double theta : {0.5, 3.0, 20.0}) {
    const Cumulants found = part.law.cumulants(theta);
    const ComplexBall truth = test::exact_cumulant(exact, theta);
    EXPECT_LE((truth - found.value).size(), found.error + 1e-140) << theta;
  }
}

TEST(EventParts, AreTheLossLawsOfTheMechanisms) {
  const auto found = parts({event(laplace(4, 2), 3), event(geometric(4), 5), event(geometric(4, 3), 7),
                            event(discrete_gaussian(4), 9), event(pure(0.5), 11)});
  ASSERT_EQ(found.size(), 5);
  expect_law(found[0], test::exact_laplace(0.5));
  expect_law(found[1], test::exact_two_point(0.25));
  expect_law(found[2], test::exact_geometric(0.25, 3));
  expect_law(found[3], test::exact_discrete_gaussian(4, 1));
  expect_law(found[4], test::exact_two_point(0.5));
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].times, 3 + 2 * static_cast<double>(i));
    EXPECT_EQ(found[i].infinite, (Bounds{0, 0}));
  }
}

TEST(EventParts, HaveTheDeltaOfAStatementAsInfiniteLoss) {
  const auto found = parts({event(approximate(0.5, 1e-5), 3)});
  ASSERT_EQ(found.size(), 1);
  expect_law(found[0], test::exact_two_point(0.5));
  EXPECT_EQ(found[0].infinite, (Bounds{1e-5, 1e-5}));
}

TEST(EventParts, GatherGaussiansIntoOne) {
  const auto found = parts({event(gaussian(4), 3), event(gaussian(2, 3), 5)});
  ASSERT_EQ(found.size(), 1);
  EXPECT_EQ(found[0].times, 1);
  expect_law(found[0], test::exact_gaussian(ComplexBall(3) / 16 + ComplexBall(45) / 4));
}

TEST(EventParts, GatherZcdpStatementsIntoOneThatIsWorseThanTheirGaussian) {
  const std::vector<Event> events{event(zcdp(0.1), 3), event(zcdp(0.2))};
  const auto upper = parts(events, End::upper), lower = parts(events, End::lower);
  ASSERT_EQ(upper.size(), 1);
  ASSERT_EQ(lower.size(), 1);
  EXPECT_EQ(upper[0].times, 1);
  EXPECT_GT(upper[0].infinite.upper, 0);
  EXPECT_LE(upper[0].infinite.upper, least_delta);
  EXPECT_EQ(lower[0].infinite, (Bounds{0, 0}));
  for (const double theta : {1.0, 4.0}) {
    const Cumulants low = lower[0].law.cumulants(theta), gaussian_of_rho{0.5 * theta * (1 + theta), 0, 0, 0};
    EXPECT_LE(low.value - low.error, gaussian_of_rho.value);
    EXPECT_NEAR(low.value, gaussian_of_rho.value, 1e-14 * low.value);
    EXPECT_GT(upper[0].law.cumulants(theta).value, low.value);
  }
}

TEST(EventParts, LetKeysEscapeAtTheUpperEndOnly) {
  const KeySelection keys = key_selection(geometric(4), 30, 3);
  const auto upper = parts({event(keys, 2)}), lower = parts({event(keys, 2)}, End::lower);
  ASSERT_EQ(upper.size(), 1);
  EXPECT_EQ(upper[0].times, 6);
  EXPECT_EQ(upper[0].infinite, escape_probability(keys));
  EXPECT_EQ(lower[0].infinite, (Bounds{0, 0}));
  expect_law(upper[0], test::exact_two_point(0.25));
  expect_law(lower[0], test::exact_two_point(0.25));
  EXPECT_EQ(parts({replaced(keys, 2)})[0].times, 12);
  expect_law(parts({event(key_selection(discrete_gaussian(4), 30, 3))})[0], test::exact_discrete_gaussian(4, 1));
}

TEST(EventParts, OfASampleDifferByDirection) {
  const std::vector<Event> events{event(gaussian(1), 5, 0.1)};
  const auto remove = parts(events), add = parts(events, End::upper, Direction::add);
  EXPECT_EQ(remove[0].times, 5);
  EXPECT_GT(remove[0].law.cumulants(1).value, 1.1 * add[0].law.cumulants(1).value);
  // Whoever is sampled with chance 0.1: E[e^L] = 1 + 0.01 (e - 1) for remove.
  EXPECT_NEAR(remove[0].law.cumulants(1).value, std::log1p(0.01 * std::expm1(1)), 1e-12);
}

TEST(EventParts, CountEqualEventsTogether) {
  const auto found = parts(std::vector<Event>(100, event(laplace(4))));
  ASSERT_EQ(found.size(), 1);
  EXPECT_EQ(found[0].times, 100);
}

TEST(EventParts, RefuseWhatIsTooLargeOrNotCertified) {
  const auto refused = [](const Event& one) {
    return parts_of(std::vector{one}, Direction::remove, End::upper, least_delta).error();
  };
  EXPECT_EQ(refused(event(gaussian(1e-100, 1e100))).sentence(),
            "the squares of sensitivity over scale of the Gaussian releases sum to more than can be accounted for; add "
            "more noise");
  EXPECT_EQ(refused(event(zcdp(1e8), 2)).sentence(),
            "the rhos of the zCDP statements sum to more than can be accounted for; add more noise");
  EXPECT_EQ(refused(event(zcdp(1e8), 2)).kind, ErrorKind::exhausted);
  EXPECT_NE(refused(event(laplace(1e-5), 1, 0.5)).sentence().find("between 1e-12 and 1e4"), std::string::npos);
}

TEST(EventParts, AreSymmetricAndExactWhereTheyAreSaidToBe) {
  EXPECT_TRUE(is_symmetric(std::vector{event(laplace(1)), event(zcdp(1))}));
  EXPECT_FALSE(is_symmetric(std::vector{event(laplace(1)), event(laplace(1), 1, 0.5)}));
  EXPECT_TRUE(is_exact(std::vector{event(laplace(1)), event(laplace(1), 1, 0.5), event(approximate(1, 0.1))}));
  EXPECT_FALSE(is_exact(std::vector{event(laplace(1)), event(zcdp(1))}));
  EXPECT_FALSE(is_exact(std::vector{event(key_selection(geometric(4), 30, 3))}));
}

}  // namespace
}  // namespace vernier::accounting
