#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vernier/core/result.hpp"
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

// The values of everybody, as they are before bounds: public or synthetic, since they are read without protection.
class Population {
 public:
  static Result<Population> of(std::vector<double> values);  // from 1 to 2^31 of them, all finite
  std::span<const double> values() const { return values_; }
  std::int64_t size() const { return static_cast<std::int64_t>(values_.size()); }

 private:
  explicit Population(std::vector<double> values) : values_(std::move(values)) {}
  std::vector<double> values_;
};

// The same as the statistics see it: clamped to bounds and put on the grid.
class PlacedPopulation {
 public:
  PlacedPopulation(const Population& population, const ValueGrid& grid);

  const ValueGrid& grid() const { return grid_; }
  std::span<const std::int64_t> steps() const { return steps_; }       // those that occur, ascending
  std::span<const std::uint32_t> members() const { return members_; }  // of each its place among the steps

 private:
  ValueGrid grid_;
  std::vector<std::int64_t> steps_;
  std::vector<std::uint32_t> members_;
};

// Populations of a named shape: 65,536 members, at the middles of as many equal parts of the distribution. What is true
// of them is known exactly, and rows that are drawn from them are independent, of that distribution.

inline constexpr int named_members = 1 << 16;

// The shape, and the bounds and granularity that suit it.
struct NamedPopulation {
  Population population;
  double lower, upper, granularity;
};

// "normal", or with keys: "normal,mean=10,deviation=3", "skewed,sigma=1", "two-point,share=0.1", "constant,value=0.5",
// "uniform".
Result<NamedPopulation> population_named(std::string_view words);

// The names alone.
std::vector<std::string> population_names();

}  // namespace vernier::coverage
