#include <gtest/gtest.h>

#include "bytes/byte_session.hpp"
#include "bytes/clauses.hpp"
#include "response/response.hpp"
#include "support/ledgers.hpp"

// The same tables as whoever asks sees them: status, bytes with noise masked, keys and price do not depend on the
// record.
namespace vernier::bytes {
namespace {

using numeric::Rational;
using response::Response;

const query::StudyBudget budget{Rational::of(1), Rational::of(0)};

// One of the tables behind the interface of an engine.
class OneTable : public engine::Session {
 public:
  OneTable(engine::Session& session, const Clause& clause, const query::Table& table)
      : session_(session), statistic_(clause.bound), form_(clause.form) {
    statistic_.table = table;
  }

  plan::BoundingForm form(const plan::BoundStatistic&) const override { return form_; }
  std::string version() const override { return "DuckDB"; }
  Result<engine::RawAggregates> run(const plan::Sql&, const engine::Secret& secret, const Progress& progress) override {
    return session_.run(plan::render(statistic_, form_), secret, progress);
  }

 private:
  engine::Session& session_;
  plan::BoundStatistic statistic_;
  plan::BoundingForm form_;
};

study::Study asked_of(const PlacedShape& placed, const Clause& clause) {
  const query::Statistic statistic{
      .name = "s", .sql = clause.sql, .accuracy = {}, .weight = Rational::of(1), .place = {}, .sql_place = {}};
  return {"study",
          {"study.toml", "catalog.toml", Rational::of_decimal("0.05").value(), budget, {statistic}},
          {placed.catalog, *Alpha::of(0.05), budget, placed.shape.table.neighbours, {clause.bound}}};
}

class Responses {
 public:
  // Of a random study over all tables of a shape; how many were compared with that of the base.
  std::size_t compare(ByteSession& session, const PlacedShape& placed, Draw& draw) {
    if (!placed.refused[0].empty()) return 0;
    const Clause clause = drawn_study(draw, placed.shape, placed.catalog);
    const study::Study asked = asked_of(placed, clause);
    const Result<plan::Plan> plan = plan::allocate(asked.bound);
    if (!plan) return 0;
    const auto ledger = fresh_ledger();
    const auto answered = [&](std::size_t i) {
      OneTable table(session.engine(), clause, placed.tables[i]);
      return response::response_of(asked, *plan, table, *ledger);
    };
    const Response base = answered(0);
    EXPECT_EQ(base.status, "published") << clause.sql;
    for (std::size_t i = 1; i < placed.tables.size(); ++i) {
      const Response odd = answered(i);
      EXPECT_EQ(odd, base) << clause.sql << "\n" << placed.shape.odd[i - 1].oddity << "\n" << text_of(odd);
    }
    return placed.tables.size() - 1;
  }

 private:
  // For each shape, since a ledger keeps the unit of a table.
  std::unique_ptr<ledger::Ledger> fresh_ledger() {
    const ledger::Terms terms{ledger::Accountant::pure, Rational::of(100'000), Rational::of(0)};
    return testing::ledger_at(folder_.path() / std::to_string(++ledgers_), terms);
  }

  testing::TemporaryFolder folder_ = testing::TemporaryFolder(testing::quick_folder());
  int ledgers_ = 0;
};

void expect_same_responses(Shape (*shape)(std::uint64_t), std::uint64_t first, std::size_t shapes, std::size_t least) {
  Responses responses;
  std::vector<Shape> drawn;
  for (std::size_t i = 0; i < shapes; ++i) drawn.push_back(shape(first + i));
  ByteSession session(std::move(drawn));
  ASSERT_EQ(session.failure(), "");
  std::size_t compared = 0;
  Draw draw(first);
  for (const PlacedShape& placed : session.shapes()) compared += responses.compare(session, placed, draw);
  EXPECT_GE(compared, least);
}

TEST(SlowOddResponses, AreTheSameFromCsv) { expect_same_responses(csv_shape, 5'000'000, 22, 180); }
TEST(SlowOddResponses, AreTheSameFromJson) { expect_same_responses(json_shape, 5'000'000, 12, 90); }
TEST(SlowOddResponses, AreTheSameFromParquet) { expect_same_responses(parquet_shape, 5'000'000, 40, 180); }
TEST(SlowOddResponses, AreTheSameFromArrow) { expect_same_responses(arrow_shape, 5'000'000, 20, 90); }

}  // namespace
}  // namespace vernier::bytes
