#include <algorithm>
#include <cmath>
#include <optional>

#include "vernier/accuracy/accuracy.hpp"
#include "vernier/accuracy/laws.hpp"
#include "vernier/accuracy/questions.hpp"
#include "vernier/core/text.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::accuracy {
namespace {

using noise::Geometric;
using numeric::Ball;
using numeric::Precision;

constexpr double least = Domain<Geometric>::least, greatest = Domain<Geometric>::greatest;

// a = scale (ln(2 / alpha) - ln(1 + q)); no step loses more than the last one, where the two logarithms are never
// nearer than ln(1 / 0.999).
double point_up(double scale, double alpha) {
  using namespace numeric;
  const double q = exp_down(divide_down(-1, scale));
  return multiply_up(scale, subtract_up(log_up(divide_up(2, alpha)), log1p_down(q)));
}
double point_down(double scale, double alpha) {
  using namespace numeric;
  const double q = exp_up(divide_up(-1, scale));
  return multiply_down(scale, subtract_down(log_down(divide_down(2, alpha)), log1p_up(q)));
}

Ball point(double scale, double alpha, Precision precision) {
  const Ball s = Ball::of(scale, precision), one = Ball::of(1, precision);
  const Ball q = exp(-(one / s));
  return s * (log(Ball::of(2, precision) / Ball::of(alpha, precision)) - log1p(q));
}

// Is the point at most the one wanted? It grows with the scale: its derivative is ln(2 / alpha) less the entropy of a
// choice with odds q, which is at most ln 2. Searches go upward, so the scale comes with its sign turned.
struct AtMost {
  double wanted;
  double alpha;
  std::optional<bool> by_doubles(double minus_scale) const {
    if (point_up(-minus_scale, alpha) <= wanted) return true;
    if (point_down(-minus_scale, alpha) > wanted) return false;
    return std::nullopt;
  }
  std::optional<bool> by_balls(double minus_scale, Precision precision) const {
    const std::optional<bool> exceeds = less(Ball::of(wanted, precision), point(-minus_scale, alpha, precision));
    if (!exceeds) return std::nullopt;
    return !*exceeds;
  }
};

// Newton's method on a convex function, from above: a handful of steps, and any number of them is only a guess.
double scale_about(double wanted, double alpha) {
  const double both = std::log(2 / alpha);
  double scale = wanted / std::log(1 / alpha);
  for (int step = 0; step < 8; ++step) {
    const double q = std::exp(-1 / scale);
    const double excess = scale * (both - std::log1p(q)) - wanted;
    const double slope = both - std::log1p(q) - q / (scale * (1 + q));
    const double next = std::clamp(scale - excess / slope, scale / 4, scale * 4);
    if (std::abs(next - scale) <= 1e-15 * scale) break;
    scale = next;
  }
  return scale;
}

Failure no_such_scale(Accuracy accuracy, Alpha alpha, const char* end, double limit, const char* advice) {
  return invalid("accuracy " + shortest(accuracy.value()) + " at alpha " + shortest(alpha.value()) + " needs a scale " +
                     end + " " + shortest(limit),
                 std::string("ask for a ") + advice + " accuracy");
}

}  // namespace

Result<double> between(const Geometric& law, Alpha alpha) { return point_up(law.scale(), alpha.value()); }

Result<Geometric> geometric_between(Accuracy accuracy, Alpha alpha) {
  const double wanted = accuracy.value();
  if (wanted == 0) {
    return invalid("accuracy 0 would mean that P[abs(noise) >= 0], which is 1, is small",
                   "ask for an accuracy above 0");
  }
  const double guess = std::clamp(scale_about(wanted, alpha.value()), least, greatest);
  const Result<double> found = least_real(AtMost{wanted, alpha.value()}, -guess, {-greatest, -least});
  if (!found) return no_such_scale(accuracy, alpha, "below", least, "larger");
  if (-*found == greatest) return no_such_scale(accuracy, alpha, "above", greatest, "smaller");
  return law_at<Geometric>(-*found);
}

}  // namespace vernier::accuracy
