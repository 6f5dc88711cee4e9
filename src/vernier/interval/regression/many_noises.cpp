#include "vernier/interval/regression/many_noises.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "vernier/interval/noise/combined_noise.hpp"
#include "vernier/numeric/normal.hpp"

namespace vernier::interval {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double raised = 1 + 0x1p-40;  // pays for the roundings of sizes, scales and distances
constexpr double part = 0x1p-12;        // of the level, for what the series leaves out
constexpr double rounding = 0x1p-38;    // of the series; regression.md counts it
constexpr std::size_t most_terms = 4096;
constexpr std::array tilts{0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95};

double sum_of(std::span<const double> sizes) { return std::accumulate(sizes.begin(), sizes.end(), 0.0); }
double greatest_of(std::span<const double> sizes) {
  return sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
}
double norm_of(std::span<const double> sizes) {
  return std::sqrt(std::inner_product(sizes.begin(), sizes.end(), sizes.begin(), 0.0)) * raised;
}

// Sums of second and fourth powers, of sizes over the greatest.
struct Powers {
  double second = 0, fourth = 0;

  Powers(std::span<const double> sizes, double greatest) {
    for (const double size : sizes) {
      const double square = (size / greatest) * (size / greatest);
      second += square, fourth += square * square;
    }
  }
  // At least the logarithm of E exp(tilt S): -log(1 - x) <= x + x^2 / (2 (1 - x)).
  double log_moment(double tilt) const {
    const double f = tilt * tilt;
    return (f * second + f * f * fourth / (2 * (1 - f))) * raised;
  }
};

// In units of the greatest size: P[abs(S) > x] <= 2 exp(-tilt x) E exp(tilt S).
double chernoff_point(const Powers& powers, double level) {
  double least = HUGE_VAL;
  for (const double tilt : tilts) least = std::min(least, (std::log(2 / level) + powers.log_moment(tilt)) / tilt);
  return least * raised;
}
double chernoff_tail(const Powers& powers, double x) {
  double least = 0;
  for (const double tilt : tilts) least = std::min(least, std::log(2.0) - tilt * x + powers.log_moment(tilt));
  return std::min(std::exp(least) * raised, 1.0);
}

double normal_point(double alpha) {
  double z = numeric::normal_upper_point(std::log(std::min(alpha / 2, 0.5)));
  for (double step = 1e-14; normal_combination_outside({1, 0, 0}, z) > alpha; step *= 2) z += step;
  return z;
}

}  // namespace

LaplaceTail::LaplaceTail(std::span<const double> sizes, double level) : greatest_(greatest_of(sizes)) {
  if (greatest_ > 0) tabulate(sizes, level);
}

// The midpoint series of the characteristic function, Π 1 / (1 + b^2 s^2) (Davies 1973).
void LaplaceTail::tabulate(std::span<const double> sizes, double level) {
  const Powers powers(sizes, greatest_);
  const double far = chernoff_point(powers, level);
  far_ = far * greatest_;
  step_ = 2 * pi / (far + chernoff_point(powers, part * level));
  std::vector<double> squares(sizes.begin(), sizes.end());
  for (double& size : squares) size = (size / greatest_) * (size / greatest_);
  for (std::size_t k = 0; k < most_terms; ++k) {
    const double half = static_cast<double>(k) + 0.5, s = half * step_;
    double inverse = 1;
    for (const double square : squares) inverse *= 1 + square * s * s;
    const double left_out = (1 + 1 / (s * s)) / inverse / pi * (0.5 + 1 / half);
    charge_ = 2 * (left_out + part * level + rounding);
    if (left_out <= part * level) break;
    weights_.push_back(1 / (inverse * pi * half));
  }
  if (charge_ > level / 64) weights_.clear();
}

double LaplaceTail::outside(double t) const {
  if (!(greatest_ > 0)) return 0;
  if (t >= far_ || weights_.empty()) return 1;
  double sum = 0;
  const double x = t / greatest_ * step_;
  for (std::size_t k = 0; k < weights_.size(); ++k) sum += weights_[k] * std::sin((static_cast<double>(k) + 0.5) * x);
  return std::clamp(1 - 2 * sum + charge_, 0.0, 1.0);
}

ManyNoises ManyNoises::of(const PairLaw& law, std::int64_t weight, Alpha alpha) {
  const double parts = 1 / static_cast<double>(weight);
  ManyNoises noise;
  noise.is_normal_ = law.is_normal;
  noise.alpha_ = alpha.value();
  noise.scale_ = law.scale * parts * raised;
  noise.step_ = parts * raised;
  noise.point_ = law.is_normal ? normal_point(alpha.value()) : 0;
  noise.variance_ = law.variance() * parts * parts;
  return noise;
}

// A draw of the integer law is at most a step away from one over the reals.
double ManyNoises::steps_of(std::span<const double> sizes) const { return step_ * sum_of(sizes) * raised; }

double ManyNoises::quick_reach(std::span<const double> sizes) const {
  const double greatest = greatest_of(sizes);
  if (!(greatest > 0)) return 0;
  const double reach =
      is_normal_ ? point_ * norm_of(sizes) : chernoff_point(Powers(sizes, greatest), alpha_) * greatest;
  return (reach * scale_ + steps_of(sizes)) * raised;
}

bool ManyNoises::rarely_reaches(std::span<const double> sizes, double t) const {
  const double x = (t / raised - steps_of(sizes)) / scale_ / raised;
  if (!(x > 0)) return false;
  const double norm = norm_of(sizes), greatest = greatest_of(sizes);
  if (is_normal_) return x >= point_ * norm;
  if (x <= norm) return false;  // within a deviation or less
  if (chernoff_tail(Powers(sizes, greatest), x / greatest) <= alpha_) return true;
  return LaplaceTail(sizes, alpha_).outside(x) <= alpha_;
}

double ManyNoises::reach(std::span<const double> sizes) const {
  if (is_normal_ || !(greatest_of(sizes) > 0)) return quick_reach(sizes);
  const LaplaceTail tail(sizes, alpha_);
  double least = 0, greatest = tail.far();
  for (int step = 0; step < 17; ++step) {
    const double middle = (least + greatest) / 2;
    (tail.outside(middle) <= alpha_ ? greatest : least) = middle;
  }
  return (greatest * scale_ + steps_of(sizes)) * raised * raised;
}

}  // namespace vernier::interval
