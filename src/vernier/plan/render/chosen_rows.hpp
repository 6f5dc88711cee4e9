#pragma once

#include <string>

#include "vernier/plan/render/rows.hpp"

// The rows of units that count in all groups together, as the contrasts of a [[table]] need them.
namespace vernier::plan {

// Whether several rows of a unit count whatever groups they are in: in the statement of a [[table]], which measures
// nothing itself, `max_rows` of them. Everywhere else `max_rows` is about one group.
bool chooses_rows(const BoundStatistic& statistic);

// WITH c, all rows (`coded`), to b: how many of the rows of a unit that count, c, are in each group. They are those of
// least (hash, group, number), where equal rows of the unit are numbered, so that each is as likely as any other.
std::string chosen_rows(const BoundStatistic& statistic, const std::string& coded, const Style& style);

}  // namespace vernier::plan
