#include "vernier/ledger/sqlite_transaction.hpp"

#include <utility>

#include "vernier/ledger/row_texts.hpp"

namespace vernier::ledger::sqlite {
namespace {

const std::string select_entry = "SELECT " + entry_columns + " FROM entries WHERE ";
const std::string insert_entry =
    "INSERT INTO entries (" + entry_columns + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
const std::string update_tally =
    "UPDATE tally SET idx = ?, head = ?, left_epsilon = left_epsilon - ?, left_delta = left_delta - ? WHERE id = 1";

// Into an entry that is used again for each row, so that its texts keep their memory.
Result<void> read_row(const Statement& row, const std::string& ledger, Entry& entry) {
  const std::optional<Kind> kind = kind_named(row.text(1));
  const std::optional<Manner> manner = manner_named(row.text(9));
  if (!kind || !manner) return failure(ledger, SQLITE_CORRUPT);
  entry.index = row.number(0);
  entry.kind = *kind;
  entry.time = row.number(2);
  entry.release = row.text(3);
  entry.request = row.text(4);
  entry.analyst = row.text(5);
  entry.study = row.text(6);
  entry.unit = row.text(7);
  entry.plan = row.text(8);
  entry.manner = *manner;
  entry.cost = {row.number(10), row.number(11)};
  entry.content = row.text(12);
  entry.hash = row.text(13);
  return {};
}

void bind_entry(Statement& statement, const Entry& entry) {
  statement.bind(0, entry.index);
  statement.bind(1, name_of(entry.kind));
  statement.bind(2, entry.time);
  statement.bind(3, entry.release);
  statement.bind(4, entry.request);
  statement.bind(5, entry.analyst);
  statement.bind(6, entry.study);
  statement.bind(7, entry.unit);
  statement.bind(8, entry.plan);
  statement.bind(9, name_of(entry.manner));
  statement.bind(10, entry.cost.epsilon);
  statement.bind(11, entry.cost.delta);
  statement.bind(12, entry.content);
  statement.bind(13, entry.hash);
}

class SqliteTransaction final : public Transaction {
 public:
  SqliteTransaction(Session& session, Access access) : session_(session), access_(access) { session_.is_taken = true; }
  ~SqliteTransaction() override {
    if (session_.connection.is_in_transaction()) static_cast<void>(run(session_.statements.rollback));
    session_.is_taken = false;
  }

  Result<void> start() {
    if (access_ == Access::write) return run(session_.statements.begin_write);
    if (Result<void> begun = run(session_.statements.begin_read); !begun) return begun;
    const Result<std::optional<Tally>> first_look = tally();  // the view begins with the first look
    if (!first_look) return tl::unexpected(first_look.error());
    return {};
  }

  Result<std::optional<Tally>> tally() override;
  Result<void> visit_after(std::int64_t index, const Visit& visit) override;
  Result<std::optional<Entry>> find_release(Kind kind, const std::string& release) override;
  Result<std::optional<Entry>> find_request(const std::string& request) override;
  Result<void> begin(const Entry& first, const Cost& budget) override;
  Result<void> append(const Entry& entry) override;
  Result<void> keep(const std::string& release, const Documents& documents) override;
  Result<Documents> documents(const std::string& release) override;
  Result<void> commit() override;

 private:
  Result<void> run(Statement& statement) {
    const Use use(statement);
    const Result<bool> row = session_.connection.step(*use);
    if (!row) return tl::unexpected(row.error());
    return {};
  }
  Result<std::optional<Entry>> entry_found_by(Statement& statement);
  Result<void> add(const Entry& entry);
  Result<void> move_tally(const Entry& entry);
  Result<void> keep_one(const std::string& release, std::int64_t place, const Document& document);
  Result<void> spoilt(Result<void> written);
  Result<void> may_write() const {
    if (access_ == Access::write && session_.connection.is_in_transaction()) return {};
    return refused("is written in an open transaction for writing only; nothing was written");
  }
  Failure refused(const char* predicate) const {
    return fail(ErrorKind::system, "the ledger '" + ledger() + "' " + predicate);
  }
  const std::string& ledger() const { return session_.connection.ledger(); }

