#include "vernier/ledger/sqlite_session.hpp"

#include <utility>

#include "vernier/ledger/sqlite_rows.hpp"

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

}  // namespace vernier::ledger::sqlite
