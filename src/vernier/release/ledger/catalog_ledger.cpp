#include "vernier/release/ledger/catalog_ledger.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <unistd.h>

#include "vernier/core/hash.hpp"
#include "vernier/engine/file_state.hpp"
#include "vernier/ledger/postgresql/store.hpp"
#include "vernier/ledger/sqlite/store.hpp"
#include "vernier/query/problem.hpp"
#include "vernier/query/source_files.hpp"

namespace vernier::release {
namespace {

ledger::Accountant accountant_of(const query::Budget& budget) {
  switch (budget.accountant) {
    case query::Filter::pure:
      return budget.delta == numeric::Rational::of(0) ? ledger::Accountant::pure : ledger::Accountant::approximate;
    case query::Filter::rdp:
      return ledger::Accountant::rdp;
    case query::Filter::zcdp:
      break;
  }
  return ledger::Accountant::zcdp;
}

bool is_address(const std::string& ledger) { return ledger.find("://") != std::string::npos; }

// Whether it is a folder that may be written, or can be made. Nothing is made here: the witness does that when it has
// something to remember, and who only looks leaves no trace.
bool is_or_can_be(const std::filesystem::path& folder) {
  std::error_code unknown;
  std::filesystem::path nearest = folder;
  while (!std::filesystem::exists(nearest, unknown) && nearest.has_relative_path()) nearest = nearest.parent_path();
  return std::filesystem::is_directory(nearest, unknown) && ::access(nearest.c_str(), W_OK | X_OK) == 0;
}

// $XDG_STATE_HOME/vernier, or ~/.local/state/vernier; empty where that cannot be made.
std::filesystem::path state_folder() {
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  std::filesystem::path folder;
  if (state != nullptr && *state == '/')
    folder = std::filesystem::path(state) / "vernier";
  else if (home != nullptr && *home == '/')
    folder = std::filesystem::path(home) / ".local/state/vernier";
  return !folder.empty() && is_or_can_be(folder) ? folder : std::filesystem::path();
}

// Where a file lies behind links, whether it is there or not.
std::filesystem::path true_place(const std::filesystem::path& path) {
  std::error_code unknown;
  const std::filesystem::path found = std::filesystem::weakly_canonical(path, unknown);
  return unknown ? std::filesystem::absolute(path).lexically_normal() : found;
}

// Where names of files in the ledger are found from.
std::filesystem::path ledger_folder(const query::Catalog& catalog) {
  return true_place(query::beside(catalog.path, catalog.budget.ledger)).parent_path();
}

// Files as they are found from the ledger, one a line: catalogs in other folders, other spellings and links name it
// alike, and a folder that is moved as a whole keeps its names.
std::string name_of_source(const query::Catalog& catalog, const query::Source& source) {
  if (source.kind == query::SourceKind::table) return source.told();
  if (source.path.empty()) return {};
  const std::filesystem::path folder = ledger_folder(catalog);
  std::string names;
  for (const std::filesystem::path& part : query::parts_of(source.path)) {
    const std::filesystem::path place = true_place(query::beside(catalog.path, part));
    names += (names.empty() ? "" : "\n") +
             (is_address(catalog.budget.ledger) ? place : place.lexically_proximate(folder)).string();
  }
  return names;
}

// A unit that is found in another way is another unit.
std::string way_of(const query::Table& table) {
  if (!table.via) return "";
  return " of " + table.via->table + " by " + table.via->by + " = " + table.via->key;
}

ledger::TableUnit unit_of(const query::Catalog& catalog, const query::Table& table) {
  const std::string source = name_of_source(catalog, table.source);
  if (table.is_public) return {table.name, std::nullopt, source};
  return {table.name, table.unit.value_or("row") + way_of(table), source};
}

}  // namespace

ledger::Terms terms_of(const query::Catalog& catalog) {
  const query::Budget& budget = catalog.budget;
  return {accountant_of(budget), budget.epsilon, budget.delta, catalog.tables.front().neighbours};
}

std::string ledger_name(const query::Catalog& catalog) {
  const std::string& ledger = catalog.budget.ledger;
  return is_address(ledger) ? ledger::name_of_postgresql(ledger) : query::beside(catalog.path, ledger).string();
}

namespace {

// A ledger used to be called catalog.ledger whatever its catalog was called. Where one lies there that no catalog.toml
// goes with, a new one beside it would forget what was spent.
Result<void> check_forgotten(const query::Catalog& catalog) {
  constexpr const char* former = "catalog.ledger";
  const std::string& own = catalog.budget.ledger;
  const auto is_there = [&](const std::filesystem::path& name) {
    std::error_code unknown;
    return std::filesystem::exists(query::beside(catalog.path, name), unknown);
  };
  if (catalog.budget.names_ledger || own == former || is_there(own)) return {};
  if (!is_there(former) || is_there("catalog.toml")) return {};
  return invalid("'" + catalog.path.string() + "' names no ledger, and beside it lies " + former +
                     ", which may hold what was spent from it",
                 std::string("write ledger = \"") + former + "\" into [budget] to go on with it, or ledger = \"" + own +
                     "\" to begin another");
}

}  // namespace

Result<std::unique_ptr<ledger::Store>> open_store(const query::Catalog& catalog, ledger::Missing missing) {
  const std::string& ledger = catalog.budget.ledger;
  if (is_address(ledger)) return ledger::open_postgresql(ledger, missing);
  VERNIER_TRY(check_forgotten(catalog));
  return ledger::open_sqlite(query::beside(catalog.path, ledger), missing);
}

Result<std::optional<ledger::Book>> read_book(const query::Catalog& catalog) {
  VERNIER_TRY(const std::unique_ptr<ledger::Store> store, open_store(catalog, ledger::Missing::is_none));
  const ledger::Options options{.witness = witness_of(catalog), .units = units_of(catalog)};
  if (store) return ledger::look(*store, terms_of(catalog), options);
  const Result<void> unseen = ledger::Watch(witness_of(catalog)).finish(std::nullopt);
  if (!unseen) return Failure(ledger::does_not_hold(ledger_name(catalog), unseen.error()));
  return std::nullopt;
}

ledger::WitnessPlace witness_of(const query::Catalog& catalog) {
  const query::Budget& budget = catalog.budget;
  if (budget.without_witness) return {};
  if (budget.witness) return {.file = query::beside(catalog.path, *budget.witness)};
  const std::filesystem::path folder = state_folder();
  if (!folder.empty()) return {.folder = folder};
  const std::string named = is_address(budget.ledger) ? "." : budget.ledger;
  // Absolute: a catalog in the current folder has no folder in its name, and an empty place would be none.
  return {.folder = std::filesystem::absolute(query::beside(catalog.path, named)).parent_path()};
}

ledger::Shares shares_of(const query::Budget& budget) {
  ledger::Shares shares;
  for (const query::BudgetShare& share : budget.shares) shares.push_back({share.analyst, share.part});
  std::sort(shares.begin(), shares.end(), [](const auto& a, const auto& b) { return a.analyst < b.analyst; });
  return shares;
}

ledger::Opening opening_of(const query::Budget& budget) {
  switch (budget.conversion) {
    case query::Conversion::never:
      return ledger::Opening::never;
    case query::Conversion::early:
      return ledger::Opening::early;
    case query::Conversion::worthwhile:
      break;
  }
  return ledger::Opening::worthwhile;
}

ledger::Units units_of(const query::Catalog& catalog) {
  ledger::Units units;
  for (const query::Table& table : catalog.tables) units.push_back(unit_of(catalog, table));
  for (const query::Table& table : catalog.public_tables) units.push_back(unit_of(catalog, table));
  return units;
}

ledger::Units units_of(const plan::BoundStudy& study) {
  ledger::Units units;
  const auto add = [&](const ledger::TableUnit& one) {
    if (std::find(units.begin(), units.end(), one) == units.end()) units.push_back(one);
  };
  for (const plan::BoundStatistic* const statistic : statements_of(study)) {
    for (const query::Table& one : plan::protected_tables(*statistic)) {
      const query::Table* const declared = study.catalog.table(one.name);
      add(unit_of(study.catalog, declared != nullptr ? *declared : one));
    }
    for (const plan::BoundJoin& join : statistic->joins) {
      if (join.table.is_public) add(unit_of(study.catalog, join.table));
    }
  }
  return units;
}

namespace {

// The files that are there now.
std::vector<engine::FileIdentity> identities_of(const std::filesystem::path& found_from, const std::string& file) {
  std::vector<engine::FileIdentity> identities;
  const auto files = query::files_of(found_from / "ledger", file);
  for (const std::filesystem::path& path : files.value_or(std::vector<std::filesystem::path>())) {
    if (const auto identity = engine::identity_of(path)) identities.push_back(*identity);
  }
  return identities;
}

bool have_one_file(const std::filesystem::path& found_from, const std::string& a, const ledger::TableUnit& table) {
  const std::vector<engine::FileIdentity> released = identities_of(found_from, a);
  for (const std::string& file : ledger::files_of(table)) {
    for (const engine::FileIdentity& identity : identities_of(found_from, file)) {
      if (std::find(released.begin(), released.end(), identity) != released.end()) return true;
    }
  }
  return false;
}

}  // namespace

Result<void> check_files(const plan::BoundStudy& study, const ledger::BoundUnits& bound) {
  const std::filesystem::path folder = ledger_folder(study.catalog);
  for (const ledger::TableUnit& now : units_of(study)) {
    for (const auto& [file, released] : bound.files()) {
      if (!ledger::is_same_unit(released, now) && have_one_file(folder, file, now))
        return invalid("the ledger " + ledger::conflict_of_file(file, released, now));
    }
  }
  return {};
}

Result<std::unique_ptr<ledger::Ledger>> open_ledger(const query::Catalog& catalog) {
  return open_store(catalog, ledger::Missing::is_made).and_then([&](std::unique_ptr<ledger::Store> store) {
    const ledger::Options options{
        .witness = witness_of(catalog), .shares = shares_of(catalog.budget), .units = units_of(catalog)};
    return ledger::Ledger::open(std::move(store), terms_of(catalog), options);
  });
}

namespace {

bool needs_delta(const plan::BoundStudy& study) {
  return !study.tables.empty() || std::any_of(study.statistics.begin(), study.statistics.end(),
                                              [](const plan::BoundStatistic& one) { return !one.keys.are_public; });
}

}  // namespace

Result<ledger::Price> price_of(const plan::Plan& plan, const ledger::Rules& rules) {
  const Result<numeric::Rational> epsilon = numeric::Rational::of(plan.epsilon);
  const Result<numeric::Rational> delta = numeric::Rational::of(plan.delta.value());
  if (!epsilon || !delta) return invalid("the plan has no finite total; make the plan anew");
  const ledger::Statement total{*epsilon, *delta};
  const ledger::Statement least = ledger::without_delta(plan.events, total);
  const bool is_within = !plan.study.budget || least.epsilon <= plan.study.budget->epsilon;
  return ledger::price(rules, plan.events, is_within ? least : total).map([&](ledger::Price price) {
    price.opening = opening_of(plan.study.catalog.budget);
    price.needs_delta = needs_delta(plan.study);
    return price;
  });
}

namespace {

namespace fs = std::filesystem;

// The folder of the witness; that of the catalog where the steward does without one.
fs::path witness_folder(const query::Catalog& catalog) {
  const ledger::WitnessPlace witness = witness_of(catalog);
  if (witness.is_nowhere()) return query::beside(catalog.path, ".");
  return witness.file.empty() ? witness.folder : witness.file.parent_path();
}

fs::path folder_of(const query::Catalog& catalog) {
  const std::string& ledger = catalog.budget.ledger;
  const bool is_address = ledger.find("://") != std::string::npos;
  if (!is_address) return query::beside(catalog.path, ledger).string() + ".tables";
  return witness_folder(catalog) / ("tables-" + sha256(ledger_name(catalog)).value_or("").substr(0, 16));
}

}  // namespace

TableMarks marks_of(const query::Catalog& catalog) {
  const std::string reopening = "vernier catalog reopen " + catalog.path.string() + " --table ";
  if (catalog.engine.is_embedded()) return {folder_of(catalog), reopening};
  return {folder_of(catalog), reopening,
          "see that its server runs, with time and memory enough ([engine] has timeout and passes),"};
}

}  // namespace vernier::release
