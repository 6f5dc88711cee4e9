#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vernier/query/aggregate.hpp"
#include "vernier/query/catalog.hpp"
#include "vernier/query/expression/expression.hpp"
#include "vernier/query/formula.hpp"

// Joins. A row of the protected table finds at most one row of a public one, by its own values alone, so that no unit
// gets more rows than it had (plan/bind/join.md). Rows of two protected tables meet where they are of one unit, so that
// what they make is of that unit alone (plan/bind/unit_join.md).
namespace vernier::query {

enum class JoinKind : std::uint8_t {
  lookup,   // in a public table
  by_unit,  // with a protected table: the first pair of columns names the unit of both
  having,   // rows stay that would find one
  lacking,  // rows stay that would find none
};

struct Join {
  std::string table;                 // a public one of the catalog
  std::vector<std::string> columns;  // of USING, as the columns to the left are named; none twice
  bool keeps_all = false;            // LEFT JOIN: a row that finds nothing stays, with NULL in the columns of the table
  std::vector<std::string> right = {};  // ON: as the table itself names them; none: as the columns to the left

  JoinKind kind = JoinKind::lookup;
  std::string alias = {};                 // by_unit: what the statement calls the table, if not by its name
  std::optional<Expression> filter = {};  // having, lacking: rows of the table that can be found; none: all

  const std::vector<std::string>& right_columns() const { return right.empty() ? columns : right; }
  const std::string& called() const { return alias.empty() ? table : alias; }
  bool brings_columns() const { return kind == JoinKind::lookup || kind == JoinKind::by_unit; }
  friend bool operator==(const Join&, const Join&) = default;
};

// Why the tables cannot be joined so, as a sentence that says what to do; empty where they can. `left` is what was
// joined so far.
std::string fault_of_join(const Table& left, const Table& right, const Join& join);

// The columns that a join brings, as statements see them: those of the right table by which it is not joined. Where
// both are protected, a name that the left has as well stands behind the name of the table: "visits.cost".
std::vector<Column> brought_by(const Table& left, const Table& right, const Join& join);

// The left table with these behind its own.
Table joined(Table left, const Table& right, const Join& join);

// Of QUANTILE(x, p): p = parts / whole, in lowest terms, between 0 and 1.
struct Fraction {
  std::int64_t parts = 1;
  std::int64_t whole = 2;

  friend bool operator==(const Fraction&, const Fraction&) = default;
};
inline constexpr int most_fraction_digits = 6;  // behind the point of p
std::string text_of(Fraction fraction);         // "0.25"

struct Aggregation {
  Aggregate aggregate;
  std::optional<Expression> argument;    // none of COUNT(*); a bounded number, of 64 bits if an integer, but for counts
  std::string name;                      // of the published column
  Fraction fraction = {};                // of QUANTILE; MEDIAN is that of one half
  std::optional<Expression> other = {};  // of what takes a pair: x, where the argument is y
  std::vector<Expression> more = {};     // of a regression: further x

  friend bool operator==(const Aggregation&, const Aggregation&) = default;
};

// Keys have any type; a real one is a BUCKET or a column with declared keys, since others have no keys in common.
struct Key {
  Expression expression;
  std::string name;

  friend bool operator==(const Key&, const Key&) = default;
};

// A column: a key, a statistic or a formula, by its place in its list.
struct Output {
  bool is_key;
  std::size_t place;
  bool is_formula = false;

  friend bool operator==(const Output&, const Output&) = default;
};

struct KeyOrder {
  std::size_t key;
  bool descending;
  std::optional<Output> number = {};  // in place of the key: a statistic or a formula, as it was published

  friend bool operator==(const KeyOrder&, const KeyOrder&) = default;
};

// SELECT unit, SUM(x) AS total ... GROUP BY unit behind FROM: one row for each unit and, where there are other keys,
// for each of their values (plan/bind/per_unit.md).
struct PerUnit {
  std::optional<Expression> filter = {};  // rows that are added up; none: all
  std::vector<Key> keys = {};             // the unit, and others
  std::vector<Aggregation> totals = {};   // columns of what comes out

  friend bool operator==(const PerUnit&, const PerUnit&) = default;
};

// A table that the statement makes of protected ones, and uses like one of them (query/made.hpp).
struct MadeTable {
  Table table;

  friend bool operator==(const MadeTable& a, const MadeTable& b);  // of one name, and of the same rows
};

// What an analyst asked, in Vernier's own words: one table, what is looked up for its rows, rows that count, keys, and
// statistics per key.
struct Query {
  std::string table;                       // a protected one of the catalog
  std::optional<Expression> filter;        // rows for which it is true count; none: all
  std::vector<Key> keys;                   // in the order of GROUP BY
  std::vector<Aggregation> aggregations;   // in the order of SELECT, at least one
  std::vector<Output> outputs;             // the published columns in the order of SELECT: every key once
  std::vector<KeyOrder> order;             // of the published rows: by keys and published numbers
  std::vector<Join> joins = {};            // with public tables, in the order of the statement
  std::vector<Formula> formulas = {};      // made of published statistics; those that order rows alone are no outputs
  std::optional<Formula> having = {};      // rows for which it is not true are left out
  std::optional<std::int64_t> limit = {};  // so many rows at most
  std::int64_t offset = 0;                 // and so many of the first ones not
  std::optional<PerUnit> per_unit = {};    // of the joined rows, before all else
  std::vector<MadeTable> made = {};        // those that it uses, each before the ones that use it

  bool has_selection() const { return having.has_value() || limit.has_value() || offset > 0; }
  // Whether rows are chosen by what was published, so that intervals have to hold for those that were chosen.
  bool selects_by_numbers() const;
  // Whether the statistic is published by itself, and not only in what is made of it.
  bool is_shown(std::size_t aggregation) const;
  const std::string& name_of(const Output& output) const;
  std::vector<std::string> statistic_names() const;

  friend bool operator==(const Query&, const Query&) = default;
};

// The statement that asks this, in one form for all that mean the same; reading it gives the query again,
// if it is not too long to be read.
std::string canonical(const Query& query);
std::string canonical(const Expression& x);
std::string canonical(const Aggregation& aggregation);  // without its name

}  // namespace vernier::query
