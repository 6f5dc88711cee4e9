#pragma once

#include <string_view>

#include "vernier/plan/bound_study.hpp"

// In which ways the columns of a statistic can be measured: from sums that they share, or each by itself; quantiles by
// a tree of counts or by choices. ways.md says which are tried.
namespace vernier::plan {

// What is decided before a statistic is bound.
struct Way {
  std::vector<std::string> apart = {};
  std::optional<std::string> rows_by = {};
  bool is_boxed = false;
};

// Whether the column of this name is to share nothing.
bool is_apart(const BoundStatistic& statistic, std::string_view name);

// Other ways than the one in which the statistic is bound, which is the usual one: everything shared that can be, but
// rows counted by themselves.
std::vector<Way> ways_beside(const BoundStatistic& statistic);

}  // namespace vernier::plan
