#include <utility>

#include "vernier/ledger/entry.hpp"
#include "vernier/ledger/sqlite/schema.hpp"
#include "vernier/ledger/sqlite/session.hpp"

namespace vernier::ledger::sqlite {
namespace {

// Whether a row says that so much is left as it must, with the one before it.
bool follows(const Cost& before, const Cost& cost, const Cost& after) {
  Cost left;
  const bool overflows = __builtin_sub_overflow(before.epsilon, cost.epsilon, &left.epsilon) ||
                         __builtin_sub_overflow(before.delta, cost.delta, &left.delta);
  return !overflows && left == after;
}

Failure wrong_rest(std::int64_t index) {
  return invalid("what entry " + std::to_string(index) + " says is left is not what the entries up to it leave");
}

class SqliteTransaction final : public Transaction {
 public:
  SqliteTransaction(Session& session, Access access) : session_(session), lookup_(session), access_(access) {
    session_.is_taken = true;
  }
  ~SqliteTransaction() override {
    if (session_.connection.is_in_transaction()) static_cast<void>(run(session_.statements.rollback));
    if (has_appended_) session_.keys.forget();
    session_.is_taken = false;
  }

  Result<void> start() {
    if (access_ == Access::write) return run(session_.statements.begin_write);
    if (Result<void> begun = run(session_.statements.begin_read); !begun) return begun;
    return look();  // with which the view begins
  }

  Result<std::optional<Tally>> tally() override;
  Result<void> visit_after(std::int64_t index, const Visit& visit) override;
  Result<std::optional<Entry>> find_release(Kind kind, const std::string& release) override;
  Result<std::optional<Entry>> find_request(const std::string& request) override;
  Result<void> begin(const Entry& first, const Cost& budget) override;
  Result<void> append(const Entry& entry) override;
  Result<void> keep(const std::string& release, const Documents& documents) override;
  Result<Documents> documents(const std::string& release) override;
  Result<std::optional<std::string>> document(const std::string& release, const std::string& name) override;
  Result<void> commit() override;

