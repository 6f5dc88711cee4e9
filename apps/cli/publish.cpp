#include "cli/publish.hpp"

#include <cstdio>
#include <memory>

#include "cli/interrupt.hpp"
#include "cli/progress_bar.hpp"
#include "vernier/core/hash.hpp"
#include "vernier/engine/duckdb_session.hpp"
#include "vernier/release/catalog_ledger.hpp"
#include "vernier/release/key_file.hpp"

namespace vernier::cli {
namespace {

using release::Release;

Result<Release> run_watched(const AskedStudy& asked, const plan::Plan& plan, engine::Session& session,
                            ledger::Ledger& ledger) {
  const Result<random::Source*> source = random::thread_source();
  if (!source) return Failure(source.error());
  const Result<std::string> catalog_hash = sha256(asked.catalog_text);
  if (!catalog_hash) return Failure(catalog_hash.error());
  const Interrupt interrupt;
  ProgressBar bar(stderr, "running");
  const Progress progress = [&](double done) {
    bar.show(done);
    return !interrupt.came();
  };
  Result<Release> release = release::run(plan, session, ledger, **source, {asked.name, *catalog_hash, progress});
  if (release && interrupt.came()) return fail(ErrorKind::system, engine::run_stopped);
  return release;
}

}  // namespace

Result<void> check_sources(const AskedStudy& asked) {
  for (const query::Table& table : asked_tables(asked.bound)) {
    if (Result<void> checked = engine::check_source(asked.bound.catalog, table); !checked) return checked;
  }
  return {};
}

Result<Release> publish(const AskedStudy& asked, const plan::Plan& plan) {
  const query::Catalog& catalog = asked.bound.catalog;
  if (const auto key = release::installation_key(); !key) return Failure(key.error());  // before anything is spent
  Result<std::unique_ptr<engine::Session>> session = engine::open_duckdb(catalog, asked_tables(asked.bound));
  if (!session) return Failure(session.error());
  Result<ledger::Ledger> ledger = release::open_ledger(catalog);
  if (!ledger) return Failure(ledger.error());
  return run_watched(asked, plan, **session, *ledger);
}

}  // namespace vernier::cli
