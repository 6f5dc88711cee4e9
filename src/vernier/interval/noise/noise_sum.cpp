#include "vernier/interval/noise/noise_sum.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/noise/gaussian.hpp"

namespace vernier::interval {
namespace {

constexpr double raised = 1 + 1e-9;            // the page counts 2e-10 of rounding
constexpr double greatest_summed_scale = 200;  // above, the lattice is fine enough for the law over the reals
constexpr std::int64_t greatest_summed_count = 128;
constexpr double left_beyond = 1e-60;
constexpr double greatest_exponent = 700;
constexpr std::int64_t greatest_reach = std::int64_t{1} << 62;

// P[Poisson(mean) <= i] for i = 0, ..., count - 1.
std::vector<double> poisson_cumulative(double mean, std::int64_t count) {
  std::vector<double> cumulative;
  double mass = std::exp(-mean), sum = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    if (i > 0) mass *= mean / static_cast<double>(i);
    sum += mass;
    cumulative.push_back(std::min(sum, 1.0));
  }
  return cumulative;
}

template <class Sum>
std::int64_t reach_of(const Sum& sum, double p) {
  std::int64_t enough = 1;
  while (sum.tail(enough) > p && enough < greatest_reach) enough *= 2;
  std::int64_t little = enough / 2;
  while (enough - little > 1) {
    const std::int64_t middle = little + (enough - little) / 2;
    (sum.tail(middle) <= p ? enough : little) = middle;
  }
  return enough;
}

}  // namespace

GeometricSum::GeometricSum(const noise::Geometric& law, std::int64_t count) : scale_(law.scale()), count_(count) {
  if (scale_ > greatest_summed_scale || count > greatest_summed_count) return;
  const double q = std::exp(-1 / scale_), n = static_cast<double>(count);
  double mass = std::pow(-std::expm1(-1 / scale_), n);
  for (double m = 0;; ++m) {
    masses_.push_back(mass);
    const double ratio = q * (m + n) / (m + 1);  // of the next mass to this one; it falls with m
    if (ratio < 1 && mass * ratio / (1 - ratio) <= left_beyond) break;
    mass *= ratio;
  }
  beyond_ = left_beyond;
  from_.assign(masses_.size(), 0);
  double sum = beyond_;
  for (std::size_t m = masses_.size(); m-- > 0;) from_[m] = sum += masses_[m];
}

double GeometricSum::tail(std::int64_t t) const {
  if (count_ == 0) return 0;
  if (masses_.empty()) return tail_by_reals(t);
  const auto first = static_cast<std::size_t>(t);
  double sum = 2 * beyond_;
  for (std::size_t m = 0; first + m < masses_.size(); ++m) sum += masses_[m] * from_[first + m];
  return std::min(sum * raised, 1.0);
}

// P[Laplace sum >= t - count], and that is the chance that fewer than `count` arrivals come in a time of Poisson
// arrivals that lasts until as many others have come, and t - count longer.
double GeometricSum::tail_by_reals(std::int64_t t) const {
  if (t <= count_) return 1;
  const double mean = std::min(static_cast<double>(t - count_) / scale_, greatest_exponent);
  const std::vector<double> cumulative = poisson_cumulative(mean, count_);
  double mass = std::pow(0.5, static_cast<double>(count_)), sum = 0;
  for (std::int64_t k = 0; k < count_; ++k) {
    sum += mass * cumulative[static_cast<std::size_t>(count_ - 1 - k)];
    mass *= 0.5 * static_cast<double>(k + count_) / static_cast<double>(k + 1);
  }
  return std::min(sum * raised, 1.0);
}

DiscreteGaussianSum::DiscreteGaussianSum(const noise::DiscreteGaussian& law, std::int64_t count)
    : scale_(law.scale()), count_(count) {}

double DiscreteGaussianSum::tail(std::int64_t t) const {
  if (count_ == 0) return 0;
  const double sigma = scale_ * std::sqrt(static_cast<double>(count_)) * raised;
  const double steps = static_cast<double>(t) / sigma;
  const double by_moments = std::exp(-std::min(steps * steps / 2, greatest_exponent)) * raised;
  if (t <= count_) return std::min(by_moments, 1.0);
  const double above = std::min(static_cast<double>(t - count_) / sigma, 37.0);
  const double by_reals = noise::Gaussian::of(*Sigma::of(1)).outside(*Real::of(above)).upper / 2 * raised;
  return std::min({by_moments, by_reals, 1.0});
}

std::int64_t sum_reach(const noise::Geometric& law, std::int64_t count, Probability p) {
  return reach_of(GeometricSum(law, count), p.value());
}

std::int64_t sum_reach(const noise::DiscreteGaussian& law, std::int64_t count, Probability p) {
  return reach_of(DiscreteGaussianSum(law, count), p.value());
}

}  // namespace vernier::interval
