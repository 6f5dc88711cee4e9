#pragma once

#include "vernier/ledger/sqlite_session.hpp"
#include "vernier/ledger/store.hpp"

namespace vernier::ledger::sqlite {

// Begins a transaction; the session outlives it.
Result<std::unique_ptr<Transaction>> begin(Session& session, Access access);

}  // namespace vernier::ledger::sqlite
