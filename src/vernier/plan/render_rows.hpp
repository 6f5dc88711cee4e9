#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vernier/plan/sql.hpp"

// The parts that all forms share: the rows that count, with a unit (u), keys (k0, k1, ...) and arguments (a0, a1, ...),
// and the declared groups. Only these aliases and names of the catalog in quotes ever stand in one SELECT.
namespace vernier::plan {

std::string whole(std::int64_t value);                                                    // as a constant
std::string numbered(std::string_view stem, std::size_t i);                               // "k0"
std::vector<std::string> numbered_list(std::string_view stem, std::size_t count);         // "k0", "k1", ...
std::string joined(const std::vector<std::string>& parts, std::string_view mark = ", ");  // "a, b"

// The rows of the table for which the filter is true, one SELECT. No row of a NULL unit is among them, nor of a NULL
// key where keys are private. Keys have the type of column_type() and one form for equal values. With `functions`
// arguments call those of the embedded engine, where there is one.
std::string counted_rows(const BoundStatistic& statistic, bool functions);

// The public groups as a table `d` of cell and keys, with the condition that joins it to keys of `rows`.
std::string declared_groups(const Keys& keys);
std::string same_keys(std::string_view rows, std::size_t count);

// The integer of a row, a BIGINT within its steps, or NULL. Of what is no number: 0, or NULL. Of a value: itself, in
// one form for equal ones. Without its weight.
std::string rendered_argument(const Argument& argument);

// The same by a function of the embedded engine, where there is one and `functions` are wanted.
std::string called_argument(const Argument& argument, bool functions);

// The function that gives the same, of a bounded real column.
std::optional<StepsFunction> steps_function(const Argument& argument);

}  // namespace vernier::plan
