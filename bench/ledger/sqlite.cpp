// SQLite alone: one client that commits one small row at a time, as durably as the ledger does, into the same folder.
// Whatever number of clients it is asked for, this is the rate that it is compared with.
#include <sqlite3.h>

#include "bench/ledger/spends.hpp"
#include "bench/ledger/stated_disk.hpp"

namespace {

using namespace bench;

class Database {
 public:
  Database(const std::filesystem::path& path, const std::string& disk) {
    const int code = sqlite3_open_v2(path.c_str(), &handle_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                                     disk.empty() ? nullptr : disk.c_str());
    if (code != SQLITE_OK) throw NotMeasured("SQLite does not open a file");
    run("PRAGMA journal_mode = WAL");
    run("PRAGMA synchronous = FULL");
    run("CREATE TABLE spends (id INTEGER PRIMARY KEY, cost INTEGER NOT NULL) STRICT");
    sqlite3_prepare_v3(handle_, "INSERT INTO spends (cost) VALUES (1)", -1, SQLITE_PREPARE_PERSISTENT, &insert_,
                       nullptr);
  }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database() {
    sqlite3_finalize(insert_);
    sqlite3_close(handle_);
  }
  void commit_one() {
    if (sqlite3_step(insert_) != SQLITE_DONE) throw NotMeasured("SQLite does not insert a row");
    sqlite3_reset(insert_);
  }

 private:
  void run(const char* sql) {
    if (sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) throw NotMeasured(sqlite3_errmsg(handle_));
  }
  sqlite3* handle_ = nullptr;
  sqlite3_stmt* insert_ = nullptr;
};

double commits_per_second(const Spends& spends, double seconds, const std::string& in) {
  const Folder folder(in);
  Database database(folder.path() / "database", disk_of(spends));
  const Clock::time_point start = Clock::now();
  long done = 0;
  for (; seconds_since(start) < seconds; ++done) database.commit_one();
  return static_cast<double>(done) / seconds_since(start);
}

}  // namespace

int main(int count, char** words) {
  const double seconds = count > 1 ? std::atof(words[1]) : 1;
  const std::string folder = count > 2 ? words[2] : ".";
  bench::serve([&](const std::string& line) {
    const std::optional<Spends> spends = spends_in(line);
    return spends ? text(commits_per_second(*spends, seconds, folder)) : std::string("none it has no ledger");
  });
}
