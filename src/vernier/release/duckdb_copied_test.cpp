#include <algorithm>
#include <fstream>
#include <map>

#include <gtest/gtest.h>

#include "statistics.hpp"
#include "support/bound_studies.hpp"
#include "support/seeded_release.hpp"
#include "support/signed_releases.hpp"
#include "support/temporary_folder.hpp"
#include "vernier/engine/duckdb/session.hpp"
#include "vernier/release/ledger/catalog_ledger.hpp"
#include "vernier/release/release.hpp"
#include "vernier/release/verify/verify.hpp"

// How often intervals hold where statistics share what is drawn: copies, other ways of measuring, rows that exclude
// each other. With the engine that ships, over groups whose numbers are known.
namespace vernier::release {
namespace {

using testing::Ask;

constexpr int towns = 400, small_towns = 3000;
constexpr std::size_t few = 12;  // people in a small one: about one in 200 is published, far from what it has

// One row of each person. Towns are of 8 to 47 people, and many of few.
struct Person {
  std::string region, city;
  int educ;
};

std::vector<Person> everybody() {
  std::vector<Person> all;
  for (int town = 0; town < towns + small_towns; ++town) {
    for (int i = 0; i < (town < towns ? 8 + town % 40 : static_cast<int>(few)); ++i) {
      const int educ = 1 + static_cast<int>((all.size() * 7919U) % 16U);
      all.push_back({std::array{"north", "south", "east"}[all.size() % 3], "t" + std::to_string(town), educ});
    }
  }
  return all;
}

using Group = std::vector<int>;  // the values of its rows
using Truth = std::function<double(const Group&)>;

double count_of(const Group& group) { return static_cast<double>(group.size()); }
double sum_of(const Group& group) {
  double sum = 0;
  for (const int one : group) sum += one;
  return sum;
}
double mean_of(const Group& group) { return sum_of(group) / count_of(group); }
double variance_of(const Group& group) {
  double squares = 0;
  for (const int one : group) squares += (one - mean_of(group)) * (one - mean_of(group));
  return squares / (count_of(group) - 1);
}

// What a column is of its rows, by its name.
double truth_of(const std::string& column, const Group& group) {
  static const std::map<char, Truth> known = {
      {'n', count_of}, {'u', count_of}, {'s', sum_of}, {'a', mean_of}, {'v', variance_of}};
  if (column == "both") return 2 * count_of(group);
  return known.at(column.front())(group);
}

// A statement whose rows are those of which `counts` holds.
struct Statement {
  Ask ask;
  std::function<bool(const Person&)> counts = [](const Person&) { return true; };
};
using Study = std::vector<Statement>;

struct Tried {
  std::uint64_t trials = 0, missed = 0;
};

class SlowCopiedStudies : public ::testing::Test {
 protected:
  void write_people(const std::filesystem::path& folder) const {
    std::ofstream file(folder / "people.csv");
    file << "id,region,city,educ,debt,income,share,born,seen,member\n";
    for (std::size_t i = 0; i < people_.size(); ++i) {
      const Person& one = people_[i];
      file << i << ',' << one.region << ',' << one.city << ',' << one.educ
           << ",3,1000,0.5,1951-01-01,2020-01-01,true\n";
    }
  }

  plan::Plan plan_of(const Study& study, const std::string& tables, const std::filesystem::path& folder) const {
    std::vector<Ask> asks;
    for (const Statement& one : study) asks.push_back(one.ask);
    plan::BoundStudy bound = testing::bound(asks, tables).value();
    bound.catalog.path = folder / "catalog.toml";
    bound.budget->delta = delta_;
    return plan::allocate(bound).value();
  }

  // Every published number of so many releases, by its column.
  std::map<std::string, Tried> tried(const Study& study, const plan::Plan& plan, int releases) {
    auto session = engine::open_duckdb(plan.study.catalog, plan.study.catalog.tables, {1, 0}).value();
    const std::vector<Prepared> prepared = prepare(plan, *session).value();
    const Derivation derivation = Derivation::of(plan).value();
    testing::SeededSource source = testing::seeded_source(7);
    std::map<std::string, Tried> all;
    for (int i = 0; i < releases; ++i) {
      auto released = detail::released_of(prepared, {}, *session, source, nobody_watches).value();
      EXPECT_TRUE(derivation.add_to(released.tables));
      for (std::size_t j = 0; j < study.size(); ++j) add(study[j], plan, j, released.tables[j], all);
    }
    return all;
  }

