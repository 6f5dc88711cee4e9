#include <fstream>

#include <gtest/gtest.h>

#include "support/bound_studies.hpp"
#include "support/temporary_folder.hpp"
#include "vernier/engine/duckdb/session.hpp"
#include "vernier/release/ledger/catalog_ledger.hpp"
#include "vernier/release/release.hpp"

// From the text of a study and a CSV file to published numbers, with the engine that ships.
namespace vernier::release {
namespace {

constexpr int persons = 4000;

// A quarter is in each of three declared regions and in one that is not; all but one are in two cities; 10 years of
// education, a debt of 3.
void write_people(const std::filesystem::path& path) {
  std::ofstream file(path);
  file << "id,region,city,educ,debt,income,share,born,seen,member\n";
  for (int i = 0; i < persons; ++i) {
    const char* const region = std::array{"east", "north", "south", "elsewhere"}[static_cast<std::size_t>(i % 4)];
    const char* const city = i == 0 ? "Lonely" : i % 2 == 0 ? "Arnhem" : "Zwolle";
    file << i << "," << region << "," << city << ",10,3,1000,0.5,1951-01-01,2020-01-01,true\n";
  }
}

class DuckDbRelease : public ::testing::Test {
 protected:
  DuckDbRelease() { write_people(folder_.path() / "people.csv"); }

  // So sure of its intervals that no run of these tests will ever see one fail.
  Result<Release> release(const std::vector<testing::Ask>& asks) {
    plan::BoundStudy study = testing::bound(asks).value();
    study.alpha = *Alpha::of(1e-12);
    study.catalog.path = folder_.path() / "catalog.toml";
    const Result<plan::Plan> plan = plan::allocate(study);
    auto ledger = open_ledger(study.catalog);
    auto session = engine::open_duckdb(study.catalog, study.catalog.tables, {1, 0});
    auto source = random::Source::open();
    if (!plan) return Failure(plan.error());
    if (!ledger) return Failure(ledger.error());
    if (!session) return Failure(session.error());
    return run(*plan, **session, **ledger, *source, {"a study", "catalog hash"});
  }

 private:
  testing::TemporaryFolder folder_;
};

TEST_F(DuckDbRelease, PublishesDeclaredGroupsInTheirOrderWithIntervalsThatHold) {
  const auto released =
      release({{"SELECT region, COUNT(*) AS n, SUM(debt) AS debt, AVG(educ) AS educ FROM people GROUP BY region", ""}});
  ASSERT_TRUE(released) << released.error().sentence();
  const std::vector<Row>& rows = released->tables.front().rows;
  ASSERT_EQ(rows.size(), 3U);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(text_of(rows[i].keys.front()), (std::array{"north", "south", "east"}[i]));
    EXPECT_TRUE(rows[i].numbers[0].interval.contains(persons / 4));
    EXPECT_TRUE(rows[i].numbers[1].interval.contains(3 * persons / 4));
    EXPECT_TRUE(rows[i].numbers[2].interval.contains(10));
    EXPECT_LT(rows[i].numbers[0].accuracy, 300);
    EXPECT_LT(rows[i].numbers[2].accuracy, 5);
  }
  EXPECT_EQ(released->receipt.index, 2);  // behind the terms
}

TEST_F(DuckDbRelease, PublishesCitiesOfManyAndNeverThatOfOne) {
  const auto released = release({{"SELECT city, COUNT(*) AS n FROM people GROUP BY city ORDER BY city DESC", ""}});
  ASSERT_TRUE(released) << released.error().sentence();
  const std::vector<Row>& rows = released->tables.front().rows;
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(text_of(rows[0].keys.front()), "Zwolle");
  EXPECT_EQ(text_of(rows[1].keys.front()), "Arnhem");
  EXPECT_TRUE(rows[0].numbers[0].interval.contains(persons / 2));
  EXPECT_TRUE(rows[1].numbers[0].interval.contains(persons / 2 - 1));
}

// The catalog allows epsilon 3 in all, and each study asks for 1.
TEST_F(DuckDbRelease, EndsWhereTheCatalogsBudgetEnds) {
  const std::vector<testing::Ask> one{{"SELECT COUNT(*) AS n FROM people", ""}};
  int granted = 0;
  Result<Release> last = release(one);
  for (; last && granted < 100; ++granted) last = release(one);
  EXPECT_EQ(granted, 3);
  ASSERT_FALSE(last);
  EXPECT_EQ(last.error().kind, ErrorKind::exhausted);
  EXPECT_EQ(last.error().sentence().find("the study asks for more than is left: it costs "), 0U);
}

TEST(Terms, OfAPureBudgetWithADeltaAddBothUp) {
  const query::Budget budget{numeric::Rational::of(1), *numeric::Rational::of_decimal("1e-6"), "a.ledger",
                             query::Filter::pure};
  query::Catalog catalog{"catalog.toml", budget, {query::Table{}}};
  EXPECT_EQ(terms_of(catalog).accountant, ledger::Accountant::approximate);
  catalog.budget.delta = numeric::Rational::of(0);
  EXPECT_EQ(terms_of(catalog).accountant, ledger::Accountant::pure);
  catalog.tables.front().neighbours = privacy::Neighbours::replace;
  EXPECT_EQ(terms_of(catalog).neighbours, privacy::Neighbours::replace);
}

}  // namespace
}  // namespace vernier::release
