#include "vernier/ledger/sqlite/connection.hpp"

#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

namespace vernier::ledger::sqlite {
namespace {

std::string reason(int code, int system_error) {
  std::string text = sqlite3_errstr(code);
  if (system_error != 0) text.append(": ").append(std::generic_category().message(system_error));
  return text;
}

// What a rule of the schema refuses (sqlite_schema.cpp).
std::string_view refusal(int code) {
  switch (code) {
    case SQLITE_CONSTRAINT_CHECK:
      return "refused by itself what is more than is left of its budget, or is no cost; nothing was written";
    case SQLITE_CONSTRAINT_TRIGGER:
      return "refused by itself what does not follow its last entry or changes a former one; nothing was written";
    case SQLITE_CONSTRAINT_UNIQUE:
    case SQLITE_CONSTRAINT_PRIMARYKEY:
    case SQLITE_CONSTRAINT_ROWID:
      return "has an entry or a document of that release or request already; nothing was written";
    default:
      return "refused by itself what breaks one of its rules; nothing was written";
  }
}

// The rest of the sentence "the ledger 'x' ...".
std::string predicate(int code, int system_error) {
  const std::string because = " (" + reason(code, system_error) + ")";
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "was held by another process for 30 seconds; see which one hangs, then try again";
    case SQLITE_FULL:
      return "could not be written, since its disk is full; make room, then open it again";
    case SQLITE_IOERR:
      return "could not be read or written" + because + "; check its disk, then open it again";
    case SQLITE_CORRUPT:
      return "is damaged" + because + "; keep the file as it is, and go on from a copy that is as recent";
    case SQLITE_NOTADB:
      return "is no ledger, but a file of another kind; name another file";
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return "may not be written" + because + "; check the rights to the file and to its folder";
    case SQLITE_CANTOPEN:
      if (system_error == ENOENT) return "does not exist; check its name and its folder";
      return "could not be opened" + because + "; check the file, its folder and the rights to both";
    case SQLITE_CONSTRAINT:
      return std::string(refusal(code));
    default:
      return "failed" + because + "; check the file, then open it again";
  }
}

int remember_log_pages(void* log_pages, sqlite3*, const char*, int pages) {
  *static_cast<int*>(log_pages) = pages;
  return SQLITE_OK;
}

}  // namespace

Failure failure(const std::string& ledger, int code, int system_error) {
  return fail(ErrorKind::system, "the ledger '" + ledger + "' " + predicate(code, system_error));
}

// Called by SQLite while another holds the lock. Its own handler sleeps up to 0.1 s at a time, which is much for a lock
// that is held for the length of one fsync.
int Connection::wait_for_lock(void* wait, int tries) {
  auto& [longest, began] = *static_cast<Wait*>(wait);
  const auto now = std::chrono::steady_clock::now();
  if (tries == 0) began = now;
  if (now - began > longest) return 0;
  std::this_thread::sleep_for(std::chrono::microseconds(tries < 20 ? 200 : tries < 200 ? 1000 : 5000));
  return 1;
}

void Statement::bind(int at, std::string_view text) {
  sqlite3_bind_text64(statement_.get(), at + 1, text.data() == nullptr ? "" : text.data(), text.size(), SQLITE_STATIC,
                      SQLITE_UTF8);
}

void Statement::bind_blob(int at, std::string_view bytes) {
  sqlite3_bind_blob64(statement_.get(), at + 1, bytes.data() == nullptr ? "" : bytes.data(), bytes.size(),
                      SQLITE_STATIC);
}

std::string_view Statement::text(int at) const {
  const void* bytes = sqlite3_column_blob(statement_.get(), at);  // of a text: its bytes, without a search for its end
  if (bytes == nullptr) return {};
  return {static_cast<const char*>(bytes), static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), at))};
}

Failure Connection::failed() const {
  return failure(ledger_, sqlite3_extended_errcode(handle_.get()), sqlite3_system_errno(handle_.get()));
}

std::optional<unsigned> Connection::data_version() const {
  unsigned version = 0;
  const int code = sqlite3_file_control(handle_.get(), nullptr, SQLITE_FCNTL_DATA_VERSION, &version);
  return code == SQLITE_OK ? std::optional(version) : std::nullopt;
}

Result<Connection> Connection::open(const std::filesystem::path& path, int flags, const std::string& vfs,
                                    std::chrono::milliseconds longest_wait) {
  // Absolute, since SQLite takes ":memory:" and "file:..." for something else than names.
  const std::string name = std::filesystem::absolute(path).string();
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(name.c_str(), &handle, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
                                   vfs.empty() ? nullptr : vfs.c_str());
  Connection connection(Handle(handle), path.string(), Wait{longest_wait});
  if (code != SQLITE_OK) return failure(path.string(), code, handle == nullptr ? 0 : sqlite3_system_errno(handle));
  sqlite3_busy_handler(handle, wait_for_lock, connection.wait_.get());
  sqlite3_wal_hook(handle, remember_log_pages, connection.log_pages_.get());  // instead of automatic checkpoints
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_FKEY, 1, nullptr);
  return connection;
}

Result<void> Connection::sync_every_commit() const {
  if (Result<void> set = run("PRAGMA synchronous = FULL"); !set) return set;
  VERNIER_TRY(const std::string synchronous, value("PRAGMA synchronous"));
  if (synchronous == "2") return {};
  return fail(ErrorKind::system,
              "the ledger '" + ledger_ + "' is not synced at every commit by the SQLite library that is installed",
              "install "
              "Debian's libsqlite3-0");
}

Result<bool> Connection::copy_log_back() const {
  const int code = sqlite3_wal_checkpoint_v2(handle_.get(), "main", SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
  if (code == SQLITE_OK) return true;
  if ((code & 0xff) == SQLITE_BUSY || (code & 0xff) == SQLITE_LOCKED) return false;
  return failed();
}

Result<Statement> Connection::prepare(std::string_view sql) const {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(handle_.get(), sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (code != SQLITE_OK) return failed();
  return Statement(statement);
}

Result<bool> Connection::step(Statement& statement) const {
  const int code = statement.step();
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return failed();
}

Result<void> Connection::run(std::string_view sql) const {
  VERNIER_TRY(Statement statement, prepare(sql));
  while (true) {
    VERNIER_TRY(const bool row, step(statement));
    if (!row) return {};
  }
}

Result<std::string> Connection::value(std::string_view sql) const {
  VERNIER_TRY(Statement statement, prepare(sql));
  VERNIER_TRY(const bool row, step(statement));
  return row ? std::string(statement.text(0)) : std::string();
}

}  // namespace vernier::ledger::sqlite
