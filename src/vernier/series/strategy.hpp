#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "vernier/core/result.hpp"

// What is measured of a series: the vector of T steps, multiplied by a lower-triangular matrix C of whole numbers, so
// that what is released at a step looks at this step and at those before it. series.md has the mathematics, with the
// same letters.
namespace vernier::series {

__extension__ using Square = unsigned __int128;

inline constexpr std::size_t most_steps = 4096;
inline constexpr std::size_t most_normalised_steps = 1024;  // every column is another one: T^3 / 6 products

// Which matrix: the coefficients of (1 - x)^-p times 2^b, rounded; or those of p = 1/2 with every column divided by its
// length. p is 0 for noise of its own at every step, 1/2 for the square root of the running sum.
struct Family {
  std::int64_t percent = 50;  // p in hundredths, from 0 to 100
  bool is_normalised = false;

  friend bool operator==(const Family&, const Family&) = default;
};
std::string name_of(const Family& family);  // "(1-x)^-0.35", "normalised square root", "noise of its own"

class Strategy {
 public:
  // The first column of a matrix whose every column is the one before, moved down by one. Its numbers do not grow, the
  // first is above 0, and none is below it.
  static Result<Strategy> toeplitz(std::vector<std::int64_t> column);

  // Columns from their diagonal down, T of them, of T, T - 1, ... 1 numbers: none below 0, on the diagonal above it.
  static Result<Strategy> triangular(std::vector<std::vector<std::int64_t>> columns);

  // Of a family, at a fineness of 10 bits, above 1,024 steps of 12.
  static Result<Strategy> of(const Family& family, std::size_t steps);

  std::size_t steps() const { return steps_; }
  bool is_toeplitz() const { return columns_.size() == 1; }
  std::int64_t at(std::size_t row, std::size_t column) const {
    if (row < column) return 0;
    return is_toeplitz() ? columns_.front()[row - column] : columns_[column][row - column];
  }
  // A column from its diagonal down.
  std::span<const std::int64_t> below(std::size_t column) const {
    return std::span(is_toeplitz() ? columns_.front() : columns_[column]).first(steps_ - column);
  }

 private:
  Strategy(std::size_t steps, std::vector<std::vector<std::int64_t>> columns)
      : steps_(steps), columns_(std::move(columns)) {}
  std::size_t steps_;
  std::vector<std::vector<std::int64_t>> columns_;  // one, of a Toeplitz matrix
};

// The coefficients of (1 - x)^-p: 1, p, p (p + 1) / 2, ...
std::vector<double> coefficients(double p, std::size_t steps);

}  // namespace vernier::series
