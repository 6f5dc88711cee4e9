#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "vernier/core/types.hpp"
#include "vernier/plan/sensitivity.hpp"
#include "vernier/plan/survey_weight.hpp"
#include "vernier/query/catalog.hpp"
#include "vernier/query/query.hpp"
#include "vernier/query/study.hpp"

// What was asked, bound to the catalog: which integers are counted and summed for each group, how far one unit can move
// them, and which groups there are. Nothing in it depends on data.
namespace vernier::plan {

// The groups of a statistic. Public ones are all published, in this order, and are numbered from 0; a row whose key is
// none of them, or is NULL, leaves before anything is counted. Private ones are found in the data and pass a threshold.
struct Keys {
  bool are_public = true;
  std::vector<std::vector<query::Value>> cells;  // of public keys: the tuples; one empty tuple where nothing is grouped

  Groups groups() const { return {are_public, static_cast<std::int64_t>(cells.size())}; }
};

// An argument of a statistic, as an integer per row: floor(value / granularity + 1/2) - origin, within steps.
struct Argument {
  // The integer k of a row, between 0 and `steps`, is replaced by about k^2 * fineness / steps
  // (interval/rows/variance.md), or by that of steps - k.
  struct Square {
    std::int64_t steps;
    std::int64_t fineness;
    bool is_from_above;  // of steps - k

    friend bool operator==(const Square&, const Square&) = default;
  };

  // Of weighted rows: the integer is multiplied by the row's weight, in steps, which is NULL where that is; of what is
  // no number, `total` times the weight stands in its place.
  struct Weight {
    query::Expression column;
    double granularity;
    std::int64_t total;

    friend bool operator==(const Weight&, const Weight&) = default;
  };

  query::Expression expression;
  double granularity = 1;   // a power of two; 1 of integers
  std::int64_t origin = 0;  // in steps: the lower bound for a mean, else 0
  Steps steps{0, 0};        // of the integer, after the origin was taken off
  bool is_number = true;    // false: only whether it is NULL is asked
  bool is_value = false;    // no integer, but the value itself: those that differ are counted
  std::optional<Square> square = {};
  std::optional<Weight> weight = {};
};

// An integer that the engine brings for every group, after bounding.
enum class TallyKind : std::uint8_t {
  units,     // units with at least one row
  rows,      // sum over units of min(rows, max_rows)
  values,    // the same of rows where the argument is not NULL
  sum,       // sum over units of the argument; a unit with c > max_rows values adds max_rows / c of its sum, truncated
  distinct,  // values of the argument that differ; of a unit's max_rows count, those of least keyed hash
};
struct Tally {
  TallyKind kind;
  std::size_t argument = 0;  // of `values`, `sum` and `distinct`

  friend bool operator==(const Tally&, const Tally&) = default;
};

// How many rows of a group have each value of an argument, after bounding: of a unit with more than max_rows values in
// a group those of least hash(unit, group, value, secret) count. Values are taken in runs of 2^halvings. Of weighted
// rows the argument `weight` is added up in place of rows, and value and weight are chosen together.
struct Histogram {
  std::size_t argument = 0;
  int halvings = 0;
  std::optional<std::size_t> weight = {};

