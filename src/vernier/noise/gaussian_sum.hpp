#pragma once

#include <cstdint>
#include <optional>

#include "vernier/numeric/ball.hpp"

// Sums of exp(-x^2 / (2 s^2)) over integers x, for any finite s > 0, each with a relative error of about 2^-precision
// that the ball includes, in a time that does not grow with s. discrete_gaussian.md has the proofs.
namespace vernier::noise {

// exp(-x^2 / (2 s^2))
numeric::Ball gaussian_weight(double s, const numeric::Ball& x);

// Over all integers.
numeric::Ball gaussian_total(double s, numeric::Precision precision);

// The mean of x^2 under these weights.
numeric::Ball gaussian_second_moment(double s, numeric::Precision precision);

// Over x > m, for m >= 0.
numeric::Ball gaussian_upper_sum(double s, std::int64_t m, numeric::Precision precision);

// The two ways to the upper sum. The expansion says none where its proven error would exceed 2^-precision relatively;
// term by term always works, but the number of terms grows with s while m is below s^2.
std::optional<numeric::Ball> upper_sum_by_expansion(double s, std::int64_t m, numeric::Precision precision);
numeric::Ball upper_sum_by_terms(double s, std::int64_t m, numeric::Precision precision);

}  // namespace vernier::noise
