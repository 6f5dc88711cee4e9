#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vernier/plan/bound_study.hpp"
#include "vernier/plan/render/sql.hpp"
#include "vernier/query/dialect/dialect.hpp"

// The parts that all forms share: the rows that count, with a unit (u), keys (k0, k1, ...) and arguments (a0, a1, ...),
// and the declared groups. Only these aliases and names of the catalog in quotes ever stand in one SELECT.
namespace vernier::plan {

// How a statement is written: for which engine, whether with functions of ours that the embedded engine knows, and
// whether by md5 and without lists, so that it means the same to all engines.
struct Style {
  const query::Dialect& in = query::duckdb_dialect();
  bool functions = false;
  bool portable = false;
};

std::string whole(std::int64_t value);                                                    // as a constant
std::string numbered(std::string_view stem, std::size_t i);                               // "k0"
std::vector<std::string> numbered_list(std::string_view stem, std::size_t count);         // "k0", "k1", ...
std::string joined(const std::vector<std::string>& parts, std::string_view mark = ", ");  // "a, b"

// The rows of the table for which the filter is true, one SELECT. No row of a NULL unit is among them, nor of a NULL
// key where keys are private. Keys have the type of their column and one form for equal values. With `functions`
// arguments call those of the embedded engine, where there is one.
std::string counted_rows(const BoundStatistic& statistic, const Style& style);

// The columns that say which group a row of a unit belongs to: "cell", or of private keys "k0", "k1", ...
std::vector<std::string> group_columns(const BoundStatistic& statistic);

// The priority with which a unit keeps a group, or in it a value: a hash of unit, group, value and secret.
struct HashedValue {
  std::string sql;
  query::Type type;
  std::string number = {};  // among equal ones of the unit in the group, where each of them is chosen by itself
};
std::string priority(const BoundStatistic& statistic, const Style& style, const HashedValue* value = nullptr);

// The public groups as a table `d` of cell and keys, with the condition that joins it to keys of `rows`.
std::string declared_groups(const Keys& keys, const query::Dialect& in);
std::string same_keys(std::string_view rows, std::size_t count);

// The integer of a row, a BIGINT within its steps, or NULL. Of what is no number: 0, or NULL. Of a value: itself, in
// one form for equal ones. Without its weight.
std::string rendered_argument(const Argument& argument, const query::Dialect& in);

// The same by a function of the embedded engine, where there is one and functions are wanted.
std::string called_argument(const Argument& argument, const Style& style);

// The function that gives the same, of a bounded real column.
std::optional<StepsFunction> steps_function(const Argument& argument);

// The declared columns of a table, each of its declared type: the view of a file or of rows in memory, or a SELECT in
// brackets from the engine's own table.
std::string source_rows(const query::Table& table, const query::Dialect& in);

// What rows are counted from: those of the table, or a SELECT in brackets that adds the columns of joined tables to
// them, under an alias. Every row of the table is in it at most once, whatever the public tables hold; with other
// protected tables as often as rows of the same unit meet it.
std::string joined_rows(const BoundStatistic& statistic, const query::Dialect& in);

// The public table with one row for each key: keys as " key 0", ..., the columns that it brings as " value 0", ...; no
// name of a catalog begins with a blank. Where a key has several rows, the least of each column stands for them; the
// engine refuses such a table before it comes to that.
std::string public_rows(const BoundJoin& join, const query::Dialect& in);

// A statement that gives one key that several rows of the public table have, as texts; no row where there is none.
std::string repeated_key(const BoundJoin& join, const query::Dialect& in = query::duckdb_dialect());

// Arguments of weighted rows.
// The integer of a row times its weight, a BIGINT within the argument's steps, or NULL where one of both is.
std::string weighted_argument(const Argument& argument, const Style& style);

// What it is the product of; itself, where it has no weight.
std::vector<Argument> parts_of(const Argument& argument);

}  // namespace vernier::plan
