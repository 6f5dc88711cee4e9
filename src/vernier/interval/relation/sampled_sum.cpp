#include "vernier/interval/relation/sampled_sum.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/numeric/normal.hpp"

namespace vernier::interval {
namespace {

constexpr double part_of_curvature = 0.25;  // of the square of the point
constexpr int rounds_of_reach = 24;         // each halves what is missing, at least

double greatest_term(const SampledTerms& terms) { return std::max(terms.above, terms.below); }

}  // namespace

SampledSum SampledSum::of(Alpha alpha, double level_of_test) { return of(alpha, level_of_test, 1); }

SampledSum SampledSum::of(Alpha alpha, double level_of_test, double part_of_guard) {
  SampleGuard guard = SampleGuard::at(alpha);
  guard.variance *= part_of_guard;
  guard.skew *= part_of_guard;
  return {guard, numeric::normal_upper_point(std::log(level_of_test * alpha.value() / 2))};
}

// What is granted beyond the normal law: the lattice of samples, and what the means of the sample bend.
double SampledSum::granted(const SampledTerms& terms) const {
  return guard_.half_step * greatest_term(terms) + part_of_curvature * point_ * point_ * terms.curvature;
}

double SampledSum::variance(double distance, double missing, const SampledTerms& terms) const {
  const double step = greatest_term(terms);
  return terms.squares * terms.rows / (terms.rows - 2) + guard_.variance * step * step +
         guard_.skew * missing * distance;
}

std::optional<double> SampledSum::left_to_noise(double distance, bool is_above, const SampledTerms& terms) const {
  const double left = distance - granted(terms);
  if (!(left > 0)) return std::nullopt;
  const double square = left * left - point_ * point_ * variance(distance, is_above ? terms.below : terms.above, terms);
  return square > 0 ? std::optional(std::sqrt(square)) : std::nullopt;
}

double SampledSum::reach(double noise, const SampledTerms& terms) const {
  double found = noise;
  for (int round = 0; round < rounds_of_reach; ++round) {
    found = granted(terms) + std::hypot(noise, point_ * std::sqrt(variance(found, greatest_term(terms), terms)));
  }
  return found;
}

}  // namespace vernier::interval
