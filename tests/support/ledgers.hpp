#pragma once

#include <filesystem>
#include <memory>

#include "vernier/ledger/ledger.hpp"
#include "vernier/ledger/sqlite/store.hpp"

namespace vernier::testing {

// A ledger in a file, without a witness.
inline std::unique_ptr<ledger::Ledger> ledger_at(const std::filesystem::path& path, const ledger::Terms& terms) {
  return ledger::Ledger::open(ledger::open_sqlite(path, ledger::Missing::is_made).value(), terms, {}).value();
}

// What was spent of its epsilon.
inline numeric::Rational spent_epsilon(const ledger::Ledger& ledger) {
  const ledger::Balance balance = ledger.book().balance();
  return ledger.rules().quanta.epsilon(balance.most.epsilon - balance.left.epsilon);
}

}  // namespace vernier::testing
