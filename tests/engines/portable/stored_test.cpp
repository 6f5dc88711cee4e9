#include <cmath>
#include <fstream>
#include <random>

#include <gtest/gtest.h>

#include "engines/portable/servers.hpp"
#include "support/recorder.hpp"
#include "support/temporary_folder.hpp"
#include "vernier/engine/postgresql/stored_types.hpp"
#include "vernier/plan/render/rows.hpp"
#include "vernier/plan/render/sql.hpp"
#include "vernier/query/expression/render.hpp"
#include "vernier/study.hpp"

// Every type that PostgreSQL stores and a catalog may declare, with the values at its ends, as units, keys and
// arguments: no value makes a statement fail, and the integers are those of the embedded engine over the same values.
namespace vernier::engines {
namespace {

using engine::Cell;
using query::Type;
using testing::PostgresqlServer;

struct Stored {
  std::string type;
  Type declared;
  std::vector<std::string> values;
};

const std::vector<std::string> numbers = {"0", "1", "-1", "7", "42"};

std::vector<std::string> with_numbers(std::vector<std::string> values) {
  values.insert(values.end(), numbers.begin(), numbers.end());
  return values;
}

const std::vector<Stored>& all_stored() {
  static const std::vector<Stored> all = {
      {"boolean", Type::boolean, {"true", "false"}},
      {"smallint", Type::integer, with_numbers({"-32768", "32767"})},
      {"integer", Type::integer, with_numbers({"-2147483648", "2147483647"})},
      {"bigint", Type::integer, with_numbers({"-9223372036854775808", "9223372036854775807"})},
      {"bigint", Type::real, with_numbers({"-9223372036854775808", "9223372036854775807", "9007199254740993"})},
      {"real", Type::real, with_numbers({"NaN", "Infinity", "-Infinity", "1e-45", "3.4e38", "-0", "0.1"})},
      {"double precision", Type::real,
       with_numbers({"NaN", "Infinity", "-Infinity", "5e-324", "1.7e308", "-1e151", "9e-151", "-0"})},
      {"numeric(10,0)", Type::integer, with_numbers({"NaN", "9999999999", "-9999999999"})},
      {"numeric(38,0)", Type::integer,
       with_numbers({"NaN", "99999999999999999999999999999999999999", "9223372036854775807", "9223372036854775808"})},
      {"numeric(5,-300)", Type::integer, {"NaN", "1e300", "-9e302", "0"}},
      {"numeric", Type::integer, with_numbers({"NaN", "Infinity", "-Infinity", "1e5000", "0.5", "1.5", "-1e-5000"})},
      {"numeric(10,2)", Type::real, with_numbers({"NaN", "99999999.99", "-0.01", "2.5"})},
      {"numeric(38,38)", Type::real, {"NaN", "0", "0.1", "-0.00000000000000000000000000000000000001"}},
      {"numeric(5,400)", Type::real, {"NaN", "0", "1e-399", "-9e-396"}},
      {"numeric(5,-400)", Type::real, {"NaN", "0", "1e400", "-9e404"}},
      {"numeric", Type::real,
       with_numbers({"NaN", "Infinity", "-Infinity", "1e5000", "-1e-5000", "1e309", "1e-309", "0.1"})},
      {"text", Type::string, {"", "a", "A", "a ", "\u00df", "NaN", "infinity", "1", "x''y", "\\"}},
      {"character varying(5)", Type::string, {"", "a", "A", "a ", "1"}},
      {"uuid", Type::string, {"00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"}},
      {"date",
       Type::date,
       {"infinity", "-infinity", "4713-01-01 BC", "5874897-12-31", "0001-01-01", "9999-12-31", "1970-01-01",
        "2000-02-29"}},
  };
  return all;
}

constexpr int rows_of_table = 90;

std::string bounds(Type type) {
  if (type == Type::integer) return ", lower = -50, upper = 50";
  if (type == Type::real) return ", lower = -50, upper = 50, granularity = 0.5";
  return type == Type::date ? ", lower = 1990-01-01, upper = 2010-12-31" : "";
}

class PostgresqlStored : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!PostgresqlServer::is_installed()) GTEST_SKIP() << PostgresqlServer::how_to_install;
    server_ = &PostgresqlServer::of_this_process();
    reader_ = new_reader(*server_);
    duckdb_ = std::make_shared<Reference>();
    duckdb_->run("CREATE SCHEMA s");
  }

  void write(const std::string& name, const std::string& content) const {
    std::ofstream(folder_.path() / name) << content;
  }

  std::string value(const Stored& stored) {
    const std::size_t drawn = bits_() % (stored.values.size() + 1);
    return drawn == stored.values.size() ? "NULL" : "'" + stored.values[drawn] + "'";
  }

  const Stored& drawn(bool is_unit) {
    const Stored& one = all_stored()[bits_() % all_stored().size()];
    return is_unit && one.declared == Type::real ? drawn(is_unit) : one;
  }

  std::string name_of(int number) const { return "t" + std::to_string(number); }

  void create(const std::string& name, const std::vector<const Stored*>& columns) {
    std::string sql = "CREATE TABLE " + reader_.schema + "." + name + " (u " + columns[0]->type + ", k " +
                      columns[1]->type + ", x " + columns[2]->type + "); INSERT INTO " + reader_.schema + "." + name +
                      " VALUES ";
    for (int row = 0; row < rows_of_table; ++row) {
      sql +=
          (row == 0 ? "(" : ", (") + value(*columns[0]) + ", " + value(*columns[1]) + ", " + value(*columns[2]) + ")";
    }
    server_->run(sql);
  }

  // Declared as they may be; x has bounds where it has any.
  std::optional<plan::BoundStatistic> bound(const std::string& name, const std::vector<const Stored*>& columns) {
    write("catalog.toml", "[budget]\nepsilon = 9\ndelta = 1e-6\n[engine]\nkind = \"postgresql\"\naddress = \"" +
                              reader_.engine.address + "\"\n[tables." + name + "]\nsource = { table = \"" +
                              reader_.schema + "." + name + "\" }\nunit = \"u\"\n[tables." + name +
                              ".columns]\nu = { type = \"" + std::string(query::name_of(columns[0]->declared)) +
                              "\" }\nk = { type = \"" + std::string(query::name_of(columns[1]->declared)) +
                              "\" }\nx = { type = \"" + std::string(query::name_of(columns[2]->declared)) + "\"" +
                              bounds(columns[2]->declared) + " }\n");
    const bool has_sum = columns[2]->declared == Type::integer || columns[2]->declared == Type::real;
    const bool has_distinct = columns[2]->declared != Type::real;
    write("study.toml",
          "catalog = \"catalog.toml\"\nbudget = { epsilon = 1, delta = 1e-7 }\n[[statistic]]\nname = "
          "\"a\"\nmax_groups = " +
              std::to_string(1 + bits_() % 3) + "\nmax_rows = " + std::to_string(1 + bits_() % 2) +
              "\nsql = \"SELECT k, COUNT(*) AS n" + (has_sum ? ", SUM(x) AS s, MEDIAN(x) AS m" : "") +
              (has_distinct ? ", COUNT(DISTINCT x) AS d" : "") + " FROM " + name + " GROUP BY k\"\n");
    const auto study = study::Study::read(folder_.path() / "study.toml");
    if (!study) return std::nullopt;
    const plan::BoundStatistic& statistic = study->bound.statistics.front();
    return plan::check_portable(statistic) ? std::optional(statistic) : std::nullopt;
  }

  // A day that no date of a catalog is has no value, or where there are bounds the nearer of them.
  static std::string day_of(const query::Column& column, const std::string& name) {
    const std::string first = "DATE '0001-01-01'", last = "DATE '9999-12-31'";
    if (column.range) {  // LEAST takes no notice of NULL
      return query::when(name + " IS NOT NULL", "LEAST(GREATEST(" + name + ", " + first + "), " + last + ")");
    }
    return query::when(name + " BETWEEN " + first + " AND " + last, name);
  }

  // The values as the declared types have them, from the server itself; where it has another form than a constant of a
  // plan, there is no value.
  std::vector<std::vector<Cell>> cells(const query::Table& table, engine::Connection& connection) {
    std::vector<std::string> columns;
    std::vector<Type> types;
    const auto stored = connection.columns(table.source);
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const query::Column& column = table.columns[i];
      const std::string name = "\"" + column.name + "\"";
      const auto reading = stored.value()[i].reading;
      types.push_back(column.type);
      columns.push_back(reading != nullptr ? reading(name, column.type)
                        : column.type == Type::date
                            ? day_of(column, name)
                            : query::cast_to(query::postgresql_dialect().type(column.type), name));
    }
    auto found = connection.read("SELECT " + plan::joined(columns) + " FROM " + table.source.told(), types, 1000,
                                 nobody_watches);
    EXPECT_TRUE(found) << table.source.told();
    return found ? std::move(found->rows) : std::vector<std::vector<Cell>>();
  }

  // Whether it can be asked at all.
  bool expect_same(int number) {
    const std::vector<const Stored*> columns = {&drawn(true), &drawn(false), &drawn(false)};
    const std::string name = name_of(number);
    const auto statistic = bound(name, columns);
    if (!statistic) return false;
    create(name, columns);
    std::string what = "units " + columns[0]->type + ", keys " + columns[1]->type + ", x " + columns[2]->type;
    auto connection = engine::connect(reader_.engine);
    EXPECT_TRUE(connection);
    const auto rows = cells(statistic->table, **connection);
    auto session = engine::open_sql_session(query::postgresql_dialect(), *std::move(connection), {statistic->table}, {},
                                            1 + static_cast<std::int64_t>(bits_() % 2));
    EXPECT_TRUE(session) << what << ": " << (session ? "" : session.error().sentence());
    if (!session) return true;
    const engine::Secret secret{5, -6};
    const plan::Sql sql = plan::render(*statistic, plan::BoundingForm::portable, query::postgresql_dialect());
    EXPECT_TRUE((*session)->check_statement(sql)) << what;
    const auto found = (*session)->run(sql, secret, nobody_watches);
    EXPECT_TRUE(found) << what << "\n" << sql.text;
    if (found) expect_equal(*statistic, rows, *found, secret, what);
    return true;
  }

  void expect_equal(plan::BoundStatistic statistic, const std::vector<std::vector<Cell>>& rows,
                    const engine::RawAggregates& found, const engine::Secret& secret, const std::string& what) {
    statistic.table.source.table.front() = "s";
    for (const std::string& sql : creation(query::duckdb_dialect(), statistic.table, rows)) duckdb_->run(sql);
    auto reference = engine::open_sql_session(query::duckdb_dialect(), std::make_unique<Shared>(duckdb_), {});
    ASSERT_TRUE(reference);
    const auto expected =
        (*reference)->run(plan::render(statistic, plan::BoundingForm::portable), secret, nobody_watches);
    ASSERT_TRUE(expected) << what;
    const auto a = testing::Recorder::sorted(*expected), b = testing::Recorder::sorted(found);
    ASSERT_EQ(a.size(), b.size()) << what;
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_EQ(a[i].keys, b[i].keys) << what;
      EXPECT_EQ(a[i].tallies, b[i].tallies) << what;
      EXPECT_EQ(a[i].histograms, b[i].histograms) << what;
    }
    groups_ += a.size();
  }

  // The reference behind several sessions.
  class Shared final : public engine::Connection {
   public:
    explicit Shared(std::shared_ptr<Reference> of) : of_(std::move(of)) {}
    Result<std::vector<engine::EngineColumn>> columns(const query::Source& source) override {
      return of_->columns(source);
    }
    Result<void> check(const std::string&) override { return {}; }
    Result<void> begin() override { return {}; }
    Result<engine::Cells> read(const std::string& sql, const std::vector<Type>& types, std::size_t most_rows,
                               const Progress& progress) override {
      return of_->read(sql, types, most_rows, progress);
    }
    bool is_lost() const override { return false; }
    std::string version() const override { return "DuckDB"; }
    bool has_snapshot() const override { return true; }

   private:
    std::shared_ptr<Reference> of_;
  };

  testing::TemporaryFolder folder_;
  PostgresqlServer* server_ = nullptr;
  Reader reader_;
  std::shared_ptr<Reference> duckdb_;
  std::mt19937_64 bits_{11};
  std::size_t groups_ = 0;
};

using SlowPostgresqlStored = PostgresqlStored;
TEST_F(SlowPostgresqlStored, ValuesAtTheEndsOfTheirTypesMakeNoStatementFail) {
  int done = 0;
  for (int number = 0; done < 60 && !HasFailure(); ++number) done += expect_same(number) ? 1 : 0;
  EXPECT_GE(groups_, 150U);
}

TEST_F(PostgresqlStored, TypesAreReadInThoseOfACatalog) {
  const auto may_be = [](const char* stored) { return engine::postgresql_column("x", stored).may_be; };
  using Types = std::vector<Type>;
  EXPECT_EQ(may_be("numeric(10,0)"), (Types{Type::integer, Type::real}));
  EXPECT_EQ(may_be("numeric"), (Types{Type::integer, Type::real}));
  EXPECT_EQ(may_be("numeric(10,2)"), (Types{Type::real}));
  EXPECT_EQ(may_be("bigint"), (Types{Type::integer, Type::real}));
  EXPECT_EQ(may_be("character(3)"), Types());
  EXPECT_EQ(may_be("census.numeric"), Types());
}

}  // namespace
}  // namespace vernier::engines
