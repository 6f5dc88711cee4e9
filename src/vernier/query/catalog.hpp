#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "vernier/core/result.hpp"
#include "vernier/numeric/rational.hpp"
#include "vernier/privacy/parameters.hpp"
#include "vernier/query/value.hpp"

// The steward's catalog: what is protected, what may be spent, and everything that is public about the data. Nothing in
// it is inferred from data, and nothing about the data is known that is not in it.
namespace vernier::query {

// The least and the greatest value that count; what lies outside is moved to the nearer of them. Both have the column's
// type: integers, reals on the grid, or days.
struct Range {
  Value lower;
  Value upper;
};

struct Column {
  std::string name;
  Type type;
  std::optional<Range> range;  // none: the column has no sum and no mean
  double granularity = 1;      // of reals: the step of the grid, a power of two
  std::vector<Value> keys;     // the public keys, in the order in which they are published; empty: keys are private
  std::map<Value, std::string> labels;
};

enum class SourceKind : std::uint8_t { csv, parquet };

struct Source {
  std::filesystem::path path;  // as written, relative to the catalog's folder
  SourceKind kind;
  char delimiter = ',';  // of CSV
  bool quoted = true;    // of CSV: cells may stand in double quotes
};

struct Table {
  std::string name;
  Source source;
  std::optional<std::string> unit;  // the column that names the protected unit; none: every row is a unit of its own
  privacy::Neighbours neighbours;
  std::int64_t row_limit;       // more rows than this are never there; sums are checked for overflow against it
  std::vector<Column> columns;  // in the order of the file

  const Column* column(std::string_view name) const;
};

enum class Filter : std::uint8_t { pure, zcdp, rdp };

struct Budget {
  numeric::Rational epsilon;  // exact decimals, as written
  numeric::Rational delta;
  std::string ledger;  // a file beside the catalog, or a postgresql:// address
  Filter accountant;
};

struct Catalog {
  std::filesystem::path path;
  Budget budget;
  std::vector<Table> tables;

  const Table* table(std::string_view name) const;
};

// Reads a catalog strictly: an unknown key, a wrong type, a missing or upside-down bound is one sentence with file,
// line and what to write instead.
Result<Catalog> read_catalog(const std::filesystem::path& path);

}  // namespace vernier::query
