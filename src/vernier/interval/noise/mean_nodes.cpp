#include "vernier/interval/noise/mean_nodes.hpp"

#include <string>

namespace vernier::interval {
namespace {

__extension__ using Wide = __int128;

constexpr std::int64_t greatest_weight = std::int64_t{1} << 62;
constexpr std::int64_t greatest_squared = std::int64_t{1} << 30;  // L1 of lagrange, 5/4 of the square, fits as well

}  // namespace

std::int64_t rounded_square(std::int64_t k, std::int64_t steps, std::int64_t fineness) {
  if (fineness % steps == 0) return k * k * (fineness / steps);
  return static_cast<std::int64_t>((2 * Wide{k} * k * fineness + steps) / (2 * Wide{steps}));
}

Result<MeanNodes> MeanNodes::of(Basis basis, std::int64_t steps) {
  const std::int64_t greatest = basis == Basis::two ? greatest_weight : greatest_squared;
  if (steps >= 1 && steps <= greatest) return MeanNodes(basis, steps, basis == Basis::two ? 1 : steps);
  return invalid("the bounds must be 1 to " + std::to_string(greatest) + " steps of the grid apart, but they are " +
                 std::to_string(steps) + "; " + (steps < 1 ? "move them apart" : "make the granularity coarser"));
}

Result<MeanNodes> MeanNodes::moments(std::int64_t steps, std::int64_t fineness, bool has_scaled_rows) {
  const bool are_positive = steps >= 1 && fineness >= 1;
  if (are_positive && Wide{steps} * fineness <= greatest_weight) {
    return MeanNodes(Basis::bernstein, steps, fineness, has_scaled_rows);
  }
  return invalid("steps and fineness of node sums must be 1 or more, with a product of at most 2^62, but they are " +
                 std::to_string(steps) + " and " + std::to_string(fineness));
}

std::array<std::int64_t, most_nodes> MeanNodes::row(std::int64_t k) const {
  const std::int64_t left = steps_ - k;
  switch (basis_) {
    case Basis::two:
      return {left, k, 0};
    case Basis::bernstein: {
      const std::int64_t square = rounded_square(k, steps_, fineness_);
      return {(left - k) * fineness_ + square, 2 * (k * fineness_ - square), square};
    }
    case Basis::lagrange:
      return {(left - k) * left, 4 * k * left, (k - left) * k};
  }
  return {};
}

// The last factor is for the square of what the mean of a unit is off, which is 1 / (2 weight) at most.
double MeanNodes::square_rounding() const {
  const auto parts = static_cast<double>(weight());
  const double rows = fineness_ % steps_ == 0 ? 0 : 0.5 / parts;
  return has_scaled_rows_ ? (rows + 1 / parts) * (1 + 1 / parts) : rows;
}

std::int64_t MeanNodes::l1_sensitivity() const {
  return basis_ == Basis::lagrange ? weight() + weight() / 4 : weight();
}

}  // namespace vernier::interval
