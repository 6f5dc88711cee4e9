#include "vernier/interval/relation/pair_noise.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "vernier/interval/noise/combined_noise.hpp"
#include "vernier/numeric/normal.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::interval {
namespace {

constexpr double u = numeric::unit_roundoff;
constexpr double raised = 1 + 0x1p-44;          // pays for the roundings of sizes, scales and distances
constexpr double term_error = 100 * u;          // of a weight times its exponential; relation.md counts 90
constexpr double negligible = 0x1p-30;          // of the largest size: raised to it
constexpr double part_for_roundings = 0x1p-12;  // of alpha
constexpr std::array apart{1.0005, 1.001, 1.002, 1.004, 1.007, 1.01, 1.015, 1.02, 1.03, 1.05, 1.1};

double sum_of(const PairSizes& sizes) { return std::accumulate(sizes.begin(), sizes.end(), 0.0); }

double norm_of(const PairSizes& sizes) {
  return std::sqrt(std::inner_product(sizes.begin(), sizes.end(), sizes.begin(), 0.0)) * raised;
}

// A z with P[abs(Z) > z] <= alpha for certain.
double normal_point(double alpha) {
  double z = numeric::normal_upper_point(std::log(std::min(alpha / 2, 0.5)));
  for (double step = 1e-14; normal_combination_outside({1, 0, 0}, z) > alpha; step *= 2) z += step;
  return z;
}

}  // namespace

PairLaw pair_law(const noise::Geometric& law) { return {false, law.scale()}; }
PairLaw pair_law(const noise::DiscreteGaussian& law) { return {true, law.scale()}; }

LaplaceMixture::LaplaceMixture(const PairSizes& sizes, double error) : sizes_(sizes) {
  std::ranges::sort(sizes_, std::greater<>());
  const double greatest = sizes_.front();
  if (greatest == 0) return;
  for (double& size : sizes_) size = size > 0 ? std::max(size, negligible * greatest) : 0;
  count_ = static_cast<std::size_t>(std::count_if(sizes_.begin(), sizes_.end(), [](double b) { return b > 0; }));
  given_ = sizes_;
  for (const double factor : apart) {
    sizes_ = given_;
    set_apart(factor);
    if (error_ <= error) return;
  }
  is_rough_ = true;
}

// Each size above the next one by the factor at least, none smaller than before; then the weights of partial fractions.
void LaplaceMixture::set_apart(double factor) {
  for (std::size_t i = count_ - 1; i-- > 0;) sizes_[i] = std::max(sizes_[i], sizes_[i + 1] * factor);
  double total = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    double weight = 1;
    const double b = sizes_[i];
    for (std::size_t j = 0; j < count_; ++j) {
      if (j != i) weight *= (b / (b - sizes_[j])) * (b / (b + sizes_[j]));
    }
    weights_[i] = weight;
    total += std::abs(weight);
  }
  error_ = term_error * total;
}

double LaplaceMixture::outside(double t) const {
  if (count_ == 0) return 0;
  double sum = error_;
  for (std::size_t i = 0; i < count_; ++i) sum += weights_[i] * std::exp(-t / sizes_[i]);
  return std::min({sum, is_rough_ ? chernoff(t) : 1.0, 1.0});
}

// P[abs(c . Y) > t] <= 2 exp(-s t) prod 1 / (1 - s^2 b^2) for every s below 1 / b; the best s is where the derivative
// of the exponent is 0, which any s near it serves as well. 1 - s^2 b^2 is 2^-20 at least, and rounded
// by 2^-51, so that roundings are below 2^-27 of the bound.
double LaplaceMixture::chernoff(double t) const {
  double least = 0, greatest = (1 - 0x1p-20) / given_.front();
  for (int step = 0; step < 40; ++step) {
    const double s = (least + greatest) / 2;
    double slope = -t;
    for (std::size_t i = 0; i < count_; ++i)
      slope += 2 * s * given_[i] * given_[i] / (1 - s * s * given_[i] * given_[i]);
    (slope < 0 ? least : greatest) = s;
  }
  double exponent = -least * t;
  for (std::size_t i = 0; i < count_; ++i) exponent -= std::log1p(-least * least * given_[i] * given_[i]);
  return exponent < -690 ? 0x1p-990 : 2 * std::exp(exponent) * (1 + 0x1p-26);
}

PairNodeNoise PairNodeNoise::of(const PairLaw& law, std::int64_t weight, Alpha alpha) {
  const double parts = 1 / static_cast<double>(weight);
  PairNodeNoise noise;
  noise.is_normal_ = law.is_normal;
  noise.alpha_ = alpha.value();
  noise.scale_ = law.scale * parts * raised;
  noise.step_ = parts * raised;
  noise.point_ = law.is_normal ? normal_point(alpha.value()) : 0;
  noise.variance_ = law.variance() * parts * parts;
  return noise;
}

// Of the law over the reals of scale 1: what is left of t when every draw is a step further out.
double PairNodeNoise::left(const PairSizes& sizes, double t) const {
  return (t / raised - step_ * sum_of(sizes)) / scale_ / raised;
}

bool PairNodeNoise::rarely_reaches(const PairSizes& sizes, double t) const {
  const double x = left(sizes, t);
  if (!(x > 0)) return false;
  if (is_normal_) return x >= point_ * norm_of(sizes);
  return LaplaceMixture(sizes, alpha_ * part_for_roundings).outside(x) <= alpha_;
}

double PairNodeNoise::reach(const PairSizes& sizes) const {
  const double steps = step_ * sum_of(sizes) * raised;
  if (is_normal_) return (point_ * norm_of(sizes) * scale_ + steps) * raised * raised;
  const LaplaceMixture mixture(sizes, alpha_ * part_for_roundings);
  double least = 0, greatest = norm_of(sizes) + 1e-300;
  while (mixture.outside(greatest) > alpha_ && greatest < 1e280) least = greatest, greatest *= 2;
  for (int step = 0; step < 17; ++step) {
    const double middle = (least + greatest) / 2;
    (mixture.outside(middle) <= alpha_ ? greatest : least) = middle;
  }
  return (greatest * scale_ + steps) * raised * raised;
}

}  // namespace vernier::interval
