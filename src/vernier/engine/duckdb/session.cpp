#include "vernier/engine/duckdb/session.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "vernier/engine/duckdb/functions.hpp"
#include "vernier/engine/duckdb/locked.hpp"
#include "vernier/engine/duckdb/statement.hpp"
#include "vernier/engine/duckdb/views.hpp"

namespace vernier::engine {
namespace {

class DuckDbSession final : public Session {
 public:
  explicit DuckDbSession(std::unique_ptr<LockedDuckDb> engine) : engine_(std::move(engine)) {}

  plan::BoundingForm form(const plan::BoundStatistic& statistic) const override {
    return plan::fastest_form(statistic);
  }

  Result<RawAggregates> run(const plan::Sql& sql, const Secret& secret, const Progress& progress) override {
    if (!knows_all(sql) || !engine_->has_current_files()) return failed_run();
    Result<RawAggregates> raw = run_statement(engine_->connection(), sql, secret, engine_->with_files(progress));
    if (raw && !engine_->has_current_files()) return failed_run();
    return raw;
  }

  Result<void> look_through(const std::string& table, const Progress& progress) override {
    const LockedDuckDb::ParquetSource* const file = engine_->parquet(table);
    if (file == nullptr) return {};
    if (!engine_->has_current_files()) return failed_run();
    return run_through(engine_->connection(), file->read_all, progress);
  }

  std::string state_of(const std::string& table) const override {
    const LockedDuckDb::ParquetSource* const file = engine_->parquet(table);
    return file == nullptr ? "" : text_of(file->overlay->state(), file->read_all + "\n" + version());
  }

  Result<void> check_joins(const plan::BoundStatistic& statistic) const override {
    for (const plan::BoundJoin& join : statistic.joins) {
      if (Result<void> checked = check_unique_keys(engine_->connection(), join); !checked) return checked;
    }
    return {};
  }

  std::vector<PublicFile> public_files() const override { return engine_->public_files(); }

  std::string version() const override {
    const std::string name = duckdb_library_version();  // "v1.5.5"
    return "DuckDB " + (name.starts_with('v') ? name.substr(1) : name);
  }

 private:
  bool knows_all(const plan::Sql& sql) {
    if (sql.aggregate && !knows(*sql.aggregate, register_bottom_m)) return false;
    if (sql.cell_of && !knows(*sql.cell_of, register_cell_of)) return false;
    if (sql.bottom_values && !knows(*sql.bottom_values, register_bottom_values)) return false;
    if (sql.counts && !knows(*sql.counts, register_value_counts)) return false;
    return std::all_of(sql.functions.begin(), sql.functions.end(),
                       [this](const plan::StepsFunction& function) { return knows(function, register_steps); });
  }

  template <class Function, class Register>
  bool knows(const Function& function, const Register& register_it) {
    const std::string name = function.name();
    if (known_.contains(name)) return true;
    if (!register_it(engine_->connection(), function)) return false;
    known_.insert(name);
    return true;
  }

  std::unique_ptr<LockedDuckDb> engine_;
  std::set<std::string> known_;
};

}  // namespace

Result<std::unique_ptr<Session>> open_duckdb(const query::Catalog& catalog, const std::vector<query::Table>& tables,
                                             const DuckDbOptions& options, const MemoryTables& memory) {
  VERNIER_TRY(std::unique_ptr<LockedDuckDb> engine, LockedDuckDb::open(catalog, tables, options, memory));
  return std::make_unique<DuckDbSession>(std::move(engine));
}

}  // namespace vernier::engine