  // How many numbers of small towns were looked at.
  std::uint64_t expect_they_hold(const Study& study, const std::string& tables = testing::people_table,
                                 int releases = 4) {
    const testing::TemporaryFolder folder;
    write_people(folder.path());
    const plan::Plan plan = plan_of(study, tables, folder.path());
    std::uint64_t of_few = 0;
    for (const auto& [column, found] : tried(study, plan, releases)) {
      if (column.ends_with("few")) of_few += found.trials;
      if (!column.ends_with("few")) EXPECT_GT(found.trials, 20U) << column;
      EXPECT_LE(found.missed, testing::unsurprising_counts(found.trials, 0.05, testing::false_alarm).greatest)
          << column << " of " << found.trials;
    }
    expect_verified(plan);
    return of_few;
  }

  numeric::Rational delta_ = *numeric::Rational::of_decimal("0.0000001");

 private:
  void add(const Statement& statement, const plan::Plan& plan, std::size_t place, const Table& table,
           std::map<std::string, Tried>& all) const {
    const query::Query& query = plan.study.statistics[place].query;
    const std::map<std::string, Group> groups = groups_of(statement, query);
    for (const Row& row : table.rows) {
      const Group& group = groups.at(row.keys.empty() ? "" : query::text_of(row.keys[0]));
      for (const query::Output& output : query.outputs) {
        if (output.is_key) continue;
        const bool is_formula = output.is_formula;
        const std::string& name =
            is_formula ? query.formulas[output.place].name : query.aggregations[output.place].name;
        const Number& number = is_formula ? row.derived[output.place] : row.numbers[output.place];
        const double truth = truth_of(name, group);
        const bool is_missed = truth < number.interval.low || truth > number.interval.high;
        for (const char* const of : {"", " of few"}) {
          if (*of != '\0' && group.size() != few) continue;
          Tried& tried = all[name + std::to_string(place) + of];
          ++tried.trials;
          tried.missed += is_missed ? 1 : 0;
        }
      }
    }
  }

  // The rows of every group of a statement, by its key.
  std::map<std::string, Group> groups_of(const Statement& statement, const query::Query& query) const {
    std::map<std::string, Group> groups;
    const bool is_by_city = !query.keys.empty() && query.keys[0].name == "city";
    for (const Person& one : people_) {
      if (statement.counts(one))
        groups[query.keys.empty() ? "" : is_by_city ? one.city : one.region].push_back(one.educ);
    }
    return groups;
  }

  void expect_verified(const plan::Plan& plan) {
    auto ledger = open_ledger(plan.study.catalog).value();
    auto session = engine::open_duckdb(plan.study.catalog, plan.study.catalog.tables, {1, 0}).value();
    auto source = random::Source::open();
    const Release made = run(plan, *session, *ledger, *source, {"a study", std::string(64, 'c')}).value();
    const Verdict verdict = verify(testing::record_of(made), {});
    EXPECT_TRUE(verdict.holds()) << *verdict.first_problem;
  }

