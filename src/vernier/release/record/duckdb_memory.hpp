#pragma once

#include <array>
#include <optional>
#include <string>

#include <duckdb.h>
#include <sys/mman.h>
#include <unistd.h>

#include "vernier/query/quote.hpp"

// Files in the format Parquet that are made in memory.
namespace vernier::release {

// A file in memory: what is published lies on no disk before the ledger has it.
class MemoryFile {
 public:
  MemoryFile() : file_(::memfd_create("results", MFD_CLOEXEC)) {}
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() {
    if (file_ >= 0) ::close(file_);
  }

  bool is_open() const { return file_ >= 0; }
  std::string path() const { return std::string("/proc/self/fd/").append(std::to_string(file_)); }

  std::string content() const {
    std::string all;
    std::array<char, 1 << 16> part;
    while (true) {
      const ssize_t got = ::pread(file_, part.data(), part.size(), static_cast<off_t>(all.size()));
      if (got <= 0) return all;
      all.append(part.data(), static_cast<std::size_t>(got));
    }
  }

 private:
  int file_;
};

// One thread, so that rows are written in their order.
class Database {
 public:
  Database() = default;
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database() {
    duckdb_disconnect(&connection_);
    duckdb_close(&database_);
  }

  bool start() {
    return duckdb_open(nullptr, &database_) == DuckDBSuccess &&
           duckdb_connect(database_, &connection_) == DuckDBSuccess && run("SET threads = 1") &&
           run("SET autoinstall_known_extensions = false") && run("SET autoload_known_extensions = false");
  }
  bool run(const std::string& sql) { return duckdb_query(connection_, sql.c_str(), nullptr) == DuckDBSuccess; }
  duckdb_connection connection() const { return connection_; }

 private:
  duckdb_database database_ = nullptr;
  duckdb_connection connection_ = nullptr;
};

// The table of this name as a file; none where it cannot be made.
inline std::optional<std::string> parquet_of(Database& database, const MemoryFile& file, const std::string& table) {
  const std::string copy = "COPY " + table + " TO " + query::quoted_text(file.path()) +
                           " (FORMAT parquet, COMPRESSION snappy, USE_TMP_FILE false)";
  if (!database.run(copy)) return std::nullopt;
  std::string content = file.content();
  if (!content.starts_with("PAR1") || !content.ends_with("PAR1")) return std::nullopt;
  return content;
}

}  // namespace vernier::release
