#include "vernier/interval/noise/tree_reach.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "vernier/denoise/smooth_noise.hpp"
#include "vernier/noise/gaussian.hpp"

namespace vernier::interval {

using denoise::SmoothNoise;

namespace {

constexpr double raised = 1 + 1e-9;  // pays for the roundings of a reach
constexpr double greatest_reach = 0x1p60;
constexpr int tried_moments = 60;

// Noise that makes the lattice smooth lies below 0 by more than so many of its deviations with probability `given_away`
// at most: exp(-2.5^2 / 2) = 0.04394, and P[Z < -1.7] = 0.04457 of a normal Z.
constexpr double room_of_fractions = 2.5;
constexpr double room_of_normal = 1.7;
constexpr double given_away = 0.045;

// By this factor at most the density of smoothed Gaussian draws exceeds the normal one.
constexpr double most_excess = 0.05;  // its logarithm
constexpr double excess_factor = 1.0513;

double square(double x) { return x * x; }

// The same double on every machine, but for one chance in 2^30, whatever the last digits of its functions are.
double raised_to_20_bits(double x) {
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);
  return std::ldexp(std::ceil(std::ldexp(mantissa, 20)), exponent - 20);
}

// The least x, but for a part in 2^40, with tail(x) <= tau; tails fall.
template <class Tail>
double least_with(const Tail& tail, double tau, double guess) {
  double greatest = guess, least = 0;
  while (tail(greatest) > tau) least = std::exchange(greatest, 2 * greatest);
  for (int i = 0; i < 40; ++i) {
    const double middle = (least + greatest) / 2;
    (tail(middle) <= tau ? greatest : least) = middle;
  }
  return raised_to_20_bits(greatest * raised);
}

// The least deviation of normal noise that makes so many discrete Gaussian draws nearly normal; none for a small scale.
std::optional<double> smoothing(double sigma, double draws) {
  for (double h = 0.3; h < 2; h += 0.05) {
    const double between = square(sigma * h) / (square(sigma) + square(h));
    if (draws * std::log1p(2 / std::expm1(2 * square(std::numbers::pi) * between)) <= most_excess) return h;
  }
  return std::nullopt;
}

double outside_normal(double x) { return noise::Gaussian::of(*Sigma::of(1)).outside(*Real::of(x)).upper; }

}  // namespace

numeric::Rational ranks_of(const TreeReaches& reaches, const noise::RankStatistic& statistic) {
  using numeric::Rational;
  return *quotient(Rational::of(reaches.ends) + Rational::of(reaches.noise), Rational::of(2 * statistic.denominator()));
}

// Weights are those of 2 D: 2 (b - a) or 2 a at level 0, b below.
TreeReach::TreeReach(const noise::RankStatistic& statistic, const noise::CountTree& tree, Alpha alpha)
    : alpha_(alpha.value()),
      top_draws_(static_cast<double>(tree.branching(0))),
      top_weight_(
          2 * static_cast<double>(std::max(statistic.numerator(), statistic.denominator() - statistic.numerator()))),
      weight_(static_cast<double>(statistic.denominator())) {
  std::vector<Level> on_path, beside;
  for (int level = 0; level < tree.levels(); ++level) {
    const double others = static_cast<double>(tree.branching(level)) - 1;
    if (level > 0) most_draws_ += others;
    const double own = level > 0 ? 1 : 0;  // the child that the search goes down weighs nothing further below
    on_path.push_back({most_draws_ + own, 1});
    beside.push_back({most_draws_ + own, others});
  }
  if (tree.levels() > 1) most_draws_ += 1;
  ends_ = unit_of(on_path);
  noise_ = unit_of(beside);
}

TreeReach TreeReach::of(const noise::RankStatistic& statistic, const noise::CountTree& tree, Alpha alpha) {
  return TreeReach(statistic, tree, alpha);
}

double TreeReach::squares(double draws) const { return top_draws_ * square(top_weight_) + draws * square(weight_); }

TreeReach::Unit TreeReach::unit_of(const std::vector<Level>& levels) const {
  double boundaries = 0;
  for (const Level& level : levels) boundaries += level.boundaries;
  return {boundaries, laplace_outside(levels), normal_outside(levels)};
}

