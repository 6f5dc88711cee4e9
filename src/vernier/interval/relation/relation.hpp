#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "vernier/core/types.hpp"
#include "vernier/interval/relation/pair_noise.hpp"
#include "vernier/interval/statement.hpp"

// What two columns have to do with each other, from the noisy node sums of the pair, with intervals that hold at every
// number of rows: relation.md.
namespace vernier::interval {

// Of rows where both x and y have a value.
enum class Relation : std::uint8_t {
  count,
  mean_x,
  mean_y,
  squares_x,  // the sum of (x - mean)^2
  squares_y,
  products,  // the sum of (x - mean of x) (y - mean of y)
  covariance_population,
  covariance_sample,  // divided by the rows less one
  slope,              // of the line of least squares, y on x
  intercept,          // its value at x = 0
  correlation,
  determination,  // the square of the correlation
  variance_sample_x,
  variance_population_x,
  deviation_sample_x,
  deviation_population_x,
  variance_sample_y,
  variance_population_y,
  deviation_sample_y,
  deviation_population_y,
};

// A column on its grid: so many steps from bound to bound.
struct PairColumn {
  std::int64_t steps;
  double lower, upper;
};

// x^2 y^2 fineness, or 2^62 where it is more; below 0 the fineness divides, and the weight is cut to a whole number.
std::int64_t pair_weight(std::int64_t x, std::int64_t y, std::int64_t fineness);

// The node sums of a pair. A row at k of K steps of x and l of L steps of y adds B_i(k) B_j(l) * fineness to the sum
// 3 i + j, where B = ((K-k)^2, 2k(K-k), k^2): never negative, and the weight in all. Where the fineness is below 0 all
// but the middle sum are divided by it and cut to whole numbers.
struct PairShape {
  PairColumn x, y;
  std::int64_t fineness;
  std::int64_t row_limit;
  std::int64_t parts = 0;  // units with more rows than this count in part, cut to whole numbers in all sums but one;
                           // 0: none do

  std::int64_t weight() const { return pair_weight(x.steps, y.steps, fineness); }
  // How often a row's part in the sums is cut, of a row that is counted.
  double cuts() const { return (parts > 0 ? 1 / static_cast<double>(parts) : 0) + (fineness < 0 ? 1 : 0); }
};

// Which sum takes what the others leave of the weight.
inline constexpr std::size_t middle_node = 4;

// What a row adds to the sums.
std::array<std::int64_t, pair_nodes> pair_row(const PairShape& shape, std::int64_t k, std::int64_t l);

// The relation of the clamped rows lies in the interval with probability 1 - alpha at least; where it is not defined,
// as that of fewer than two rows or of a constant x, every number counts as it.
struct RelationInterval {
  static constexpr Status status = Status::proven;
  static constexpr Covers covers = Covers::bounded_value;
  double value;       // within the interval
  double accuracy;    // value +- this has the interval in it; rounded up
  Interval interval;  // within what the bounds allow
  bool informative;   // false: the interval is all that the bounds allow
  bool may_be_empty;  // true: that there are fewer than two rows is not excluded
};

// Built once for all groups that share law, shape and alpha.
class RelationInference {
 public:
  static Result<RelationInference> of(const PairLaw& law, const PairShape& shape, Alpha alpha, Relation relation);

  // One released number per node, in their order.
  Result<RelationInterval> from(std::span<const std::int64_t> released) const;

 private:
  RelationInference(const PairShape& shape, Relation relation, const PairNodeNoise& main, const PairNodeNoise& nuisance,
                    const PairNodeNoise& rows)
      : shape_(shape), relation_(relation), main_(main), nuisance_(nuisance), rows_(rows) {}
  PairShape shape_;
  Relation relation_;
  PairNodeNoise main_, nuisance_, rows_;  // at the parts of alpha that the test, each nuisance and the rows have
};

// The half width of a relation before there are data, in its own units, if there are so many rows, x and y have
// deviations of a quarter of their ranges and means a quarter of them from the middle, and the line of y on x rises by
// half of y's range over that of x.
double relation_accuracy(const PairLaw& law, const PairShape& shape, Alpha alpha, Relation relation, double rows);

}  // namespace vernier::interval
