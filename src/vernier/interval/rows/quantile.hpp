#pragma once

#include <array>
#include <cstdint>

#include "vernier/core/types.hpp"
#include "vernier/interval/statement.hpp"
#include "vernier/noise/candidates_near.hpp"
#include "vernier/noise/exponential.hpp"
#include "vernier/noise/rank_reach.hpp"
#include "vernier/noise/rank_statistic.hpp"

// The least or greatest value of the rows from the end that was drawn, and what ends say: quantile.md has the proof.
namespace vernier::interval {

// In steps of the declared grid. Every quantile of the rows for the fraction lies in [low, high] with probability
// 1 - alpha at least; of no rows at all every number counts as one.
struct QuantileInterval {
  static constexpr Status status = Status::proven;
  static constexpr Covers covers = Covers::bounded_value;
  std::int64_t value;     // of ends alone the middle of the interval, or half a step below it
  std::int64_t accuracy;  // value +- this has the interval in it
  std::int64_t low, high;
  bool informative;   // false: the interval is all that the bounds allow
  bool may_be_empty;  // true: that there is no row at all is not excluded, at the same alpha
};

// The interval of two ends, in points of the grid; an error where none can be drawn like that.
Result<QuantileInterval> interval_between(std::array<std::int64_t, 2> ends, const noise::RankStatistic& statistic,
                                          const noise::RankGrid& grid);

// How far from the quantile the ends are wanted, and what becomes of the ends that were drawn. Where a value is chosen
// with the interval around it, ValueQuantileInference says so.
class QuantileInference {
 public:
  using Points = std::array<std::int64_t, 2>;  // the ends

  // `statistic` is over the points of `grid`, and has no value.
  static Result<QuantileInference> of(const noise::RankStatistic& statistic, const noise::RankGrid& grid,
                                      const noise::Exponential& law, Alpha alpha);

  const noise::RankStatistic& statistic() const { return statistic_; }
  const noise::RankGrid& grid() const { return grid_; }
  const noise::Exponential& law() const { return law_; }
  std::int64_t reach() const { return reach_; }  // in units of 1 / denominator of a rank: known before any data

  // What draw_points() gives, in points of the grid; an error where it can give no such thing.
  Result<QuantileInterval> from(const Points& ends) const { return interval_between(ends, statistic_, grid_); }

 private:
  QuantileInference(const noise::RankStatistic& statistic, const noise::RankGrid& grid, const noise::Exponential& law,
                    std::int64_t reach)
      : statistic_(statistic), grid_(grid), law_(law), reach_(reach) {}
  noise::RankStatistic statistic_;
  noise::RankGrid grid_;
  noise::Exponential law_;
  std::int64_t reach_;
};

// A quantile of the rows from the value and the interval that were chosen together: quantile.md has the proof.
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
