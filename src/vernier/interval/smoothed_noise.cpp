#include "vernier/interval/smoothed_noise.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "vernier/numeric/mills.hpp"
#include "vernier/numeric/normal_quantile.hpp"

namespace vernier::interval {
namespace {

constexpr double raised = 1 + 0x1p-40;    // pays for the roundings of scales and coefficients
constexpr double tail_raised = 1 + 1e-8;  // for those of a tail; the page counts 3e-9
constexpr double apart = 1 + 1e-4;        // coefficients are raised until they differ by this factor
constexpr double all_apart = 1.1;         // and the largest from the least by this one
constexpr double greatest_exponent = 700;
constexpr double negligible = 1e-7;  // a deviation below this part of the largest Laplace scale
constexpr double inverse_sqrt_two_pi = 0.3989422804014327;

// P[abs(N(0, 1) + Y / u) > x] for x >= 0, Y of the Laplace law with scale 1: with x and u in units of the normal one's
// deviation, phi(x) (2 M(x) + M(u - x) - M(u + x)), M the Mills ratio.
double one_outside(double u, double x) {
  const double density = inverse_sqrt_two_pi * std::exp(-std::min(x * x / 2, greatest_exponent));
  const double inner = density * (2 * numeric::mills(x) - numeric::mills(u + x));
  if (u >= x) return inner + density * numeric::mills(u - x);
  const double v = x - u;
  const double below = v > 38 ? 0 : inverse_sqrt_two_pi * std::exp(-v * v / 2) * numeric::mills(v);
  return inner + std::exp(-std::min(u * (x - u / 2), greatest_exponent)) * (1 - below);
}

// The same of two Laplace variables from those of each one.
double joined(double b, double of_b, double d, double of_d) { return (b * b * of_b - d * d * of_d) / (b * b - d * d); }

// Descending, each above the next one by the factor at least, none smaller than before.
Coefficients set_apart(Coefficients b) {
  std::ranges::sort(b, std::greater<>());
  b[1] = std::max(b[1], b[2] * apart);
  b[0] = std::max({b[0], b[1] * apart, b[2] * all_apart});
  return b;
}

double normal_point(const noise::Geometric&, double) { return 0; }
double normal_point(const noise::DiscreteGaussian&, double rare) {
  return numeric::normal_upper_point(std::log(std::min(rare / 2, 0.5))) * raised;
}

bool is_rare(const noise::Geometric& law, double rare, double, double variance, const Coefficients& sizes, double t) {
  const double scale = law.scale();
  return laplace_and_normal_outside(variance / (scale * scale), sizes, t / scale) <= rare;
}
bool is_rare(const noise::DiscreteGaussian& law, double, double point, double variance, const Coefficients& sizes,
             double t) {
  const double norm = sizes[0] * sizes[0] + sizes[1] * sizes[1] + sizes[2] * sizes[2];
  return t >= point * std::sqrt(variance + norm * law.scale() * law.scale()) * raised;
}

}  // namespace

double laplace_and_normal_outside(double variance, const Coefficients& sizes, double t) {
  const Coefficients b = set_apart(sizes);
  const double deviation = std::sqrt(variance) * raised;
  if (deviation <= negligible * b[0]) return laplace_combination_outside(b, std::max(t - 40 * deviation, 0.0));
  const double x = t / deviation;
  std::array<double, most_nodes> of{};
  for (std::size_t i = 0; i < of.size() && b[i] > 0; ++i) of[i] = one_outside(deviation / b[i], x);
  if (b[0] == 0) return 2 * inverse_sqrt_two_pi * std::exp(-std::min(x * x / 2, greatest_exponent)) * numeric::mills(x);
  if (b[1] == 0) return of[0] * tail_raised;
  const double two = joined(b[0], of[0], b[1], of[1]);
  if (b[2] == 0) return two * tail_raised;
  return joined(b[0], two, b[2], joined(b[1], of[1], b[2], of[2])) * tail_raised;
}

template <class Law>
SmoothedNoise<Law> SmoothedNoise<Law>::of(const Law& law, Probability rare) {
  return SmoothedNoise(law, rare.value(), normal_point(law, rare.value()));
}

template <class Law>
bool SmoothedNoise<Law>::rarely_reaches(double variance, const Coefficients& sizes, double t) const {
  const double steps = (sizes[0] + sizes[1] + sizes[2]) * raised;
  const double left = (t - steps) / raised;
  return left > 0 && is_rare(law_, rare_, point_, variance, sizes, left);
}

template <class Law>
double SmoothedNoise<Law>::reach(double variance, const Coefficients& sizes) const {
  double least = 0, greatest = std::sqrt(variance) + law_.scale();
  while (!rarely_reaches(variance, sizes, greatest) && greatest < 1e200) least = greatest, greatest *= 2;
  for (int step = 0; step < 16; ++step) {
    const double middle = (least + greatest) / 2;
    (rarely_reaches(variance, sizes, middle) ? greatest : least) = middle;
  }
  return greatest;
}

template class SmoothedNoise<noise::Geometric>;
template class SmoothedNoise<noise::DiscreteGaussian>;

}  // namespace vernier::interval
