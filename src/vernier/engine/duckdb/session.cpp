#include "vernier/engine/duckdb/session.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "vernier/core/files_say.hpp"
#include "vernier/engine/duckdb/functions.hpp"
#include "vernier/engine/duckdb/locked.hpp"
#include "vernier/engine/duckdb/statement.hpp"
#include "vernier/engine/duckdb/views.hpp"
#include "vernier/engine/sql/portable.hpp"
#include "vernier/query/quote.hpp"

namespace vernier::engine {
namespace {

class DuckDbSession final : public Session {
 public:
  DuckDbSession(std::unique_ptr<LockedDuckDb> engine, bool portable)
      : engine_(std::move(engine)), portable_(portable) {}

  plan::BoundingForm form(const plan::BoundStatistic& statistic) const override {
    return portable_ ? plan::BoundingForm::portable : plan::fastest_form(statistic);
  }

  Result<RawAggregates> run(const plan::Sql& sql, const Secret& secret, const Progress& progress) override {
    if (!knows_all(sql) || !engine_->has_current_files()) return failed_run();
    const Progress with_files = engine_->with_files(progress);
    Result<RawAggregates> raw = sql.is_portable ? run_portable(sql, {secret}, reader(with_files))
                                                : run_statement(engine_->connection(), sql, secret, with_files);
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
    if (file == nullptr) return "";
    std::string text;
    for (const auto& overlay : file->overlays) {
      const std::string one = text_of(overlay->state(), file->read_all + "\n" + version());
      if (one.empty()) return "";
      text += (text.empty() ? "" : "\n") + one;
    }
    return text;
  }

  Result<void> check_joins(const plan::BoundStatistic& statistic) const override {
    if (portable_) {
      VERNIER_TRY(plan::check_portable(statistic));
    }
    for (const plan::BoundJoin& join : plan::all_joins(statistic)) {
      if (!join.is_lookup()) continue;
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
  ReadCells reader(const Progress& progress) const {
    return [this, &progress](const std::string& sql, const std::vector<query::Type>& types) {
      return read_cells(engine_->connection(), sql, types, most_rows_of_answer, progress);
    };
  }

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
  bool portable_;
  std::set<std::string> known_;
};

}  // namespace

Result<std::unique_ptr<Session>> open_duckdb(const query::Catalog& catalog, const std::vector<query::Table>& tables,
                                             const DuckDbOptions& options, const MemoryTables& memory) {
  VERNIER_TRY(std::unique_ptr<LockedDuckDb> engine, LockedDuckDb::open(catalog, tables, options, memory));
  return std::make_unique<DuckDbSession>(std::move(engine), options.portable);
}

namespace {

Result<SentTable> sent_table(LockedDuckDb& engine, const query::Table& table, const PublicFile& file) {
  std::string names;
  std::vector<query::Type> types;
  for (const query::Column& column : table.columns) {
    names += (names.empty() ? "" : ", ") + query::quoted_identifier(column.name);
    types.push_back(column.type);
  }
  Result<Cells> rows = read_cells(engine.connection(), "SELECT " + names + " FROM " + plan::view_name(table), types,
                                  most_sent_rows, nobody_watches);
  if (!rows) {
    return invalid("the public table '" + table.name + "' has more than " + std::to_string(most_sent_rows) +
                       " rows, which is too many to send along with every statement",
                   "put it into the engine, and write " + toml("source = { table = \"schema." + table.name + "\" }"));
  }
  return SentTable{table, *std::move(rows), file};
}

}  // namespace

Result<std::vector<SentTable>> read_public_tables(const query::Catalog& catalog,
                                                  const std::vector<query::Table>& tables) {
  std::vector<query::Table> files;
  std::copy_if(tables.begin(), tables.end(), std::back_inserter(files),
               [](const query::Table& table) { return table.is_public && table.source.is_file(); });
  std::vector<SentTable> sent;
  if (files.empty()) return sent;
  VERNIER_TRY(const std::unique_ptr<LockedDuckDb> engine, LockedDuckDb::open(catalog, files, {}, {}));
  for (std::size_t i = 0; i < files.size(); ++i) {
    VERNIER_TRY(SentTable one, sent_table(*engine, files[i], engine->public_files()[i]));
    sent.push_back(std::move(one));
  }
  return sent;
}

}  // namespace vernier::engine
