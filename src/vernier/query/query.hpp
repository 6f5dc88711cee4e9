#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vernier/query/catalog.hpp"
#include "vernier/query/expression/expression.hpp"

// Joins with public tables. A row of the protected table finds at most one row of a public one, by its own values
// alone, so that no unit gets more rows than it had (plan/bind/join.md).
namespace vernier::query {

struct Join {
  std::string table;                 // a public one of the catalog
  std::vector<std::string> columns;  // of USING, as the columns to the left are named; none twice
  bool keeps_all = false;            // LEFT JOIN: a row that finds nothing stays, with NULL in the columns of the table

  friend bool operator==(const Join&, const Join&) = default;
};

// Why the tables cannot be joined so, as a sentence that says what to do; empty where they can. `left` is what was
// joined so far.
std::string fault_of_join(const Table& left, const Table& right, const std::vector<std::string>& columns);

// The left table with the columns of the right one that USING does not name behind its own.
Table joined(Table left, const Table& right, const std::vector<std::string>& columns);

// What an analyst asked, in Vernier's own words: one table, what is looked up for its rows, rows that count, keys, and
// statistics per key.
enum class Aggregate : std::uint8_t {
  count_rows,
  count,
  count_units,  // COUNT(DISTINCT x) where x names the unit
  count_distinct,
  sum,
  average,
  variance_sample,
  variance_population,
  deviation_sample,
  deviation_population,
  quantile,
  least,
  greatest,
};

// As SQL names it: "AVG".
std::string_view name_of(Aggregate aggregate);

// Whether the margin of error does not depend on the data: counts and sums.
constexpr bool has_fixed_margin(Aggregate aggregate) { return aggregate <= Aggregate::sum; }

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
  std::optional<Expression> argument;  // none of COUNT(*); a bounded number, of 64 bits if an integer, but for counts
  std::string name;                    // of the published column
  Fraction fraction = {};              // of QUANTILE; MEDIAN is that of one half

  friend bool operator==(const Aggregation&, const Aggregation&) = default;
};

// Keys have any type; a real one is a BUCKET or a column with declared keys, since others have no keys in common.
struct Key {
  Expression expression;
  std::string name;

  friend bool operator==(const Key&, const Key&) = default;
};

struct KeyOrder {
  std::size_t key;
  bool descending;

  friend bool operator==(const KeyOrder&, const KeyOrder&) = default;
};

// A published column: a key or a statistic, by its place in its list.
struct Output {
  bool is_key;
  std::size_t place;

  friend bool operator==(const Output&, const Output&) = default;
};

struct Query {
  std::string table;                      // a protected one of the catalog
  std::optional<Expression> filter;       // rows for which it is true count; none: all
  std::vector<Key> keys;                  // in the order of GROUP BY
  std::vector<Aggregation> aggregations;  // in the order of SELECT, at least one
  std::vector<Output> outputs;            // the published columns in the order of SELECT: every key and statistic once
  std::vector<KeyOrder> order;            // of the published rows; of keys alone, so that it tells nothing of the data
  std::vector<Join> joins = {};           // with public tables, in the order of the statement

  friend bool operator==(const Query&, const Query&) = default;
};

// The statement that asks this, in one form for all that mean the same; reading it gives the query again,
// if it is not too long to be read.
std::string canonical(const Query& query);
std::string canonical(const Expression& x);
std::string canonical(const Aggregation& aggregation);  // without its name

}  // namespace vernier::query