double TreeReach::laplace_outside(const std::vector<Level>& levels) const {
  const double tau = alpha_ * (1 - given_away);
  std::vector<SmoothNoise> noises;
  double boundaries = 0;
  for (const Level& level : levels) boundaries += level.boundaries;
  const Alpha least = *Alpha::of(std::max(tau / boundaries / 4, 1e-300));
  for (const Level& level : levels) {
    std::vector<denoise::LaplaceDraws> draws = {{top_weight_, top_draws_}};
    if (level.draws > 0) draws.push_back({weight_, level.draws});
    noises.push_back(SmoothNoise::of(std::move(draws), 0, least));
  }
  const auto tail = [&](double x) {
    double sum = 0;
    for (std::size_t i = 0; i < levels.size(); ++i) sum += levels[i].boundaries * noises[i].tail(x);
    return sum * raised;
  };
  return least_with(tail, tau, std::sqrt(2 * squares(levels.back().draws)));
}

double TreeReach::normal_outside(const std::vector<Level>& levels) const {
  const double tau = alpha_ * (1 - given_away) / excess_factor;
  const auto tail = [&](double x) {
    double sum = 0;
    for (const Level& level : levels) sum += level.boundaries * outside_normal(x / std::sqrt(squares(level.draws)));
    return sum * raised;
  };
  return least_with(tail, tau, std::sqrt(squares(levels.back().draws)));
}

// A geometric draw and the difference of two fractions of exponential times make a Laplace draw; a fraction varies by
// no more than a uniform number does.
double TreeReach::geometric_reach(double scale, const Unit& unit) const {
  const double smoothed = scale * unit.laplace + room_of_fractions * std::sqrt(squares(most_draws_) / 6);
  return std::min(smoothed * raised, by_moments(scale, unit));
}

// Chernoff's bound on the lattice, with the geometric law's own moments.
double TreeReach::by_moments(double scale, const Unit& unit) const {
  const double wanted = std::log(2 * unit.boundaries / alpha_);
  const auto log_moment = [&](double mu) { return -std::log1p(-square(std::sinh(mu / 2) / std::sinh(0.5 / scale))); };
  const double greatest = 1 / (scale * std::max(top_weight_, weight_));
  double least = HUGE_VAL;
  for (int i = 1; i <= tried_moments; ++i) {
    const double lambda = greatest * i / (tried_moments + 1.0);
    const double moments = top_draws_ * log_moment(lambda * top_weight_) + most_draws_ * log_moment(lambda * weight_);
    if (std::isfinite(moments)) least = std::min(least, (wanted + moments) / lambda);
  }
  return raised_to_20_bits(least * raised);
}

// E exp(lambda X) <= exp((lambda sigma)^2 / 2) of every discrete Gaussian law; smoothed where the scale allows.
double TreeReach::gaussian_reach(double scale, const Unit& unit) const {
  const double all = squares(most_draws_);
  const double moments = scale * std::sqrt(2 * all * std::log(2 * unit.boundaries / alpha_));
  const double least = raised_to_20_bits(moments * raised);
  const std::optional<double> h = smoothing(scale, top_draws_ + most_draws_);
  if (!h) return least;
  const double smoothed = std::sqrt(square(scale) + square(*h)) * unit.normal + room_of_normal * *h * std::sqrt(all);
  return std::min(smoothed * raised, least);
}

namespace {

// The noise is whole: it passes t exactly if it passes the whole number below.
Result<TreeReaches> whole(double ends, double noise) {
  if (!(std::max(ends, noise) < greatest_reach)) {
    return invalid("the noise of this quantile would be too large for its ranks to be counted; give it more budget");
  }
  return TreeReaches{static_cast<std::int64_t>(ends), static_cast<std::int64_t>(noise)};
}

}  // namespace

Result<TreeReaches> TreeReach::at(const noise::Geometric& law) const {
  return whole(geometric_reach(law.scale(), ends_), geometric_reach(law.scale(), noise_));
}

Result<TreeReaches> TreeReach::at(const noise::DiscreteGaussian& law) const {
  return whole(gaussian_reach(law.scale(), ends_), gaussian_reach(law.scale(), noise_));
}

double TreeReach::gaussian_advantage() const { return noise_.laplace / noise_.normal; }

}  // namespace vernier::interval
