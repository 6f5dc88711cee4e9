#include "vernier/ledger/sqlite_rows.hpp"

#include "vernier/ledger/row_texts.hpp"

namespace vernier::ledger::sqlite {
namespace {

std::string columns() { return entry_columns + ", left_epsilon, left_delta"; }

}  // namespace

std::string select_entries(std::string_view where) {
  return ("SELECT " + columns() + " FROM entries WHERE ").append(where);
}

std::string insert_entry() {
  return "INSERT INTO entries (" + columns() + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
}

Result<void> read_entry(const Statement& row, const std::string& ledger, Entry& entry) {
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

Cost left_in(const Statement& row) { return {row.number(14), row.number(15)}; }

void bind_entry(Statement& statement, const Entry& entry, const Cost& left) {
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
  statement.bind(14, left.epsilon);
  statement.bind(15, left.delta);
}

}  // namespace vernier::ledger::sqlite
