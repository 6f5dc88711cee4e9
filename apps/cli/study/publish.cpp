#include "cli/study/publish.hpp"

#include <memory>

#include "cli/progress.hpp"
#include "vernier/engine/duckdb/session.hpp"
#include "vernier/release/ledger/catalog_ledger.hpp"
#include "vernier/release/signing/key_file.hpp"

namespace vernier::cli {
namespace {

using release::Answer;

Result<Answer> run_watched(const AskedStudy& asked, const plan::Plan& plan, const Asker& asker,
                           const MakeDocuments& make, const Progress& progress, const release::SigningKey& key,
                           engine::Session& session, ledger::Ledger& ledger) {
  VERNIER_TRY(random::Source* const source, random::thread_source());
  if (!progress(0)) return fail(ErrorKind::system, "the run was stopped before it began; nothing was charged");
  const release::Write write = [&](const release::Release& release) -> Result<ledger::Documents> {
    if (!progress(1)) return engine::stopped_run();
    return make(asked, release, key, ledger.book().balance());
  };
  return release::publish(plan, session, ledger, *source,
                          {asked.name, asked.bound.origin.catalog, progress, asker.analyst, asker.request,
                           release::marks_of(asked.bound.catalog)},
                          write);
}

}  // namespace

Result<void> check_sources(const AskedStudy& asked, const engine::MemoryTables& memory) {
  if (Result<void> checked = engine::check_memory(asked.bound.catalog, memory); !checked) return checked;
  for (const query::Table& table : asked_tables(asked.bound)) {
    if (Result<void> checked = engine::check_source(asked.bound.catalog, table, memory); !checked) return checked;
  }
  return {};
}

Asker asker_of(const Arguments& arguments) {
  return {arguments.has("--analyst") ? arguments.one("--analyst") : "",
          arguments.has("--request") ? arguments.one("--request") : ""};
}

std::vector<Option> with_asker(std::vector<Option> options) {
  options.push_back(
      {"--analyst", Takes::one_value, "NAME", "who asks: whose share of the budget pays, where there are shares"});
  options.push_back({"--request", Takes::one_value, "ID",
                     "an id of your own: asked again with it, the same answer is given and nothing is charged"});
  return options;
}

Result<Answer> publish(const AskedStudy& asked, const plan::Plan& plan, const Asker& asker, const MakeDocuments& make,
                       const Supply& supply) {
  const query::Catalog& catalog = asked.bound.catalog;
  VERNIER_TRY(const release::SigningKey key, release::installation_key());
  VERNIER_TRY(std::unique_ptr<engine::Session> session,
              engine::open_duckdb(catalog, asked_tables(asked.bound), {}, supply.memory));
  for (const plan::BoundStatistic& statistic : asked.bound.statistics) {
    VERNIER_TRY(session->check_joins(statistic));
  }
  VERNIER_TRY(const std::unique_ptr<ledger::Ledger> ledger, release::open_ledger(catalog));
  return run_watched(asked, plan, asker, make, supply.progress, key, *session, *ledger);
}

Result<Answer> publish(const AskedStudy& asked, const plan::Plan& plan, const Asker& asker, const MakeDocuments& make) {
  TerminalProgress terminal("running");
  return publish(asked, plan, asker, make, {{}, terminal.watching()});
}

}  // namespace vernier::cli
