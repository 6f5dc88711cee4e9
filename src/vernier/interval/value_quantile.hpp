#pragma once

#include "vernier/interval/quantile.hpp"
#include "vernier/noise/candidates_near.hpp"

// A quantile of the rows from the value and the interval that were chosen together: quantile.md has the proof.
namespace vernier::interval {

class ValueQuantileInference {
 public:
  using Points = noise::ChosenValue;

  // `statistic` is a quantile of the rows over the points of `grid`.
  static Result<ValueQuantileInference> of(const noise::RankStatistic& statistic, const noise::RankGrid& grid,
                                           const noise::Exponential& law, Alpha alpha);

  const noise::RankStatistic& statistic() const { return statistic_; }
  const noise::RankGrid& grid() const { return grid_; }
  const noise::Exponential& law() const { return law_; }
  const noise::ValueReach& reach() const { return reach_; }  // known before any data

  // What draw_points() gives, in points of the grid; an error where it can give no such thing.
  Result<QuantileInterval> from(const Points& chosen) const;

 private:
  ValueQuantileInference(const noise::RankStatistic& statistic, const noise::RankGrid& grid,
                         const noise::Exponential& law, const noise::ValueReach& reach)
      : statistic_(statistic), grid_(grid), law_(law), reach_(reach) {}
  noise::RankStatistic statistic_;
  noise::RankGrid grid_;
  noise::Exponential law_;
  noise::ValueReach reach_;
};

}  // namespace vernier::interval
