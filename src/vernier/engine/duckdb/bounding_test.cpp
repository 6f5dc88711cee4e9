#include <map>
#include <set>

#include <gtest/gtest.h>

#include "support/data_folder.hpp"
#include "support/random_visits.hpp"

// What a unit can do to the integers, whichever way they are computed.
namespace vernier::engine {
namespace {

using plan::BoundingForm;
using query::Value;
using testing::csv_of;
using testing::DataFolder;
using testing::groups_of;
using testing::limits;
using testing::RandomVisits;
using testing::session_of;
using testing::statistic_of;
using testing::Visit;
using testing::visits_table;

using Key = std::pair<std::int64_t, std::vector<Value>>;
using Groups = std::map<Key, std::vector<std::int64_t>>;

const std::string asked = "COUNT(*) AS n, SUM(debt) AS s, AVG(income) AS a, COUNT(member) AS c";
const std::vector<std::string> grouped = {"region", "city", "code", "region, member", "code, city", "region, code", ""};

std::string statement(const std::string& keys) {
  return testing::statement(keys, asked, " WHERE debt IS NULL OR debt <> 7");
}

class Bench {
 public:
  Groups run(const plan::BoundStatistic& statistic, BoundingForm form, const std::string& csv) {
    write(csv);
    return run(plan::render(statistic, form), {17, -4});
  }

  Groups run(const plan::Sql& sql, const Secret& secret) {
    Groups groups;
    for (const RawGroup& group : groups_of(*session_, sql, secret)) groups[{group.cell, group.keys}] = group.tallies;
    return groups;
  }

  // A session reads its file as it was when it was opened.
  void write(const std::string& csv) {
    folder_.write("visits.csv", csv);
    session_ = session_of(folder_.catalog(visits_table));
  }