 private:
  Result<void> run(Statement& statement) {
    const Use use(statement);
    VERNIER_TRY(session_.connection.step(*use));
    return {};
  }
  bool is_known() const;
  Result<void> look();
  Result<void> learn_keys();
  Result<void> add(const Entry& entry, const Cost& left);
  Result<void> append_after(const Entry& entry);
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
  Lookup lookup_;
  Access access_;
  bool is_spoilt_ = false;     // a write failed: what was written before it is undone, too
  bool has_appended_ = false;  // something that is not committed, and whose keys are known
  bool has_looked_ = false;
  std::optional<Tally> last_;  // what the last row says, once it was looked at; nobody else moves it meanwhile
};

// Nothing is read again after a commit of our own that no other followed. (Were that wrong, the trigger on entries
// would refuse what is built on it.) A transaction for reading has no view yet, and begins it by the statement.
bool SqliteTransaction::is_known() const {
  if (access_ != Access::write || !session_.known.version) return false;
  return session_.connection.data_version() == session_.known.version;
}

Result<void> SqliteTransaction::look() {
  if (has_looked_) return {};
  if (is_known()) {
    last_ = session_.known.tally;
    has_looked_ = true;
    return {};
  }
  const Use use(session_.statements.last);
  VERNIER_TRY(const bool row, session_.connection.step(*use));
  if (row) last_ = Tally{{use->number(0), std::string(use->text(1))}, {use->number(2), use->number(3)}};
  has_looked_ = true;
  return {};
}

Result<std::optional<Tally>> SqliteTransaction::tally() {
  return look().map([&] { return last_; });
}

// Each row is visited before its rest is held against the one before, since an entry that was changed is the better
// reason. The rest of the last one is the tally's.
Result<void> SqliteTransaction::visit_after(std::int64_t index, const Visit& visit) {
  const Use use(session_.statements.visit);
  use->bind(0, index);
  Entry entry;
  std::optional<Cost> left;
  while (true) {
    VERNIER_TRY(const bool row, session_.connection.step(*use));
    if (!row) return {};
    if (Result<void> read = read_entry(*use, ledger(), entry); !read) return read;
    const Keys::Pair pair = session_.keys.pair_of(Names::of(entry));
    session_.keys.expect(pair);
    if (Result<void> visited = visit(entry); !visited) return visited;
    if (left && !follows(*left, entry.cost, left_in(*use))) return wrong_rest(entry.index);
    left = left_in(*use);
    if (Result<void> learnt = lookup_.learn_next(entry.index, Names::of(entry), pair); !learnt) return learnt;
  }
}

Result<void> SqliteTransaction::learn_keys() {
  if (Result<void> looked = look(); !looked) return looked;
  return lookup_.learn_up_to(last_ ? last_->position.index : 0);
}

Result<std::optional<Entry>> SqliteTransaction::find_release(Kind kind, const std::string& release) {
  return learn_keys().and_then([&] { return lookup_.by_release(kind, release); });
}

Result<std::optional<Entry>> SqliteTransaction::find_request(const std::string& request) {
  return learn_keys().and_then([&] { return lookup_.by_request(request); });
}

Result<void> SqliteTransaction::spoilt(Result<void> written) {
  if (!written) is_spoilt_ = true;
  return written;
}

Result<void> SqliteTransaction::add(const Entry& entry, const Cost& left) {
  if (Result<void> fits = texts_fit(ledger(), entry); !fits) return fits;
  const Names names = Names::of(entry);
  const Keys::Pair pair = session_.keys.pair_of(names);
  session_.keys.expect(pair);
  VERNIER_TRY(const std::optional<Entry> twin, learn_keys().and_then([&] { return lookup_.twin_of(names, pair); }));
  if (twin) return failure(ledger(), SQLITE_CONSTRAINT_UNIQUE);
  {
    const Use use(session_.statements.add_entry);
    bind_entry(*use, entry, left);
    VERNIER_TRY(session_.connection.step(*use));
    if (session_.connection.changes() != 1) return refused("did not take an entry, and says nothing of it");
  }
  has_appended_ = true;
  session_.keys.add(entry.index, pair);
  if (!last_) last_.emplace();
  last_->position.index = entry.index;
  last_->position.head = entry.hash;
  last_->left = left;
  return {};
}

Result<void> SqliteTransaction::begin(const Entry& first, const Cost& budget) {
  if (Result<void> open = may_write(); !open) return spoilt(std::move(open));
  return spoilt(add(first, budget));
}

// A cost below zero might overflow what is left of it.
Result<void> SqliteTransaction::append_after(const Entry& entry) {
  if (Result<void> looked = look(); !looked) return looked;
  if (!last_) return refused("has not begun yet; nothing was written");
  if (entry.cost.epsilon < 0 || entry.cost.delta < 0) return failure(ledger(), SQLITE_CONSTRAINT_CHECK);
  return add(entry, last_->left - entry.cost);
}

Result<void> SqliteTransaction::append(const Entry& entry) {
  if (Result<void> open = may_write(); !open) return spoilt(std::move(open));
  return spoilt(append_after(entry));
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
    VERNIER_TRY(const bool row, session_.connection.step(*use));
    if (!row) return documents;
    documents.push_back({std::string(use->text(0)), std::string(use->text(1))});
  }
}

Result<std::optional<std::string>> SqliteTransaction::document(const std::string& release, const std::string& name) {
  const Use use(session_.statements.document);
  use->bind(0, release);
  use->bind(1, name);
  VERNIER_TRY(const bool row, session_.connection.step(*use));
  return row ? std::optional(std::string(use->text(0))) : std::nullopt;
}

Result<void> SqliteTransaction::commit() {
  if (Result<void> open = may_write(); !open) return open;
  if (is_spoilt_) return refused("was not written, since a part of it was refused before");
  session_.known.version.reset();
  if (Result<void> committed = run(session_.statements.commit); !committed) return committed;
  has_appended_ = false;
  if (!last_) return {};
  session_.known.tally = *last_;
  session_.known.version = session_.connection.data_version();
  return {};
}

}  // namespace

Result<std::unique_ptr<Transaction>> begin(Session& session, Access access) {
  if (session.is_taken) {
    return fail(ErrorKind::system, "the ledger '" + session.connection.ledger() + "' is in another transaction",
                "end that one first, or open the ledger once more");
  }
  auto transaction = std::make_unique<SqliteTransaction>(session, access);
  VERNIER_TRY(transaction->start());
  return transaction;
}

}  // namespace vernier::ledger::sqlite
