#include <chrono>

#include <gtest/gtest.h>

#include "engines/portable/servers.hpp"
#include "engines/portable/table_on_server.hpp"
#include "support/recorder.hpp"
#include "vernier/engine/engine.hpp"
#include "vernier/engine/sql/probe.hpp"
#include "vernier/engine/trino/http.hpp"
#include "vernier/study.hpp"

// A table in Trino from the catalog to the record, and what can go wrong on the way.
namespace vernier::engines {
namespace {

using query::Type;

// A table of Iceberg with 400 people, 300 of them in the north.
class TrinoServer : public TableOnServer {
 protected:
  void SetUp() override {
    if (!other_) GTEST_SKIP() << how_to_get_trino;
    other_->write("CREATE TABLE " + other_->table("people") +
                  " AS SELECT i AS person_id, CASE WHEN i < 300 THEN 'north' ELSE 'south' END AS region, "
                  "CAST(i % 100 AS INTEGER) AS age, current_timestamp AS seen FROM UNNEST(sequence(0, 399)) AS s(i)");
    begin(other_->engine, "trino", name_of("people"));
  }

  std::string name_of(const std::string& table) const {
    return other_->schema[0] + "." + other_->schema[1] + "." + table;
  }
  query::Source source(const std::string& table) const {
    return {.path = {}, .kind = query::SourceKind::table, .table = {other_->schema[0], other_->schema[1], table}};
  }

