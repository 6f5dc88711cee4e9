#pragma once

#include <string>
#include <vector>

#include "vernier/plan/bound_study.hpp"
#include "vernier/plan/render/rows.hpp"
#include "vernier/plan/render/sql.hpp"

// Histograms and values that differ in the statement of a statistic, as render.cpp needs them.
namespace vernier::plan {

// What Sql::packing says of each.
std::vector<std::int64_t> packing_of(const BoundStatistic& statistic);

// "h0", "h1", ...
std::vector<std::string> histogram_names(const BoundStatistic& statistic);

// Of the columns a0, a1, ... of rows that are units.
std::vector<std::string> histograms_of_rows(const BoundStatistic& statistic, bool functions);

// The run of values in which the argument of a histogram lies: an integer from 0 on; of weighted rows with the weight.
std::string point_of(const BoundStatistic& statistic, const Histogram& histogram, const Style& style);

// The rows of units, those with equal points of each histogram numbered from 1 on: e0, e1, ...
std::string rows_of_units(const BoundStatistic& statistic, const std::vector<Histogram>& histograms,
                          const Style& style);

// The values v0, v1, ... of a unit in a group that count, as lists where several do.
std::vector<std::string> values_of_unit(const BoundStatistic& statistic, const Style& style);

// Of these.
std::vector<std::string> histograms_of_units(const BoundStatistic& statistic, bool functions);

// The parts of a statement that count the values of an argument that differ. Of the values of a unit in a group those
// of least hash(unit, group, value, secret) count, max_rows at most; render.md says why.

bool has_distinct(const BoundStatistic& statistic);

// Where one value of a unit counts, it is found on the way, among what a unit has in a group: value0, value1, ... for
// the arguments that need it. Else the rows are read a second time, by the tables below.
bool is_on_the_way(const BoundStatistic& statistic);
std::vector<std::string> values_on_the_way(const BoundStatistic& statistic, const Style& style);

// Of each distinct tally a table "q2 AS (...)" of groups and t2, from the rows c and, where units choose their groups,
// from those that count, b. None where it is done on the way.
std::vector<std::string> distinct_tables(const BoundStatistic& statistic, const Style& style);

// `sums`, a table of groups and all other tallies, with the tallies of these tables.
std::string with_distinct(const BoundStatistic& statistic, const std::string& sums);

}  // namespace vernier::plan
