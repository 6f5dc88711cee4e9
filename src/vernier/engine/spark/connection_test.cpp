#include "vernier/engine/spark/connection.hpp"

#include <gtest/gtest.h>

#include "support/arrow_rows.hpp"
#include "vernier/engine/engine.hpp"

namespace vernier::engine {
namespace {

using query::Type;
using query::Value;
using namespace vernier::testing;

// Two batches, the second one cut out of a longer one.
std::shared_ptr<const ArrowTable> answer() {
  const ArrowBatch first = {arrow_integers("n", {1, INT64_MIN}), arrow_texts("k", {"a", std::nullopt}),
                            arrow_days("d", {-1, 0}), arrow_booleans("b", {true, false}),
                            arrow_reals("x", {0.5, -2.5})};
  const ArrowBatch longer = {arrow_integers("n", {7, std::nullopt}), arrow_texts("k", {"z", "c"}),
                             arrow_days("d", {9, 2}), arrow_booleans("b", {true, std::nullopt}),
                             arrow_reals("x", {9, 1e150})};
  ArrowBatch second;
  for (const ArrowColumnData& column : longer) second.push_back(column.slice(1, 1));
  return arrow_table({first, second});
}
const std::vector<Type> types = {Type::integer, Type::string, Type::date, Type::boolean, Type::real};

TEST(GivenSession, AnswersBecomeCellsOfAllBatches) {
  const Result<Cells> cells = cells_of(*answer(), types, 3);
  ASSERT_TRUE(cells);
  const std::vector<std::vector<Cell>> expected = {
      {Value(std::int64_t{1}), Value(std::string("a")), Value(query::Day{-1}), Value(true), Value(0.5)},
      {Value(std::int64_t{INT64_MIN}), std::nullopt, Value(query::Day{0}), Value(false), Value(-2.5)},
      {std::nullopt, Value(std::string("c")), Value(query::Day{2}), std::nullopt, Value(1e150)}};
  EXPECT_EQ(cells->rows, expected);
}

TEST(GivenSession, AnswersOfOtherTypesOrMoreRowsAreNone) {
  const auto expect_none = [](const ArrowTable& table, const std::vector<Type>& asked, std::size_t most_rows) {
    const Result<Cells> cells = cells_of(table, asked, most_rows);
    ASSERT_FALSE(cells);
    EXPECT_EQ(cells.error().sentence(), run_failed);
  };
  expect_none(*answer(), types, 2);
  expect_none(*answer(), {Type::integer}, 3);
  for (std::size_t i = 0; i < types.size(); ++i) {
    std::vector<Type> other = types;
    other[i] = types[i] == Type::integer ? Type::real : Type::integer;
    expect_none(*answer(), other, 3);
  }
  expect_none(*arrow_table({{arrow_numbers<std::int32_t>("n", "i", {1})}}), {Type::integer}, 3);  // not as it was cast
}

std::shared_ptr<GivenSession> session(std::string* asked) {
  auto made = std::make_shared<GivenSession>();
  made->kind = "spark";
  made->version = "Spark 4.3.0";
  made->columns = [](const query::Source&) -> Result<GivenSession::Columns> {
    return GivenSession::Columns{{"n", "bigint"}, {"p", "decimal(10,2)"}, {"c", "char(3)"}, {"t", "timestamp"}};
  };
  made->read = [=](const std::string& sql, std::int64_t seconds,
                   const Progress&) -> Result<std::shared_ptr<const ArrowTable>> {
    *asked = sql + " within " + std::to_string(seconds);
    return answer();
  };
  return made;
}

query::Engine engine_of(const std::string& kind) {
  query::Engine engine;
  engine.kind = kind;
  engine.seconds = 17;
  return engine;
}

TEST(GivenSession, IsAskedAsAConnection) {
  std::string asked;
  const auto connection = connect_given(engine_of("spark"), session(&asked));
  ASSERT_TRUE(connection);
  EXPECT_EQ((*connection)->version(), "Spark 4.3.0");
  EXPECT_FALSE((*connection)->has_snapshot());
  EXPECT_TRUE((*connection)->read("SELECT 1", types, 3, nobody_watches));
  EXPECT_EQ(asked, "SELECT 1 within 17");
  const auto columns = (*connection)->columns({});
  ASSERT_TRUE(columns);
  EXPECT_EQ((*columns)[0].may_be, (std::vector{Type::integer, Type::real}));
  EXPECT_EQ((*columns)[1].may_be, std::vector{Type::real});
  EXPECT_TRUE((*columns)[2].may_be.empty());
  EXPECT_TRUE((*columns)[3].may_be.empty());
  const auto stopped = (*connection)->read("SELECT 1", types, 3, [](double) { return false; });
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().kind, ErrorKind::stopped);
}

TEST(GivenSession, IsForItsOwnEngineAlone) {
  std::string asked;
  for (const char* kind : {"duckdb", "trino", "postgresql"}) {
    const auto connection = connect_given(engine_of(kind), session(&asked));
    ASSERT_FALSE(connection);
    EXPECT_NE(connection.error().sentence().find(kind), std::string::npos);
  }
}

}  // namespace
}  // namespace vernier::engine
