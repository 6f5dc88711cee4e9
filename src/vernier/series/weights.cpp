#include "vernier/series/weights.hpp"

#include <algorithm>
#include <cmath>

namespace vernier::series {
namespace {

constexpr double raised = 1 + 0x1p-40;

// To the nearest, halves up.
std::int64_t nearest_quotient(std::int64_t a, std::int64_t b) {
  const std::int64_t twice = 2 * a + b;
  const std::int64_t quotient = twice / (2 * b);
  return twice % (2 * b) < 0 ? quotient - 1 : quotient;
}

double length_of(std::span<const std::int64_t> weights) {
  double square = 0;
  for (const std::int64_t one : weights) square += static_cast<double>(one) * static_cast<double>(one);
  return std::ldexp(std::sqrt(square), -weight_bits) * raised;
}

// Of a Toeplitz matrix: the weight of the number that lies so many steps back, in a question that asks for steps by how
// far back they lie.
std::vector<std::int64_t> backward_weights(const Strategy& strategy, const std::vector<std::int64_t>& factors) {
  std::vector<std::int64_t> back(factors.rbegin(), factors.rend());
  std::vector<std::int64_t> weights(back.size());
  const auto column = strategy.below(0);
  for (std::size_t k = 0; k < back.size(); ++k) {
    std::uint64_t left = static_cast<std::uint64_t>(back[k]) << weight_bits;  // modulo 2^64: what remains is small
    for (std::size_t i = 0; i < k; ++i)
      left -= static_cast<std::uint64_t>(weights[i]) * static_cast<std::uint64_t>(column[k - i]);
    weights[k] = nearest_quotient(static_cast<std::int64_t>(left), column[0]);
  }
  return weights;
}

// Modulo 2^128: sums on the way may leave it, the answer does not.
template <class Whole>
Wide sum_of(const Weights& weights, std::size_t step, std::span<const Whole> noisy) {
  Square sum = 0;
  for (std::size_t i = 0; i <= step; ++i)
    sum += static_cast<Square>(Wide{weights.at(step, i)}) * static_cast<Square>(Wide{noisy[i]});
  return static_cast<Wide>(sum);
}

}  // namespace

Question Question::of(Kind kind, std::size_t step, std::size_t last) {
  Question question{std::vector<std::int64_t>(step + 1, kind == Kind::cumulative ? 1 : 0), 0};
  if (kind == Kind::cumulative) return question;
  const std::size_t back = kind == Kind::each ? 1 : std::min(last, step + 1);
  std::fill(question.factors.end() - static_cast<std::ptrdiff_t>(back), question.factors.end(), 1);
  return question;
}

Question Question::decayed(std::size_t step, double half_life) {
  constexpr int bits = 8;
  Question question{{}, bits};
  for (std::size_t i = 0; i <= step; ++i)
    question.factors.push_back(std::llround(std::ldexp(std::exp2(-static_cast<double>(step - i) / half_life), bits)));
  return question;
}

// From the last step back: what the weights of later numbers give to a step is taken off, and the rest is divided by
// the diagonal, so that each step is off by half of the diagonal at most.
std::vector<std::int64_t> weights_of(const Strategy& strategy, const Question& question) {
  std::vector<std::int64_t> weights(question.factors.size());
  for (std::size_t j = weights.size(); j-- > 0;) {
    std::uint64_t left = static_cast<std::uint64_t>(question.factors[j]) << weight_bits;
    const auto column = strategy.below(j);
    for (std::size_t t = j + 1; t < weights.size(); ++t)
      left -= static_cast<std::uint64_t>(weights[t]) * static_cast<std::uint64_t>(column[t - j]);
    weights[j] = nearest_quotient(static_cast<std::int64_t>(left), column[0]);
  }
  return weights;
}

double bias_of(const Strategy& strategy) {
  std::int64_t greatest = 0;
  for (std::size_t j = 0; j < strategy.steps(); ++j) greatest = std::max(greatest, strategy.at(j, j));
  return std::ldexp(static_cast<double>(greatest), -weight_bits - 1);
}

Weights::Weights(const Strategy& strategy, Kind kind, std::size_t last) {
  const std::size_t steps = strategy.steps();
  if (strategy.is_toeplitz()) {
    lists_.push_back(backward_weights(strategy, Question::of(kind, steps - 1, last).factors));
    for (std::size_t t = 0; t < steps; ++t) lengths_.push_back(length_of(std::span(lists_.front()).first(t + 1)));
    return;
  }
  for (std::size_t t = 0; t < steps; ++t) {
    lists_.push_back(weights_of(strategy, Question::of(kind, t, last)));
    lengths_.push_back(length_of(lists_.back()));
  }
}

double Weights::greatest_length() const { return std::ranges::max(lengths_); }

double Weights::mean_square() const {
  double sum = 0;
  for (const double one : lengths_) sum += one * one;
  return sum / static_cast<double>(lengths_.size());
}

Wide numerator_of(const Weights& weights, std::size_t step, std::span<const std::int64_t> noisy) {
  return sum_of(weights, step, noisy);
}

Wide numerator_of(const Weights& weights, std::size_t step, std::span<const Wide> noisy) {
  return sum_of(weights, step, noisy);
}

Number number_of(Wide numerator, double reach, std::int64_t row_limit, double parts) {
  constexpr double of_rounding = 0x1p-48;  // of the estimate, and of the reach
  const double estimate = std::ldexp(static_cast<double>(numerator), -weight_bits) / parts;
  const double far = reach + (std::abs(estimate) + reach) * of_rounding;
  const auto most = static_cast<double>(row_limit);
  double low = std::max(std::ceil(estimate - far), 0.0), high = std::min(std::floor(estimate + far), most);
  const double value = std::clamp(std::round(estimate), 0.0, most);
  if (low > high) low = high = value;  // the count was missed: no whole number that can be is so near
  return {estimate, static_cast<std::int64_t>(std::clamp(value, low, high)), static_cast<std::int64_t>(low),
          static_cast<std::int64_t>(high)};
}

}  // namespace vernier::series
