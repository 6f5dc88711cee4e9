#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vernier/core/result.hpp"
#include "vernier/numeric/rational.hpp"
#include "vernier/privacy/parameters.hpp"
#include "vernier/query/cell_format.hpp"
#include "vernier/query/problem.hpp"
#include "vernier/query/value.hpp"

// The steward's catalog: what is protected, what may be spent, and everything that is public about the data. Nothing in
// it is inferred from data, and nothing about the data is known that is not in it. docs/guide/catalog.md has its rules.
namespace vernier::query {

// The least and the greatest value that count; what lies outside is moved to the nearer of them. Both have the column's
// type: integers, reals on the grid, or days. The lower is below the upper, and both are at most 2^53 steps of the grid
// from 0.
struct Range {
  Value lower;
  Value upper;
};

struct Column {
  std::string name;
  Type type = Type::string;
  std::optional<Range> range;           // none: the column has no sum and no mean
  double granularity = 1;               // of reals: the step of the grid, a power of two
  bool has_granularity = false;         // of reals: it was declared, and says of what values are multiples
  std::vector<Value> keys;              // the public keys, in the order of publication; empty: keys are private
  std::optional<Value> rest = {};       // the key of rows that have none of the keys; none: they are in no group
  std::map<Value, std::string> labels;  // what a report writes for a value
  Place place;                          // in the catalog
  bool never_null = false;  // no row lacks it; should one, it counts as the lower bound in means of all rows
  CellFormat format = {};   // how its cells are written
};

// A file, rows that the calling program has in memory, or a table of the catalog's engine.
enum class SourceKind : std::uint8_t { csv, parquet, arrow, table };
std::string_view name_of(SourceKind kind);

struct Source {
  std::filesystem::path path;  // as written, relative to the catalog's folder; one file on this machine. None of arrow
  SourceKind kind = SourceKind::csv;
  char delimiter = ',';      // of CSV
  bool quoted = true;        // of CSV: cells may stand in double quotes
  bool line_breaks = false;  // of CSV in quotes: so may line ends, and one row may then have the lines of another
  std::vector<std::string> table = {};  // of a table: the parts of its name, schema and table

  bool is_file() const { return kind == SourceKind::csv || kind == SourceKind::parquet; }
  std::string told() const;  // for a person: the path, "in memory", or public.people
};

// With bounds of at most 2^53 steps, the sum of a column stays below 2^93, and a sum of squares of columns with bounds
// of at most 2^43 steps below 2^127.
inline constexpr std::int64_t default_row_limit = 10'000'000'000;
inline constexpr std::int64_t greatest_row_limit = 1'000'000'000'000;

inline constexpr std::int64_t greatest_max_groups = 1'000'000;
inline constexpr std::int64_t greatest_max_rows = 1'000'000'000;

// What a steward has named, as SQL over the columns of one table: it is used like a column. Whether it is one of the
// accepted expressions is for the SQL front door to say (duckdb_catalog.hpp).
struct NamedExpression {
  std::string name;
  std::string sql;
  std::optional<Range> range;  // narrower than what follows from the SQL; numbers as they were written
  Place place;                 // of the name
  Place sql_place;
};

// Rows of a table, by a condition over its columns and named expressions: it is used like a table.
struct View {
  std::string name;
  std::string table;
  std::string where;
  Place place;
  Place where_place;
};

struct Table;

// The unit of a table whose rows do not name it: each belongs to every unit that has a row with its key in another
// protected table (docs/theory/joins.md).
struct Via {
  std::string table;  // the other one
  std::string key;    // its column
  std::string is;     // what names the unit there
  std::string by;     // the column of this table that has the key
  std::shared_ptr<const Table> owner = {};
};

struct MadeRows;

struct Table {
  std::string name;
  Source source;
  std::optional<std::string> unit;  // the column that names the protected unit; none: every row is a unit of its own
  privacy::Neighbours neighbours = privacy::Neighbours::add_remove;
  std::int64_t row_limit = default_row_limit;     // more rows than this are never there; sums are checked against it
  std::vector<Column> columns;                    // in the order of the file
  Place place;                                    // in the catalog
  bool is_public = false;                         // whose content everybody may know: no unit, and only to be joined
  std::vector<NamedExpression> expressions = {};  // of a protected table
  // The part of the population that the rows are, each member drawn with this probability by a public design.
  std::optional<numeric::Rational> sampled = {};
  // The column of survey weights: a number with bounds of 0 or more. It counts where a population is asked about.
  std::optional<std::string> weight = {};
  // Of one unit, unless a statistic says otherwise: the groups that it may touch, its rows that count in each.
  std::optional<std::int64_t> max_groups = {};
  std::optional<std::int64_t> max_rows = {};
  // The number of rows is public: every row is a unit, and neighbours have as many (read_public_count.hpp).
  bool public_count = false;
  std::optional<Via> via = {};  // then `unit` is `is`, and no column of this table
  // Of none of a catalog: a statement makes its rows of those of others (query/made.hpp).
  std::shared_ptr<const MadeRows> made = {};