  Session& session_;
  Access access_;
  bool is_spoilt_ = false;  // a write failed: what was written before it is undone, too
};

Result<std::optional<Tally>> SqliteTransaction::tally() {
  const Use use(session_.statements.tally);
  const Result<bool> row = session_.connection.step(*use);
  if (!row) return tl::unexpected(row.error());
  if (!*row) return std::optional<Tally>();
  return Tally{{use->number(0), std::string(use->text(1))}, {use->number(2), use->number(3)}};
}

Result<void> SqliteTransaction::visit_after(std::int64_t index, const Visit& visit) {
  const Use use(session_.statements.visit);
  use->bind(0, index);
  Entry entry;
  while (true) {
    const Result<bool> row = session_.connection.step(*use);
    if (!row) return tl::unexpected(row.error());
    if (!*row) return {};
    if (Result<void> read = read_row(*use, ledger(), entry); !read) return read;
    if (Result<void> visited = visit(entry); !visited) return visited;
  }
}

Result<std::optional<Entry>> SqliteTransaction::entry_found_by(Statement& statement) {
  const Result<bool> row = session_.connection.step(statement);
  if (!row) return tl::unexpected(row.error());
  if (!*row) return std::optional<Entry>();
  Entry entry;
  if (Result<void> read = read_row(statement, ledger(), entry); !read) return tl::unexpected(read.error());
  return entry;
}

Result<std::optional<Entry>> SqliteTransaction::find_release(Kind kind, const std::string& release) {
  const Use use(session_.statements.find_release);
  use->bind(0, release);
  use->bind(1, name_of(kind));
  return entry_found_by(*use);
}

Result<std::optional<Entry>> SqliteTransaction::find_request(const std::string& request) {
  const Use use(session_.statements.find_request);
  use->bind(0, request);
  return entry_found_by(*use);
}

Result<void> SqliteTransaction::spoilt(Result<void> written) {
  if (!written) is_spoilt_ = true;
  return written;
}

Result<void> SqliteTransaction::add(const Entry& entry) {
  if (Result<void> open = may_write(); !open) return open;
  if (Result<void> fits = texts_fit(ledger(), entry); !fits) return fits;
  const Use use(session_.statements.add_entry);
  bind_entry(*use, entry);
  return run(*use);
}

Result<void> SqliteTransaction::move_tally(const Entry& entry) {
  const Use use(session_.statements.move_tally);
  use->bind(0, entry.index);
  use->bind(1, entry.hash);
  use->bind(2, entry.cost.epsilon);
  use->bind(3, entry.cost.delta);
  if (Result<void> moved = run(*use); !moved) return moved;
  if (session_.connection.changes() == 1) return {};
  return refused("has not begun yet; nothing was written");
}

Result<void> SqliteTransaction::begin(const Entry& first, const Cost& budget) {
  if (Result<void> added = add(first); !added) return spoilt(std::move(added));
  const Use use(session_.statements.begin_tally);
  use->bind(0, first.index);
  use->bind(1, first.hash);
  use->bind(2, budget.epsilon);
  use->bind(3, budget.delta);
  return spoilt(run(*use));
}

Result<void> SqliteTransaction::append(const Entry& entry) {
  if (Result<void> added = add(entry); !added) return spoilt(std::move(added));
  return spoilt(move_tally(entry));
}

Result<void> SqliteTransaction::keep_one(const std::string& release, std::int64_t place, const Document& document) {
  const Use use(session_.statements.keep);
  use->bind(0, release);
  use->bind(1, place);
  use->bind(2, document.name);
  use->bind_blob(3, document.content);
  return run(*use);
}

Result<void> SqliteTransaction::keep(const std::string& release, const Documents& documents) {
  if (Result<void> open = may_write(); !open) return spoilt(std::move(open));
  if (Result<void> fits = texts_fit(ledger(), release, documents); !fits) return spoilt(std::move(fits));
  std::int64_t place = 0;
  for (const Document& document : documents) {
    if (Result<void> kept = keep_one(release, place++, document); !kept) return spoilt(std::move(kept));
  }
  return {};
}

Result<Documents> SqliteTransaction::documents(const std::string& release) {
  const Use use(session_.statements.documents);
  use->bind(0, release);
  Documents documents;
  while (true) {
    const Result<bool> row = session_.connection.step(*use);
    if (!row) return tl::unexpected(row.error());
    if (!*row) return documents;
    documents.push_back({std::string(use->text(0)), std::string(use->text(1))});
  }
}

Result<void> SqliteTransaction::commit() {
  if (Result<void> open = may_write(); !open) return open;
  if (is_spoilt_) return refused("was not written, since a part of it was refused before");
  return run(session_.statements.commit);
}

}  // namespace

Result<Statements> Statements::prepare(const Connection& connection) {
  Statements all;
  const std::pair<Statement*, std::string> texts[] = {
      {&all.begin_read, "BEGIN"},
      {&all.begin_write, "BEGIN IMMEDIATE"},
      {&all.commit, "COMMIT"},
      {&all.rollback, "ROLLBACK"},
      {&all.tally, "SELECT idx, head, left_epsilon, left_delta FROM tally"},
      {&all.visit, select_entry + "idx > ? ORDER BY idx"},
      {&all.find_release, select_entry + "release = ? AND kind = ? AND release <> ''"},
      {&all.find_request, select_entry + "request = ? AND request <> '' AND kind = 'reserve'"},
      {&all.documents, "SELECT name, content FROM documents WHERE release = ? ORDER BY place"},
      {&all.begin_tally, "INSERT INTO tally (id, idx, head, left_epsilon, left_delta) VALUES (1, ?, ?, ?, ?)"},
      {&all.add_entry, insert_entry},
      {&all.move_tally, update_tally},
      {&all.keep, "INSERT INTO documents (release, place, name, content) VALUES (?, ?, ?, ?)"},
  };
  for (const auto& [statement, sql] : texts) {
    Result<Statement> prepared = connection.prepare(sql);
    if (!prepared) return tl::unexpected(std::move(prepared.error()));
    *statement = std::move(*prepared);
  }
  return all;
}

Result<std::unique_ptr<Transaction>> begin(Session& session, Access access) {
  if (session.is_taken) {
    return fail(ErrorKind::system, "the ledger '" + session.connection.ledger() +
                                       "' is in another transaction; end that one first, or open the ledger once more");
  }
  auto transaction = std::make_unique<SqliteTransaction>(session, access);
  if (Result<void> started = transaction->start(); !started) return tl::unexpected(std::move(started.error()));
  return transaction;
}

}  // namespace vernier::ledger::sqlite
