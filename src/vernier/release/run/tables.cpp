#include "vernier/release/run/tables.hpp"

#include "vernier/plan/tables/summary.hpp"

namespace vernier::release {
namespace {

// The places of a group's keys, where each is one.
bool add_codes(random::Wiped<std::uint32_t>& codes, const engine::RawGroup& group, const table::Lattice& lattice) {
  if (group.keys.size() != lattice.keys().size() || group.tallies.size() != 1 || group.tallies.front() < 0)
    return false;
  for (std::size_t i = 0; i < group.keys.size(); ++i) {
    const auto* const code = std::get_if<std::int64_t>(&group.keys[i]);
    if (code == nullptr || *code < 0 || *code >= lattice.keys()[i]) return false;
    codes.push_back(static_cast<std::uint32_t>(*code));
  }
  return true;
}

}  // namespace

Result<std::vector<PreparedTables>> prepare_tables(const plan::Plan& plan, const engine::Session& session) {
  std::vector<PreparedTables> all;
  for (std::size_t i = 0; i < plan.study.tables.size(); ++i) {
    const plan::BoundTables& tables = plan.study.tables[i];
    if (plan.tables.at(i).laws.size() != tables.lattice->residuals().size()) {
      return invalid("the plan of the table '" + tables.name + "' has noise for other contrasts; make the plan anew");
    }
    if (plan::released_cells(*tables.lattice) > plan::most_released_cells) {
      return invalid(
          "the table '" + tables.name + "' has more cells in all than the 50,000,000 that are released at once",
          "lower up_to, take wider buckets, or name the tables that you need");
    }
    VERNIER_TRY(session.check_joins(tables.counted));
    PreparedTables made{&tables, plan::render(tables.counted, session.form(tables.counted), session.dialect()), {}};
    if (const Result<void> taken = session.check_statement(made.sql); !taken) {
      return Failure(about("the table '" + tables.name + "'", taken.error()));
    }
    for (const noise::DiscreteGaussian& law : plan.tables[i].laws) made.samplers.emplace_back(law);
    all.push_back(std::move(made));
  }
  return all;
}

Result<table::CountedRows> counted_rows(const plan::BoundTables& tables, engine::RawAggregates raw) {
  const Opening opening(std::move(raw));
  table::CountedRows rows;
  for (const engine::RawGroup& group : opening.groups()) {
    if (!add_codes(rows.codes, group, *tables.lattice)) return engine::failed_run();
    rows.rows.push_back(static_cast<std::uint64_t>(group.tallies.front()));
  }
  return rows;
}

}  // namespace vernier::release