 private:
  DataFolder folder_;
  std::unique_ptr<Session> session_;
};

TEST(DuckDbBounding, GivesTheSameIntegersInBothForms) {
  Bench bench;
  RandomVisits random(1);
  for (int i = 0; i < 60; ++i) {
    const std::string more = limits(1 + random.below(20), 1 + random.below(10));
    const auto statistic =
        statistic_of(statement(grouped[static_cast<std::size_t>(i) % grouped.size()]), more, visits_table);
    const std::string csv = csv_of(random.visits(1 + random.below(40), 300));
    const Groups window = bench.run(statistic, BoundingForm::window, csv);
    EXPECT_EQ(bench.run(statistic, BoundingForm::bottom_m, csv), window) << more;
    EXPECT_FALSE(window.empty());
  }
}

// Where rows are units, one form calls our function for bounded reals, the other writes it as SQL.
TEST(DuckDbBounding, GivesTheSameIntegersOfRowsWithAndWithoutFunctions) {
  const std::string table = "[tables.visits]\nsource = \"visits.csv\"\nunit = \"row\"\n" + testing::visits_columns;
  const DataFolder folder;
  RandomVisits random(9);
  folder.write("visits.csv", csv_of(random.visits(40, 3000)));
  const auto session = session_of(folder.catalog(table));
  for (const std::string& keys : grouped) {
    const auto statistic = statistic_of(statement(keys), "", table);
    const plan::Sql fast = plan::render(statistic, BoundingForm::rows);
    EXPECT_EQ(fast.functions.size(), 1U);
    const auto sums = groups_of(*session, fast);
    const auto reference = groups_of(*session, plan::render(statistic, BoundingForm::window));
    ASSERT_EQ(sums.size(), reference.size());
    for (std::size_t i = 0; i < sums.size(); ++i) {
      EXPECT_EQ(sums[i].keys, reference[i].keys);
      EXPECT_EQ(sums[i].tallies, reference[i].tallies);
    }
  }
}

// With three rows of each value that counts, each unit in one group: what is expected can be said by hand.
TEST(DuckDbBounding, CutsTheRowsOfAUnit) {
  Bench bench;
  const std::string row = "u,a,x,1,true,";
  const std::string csv = testing::visits_header + row + "-20,\n" + row + "30,\n" + row + "-19,1\n" + row + ",10\n";
  for (const auto& [rows, counts] : std::map<std::size_t, std::vector<std::int64_t>>{
           {1, {1, -3, 1, 22, 1}}, {2, {2, -6, 2, 44, 2}}, {3, {3, -9, 2, 44, 3}}, {4, {4, -9, 2, 44, 4}}}) {
    const auto statistic = statistic_of(statement("region"), limits(1, rows), visits_table);
    std::vector<std::int64_t> finer = counts;  // sums in steps that are finer than 1, and than 0.25
    finer[1] *= static_cast<std::int64_t>(1 / statistic.measurements[1].granularity);
    finer[3] *= static_cast<std::int64_t>(0.25 / statistic.measurements[2].granularity);
    for (const BoundingForm form : {BoundingForm::window, BoundingForm::bottom_m}) {
      EXPECT_EQ(bench.run(statistic, form, csv), (Groups{{{0, {}}, finer}})) << rows;
    }
  }
}

// The mean of a unit's values stays what it was: two thirds of the upper bound, less than one of 2^26 steps below.
TEST(DuckDbBounding, LosesNothingOfAUnitThatIsScaledDown) {
  const std::string table =
      "[tables.t]\nsource = \"visits.csv\"\nunit = \"id\"\n[tables.t.columns]\n"
      "id = { type = \"integer\" }\nx = { type = \"integer\", lower = 0, upper = 1 }\n";
  const DataFolder folder;
  std::string csv = "id,x\n";
  for (int id = 0; id < 300; ++id) {
    for (const int x : {1, 1, 0}) csv += std::to_string(id) + "," + std::to_string(x) + "\n";
  }
  folder.write("visits.csv", csv);
  const auto session = session_of(folder.catalog(table));
  for (const int rows : {1, 2}) {
    const std::string more = "max_rows = " + std::to_string(rows);
    for (const char* const sql : {"SELECT SUM(x) AS s FROM t", "SELECT AVG(x) AS s FROM t"}) {
      const auto statistic = statistic_of(sql, more, table);
      for (const BoundingForm form : {BoundingForm::window, BoundingForm::bottom_m}) {
        const auto sum = static_cast<double>(groups_of(*session, plan::render(statistic, form)).front().tallies.back());
        const double exact = 300 * rows * 2 / 3.0, step = statistic.measurements[0].granularity;
        EXPECT_LE(sum * step, exact) << sql;
        EXPECT_GT(sum * step, exact - 300 * step) << sql;
        EXPECT_LE(300 * step, 1e-5) << sql;
      }
    }
  }
}

struct Change {
  std::size_t groups = 0;
  std::vector<std::int64_t> greatest;  // of each tally
};

Change change(const Groups& a, const Groups& b, std::size_t tallies) {
  const std::vector<std::int64_t> nothing(tallies);
  const auto of = [&](const Groups& groups, const Key& key) {
    const auto found = groups.find(key);
    return found == groups.end() ? nothing : found->second;
  };
  Change change{0, nothing};
  std::set<Key> keys;
  for (const auto& [key, _] : a) keys.insert(key);
  for (const auto& [key, _] : b) keys.insert(key);
  for (const Key& key : keys) {
    const std::vector<std::int64_t> before = of(a, key), after = of(b, key);
    if (before != after) ++change.groups;
    for (std::size_t i = 0; i < tallies; ++i) {
      change.greatest[i] = std::max(change.greatest[i], std::abs(before[i] - after[i]));
    }
  }
  return change;
}

// What one unit may move of each tally in a group.
std::vector<std::int64_t> allowed(const plan::BoundStatistic& statistic) {
  std::vector<std::int64_t> most;
  for (const plan::Tally& tally : statistic.tallies) {
    const plan::Steps steps =
        tally.kind == plan::TallyKind::sum ? statistic.arguments[tally.argument].steps : plan::Steps{0, 1};
    const std::int64_t size = std::max(std::abs(steps.lower), std::abs(steps.upper));
    most.push_back(tally.kind == plan::TallyKind::units ? 1 : size * statistic.contribution.max_rows);
  }
  return most;
}

void expect_within(const Change& change, const plan::BoundStatistic& statistic) {
  EXPECT_LE(change.groups, static_cast<std::size_t>(statistic.contribution.max_groups));
  const std::vector<std::int64_t> most = allowed(statistic);
  for (std::size_t i = 0; i < most.size(); ++i) EXPECT_LE(change.greatest[i], most[i]) << i;
}

TEST(DuckDbBounding, HoldsWhicheverUnitIsRemoved) {
  Bench bench;
  RandomVisits random(2);
  const std::vector<Visit> visits = random.visits(12, 400);
  std::set<std::string> units;
  for (const Visit& visit : visits) units.insert(visit.who);
  std::size_t widest = 0;
  for (std::size_t i = 0; i < grouped.size(); ++i) {
    const auto statistic = statistic_of(statement(grouped[i]), limits(1 + i % 3, 1 + i), visits_table);
    const Groups all = bench.run(statistic, BoundingForm::bottom_m, csv_of(visits));
    for (const std::string& unit : units) {
      const Groups without = bench.run(statistic, BoundingForm::bottom_m, csv_of(visits, unit));
      const Change moved = change(all, without, statistic.tallies.size());
      expect_within(moved, statistic);
      widest = std::max(widest, moved.groups);
      if (unit.empty()) {
        EXPECT_EQ(moved.groups, 0U) << "rows without a unit count nowhere";
      }
    }
  }
  EXPECT_EQ(widest, 3U);  // the bound is met
}

}  // namespace
}  // namespace vernier::engine
