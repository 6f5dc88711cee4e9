#pragma once

#include <string>

#include "vernier/ledger/postgresql/connection.hpp"
#include "vernier/ledger/store.hpp"

namespace vernier::ledger::postgresql {

// A connection, and whether a transaction is open on it.
struct Session {
  Connection connection;
  bool is_taken = false;
};

// The statements of a ledger, once for the life of a connection.
Result<void> prepare_statements(const Connection& connection);

// Begins a transaction; the session outlives it.
Result<std::unique_ptr<Transaction>> begin(Session& session, Access access);

}  // namespace vernier::ledger::postgresql

namespace vernier::ledger {

// Tables in the schema that the address names (its search_path), made where they are missing and may be.
Result<std::unique_ptr<Store>> open_postgresql(const std::string& address, Missing missing);

// What sentences call the ledger of an address: never with its password, and nothing but "postgresql://" where that
// could be anywhere in it.
std::string name_of_postgresql(const std::string& address);

}  // namespace vernier::ledger
