#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vernier/core/result.hpp"
#include "vernier/coverage/value_grid.hpp"

namespace vernier::coverage {

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

}  // namespace vernier::coverage
