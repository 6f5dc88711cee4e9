#include <algorithm>
#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "engines/portable/servers.hpp"
#include "support/recorder.hpp"
#include "support/temporary_folder.hpp"
#include "twin/difference.hpp"
#include "twin/several.hpp"
#include "twin/twin_plan.hpp"
#include "vernier/core/utf8.hpp"
#include "vernier/engine/cells.hpp"
#include "vernier/plan/render/sql.hpp"
#include "vernier/plan/statistic/statistic.hpp"

// Random plans over random tables and their neighbours: the same integers on every engine, and on each of them no
// further apart than declared.
namespace vernier::engines {
namespace {

using engine::Cell;
using plan::BoundingForm;
using plan::BoundStatistic;
using query::Type;

// What a cell of a file is in the declared type, where servers can hold it: texts without NUL, in UTF-8.
Cell typed(Type type, const twin::Cell& cell) {
  if (!cell) return std::nullopt;
  if (type == Type::real && *cell == "nan") return query::Value(std::nan(""));
  if (type == Type::real && (*cell == "inf" || *cell == "-inf"))
    return query::Value(*cell == "inf" ? HUGE_VAL : -HUGE_VAL);
  if (type != Type::string) return engine::as_declared(type, query::Value(*cell));
  std::string text = *cell;
  std::erase(text, '\0');
  return is_utf8(text) ? query::Value(text) : query::Value(std::string("?"));
}

std::vector<std::vector<Cell>> typed_rows(const query::Table& table, const std::vector<twin::Row>& rows) {
  std::vector<std::vector<Cell>> all;
  for (const twin::Row& row : rows) {
    std::vector<Cell>& made = all.emplace_back();
    for (std::size_t i = 0; i < table.columns.size(); ++i) made.push_back(typed(table.columns[i].type, row[i]));
  }
  return all;
}

using Schema = std::vector<std::string>;

query::Table in_schema(query::Table table, const Schema& schema) {
  table.source = {.path = {}, .kind = query::SourceKind::table, .table = schema};
  table.source.table.push_back(table.name);
  if (table.via) table.via->owner = std::make_shared<const query::Table>(in_schema(*table.via->owner, schema));
  return table;
}

BoundStatistic in_schema(BoundStatistic statistic, const Schema& schema) {
  statistic.table = in_schema(statistic.table, schema);
  if (statistic.per_unit) statistic.per_unit->table = in_schema(statistic.per_unit->table, schema);
  for (plan::BoundJoin& join : statistic.joins) join.table = in_schema(join.table, schema);
  return statistic;
}

// An engine with a session, and how tests write into it.
struct Side {
  const query::Dialect& dialect;
  Schema schema;
  std::function<void(const std::string&)> write;
  std::unique_ptr<engine::Session> session;

  void fill(const query::Table& table, const std::vector<std::vector<Cell>>& rows) const {
    for (const std::string& sql : creation(dialect, in_schema(table, schema), rows)) write(sql);
  }

  Result<engine::RawAggregates> run(const BoundStatistic& statistic, const engine::Secret& secret) const {
    const plan::Sql sql = rendered(statistic);
    expect_secret_first(sql.text);
    for (const std::string& text : sql.histogram_texts) expect_secret_first(text);
    return session->run(sql, secret, nobody_watches);
  }

  // Behind the data it would be of no use: two texts that collide do so under every ending.
  static void expect_secret_first(const std::string& text) {
    const std::string start = std::string("('") + plan::secret_place + ":' || ";
    for (std::size_t at = text.find(plan::secret_place); at != std::string::npos;
         at = text.find(plan::secret_place, at + 1)) {
      ASSERT_EQ(text.substr(at - 2, start.size()), start) << text;
    }
  }

