#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "vernier/core/result.hpp"

// What is summed over the rows so that a mean can be released: two or three integers per row, each sum with noise of
// its own, all in one spend. mean.md has the identities.
namespace vernier::interval {

enum class Basis : std::uint8_t {
  two,        // K-k and k: a mean and nothing else
  bernstein,  // (K-k)^2, 2k(K-k), k^2: never negative, for noise by L1 sensitivity; sums of squares come free
  lagrange,   // (2k-K)(k-K), 4k(K-k), (2k-K)k: for noise by L2 sensitivity; likewise
};

inline constexpr std::size_t most_nodes = 3;

// k^2 * fineness / steps to the nearest whole number, the upper one of two; 0 <= k <= steps,
// steps * fineness <= 2^62.
std::int64_t rounded_square(std::int64_t k, std::int64_t steps, std::int64_t fineness);

// A row is at k = 0..K steps above the lower bound, K above it is the upper one.
class MeanNodes {
 public:
  static Result<MeanNodes> of(Basis basis, std::int64_t steps);
  // Bernstein nodes whose weight is `fineness` * K instead of K^2: count and sum stay exact, the square of a place is
  // rounded to 1/weight (variance.md). A fineness of K, or of a multiple of it, rounds nothing.
  // Where units may have more rows than count, the part of one that does is cut to whole numbers in each node but the
  // middle one (plan/bounding.md).
  static Result<MeanNodes> moments(std::int64_t steps, std::int64_t fineness, bool has_scaled_rows = false);
  Basis basis() const { return basis_; }
  std::int64_t steps() const { return steps_; }
  std::size_t count() const { return basis_ == Basis::two ? 2 : 3; }

  // What a row adds to each node, 0 <= k <= K. Always sums to weight().
  std::array<std::int64_t, most_nodes> row(std::int64_t k) const;
  std::int64_t weight() const { return steps_ * fineness_; }  // K for two, K^2 for three, or as it was given

  // By how much the square of a row's place may be off, at most: by 1 / (2 weight) where squares of rows are rounded,
  // and by 1 / weight more where parts of units are cut to whole numbers.
  double square_rounding() const;

  // Twice the place of a node between the bounds: 0 for the lower one, 1 for the middle, 2 for the upper one. A row's
  // nodes, weighted by their places, give k / K times weight().
  int twice_place(std::size_t node) const { return static_cast<int>(node) * (basis_ == Basis::two ? 2 : 1); }

  // Of one row added or removed; r rows at once have r times as much, and a row replaced at most twice.
  std::int64_t l1_sensitivity() const;  // exact but for lagrange, where it is at most 1/4 above
  std::int64_t l2_sensitivity() const { return weight(); }

  // With so many rows no node sum exceeds 2^62 in size, which leaves room for the noise.
  std::int64_t rows_that_fit() const { return (std::int64_t{1} << 62) / weight(); }

 private:
  MeanNodes(Basis basis, std::int64_t steps, std::int64_t fineness, bool has_scaled_rows = false)
      : basis_(basis), steps_(steps), fineness_(fineness), has_scaled_rows_(has_scaled_rows) {}
  Basis basis_;
  std::int64_t steps_, fineness_;
  bool has_scaled_rows_;
};

}  // namespace vernier::interval
