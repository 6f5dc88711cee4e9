#include "vernier/interval/rows/selected.hpp"

#include <algorithm>

#include "vernier/numeric/rounding.hpp"
#include "vernier/numeric/search.hpp"

namespace vernier::interval {
namespace {

// P[X > k] of a symmetric integer law: half of P[abs(X) > k] from 0 on, and 1 - P[X > -k - 1] below.
template <class Law>
Bounds above(const Law& law, std::int64_t k) {
  const Bounds both = law.outside(k >= 0 ? k : ~k);
  const Bounds one{numeric::divide_down(both.lower, 2), numeric::divide_up(both.upper, 2)};
  if (k >= 0) return one;
  return {numeric::subtract_down(1, one.upper), numeric::subtract_up(1, one.lower)};
}

// No difference of two such numbers leaves 64 bits, and no noise reaches so far.
constexpr std::int64_t farthest = std::int64_t{1} << 61;

}  // namespace

template <class Law>
bool SelectedInference<Law>::is_too_high(std::int64_t count, std::int64_t released) const {
  const double here = above(law_, released - count - 1).upper, published = above(law_, threshold_ - count - 1).lower;
  return numeric::multiply_up(2, here) <= numeric::multiply_down(alpha_, published);
}

// P[... <= released] = 1 - P[... > released].
template <class Law>
bool SelectedInference<Law>::is_too_low(std::int64_t count, std::int64_t released) const {
  const double beyond = above(law_, released - count).lower, published = above(law_, threshold_ - count - 1).upper;
  return numeric::multiply_down(2, beyond) >= numeric::multiply_up(numeric::subtract_up(2, alpha_), published);
}

template <class Law>
Result<SelectedInference<Law>> SelectedInference<Law>::of(const Law& law, std::int64_t threshold, std::int64_t greatest,
                                                          Alpha alpha) {
  VERNIER_TRY(const std::int64_t reach, law.two_sided_quantile(*Probability::of(alpha.value())));
  return SelectedInference(law, std::clamp(threshold, std::int64_t{1}, farthest),
                           std::clamp(greatest, std::int64_t{1}, farthest), alpha.value(), reach);
}

template <class Law>
SelectedInterval SelectedInference<Law>::from(std::int64_t released) const {
  const std::int64_t seen = std::clamp(released, threshold_, 2 * (farthest - 1));
  const std::int64_t for_low = std::min(seen, std::max(greatest_, threshold_));
  const numeric::IntegerRange counts{1, greatest_};
  const auto low = numeric::least_integer([&](std::int64_t n) { return !is_too_high(n, for_low); },
                                          std::max(for_low - reach_, std::int64_t{1}), counts);
  const auto beyond = numeric::least_integer([&](std::int64_t n) { return is_too_low(n, seen); },
                                             std::min(seen, greatest_) + reach_ + 1, counts);
  const std::int64_t first = low.value_or(1);
  const std::int64_t last = std::max(beyond ? *beyond - 1 : greatest_, std::min(first + reach_, greatest_));
  const std::int64_t value = std::clamp(released, first, last);
  return {value, std::max(value - first, last - value), first, last};
}

template class SelectedInference<noise::Geometric>;
template class SelectedInference<noise::DiscreteGaussian>;

}  // namespace vernier::interval