  std::vector<Person> people_ = everybody();
};

std::string of_rows(const std::string& more = "") {
  std::string table = testing::people_table;
  return table.replace(table.find("unit = \"id\""), 11, "unit = \"row\"\n" + more);
}

const std::string by_city = " FROM people GROUP BY city";

// The number of rows is that of units, by which its group was chosen.
TEST_F(SlowCopiedStudies, HoldForTheNumberThatChoseTheKeysUnderAnotherName) {
  const std::string sql = "SELECT city, COUNT(DISTINCT id) AS u, COUNT(*) AS n" + by_city;
  EXPECT_GT(expect_they_hold({{{sql, ""}}}), 60U);
}

TEST_F(SlowCopiedStudies, HoldWhereNoColumnShowsTheUnits) {
  expect_they_hold({{{"SELECT city, COUNT(*) AS n" + by_city, ""}}});
  expect_they_hold({{{"SELECT city, COUNT(*) AS n, SUM(educ) AS s" + by_city, ""}}}, of_rows());
}

TEST_F(SlowCopiedStudies, HoldInASecondStatementOfTheSameGroups) {
  expect_they_hold(
      {{{"SELECT city, COUNT(*) AS n" + by_city, ""}}, {{"SELECT city, SUM(educ) AS s, COUNT(*) AS n" + by_city, ""}}});
}

TEST_F(SlowCopiedStudies, HoldForFormulasAndForRowsThatAreChosen) {
  expect_they_hold({{{"SELECT city, COUNT(*) AS n, COUNT(*) + COUNT(DISTINCT id) AS both" + by_city, ""}}});
  expect_they_hold({{{"SELECT city, COUNT(*) AS n, SUM(educ) AS s" + by_city + " ORDER BY n DESC LIMIT 20", ""}}});
}

const std::string by_region = " FROM people GROUP BY region";

TEST_F(SlowCopiedStudies, HoldForCopiesOfOpenGroups) {
  expect_they_hold({{{"SELECT region, COUNT(*) AS n, SUM(educ) AS s" + by_region, ""}},
                    {{"SELECT region, COUNT(DISTINCT id) AS u, AVG(educ) AS a" + by_region, ""}}},
                   testing::people_table, 20);
}

TEST_F(SlowCopiedStudies, HoldInOtherWaysOfMeasuring) {
  std::string never_null = testing::people_table;
  never_null.replace(never_null.find("upper = 16 }"), 12, "upper = 16, never_null = true }");
  expect_they_hold({{{"SELECT region, COUNT(*) AS n, AVG(educ) AS a" + by_region, ""}}}, never_null, 20);
  expect_they_hold({{{"SELECT region, COUNT(educ) AS n, VARIANCE(educ) AS v" + by_region,
                      "accuracy = { n = 60, v = 2 }\ntypical_rows = 6000"}}},
                   testing::people_table, 20);
}

// Which is drawn where no delta may be spent.
TEST_F(SlowCopiedStudies, HoldWithTheNoiseOfABox) {
  delta_ = numeric::Rational::of(0);
  std::string never_null = testing::people_table;
  never_null.replace(never_null.find("upper = 16 }"), 12, "upper = 16, never_null = true }");
  const std::string sql = "SELECT region, COUNT(*) AS n, AVG(educ) AS a, SUM(educ) AS s, COUNT(debt) AS n2" + by_region;
  for (const std::string& tables : {never_null, testing::people_table}) {
    const testing::TemporaryFolder folder;
    write_people(folder.path());
    EXPECT_EQ(plan::name_of(plan_of({{{sql, ""}}}, tables, folder.path()).statistics[0].noise[0].law), "box");
    expect_they_hold({{{sql, ""}}}, tables, 100);
  }
}

// Beside the number of units that chooses them, which is in no box.
TEST_F(SlowCopiedStudies, HoldWithABoxUnderPrivateKeys) {
  const std::string sql =
      "SELECT city, COUNT(*) AS n, COUNT(debt) AS n2, COUNT(income) AS n3, AVG(educ) AS a" + by_city;
  const testing::TemporaryFolder folder;
  write_people(folder.path());
  const plan::Plan plan = plan_of({{{sql, ""}}}, testing::people_table, folder.path());
  EXPECT_NE(plan::name_of(plan.statistics[0].noise[0].law), "box");
  EXPECT_EQ(plan::name_of(plan.statistics[0].noise[1].law), "box");
  expect_they_hold({{{sql, ""}}});
}

TEST_F(SlowCopiedStudies, HoldForRowsThatExcludeEachOther) {
  const auto where = [](const std::string& condition, const std::function<bool(int)>& holds) {
    return Statement{
        {"SELECT region, COUNT(*) AS n, AVG(educ) AS a FROM people WHERE " + condition + " GROUP BY region", ""},
        [holds](const Person& one) { return holds(one.educ); }};
  };
  expect_they_hold(
      {where("educ = 1", [](int x) { return x == 1; }), where("educ IN (2, 3)", [](int x) { return x == 2 || x == 3; }),
       where("educ > 3", [](int x) { return x > 3; })},
      of_rows(), 20);
}

}  // namespace
}  // namespace vernier::release
