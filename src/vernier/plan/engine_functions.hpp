#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "vernier/plan/bound_study.hpp"
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

}  // namespace vernier::plan
