#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vernier/core/progress.hpp"
#include "vernier/core/result.hpp"
#include "vernier/engine/arrow/table.hpp"
#include "vernier/engine/raw_aggregates.hpp"
#include "vernier/plan/render/sql.hpp"
#include "vernier/query/catalog.hpp"

namespace vernier::engine {

// The key of the hash by which a unit's groups are chosen: drawn afresh for every release, and forgotten.
using Secret = std::array<std::int64_t, 2>;

// Whatever goes wrong once data may have been read is this one sentence, so that no error tells of a row.
inline constexpr const char* run_failed =
    "the engine could not finish the statement; the budget stays spent, since data may have been read";
inline constexpr const char* run_stopped =
    "the run was stopped; the budget stays spent, since data may have been read, and nothing was published";
inline Failure failed_run() { return fail(ErrorKind::engine, run_failed); }
inline Failure stopped_run() { return fail(ErrorKind::stopped, run_stopped); }

// The file of a public table, by the SHA-256 of its bytes, as they were read.
struct PublicFile {
  std::string table;
  std::string sha256;

  friend bool operator==(const PublicFile&, const PublicFile&) = default;
};

// Of which part of a run one state of the data was seen.
enum class Snapshot : std::uint8_t { study, statement };
constexpr Snapshot last_of(Snapshot) { return Snapshot::statement; }
constexpr std::string_view name_of(Snapshot of) { return of == Snapshot::study ? "study" : "statement"; }

// One statistic of a run.
struct Asked {
  const plan::Sql* sql;
  Secret secret;
};

// Where plans run. A session is one engine with the tables of a catalog as views, each column of its declared type.
class Session {
 public:
  virtual ~Session() = default;
  virtual plan::BoundingForm form(const plan::BoundStatistic& statistic) const = 0;
  virtual Result<RawAggregates> run(const plan::Sql& sql, const Secret& secret, const Progress& progress) = 0;
  virtual std::string version() const = 0;  // "DuckDB 1.5.5"

  // What statements are written in.
  virtual const query::Dialect& dialect() const { return query::duckdb_dialect(); }

  // All statistics of a run, before noise is added to any: where an engine must read them again, it reads all of them
  // again, and no noise has been drawn yet.
  virtual Result<std::vector<RawAggregates>> run_all(std::span<const Asked> asked, const Progress& progress);

  // What all statistics of a run have seen together, of an engine whose tables others may write; none of files.
  virtual std::optional<Snapshot> snapshot() const { return std::nullopt; }

  // Whether the statistic may join its public tables: their keys must be unique. No protected table is read. An engine
  // that says nothing else joins none.
  virtual Result<void> check_joins(const plan::BoundStatistic& statistic) const {
    return statistic.joins.empty() && statistic.query.made.empty()
               ? Result<void>()
               : invalid("this engine joins no tables", "leave out JOIN");
  }
  // Whether the engine takes the statement, as far as that can be known without a look at a row: a right that is
  // missing, a statement that is too long for it.
  virtual Result<void> check_statement(const plan::Sql& /*sql*/) const { return {}; }
  virtual std::vector<PublicFile> public_files() const { return {}; }  // of the public tables of this session

  // Reads every cell of the declared columns of a table once, whatever a statement will ask for, where a part of a
  // damaged file could stop one statement and not another; an error as of `run`. Data is read: the budget comes first.
  virtual Result<void> look_through(const std::string& /*table*/, const Progress& /*progress*/) { return {}; }

  // Which file that is and in which state, as a text: while it is the same, looking through it again finds the same.
  // Empty where there is nothing to look through, or the file is too young to be known by its times.
  virtual std::string state_of(const std::string& /*table*/) const { return {}; }
};

// The watcher of the whole run, for one of `count` parts of it.
Progress part_of(const Progress& progress, std::size_t part, std::size_t count);

// Whether the file of a table, or what is given for it in memory, is there and has the declared columns, from its
// header or schema alone: nothing of a row is looked at, so that this may fail before budget is reserved.
Result<void> check_source(const query::Catalog& catalog, const query::Table& table, const MemoryTables& memory = {});

}  // namespace vernier::engine