  std::optional<Other> other_ = new_trino("iceberg");
};

TEST_F(TrinoServer, ReleasesATableAndVerifiesIt) {
  const Result<study::Answer> answer = released({.folder = path("published")});
  ASSERT_TRUE(answer) << answer.error().sentence();
  const Result<release::Record> record = answer->record();
  ASSERT_TRUE(record) << record.error().sentence();
  EXPECT_NEAR(record->tables[0].rows[0].numbers[0].value, 300, 150);
  EXPECT_TRUE(record->engine.starts_with("Trino ")) << record->engine;
  EXPECT_EQ(record->snapshot, engine::Snapshot::study);
  EXPECT_EQ(answer->record_text().find("127.0.0.1"), std::string::npos);
  EXPECT_EQ(answer->record_text().find("reader"), std::string::npos);
  const auto verdict = study::verify(path("published"), std::nullopt);
  ASSERT_TRUE(verdict) << verdict.error().sentence();
  EXPECT_TRUE(verdict->holds()) << verdict->first_problem.value_or("");
  EXPECT_EQ(spends(), 1);
}

TEST_F(TrinoServer, IsAskedWhatItMeans) {
  const auto connection = connected();
  const auto answers = engine::probe(query::trino_dialect(), *connection);
  ASSERT_TRUE(answers);
  EXPECT_GE(answers->size(), 30U);
  for (const engine::ProbeAnswer& one : *answers) EXPECT_TRUE(one.is_as_expected) << one.what;
  EXPECT_FALSE(engine::check_meaning(query::postgresql_dialect(), *connection));
}

TEST_F(TrinoServer, SpendsNothingWhereSomethingIsInTheWay) {
  write_catalog(columns_, other_->engine.address, name_of("persons"));
  expect_refused("is not there");
  write_catalog(columns_, other_->engine.address, "lake.census.people");
  expect_refused("is not there");
  write_catalog(columns_, other_->engine.address, "census.people");
  expect_refused("with its catalog and schema");
  write_catalog(columns_ + "height = { type = \"real\" }\n");
  expect_refused("has no column 'height'");
  write_catalog(columns_ + "seen = { type = \"date\" }\n");
  expect_refused("timestamp(6) with time zone");
  write_catalog(columns_, "http://reader@127.0.0.1:1", name_of("people"));
  expect_refused("could not be reached");
  write_catalog(columns_, "http://127.0.0.1:1", name_of("people"));
  expect_refused("names no user");
  write_catalog(columns_, "http://reader@lake.example:8080", name_of("people"));
  expect_refused("without TLS");
  write_catalog(columns_, "https" + other_->engine.address.substr(4), name_of("people"));  // which speaks no TLS
  expect_refused("no certificate that this machine trusts");
  write_catalog(columns_);
  ::setenv("VERNIER_TRINO_PASSWORD", "pa55", 1);  // which this server has no use for
  expect_refused("asks for a password, or takes another one");
  ::unsetenv("VERNIER_TRINO_PASSWORD");
}

TEST_F(TrinoServer, RefusesAView) {
  other_->write("CREATE VIEW " + other_->table("shown") + " SECURITY INVOKER AS  SELECT * FROM " +
                other_->table("people"));
  write_catalog(columns_, other_->engine.address, name_of("shown"));
  expect_refused("is a view");
}

const char* const endless =
    "SELECT count(*) FROM tpch.sf1000.lineitem AS a CROSS JOIN tpch.sf1000.lineitem AS b WHERE a.partkey + b.partkey = "
    "7";

TEST_F(TrinoServer, StopsAStatementThatNobodyWaitsFor) {
  const auto connection = connected();
  int asked = 0;
  const auto start = std::chrono::steady_clock::now();
  const auto cells = connection->read(endless, {Type::integer}, 1, [&](double) { return ++asked < 10; });
  ASSERT_FALSE(cells);
  EXPECT_EQ(cells.error().kind, ErrorKind::stopped);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
  EXPECT_EQ(counted(*connection, other_->table("people")), 400);  // and is of use again
  const auto running = connection->read(
      "SELECT count(*) FROM system.runtime.queries WHERE query LIKE '%lineitem%' AND query NOT LIKE '%system%' AND "
      "state IN ('RUNNING', 'QUEUED', 'PLANNING', 'STARTING') AND query LIKE '%CROSS JOIN%'",
      {Type::integer}, 1, nobody_watches);
  ASSERT_TRUE(running);
  EXPECT_EQ(running->rows.front().front(), engine::Cell(query::Value(std::int64_t{0})));
}

TEST_F(TrinoServer, EndsAStatementAtItsTimeout) {
  query::Engine hasty = other_->engine;
  hasty.seconds = 1;
  const auto connection = engine::connect(hasty);
  ASSERT_TRUE(connection);
  const auto cells = (*connection)->read(endless, {Type::integer}, 1, nobody_watches);
  ASSERT_FALSE(cells);
  EXPECT_EQ(cells.error().sentence(), engine::run_failed);
  EXPECT_FALSE((*connection)->is_lost());
}

TEST_F(TrinoServer, AnswersInTheTypesThatWereAskedForOrNotAtAll) {
  const auto connection = connected();
  for (const char* sql :
       {"SELECT 1", "SELECT CAST(1 AS BIGINT), 2", "SELECT 'x'", "SELECT CAST(1 AS BIGINT)/0",
        "SELECT * FROM (VALUES BIGINT '1', BIGINT '2', BIGINT '3')", "SELECT", "SELECT x FROM nowhere"}) {
    const auto cells = connection->read(sql, {Type::integer}, 2, nobody_watches);
    ASSERT_FALSE(cells) << sql;
    EXPECT_EQ(cells.error().sentence(), engine::run_failed) << sql;
    EXPECT_FALSE(connection->is_lost()) << sql;
  }
  const auto cells = connection->read(
      "SELECT true, CAST('-9223372036854775808' AS BIGINT), CAST('-0.1' AS DOUBLE), CAST('\u00e9' AS VARCHAR), "
      "DATE '1969-12-31', CAST(NULL AS BIGINT), CAST('-Infinity' AS DOUBLE)",
      {Type::boolean, Type::integer, Type::real, Type::string, Type::date, Type::integer, Type::real}, 1,
      nobody_watches);
  ASSERT_TRUE(cells);
  const std::vector<engine::Cell> expected = {query::Value(true),           query::Value(std::int64_t{INT64_MIN}),
                                              query::Value(-0.1),           query::Value(std::string("\u00e9")),
                                              query::Value(query::Day{-1}), std::nullopt,
                                              query::Value(-HUGE_VAL)};
  EXPECT_EQ(cells->rows.front(), expected);
}

// An answer of many pages, and one of more rows than are taken.
TEST_F(TrinoServer, ReadsAllPagesAndNoMoreRowsThanAreAskedFor) {
  const auto connection = connected();
  const std::string sql = "SELECT orderkey FROM tpch.tiny.orders";
  const auto cells = connection->read(sql, {Type::integer}, 15'000, nobody_watches);
  ASSERT_TRUE(cells);
  EXPECT_EQ(cells->rows.size(), 15'000U);
  EXPECT_FALSE(connection->read(sql, {Type::integer}, 14'999, nobody_watches));
}

// Another session writes between two statements: all see the state of the first.
TEST_F(TrinoServer, ReadsOneStateOfATableOfIceberg) {
  const auto connection = connected();
  EXPECT_FALSE(connection->has_snapshot());
  ASSERT_TRUE(connection->columns(source("people")));
  ASSERT_TRUE(connection->begin());
  EXPECT_TRUE(connection->has_snapshot());
  EXPECT_EQ(counted(*connection, other_->table("people")), 400);
  other_->write("INSERT INTO " + other_->table("people") + " SELECT * FROM " + other_->table("people"));
  EXPECT_EQ(counted(*connection, other_->table("people")), 400);
  ASSERT_TRUE(connection->begin());
  EXPECT_EQ(counted(*connection, other_->table("people")), 800);
}

TEST_F(TrinoServer, SaysWhereThereIsNoSnapshot) {
  const auto memory = new_trino();
  memory->write("CREATE TABLE " + memory->table("people") + " AS SELECT * FROM " + other_->table("people"));
  write_catalog(columns_, memory->engine.address, memory->schema[0] + "." + memory->schema[1] + ".people");
  const Result<study::Answer> answer = released();
  ASSERT_TRUE(answer) << answer.error().sentence();
  EXPECT_EQ(answer->record()->snapshot, engine::Snapshot::statement);
}

// Texts of Trino may have NUL in them: such a key does not count, and nothing else changes.
TEST_F(TrinoServer, LeavesOutKeysWithNul) {
  const auto memory = new_trino();
  memory->write("CREATE TABLE " + memory->table("people") +
                " AS SELECT i AS person_id, CASE i WHEN 0 THEN CAST(X'ff41' AS VARBINARY) WHEN 1 THEN X'ff42' WHEN 2 "
                "THEN X'4100' WHEN 3 THEN X'eda080' ELSE X'41' END AS region FROM UNNEST(sequence(0, 399)) AS s(i)");
  const auto connection = connected();
  const std::string kept = query::trino_dialect().bytes_of("region") + " <= CAST('1024' AS BIGINT)";
  const auto cells = connection->read(
      "SELECT count(*) FROM (SELECT CAST(reinterpreted AS VARCHAR) AS region FROM (SELECT from_utf8(region, '') AS "
      "reinterpreted FROM " +
          memory->table("people") + ") AS q) AS r WHERE " + kept,
      {Type::integer}, 1, nobody_watches);
  ASSERT_TRUE(cells);
  EXPECT_EQ(cells->rows.front().front(), engine::Cell(query::Value(std::int64_t{399})));  // "A\0" is left out
}

TEST(TrinoAddress, HasAUserAndAServer) {
  const auto address = engine::http_address("https://a@b@lake.example:8443/");
  ASSERT_TRUE(address);
  EXPECT_TRUE(address->is_secure);
  EXPECT_EQ(address->user, "a@b");
  EXPECT_EQ(address->host, "lake.example");
  EXPECT_EQ(address->port, 8443);
  EXPECT_FALSE(address->is_on_this_machine());
  EXPECT_EQ(engine::http_address("https://a@lake")->port, 443);
  EXPECT_TRUE(engine::http_address("http://a@[::1]:80")->is_on_this_machine());
  EXPECT_TRUE(engine::http_address("http://a@127.0.0.1:80")->is_on_this_machine());
  for (const char* wrong : {"trino://a@b", "https://b", "https://@b", "https://a@", "https://a@b:0", "https://a@b:x",
                            "https://a@b:65536", "https://a@b/c", "https://a@b?c=d", "https://a@[::1"}) {
    EXPECT_FALSE(engine::http_address(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace vernier::engines
