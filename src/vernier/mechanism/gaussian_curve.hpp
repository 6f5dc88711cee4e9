#pragma once

#include <optional>

#include "vernier/core/types.hpp"
#include "vernier/numeric/ball.hpp"
#include "vernier/privacy/parameters.hpp"
#include "vernier/privacy/privacy_curve.hpp"

// delta of Gaussian noise at epsilon, in plain doubles with a proven error and in balls. With a = sensitivity / 2
// sigma, b = epsilon sigma / sensitivity, M the Mills ratio and G = -M' (Balle and Wang 2018, Theorem 8; e^epsilon is
// gone, since epsilon = 2ab):
//     delta = phi(b - a) D,    D = M(b - a) - M(b + a) = the integral of G over [b - a, b + a]
namespace vernier::mechanism {

// The doubles that delta depends on, exactly: epsilon >= 0, the others positive.
struct GaussianPoint {
  double epsilon;
  double sigma;
  double sensitivity;

  double a() const { return sensitivity / sigma / 2; }        // relative error at most 1 unit roundoff
  double b() const { return epsilon * sigma / sensitivity; }  // at most 2
};

struct LogDelta {
  double value;
  double error;  // abs(value - ln delta) <= error, also for a and b with the errors above; gaussian.md has the proof
  double mean_slope;  // the mean of G over [b - a, b + a]; 1 / mean_slope is d ln delta / d ln a at fixed epsilon
};

// None where plain doubles do not do: b - a below -1 (delta near 1) or above 64 (below any double), or an error above
// 2^-10.
std::optional<LogDelta> log_delta(double a, double b);

// d^2 ln delta / (d ln a)^2 at fixed epsilon, roughly: only the speed of a search depends on it.
double log_delta_curvature(double a, double b, double mean_slope);

// For the exact doubles of the point.
struct DeltaBalls {
  numeric::Ball delta;
  numeric::Ball fall;  // -d delta / d epsilon at fixed sigma: e^epsilon Q(b + a)
};
DeltaBalls gaussian_delta_and_fall(const GaussianPoint& point, numeric::Precision precision);
numeric::Ball gaussian_delta(const GaussianPoint& point, numeric::Precision precision);

// True only if delta at the point is certainly at most the one given: decided in doubles, or in balls where these leave
// it open.
bool certainly_within(const GaussianPoint& point, double delta);
bool certainly_within_by_balls(const GaussianPoint& point, double delta);

// The bounds of ln(delta) for an exact double, as libm's logarithm gives them.
double lower_log(double delta);
double upper_log(double delta);

// The least epsilon of Gaussian noise at a delta above 0, from both sides; gaussian.md has the proof.

// In plain doubles where they do, else by balls.
Result<Bounds> gaussian_epsilon(double sigma, double sensitivity, double delta);

// By balls alone, from any guess that is not negative.
Result<Bounds> gaussian_epsilon_by_balls(double sigma, double sensitivity, double delta, double guess);

// The privacy curve of Gaussian noise, certified from both sides; gaussian.md has the proof.
class GaussianCurve {
 public:
  GaussianCurve(Sigma sigma, privacy::L2Sensitivity sensitivity)
      : sigma_(sigma.value()), sensitivity_(sensitivity.value()) {}

  Bounds delta(privacy::Epsilon epsilon) const;
  // 0 where delta at epsilon 0 is small enough already; an error for delta 0, and for an epsilon beyond all doubles.
  Result<Bounds> epsilon(privacy::Delta delta) const;

 private:
  double sigma_;
  double sensitivity_;
};

// The scales that the three calibrations give for a budget, rounded up. gaussian.md has the reasons.

// The least sigma that is (epsilon, delta)-private, at most 1e-12 above it, certified at the very double returned.
// Needs delta above 0.
Result<Sigma> analytic_sigma(privacy::Epsilon epsilon, privacy::Delta delta, privacy::L2Sensitivity sensitivity);

// The same from any guess at all, by balls alone: the least double that certainly is private. Slow (milliseconds).
Result<Sigma> analytic_sigma_by_balls(privacy::Epsilon epsilon, privacy::Delta delta,
                                      privacy::L2Sensitivity sensitivity, double guess);

// sensitivity / epsilon times c, where c^2 = 2 ln(1.25 / delta), or 2 ln(sqrt(2 / pi) / delta) + 8/9 before Dwork and
// Roth round it up to the former. Their proof needs epsilon < 1; the caller sees to it.
Result<Sigma> classical_sigma(privacy::Epsilon epsilon, privacy::Delta delta, privacy::L2Sensitivity sensitivity);
Result<Sigma> dwork_roth_sigma(privacy::Epsilon epsilon, privacy::Delta delta, privacy::L2Sensitivity sensitivity);

}  // namespace vernier::mechanism
