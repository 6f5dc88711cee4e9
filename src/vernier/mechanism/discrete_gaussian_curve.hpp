#pragma once

#include <optional>

#include "vernier/core/result.hpp"
#include "vernier/core/types.hpp"
#include "vernier/numeric/ball.hpp"
#include "vernier/privacy/parameters.hpp"

// The exact privacy of discrete Gaussian noise at one point. With t = epsilon s^2 / D - D / 2 and k = floor(t) + 1,
//     delta = P[X >= k] - e^epsilon P[X >= k + D]
// (discrete_gaussian.md). Plain doubles with a proven error where they suffice, balls where they do not.
namespace vernier::mechanism {

// Noise of this scale on a statistic of this sensitivity, asked at this epsilon. Unlike the parameters of a request,
// epsilon may be any number from 0 on: the search for the least one passes through them.
struct DiscreteGaussianPoint {
  double scale;        // as noise::DiscreteGaussian takes it
  double sensitivity;  // whole, from 1 to 2^53
  double epsilon;      // finite, at least 0
};

// At most 1e-12 apart relatively; where delta is below the least positive double, 0 and that.
Bounds delta_at(const DiscreteGaussianPoint& at);

// delta <= target, decided with as many bits as it takes. A tie that 4096 bits do not resolve counts as above.
bool delta_is_at_most(const DiscreteGaussianPoint& at, double target);

// About ln(delta), without a certificate: a guide for searches. It goes on where delta is below all doubles.
double estimated_log_delta(const DiscreteGaussianPoint& at);

// The two ways: doubles, none where their error would exceed 4e-13; and balls, as tight as the precision asks. The ball
// is none where delta is certainly below the least positive double.
std::optional<Bounds> fast_delta(const DiscreteGaussianPoint& at);
struct DeltaWithSlope {
  numeric::Ball value;
  numeric::Ball fall;  // -d delta / d epsilon = e^epsilon P[X >= k + D]
};
std::optional<DeltaWithSlope> delta_with_slope(const DiscreteGaussianPoint& at, numeric::Precision precision);

// The least epsilon with delta(epsilon) <= delta of discrete Gaussian noise, 0 included: certified from both sides, at
// most 1e-12 apart relatively. For delta > 0.
Bounds least_discrete_gaussian_epsilon(double scale, privacy::IntegerSensitivity sensitivity, double delta);

// A scale, rounded up, at which the budget certainly holds, and 1e-12 below which it certainly does not. delta is not
// monotone in the scale: this one is meant to be the last such place, from which on every larger scale satisfies the
// budget too. That is proven from a formula's scale on, and was observed between (discrete_gaussian.md). For delta > 0.
Result<double> least_discrete_gaussian_scale(privacy::Epsilon epsilon, privacy::Delta delta,
                                             privacy::IntegerSensitivity sensitivity);

}  // namespace vernier::mechanism
