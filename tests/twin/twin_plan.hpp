#pragma once

#include <filesystem>
#include <string>

#include "twin/random_table.hpp"
#include "vernier/engine/engine.hpp"
#include "vernier/plan/bound_study.hpp"

namespace vernier::twin {

// A statement that is bound, twice: for a table and for its neighbour. Nothing but the table's name and source differs,
// since nothing else is known when a plan is made.
struct TwinPlan {
  std::string sql;
  query::Catalog catalog;  // of the first table
  plan::BoundStatistic first;
  plan::BoundStatistic second;
  engine::Secret secret;
  std::optional<plan::BoundTables> tables = {};  // whose rows both count, where it is a [[table]]

  const query::Table& table() const { return catalog.tables.front(); }
  query::Table twin() const;  // the second table as the catalog would have it
};

// Plans of these numbers and above join a public table.
inline constexpr std::uint64_t first_join = 10'000'000;
// And of these means over a table whose number of rows is public.
inline constexpr std::uint64_t first_public_count = 20'000'000;
// And of these several quantiles of one column.
inline constexpr std::uint64_t first_tree = 30'000'000;
// And of these statistics of a population whose rows are weighted.
inline constexpr std::uint64_t first_weighted = 40'000'000;
// and from here on those of relations of columns.
inline constexpr std::uint64_t first_related = 50'000'000;
// and from here on those of tables that add up.
inline constexpr std::uint64_t first_tables = 60'000'000;

// The plan of this number: the same number, the same plan. It is drawn anew until the front door and the binder accept
// it.
struct DrawnPlan {
  TwinPlan plan;
  Neighbours rows;
  std::vector<Row> public_rows;
};
DrawnPlan draw_plan(const std::filesystem::path& folder, std::uint64_t number);

// The same statement bound under another declaration of the table; none where it is refused there.
std::optional<plan::BoundStatistic> bound_again(const TwinPlan& plan, const query::Table& declaration);

}  // namespace vernier::twin
