#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "vernier/plan/bound_study.hpp"
#include "vernier/plan/engine_functions.hpp"

// The SQL of a bound statistic. No text of an analyst is in it; names and values of the catalog are quoted.
namespace vernier::plan {

// How units that are in too many groups are cut down.
enum class BoundingForm : std::uint8_t {
  rows,      // every row is a unit: nothing to cut
  bottom_m,  // one pass over the rows with the aggregate bottom_m, which the embedded engine has
  window,    // row_number() over the groups of a unit, in plain SQL: any engine
};

// The fastest form on the embedded engine, by what the statistic declares.
BoundingForm fastest_form(const BoundStatistic& statistic);

// One statement that reads the view of the table, whose columns have the declared types, once. Its columns are, for
// public keys, `cell` (BIGINT, the number of the group; groups without rows are absent), for private ones the keys, and
// then one BIGINT for every tally, moved into [-2^62, 2^62], and for every histogram a list of structs of two BIGINTs,
// a point and how many rows have it, each point once (of weighted rows a point and a weight in one number). $1 and $2,
// where `has_secret`, are two random BIGINTs: the key of the hash by which a unit's groups, and of these its values,
// are chosen.
struct Sql {
  std::string text;
  bool has_secret;
  bool has_cells;                      // the first column is the number of a public group
  std::vector<query::Type> key_types;  // else these come first
  std::size_t tallies;
  std::optional<BottomM> aggregate = {};
  std::optional<CellOf> cell_of = {};
  std::vector<StepsFunction> functions = {};
  std::size_t histograms = 0;
  std::optional<BottomValues> bottom_values = {};
  std::optional<ValueCounts> counts = {};
  // Of each histogram: 0, or where rows are weighted one more than the heaviest of them, and numbers are its multiple
  // by the point, plus the weight.
  std::vector<std::int64_t> packing = {};
};

// Where the aggregate has no place for what is asked (can_use_bottom_m), form bottom_m is `window` with the functions
// of the embedded engine.
Sql render(const BoundStatistic& statistic, BoundingForm form);

// Public keys of two groups at least, or one private integer, no more than greatest_bottom_m groups of a unit, and no
// values of units.
inline constexpr std::int64_t greatest_bottom_m = 64;
bool can_use_bottom_m(const BoundStatistic& statistic);

// Whether a unit may have rows in more groups than count, so that some must be chosen.
bool must_choose(const BoundStatistic& statistic);

// How many groups of one unit count at most.
std::int64_t most_groups(const BoundStatistic& statistic);

// What the view of a table is called in statements.
std::string view_name(const query::Table& table);

}  // namespace vernier::plan
