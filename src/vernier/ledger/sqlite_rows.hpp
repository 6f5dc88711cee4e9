#pragma once

#include "vernier/ledger/entry.hpp"
#include "vernier/ledger/sqlite.hpp"

// An entry as a row of its table, and back.
namespace vernier::ledger::sqlite {

std::string select_entries(std::string_view where);
std::string insert_entry();

// Into an entry that is used again for each row, so that its texts keep their memory.
Result<void> read_entry(const Statement& row, const std::string& ledger, Entry& entry);
Cost left_in(const Statement& row);  // after that entry

// What is left comes after the fields of the entry.
void bind_entry(Statement& statement, const Entry& entry, const Cost& left);

}  // namespace vernier::ledger::sqlite
