#pragma once

#include <cstdint>

#include "vernier/core/types.hpp"
#include "vernier/noise/grid_noise.hpp"

namespace vernier::coverage {

// Between which numbers values are kept, and in steps of what they are told.
class ValueGrid {
 public:
  // Both bounds are whole multiples of the granularity, 1 to 2^30 of them apart, and at most 2^53 of them from 0.
  static Result<ValueGrid> of(Real lower, Real upper, Real granularity);

  std::int64_t origin() const { return origin_; }  // the lower bound, in steps from 0
  std::int64_t steps() const { return steps_; }    // from bound to bound
  double granularity() const { return granularity_; }
  double lower() const { return value_of(0); }
  double upper() const { return value_of(steps_); }
  double range() const { return static_cast<double>(steps_) * granularity_; }
  double value_of(std::int64_t step) const { return static_cast<double>(origin_ + step) * granularity_; }

  // The nearest step, of a value beyond a bound that bound.
  std::int64_t step_of(double value) const;

  noise::ValueRange bounds() const;

 private:
  ValueGrid(std::int64_t origin, std::int64_t steps, double granularity)
      : origin_(origin), steps_(steps), granularity_(granularity) {}
  std::int64_t origin_, steps_;
  double granularity_;
};

}  // namespace vernier::coverage
