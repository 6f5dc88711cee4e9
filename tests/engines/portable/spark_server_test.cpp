#include <chrono>

#include <gtest/gtest.h>

#include "engines/portable/servers.hpp"
#include "engines/portable/table_on_server.hpp"
#include "support/recorder.hpp"
#include "vernier/engine/engine.hpp"
#include "vernier/engine/sql/probe.hpp"
#include "vernier/study.hpp"

// A table in Spark, by Spark Connect, from the catalog to the record, and what can go wrong on the way.
namespace vernier::engines {
namespace {

using query::Type;

// A table of Parquet files with 400 people, 300 of them in the north.
class SparkServer : public TableOnServer {
 protected:
  void SetUp() override {
    if (!other_) GTEST_SKIP() << how_to_get_spark;
    other_->write(
        "CREATE TABLE " + other_->table("people") +
        " USING parquet AS SELECT id AS person_id, CASE WHEN id < 300 THEN 'north' ELSE 'south' END AS region, "
        "CAST(id % 100 AS INT) AS age, current_timestamp() AS seen FROM range(400)");
    begin(other_->engine, "spark", name_of("people"));
  }

  std::string name_of(const std::string& table) const { return other_->schema[0] + "." + table; }
  query::Source source(const std::string& table) const {
    return {.path = {}, .kind = query::SourceKind::table, .table = {other_->schema[0], table}};
  }

