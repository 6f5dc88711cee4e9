#pragma once

#include "vernier/ledger/entry.hpp"
#include "vernier/ledger/sqlite/connection.hpp"

// The tables of a ledger in a SQLite file, and the rules that they keep by themselves; stores.md explains them.
namespace vernier::ledger::sqlite {

// In the header of the file: "VRNR", and the version of the schema.
constexpr int application_id = 0x56524e52;
constexpr int schema_version = 2;

enum class Content : std::uint8_t { nothing, ledger };

// What the file holds. An error for a database that is no ledger, is one of a later version, or has other rules.
Result<Content> content_of(const Connection& connection);

// That its rules are those below, word for word, and that there are no others.
Result<void> check_rules(const Connection& connection);

// Turns an empty file into a ledger without entries, all at once; one that another process made meanwhile is as good.
Result<void> make_ledger(const Connection& connection);

// An entry as a row of its table, and back.
std::string select_entries(std::string_view where);
std::string insert_entry();

// Into an entry that is used again for each row, so that its texts keep their memory.
Result<void> read_entry(const Statement& row, const std::string& ledger, Entry& entry);
Cost left_in(const Statement& row);  // after that entry

// What is left comes after the fields of the entry.
void bind_entry(Statement& statement, const Entry& entry, const Cost& left);

}  // namespace vernier::ledger::sqlite
