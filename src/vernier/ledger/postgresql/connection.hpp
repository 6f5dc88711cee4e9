#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <libpq-fe.h>

#include "vernier/core/result.hpp"
#include "vernier/ledger/store.hpp"

// A thin layer over libpq: handles that close themselves, parameters that never become SQL, and errors as sentences
// about a ledger. No sentence carries a password, SQL or a value of a row.
namespace vernier::ledger::postgresql {

// What a ledger is called: its address with user, host, port, database and search_path, and nothing else of it. An
// error for an address that cannot be read, or from which a part of a password would come to light.
Result<std::string> name_of_address(const std::string& address);

// What a statement answered. Values come in PostgreSQL's binary form.
class Answer {
 public:
  explicit Answer(PGresult* result) : result_(result) {}
  int rows() const { return PQntuples(result_.get()); }
  std::int64_t number(int row, int column) const;  // of a BIGINT
  std::string_view text(int row, int column) const {
    return {PQgetvalue(result_.get(), row, column), static_cast<std::size_t>(PQgetlength(result_.get(), row, column))};
  }
  std::string_view tag() const { return PQcmdStatus(result_.get()); }  // "COMMIT"
  std::int64_t changes() const;
  ExecStatusType status() const { return PQresultStatus(result_.get()); }
  std::string_view state() const;  // the SQLSTATE of an error

 private:
  struct Clear {
    void operator()(PGresult* result) const { PQclear(result); }
  };
  std::unique_ptr<PGresult, Clear> result_;
};

// A parameter: a whole number, a text without zero bytes, or bytes. Texts and bytes must live until it was used.
class Parameter {
 public:
  Parameter(std::int64_t value);                                             // NOLINT(google-explicit-constructor)
  Parameter(std::string_view text) : value_(text), is_binary_(false) {}      // NOLINT(google-explicit-constructor)
  Parameter(const std::string& text) : Parameter(std::string_view(text)) {}  // NOLINT(google-explicit-constructor)
  static Parameter bytes(std::string_view bytes) {
    Parameter parameter(bytes);
    parameter.is_binary_ = true;
    return parameter;
  }
  const std::string& value() const { return value_; }
  bool is_binary() const { return is_binary_; }

 private:
  std::string value_;
  bool is_binary_;
};

// One connection to a server. Of use in one thread at a time.
class Connection {
 public:
  // Every commit is on the server's disk, locks are waited for half a minute at most, and a client that is gone loses
  // its locks within a minute.
  static Result<Connection> open(const std::string& address, const std::string& ledger);

  Result<Answer> run(const std::string& sql) const;
  Result<void> prepare(const std::string& name, const std::string& sql) const;
  Result<Answer> execute(const char* name, const std::vector<Parameter>& parameters = {}) const;

  bool is_lost() const { return PQstatus(handle_.get()) != CONNECTION_OK; }
  bool is_idle() const { return PQtransactionStatus(handle_.get()) == PQTRANS_IDLE; }
  const std::string& ledger() const { return ledger_; }
  Failure refused(std::string_view predicate) const;  // "the ledger 'x' ..."

 private:
  struct Finish {
    void operator()(PGconn* handle) const { PQfinish(handle); }
  };
  using Handle = std::unique_ptr<PGconn, Finish>;
  Connection(Handle handle, std::string ledger) : handle_(std::move(handle)), ledger_(std::move(ledger)) {}
  Result<Answer> checked(PGresult* result) const;

  Handle handle_;
  std::string ledger_;
};

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