  std::optional<Other> other_ = new_spark();
};

TEST_F(SparkServer, ReleasesATableAndVerifiesIt) {
  const Result<study::Answer> answer = released({.folder = path("published")});
  ASSERT_TRUE(answer) << answer.error().sentence();
  const Result<release::Record> record = answer->record();
  ASSERT_TRUE(record) << record.error().sentence();
  EXPECT_NEAR(record->tables[0].rows[0].numbers[0].value, 300, 150);
  EXPECT_TRUE(record->engine.starts_with("Spark 4.")) << record->engine;
  EXPECT_EQ(record->snapshot, engine::Snapshot::statement);
  EXPECT_EQ(answer->record_text().find("127.0.0.1"), std::string::npos);
  const auto verdict = study::verify(path("published"), std::nullopt);
  ASSERT_TRUE(verdict) << verdict.error().sentence();
  EXPECT_TRUE(verdict->holds()) << verdict->first_problem.value_or("");
  EXPECT_EQ(spends(), 1);
}

TEST_F(SparkServer, IsAskedWhatItMeans) {
  const auto connection = connected();
  const auto answers = engine::probe(query::spark_dialect(), *connection);
  ASSERT_TRUE(answers);
  EXPECT_GE(answers->size(), 30U);
  for (const engine::ProbeAnswer& one : *answers) EXPECT_TRUE(one.is_as_expected) << one.what;
  EXPECT_FALSE(engine::check_meaning(query::postgresql_dialect(), *connection));
}

TEST_F(SparkServer, SpendsNothingWhereSomethingIsInTheWay) {
  write_catalog(columns_, other_->engine.address, name_of("persons"));
  expect_refused("is not there");
  write_catalog(columns_, other_->engine.address, "lake.census.people");
  expect_refused("is not there");
  write_catalog(columns_, other_->engine.address, "people");
  expect_refused("with its schema");
  write_catalog(columns_ + "height = { type = \"real\" }\n");
  expect_refused("has no column 'height'");
  write_catalog(columns_ + "seen = { type = \"date\" }\n");
  expect_refused("timestamp");
  write_catalog(columns_, "sc://127.0.0.1:1", name_of("people"));
  expect_refused("could not be reached");
  write_catalog(columns_, "http://reader@127.0.0.1:1", name_of("people"));
  expect_refused("must begin with sc://");
  write_catalog(columns_, other_->engine.address + "/;use_ssl=true", name_of("people"));  // which speaks no TLS
  expect_refused("could not be reached");
}

TEST_F(SparkServer, RefusesAView) {
  other_->write("CREATE VIEW " + other_->table("shown") + " AS SELECT * FROM " + other_->table("people"));
  write_catalog(columns_, other_->engine.address, name_of("shown"));
  expect_refused("is a view");
}

const char* const endless =
    "SELECT count(*) FROM range(100000000000) AS a CROSS JOIN range(1000000) AS b WHERE a.id + b.id = 7";

// A statement of ours that still runs would keep the two threads of the server busy.
TEST_F(SparkServer, StopsAStatementThatNobodyWaitsFor) {
  const auto connection = connected();
  int asked = 0;
  const auto start = std::chrono::steady_clock::now();
  const auto cells = connection->read(endless, {Type::integer}, 1, [&](double) { return ++asked < 40; });
  ASSERT_FALSE(cells);
  EXPECT_EQ(cells.error().kind, ErrorKind::stopped);
  EXPECT_EQ(counted(*connection, other_->table("people")), 400);  // and is of use again
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
  EXPECT_FALSE(connection->is_lost());
}

TEST_F(SparkServer, EndsAStatementAtItsTimeout) {
  query::Engine hasty = other_->engine;
  hasty.seconds = 3;
  const auto connection = engine::connect(hasty);
  ASSERT_TRUE(connection);
  const auto cells = (*connection)->read(endless, {Type::integer}, 1, nobody_watches);
  ASSERT_FALSE(cells);
  EXPECT_EQ(cells.error().sentence(), engine::run_failed);
  EXPECT_FALSE((*connection)->is_lost());
}

TEST_F(SparkServer, AnswersInTheTypesThatWereAskedForOrNotAtAll) {
  const auto connection = connected();
  for (const char* sql : {"SELECT 1", "SELECT CAST(1 AS BIGINT), 2", "SELECT 'x'", "SELECT CAST(1 AS BIGINT) div 0",
                          "SELECT CAST('a' AS BIGINT)", "SELECT id FROM range(3)", "SELECT", "SELECT x FROM nowhere",
                          "SELECT array(1)", "SELECT CAST(1 AS DECIMAL(38,0))"}) {
    const auto cells = connection->read(sql, {Type::integer}, 2, nobody_watches);
    ASSERT_FALSE(cells) << sql;
    EXPECT_EQ(cells.error().sentence(), engine::run_failed) << sql;
    EXPECT_FALSE(connection->is_lost()) << sql;
  }
  const auto cells = connection->read(
      "SELECT true, CAST('-9223372036854775808' AS BIGINT), CAST('-0.1' AS DOUBLE), '\u00e9', DATE '1969-12-31', "
      "CAST(NULL AS BIGINT), CAST('-Infinity' AS DOUBLE), CAST(NULL AS STRING)",
      {Type::boolean, Type::integer, Type::real, Type::string, Type::date, Type::integer, Type::real, Type::string}, 1,
      nobody_watches);
  ASSERT_TRUE(cells);
  const std::vector<engine::Cell> expected = {query::Value(true),           query::Value(std::int64_t{INT64_MIN}),
                                              query::Value(-0.1),           query::Value(std::string("\u00e9")),
                                              query::Value(query::Day{-1}), std::nullopt,
                                              query::Value(-HUGE_VAL),      std::nullopt};
  EXPECT_EQ(cells->rows.front(), expected);
}

// An answer of many batches, and one of more rows than are taken.
TEST_F(SparkServer, ReadsAllBatchesAndNoMoreRowsThanAreAskedFor) {
  const auto connection = connected();
  const std::string sql = "SELECT id, CAST(id AS STRING) FROM range(0, 300000, 1, 7)";
  const std::vector<Type> types = {Type::integer, Type::string};
  const auto cells = connection->read(sql, types, 300'000, nobody_watches);
  ASSERT_TRUE(cells);
  ASSERT_EQ(cells->rows.size(), 300'000U);
  EXPECT_EQ(cells->rows[299'999][1], engine::Cell(query::Value(std::string("299999"))));
  EXPECT_FALSE(connection->read(sql, types, 299'999, nobody_watches));
}

}  // namespace
}  // namespace vernier::engines
