#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vernier/plan/bound_study.hpp"
#include "vernier/plan/render/sql.hpp"

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

// What rows are counted from: the view of the table, or a SELECT in brackets that adds the columns of joined tables
// to it. Every row of the table is in it at most once, whatever the public tables hold.
std::string joined_rows(const BoundStatistic& statistic);

// The public table with one row for each key: keys as " key 0", ..., the columns that it brings as " value 0", ...; no
// name of a catalog begins with a blank. Where a key has several rows, the least of each column stands for them; the
// engine refuses such a table before it comes to that.
std::string public_rows(const BoundJoin& join);

// A statement that gives one key that several rows of the public table have, as texts; no row where there is none.
std::string repeated_key(const BoundJoin& join);

// Arguments of weighted rows.
// The integer of a row times its weight, a BIGINT within the argument's steps, or NULL where one of both is.
std::string weighted_argument(const Argument& argument, bool functions);

// What it is the product of; itself, where it has no weight.
std::vector<Argument> parts_of(const Argument& argument);

}  // namespace vernier::plan
