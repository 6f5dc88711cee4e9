#include "vernier/engine/sql/session.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "vernier/core/names.hpp"
#include "vernier/core/utf8.hpp"
#include "vernier/engine/sql/portable.hpp"
#include "vernier/engine/sql/probe.hpp"
#include "vernier/plan/render/rows.hpp"
#include "vernier/query/expression/render.hpp"

namespace vernier::engine {
namespace {

constexpr int most_tries = 4;

// Waits before another try, a second longer each time four times over; whether to go on.
bool wait(int tried, const Progress& progress) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::seconds(1 << (2 * tried));
  while (Clock::now() < end) {
    if (!progress(0)) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return true;
}

std::string told_key(const Cells& cells, const plan::BoundJoin& join) {
  std::string told;
  for (std::size_t i = 0; i < join.right.size(); ++i) {
    const Cell& cell = cells.rows.front()[i];
    told += (i == 0 ? "" : ", ") + join.right[i].name + " = '" + (cell ? seen_text(query::text_of(*cell)) : "") + "'";
  }
  return told;
}

// The rows of a table as statements have them, and as they must be read where a cast could fail.
struct Guarded {
  std::string plain;
  std::string reading;
};

class SqlSession final : public Session {
 public:
  SqlSession(const query::Dialect& dialect, std::unique_ptr<Connection> connection, std::vector<SentTable> sent,
             std::int64_t passes, std::vector<Guarded> guarded)
      : dialect_(dialect),
        connection_(std::move(connection)),
        sent_(std::move(sent)),
        passes_(passes),
        guarded_(std::move(guarded)) {
    for (const SentTable& one : sent_) values_ += (values_.empty() ? "" : ", ") + sent_rows(one);
  }

  plan::BoundingForm form(const plan::BoundStatistic&) const override { return plan::BoundingForm::portable; }
  const query::Dialect& dialect() const override { return dialect_; }
  std::string version() const override { return connection_->version(); }
  std::optional<Snapshot> snapshot() const override {
    return connection_->has_snapshot() ? Snapshot::study : Snapshot::statement;
  }

  Result<RawAggregates> run(const plan::Sql& sql, const Secret& secret, const Progress& progress) override {
    const Asked asked{&sql, secret};
    VERNIER_TRY(std::vector<RawAggregates> all, run_all({&asked, 1}, progress));
    return std::move(all.front());
  }

  Result<std::vector<RawAggregates>> run_all(std::span<const Asked> asked, const Progress& progress) override {
    for (int tried = 0;; ++tried) {
      Result<std::vector<RawAggregates>> all = read_all(asked, progress);
      const bool is_last = tried + 1 == most_tries;
      if (all || is_last || all.error().kind == ErrorKind::stopped || !connection_->is_lost()) return all;
      if (!wait(tried, progress)) return stopped_run();
    }
  }

  // The keys of a public table are nobody's secret, so that the sentence of an error names one.
  Result<void> check_joins(const plan::BoundStatistic& statistic) const override {
    VERNIER_TRY(plan::check_portable(statistic));
    for (const plan::BoundJoin& join : plan::all_joins(statistic)) {
      if (!join.is_lookup()) continue;
      const std::vector<query::Type> texts(join.right.size(), query::Type::string);
      const Result<Cells> found =
          connection_->read(as_sent(plan::repeated_key(join, dialect_)), texts, 1, nobody_watches);
      if (!found) {
        return fail(ErrorKind::system, "the keys of the public table '" + join.table.name + "' could not be looked at",
                    "nothing was spent");
      }
      if (found->rows.empty()) continue;
      return invalid("the public table '" + join.table.name + "' has several rows with " + told_key(*found, join) +
                         ", and a join must find one",
                     "write each key once into it, or name more columns in USING");
    }
    return {};
  }

  // Of the first pass, with a secret of zeros: all of them have one length and one meaning.
  Result<void> check_statement(const plan::Sql& sql) const override {
    const Secret zeros{};
    std::vector<std::string> texts = sql.histogram_texts;
    if (!sql.text.empty()) texts.push_back(sql.text);
    for (const std::string& text : texts) {
      VERNIER_TRY(connection_->check(as_sent(told(text, sql, {zeros, passes_, dialect_}, 0))));
    }
    return {};
  }

  std::vector<PublicFile> public_files() const override {
    std::vector<PublicFile> files;
    for (const SentTable& one : sent_) files.push_back(one.file);
    return files;
  }

 private:
  Result<std::vector<RawAggregates>> read_all(std::span<const Asked> asked, const Progress& progress) {
    if (!progress(0)) return stopped_run();
    if (!connection_->begin()) return failed_run();
    std::vector<RawAggregates> all;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const Progress part = part_of(progress, i, asked.size());
      const auto read = [&](const std::string& sql, const std::vector<query::Type>& types) {
        return connection_->read(as_sent(sql), types, most_rows_of_answer, part);
      };
      VERNIER_TRY(RawAggregates one, run_portable(*asked[i].sql, {asked[i].secret, passes_, dialect_}, read));
      all.push_back(std::move(one));
      if (!part(1)) return stopped_run();
    }
    return all;
  }

