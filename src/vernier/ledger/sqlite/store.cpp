#include "vernier/ledger/sqlite/store.hpp"

#include <cerrno>
#include <chrono>
#include <fstream>
#include <new>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "vernier/ledger/sqlite/file.hpp"
#include "vernier/ledger/sqlite/schema.hpp"
#include "vernier/ledger/sqlite/session.hpp"
#include "vernier/ledger/store.hpp"

namespace vernier::ledger {
namespace {

using sqlite::Connection;
using sqlite::Content;

// The names of new files (the database and its write-ahead log) are durable after this.
Result<void> sync_folder(const std::filesystem::path& path) {
  const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool is_synced = descriptor >= 0 && ::fsync(descriptor) == 0;
  const int reason = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (!is_synced) return sqlite::failure(path.string(), SQLITE_IOERR_DIR_FSYNC, reason);
  return {};
}

// The format before SQLite: lines of 64 hex digits, a blank and JSON. Only looked at once SQLite said that the file is
// none of its own: to close a file lets go of all locks that the process has on it.
bool has_former_format(const std::filesystem::path& path) {
  std::string start(66, '\0');
  std::ifstream(path, std::ios::binary).read(start.data(), static_cast<std::streamsize>(start.size()));
  return start.find_first_not_of("0123456789abcdef") == 64 && start.substr(64) == " {";
}

// SQLite takes a file of one byte for an empty one, and would write over it.
bool is_too_short(const std::filesystem::path& path) {
  std::error_code missing;
  const std::uintmax_t size = std::filesystem::file_size(path, missing);
  return !missing && size > 0 && size < 512;  // the smallest page of a database
}

Failure not_a_ledger(const std::filesystem::path& path) {
  if (!has_former_format(path)) return sqlite::failure(path.string(), SQLITE_NOTADB);
  return fail(ErrorKind::system, "the ledger '" + path.string() + "' is of the text format that earlier versions wrote",
              "begin another ledger with "
              "what is left of the budget");
}

class SqliteStore final : public Store {
 public:
  SqliteStore(std::filesystem::path path, std::optional<sqlite::SoleFile> file, sqlite::Session session,
              sqlite::Checkpoint checkpoint)
      : path_(std::move(path)),
        file_(std::move(file)),
        session_(std::move(session)),
        is_read_only_(session_.connection.is_read_only()),
        checkpoint_(std::move(checkpoint)) {}

  Result<std::unique_ptr<Transaction>> begin(Access access) override {
    if (access == Access::write && is_read_only_) return sqlite::failure(name(), SQLITE_READONLY);
    Result<std::unique_ptr<Transaction>> begun = sqlite::begin(session_, access);
    if (!begun || access == Access::read) return begun;
    VERNIER_TRY(check_whole());
    VERNIER_TRY(make_durable());
    VERNIER_TRY(const bool copied, checkpoint_.run_where_due(session_.connection));
    if (!copied) return begun;
    begun->reset();
    return sqlite::begin(session_, access);
  }

  const std::string& name() const override { return session_.connection.ledger(); }

 private:
  // While the lock is held, so that nobody changes it any more: it has one name, and the rules that it was made with.
  // SQLite counts the changes of a schema; what it counted when the rules were looked at last is known.
  Result<void> check_whole() {
    if (file_) {
      if (Result<void> sole = file_->check(); !sole) return sole;
    }
    VERNIER_TRY(const std::int64_t version, sqlite::schema_version_of(session_));
    if (version_ == version) return {};
    return sqlite::check_rules(session_.connection).map([&] { version_ = version; });
  }

  // Once, while the lock is held, so that the log exists; it stays as long as anybody has the ledger open.
  Result<void> make_durable() {
    if (is_durable_) return {};
    VERNIER_TRY(const std::string mode, session_.connection.value("PRAGMA journal_mode"));
    if (mode != "wal") return sqlite::failure(name(), SQLITE_READONLY);
    const Result<void> synced = file_ ? sync_folder(path_) : Result<void>();
    is_durable_ = synced.has_value();
    return synced;
  }

