#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vernier/core/types.hpp"
#include "vernier/plan/sensitivity.hpp"
#include "vernier/plan/survey_weight.hpp"
#include "vernier/query/catalog.hpp"
#include "vernier/query/expression/within.hpp"
#include "vernier/query/query.hpp"
#include "vernier/query/study.hpp"
#include "vernier/table/design.hpp"
#include "vernier/table/noise.hpp"

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
  double granularity = 1;   // a power of two; 1 of integers but for sums of what units have (arguments.hpp)
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
// a group those of least hash(unit, group, value, place among equal ones, secret) count. Values are taken in runs of
// 2^halvings. Of weighted rows the argument `weight` is added up in place of rows, and value and weight are chosen
// together.
struct Histogram {
  std::size_t argument = 0;
  int halvings = 0;
  std::optional<std::size_t> weight = {};

  friend bool operator==(const Histogram&, const Histogram&) = default;
};

// What is measured: a vector of integers, `width` for each group, that gets noise of one law. Each statistic has its
// own, one or two (plan/statistic/), under whose name records know it.
struct MeasurementKind {
  std::string_view name = {};

  static std::optional<MeasurementKind> named(std::string_view name);  // among those of all statistics
  friend constexpr auto operator<=>(const MeasurementKind&, const MeasurementKind&) = default;
};
constexpr std::string_view name_of(MeasurementKind kind) { return kind.name; }

// Whether rows are counted by their values: it has a histogram in place of tallies.
bool has_histogram(MeasurementKind kind);

// How the margin of error of a figure is known.
enum class MarginKind : std::uint8_t {
  fixed,     // it does not depend on the data
  of_rows,   // the interval is what a group's rows allow
  in_ranks,  // it is in ranks, and known before the data, whatever they are
};

// What is published from the noisy integers of a measurement. Statistics have figures of their own, beside these three,
// which several of them can show.
struct Figure {
  std::string_view name = {};   // in records: "variance-sample"
  std::string_view words = {};  // in sentences: "variance"
  MarginKind margin = MarginKind::of_rows;
  bool has_proven_population = false;  // whether its interval of a population can be had with a proof
  bool has_fraction = false;           // of a quantile

  static const Figure count, sum, mean;
  static std::optional<Figure> named(std::string_view name);  // among those of all statistics
  friend constexpr bool operator==(const Figure& a, const Figure& b) { return a.name == b.name; }
};
inline constexpr Figure Figure::count{"count", "count", MarginKind::fixed, true};
inline constexpr Figure Figure::sum{"sum", "sum", MarginKind::fixed};
inline constexpr Figure Figure::mean{"mean", "mean", MarginKind::of_rows, true};

constexpr std::string_view name_of(const Figure& figure) { return figure.name; }
constexpr bool has_fixed_margin(const Figure& figure) { return figure.margin == MarginKind::fixed; }
constexpr bool is_in_ranks(const Figure& figure) { return figure.margin == MarginKind::in_ranks; }

// Another measurement, of the same statistic or of one before it, whose exact integers are the same.
struct Copied {
  std::size_t statistic = 0;
  std::size_t measurement = 0;
  std::string name = {};    // of that statistic
  std::string column = {};  // that it is published as

  friend bool operator==(const Copied&, const Copied&) = default;
};

// The second grid of a pair: that of x.
struct PairedGrid {
  double granularity = 1;
  std::int64_t origin = 0;
  std::int64_t steps = 0;
  bool is_rounded = false;

  friend bool operator==(const PairedGrid&, const PairedGrid&) = default;
};

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
  // Of a pair and of a regression: values, and all of its sums but one.
  std::vector<std::size_t> tallies;
  double granularity = 1;                 // what one step is worth in the published number
  bool is_rounded = false;                // nobody said that values are multiples of it: they may lie between two steps
  std::int64_t origin = 0;                // of a mean: the lower bound in steps
  std::int64_t steps = 0;                 // of a mean: upper - lower bound
  std::int64_t fineness = 1;              // of moments: a row's nodes add up to steps * fineness
  std::optional<PairedGrid> paired = {};  // of a pair: the grid of x, where the others are those of y
  std::vector<PairedGrid> regressors = {};  // of a regression: those of every x
  std::int64_t least = 0, greatest = 0;     // the exact integer lies between these, by bounds and row limit
  Sensitivity sensitivity;
  std::optional<numeric::Rational> target;        // the accuracy wanted, as published
  std::optional<std::string> clamped_count = {};  // the column that counts its rows that were moved to a bound
  // Columns of several statistics that have one number here count the same rows, and are made to add up.
  std::optional<std::int64_t> family = {};
  // The measurement that drew the noisy integers of this one, which are copied: nothing is paid for them again.
  std::optional<Copied> copied = {};
  // Measurements of several statistics that have one number here are of rows which exclude each other. They have noise
  // of one law, each its own, and are charged as one (bind/sharing.md).
  std::optional<std::int64_t> parallel = {};
  std::optional<numeric::Rational> weight = {};  // of a column that says its own, in place of its statistic's
};

