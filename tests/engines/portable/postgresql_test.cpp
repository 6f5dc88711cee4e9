#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

#include <gtest/gtest.h>

#include "engines/portable/servers.hpp"
#include "engines/portable/table_on_server.hpp"
#include "support/recorder.hpp"
#include "vernier/engine/engine.hpp"
#include "vernier/engine/postgresql/address.hpp"
#include "vernier/engine/sql/probe.hpp"
#include "vernier/study.hpp"

// A table in PostgreSQL from the catalog to the record, and everything that can go wrong on the way: told before
// anything is spent, or in one constant sentence.
namespace vernier::engines {
namespace {

namespace fs = std::filesystem;
using testing::PostgresqlServer;

// A reader and a table of 400 people, 300 of them in the north.
class Postgresql : public TableOnServer {
 protected:
  void SetUp() override {
    if (!PostgresqlServer::is_installed()) GTEST_SKIP() << PostgresqlServer::how_to_install;
    server_ = &PostgresqlServer::of_this_process();
    reader_ = new_reader(*server_);
    server_->run(
        "CREATE TABLE " + people() +
        " AS SELECT CAST(i AS BIGINT) AS person_id, CASE WHEN i < 300 THEN 'north' ELSE 'south' END AS region, "
        "CAST(i % 100 AS INTEGER) AS age, CAST('x' AS CHAR(3)) AS padded, now() AS seen FROM "
        "generate_series(0, 399) AS g(i)");
    begin(reader_.engine, "postgresql", people());
  }

  std::string people() const { return reader_.schema + ".people"; }

