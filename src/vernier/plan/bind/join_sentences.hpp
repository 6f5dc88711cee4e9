#pragma once

#include <string>
#include <vector>

#include "vernier/plan/bound_study.hpp"

namespace vernier::plan {

// How the rows of two protected tables are of one unit.
struct TableLink {
  bool is_way = false;  // a row of `table` belongs to the units of the rows of `other` that have its key; else
  std::string table;    // the columns name the same units
  std::string column;
  std::string other;
  std::string other_column;

  friend bool operator==(const TableLink&, const TableLink&) = default;
};
inline constexpr std::size_t most_links = 400;

// Each once. A statistic that was read from a record has no tables: the links that it states stand in their place.
std::vector<TableLink> links_of(const BoundStatistic& statistic);
void state_links(BoundStatistic& statistic, const std::vector<TableLink>& links);

// What a guarantee takes for true where rows of several protected tables make one, or name their unit by way of another
// table: one sentence for each pair of tables.
std::vector<std::string> join_sentences(const BoundStatistic& statistic);

}  // namespace vernier::plan
