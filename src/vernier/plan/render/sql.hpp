#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "vernier/plan/bound_study.hpp"
#include "vernier/query/dialect/dialect.hpp"
#include "vernier/query/value.hpp"

// The functions of ours that statements for the embedded engine call, each under a name that tells it from all others.
// What they compute is said here, and done in engine/.
namespace vernier::plan {

// The aggregate of form bottom_m, which the engine must know under this name. It takes a priority (UBIGINT), the number
// of a group (BIGINT; rows where it is NULL do not count) and arguments (BIGINT or NULL), and gives for the `groups`
// groups of least (priority, number) a list of structs: cell, c (rows), and of each argument n (values that are not
// NULL) and s (their sum). Of one group it is the struct itself, with c = 0 where nothing of the unit counts.
struct BottomM {
  std::int64_t groups;
  std::size_t arguments;
  std::int64_t most_rows;  // of a unit in a group; what comes behind is left out

  std::string name() const;
  std::vector<std::string> fields() const;  // "cell", "c", "n0", "s0", "n1", ...
};

// The function by which form bottom_m numbers public groups, which the engine must know under this name: from the keys
// of a row, of these types, to the number of their group, NULL where they have none.
struct CellOf {
  std::vector<query::Type> types;
  std::vector<std::vector<query::Value>> cells;

  std::string name() const;  // another one for other cells
};

// A function that the embedded engine must know under this name: the argument of a bounded real column, in one pass
// over the column where SQL takes eight. NULL and NaN are NULL; x is moved into the bounds and becomes floor(x * scale
// + 1/2) - origin, or the square of that.
struct StepsFunction {
  double lower, upper;
  double scale;
  std::int64_t origin;
  std::optional<Argument::Square> square;

  std::string name() const;
};

// The aggregate by which the embedded engine finds the values of a unit that count: of a priority (UBIGINT) and a value
// (BIGINT; where it is NULL the row does not count) the `values` of least (priority, value), as a list.
struct BottomValues {
  std::int64_t values;

  std::string name() const;
};

// The aggregate by which the embedded engine brings a histogram: of a column of BIGINT, or of lists of them, a list of
// structs: v (a value, each once, in any order) and n (how often). NULL does not count; of nothing it is empty.
struct ValueCounts {
  bool of_lists = false;

  std::string name() const { return of_lists ? "counts_of_lists" : "counts_of_values"; }
};

// The SQL of a bound statistic. No text of an analyst is in it; names and values of the catalog are quoted.

// How units that are in too many groups are cut down.
enum class BoundingForm : std::uint8_t {
  rows,      // every row is a unit: nothing to cut
  bottom_m,  // one pass over the rows with the aggregate bottom_m, which the embedded engine has
  window,    // row_number() over the groups of a unit, by the embedded engine's own hash
  portable,  // the same by md5 and without lists: any engine, and the same integers on each
};

// Where the secret stands in portable statements, as 32 hex digits; no name and no text of a catalog has it in it.
inline constexpr char secret_place = '\0';

// Where a portable statement over units may be told which of them to read, for those that are run in several passes: a
// condition on the unit, u. Sums over units are the sums of those over their parts; numbers of values that differ are
// not, and have no such place.
inline constexpr char pass_place = '\1';

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
  bool is_portable = false;
  std::optional<query::Type> unit = {};  // its type
  // Of portable statements: one for every histogram, in place of lists, whose columns are those of the group, a point
  // and how many rows have it. Where nothing else is asked, `text` is empty.
  std::vector<std::string> histogram_texts = {};
};

// Where the aggregate has no place for what is asked (can_use_bottom_m), form bottom_m is `window` with the functions
// of the embedded engine.
Sql render(const BoundStatistic& statistic, BoundingForm form, const query::Dialect& dialect = query::duckdb_dialect());

// An error where a statement means something else to engines, or they cannot hold it: values of reals, which have no
// text that is the same everywhere, chosen by a hash.
Result<void> check_portable(const BoundStatistic& statistic);

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
