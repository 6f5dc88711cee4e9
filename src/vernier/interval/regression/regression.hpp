#pragma once

#include <optional>
#include <span>

#include "vernier/core/types.hpp"
#include "vernier/interval/regression/many_noises.hpp"
#include "vernier/interval/regression/moments.hpp"
#include "vernier/interval/statement.hpp"

// Least squares of y on several x from noisy second moments, with intervals that hold at every number of rows:
// regression.md.
namespace vernier::interval {

enum class RegressionPart : std::uint8_t {
  coefficient,  // of an x; of place 0 the intercept, where every x is 0
  deviation,    // of the residuals: the root of their squares over the rows less the coefficients
  explained,    // R^2: the part of the squares of y about their mean that the line takes away
};
struct Regressed {
  RegressionPart part;
  std::size_t place = 0;  // of a coefficient
};

// Coefficients beyond this many ranges of y over a range of x are not told apart from infinite ones.
inline constexpr double steepest_coefficient = 0x1p20;

// The number of the rows lies in the interval with probability 1 - alpha at least; where it is not defined, as with
// columns that are a combination of others, every number counts as it.
struct RegressionInterval {
  static constexpr Status status = Status::proven;
  static constexpr Covers covers = Covers::bounded_value;
  double value;
  double accuracy;
  Interval interval;
  bool informative;  // false: nothing is known, and the interval claims nothing
  bool may_be_empty;
};

// Built once for all groups that share law, shape and alpha. The last column of the shape is y.
class RegressionInference {
 public:
  static Result<RegressionInference> of(const PairLaw& law, const MomentShape& shape, Alpha alpha, Regressed asked);

  Result<RegressionInterval> from(std::span<const std::int64_t> released) const;

 private:
  RegressionInference(MomentShape shape, Regressed asked, const ManyNoises& main, const ManyNoises& nuisance,
                      const ManyNoises& rows)
      : shape_(std::move(shape)), asked_(asked), main_(main), nuisance_(nuisance), rows_(rows) {}
  MomentShape shape_;
  Regressed asked_;
  ManyNoises main_, nuisance_, rows_;
};

// The half width before there are data, in the figure's own units, if there are so many rows, columns have deviations
// of a quarter of their ranges and means a quarter of them from the middle, no x goes with another, and y rises by half
// of its range over that of one x.
double regression_accuracy(const PairLaw& law, const MomentShape& shape, Alpha alpha, Regressed asked, double rows);

}  // namespace vernier::interval
