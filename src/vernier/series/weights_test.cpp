#include "vernier/series/weights.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "vernier/numeric/rational.hpp"

namespace vernier::series {
namespace {

using numeric::Rational;

// q C^-1 by exact fractions, of a matrix with 2^10 on its diagonal.
std::vector<Rational> exact_weights(const Strategy& strategy, const Question& question) {
  std::vector<Rational> weights(question.factors.size(), Rational::of(0));
  for (std::size_t j = weights.size(); j-- > 0;) {
    Rational left = Rational::of(question.factors[j]);
    for (std::size_t t = j + 1; t < weights.size(); ++t) left = left - weights[t] * Rational::of(strategy.at(t, j));
    weights[j] = left * Rational::of(0x1p-10).value();
  }
  return weights;
}

std::vector<Strategy> some_strategies(std::size_t steps) {
  std::vector<Strategy> all;
  for (const std::int64_t percent : {0, 10, 30, 50, 70, 100})
    all.push_back(Strategy::of({percent, false}, steps).value());
  all.push_back(Strategy::of({50, true}, steps).value());
  all.push_back(Strategy::toeplitz(std::vector<std::int64_t>(steps, 3)).value());
  return all;
}

TEST(SeriesWeights, AreTheExactOnesButForTheirLastBits) {
  for (const Strategy& strategy : some_strategies(12)) {
    if (strategy.at(0, 0) != 1024) continue;
    for (const Kind kind : all_kinds) {
      for (std::size_t step = 0; step < 12; ++step) {
        const Question question = Question::of(kind, step, 4);
        const auto whole = weights_of(strategy, question);
        const auto exact = exact_weights(strategy, question);
        for (std::size_t i = 0; i <= step; ++i) {
          EXPECT_NEAR(std::ldexp(static_cast<double>(whole[i]), -weight_bits), exact[i].round_down(), 1e-11);
        }
      }
    }
  }
}

// What the answer to a question makes of one row in each step: 1 where it is asked for, 0 elsewhere, exactly but for
// the bias.
TEST(SeriesWeights, GiveWhatIsAskedButForTheBias) {
  for (const std::size_t steps : {std::size_t{12}, std::size_t{365}}) {
    for (const Strategy& strategy : some_strategies(steps)) {
      for (const Kind kind : all_kinds) {
        const Weights weights(strategy, kind, 7);
        for (const std::size_t step : {std::size_t{0}, std::size_t{3}, steps - 1}) {
          const Question question = Question::of(kind, step, 7);
          for (std::size_t j = 0; j < steps; ++j) {
            Wide sum = 0;
            for (std::size_t t = 0; t <= step; ++t) sum += Wide{weights.at(step, t)} * strategy.at(t, j);
            const std::int64_t wanted = j <= step ? question.factors[j] : 0;
            const double off = std::ldexp(static_cast<double>(sum - (Wide{wanted} << weight_bits)), -weight_bits);
            EXPECT_LE(std::abs(off), bias_of(strategy));
          }
        }
      }
    }
  }
}

// An inverse that is off by one step is seen by the test above.
TEST(SeriesWeights, AreNotThoseOfAnInverseOffByOneStep) {
  const Strategy root = Strategy::of({50, false}, 12).value();
  const Weights weights(root, Kind::each, 7);
  Wide sum = 0;
  for (std::size_t t = 1; t <= 5; ++t) sum += Wide{weights.at(5, t - 1)} * root.at(t, 5);
  EXPECT_GT(std::abs(std::ldexp(static_cast<double>(sum), -weight_bits) - 1), bias_of(root));
}

TEST(SeriesWeights, HaveTheLengthsOfTheLiterature) {
  const Strategy root = Strategy::of({50, false}, 365).value();
  const Weights sums(root, Kind::cumulative, 7);
  const double first = [&] {
    double square = 0;
    for (const std::int64_t one : root.below(0)) square += static_cast<double>(one * one);
    return std::sqrt(square);
  }();
  EXPECT_NEAR(first * std::sqrt(sums.mean_square()), 2.7816, 1e-4);  // 2.7815 of real coefficients
  EXPECT_NEAR(first * sums.greatest_length(), 2.944, 1e-3);
  EXPECT_NEAR(first * Weights(root, Kind::each, 7).greatest_length(), 1.936, 1e-3);
  EXPECT_NEAR(first * Weights(root, Kind::last, 7).greatest_length(), 2.707, 1e-3);
}

TEST(SeriesWeights, OfADecayedSumHalveAsAsked) {
  const Strategy root = Strategy::of({50, false}, 40).value();
  const Question question = Question::decayed(39, 7);
  EXPECT_EQ(question.factors[39], 256);
  EXPECT_EQ(question.factors[32], 128);
  const auto weights = weights_of(root, question);
  for (std::size_t j = 0; j < 40; ++j) {
    Wide sum = 0;
    for (std::size_t t = j; t < 40; ++t) sum += Wide{weights[t]} * root.at(t, j);
    const Wide off = sum - (Wide{question.factors[j]} << weight_bits);
    EXPECT_LE(std::abs(static_cast<double>(off)), 512);
  }
}

TEST(SeriesNumber, LiesInItsIntervalAndInWhatIsPossible) {
  const Number usual = number_of(Wide{1000} << weight_bits, 20.5, 1'000'000);
  EXPECT_EQ(usual.value, 1000);
  EXPECT_EQ(usual.low, 980);
  EXPECT_EQ(usual.high, 1020);
  const Number negative = number_of(-(Wide{10} << weight_bits), 20.5, 1'000'000);
  EXPECT_EQ(negative.estimate, -10);
  EXPECT_EQ(negative.value, 0);
  EXPECT_EQ(negative.low, 0);
  EXPECT_EQ(negative.high, 10);
  const Number missed = number_of(-(Wide{100} << weight_bits), 20.5, 1'000'000);
  EXPECT_EQ(missed.high, 0);
}

}  // namespace
}  // namespace vernier::series
