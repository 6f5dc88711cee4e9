#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vernier/series/strategy.hpp"

// What is made of the noisy numbers of a series: sums of them with whole weights over a power of two. series.md has why
// they give what is asked but for a known part of a row.
namespace vernier::series {

__extension__ using Wide = __int128;

// What is published of a step.
enum class Kind : std::uint8_t {
  each,        // the number of the step
  last,        // of the last so many steps, this one included
  cumulative,  // of all steps from the first on
};
inline constexpr Kind all_kinds[] = {Kind::each, Kind::last, Kind::cumulative};

// Weights are whole multiples of 2^-weight_bits.
inline constexpr int weight_bits = 52;

// A question is a whole number for each step up to the last that it asks about: a sum of the steps with these factors,
// over 2^bits. `decayed` gives exponentially weighted sums: a step is worth half of what it was after so many steps.
struct Question {
  std::vector<std::int64_t> factors;
  int bits = 0;

  static Question of(Kind kind, std::size_t step, std::size_t last);
  static Question decayed(std::size_t step, double half_life);
};

// Whole weights of the noisy numbers of all steps up to that of the question. The sum of weight * C x, over 2^(52 +
// bits), is the answer, but for less than `bias_of` times the number of rows.
std::vector<std::int64_t> weights_of(const Strategy& strategy, const Question& question);

// The most by which one row's part of an answer is off.
double bias_of(const Strategy& strategy);

// The weights of every step's answer of one kind; of Toeplitz matrices by how far back a number lies, one list for all.
class Weights {
 public:
  Weights(const Strategy& strategy, Kind kind, std::size_t last);

  std::int64_t at(std::size_t step, std::size_t of) const {
    if (lists_.size() > 1) return lists_[step][of];
    return lists_.front()[step - of];
  }
  // The root of the sum of the squares of the weights of a step's answer; from above.
  double length(std::size_t step) const { return lengths_[step]; }
  std::size_t steps() const { return lengths_.size(); }
  double greatest_length() const;
  double mean_square() const;  // of the lengths

 private:
  std::vector<std::vector<std::int64_t>> lists_;
  std::vector<double> lengths_;
};

// 2^52 times the answer for one cell: of all noisy numbers up to the step, modulo 2^128.
Wide numerator_of(const Weights& weights, std::size_t step, std::span<const Wide> noisy);
Wide numerator_of(const Weights& weights, std::size_t step, std::span<const std::int64_t> noisy);

// What is published of a number.
struct Number {
  double estimate;                // unbiased but for the bias; may be negative
  std::int64_t value, low, high;  // whole, between 0 and the row limit; the interval holds the count but for alpha
};
// Of an answer whose noisy numbers were multiplied by `parts`.
Number number_of(Wide numerator, double reach, std::int64_t row_limit, double parts = 1);

}  // namespace vernier::series
