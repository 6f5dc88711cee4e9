#pragma once

#include <span>

#include "vernier/core/types.hpp"
#include "vernier/interval/components/matrix_noise.hpp"
#include "vernier/interval/regression/many_noises.hpp"
#include "vernier/interval/statement.hpp"

// Principal components of several columns from noisy second moments: the variance along each and its share of all, with
// intervals that hold at every number of rows: components.md.
namespace vernier::interval {

enum class ComponentPart : std::uint8_t {
  variance,  // an eigenvalue of the covariance matrix of the sample
  share,     // of the sum of all eigenvalues
};
struct Component {
  ComponentPart part;
  std::size_t place = 0;               // 0 is the greatest
  std::size_t first = 0, columns = 0;  // of so many columns from the first on; 0: of all
};

// The number of the rows lies in the interval with probability 1 - alpha at least; where it is not defined, as of one
// row, every number counts as it.
struct ComponentInterval {
  static constexpr Status status = Status::proven;
  static constexpr Covers covers = Covers::bounded_value;
  double value;
  double accuracy;
  Interval interval;
  bool informative;  // false: nothing is known, and the interval claims nothing
  bool may_be_empty;
};

// Built once for all groups that share law, shape and alpha.
class ComponentInference {
 public:
  static Result<ComponentInference> of(const PairLaw& law, const MomentShape& shape, Alpha alpha, Component asked);

  Result<ComponentInterval> from(std::span<const std::int64_t> released) const;

 private:
  ComponentInference(MomentShape shape, Component asked, const MatrixNoise& main, const ManyNoises& means,
                     const ManyNoises& rows)
      : shape_(std::move(shape)), asked_(asked), main_(main), means_(means), rows_(rows) {}
  MomentShape shape_;
  Component asked_;
  MatrixNoise main_;
  ManyNoises means_, rows_;
};

// The half width before there are data, if there are so many rows, columns have deviations of a quarter of their ranges
// and means a quarter of them from the middle, and none goes with another.
double component_accuracy(const PairLaw& law, const MomentShape& shape, Alpha alpha, Component asked, double rows);

}  // namespace vernier::interval
