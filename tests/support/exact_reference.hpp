#pragma once

#include <functional>
#include <vector>

#include "vernier/core/types.hpp"
#include "vernier/numeric/ball.hpp"

// The exact delta of compositions that have a closed form, in balls: the referee of the account, with which it shares
// no formula.
namespace vernier::test {

// The exact delta at an epsilon lies in the bounds. References of what is exact are wide by less than 1e-12.
using Reference = std::function<Bounds(double epsilon)>;

// delta in a ball at an epsilon, prepared with so many digits.
using BallCurve = std::function<numeric::Ball(double epsilon)>;

// With more and more digits, from 256 bits on, until the bounds are close.
Reference refined(std::function<BallCurve(numeric::Precision)> prepare);

// The larger of the two directions.
Reference larger(Reference remove, Reference add);

struct GaussianTerm {
  double scale;
  double sensitivity;
  double times;
};

// Gaussians compose to one with mu^2 = sum of (sensitivity / scale)^2; Balle and Wang 2018, Theorem 8.
Reference exact_gaussians(std::vector<GaussianTerm> terms);

enum class Side : std::uint8_t { remove, add };

// The odds e^loss : 1 of a response, loss = numerator / denominator, answered on a Poisson sample.
struct Response {
  double numerator;
  double denominator;
  double rate = 1;
  double failure = 0;  // the chance that everything is shown; only with rate 1
};

// So many equal responses: a binomial sum, term by term from the threshold on.
Reference exact_equal_responses(const Response& response, long times, Side side = Side::remove);

// One release of Gaussian or Laplace noise, on a Poisson sample, in the worse direction.
Reference exact_sampled_gaussian(double scale, double sensitivity, double rate);
Reference exact_sampled_laplace(double scale, double sensitivity, double rate);

}  // namespace vernier::test
