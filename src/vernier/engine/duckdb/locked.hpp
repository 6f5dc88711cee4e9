#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include <duckdb.h>

#include "vernier/engine/duckdb/overlay.hpp"
#include "vernier/engine/duckdb/session.hpp"
#include "vernier/engine/duckdb/sources.hpp"
#include "vernier/engine/source_columns.hpp"

namespace vernier::engine {

// A DuckDB in memory that has the views of the protected tables and copies of the public ones, and can do nothing else:
// it reads the declared files and the rows in memory alone, and its configuration is locked. duckdb.md has the order
// and the reasons.
class LockedDuckDb {
 public:
  static Result<std::unique_ptr<LockedDuckDb>> open(const query::Catalog& catalog,
                                                    const std::vector<query::Table>& tables,
                                                    const DuckDbOptions& options, const MemoryTables& memory = {});
  LockedDuckDb(const LockedDuckDb&) = delete;
  LockedDuckDb& operator=(const LockedDuckDb&) = delete;
  ~LockedDuckDb();

  duckdb_connection connection() const { return connection_; }
  const std::vector<PublicFile>& public_files() const { return public_files_; }

  // The progress of one statement, to which that in the CSV files is added, which the engine does not see.
  Progress with_files(const Progress& progress) const;

  // The Parquet files of a protected table: how all of them is read, and in which state they are.
  struct ParquetSource {
    std::string table;
    std::string read_all;
    std::vector<std::unique_ptr<ParquetOverlay>> overlays;
  };
  const ParquetSource* parquet(const std::string& table) const;  // nullptr: the table has no such file
  bool has_current_files() const;                                // no Parquet file was changed or replaced since

 private:
  LockedDuckDb() = default;
  bool start();
  bool set(const DuckDbOptions& options);
  bool run(const std::string& sql);
  Result<void> take_in(const query::Table& table, const SourceColumns& source);
  Result<void> take_in_parquet(const query::Table& table, const SourceColumns& source);
  Result<void> take_in_file(const query::Table& table, const SourceColumns& source);
  Result<void> take_in_memory(const query::Table& table, const SourceColumns& source);

  std::filesystem::path spill_;  // where the engine puts what memory does not hold; nobody else may look into it
  duckdb_database database_ = nullptr;
  duckdb_connection connection_ = nullptr;
  std::vector<PublicFile> public_files_;
  std::vector<ParquetSource> parquet_;
  int memory_tables_ = 0;
  std::int64_t csv_bytes_ = 0;  // of the largest CSV file of a protected table, which a statement reads once
  std::shared_ptr<BytesRead> csv_read_ = std::make_shared<BytesRead>(0);
};

}  // namespace vernier::engine