  const Column* column(std::string_view name) const;  // whatever its case, since no two names differ by case alone
};

// The table as statements see it: behind its own columns the unit that it has by way of another one.
Table seen(const Table& table);

// The tables by way of which it has its unit, the nearest one first.
std::vector<Table> owners_of(const Table& table);

enum class Filter : std::uint8_t { pure, zcdp, rdp };
std::string_view name_of(Filter filter);

// When a ledger may pay for the conversion of divergences (ledger/ledger.md, "Filters"): once it pays itself back
// within a few studies like the one that is asked, never, or as soon as more of such studies could follow, however
// small.
enum class Conversion : std::uint8_t { worthwhile, never, early };
std::string_view name_of(Conversion conversion);

// The part of the budget that an analyst may spend, an exact decimal above 0.
struct BudgetShare {
  std::string analyst;
  numeric::Rational part;
};

struct Budget {
  numeric::Rational epsilon;  // exact decimals, as written
  numeric::Rational delta;
  std::string ledger;  // a file beside the catalog, or a postgresql:// address; unless named, of the catalog's name
  Filter accountant;
  std::optional<std::filesystem::path> witness = {};  // as written; none: in the state folder of whoever releases
  std::vector<BudgetShare> shares = {};               // at most the whole; none: everybody spends from all of it
  bool without_witness = false;                       // asked for by witness = "none"
  bool names_ledger = true;                           // otherwise it is called after the catalog
  Conversion conversion = Conversion::worthwhile;     // of zcdp and rdp

  numeric::Rational reserve() const;  // the part that is in no share; nothing where there are none
};

// Where rows are added up. Statements, noise, ledger and certificate are the same on all engines.
struct Engine {
  std::string kind = "duckdb";  // the name of a dialect
  std::string address = {};     // without a password; none of the embedded engine
  std::int64_t seconds = 3600;  // that one statement may take
  std::int64_t passes = 1;      // in how many parts of the units a statement is run
  bool plaintext = false;       // to another machine without TLS
  bool portable = false;        // of the embedded engine: by the hash of the others

  bool is_embedded() const { return kind == "duckdb"; }
  friend bool operator==(const Engine&, const Engine&) = default;
};

struct Catalog {
  std::filesystem::path path;
  Budget budget;
  std::vector<Table> tables;  // all with the same neighbours, since releases under different ones do not add up
  std::vector<Table> public_tables = {};
  std::vector<View> views = {};
  Engine engine = {};

  const Table* table(std::string_view name) const;         // a protected one, whatever its case
  const Table* public_table(std::string_view name) const;  // likewise
};

// Reads a catalog strictly: an unknown key, a wrong type, an upside-down bound is one sentence with file, line and what
// to write instead. No data file is opened.
Result<Catalog> read_catalog(const std::filesystem::path& path);

// The same, with everything that is wrong; fails only where the file cannot be read.
Result<Reading<Catalog>> examine_catalog(const std::filesystem::path& path);

// The same for a text; `path` is where it would lie.
Reading<Catalog> examine_catalog_text(const std::filesystem::path& path, std::string_view text);

}  // namespace vernier::query