  plan::Sql rendered(const BoundStatistic& statistic) const {
    return plan::render(in_schema(statistic, schema), BoundingForm::portable, dialect);
  }
};

// What a plan has of what engines do differently.
std::vector<std::string> shapes_of(const BoundStatistic& statistic) {
  std::vector<std::string> names;
  const auto add = [&](bool has, const char* name) {
    if (has) names.emplace_back(name);
  };
  const auto is_tallied = [&](plan::TallyKind kind) {
    return std::any_of(statistic.tallies.begin(), statistic.tallies.end(),
                       [&](const plan::Tally& one) { return one.kind == kind; });
  };
  const bool has_keys = !statistic.query.keys.empty();
  add(statistic.table.unit.has_value(), "units");
  add(!statistic.table.unit, "rows that are units");
  add(has_keys && statistic.keys.are_public, "public keys");
  add(has_keys && !statistic.keys.are_public, "private keys");
  add(statistic.query.filter.has_value(), "a filter");
  add(is_tallied(plan::TallyKind::distinct), "distinct values");
  add(is_tallied(plan::TallyKind::sum), "sums");
  add(!statistic.histograms.empty(), "quantiles");
  add(!statistic.joins.empty(), "a join");
  add(std::any_of(statistic.joins.begin(), statistic.joins.end(),
                  [](const plan::BoundJoin& one) { return !one.table.is_public; }),
      "a join of protected tables");
  add(plan::own_table(statistic).via.has_value(), "rows whose units another table names");
  add(statistic.per_unit.has_value(), "totals of units");
  add(plan::must_choose(statistic), "a choice of groups");
  add(statistic.contribution.max_rows > 1, "several rows of a unit");
  add(statistic.table.weight.has_value() && statistic.inference.of_population, "weights");
  add(std::any_of(statistic.measurements.begin(), statistic.measurements.end(),
                  [](const plan::Measurement& one) { return one.kind == plan::Pair::kind; }),
      "relations");
  return names;
}

const std::vector<std::string> usual_shapes = {
    "units", "rows that are units", "public keys",        "private keys",          "a filter", "distinct values",
    "sums",  "quantiles",           "a choice of groups", "several rows of a unit"};
const std::vector<std::string> shapes_of_several = {"a join of protected tables",
                                                    "rows whose units another table names", "totals of units"};
constexpr std::uint64_t first_several = 70'000'000;
// Numbers below the first of the special ones: whatever the front door accepts.
constexpr std::uint64_t first_usual = 9'000'000, first_heavy = 9'500'000;

class Plans : public ::testing::Test {
 protected:
  explicit Plans(std::optional<Other> other = new_postgresql(),
                 const char* how_to_install = testing::PostgresqlServer::how_to_install)
      : other_(std::move(other)), how_to_install_(how_to_install) {}

  void SetUp() override {
    if (!other_) GTEST_SKIP() << how_to_install_;
    auto reference = std::make_unique<Reference>();
    reference->run("CREATE SCHEMA s");
    Reference* const duckdb = reference.get();
    add({query::duckdb_dialect(), {"s"}, [duckdb](const std::string& sql) { duckdb->run(sql); }, nullptr},
        std::move(reference));
    Result<std::unique_ptr<engine::Connection>> connection = engine::connect(other_->engine);
    ASSERT_TRUE(connection) << connection.error().sentence();
    add({other_->dialect, other_->schema, other_->write, nullptr}, *std::move(connection));
  }

  void add(Side side, std::unique_ptr<engine::Connection> connection) {
    Result<std::unique_ptr<engine::Session>> session =
        engine::open_sql_session(side.dialect, std::move(connection), {});
    ASSERT_TRUE(session) << session.error().sentence();
    side.session = *std::move(session);
    sides_.push_back(std::move(side));
  }

  // Whether engines can be asked; their answers are the same, and neighbours no further apart than declared.
  bool expect_same(std::uint64_t number) {
    const twin::DrawnPlan drawn = twin::draw_plan(folder_.path(), number);
    const BoundStatistic &first = drawn.plan.first, &second = drawn.plan.second;
    if (!plan::check_portable(first)) return false;
    for (const std::string& name : shapes_of(first)) ++reached_[name];
    for (const Side& side : sides_) {
      side.fill(drawn.plan.table(), typed_rows(drawn.plan.table(), drawn.rows.first));
      side.fill(drawn.plan.twin(), typed_rows(drawn.plan.table(), drawn.rows.second));
      for (const plan::BoundJoin& join : first.joins) side.fill(join.table, typed_rows(join.table, drawn.public_rows));
    }
    expect_same(first, second, drawn.plan.sql, drawn.plan.secret);
    return true;
  }

