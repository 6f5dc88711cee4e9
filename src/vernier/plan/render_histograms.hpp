#pragma once

#include <string>
#include <vector>

#include "vernier/plan/bound_study.hpp"
#include "vernier/plan/engine_functions.hpp"

// Histograms in the statement of a statistic, as render.cpp needs them. `functions`: with the aggregates of the
// embedded engine, else in SQL.
namespace vernier::plan {

// What Sql::packing says of each.
std::vector<std::int64_t> packing_of(const BoundStatistic& statistic);

// "h0", "h1", ...
std::vector<std::string> histogram_names(const BoundStatistic& statistic);

// Of the columns a0, a1, ... of rows that are units.
std::vector<std::string> histograms_of_rows(const BoundStatistic& statistic, bool functions);

// The values v0, v1, ... of a unit in a group that count; `group` are the columns of the group.
std::vector<std::string> values_of_unit(const BoundStatistic& statistic, const std::vector<std::string>& group,
                                        bool functions);

// Of these.
std::vector<std::string> histograms_of_units(const BoundStatistic& statistic, bool functions);

}  // namespace vernier::plan
