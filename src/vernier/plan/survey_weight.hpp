#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "vernier/core/result.hpp"
#include "vernier/query/catalog.hpp"
#include "vernier/query/study.hpp"

// Survey weights: for how many members of the population a row stands. survey_weight.md has the reasons.
namespace vernier::plan {

// Weights are whole steps of a grid, from 0 on, so that weighted sums are exact. Only their ratios matter to a mean; to
// a count or a sum they are numbers of members.
struct SurveyWeight {
  std::string column;
  double granularity = 1;     // a power of two
  std::int64_t heaviest = 1;  // of one row, in steps

  double most_members() const { return static_cast<double>(heaviest) * granularity; }  // of one row

  friend bool operator==(const SurveyWeight&, const SurveyWeight&) = default;
};

// Where intervals are about a population and the table declares weights; none else: rows then count as they are.
std::optional<SurveyWeight> weight_of(const query::Table& table, const query::Inference& inference);

struct BoundStatistic;
struct Sensitivity;

// The weight of the heaviest row in steps; 1 where rows have none.
std::int64_t heaviest_of(const BoundStatistic& statistic);

// Whether the node sums of values from 0 to `steps` stay within 62 bits whatever the weights are.
bool weights_fit(const BoundStatistic& statistic, std::int64_t steps);

// Of the sum of weights, to which a row adds from 0 to the heaviest.
Result<Sensitivity> weighted_count_sensitivity(const BoundStatistic& statistic);

// moment_fineness for rows that are as heavy as the heaviest.
std::int64_t node_fineness(const BoundStatistic& statistic, std::int64_t steps);

}  // namespace vernier::plan
