#include "vernier/denoise/smooth_noise.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "vernier/noise/gaussian.hpp"

namespace vernier::denoise {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double part_of_tail = 1e-5;         // that each error of the inversion may take
constexpr double roundings = 1e-10;           // of a sum of the table; the page counts 1e-11
constexpr double least_inverted = 1e-7;       // below, those would be too large a part
constexpr std::size_t most_points = 1 << 16;  // of the table
constexpr double raised = 1 + 1e-9;           // pays for the roundings of a reach
constexpr int tried_moments = 60;

}  // namespace

// ln E exp(lambda T), lambda below 1 / the largest scale.
double SmoothNoise::log_moment(double lambda) const {
  double sum = lambda * lambda * deviation_ * deviation_ / 2;
  for (const LaplaceDraws& draws : laplace_) {
    sum -= draws.count * std::log1p(-(lambda * draws.scale) * (lambda * draws.scale));
  }
  return sum;
}

// ln E exp(i omega T): real, as the law is symmetric.
double SmoothNoise::log_transform(double omega) const {
  double sum = -omega * omega * deviation_ * deviation_ / 2;
  for (const LaplaceDraws& draws : laplace_) {
    sum -= draws.count * std::log1p((omega * draws.scale) * (omega * draws.scale));
  }
  return sum;
}

SmoothNoise::Size SmoothNoise::size() const {
  Size found{0, deviation_ * deviation_};
  for (const LaplaceDraws& draws : laplace_) {
    found.largest = std::max(found.largest, draws.scale);
    found.variance += 2 * draws.count * draws.scale * draws.scale;
  }
  return found;
}

// 2 exp(-lambda x + log_moment) is the tail at x, for every lambda; so the least x over some of them.
double SmoothNoise::reach_by_moments(Alpha tail) const {
  const auto [largest, variance] = size();
  const double wanted = std::log(2 / tail.value());
  const double normal = std::sqrt(2 * wanted / variance);  // the best one if the law were normal
  double least = HUGE_VAL;
  for (int i = 1; i <= tried_moments; ++i) {
    const double part = i / (tried_moments + 1.0);
    const double lambda = largest > 0 ? std::min(part / largest, 2 * part * normal) : 2 * part * normal;
    least = std::min(least, (wanted + log_moment(lambda)) / lambda);
  }
  return least * raised;
}

double SmoothNoise::tail_by_moments(double x) const {
  const auto [largest, variance] = size();
  double least = 0;
  for (int i = 1; i <= tried_moments; ++i) {
    const double part = i / (tried_moments + 1.0);
    const double lambda = std::min(part / largest, 2 * part * x / variance);
    least = std::min(least, log_moment(lambda) - lambda * x);
  }
  return std::min(2 * std::exp(least) * raised, 1.0);
}

// At least the part of the integral of transform / omega beyond omega: with m the draws whose scale * omega is 1 or
// more, these fall no slower than omega^(-2m), the others do not grow.
double SmoothNoise::cut_off(double omega) const {
  double log_bound = -omega * omega * deviation_ * deviation_ / 2, falling = 0;
  for (const LaplaceDraws& draws : laplace_) {
    const double x = draws.scale * omega;
    log_bound -= draws.count * (x >= 1 ? 2 * std::log(x) : std::log1p(x * x));
    if (x >= 1) falling += draws.count;
  }
  const double power = std::max(2 * falling, omega * omega * deviation_ * deviation_);
  return power > 0 ? std::exp(log_bound) / power : HUGE_VAL;
}

// The table for all x up to furthest, its errors at most about `wanted`; whether there is one.
bool SmoothNoise::tabulate(double wanted, double furthest) {
  step_ = pi / furthest;
  double end = step_;
  while (cut_off(end) > wanted && end < step_ * static_cast<double>(most_points)) end *= 1.25;
  const double cut = cut_off(end);
  if (cut > wanted) return false;
  const auto points = static_cast<std::size_t>(std::ceil(end / step_)) + 1;
  for (std::size_t j = 0; j < points; ++j) {
    const double place = static_cast<double>(j) + 0.5;
    table_.push_back(2 / pi / place * std::exp(log_transform(place * step_)));
  }
  error_ = cut + wanted + roundings;
  return true;
}

// P[abs(T) > x] from above, 0 <= x <= furthest. The sum is P[abs(T) < x] less the probability of intervals around odd
// multiples of 2 furthest, which is safe, plus that around even ones.
double SmoothNoise::outside(double x) const {
  double inside = 0;
  for (std::size_t j = table_.size(); j-- > 0;)
    inside += table_[j] * std::sin((static_cast<double>(j) + 0.5) * step_ * x);
  return 1 - inside + error_;
}

SmoothNoise SmoothNoise::of(std::vector<LaplaceDraws> laplace, double deviation, Alpha least) {
  SmoothNoise noise(std::move(laplace), deviation);
  if (noise.laplace_.empty() || least.value() < least_inverted) return noise;
  const double wanted = least.value() * part_of_tail;
  noise.furthest_ = noise.reach_by_moments(*Alpha::of(wanted));
  if (!noise.tabulate(wanted, noise.furthest_)) noise.table_.clear();
  return noise;
}

double SmoothNoise::reach(Alpha tail) const {
  if (laplace_.empty()) {
    const auto point = noise::Gaussian::of(*Sigma::of(1)).two_sided_quantile(*Probability::of(tail.value()));
    return point ? point->value() * deviation_ * raised : reach_by_moments(tail);
  }
  double greatest = reach_by_moments(tail), least = 0;
  if (table_.empty() || greatest > furthest_) return greatest;
  for (int i = 0; i < 40; ++i) {
    const double middle = (least + greatest) / 2;
    (outside(middle) <= tail.value() ? greatest : least) = middle;
  }
  return greatest * raised;
}

double SmoothNoise::tail(double x) const {
  return table_.empty() || x > furthest_ ? tail_by_moments(x) : std::min(outside(x), 1.0);
}

}  // namespace vernier::denoise
