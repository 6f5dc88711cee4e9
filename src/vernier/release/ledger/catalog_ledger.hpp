#pragma once

#include <memory>
#include <optional>

#include "vernier/ledger/ledger.hpp"
#include "vernier/plan/plan.hpp"
#include "vernier/query/catalog.hpp"
#include "vernier/release/ledger/table_marks.hpp"

// The ledger that a catalog names, and what a plan costs there.
namespace vernier::release {

// What the catalog allows; its accountant `pure` with a delta is the filter that adds up epsilons and deltas.
ledger::Terms terms_of(const query::Catalog& catalog);

// What sentences call it: the path of its file, or its address without the password.
std::string ledger_name(const query::Catalog& catalog);

// The SQLite file beside the catalog, or the PostgreSQL database, that the catalog names.
Result<std::unique_ptr<ledger::Store>> open_store(const query::Catalog& catalog, ledger::Missing missing);

// What its entries add up to, replayed and held against its witness; none where nothing was begun yet. Nothing is
// written, and nobody is kept from writing.
Result<std::optional<ledger::Book>> read_book(const query::Catalog& catalog);

// The witness that the catalog names; else a file named after the ledger in the state folder of this user, or beside
// the ledger where there is no such folder. Nowhere only where the catalog asks for that by witness = "none".
ledger::WitnessPlace witness_of(const query::Catalog& catalog);

ledger::Shares shares_of(const query::Budget& budget);

// When the conversion may be paid for.
ledger::Opening opening_of(const query::Budget& budget);

// Whom all tables of the catalog protect; and those that a study reads.
ledger::Units units_of(const query::Catalog& catalog);
ledger::Units units_of(const plan::BoundStudy& study);

// That no file of the study is one that was released by another unit, whatever it is called: hard links are other names
// of one file, which the ledger's own text does not show.
Result<void> check_files(const plan::BoundStudy& study, const ledger::BoundUnits& bound);

// Opens or begins the ledger, to spend from it.
Result<std::unique_ptr<ledger::Ledger>> open_ledger(const query::Catalog& catalog);

Result<ledger::Price> price_of(const plan::Plan& plan, const ledger::Rules& rules);

// The marks of a catalog's tables: in a folder beside its ledger, which whoever releases can write to; of a ledger in
// PostgreSQL, in the folder of its witness, or beside the catalog where it does without one.
TableMarks marks_of(const query::Catalog& catalog);

}  // namespace vernier::release
