#include "support/store_place.hpp"

#include <stdexcept>
#include <utility>

#include <sqlite3.h>

#include "support/postgresql_server.hpp"
#include "support/temporary_folder.hpp"
#include "vernier/ledger/postgresql/store.hpp"
#include "vernier/ledger/sqlite/store.hpp"

namespace vernier::testing {
namespace {

std::string with_tables(std::string sql, const std::string& prefix) {
  for (std::size_t at = sql.find('$'); at != std::string::npos; at = sql.find('$', at)) sql.replace(at, 1, prefix);
  return sql;
}

int take_first_value(void* value, int columns, char** values, char**) {
  if (columns > 0 && values[0] != nullptr) *static_cast<std::string*>(value) = values[0];
  return 0;
}

class SqlitePlace final : public StorePlace {
 public:
  Result<std::unique_ptr<ledger::Store>> open(ledger::Missing missing) const override {
    return ledger::open_sqlite(path(), missing);
  }

  std::string run(const std::string& sql) const override {
    sqlite3* handle = nullptr;
    std::string value;
    const bool is_done =
        sqlite3_open(path().c_str(), &handle) == SQLITE_OK &&
        sqlite3_exec(handle, with_tables(sql, "").c_str(), take_first_value, &value, nullptr) == SQLITE_OK;
    const std::string problem = sqlite3_errmsg(handle);
    sqlite3_close(handle);
    if (!is_done) throw std::runtime_error("SQLite refused: " + problem);
    return value;
  }

 private:
  std::filesystem::path path() const { return folder_.path() / "ledger"; }
  TemporaryFolder folder_;
};

class PostgresqlPlace final : public StorePlace {
 public:
  Result<std::unique_ptr<ledger::Store>> open(ledger::Missing missing) const override {
    return ledger::open_postgresql(address_, missing);
  }

  std::string run(const std::string& sql) const override {
    return PostgresqlServer::run_at(address_, with_tables(sql, "vernier_"));
  }

 private:
  std::string address_ = PostgresqlServer::of_this_process().address();
};

template <class Place>
std::unique_ptr<StorePlace> made() {
  return std::make_unique<Place>();
}

}  // namespace

const StoreKind sqlite_stores{"Sqlite", [] { return true; }, made<SqlitePlace>};
const StoreKind postgresql_stores{"Postgresql", PostgresqlServer::is_installed, made<PostgresqlPlace>};

}  // namespace vernier::testing
