#pragma once

#include "vernier/plan/bound_study.hpp"

// Weighted rows in what is measured: survey_weight.md. All of these leave things as they are where rows have no
// weights.
namespace vernier::plan {

// Whether the node sums of x stay within 62 bits, whatever the weights are. The subject of an error, the column, is for
// the caller to add.
Result<void> check_weighted(const BoundStatistic& statistic, const Argument& x);

// The same of the sum of x itself, which counts from 0 on and not from its lower bound.
Result<void> check_weighted_sum(const BoundStatistic& statistic, const Argument& x);

// Whether weighted ranks stay within their bits, and the argument that is the weight of rows; none where they have
// none.
Result<void> check_weighted_ranks(const BoundStatistic& statistic, const Measurement& quantile);
std::optional<std::size_t> weight_argument(BoundStatistic& statistic);

// The argument times the row's weight; itself where rows have none.
Argument weighted(const BoundStatistic& statistic, Argument argument);

// The same of grids, whose expressions nobody reads: times the weight of a row; and whether a value is there, so many
// times that weight.
Argument presence_grid();
Argument weighted_grid(const BoundStatistic& statistic, Argument grid);
Argument weighted_presence(const BoundStatistic& statistic, std::int64_t times);

// The weight of rows where x is not NULL, so many times; `x` none: of all rows.
Argument weight_where(const BoundStatistic& statistic, const std::optional<query::Expression>& x, std::int64_t times);

// The tally that tells what all nodes add up to: the values of the argument at `below`, each of which adds as much, or
// the sum of what weighted rows of x add.
std::size_t total_tally(BoundStatistic& statistic, const Argument& x, std::size_t below, std::int64_t fineness);

}  // namespace vernier::plan
