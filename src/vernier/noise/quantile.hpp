#pragma once

#include <cstdint>
#include <functional>

#include "vernier/core/types.hpp"
#include "vernier/numeric/ball.hpp"

// Quantiles of laws that are symmetric around 0, from their tails alone. quantile.md has the reasons.
namespace vernier::noise {

// About where P[X > x] = t, for 0 < t <= 1/2. Only speed depends on it.
using UpperPoint = std::function<double(double t)>;

// P[X > x] of an integer law, as tight as the precision asks.
using IntegerTail = std::function<numeric::Ball(std::int64_t x, numeric::Precision)>;

// The least integer x with P[X <= x] >= p, exactly: every comparison is decided with certainty, with up to 4096 bits;
// one that is still open then is an error (exhausted), never a guess. Needs 0 < p < 1.
Result<std::int64_t> integer_quantile(Probability p, const UpperPoint& guess, const IntegerTail& tail);

// The least integer a >= 0 with P[abs(X) > a] <= tau, as exactly. Needs 0 < tau.
Result<std::int64_t> integer_two_sided_quantile(Probability tau, const UpperPoint& guess, const IntegerTail& tail);

// P[X > x] of a law over the reals, as tight as the precision asks.
using RealTail = std::function<numeric::Ball(Real x, numeric::Precision)>;

// The least double x with P[X <= x] >= p certainly. Needs 0 < p < 1.
Result<Real> real_quantile(Probability p, const UpperPoint& guess, const RealTail& tail);

// What a two-sided quantile says at probability 0.
Failure no_two_sided_quantile();

}  // namespace vernier::noise