  // name AS (SELECT CAST(c0 AS BIGINT) AS "id", ... FROM (VALUES (...)) AS v(c0, ...)), of no rows at all too.
  std::string sent_rows(const SentTable& sent) const {
    std::vector<std::string> names, columns, rows;
    for (std::size_t i = 0; i < sent.table.columns.size(); ++i) {
      names.push_back(plan::numbered("c", i));
      columns.push_back("CAST(" + names.back() + " AS " + std::string(dialect_.type(sent.table.columns[i].type)) +
                        ") AS " + dialect_.identifier(sent.table.columns[i].name));
    }
    for (const auto& row : sent.rows.rows) rows.push_back(values_of(sent.table, row, "TRUE"));
    rows.push_back(values_of(sent.table, std::vector<Cell>(names.size()), "FALSE"));
    return dialect_.identifier("table " + sent.table.name) + " AS (SELECT " + plan::joined(columns) + " FROM (VALUES " +
           plan::joined(rows) + ") AS v(there, " + plan::joined(names) + ") WHERE there)";
  }

  std::string values_of(const query::Table& table, const std::vector<Cell>& row, const char* there) const {
    std::string text = std::string("(") + there;
    for (std::size_t i = 0; i < row.size(); ++i) {
      text += ", " + (row[i] ? dialect_.constant(*row[i])
                             : "CAST(NULL AS " + std::string(dialect_.type(table.columns[i].type)) + ")");
    }
    return text + ")";
  }

  // With the public tables that are sent along, and columns read as they can be. Within the quotes of a name every
  // quote is doubled and texts are in hex, so that the rows of a table stand nowhere else.
  std::string as_sent(std::string sql) const {
    for (const auto& [plain, reading] : guarded_) {
      for (std::size_t at = sql.find(plain); at != std::string::npos; at = sql.find(plain, at + reading.size())) {
        sql.replace(at, plain.size(), reading);
      }
    }
    if (values_.empty()) return sql;
    return "WITH " + values_ + (sql.starts_with("WITH ") ? ", " + sql.substr(5) : " " + sql);
  }

  const query::Dialect& dialect_;
  std::unique_ptr<Connection> connection_;
  std::vector<SentTable> sent_;
  std::int64_t passes_;
  std::vector<Guarded> guarded_;
  std::string values_;
};

const EngineColumn* found_in(const std::vector<EngineColumn>& columns, const query::Column& column) {
  const auto found =
      std::find_if(columns.begin(), columns.end(), [&](const EngineColumn& one) { return one.name == column.name; });
  return found == columns.end() ? nullptr : &*found;
}

// None where all columns are simply cast.
std::optional<Guarded> guarded_rows(const query::Table& table, const std::vector<EngineColumn>& columns,
                                    const query::Dialect& in) {
  Guarded rows{plan::source_rows(table, in), plan::source_rows(table, in)};
  for (const query::Column& column : table.columns) {
    const EngineColumn* const stored = found_in(columns, column);
    if (stored == nullptr || stored->reading == nullptr) continue;
    const std::string name = in.identifier(column.name);
    const std::string cast = query::cast_to(in.type(column.type), name) + " AS " + name;
    const std::size_t at = rows.reading.find(cast);
    if (at == std::string::npos) continue;
    rows.reading.replace(at, cast.size(), stored->reading(name, column.type) + " AS " + name);
  }
  return rows.plain == rows.reading ? std::nullopt : std::optional(std::move(rows));
}

Failure no_column(const query::Table& table, const query::Column& column, const std::vector<EngineColumn>& columns) {
  std::vector<std::string> names;
  for (const EngineColumn& one : columns) names.push_back(one.name);
  return invalid(
      "the table '" + table.source.told() + "' has no column '" + column.name + "'" + suggestion(column.name, names),
      "take it out of the catalog, or name the column as the engine does, to the letter");
}

Failure other_type(const query::Table& table, const query::Column& column, const EngineColumn& found) {
  std::string fits;
  for (const query::Type type : found.may_be) fits += (fits.empty() ? "" : " or ") + std::string(query::name_of(type));
  return invalid("the column '" + column.name + "' of the table '" + table.name + "' is declared as " +
                     std::string(query::name_of(column.type)) + ", but '" + table.source.told() + "' has it as " +
                     found.stored,
                 fits.empty() ? "no type of a catalog holds it; leave the column out, or cast it in the table"
                              : "declare it as " + fits);
}

}  // namespace

Result<void> check_columns(const query::Table& table, const std::vector<EngineColumn>& columns) {
  for (const query::Column& column : table.columns) {
    const EngineColumn* const found = found_in(columns, column);
    if (found == nullptr) return no_column(table, column, columns);
    if (std::find(found->may_be.begin(), found->may_be.end(), column.type) == found->may_be.end()) {
      return other_type(table, column, *found);
    }
  }
  return {};
}

Result<std::unique_ptr<Session>> open_sql_session(const query::Dialect& dialect, std::unique_ptr<Connection> connection,
                                                  const std::vector<query::Table>& tables, std::vector<SentTable> sent,
                                                  std::int64_t passes) {
  VERNIER_TRY(check_meaning(dialect, *connection));
  std::vector<Guarded> guarded;
  for (const query::Table& table : tables) {
    if (table.source.kind != query::SourceKind::table) continue;
    VERNIER_TRY(const std::vector<EngineColumn> columns, connection->columns(table.source));
    VERNIER_TRY(check_columns(table, columns));
    if (auto rows = guarded_rows(table, columns, dialect)) guarded.push_back(*std::move(rows));
  }
  return std::make_unique<SqlSession>(dialect, std::move(connection), std::move(sent), passes, std::move(guarded));
}

}  // namespace vernier::engine
