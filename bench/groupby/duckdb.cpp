// The statements that are not private, on the very DuckDB that Vernier embeds, and the table that all contenders read.
//   bench_groupby_duckdb data FILE ROWS       writes the table
//   bench_groupby_duckdb SQL FILE             runs the statement of a file on it, and prints its time and totals
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include <duckdb.h>

#include "bench/groupby/answer.hpp"

namespace {

using bench::NotMeasured;

// An engine in memory; the answer to its last statement is kept until the next.
class Engine {
 public:
  Engine() {
    if (duckdb_open(nullptr, &database_) == DuckDBError) throw NotMeasured("DuckDB does not open");
    if (duckdb_connect(database_, &connection_) == DuckDBError) throw NotMeasured("DuckDB does not connect");
    run("SET threads = " + std::to_string(bench::groupby::threads));
  }
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  ~Engine() {
    duckdb_destroy_result(&result_);
    duckdb_disconnect(&connection_);
    duckdb_close(&database_);
  }

  void run(const std::string& sql) {
    duckdb_destroy_result(&result_);
    const duckdb_state state = duckdb_query(connection_, sql.c_str(), &result_);
    if (state == DuckDBError) throw NotMeasured(duckdb_result_error(&result_));
  }

  // Of a statement that answers region, rows, sum and mean.
  bench::groupby::Totals totals() {
    bench::groupby::Totals totals;
    for (idx_t row = 0; row < duckdb_row_count(&result_); ++row) totals.add(cell(1, row), cell(2, row), cell(3, row));
    return totals;
  }

 private:
  double cell(idx_t column, idx_t row) { return duckdb_value_double(&result_, column, row); }

  duckdb_database database_ = nullptr;
  duckdb_connection connection_ = nullptr;
  duckdb_result result_{};
};

std::string quoted(const std::string& file) {
  if (file.find('\'') != std::string::npos) throw NotMeasured("a quote in the name of the data file");
  return "'" + file + "'";
}

// Every cell is a hash of the number of its row, so the table is the same everywhere. A user has 10 rows on average,
// regions are of very different sizes, and incomes are exponential and independent of both.
void write_data(const std::string& file, const std::string& rows) {
  Engine().run("COPY (SELECT (hash(i * 7 + 1) % (" + rows + R"( // 10))::BIGINT AS user_id,
      'region_' || lpad(((hash(i * 7 + 2) % 1000) * (hash(i * 7 + 3) % 1000) // 20000)::VARCHAR, 2, '0') AS region,
      (18 + hash(i * 7 + 4) % 73)::INTEGER AS age,
      round(-ln(((hash(i * 7 + 5) % 1000000) + 1)::DOUBLE / 1000001) * 55000, 2) AS income
    FROM range()" +
               rows + ") AS t(i)) TO " + quoted(file) + " (FORMAT parquet)");
}

std::string statement_in(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  if (!(text << file.rdbuf())) throw NotMeasured("there is no statement in " + path);
  return text.str();
}

void measure(const std::string& sql, const std::string& file) {
  const std::string statement = statement_in(sql);
  const bench::groupby::WallClock clock;
  Engine engine;
  engine.run("CREATE VIEW people AS SELECT * FROM read_parquet(" + quoted(file) + ")");
  engine.run(statement);
  const double seconds = clock.seconds();
  engine.totals().print(seconds);
}

}  // namespace

int main(int count, char** words) {
  return bench::groupby::run([&] {
    if (count == 4 && std::string(words[1]) == "data") return write_data(words[2], words[3]);
    if (count != 3) throw NotMeasured("usage: bench_groupby_duckdb data FILE ROWS, or bench_groupby_duckdb SQL FILE");
    measure(words[1], words[2]);
  });
}
