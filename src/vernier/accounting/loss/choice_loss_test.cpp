#include "vernier/accounting/loss/choice_loss.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "support/events.hpp"
#include "support/parameters.hpp"
#include "vernier/accounting/cells/cell_sum.hpp"
#include "vernier/accounting/methods.hpp"
#include "vernier/numeric/ball.hpp"

namespace vernier::accounting {
namespace {

using Complex = std::complex<long double>;

ChoiceLoss law_of(double epsilon) { return ChoiceLoss(*privacy::Epsilon::of(epsilon)); }

// sinh(z) / z in long doubles.
Complex sinh_quotient(Complex z) {
  if (std::abs(z) > 0.1L) return std::sinh(z) / z;
  return 1.0L + z * z / 6.0L * (1.0L + z * z / 20.0L * (1.0L + z * z / 42.0L * (1.0L + z * z / 72.0L)));
}

TEST(ChoiceLoss, HasTheTransformOfItsDensity) {
  test::Parameters any(61);
  for (int i = 0; i < 4000; ++i) {
    const double epsilon = any.log_uniform(1e-8, 50), theta = any.log_uniform(1e-6, 100 / epsilon);
    const double t = any.log_uniform(1e-6, 100) / epsilon;
    const auto tilted = law_of(epsilon).tilted(theta);
    const long double w = theta + 0.5L, e = epsilon;
    if (w * e > 5000) continue;
    const Complex exact = std::exp(Complex(0, -static_cast<long double>(t) * tilted.centre())) *
                          (sinh_quotient(Complex(w * e, t * e)) / sinh_quotient(Complex(w * e, 0)));
    const Frequency found = tilted.at(t);
    const Complex value(found.value.real(), found.value.imag());
    EXPECT_LE(static_cast<double>(std::abs(value - exact)), found.error + 1e-18 * t)
        << epsilon << " " << theta << " " << t;
    EXPECT_LT(found.error, 1e-12);
    EXPECT_LE(static_cast<double>(std::abs(exact)), tilted.beyond(t) * (1 + 1e-15));
    EXPECT_GE(tilted.beyond(0.9 * t), tilted.beyond(t));
    const Cumulants cumulants = law_of(epsilon).cumulants(theta);
    const auto log_quotient = [](long double x) {
      return x < 0.01L ? x * x / 6 - x * x * x * x / 180 + std::pow(x, 6) / 2835
                       : x + std::log(-std::expm1(-2 * x) / (2 * x));
    };
    EXPECT_NEAR(cumulants.value, static_cast<double>(log_quotient(w * e) - log_quotient(e / 2)),
                cumulants.error + 1e-17 * cumulants.value + 4e-19)
        << epsilon << " " << theta;
  }
}

TEST(ChoiceLoss, HasTheMeanAndTheVarianceThatItsTransformHas) {
  test::Parameters any(62);
  for (int i = 0; i < 300; ++i) {
    const double epsilon = any.log_uniform(1e-3, 20), theta = any.log_uniform(0.01, 20), step = 1e-3 * (theta + 0.5);
    const ChoiceLoss law = law_of(epsilon);
    const double up = law.cumulants(theta + step).value, here = law.cumulants(theta).value,
                 down = law.cumulants(theta - std::min(step, theta)).value;
    if (theta <= step) continue;
    const Cumulants found = law.cumulants(theta);
    EXPECT_NEAR(found.slope, (up - down) / (2 * step), 1e-4 * found.slope + 1e-9);
    if (epsilon > 0.1) {
      EXPECT_NEAR(found.curvature, (up - 2 * here + down) / (step * step), 1e-3 * found.curvature + 1e-6);
    }
    EXPECT_GE(law.tilted(theta).spread() * law.tilted(theta).spread(), found.curvature);
    EXPECT_NEAR(law.tilted(theta).centre(), found.slope, 1e-12 * epsilon);
  }
}

double envelope(double epsilon, double at) {
  const double root = std::exp(epsilon / 2), x = std::exp(at / 2);
  return (root - x) * (root - x) / std::expm1(epsilon);
}

TEST(ChoiceLoss, OfOneChoiceIsTheEnvelopeOfAllOfThem) {
  for (const double epsilon : {0.05, 0.5, 2.0, 8.0}) {
    for (const double share : {0.1, 0.5, 0.9}) {
      const double at = share * epsilon, truth = envelope(epsilon, at);
      const Bounds by_loss = method::loss_delta(std::vector{test::event(test::choice(epsilon))}, at, 1e-6).value();
      EXPECT_GE(by_loss.upper, truth * (1 - 1e-12)) << epsilon << " " << at;
      EXPECT_NEAR(by_loss.upper, truth, 1e-3 * truth) << epsilon << " " << at;
    }
  }
}

// An explicit choice: the losses t and t - epsilon.
struct Pair {
  double t, epsilon;
};

// delta of such choices together, term by term.
double exact_delta(const std::vector<Pair>& pairs, double at, std::size_t from = 0, double loss = 0, double mass = 1) {
  if (from == pairs.size()) return loss > at ? -mass * std::expm1(at - loss) : 0;
  const Pair& pair = pairs[from];
  const double high = std::expm1(pair.epsilon - pair.t) / std::expm1(pair.epsilon) * std::exp(pair.t);
  return exact_delta(pairs, at, from + 1, loss + pair.t, mass * high) +
         exact_delta(pairs, at, from + 1, loss + pair.t - pair.epsilon, mass * (1 - high));
}

struct Seen {
  int wrong = 0;
  double nearest = 0;  // the greatest of exact over certified
};

// Random choices, t from release to release, beside what is certified for a range of `range` times epsilon.
Seen compared(double range, std::uint64_t seed) {
  test::Parameters any(seed);
  Seen seen;
  for (int i = 0; i < 25; ++i) {
    std::vector<Event> events;
    std::vector<Pair> pairs;
    double sum = 0;
    const int count = 2 + static_cast<int>(any.uniform(0, 5));
    const bool are_alike = any.uniform(0, 1) < 0.5;
    const double share = any.uniform(0.5, 1);
    for (int j = 0; j < count; ++j) {
      const double epsilon = are_alike && j > 0 ? pairs[0].epsilon : any.log_uniform(0.05, 3);
      events.push_back(test::event(test::choice(range * epsilon)));
      pairs.push_back({(are_alike ? share : any.uniform(0.3, 1)) * epsilon, epsilon});
      sum += epsilon;
    }
    for (const double place : {0.1, 0.3, 0.6}) {
      const double certified = test::delta_of(events, place * sum).bounds.upper,
                   exact = exact_delta(pairs, place * sum);
      if (exact > certified * (1 + 1e-12)) ++seen.wrong;
      if (certified > 0) seen.nearest = std::max(seen.nearest, exact / certified);
    }
  }
  return seen;
}

TEST(ChoiceLoss, IsNeverBelowACompositionOfExplicitChoices) {
  const Seen seen = compared(1, 63);
  EXPECT_EQ(seen.wrong, 0);
  EXPECT_GT(seen.nearest, 0.5);
  EXPECT_GT(compared(0.5, 63).wrong, 10);  // with the range halved this is caught
}

// The lower end is a choice too: the bounds contain it, and 2 candidates reach it.
TEST(ChoiceLoss, HasALowerEndThatTwoCandidatesReach) {
  const std::vector<Event> events{test::event(test::choice(0.6), 5)};
  for (const double at : {0.3, 0.9}) {
    const Bounds bounds = test::delta_of(events, at).bounds;
    const double exact = exact_delta(std::vector<Pair>(5, {0.3, 0.6}), at);
    EXPECT_LE(bounds.lower, exact * (1 + 1e-12));
    EXPECT_NEAR(bounds.lower, exact, 1e-3 * exact);
    EXPECT_TRUE(why_apart(bounds, Figure::delta, events));
  }
}

// Thirty choices of 0.1 at delta 1e-6 cost 1.18; stated as pure they cost 2.15 by the optimal composition.
TEST(ChoiceLoss, CostsFarLessThanItsPureStatement) {
  for (const int times : {15, 30, 150}) {
    const double choices = test::epsilon_of({test::event(test::choice(0.1), times)}, 1e-6).bounds.upper;
    const double statements = test::epsilon_of({test::event(test::pure(0.1), times)}, 1e-6).bounds.upper;
    EXPECT_LT(1.4 * choices, statements) << times;
    EXPECT_GT(2.1 * choices, statements) << times;
  }
  const Guarantee by_cells =
      test::delta_of({test::event(test::choice(3)), test::event(test::laplace(0.01), 1, 1e-6)}, 2);
  EXPECT_GE(by_cells.bounds.upper, envelope(3, 2));
  EXPECT_LE(by_cells.bounds.upper, envelope(3, 2) * (1 + 1e-3));
}

// ln E[e^(b L)] / b of the losses t and t - epsilon, in long doubles.
long double divergence_of(long double t, long double epsilon, long double b) {
  const long double high = std::expm1(epsilon - t) / std::expm1(epsilon) * std::exp(t);
  return t + std::log(high + (1 - high) * std::exp(-b * epsilon)) / b;
}

TEST(ChoiceLoss, HasTheGreatestDivergenceOfAllChoices) {
  test::Parameters any(64);
  for (int i = 0; i < 300; ++i) {
    const double epsilon = any.log_uniform(1e-4, 30), b = any.log_uniform(0.01, 500);
    long double greatest = 0;
    for (int j = 0; j <= 2000; ++j) greatest = std::max(greatest, divergence_of(epsilon * j / 2000.0L, epsilon, b));
    const double found = choice_divergence(*privacy::Epsilon::of(epsilon), 1 + b);
    EXPECT_GE(found, static_cast<double>(greatest) * (1 - 1e-12)) << epsilon << " " << b;
    EXPECT_LE(found, static_cast<double>(greatest) * 1.01 + 1e-13) << epsilon << " " << b;
    const double half = choice_divergence(*privacy::Epsilon::of(epsilon / 2), 1 + b);
    EXPECT_LT(half, static_cast<double>(greatest)) << epsilon << " " << b;  // a range halved is caught
  }
}

TEST(ChoiceLoss, IsRefusedOnASample) {
  EXPECT_FALSE(
      Event::of(test::choice(1), privacy::Neighbours::add_remove, Times::once(), *privacy::SamplingRate::of(0.5)));
}

}  // namespace
}  // namespace vernier::accounting