  PostgresqlServer* server_ = nullptr;
  Reader reader_;
};

// Geometric noise of epsilon 1 beyond 100: less than 1e-10, of the counts by a third of it.
TEST_F(Postgresql, ReleasesATableAndVerifiesIt) {
  const Result<study::Answer> answer = released({.folder = path("published")});
  ASSERT_TRUE(answer) << answer.error().sentence();
  const Result<release::Record> record = answer->record();
  ASSERT_TRUE(record) << record.error().sentence();
  EXPECT_NEAR(record->tables[0].rows[0].numbers[0].value, 300, 150);
  EXPECT_TRUE(record->engine.starts_with("PostgreSQL 15.")) << record->engine;
  EXPECT_EQ(record->snapshot, engine::Snapshot::study);
  EXPECT_NE(answer->record_text().find("in one snapshot"), std::string::npos);
  EXPECT_EQ(answer->record_text().find("127.0.0.1"), std::string::npos);  // neither host nor user
  EXPECT_EQ(answer->record_text().find(reader_.schema + "@"), std::string::npos);
  const auto verdict = study::verify(path("published"), std::nullopt);
  ASSERT_TRUE(verdict) << verdict.error().sentence();
  EXPECT_TRUE(verdict->holds()) << verdict->first_problem.value_or("");
  EXPECT_EQ(spends(), 1);
}

TEST_F(Postgresql, IsAskedWhatItMeans) {
  const auto connection = connected();
  const auto answers = engine::probe(query::postgresql_dialect(), *connection);
  ASSERT_TRUE(answers);
  EXPECT_GE(answers->size(), 30U);
  for (const engine::ProbeAnswer& one : *answers) EXPECT_TRUE(one.is_as_expected) << one.what;
  // In the dialect of another engine it means something else, or nothing.
  EXPECT_FALSE(engine::check_meaning(query::duckdb_dialect(), *connection));
}

TEST_F(Postgresql, TheEmbeddedEngineMeansTheSame) {
  Reference reference;
  const auto answers = engine::probe(query::duckdb_dialect(), reference);
  ASSERT_TRUE(answers);
  for (const engine::ProbeAnswer& one : *answers) EXPECT_TRUE(one.is_as_expected) << one.what;
}

TEST_F(Postgresql, SpendsNothingWhereSomethingIsInTheWay) {
  const std::string columns = "person_id = { type = \"integer\" }\n";
  const std::string region = "region = { type = \"string\", keys = [\"north\", \"south\"] }\n";
  const std::string all = columns + region + "age = { type = \"integer\", lower = 0, upper = 99 }\n";
  write_catalog(all, reader_.engine.address, reader_.schema + ".persons");
  expect_refused("is not in the database");
  write_catalog(all, reader_.engine.address, "people");
  expect_refused("must be named with its schema");
  write_catalog(all + "height = { type = \"real\" }\n");
  expect_refused("has no column 'height'");
  write_catalog(columns + region + "age = { type = \"boolean\" }\n");
  write("study.toml",
        "catalog = \"catalog.toml\"\nbudget = { epsilon = 1 }\n[[statistic]]\nname = \"all\"\n"
        "sql = \"SELECT COUNT(*) AS people FROM people\"\n");
  expect_refused("declare it as integer or real");
  write_catalog(columns + "padded = { type = \"string\" }\n");
  expect_refused("character(3)");
  write_catalog(columns + "seen = { type = \"date\" }\n");
  expect_refused("timestamp with time zone");
  write_catalog(columns, "postgresql://" + reader_.schema + "@127.0.0.1:1/postgres", people());
  expect_refused("could not be reached");
  ::setenv("PGPASSWORD", "wrong", 1);
  write_catalog(columns);
  expect_refused("check address, user and password");
  ::unsetenv("PGPASSWORD");
  expect_refused("asks for a password");
}

TEST_F(Postgresql, RefusesRightsAndTablesThatAreTooMuch) {
  const std::string columns = "person_id = { type = \"integer\" }\n";
  write("study.toml",
        "catalog = \"catalog.toml\"\nbudget = { epsilon = 1 }\n[[statistic]]\nname = \"all\"\n"
        "sql = \"SELECT COUNT(*) AS people FROM people\"\n");
  server_->run("CREATE VIEW " + reader_.schema + ".shown AS SELECT * FROM " + people());
  write_catalog(columns, reader_.engine.address, reader_.schema + ".shown");
  expect_refused("is a view");
  server_->run("CREATE TABLE " + reader_.schema + ".hidden AS SELECT * FROM " + people() + "; REVOKE ALL ON " +
               reader_.schema + ".hidden FROM " + reader_.schema);
  write_catalog(columns, reader_.engine.address, reader_.schema + ".hidden");
  expect_refused("may not be read");
  server_->run("ALTER TABLE " + people() + " ENABLE ROW LEVEL SECURITY; CREATE POLICY of_young ON " + people() +
               " USING (age < 50)");
  write_catalog(columns);
  expect_refused("only some of its rows");
  server_->run("ALTER TABLE " + people() + " DISABLE ROW LEVEL SECURITY");
  for (const char* right : {"pg_read_server_files", "pg_write_server_files", "pg_execute_server_program"}) {
    server_->run(std::string("GRANT ") + right + " TO " + reader_.schema);
    expect_refused(right);
    server_->run(std::string("REVOKE ") + right + " FROM " + reader_.schema);
  }
  server_->run("ALTER ROLE " + reader_.schema + " SUPERUSER");
  expect_refused("superuser");
  server_->run("ALTER ROLE " + reader_.schema + " NOSUPERUSER");
  EXPECT_TRUE(released());
}

// What the server would refuse once it is asked is told before anything is spent.
TEST_F(Postgresql, SpendsNothingOnStatementsThatWouldBeRefused) {
  const std::string columns = "person_id = { type = \"integer\" }\n";
  write("study.toml",
        "catalog = \"catalog.toml\"\nbudget = { epsilon = 1 }\n[[statistic]]\nname = \"all\"\n"
        "sql = \"SELECT COUNT(*) AS people FROM people\"\n");
  write_catalog(columns);
  server_->run("REVOKE USAGE ON SCHEMA " + reader_.schema + " FROM " + reader_.schema);
  expect_refused("grant USAGE on the schema");
  server_->run("GRANT USAGE ON SCHEMA " + reader_.schema + " TO " + reader_.schema);
  server_->run("CREATE MATERIALIZED VIEW " + reader_.schema + ".empty AS SELECT * FROM " + people() + " WITH NO DATA");
  write_catalog(columns, reader_.engine.address, reader_.schema + ".empty");
  expect_refused("was never filled");
  server_->run("REFRESH MATERIALIZED VIEW " + reader_.schema + ".empty");
  EXPECT_TRUE(released());
}

TEST_F(Postgresql, PlansAStatementWithoutALookAtARow) {
  const auto connection = connected();
  EXPECT_TRUE(connection->check("SELECT count(*) FROM " + people()));
  EXPECT_TRUE(connection->check("SELECT 1 / (age - age) FROM " + people()));  // which fails of every row
  const auto checked = connection->check("SELECT nothing FROM " + people());
  ASSERT_FALSE(checked);
  EXPECT_NE(checked.error().sentence().find("SQLSTATE 42703"), std::string::npos) << checked.error().sentence();
  server_->run("CREATE TABLE " + reader_.schema + ".hidden AS SELECT * FROM " + people() + "; REVOKE ALL ON " +
               reader_.schema + ".hidden FROM " + reader_.schema);
  const auto hidden = connection->check("SELECT count(*) FROM " + reader_.schema + ".hidden");
  ASSERT_FALSE(hidden);
  EXPECT_NE(hidden.error().sentence().find("grant this role SELECT"), std::string::npos);
  EXPECT_TRUE(connection->check("SELECT 1"));
}

// One infinite day among the units, which has no number, ends no run.
TEST_F(Postgresql, TakesDaysBeyondAllThatCountForNoUnits) {
  server_->run(
      "CREATE TABLE " + reader_.schema +
      ".days AS SELECT CASE WHEN i = 1 THEN DATE 'infinity' WHEN i = 2 THEN "
      "DATE '-infinity' ELSE DATE '2000-01-01' + CAST(i AS INTEGER) END AS person_id, CAST(i % 5 AS BIGINT) AS "
      "k FROM generate_series(1, 400) AS g(i)");
  for (const char* const passes : {"", "passes = 3\n"}) {
    write_catalog("person_id = { type = \"date\" }\nk = { type = \"integer\", keys = [0, 1, 2, 3, 4] }\n",
                  reader_.engine.address, reader_.schema + ".days", passes);
    write("study.toml",
          "catalog = \"catalog.toml\"\nbudget = { epsilon = 1 }\n[[statistic]]\nname = \"all\"\nmax_groups = 2\n"
          "sql = \"SELECT k, COUNT(*) AS people FROM people GROUP BY k\"\n");
    const Result<study::Answer> answer = released();
    EXPECT_TRUE(answer) << answer.error().sentence();
  }
}

TEST_F(Postgresql, ReadsNumericAsWholeNumbersAndAsReals) {
  server_->run("CREATE TABLE " + reader_.schema +
               ".money AS SELECT CAST(i AS NUMERIC) AS person_id, "
               "CAST(i % 100 AS NUMERIC(10,0)) AS age FROM generate_series(0, 399) AS g(i)");
  server_->run("INSERT INTO " + reader_.schema + ".money VALUES ('NaN', 'NaN'), ('Infinity', 5), (0.5, 7), (1e30, 8)");
  for (const char* const type : {"integer", "real"}) {
    write_catalog(
        std::string("person_id = { type = \"integer\" }\nage = { type = \"") + type + "\", lower = 0, upper = 99 }\n",
        reader_.engine.address, reader_.schema + ".money");
    write("study.toml",
          "catalog = \"catalog.toml\"\nbudget = { epsilon = 10 }\n[[statistic]]\nname = \"all\"\n"
          "sql = \"SELECT COUNT(*) AS people, SUM(age) AS age FROM people\"\n");
    const Result<study::Answer> answer = released();
    ASSERT_TRUE(answer) << answer.error().sentence();
    EXPECT_NEAR(answer->record()->tables[0].rows[0].numbers[0].value, 400, 20);
  }
}

TEST(PostgresqlAddress, IsOnThisMachineOnlyWhereAllItsHostsAre) {
  ::unsetenv("PGHOST");
  ::unsetenv("PGSERVICE");
  for (const char* here : {"postgresql://a@127.0.0.1/b", "postgresql:///b", "postgresql://a@localhost:5432/b",
                           "postgresql://a@[::1]/b", "postgresql:///b?host=/var/run/postgresql"}) {
    EXPECT_TRUE(engine::is_on_this_machine(here)) << here;
  }
  for (const char* there : {"postgresql://a@db.example/b", "postgresql://a@127.0.0.1,db.example/b",
                            "postgresql://a@localhost/b?hostaddr=192.0.2.1", "postgresql:///b?service=far",
                            "postgresql://a@127.evil.example/b", "postgresql://a@127.0.0.1.evil.example/b"}) {
    EXPECT_FALSE(engine::is_on_this_machine(there)) << there;
  }
  ::setenv("PGHOST", "db.example", 1);
  EXPECT_FALSE(engine::is_on_this_machine("postgresql:///b"));
  ::unsetenv("PGHOST");
}

// The server of the tests has no TLS: from another machine it would be refused, and 0.0.0.0 counts as one.
TEST_F(Postgresql, IsReachedFromElsewhereByVerifiedTlsAlone) {
  query::Engine elsewhere = reader_.engine;
  const std::size_t host = elsewhere.address.find("127.0.0.1");
  elsewhere.address.replace(host, 9, "0.0.0.0");
  EXPECT_FALSE(engine::connect(elsewhere));
  elsewhere.address += "?sslmode=disable";  // which an address cannot ask for
  EXPECT_FALSE(engine::connect(elsewhere));
  elsewhere.plaintext = true;
  EXPECT_TRUE(engine::connect(elsewhere));
}

const char* const endless = "SELECT count(*) FROM generate_series(1, 100000000000) AS g(i)";

TEST_F(Postgresql, StopsAStatementThatNobodyWaitsFor) {
  const auto connection = connected();
  ASSERT_TRUE(connection->begin());
  int asked = 0;
  const auto stop = [&](double) { return ++asked < 3; };
  const auto start = std::chrono::steady_clock::now();
  const auto cells = connection->read(endless, {query::Type::integer}, 1, stop);
  ASSERT_FALSE(cells);
  EXPECT_EQ(cells.error().kind, ErrorKind::stopped);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  ASSERT_TRUE(connection->begin());  // and is of use again
  EXPECT_TRUE(connection->read("SELECT CAST(1 AS BIGINT)", {query::Type::integer}, 1, nobody_watches));
}

TEST_F(Postgresql, EndsAStatementAtItsTimeout) {
  query::Engine hasty = reader_.engine;
  hasty.seconds = 1;
  const auto connection = engine::connect(hasty);
  ASSERT_TRUE(connection);
  const auto cells = (*connection)->read(endless, {query::Type::integer}, 1, nobody_watches);
  ASSERT_FALSE(cells);
  EXPECT_EQ(cells.error().sentence(), engine::run_failed);
  EXPECT_FALSE((*connection)->is_lost());
}

TEST_F(Postgresql, AnswersInTheTypesThatWereAskedForOrNotAtAll) {
  const auto connection = connected();
  using query::Type;
  for (const char* sql : {"SELECT 1", "SELECT CAST(1 AS BIGINT), 2", "SELECT CAST('x' AS TEXT)", "SELECT 1/0",
                          "SELECT CAST(g AS BIGINT) FROM generate_series(1, 3) AS g"}) {
    const auto cells = connection->read(sql, {Type::integer}, 2, nobody_watches);
    ASSERT_FALSE(cells) << sql;
    EXPECT_EQ(cells.error().sentence(), engine::run_failed) << sql;
  }
  const auto cells = connection->read(
      "SELECT true, CAST(-5 AS BIGINT), CAST('-0.5' AS DOUBLE PRECISION), CAST('\u00e9' AS TEXT), DATE '1969-12-31', "
      "CAST(NULL AS BIGINT)",
      {Type::boolean, Type::integer, Type::real, Type::string, Type::date, Type::integer}, 1, nobody_watches);
  ASSERT_TRUE(cells);
  const std::vector<engine::Cell> expected = {query::Value(true),           query::Value(std::int64_t{-5}),
                                              query::Value(-0.5),           query::Value(std::string("\u00e9")),
                                              query::Value(query::Day{-1}), std::nullopt};
  EXPECT_EQ(cells->rows.front(), expected);
}

TEST_F(Postgresql, CannotWriteInARun) {
  const auto connection = connected();
  server_->run("GRANT CREATE ON SCHEMA " + reader_.schema + " TO " + reader_.schema);
  ASSERT_TRUE(connection->begin());
  EXPECT_FALSE(connection->read("CREATE TABLE " + reader_.schema + ".t (x BIGINT)", {}, 0, nobody_watches));
}

// Another session writes between two statements: all see the state of the first.
TEST_F(Postgresql, ReadsOneStateOfTheData) {
  const auto connection = connected();
  const std::string count = "SELECT count(*) FROM " + people();
  const auto counted = [&] {
    const auto cells = connection->read(count, {query::Type::integer}, 1, nobody_watches);
    return cells ? std::get<std::int64_t>(*cells->rows.front().front()) : -1;
  };
  ASSERT_TRUE(connection->begin());
  EXPECT_EQ(counted(), 400);
  server_->run("DELETE FROM " + people() + " WHERE age = 7");
  EXPECT_EQ(counted(), 400);
  ASSERT_TRUE(connection->begin());
  EXPECT_EQ(counted(), 396);
}

// A server of its own, which is killed while a run reads.
TEST(SlowPostgresqlKilled, IsReadAgainWhereTheServerComesBack) {
  if (!PostgresqlServer::is_installed()) GTEST_SKIP() << PostgresqlServer::how_to_install;
  PostgresqlServer server;
  const Reader reader = new_reader(server);
  const std::string table = reader.schema + ".t";
  server.run("CREATE TABLE " + table + " AS SELECT CAST(i AS BIGINT) AS x FROM generate_series(1, 1000) AS g(i)");
  auto connection = engine::connect(reader.engine);
  ASSERT_TRUE(connection);
  auto session = engine::open_sql_session(query::postgresql_dialect(), *std::move(connection), {});
  ASSERT_TRUE(session);
  plan::Sql first{.text = "SELECT CAST(0 AS BIGINT) AS cell, count(*) FROM " + table,
                  .has_secret = false,
                  .has_cells = true,
                  .key_types = {},
                  .tallies = 1};
  plan::Sql second = first;
  second.text = "SELECT CAST(0 AS BIGINT) AS cell, (SELECT count(*) FROM " + table +
                ") + 0 * count(*) FROM generate_series(1, 3000000) AS g(i)";
  const std::vector<engine::Asked> asked = {{&first, {}}, {&second, {}}};
  std::atomic<bool> is_reading = false, is_done = false;
  const auto wait_for = [](const std::atomic<bool>& flag) {
    while (!flag) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  };
  std::thread killer([&] {
    wait_for(is_reading);
    server.crash_and_start_again();
    wait_for(is_done);  // the server ends with the thread that started it
  });
  const auto watch = [&](double done) {
    if (done >= 0.5) is_reading = true;  // the first statement is read
    return true;
  };
  const auto raw = (*session)->run_all(asked, watch);
  is_reading = true;
  is_done = true;
  killer.join();
  ASSERT_TRUE(raw) << raw.error().sentence();
  EXPECT_EQ(testing::Recorder::groups((*raw)[0]).front().tallies.front(), 1000);
  EXPECT_EQ(testing::Recorder::groups((*raw)[1]).front().tallies.front(), 1000);
}

// After the charge the sentence is one, whatever happened, and the budget stays spent.
TEST_F(Postgresql, TellsOneSentenceAfterData) {
  bool dropped = false;
  const auto drop = [&](double done) {
    if (done == 0 && !dropped && spends() > 0) {
      dropped = true;
      server_->run("DROP TABLE " + people());
    }
    return true;
  };
  const Result<study::Answer> answer = released({.progress = drop});
  ASSERT_TRUE(dropped);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind, ErrorKind::engine);
  EXPECT_TRUE(answer.error().sentence().starts_with(engine::run_failed)) << answer.error().sentence();
  EXPECT_EQ(answer.error().sentence().find("exist"), std::string::npos);
  EXPECT_NE(answer.error().sentence().find("see that its server runs"), std::string::npos) << answer.error().sentence();
  EXPECT_EQ(answer.error().sentence().find("its file"), std::string::npos);
  EXPECT_EQ(spends(), 1);
}

// A public table in a file goes along with the statements; one in the engine is joined there.
TEST_F(Postgresql, JoinsPublicTablesFromFilesAndFromItself) {
  write("places.csv", "region,country\nnorth,'A'\nsouth,B\n");
  server_->run("CREATE TABLE " + reader_.schema +
               ".places AS SELECT * FROM (VALUES (CAST('north' AS TEXT), "
               "CAST('A' AS TEXT)), ('south', 'B')) AS v(region, country)");
  write("study.toml",
        "catalog = \"catalog.toml\"\nbudget = { epsilon = 20 }\n[[statistic]]\nname = \"all\"\n"
        "sql = \"SELECT COUNT(*) AS people FROM people JOIN places USING (region) WHERE country = 'B'\"\n");
  for (const std::string& source : {std::string("\"places.csv\""), "{ table = \"" + reader_.schema + ".places\" }"}) {
    fs::remove(path("catalog.ledger"));
    write_catalog(
        "person_id = { type = \"integer\" }\nregion = { type = \"string\" }\n[tables.places]\npublic = true\n"
        "source = " +
        source +
        "\n[tables.places.columns]\nregion = { type = \"string\" }\n"
        "country = { type = \"string\" }\n");
    const Result<study::Answer> answer = released();
    ASSERT_TRUE(answer) << answer.error().sentence();
    EXPECT_NEAR(answer->record()->tables[0].rows[0].numbers[0].value, 100, 20);
    fs::remove_all(path("state"));
  }
}

// Names that end quotes, comments and statements, in tables, columns, keys and texts of a statement.
TEST_F(Postgresql, TakesHostileNamesForNames) {
  const std::string name = "x\"; DROP TABLE y; --";
  const std::string quoted = query::postgresql_dialect().identifier(name);
  server_->run("CREATE TABLE " + reader_.schema + "." + quoted + " (person_id BIGINT, " + quoted + " TEXT)");
  server_->run("INSERT INTO " + reader_.schema + "." + quoted +
               " SELECT i, '\\' || CHR(39) || '; --' FROM generate_series(1, 200) AS g(i)");
  write_catalog(
      "person_id = { type = \"integer\" }\n\"x\\\"; DROP TABLE y; --\" = { type = \"string\", keys = "
      "[\"\\\\'; --\"] }\n",
      reader_.engine.address, reader_.schema + ".x\\\"; DROP TABLE y; --");
  write("study.toml",
        "catalog = \"catalog.toml\"\nbudget = { epsilon = 20 }\n[[statistic]]\nname = \"all\"\nsql = '''"
        "SELECT \"x\"\"; DROP TABLE y; --\" AS k, COUNT(*) AS people FROM people WHERE "
        "\"x\"\"; DROP TABLE y; --\" = '\\''; --' GROUP BY 1'''\n");
  const Result<study::Answer> answer = released();
  ASSERT_TRUE(answer) << answer.error().sentence();
  EXPECT_NEAR(answer->record()->tables[0].rows[0].numbers[0].value, 200, 20);
}

// The same numbers whatever the number of passes: units of every type, tallies and histograms.
TEST_F(Postgresql, GivesTheSameNumbersInPasses) {
  server_->run(
      "CREATE TABLE " + reader_.schema +
      ".visits AS SELECT CAST(i % 37 - 18 AS BIGINT) AS i, CAST(i % 37 AS TEXT) AS t, "
      "DATE '1960-01-01' + i % 37 * 200 AS d, i % 3 = 0 AS b, CAST(i % 5 AS BIGINT) AS k, CAST(i % 11 AS BIGINT) AS x "
      "FROM generate_series(1, 1000) AS g(i)");
  write("study.toml",
        "catalog = \"catalog.toml\"\nbudget = { epsilon = 1 }\n[[statistic]]\nname = \"a\"\nmax_groups = 2\n"
        "max_rows = 3\nsql = \"SELECT k, COUNT(*) AS n, SUM(x) AS s, MEDIAN(x) AS m FROM visits GROUP BY k\"\n");
  for (const char* const name : {"i", "t", "d", "b"}) {
    const std::string unit = name;
    write("catalog.toml", "[budget]\nepsilon = 9\n[engine]\nkind = \"postgresql\"\naddress = \"" +
                              reader_.engine.address + "\"\n[tables.visits]\nsource = { table = \"" + reader_.schema +
                              ".visits\" }\nunit = \"" + unit +
                              "\"\n[tables.visits.columns]\ni = { type = \"integer\" }\nt = { type = \"string\" }\n"
                              "d = { type = \"date\" }\nb = { type = \"boolean\" }\n"
                              "k = { type = \"integer\", keys = [0, 1, 2, 3, 4] }\n"
                              "x = { type = \"integer\", lower = 0, upper = 10 }\n");
    const auto study = study::Study::read(path("study.toml"));
    ASSERT_TRUE(study) << study.error().sentence();
    const plan::BoundStatistic& statistic = study->bound.statistics.front();
    const plan::Sql sql = plan::render(statistic, plan::BoundingForm::portable, query::postgresql_dialect());
    std::vector<std::vector<engine::RawGroup>> found;
    for (const std::int64_t passes : {1, 2, 7}) {
      auto session = engine::open_sql_session(query::postgresql_dialect(), connected(), {statistic.table}, {}, passes);
      ASSERT_TRUE(session) << session.error().sentence();
      const auto raw = (*session)->run(sql, {5, -6}, nobody_watches);
      ASSERT_TRUE(raw) << unit;
      found.push_back(testing::Recorder::sorted(*raw));
      ASSERT_EQ(found.back().size(), found.front().size()) << unit << passes;
      ASSERT_GE(found.back().size(), 2U);
      for (std::size_t i = 0; i < found.back().size(); ++i) {
        for (std::size_t j = 0; j < statistic.tallies.size(); ++j) {
          // Each pass rounds the sum of parts of its units.
          const std::int64_t most = statistic.tallies[j].kind == plan::TallyKind::sum ? passes - 1 : 0;
          EXPECT_LE(std::abs(found.back()[i].tallies[j] - found.front()[i].tallies[j]), most) << unit << passes;
        }
        EXPECT_EQ(found.back()[i].histograms, found.front()[i].histograms) << unit << passes;
      }
    }
  }
}

}  // namespace
}  // namespace vernier::engines