  // The same of a statement over several protected tables.
  bool expect_same_of_several(std::uint64_t number) {
    const twin::SeveralPlan drawn = twin::draw_several(folder_.path(), number);
    if (!plan::check_portable(drawn.first)) return false;
    for (const std::string& name : shapes_of(drawn.first)) ++reached_[name];
    for (const Side& side : sides_) {
      for (std::size_t i = 0; i < drawn.tables.tables.size(); ++i) {
        query::Table table = drawn.tables.tables[i];
        side.fill(table, typed_rows(table, drawn.tables.rows[i].first));
        table.name += "_twin";
        side.fill(table, typed_rows(table, drawn.tables.rows[i].second));
      }
    }
    expect_same(drawn.first, drawn.second, drawn.sql, drawn.secret);
    return true;
  }

  void expect_same(const BoundStatistic& first, const BoundStatistic& second, const std::string& sql,
                   const engine::Secret& secret) {
    const auto left = expect_same(first, sql, secret), right = expect_same(second, sql, secret);
    if (!left || !right) return;
    for (std::size_t i = 0; i < first.measurements.size(); ++i) {
      const plan::Measured in = plan::measured_at(first, i);
      EXPECT_EQ(twin::passed(twin::difference(in, *left, *right), in.one.sensitivity), "") << sql;
    }
  }

  // The answer of the last engine, where all answer the same.
  std::optional<engine::RawAggregates> expect_same(const BoundStatistic& statistic, const std::string& sql,
                                                   const engine::Secret& secret) {
    std::optional<engine::RawAggregates> last;
    std::vector<engine::RawGroup> expected;
    for (const Side& side : sides_) {
      Result<engine::RawAggregates> raw = side.run(statistic, secret);
      EXPECT_TRUE(raw) << side.dialect.name() << ": " << sql << "\n" << side.rendered(statistic).text;
      if (!raw) return std::nullopt;
      const std::vector<engine::RawGroup> found = testing::Recorder::sorted(*raw);
      if (last) expect_equal(expected, found, std::string(side.dialect.name()) + ": " + sql);
      expected = found;
      last = *std::move(raw);
    }
    return last;
  }

  static void expect_equal(const std::vector<engine::RawGroup>& a, const std::vector<engine::RawGroup>& b,
                           const std::string& what) {
    ASSERT_EQ(a.size(), b.size()) << what;
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_EQ(a[i].cell, b[i].cell) << what;
      EXPECT_EQ(a[i].keys, b[i].keys) << what;
      EXPECT_EQ(a[i].tallies, b[i].tallies) << what;
      EXPECT_EQ(a[i].histograms, b[i].histograms) << what;
    }
  }

  void expect_same_from(std::uint64_t first, int plans) {
    int done = 0;
    for (std::uint64_t number = first; done < plans && !HasFailure(); ++number) done += expect_same(number) ? 1 : 0;
  }

  void expect_same_of_several_from(std::uint64_t first, int plans) {
    int done = 0;
    for (std::uint64_t number = first; done < plans && !HasFailure(); ++number) {
      done += expect_same_of_several(number) ? 1 : 0;
    }
  }

  // A run that never draws what it is for could not see that it is broken.
  void expect_reached(const std::vector<std::string>& names) {
    for (const std::string& name : names) EXPECT_GE(reached_[name], 1) << "no plan has " << name;
  }

