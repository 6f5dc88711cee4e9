#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "vernier/interval/relation/ranges.hpp"

// Second moments of several columns from noisy sums: what a row adds, and what a combination of moments is in the
// numbers that have noise. regression.md.
namespace vernier::interval {

inline constexpr std::size_t most_moment_columns = 9, most_moment_numbers = 81;

struct MomentColumn {
  double lower, upper;

  double middle() const { return lower / 2 + upper / 2; }
  double half() const { return (upper - lower) / 2; }
};

// Which integers a row adds, of columns that lie at u, from 0 to 1, between their bounds; z = 2u - 1.
enum class MomentLayout : std::uint8_t {
  nodes,     // of each choice of one of ((1-u)^2, 2u(1-u), u^2) for every column the product, times the weight
  features,  // 1; every z; every (1 - z^2) / 2; every product of two z: times the weight
};

struct MomentShape {
  std::vector<MomentColumn> columns;
  std::int64_t weight;  // of a row
  std::int64_t row_limit;
  std::int64_t parts = 0;  // units with more rows than this count in part; 0: none do

  std::size_t width() const { return columns.size() + 1; }  // of vectors over (1, z_1, ...)
  MomentLayout layout() const { return columns.size() <= 4 ? MomentLayout::nodes : MomentLayout::features; }
  std::size_t numbers() const;
  std::size_t middle() const { return (numbers() - 1) / 2; }     // of nodes: the number that the others leave
  std::size_t part(std::size_t node, std::size_t column) const;  // of nodes: which of the three, 0 to 2
};

// The columns i < j of a product, by its place among the products of the features.
std::pair<std::size_t, std::size_t> product_at(std::size_t columns, std::size_t place);

// What a row adds, of which the engine brings all but the middle node: roundings to whole numbers as it does them.
std::vector<std::int64_t> moment_row(const MomentShape& shape, std::span<const double> u);

// Vectors over (1, z_1, ..., z_d), and a symmetric matrix of second moments, in rows.
using Place = std::array<double, most_moment_columns + 1>;
using PlaceEnds = std::array<Ends, most_moment_columns + 1>;
struct MomentMatrix {
  std::array<Place, most_moment_columns + 1> at{};
  double size = 1;  // of all sums that it was made from
};
MomentMatrix moments_of(const MomentShape& shape, std::span<const std::int64_t> released);

// q' M a in the numbers with noise: the ends of the coefficient of each.
using NumberEnds = std::vector<Ends>;
NumberEnds form_of(const MomentShape& shape, const PlaceEnds& q, const PlaceEnds& a);
NumberEnds square_of(const MomentShape& shape, const PlaceEnds& a);  // of a' M a

// By how many rows a combination of such sizes may be off for each row, since integers are rounded.
double rounding_of(const MomentShape& shape, std::span<const double> sizes);

}  // namespace vernier::interval
