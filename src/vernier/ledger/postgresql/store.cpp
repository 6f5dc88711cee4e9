#include "vernier/ledger/postgresql/store.hpp"

#include <array>
#include <utility>

#include "vernier/ledger/entry.hpp"
#include "vernier/ledger/postgresql/schema.hpp"

namespace vernier::ledger::postgresql {
namespace {

// Entries come in parts of this many rows, some megabytes, however long the ledger is.
constexpr int rows_at_once = 8192;

const std::string select_entry = "SELECT " + entry_columns + " FROM vernier_entries WHERE ";

Result<void> read_row(const Connection& connection, const Answer& answer, int row, Entry& entry) {
  const std::optional<Kind> kind = kind_named(answer.text(row, 1));
  const std::optional<Manner> manner = manner_named(answer.text(row, 9));
  if (!kind || !manner) return connection.refused("has an entry of a kind that this program does not know");
  entry.index = answer.number(row, 0);
  entry.kind = *kind;
  entry.time = answer.number(row, 2);
  entry.release = answer.text(row, 3);
  entry.request = answer.text(row, 4);
  entry.analyst = answer.text(row, 5);
  entry.study = answer.text(row, 6);
  entry.unit = answer.text(row, 7);
  entry.plan = answer.text(row, 8);
  entry.manner = *manner;
  entry.cost = {answer.number(row, 10), answer.number(row, 11)};
  entry.content = answer.text(row, 12);
  entry.hash = answer.text(row, 13);
  return {};
}

std::vector<Parameter> parameters_of(const Entry& entry) {
  return {entry.index,        name_of(entry.kind), entry.time,    entry.release, entry.request,
          entry.analyst,      entry.study,         entry.unit,    entry.plan,    name_of(entry.manner),
          entry.cost.epsilon, entry.cost.delta,    entry.content, entry.hash};
}

Result<void> done(const Result<Answer>& answer) {
  if (!answer) return tl::unexpected(answer.error());
  return {};
}

class PostgresqlTransaction final : public Transaction {
 public:
  PostgresqlTransaction(Session& session, Access access) : session_(session), access_(access) {
    session_.is_taken = true;
  }
  ~PostgresqlTransaction() override {
    if (!connection().is_lost() && !connection().is_idle()) static_cast<void>(connection().run("ROLLBACK"));
    session_.is_taken = false;
  }

  Result<void> start() { return access_ == Access::write ? lock() : look(); }

  Result<std::optional<Tally>> tally() override { return tally_by("tally"); }
  Result<void> visit_after(std::int64_t index, const Visit& visit) override;
  Result<std::optional<Entry>> find_release(Kind kind, const std::string& release) override {
    return entry_found_by("find_release", {release, name_of(kind)});
  }
  Result<std::optional<Entry>> find_request(const std::string& request) override {
    return entry_found_by("find_request", {request});
  }
  Result<void> begin(const Entry& first, const Cost& budget) override;
  Result<void> append(const Entry& entry) override;
  Result<void> keep(const std::string& release, const Documents& documents) override;
  Result<Documents> documents(const std::string& release) override;
  Result<std::optional<std::string>> document(const std::string& release, const std::string& name) override;
  Result<void> commit() override;

 private:
  Result<void> lock();
  Result<void> look();
  Result<std::optional<Tally>> tally_by(const char* statement);
  Result<std::optional<Entry>> entry_found_by(const char* statement, const std::vector<Parameter>& key);
  Result<void> add(const Entry& entry);
  Result<void> spoilt(Result<void> written) {
    if (!written) is_spoilt_ = true;
    return written;
  }
  Result<void> may_write() const {
    if (access_ == Access::write && !connection().is_idle()) return {};
    return connection().refused("is written in an open transaction for writing only; nothing was written");
  }
  const Connection& connection() const { return session_.connection; }

