#include "vernier/ledger/postgresql_store.hpp"

#include <utility>

#include "vernier/ledger/postgresql_schema.hpp"
#include "vernier/ledger/postgresql_transaction.hpp"

namespace vernier::ledger {
namespace {

using postgresql::Connection;

Result<Connection> connect(const std::string& address, const std::string& name, Missing missing) {
  Result<Connection> connection = Connection::open(address, name);
  if (!connection) return connection;
  if (Result<void> durable = postgresql::check_durable(*connection); !durable) {
    return tl::unexpected(std::move(durable.error()));
  }
  if (Result<void> ready = postgresql::make_ready(*connection, missing); !ready) {
    return tl::unexpected(std::move(ready.error()));
  }
  if (Result<void> prepared = postgresql::prepare_statements(*connection); !prepared) {
    return tl::unexpected(std::move(prepared.error()));
  }
  return connection;
}

Result<bool> is_begun(const std::string& address, const std::string& name) {
  return Connection::open(address, name).and_then([](const Connection& connection) {
    return postgresql::is_begun(connection);
  });
}

class PostgresqlStore final : public Store {
 public:
  PostgresqlStore(std::string address, Connection connection)
      : address_(std::move(address)), name_(connection.ledger()), session_{std::move(connection)} {}

  // Where the server went away since the last transaction, nothing was begun yet, so it is tried once more.
  Result<std::unique_ptr<Transaction>> begin(Access access) override {
    if (session_.is_taken || !session_.connection.is_lost()) {
      Result<std::unique_ptr<Transaction>> begun = postgresql::begin(session_, access);
      if (begun || session_.is_taken || !session_.connection.is_lost()) return begun;
    }
    VERNIER_TRY(Connection again, connect(address_, name_, Missing::is_error));
    session_.connection = std::move(again);
    return postgresql::begin(session_, access);
  }

  const std::string& name() const override { return name_; }

 private:
  std::string address_;  // with its password: never told
  std::string name_;
  postgresql::Session session_;
};

}  // namespace

Result<std::unique_ptr<Store>> open_postgresql(const std::string& address, Missing missing) {
  VERNIER_TRY(const std::string name, postgresql::name_of_address(address));
  if (missing == Missing::is_none) {
    VERNIER_TRY(const bool begun, is_begun(address, name));
    if (!begun) return nullptr;
  }
  VERNIER_TRY(Connection connection, connect(address, name, missing));
  return std::make_unique<PostgresqlStore>(address, std::move(connection));
}

}  // namespace vernier::ledger