  std::filesystem::path path_;
  std::optional<sqlite::SoleFile> file_;  // none in the files of a test
  sqlite::Session session_;
  bool is_read_only_;  // SQLite would begin a view where a transaction for writing is asked for
  sqlite::Checkpoint checkpoint_;
  std::optional<std::int64_t> version_ = {};  // of the schema whose rules were looked at
  bool is_durable_ = false;
};

// Readers meanwhile keep SQLite from it at once, instead of after a wait, so that the wait is here.
Result<void> use_write_ahead_log(const Connection& connection) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (true) {
    Result<void> set = connection.run("PRAGMA journal_mode = WAL");
    if (set || !connection.was_locked() || std::chrono::steady_clock::now() > deadline) return set;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

// No file, or one without content.
bool is_nothing(const std::filesystem::path& path) {
  std::error_code unreadable;
  const auto size = std::filesystem::file_size(path, unreadable);
  return unreadable ? unreadable == std::errc::no_such_file_or_directory : size == 0;
}

Result<void> make_ready(const Connection& connection, sqlite::Checkpoint& checkpoint, Content content,
                        Missing missing) {
  if (content == Content::nothing && missing != Missing::is_made) {
    return fail(ErrorKind::system, "the ledger '" + connection.ledger() + "' is empty",
                "check its name, or begin it with a first release");
  }
  if (Result<void> set = connection.sync_every_commit(); !set) return set;
  if (Result<void> set = connection.run("PRAGMA cache_size = -8192"); !set) return set;  // 8 MB
  if (connection.is_read_only() && content == Content::nothing)
    return sqlite::failure(connection.ledger(), SQLITE_READONLY);
  if (connection.is_read_only()) return {};
  if (Result<void> set = use_write_ahead_log(connection); !set) return set;
  if (missing == Missing::is_none) return {};  // who only looks takes no lock, and leaves the log to those who write
  return content == Content::nothing ? sqlite::make_ledger(connection) : checkpoint.copy_what_was_left(connection);
}

Result<std::unique_ptr<Store>> opened(const std::filesystem::path& path, Missing missing, const std::string& vfs) {
  if (missing == Missing::is_none && is_nothing(path)) return nullptr;
  if (vfs.empty() && is_too_short(path)) return not_a_ledger(path);
  std::optional<sqlite::SoleFile> file;
  if (vfs.empty()) file.emplace(path);
  const auto check_file = [&] { return file ? file->check() : Result<void>(); };
  VERNIER_TRY(check_file());
  const int flags = SQLITE_OPEN_READWRITE | (missing == Missing::is_made ? SQLITE_OPEN_CREATE : 0);
  VERNIER_TRY(Connection connection, Connection::open(path, flags, vfs));
  const Result<Content> content = sqlite::content_of(connection);
  if (!content && connection.was_of_another_kind() && vfs.empty()) return not_a_ledger(path);
  if (!content) return tl::unexpected(content.error());
  sqlite::Checkpoint checkpoint(path, vfs);
  VERNIER_TRY(make_ready(connection, checkpoint, *content, missing).and_then(check_file));
  VERNIER_TRY(sqlite::Statements statements, sqlite::Statements::prepare(connection));
  VERNIER_TRY(const KeyedHash hash, KeyedHash::with_random_key());
  sqlite::Session session{std::move(connection), std::move(statements), sqlite::Keys(hash)};
  return std::make_unique<SqliteStore>(path, std::move(file), std::move(session), std::move(checkpoint));
}

}  // namespace

Result<std::unique_ptr<Store>> open_sqlite(const std::filesystem::path& path, Missing missing,
                                           const std::string& vfs) try {
  return opened(path, missing, vfs);
} catch (const std::bad_alloc&) {
  return out_of_memory();
}

}  // namespace vernier::ledger
