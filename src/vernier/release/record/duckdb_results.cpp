#include "vernier/release/record/duckdb_results.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "vernier/query/quote.hpp"
#include "vernier/release/derived/shown.hpp"
#include "vernier/release/record/duckdb_memory.hpp"

namespace vernier::release {
namespace {

constexpr const char* table_sql =
    "CREATE TABLE results (release VARCHAR, study VARCHAR, statistic VARCHAR, \"row\" BIGINT, keys MAP(VARCHAR, "
    "VARCHAR), "
    "\"column\" VARCHAR, \"value\" DOUBLE, low DOUBLE, high DOUBLE, accuracy DOUBLE, confidence DOUBLE, simultaneous "
    "BOOLEAN, covers "
    "VARCHAR, "
    "coverage VARCHAR, informative BOOLEAN, may_be_empty BOOLEAN, denoised DOUBLE, denoised_low DOUBLE, denoised_high "
    "DOUBLE)";

Failure not_written() {
  return fail(ErrorKind::system, "results.parquet could not be made; see that there is memory for it");
}

// Each name once: what is taken already gets another _ behind it, as in the CSV files.
std::vector<std::string> key_names(const query::Query& query) {
  std::vector<std::string> names;
  for (const query::Key& key : query.keys) {
    std::string name = key.name;
    while (std::find(names.begin(), names.end(), name) != names.end()) name += '_';
    names.push_back(std::move(name));
  }
  return names;
}

class Writer {
 public:
  explicit Writer(duckdb_connection connection) {
    duckdb_logical_type text = duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR);
    map_ = duckdb_create_map_type(text, text);
    duckdb_destroy_logical_type(&text);
    is_good_ = duckdb_appender_create(connection, nullptr, "results", &appender_) == DuckDBSuccess;
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  ~Writer() {
    duckdb_appender_destroy(&appender_);
    duckdb_destroy_logical_type(&map_);
  }

  void text(std::string_view words) { take(duckdb_append_varchar_length(appender_, words.data(), words.size())); }
  void real(double value) { take(duckdb_append_double(appender_, value)); }
  void real_or_null(std::optional<double> value) { value ? real(*value) : take(duckdb_append_null(appender_)); }
  void whole(std::int64_t value) { take(duckdb_append_int64(appender_, value)); }
  void truth(bool value) { take(duckdb_append_bool(appender_, value)); }

  void keys(const std::vector<std::string>& names, const std::vector<query::Value>& values) {
    std::vector<duckdb_value> made_names, made_values;
    made_names.reserve(names.size() + 1);  // an empty map needs a place too, or is refused
    made_values.reserve(names.size() + 1);
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string value = query::text_of(values[i]);
      made_names.push_back(duckdb_create_varchar_length(names[i].data(), names[i].size()));
      made_values.push_back(duckdb_create_varchar_length(value.data(), value.size()));
    }
    duckdb_value map = duckdb_create_map_value(map_, made_names.data(), made_values.data(), names.size());
    take(map == nullptr ? DuckDBError : duckdb_append_value(appender_, map));
    duckdb_destroy_value(&map);
    for (duckdb_value& one : made_names) duckdb_destroy_value(&one);
    for (duckdb_value& one : made_values) duckdb_destroy_value(&one);
  }

  void end_row() { take(duckdb_appender_end_row(appender_)); }
  bool finish() { return is_good_ && duckdb_appender_close(appender_) == DuckDBSuccess; }

 private:
  void take(duckdb_state state) { is_good_ = is_good_ && state == DuckDBSuccess; }
  duckdb_appender appender_ = nullptr;
  duckdb_logical_type map_ = nullptr;
  bool is_good_;
};

// What is said of all numbers of a statistic.
struct Stated {
  double confidence;
  bool is_simultaneous;
};

void write_number(Writer& writer, const Number& number, Stated stated) {
  for (const double figure :
       {number.value, number.interval.low, number.interval.high, number.accuracy, stated.confidence}) {
    writer.real(figure);
  }
  writer.truth(stated.is_simultaneous);
  writer.text(interval::name_of(number.covers));
  writer.text(interval::name_of(number.coverage));
  writer.truth(number.informative);
  writer.truth(number.may_be_empty);
  writer.real_or_null(number.denoised);
  writer.real_or_null(number.denoised_interval ? std::optional(number.denoised_interval->low) : std::nullopt);
  writer.real_or_null(number.denoised_interval ? std::optional(number.denoised_interval->high) : std::nullopt);
}

void write_statistic(Writer& writer, const Release& release, const Asked& asked, std::size_t place) {
  const Shown shown(release.plan.study.statistics[place], release.tables[place]);
  const plan::BoundStatistic& statistic = shown.statistic();
  const std::vector<std::string> names = key_names(statistic.query);
  const std::vector<Row>& rows = shown.table().rows;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < rows[i].numbers.size(); ++j) {
      writer.text(release.id);
      writer.text(asked.study);
      writer.text(statistic.name);
      writer.whole(static_cast<std::int64_t>(i) + 1);
      writer.keys(names, rows[i].keys);
      writer.text(statistic.query.aggregations[j].name);
      write_number(writer, rows[i].numbers[j],
                   {confidence_of(statistic.alpha.value_or(asked.alpha)), statistic.inference.is_simultaneous});
      writer.end_row();
    }
  }
}

bool fill(Database& database, const Release& release, const Asked& asked) {
  if (!database.run(table_sql)) return false;
  Writer writer(database.connection());
  for (std::size_t i = 0; i < release.tables.size(); ++i) write_statistic(writer, release, asked, i);
  return writer.finish();
}

}  // namespace

Result<std::string> results_parquet(const Release& release, const Asked& asked) {
  Database database;
  const MemoryFile file;
  if (!file.is_open() || !database.start() || !fill(database, release, asked)) return not_written();
  std::optional<std::string> content = parquet_of(database, file, "results");
  if (!content) return not_written();
  return *std::move(content);
}

}  // namespace vernier::release
