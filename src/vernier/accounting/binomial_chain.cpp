#include "vernier/accounting/binomial_chain.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/numeric/ball.hpp"

namespace vernier::accounting {
namespace {

// Within u^2 relatively.
numeric::DoubleDouble exponential(double x) {
  constexpr numeric::Precision precision{160};
  const numeric::Ball value = exp(numeric::Ball::of(x, precision));
  const double head = value.nearest();
  if (!std::isfinite(head)) return {head, 0};
  return {head, (value - numeric::Ball::of(head, precision)).nearest()};
}

}  // namespace

BinomialChain::BinomialChain(double epsilon, double n)
    : n_(n),
      mode_(std::min(n, std::floor((n + 1) / (1 + std::exp(-epsilon))))),
      odds_(exponential(epsilon)),
      inverse_odds_(exponential(-epsilon)) {}

}  // namespace vernier::accounting
