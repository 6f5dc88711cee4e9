#include "vernier/coverage/value_grid.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/core/text.hpp"

namespace vernier::coverage {
namespace {

constexpr double greatest_step = 0x1p53, most_steps = 0x1p30;
constexpr double rounding = 1e-9;  // of decimal bounds over a decimal granularity, in steps

Result<std::int64_t> steps_from_zero(double bound, double granularity) {
  const double steps = bound / granularity;
  if (!(std::abs(steps) <= greatest_step)) {
    return invalid("the granularity " + shortest(granularity) + " is too fine for a bound of " + shortest(bound) +
                   "; make it coarser");
  }
  const double whole = std::round(steps);
  if (std::abs(steps - whole) <= rounding * std::max(1.0, std::abs(whole))) return static_cast<std::int64_t>(whole);
  return invalid("the bounds must be whole multiples of the granularity " + shortest(granularity) + ", but " +
                 shortest(bound) + " is none; give another granularity");
}

}  // namespace

Result<ValueGrid> ValueGrid::of(Real lower, Real upper, Real granularity) {
  if (!(granularity.value() > 0)) {
    return invalid("the granularity must be above 0, but it is " + shortest(granularity.value()));
  }
  if (!(lower.value() < upper.value())) {
    return invalid("the lower bound must be below the upper one, but they are " + shortest(lower.value()) + " and " +
                   shortest(upper.value()));
  }
  VERNIER_TRY(const std::int64_t first, steps_from_zero(lower.value(), granularity.value()));
  VERNIER_TRY(const std::int64_t last, steps_from_zero(upper.value(), granularity.value()));
  const std::int64_t steps = last - first;
  if (steps >= 1 && static_cast<double>(steps) <= most_steps) return ValueGrid(first, steps, granularity.value());
  return invalid("the bounds must be 1 to 2^30 steps of the granularity apart, but they are " + std::to_string(steps) +
                 "; give another granularity");
}

std::int64_t ValueGrid::step_of(double value) const {
  const double step = std::round(value / granularity_ - static_cast<double>(origin_));
  return step > 0 ? static_cast<std::int64_t>(std::min(step, static_cast<double>(steps_))) : 0;
}

noise::ValueRange ValueGrid::bounds() const { return *noise::ValueRange::of(*Real::of(lower()), *Real::of(upper())); }

}  // namespace vernier::coverage
