#include "vernier/interval/population/count.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/interval/rows/mean.hpp"
#include "vernier/numeric/rounding.hpp"
#include "vernier/numeric/search.hpp"

namespace vernier::interval {
namespace {

constexpr double greatest_summed_variance = 1e10;  // above, Bernstein's inequality stands for the sum
constexpr double part_left_out = 1e-4;             // of alpha
constexpr double blocks_per_deviation = 128;       // neighbouring masses are taken together, at their worst place
constexpr double sum_error = 1 + 1e-9;             // of positive terms; the page counts 2e-10
constexpr numeric::IntegerRange members_range{0, std::int64_t{1} << 53};

// P[X >= t] from above.
template <class Law>
double tail_from(const Law& law, std::int64_t t) {
  if (t > 0) return law.outside(t - 1).upper / 2;
  return numeric::subtract_up(1, law.outside(-t).lower / 2);
}

// The sum over all numbers drawn of their mass times P[X >= t], t = first_t, first_t + step, ..., by blocks of
// neighbours that count with the least t of theirs.
template <class Law>
double summed(const Law& law, const BinomialMasses& drawn, std::int64_t first_t, std::int64_t step, std::size_t block) {
  double sum = drawn.beyond;
  for (std::size_t i = 0; i < drawn.masses.size(); i += block) {
    const std::size_t end = std::min(i + block, drawn.masses.size());
    double mass = 0;
    for (std::size_t j = i; j < end; ++j) mass += drawn.masses[j];
    const std::size_t nearest = step < 0 ? end - 1 : i;
    sum += mass * tail_from(law, first_t + step * static_cast<std::int64_t>(nearest));
  }
  return sum * sum_error;
}

std::size_t block_for(double variance, double scale) {
  return static_cast<std::size_t>(std::max(std::sqrt(variance), scale) / blocks_per_deviation) + 1;
}

// By how much at most the number drawn is above its mean, or below it, but for exp(-exponent).
double bernstein(double variance, double exponent) {
  return (std::sqrt(2 * variance * exponent) + exponent / 3) * (1 + 1e-12);
}

}  // namespace

template <class Law>
Result<PopulationCountInference<Law>> PopulationCountInference<Law>::of(const Law& law, Alpha alpha, Design design) {
  const auto sampled = Chance::of(design.sampled);
  if (!sampled) {
    return invalid(
        "a count of the population needs to know which part of it the table holds; declare `sampled` of the table, "
        "above 0 and at most 1");
  }
  VERNIER_TRY(const auto reach, law.two_sided_quantile(*Probability::of(alpha.value() / 2)));
  return PopulationCountInference(law, alpha.value(), *sampled, reach);
}

template <class Law>
bool PopulationCountInference<Law>::is_too_few(std::int64_t members, std::int64_t released) const {
  const double variance = binomial_variance(members, sampled_);
  if (variance > greatest_summed_variance) {
    const double mean = static_cast<double>(members) * sampled_.value() * (1 + 0x1p-50);
    return static_cast<double>(released - reach_) > mean + bernstein(variance, std::log(4 / alpha_) + 1e-12) + 1;
  }
  const BinomialMasses drawn = binomial_masses(members, sampled_, alpha_ * part_left_out);
  return summed(law_, drawn, released - drawn.first, -1, block_for(variance, law_.scale())) <= alpha_ / 2;
}

template <class Law>
bool PopulationCountInference<Law>::is_too_many(std::int64_t members, std::int64_t released) const {
  const double variance = binomial_variance(members, sampled_);
  if (variance > greatest_summed_variance) {
    const double mean = static_cast<double>(members) * sampled_.value() * (1 - 0x1p-50);
    return static_cast<double>(released + reach_) < mean - bernstein(variance, std::log(4 / alpha_) + 1e-12) - 1;
  }
  const BinomialMasses drawn = binomial_masses(members, sampled_, alpha_ * part_left_out);
  return summed(law_, drawn, drawn.first - released, 1, block_for(variance, law_.scale())) <= alpha_ / 2;
}

template <class Law>
Result<PopulationInterval> PopulationCountInference<Law>::from(std::int64_t released) const {
  constexpr std::int64_t most = std::int64_t{1} << 53;
  const std::int64_t seen = std::clamp(released, -most, most), possible = std::max(seen, std::int64_t{0});
  const double value = static_cast<double>(possible) / sampled_.value();
  const auto guess = static_cast<std::int64_t>(std::min(value, static_cast<double>(most)));
  const auto low = numeric::least_integer([&](std::int64_t m) { return !is_too_few(m, seen); }, guess, members_range);
  const auto beyond =
      numeric::least_integer([&](std::int64_t m) { return is_too_many(m, possible); }, guess, members_range);
  if (!low || !beyond) {
    return fail(ErrorKind::exhausted, "the population may have more than 2^53 members, which no interval is made for");
  }
  const Interval interval{static_cast<double>(*low), static_cast<double>(*beyond - 1)};
  const double inside = std::clamp(value, interval.low, interval.high);
  return PopulationInterval{inside, farthest_end(inside, interval), interval, Status::proven, true, *low == 0};
}

template class PopulationCountInference<noise::Geometric>;
template class PopulationCountInference<noise::DiscreteGaussian>;

}  // namespace vernier::interval