  Session& session_;
  Access access_;
  bool is_spoilt_ = false;  // a write failed: what was written before it is undone, too
};

// Each statement of READ COMMITTED sees what was committed before it, so all that follow the lock see the last entry.
Result<void> PostgresqlTransaction::lock() {
  if (Result<void> begun = done(connection().execute("begin_write")); !begun) return begun;
  Result<std::optional<Tally>> row = tally_by("lock_tally");
  if (!row) return tl::unexpected(row.error());
  if (*row) return {};
  if (Result<void> locked = done(connection().execute("lock_schema")); !locked) return locked;
  row = tally_by("lock_tally");  // somebody may have begun the ledger meanwhile
  if (!row) return tl::unexpected(row.error());
  return {};
}

// The view begins with the first look.
Result<void> PostgresqlTransaction::look() {
  if (Result<void> begun = done(connection().execute("begin_read")); !begun) return begun;
  VERNIER_TRY(tally());
  return {};
}

Result<std::optional<Tally>> PostgresqlTransaction::tally_by(const char* statement) {
  VERNIER_TRY(const Answer answer, connection().execute(statement));
  if (answer.rows() == 0) return std::optional<Tally>();
  return Tally{{answer.number(0, 0), std::string(answer.text(0, 1))}, {answer.number(0, 2), answer.number(0, 3)}};
}

Result<void> PostgresqlTransaction::visit_after(std::int64_t index, const Visit& visit) {
  Entry entry;
  entry.index = index;
  while (true) {
    VERNIER_TRY(const Answer part, connection().execute("visit", {entry.index}));
    for (int row = 0; row < part.rows(); ++row) {
      if (Result<void> read = read_row(connection(), part, row, entry); !read) return read;
      if (Result<void> visited = visit(entry); !visited) return visited;
    }
    if (part.rows() < rows_at_once) return {};
  }
}

Result<std::optional<Entry>> PostgresqlTransaction::entry_found_by(const char* statement,
                                                                   const std::vector<Parameter>& key) {
  VERNIER_TRY(const Answer answer, connection().execute(statement, key));
  if (answer.rows() == 0) return std::optional<Entry>();
  Entry entry;
  VERNIER_TRY(read_row(connection(), answer, 0, entry));
  return entry;
}

Result<void> PostgresqlTransaction::add(const Entry& entry) {
  if (Result<void> open = may_write(); !open) return open;
  if (Result<void> fits = texts_fit(connection().ledger(), entry); !fits) return fits;
  return done(connection().execute("add_entry", parameters_of(entry)));
}

Result<void> PostgresqlTransaction::begin(const Entry& first, const Cost& budget) {
  if (Result<void> added = add(first); !added) return spoilt(std::move(added));
  return spoilt(done(connection().execute("begin_tally", {first.index, first.hash, budget.epsilon, budget.delta})));
}

Result<void> PostgresqlTransaction::append(const Entry& entry) {
  if (Result<void> added = add(entry); !added) return spoilt(std::move(added));
  const Result<Answer> moved =
      connection().execute("move_tally", {entry.index, entry.hash, entry.cost.epsilon, entry.cost.delta});
  if (!moved) return spoilt(tl::unexpected(moved.error()));
  if (moved->changes() == 1) return {};
  return spoilt(connection().refused("has not begun yet; nothing was written"));
}

Result<void> PostgresqlTransaction::keep(const std::string& release, const Documents& documents) {
  if (Result<void> open = may_write(); !open) return spoilt(std::move(open));
  if (Result<void> fits = texts_fit(connection().ledger(), release, documents); !fits) return spoilt(std::move(fits));
  std::int64_t place = 0;
  for (const Document& document : documents) {
    const Result<Answer> kept =
        connection().execute("keep", {release, place++, document.name, Parameter::bytes(document.content)});
    if (!kept) return spoilt(done(kept));
  }
  return {};
}

Result<Documents> PostgresqlTransaction::documents(const std::string& release) {
  VERNIER_TRY(const Answer answer, connection().execute("documents", {release}));
  Documents documents;
  for (int row = 0; row < answer.rows(); ++row) {
    documents.push_back({std::string(answer.text(row, 0)), std::string(answer.text(row, 1))});
  }
  return documents;
}

Result<std::optional<std::string>> PostgresqlTransaction::document(const std::string& release,
                                                                   const std::string& name) {
  VERNIER_TRY(const Answer answer, connection().execute("document", {release, name}));
  return answer.rows() == 0 ? std::nullopt : std::optional(std::string(answer.text(0, 0)));
}

// A transaction that failed ends with the tag ROLLBACK, and without an error.
Result<void> PostgresqlTransaction::commit() {
  if (Result<void> open = may_write(); !open) return open;
  if (is_spoilt_) return connection().refused("was not written, since a part of it was refused before");
  VERNIER_TRY(const Answer ended, connection().execute("commit"));
  if (ended.tag() == "COMMIT") return {};
  return connection().refused("was not written, since a part of it was refused before");
}

}  // namespace

Result<void> prepare_statements(const Connection& connection) {
  const std::string tally = "SELECT idx, head, left_epsilon, left_delta FROM vernier_tally";
  const std::pair<const char*, std::string> statements[] = {
      {"begin_read", "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"},
      {"begin_write", "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"},
      {"commit", "COMMIT"},
      {"tally", tally},
      {"lock_tally", tally + " FOR UPDATE"},
      {"lock_schema", lock_of_schema},
      {"visit", select_entry + "idx > $1 ORDER BY idx LIMIT " + std::to_string(rows_at_once)},
      {"find_release", select_entry + "release = $1 AND kind = $2 AND release <> ''"},
      {"find_request", select_entry + "request = $1 AND request <> '' AND kind = 'reserve'"},
      {"documents", "SELECT name, content FROM vernier_documents WHERE release = $1 ORDER BY place"},
      {"document", "SELECT content FROM vernier_documents WHERE release = $1 AND name = $2 ORDER BY place LIMIT 1"},
      {"begin_tally", "INSERT INTO vernier_tally (id, idx, head, left_epsilon, left_delta) VALUES (1, $1, $2, $3, $4)"},
      {"add_entry", "INSERT INTO vernier_entries (" + entry_columns +
                        ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)"},
      {"move_tally",
       "UPDATE vernier_tally SET idx = $1, head = $2, left_epsilon = left_epsilon - $3, "
       "left_delta = left_delta - $4 WHERE id = 1"},
      {"keep", "INSERT INTO vernier_documents (release, place, name, content) VALUES ($1, $2, $3, $4)"},
  };
  for (const auto& [name, sql] : statements) {
    if (Result<void> prepared = connection.prepare(name, sql); !prepared) return prepared;
  }
  return {};
}

Result<std::unique_ptr<Transaction>> begin(Session& session, Access access) {
  if (session.is_taken) {
    return session.connection.refused("is in another transaction; end that one first, or open the ledger once more");
  }
  auto transaction = std::make_unique<PostgresqlTransaction>(session, access);
  VERNIER_TRY(transaction->start());
  return transaction;
}

}  // namespace vernier::ledger::postgresql

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