// A table to which rows of the left are joined: a public one, in which they look up one row at most (join.md), or a
// protected one with the same units (unit_join.md).
struct BoundJoin {
  query::Table table;                // as statements see it
  std::vector<query::Column> left;   // what was joined so far has these,
  std::vector<query::Column> right;  // and the table these, of the same types, which must be equal
  bool keeps_all;                    // rows that find nothing stay
  query::JoinKind kind = query::JoinKind::lookup;
  std::vector<std::string> names = {};           // of the columns that are brought, in the order of brought()
  std::optional<query::Expression> filter = {};  // rows of the table that can be found; none: all

  std::vector<query::Column> brought() const;  // the columns that the table adds, as the table names them
  bool is_lookup() const { return kind == query::JoinKind::lookup; }
};

// The rows that are added up for each unit before all else (per_unit.md).
struct BoundPerUnit {
  query::Table table;            // with the columns of joins
  std::vector<Argument> totals;  // of each total; of COUNT(*) nothing that is used
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
  std::vector<query::Within> within = {};     // what its rows are known to be, where something rests on that
  std::vector<std::string> apart = {};        // columns that share no sums and no tree with others
  bool is_boxed = false;                      // counts, sums and means are released together (statistic/boxed.hpp)
  // The canonical text of an argument without NULL: its values are counted in place of rows, beside its mean.
  std::optional<std::string> rows_by = {};
  std::optional<BoundPerUnit> per_unit = {};
  std::vector<BoundStatistic> ways = {};  // the same, measured in other ways; the planner takes one (allocate/ways.md)
  std::optional<numeric::Rational> alpha = {};  // its own, in place of the study's
  std::optional<query::Seen> seen = {};         // which groups of private keys are to be published
  bool at_least = false;                        // its targets are the least: what the budget leaves improves on them
  bool by_coefficient = false;                  // a [[regression]]: its columns are published one below the other
};

// Whether the ends of a quantile of the statistic reach as far as its rows ask for, as those of a population do.
bool absorbs_sample(const BoundStatistic& statistic, const Figure& figure);

// The level of its intervals, where that of the study is known.
Alpha alpha_of(const BoundStatistic& statistic, Alpha of_study);

// A column of a [[table]]: its public keys, as they are published. That of rows with no declared one comes last.
struct TableColumn {
  std::string name;
  std::vector<std::string> keys;
};

// A [[table]]: all tables of a lattice over its columns, whose rows are counted once (table/table.md).
struct BoundTables {
  std::string name;
  // The one statement that is run. Its keys are the places of a row's keys in the columns; it measures nothing itself.
  BoundStatistic counted;
  std::string sql;  // that the columns were read from
  std::vector<TableColumn> columns;
  std::optional<std::string> rest;
  std::shared_ptr<const table::Lattice> lattice;
  std::vector<double> targets;  // the accuracy that is wanted of each table; none where the budget is shared
  query::Evenness even;
  numeric::Rational weight;
  bool is_simultaneous;
  Alpha level;                  // of one cell
  table::Design design;         // at cost 1: the noise has this times the square of a scale
  std::optional<double> scale;  // that meets the targets
  // Of a record that is examined: what it states, and not what a design gives, whose last digits differ by machine.
  std::optional<table::Laws> stated = {};
};

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
  std::vector<BoundTables> tables = {};
  bool is_open = false;  // what is measured in which way, and what is shared between statistics, is still to be chosen
};

// The protected table that stands behind FROM, as the catalog has it but for what a study limits.
query::Table own_table(const BoundStatistic& statistic);

// All protected tables that a statement reads, as the catalog has them.
std::vector<query::Table> protected_tables(const BoundStatistic& statistic);

// The joins of a statement, behind those of the tables that it makes.
std::vector<BoundJoin> all_joins(const BoundStatistic& statistic);

// A protected table that the study asks: all have the same unit.
const query::Table& first_table(const BoundStudy& study);

// All statements that are run: those of statistics, and behind them those of tables.
std::vector<const BoundStatistic*> statements_of(const BoundStudy& study);

// `queries` are those of the study's statistics, in their order. The sentence of an error names the study's file and
// line. Refused: sums that could leave 2^62 by the row limit, sensitivities above 2^53, more than 1,000,000 public
// groups, targets of columns that are not published, tables of different units or neighbours in one study.
// `table_queries` are those of its tables.
Result<BoundStudy> bind(const query::Study& study, const query::Catalog& catalog,
                        const std::vector<query::Query>& queries, const std::vector<query::Query>& table_queries = {});

// A column or expression with a list of values that follows from catalog and statement alone, in the order of
// publication; none where it has no such list.
Result<std::optional<std::vector<query::Value>>> public_values(const query::Expression& key, const query::Table& table);

// The groups of a query that follow from catalog and statement alone: declared keys of a column, truth values, the
// buckets of a bounded number, months, the constants of a CASE; private where one of the keys has no such list.
Result<Keys> keys_of(const query::Query& query, const query::Table& table);

}  // namespace vernier::plan