  testing::TemporaryFolder folder_;
  std::optional<Other> other_;
  const char* how_to_install_;
  std::vector<Side> sides_;
  std::map<std::string, int> reached_;
};

using SlowPlans = Plans;
TEST_F(SlowPlans, GiveTheSameIntegersOnEveryEngine) {
  expect_same_from(first_usual, 60);
  expect_reached(usual_shapes);
}
TEST_F(SlowPlans, GiveTheSameIntegersWithAJoin) {
  expect_same_from(twin::first_join + 700'000, 15);
  expect_reached({"a join"});
}
TEST_F(SlowPlans, GiveTheSameIntegersOfQuantilesWeightsAndRelations) {
  expect_same_from(twin::first_tree + 700'000, 10);
  expect_same_from(twin::first_weighted + 700'000, 15);
  expect_same_from(twin::first_related + 700'000, 15);
  expect_reached({"quantiles", "weights", "relations"});
}

TEST_F(SlowPlans, GiveTheSameIntegersOfSeveralProtectedTables) {
  expect_same_of_several_from(first_several, 60);
  expect_reached(shapes_of_several);
}
TEST_F(SlowPlans, GiveTheSameIntegersOfTablesThatAddUp) { expect_same_from(twin::first_tables + 700'000, 20); }

using HeavyPlans = Plans;
TEST_F(HeavyPlans, GiveTheSameIntegersOnEveryEngine) {
  expect_same_from(first_heavy, 200);
  expect_same_from(twin::first_join + 800'000, 50);
  expect_same_from(twin::first_weighted + 800'000, 50);
  expect_same_from(twin::first_related + 800'000, 50);
  expect_same_of_several_from(first_several + 10'000, 100);
  expect_reached(usual_shapes);
}

// A statement takes a server in Java most of a second.
class TrinoPlans : public Plans {
 protected:
  TrinoPlans() : Plans(new_trino(), how_to_get_trino) {}
};
TEST_F(TrinoPlans, GiveTheSameIntegers) {
  expect_same_from(first_usual, 40);
  expect_reached(usual_shapes);
}
TEST_F(TrinoPlans, GiveTheSameIntegersWithAJoin) { expect_same_from(twin::first_join + 700'000, 8); }
TEST_F(TrinoPlans, GiveTheSameIntegersOfQuantilesWeightsAndRelations) {
  expect_same_from(twin::first_tree + 700'000, 6);
  expect_same_from(twin::first_weighted + 700'000, 8);
  expect_same_from(twin::first_related + 700'000, 8);
}

TEST_F(TrinoPlans, GiveTheSameIntegersOfSeveralProtectedTables) {
  expect_same_of_several_from(first_several, 24);
  expect_reached(shapes_of_several);
}
TEST_F(TrinoPlans, GiveTheSameIntegersOfTablesThatAddUp) { expect_same_from(twin::first_tables + 700'000, 4); }

class SparkPlans : public Plans {
 protected:
  SparkPlans() : Plans(new_spark(), how_to_get_spark) {}
};
TEST_F(SparkPlans, GiveTheSameIntegers) { expect_same_from(first_usual, 20); }
TEST_F(SparkPlans, GiveTheSameIntegersWithAJoin) { expect_same_from(twin::first_join + 700'000, 4); }
TEST_F(SparkPlans, GiveTheSameIntegersOfQuantilesWeightsAndRelations) {
  expect_same_from(twin::first_tree + 700'000, 3);
  expect_same_from(twin::first_weighted + 700'000, 4);
  expect_same_from(twin::first_related + 700'000, 4);
}

TEST_F(SparkPlans, GiveTheSameIntegersOfSeveralProtectedTables) {
  expect_same_of_several_from(first_several, 8);
  expect_reached({"a join of protected tables"});
}
TEST_F(SparkPlans, GiveTheSameIntegersOfTablesThatAddUp) { expect_same_from(twin::first_tables + 700'000, 3); }

using HeavySparkPlans = SparkPlans;
TEST_F(HeavySparkPlans, GiveTheSameIntegers) {
  expect_same_from(first_heavy, 200);
  expect_same_from(twin::first_join + 800'000, 50);
  expect_same_from(twin::first_weighted + 800'000, 50);
  expect_same_of_several_from(first_several + 10'000, 50);
  expect_reached(usual_shapes);
}

using HeavyTrinoPlans = TrinoPlans;
TEST_F(HeavyTrinoPlans, GiveTheSameIntegers) {
  expect_same_from(first_heavy, 200);
  expect_same_from(twin::first_join + 800'000, 50);
  expect_same_from(twin::first_weighted + 800'000, 50);
  expect_same_of_several_from(first_several + 10'000, 50);
  expect_reached(usual_shapes);
}

}  // namespace
}  // namespace vernier::engines
