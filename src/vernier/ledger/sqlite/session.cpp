#include "vernier/ledger/sqlite/session.hpp"

#include <utility>

#include "vernier/ledger/entry.hpp"
#include "vernier/ledger/sqlite/schema.hpp"

namespace vernier::ledger::sqlite {

Result<Statements> Statements::prepare(const Connection& connection) {
  Statements all;
  const std::pair<Statement*, std::string> texts[] = {
      {&all.begin_read, "BEGIN"},
      {&all.begin_write, "BEGIN IMMEDIATE"},
      {&all.commit, "COMMIT"},
      {&all.rollback, "ROLLBACK"},
      {&all.schema_version, "PRAGMA schema_version"},
      {&all.last, "SELECT idx, hash, left_epsilon, left_delta FROM entries ORDER BY idx DESC LIMIT 1"},
      {&all.visit, select_entries("idx > ? ORDER BY idx")},
      {&all.keys, "SELECT idx, kind, release, request FROM entries WHERE idx > ? ORDER BY idx"},
      {&all.entry, select_entries("idx = ?")},
      {&all.documents, "SELECT name, content FROM documents WHERE release = ? ORDER BY place"},
      {&all.document, "SELECT content FROM documents WHERE release = ? AND name = ? ORDER BY place LIMIT 1"},
      {&all.add_entry, insert_entry()},
      {&all.keep, "INSERT INTO documents (release, place, name, content) VALUES (?, ?, ?, ?)"},
  };
  for (const auto& [statement, sql] : texts) {
    VERNIER_TRY(Statement prepared, connection.prepare(sql));
    *statement = std::move(prepared);
  }
  return all;
}

Result<std::int64_t> schema_version_of(Session& session) {
  const Use use(session.statements.schema_version);
  return session.connection.step(*use).map([&](bool) { return use->number(0); });
}

namespace {

Failure repeated(std::int64_t index, std::int64_t former) {
  return invalid("entry " + std::to_string(index) + " has the release or the request of entry " +
                 std::to_string(former) + " once more");
}

}  // namespace

Result<void> Lookup::learn_up_to(std::int64_t index) {
  if (index <= session_.keys.last()) return {};
  const Use use(session_.statements.keys);
  use->bind(0, session_.keys.last());
  while (true) {
    VERNIER_TRY(const bool row, session_.connection.step(*use));
    if (!row) return {};
    const std::optional<Kind> kind = kind_named(use->text(1));
    if (!kind || use->number(0) != session_.keys.last() + 1) return failure(ledger(), SQLITE_CORRUPT);
    const Names names{*kind, use->text(2), use->text(3)};
    if (Result<void> learnt = learn_next(use->number(0), names, session_.keys.pair_of(names)); !learnt) return learnt;
  }
}

Result<void> Lookup::learn_next(std::int64_t index, const Names& names, const Keys::Pair& pair) {
  if (index != session_.keys.last() + 1) return {};
  VERNIER_TRY(const std::optional<Entry> twin, twin_of(names, pair));
  if (twin) return repeated(index, twin->index);
  session_.keys.add(index, pair);
  return {};
}

Result<std::optional<Entry>> Lookup::entry_at(std::int64_t index) {
  const Use use(session_.statements.entry);
  use->bind(0, index);
  VERNIER_TRY(const bool row, session_.connection.step(*use));
  if (!row) return std::optional<Entry>();
  Entry entry;
  VERNIER_TRY(read_entry(*use, ledger(), entry));
  return entry;
}

// The first of the candidates that is it.
template <class IsIt>
Result<std::optional<Entry>> Lookup::confirmed(Keys::Search search, const IsIt& is_it) {
  while (const std::int64_t index = search.next()) {
    Result<std::optional<Entry>> entry = entry_at(index);
    if (!entry || (*entry && is_it(**entry))) return entry;
  }
  return std::optional<Entry>();
}

Result<std::optional<Entry>> Lookup::released(Keys::Search search, Kind kind, std::string_view release) {
  return confirmed(search, [&](const Entry& entry) { return entry.kind == kind && entry.release == release; });
}

Result<std::optional<Entry>> Lookup::requested(Keys::Search search, std::string_view request) {
  return confirmed(search, [&](const Entry& entry) { return entry.kind == Kind::reserve && entry.request == request; });
}

Result<std::optional<Entry>> Lookup::by_release(Kind kind, std::string_view release) {
  return released(session_.keys.of_release(kind, release), kind, release);
}

Result<std::optional<Entry>> Lookup::by_request(std::string_view request) {
  return requested(session_.keys.of_request(request), request);
}

Result<std::optional<Entry>> Lookup::twin_of(const Names& names, const Keys::Pair& pair) {
  Result<std::optional<Entry>> twin = released(session_.keys.of(pair.release), names.kind, names.release);
  if (!twin || *twin || names.kind != Kind::reserve) return twin;
  return requested(session_.keys.of(pair.request), names.request);
}

}  // namespace vernier::ledger::sqlite
