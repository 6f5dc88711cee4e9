#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <sqlite3.h>

#include "vernier/core/result.hpp"

// A thin layer over SQLite's C interface: handles that close themselves, and errors as sentences about a ledger. No
// sentence carries SQL or a value of a row.
namespace vernier::ledger::sqlite {

// What went wrong with this ledger, by SQLite's extended result code.
Failure failure(const std::string& ledger, int code, int system_error = 0);

// A prepared statement. Parameters and columns count from 0.
class Statement {
 public:
  Statement() = default;
  explicit Statement(sqlite3_stmt* statement) : statement_(statement) {}

  explicit operator bool() const { return statement_ != nullptr; }

  // Texts and blobs must live until the statement is reset.
  void bind(int at, std::int64_t value) { sqlite3_bind_int64(statement_.get(), at + 1, value); }
  void bind(int at, std::string_view text);
  void bind_blob(int at, std::string_view bytes);

  int step() { return sqlite3_step(statement_.get()); }  // SQLITE_ROW, SQLITE_DONE or an error

  std::int64_t number(int at) const { return sqlite3_column_int64(statement_.get(), at); }
  std::string_view text(int at) const;  // or the bytes of a blob; until the next step
  int columns() const { return sqlite3_column_count(statement_.get()); }

  void reset() {
    sqlite3_reset(statement_.get());
    sqlite3_clear_bindings(statement_.get());
  }

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

// One use of a statement, which holds no lock and no parameter afterwards.
class Use {
 public:
  explicit Use(Statement& statement) : statement_(statement) {}
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;
  ~Use() { statement_.reset(); }
  Statement* operator->() const { return &statement_; }
  Statement& operator*() const { return statement_; }

 private:
  Statement& statement_;
};

// One handle on a file. Of use in one thread at a time.
class Connection {
 public:
  // Waits for locks, holds triggers and foreign keys, and trusts no schema.
  static Result<Connection> open(const std::filesystem::path& path, int flags, const std::string& vfs,
                                 std::chrono::milliseconds longest_wait = std::chrono::seconds(30));

  Result<void> sync_every_commit() const;

  // How many pages the write-ahead log had after the last commit of this handle, which never copies them back by
  // itself.
  int log_pages() const { return *log_pages_; }
  Result<bool> copy_log_back() const;  // as much of it as no reader needs; false: another one does so just now

  Result<Statement> prepare(std::string_view sql) const;
  Result<void> run(std::string_view sql) const;           // a statement without parameters, to its end
  Result<std::string> value(std::string_view sql) const;  // the first column of its first row; "" for no row
  Result<bool> step(Statement& statement) const;          // whether there is a row

  Failure failed() const;  // by the last error of the handle
  bool was_locked() const { return last_code() == SQLITE_BUSY; }
  bool was_of_another_kind() const { return last_code() == SQLITE_NOTADB; }
  bool is_read_only() const { return sqlite3_db_readonly(handle_.get(), "main") == 1; }
  bool is_in_transaction() const { return sqlite3_get_autocommit(handle_.get()) == 0; }
  // Another number than before once anybody, this connection too, has changed the file, as far as the last transaction
  // of this connection can know.
  std::optional<unsigned> data_version() const;
  std::int64_t changes() const { return sqlite3_changes64(handle_.get()); }
  const std::string& ledger() const { return ledger_; }

 private:
  struct Close {
    void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
  };
  using Handle = std::unique_ptr<sqlite3, Close>;
  struct Wait {
    std::chrono::milliseconds longest;
    std::chrono::steady_clock::time_point began = {};
  };
  static int wait_for_lock(void* wait, int tries);
  Connection(Handle handle, std::string ledger, Wait wait)
      : wait_(std::make_unique<Wait>(wait)),
        log_pages_(std::make_unique<int>(0)),
        handle_(std::move(handle)),
        ledger_(std::move(ledger)) {}
  int last_code() const { return sqlite3_errcode(handle_.get()) & 0xff; }

  std::unique_ptr<Wait> wait_;  // the handle points to it, and to the next one
  std::unique_ptr<int> log_pages_;
  Handle handle_;
  std::string ledger_;  // as sentences call it
};

}  // namespace vernier::ledger::sqlite