  friend bool operator==(const Histogram&, const Histogram&) = default;
};

// What is measured: a vector of integers, `width` for each group, that gets noise of one law.
enum class MeasurementKind : std::uint8_t {
  units,  // the number of units, by which private keys are chosen, and which may be a published count as well
  count,
  sum,
  mean,            // two node sums: steps * values - sum, and sum
  moments,         // three node sums of Bernstein's basis, of (K-k)^2, 2k(K-k) and k^2 in parts of the weight
  quantiles,       // the ends that are chosen for a quantile, MIN or MAX, and a quantile's value, in points
  distinct,        // the number of values that differ
  public_mean,     // a sum, behind the number of rows, which is public and gets no noise (public_count.md)
  public_moments,  // the three node sums of moments, likewise
  quantile_tree,   // the two ends of each of several quantiles, read from one tree of noisy counts (bind/ranks.hpp)
};
std::string_view name_of(MeasurementKind kind);  // "mean"

// Whether rows are counted by their values: it has a histogram in place of tallies.
constexpr bool has_histogram(MeasurementKind kind) {
  return kind == MeasurementKind::quantiles || kind == MeasurementKind::quantile_tree;
}

// What is published from the noisy integers of a measurement.
enum class Figure : std::uint8_t {
  count,
  sum,
  mean,
  variance_sample,
  variance_population,
  deviation_sample,
  deviation_population,
  quantile,
  least,
  greatest,
};
std::string_view name_of(Figure figure);  // "variance-sample"

// Counts and sums are known within a margin that does not depend on the data; of the others the interval is what a
// group's rows allow.
constexpr bool has_fixed_margin(Figure figure) { return figure == Figure::count || figure == Figure::sum; }

// Whether the accuracy is in ranks: known before the data, whatever they are.
constexpr bool is_in_ranks(Figure figure) { return figure >= Figure::quantile; }

struct Measurement {
  MeasurementKind kind;
  Figure figure = Figure::count;
  std::optional<std::size_t> aggregation;  // of the query, that it is published as; none: it serves the keys alone
  // The measurement of the same statistic, before this one, from whose noisy integers the figure is made: it has no
  // noise of its own, and gives nothing more away. None: it is measured itself.
  std::optional<std::size_t> source = {};
  std::size_t width = 1;          // integers for each group; 0 where there is a source
  query::Fraction fraction = {};  // of a quantile
  bool absorbs_sample = false;    // of a quantile: its ends reach over the error of sampling, too
  // One; of a mean: values, sum; of moments: values, the two sums of squares, and of weighted rows their total weight
  // in place of values; of quantiles: the histogram instead. Of what rests on the public number of rows: rows in place
  // of values.
  std::vector<std::size_t> tallies;
  double granularity = 1;                // what one step is worth in the published number
  std::int64_t origin = 0;               // of a mean: the lower bound in steps
  std::int64_t steps = 0;                // of a mean: upper - lower bound
  std::int64_t fineness = 1;             // of moments: a row's nodes add up to steps * fineness
  std::int64_t least = 0, greatest = 0;  // the exact integer lies between these, by bounds and row limit
  Sensitivity sensitivity;
  std::optional<numeric::Rational> target;        // the accuracy wanted, as published
  std::optional<std::string> clamped_count = {};  // the column that counts its rows that were moved to a bound
  // Columns of several statistics that have one number here count the same rows, and are made to add up.
  std::optional<std::int64_t> family = {};
};

// A public table in which rows of the left look up one row at most (join.md).
struct BoundJoin {
  query::Table table;
  std::vector<query::Column> left;   // what was joined so far has these,
  std::vector<query::Column> right;  // and the table these, of the same types, which must be equal
  bool keeps_all;                    // rows that find nothing stay

  std::vector<query::Column> brought() const;  // the columns that the table adds
};

struct BoundStatistic {
  std::string name;
  query::Query query;
  query::Table table;  // the protected one; the columns that joins bring stand behind its own
  Contribution contribution;
  numeric::Rational weight;
  std::int64_t typical_rows;  // the rows of a group for which the accuracy of a mean is stated
  Keys keys;
  std::vector<Argument> arguments;
  std::vector<Tally> tallies;
  std::vector<Measurement> measurements;  // with private keys the first is that of units
  std::vector<BoundJoin> joins = {};
  std::vector<Histogram> histograms = {};
  query::Inference inference = {};
  std::optional<SurveyWeight> weighted = {};  // where node sums are those of weighted rows
};

// Whether the ends of a quantile of the statistic reach as far as its rows ask for, as those of a population do.
bool absorbs_sample(const BoundStatistic& statistic, Figure figure);

// A text that is longer is no private key: its row is left out, as one whose key is NULL. Whether a row counts so
// depends on that row alone, and what is published stays of a size that is known beforehand.
inline constexpr std::int64_t longest_private_key = 1024;  // in bytes

// Which data a study is asked of, without a word of it: hashes of the catalog's text and of what it declares of its
// sources. Part of the plan, so that a request gets the answer of no other data. Empty where no program has told.
struct Origin {
  std::string catalog = {};
  std::string sources = {};
};

struct BoundStudy {
  query::Catalog catalog;
  Alpha alpha;
  std::optional<query::StudyBudget> budget;
  privacy::Neighbours neighbours;  // of all tables that are asked; a study does not mix them
  std::vector<BoundStatistic> statistics;
  Origin origin = {};
};

// `queries` are those of the study's statistics, in their order. The sentence of an error names the study's file and
// line. Refused: sums that could leave 2^62 by the row limit, sensitivities above 2^53, more than 1,000,000 public
// groups, targets of columns that are not published, tables of different units or neighbours in one study.
Result<BoundStudy> bind(const query::Study& study, const query::Catalog& catalog,
                        const std::vector<query::Query>& queries);

// The groups of a query that follow from catalog and statement alone: declared keys of a column, truth values, the
// buckets of a bounded number, months, the constants of a CASE; private where one of the keys has no such list.
Result<Keys> keys_of(const query::Query& query, const query::Table& table);

}  // namespace vernier::plan
