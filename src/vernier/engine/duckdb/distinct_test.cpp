#include <map>
#include <set>

#include <gtest/gtest.h>

#include "support/data_folder.hpp"
#include "support/random_visits.hpp"

// The values that differ: how many there are, and how many of them one unit can bring.
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
using testing::statement;
using testing::statistic_of;
using testing::Visit;
using testing::visits_table;

using Key = std::pair<std::int64_t, std::vector<Value>>;
using Groups = std::map<Key, std::vector<std::int64_t>>;

const std::string asked =
    "COUNT(DISTINCT city) AS c, COUNT(*) AS n, COUNT(DISTINCT income) AS i, SUM(debt) AS s, COUNT(DISTINCT who) AS u, "
    "COUNT(DISTINCT debt) AS d";
const std::vector<std::string> grouped = {"region", "code", "region, member", "code, city", ""};

class Bench {
 public:
  // A session reads its file as it was when it was opened.
  void write(const std::string& csv) {
    folder_.write("visits.csv", csv);
    session_ = session_of(folder_.catalog(visits_table));
  }

  Groups run(const plan::BoundStatistic& statistic, const Secret& secret = {17, -4},
             BoundingForm form = BoundingForm::bottom_m) {
    Groups groups;
    for (const RawGroup& group : groups_of(*session_, plan::render(statistic, form), secret))
      groups[{group.cell, group.keys}] = group.tallies;
    return groups;
  }

 private:
  DataFolder folder_;
  std::unique_ptr<Session> session_;
};

// Cities and regions of the lines that have a unit and a declared region.
std::map<std::int64_t, std::set<std::string>> cities_by_region(const std::vector<Visit>& visits) {
  std::map<std::int64_t, std::set<std::string>> cities;
  for (const Visit& visit : visits) {
    const std::size_t first = visit.line.find(','), second = visit.line.find(',', first + 1);
    const std::string region = visit.line.substr(first + 1, second - first - 1);
    if (visit.who.empty() || region.empty() || region > "h") continue;
    cities[region[0] - 'a'].insert(visit.line.substr(second + 1, visit.line.find(',', second + 1) - second - 1));
  }
  return cities;
}

TEST(DuckDbDistinct, AreAllCountedWhereNothingIsCut) {
  Bench bench;
  RandomVisits random(5);
  const std::vector<Visit> visits = random.visits(30, 500);
  bench.write(csv_of(visits));
  const auto statistic = statistic_of(statement("region", asked), limits(8, 1000), visits_table);
  const auto expected = cities_by_region(visits);
  const Groups found = bench.run(statistic);
  ASSERT_EQ(found.size(), expected.size());
  for (const auto& [region, cities] : expected) {
    EXPECT_EQ(found.at({region, {}}).front(), static_cast<std::int64_t>(cities.size())) << region;
  }
}

TEST(DuckDbDistinct, OfOneUnitAreAtMostMaxRowsInAGroup) {
  Bench bench;
  std::string csv = testing::visits_header;
  for (int i = 0; i < 10; ++i) csv += "u,a,city " + std::to_string(i % 5) + ",1,true,1,\n";
  bench.write(csv);
  for (const std::size_t rows : {1, 2, 3, 5, 6}) {
    const auto statistic =
        statistic_of(statement("region", "COUNT(DISTINCT city) AS c"), limits(1, rows), visits_table);
    const std::int64_t expected = static_cast<std::int64_t>(std::min<std::size_t>(rows, 5));
    EXPECT_EQ(bench.run(statistic), (Groups{{{0, {}}, {expected}}})) << rows;
  }
}

// Units with the same two values choose one each, by themselves: about half of them, and others for another secret.
TEST(DuckDbDistinct, AreChosenByEachUnitForItselfAndAfreshForEachSecret) {
  Bench bench;
  std::string csv = testing::visits_header;
  for (int unit = 0; unit < 40; ++unit) {
    for (const int value : {2 * unit, 2 * unit + 1}) {
      csv.append("u").append(std::to_string(unit)).append(",a,x,").append(std::to_string(value)).append(",true,1,\n");
    }
  }
  bench.write(csv);
  const auto statistic =
      statistic_of("SELECT COUNT(DISTINCT CASE WHEN code % 2 = 0 THEN 1 ELSE -code END) AS c FROM visits", limits(1, 1),
                   visits_table);
  std::set<std::int64_t> seen;
  for (std::int64_t secret = 0; secret < 8; ++secret) {
    const std::int64_t found = bench.run(statistic, {secret, 3}).at({0, {}}).front();
    EXPECT_GT(found, 8);   // of 40 units, about 20 chose an odd value, and all others share one
    EXPECT_LT(found, 34);  // less or more in one of 10^5 secrets
    seen.insert(found);
  }
  EXPECT_GT(seen.size(), 2U);
}

Groups without(const Groups& groups, const std::vector<std::size_t>& places) {
  Groups left;
  for (const auto& [key, tallies] : groups) {
    for (std::size_t i = 0; i < tallies.size(); ++i) {
      if (std::find(places.begin(), places.end(), i) == places.end()) left[key].push_back(tallies[i]);
    }
  }
  return left;
}

std::vector<std::size_t> places_of(const plan::BoundStatistic& statistic, plan::TallyKind kind) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < statistic.tallies.size(); ++i) {
    if (statistic.tallies[i].kind == kind) places.push_back(i);
  }
  return places;
}

// Groups are chosen as they are without them, and the other numbers are what they were.
TEST(DuckDbDistinct, LeaveTheOtherNumbersAsTheyAre) {
  Bench bench;
  RandomVisits random(6);
  bench.write(csv_of(random.visits(20, 300)));
  for (const std::string& keys : grouped) {
    for (const std::size_t rows : {1, 3}) {
      const std::string others = "COUNT(*) AS n, SUM(debt) AS s, COUNT(DISTINCT who) AS u";
      const auto mixed = statistic_of(statement(keys, asked + ", MEDIAN(debt) AS m"), limits(2, rows), visits_table);
      const auto alone = statistic_of(statement(keys, others), limits(2, rows), visits_table);
      const Groups left = without(bench.run(mixed), places_of(mixed, plan::TallyKind::distinct));
      EXPECT_EQ(left, bench.run(alone, {17, -4}, BoundingForm::window)) << keys << " " << rows;
    }
  }
}

TEST(DuckDbDistinct, AreMovedByOneUnitByAtMostMaxRowsInAtMostMaxGroups) {
  Bench bench;
  RandomVisits random(7);
  const std::vector<Visit> visits = random.visits(8, 200);
  std::set<std::string> units;
  for (const Visit& visit : visits) units.insert(visit.who);
  std::int64_t widest = 0;
  for (std::size_t i = 0; i < 2 * grouped.size(); ++i) {
    const std::size_t groups = 1 + i % 3, rows = 1 + i / grouped.size() * 2;
    const auto statistic =
        statistic_of(statement(grouped[i % grouped.size()], asked), limits(groups, rows), visits_table);
    const auto places = places_of(statistic, plan::TallyKind::distinct);
    bench.write(csv_of(visits));
    Groups all = bench.run(statistic);
    for (const std::string& unit : units) {
      bench.write(csv_of(visits, unit));
      Groups fewer = bench.run(statistic);
      for (const auto& [key, tallies] : all) fewer.try_emplace(key, tallies.size(), 0);
      std::size_t moved = 0;
      for (const auto& [key, tallies] : fewer) {
        const auto& before = all.try_emplace(key, tallies.size(), 0).first->second;
        moved += before != tallies ? 1 : 0;
        for (const std::size_t place : places) {
          EXPECT_LE(std::abs(before[place] - tallies[place]), static_cast<std::int64_t>(rows));
          widest = std::max(widest, std::abs(before[place] - tallies[place]));
        }
      }
      EXPECT_LE(moved, groups);
    }
  }
  EXPECT_EQ(widest, 3);  // the bound is met
}

TEST(DuckDbDistinct, ReadTheTableOnce) {
  for (const char* const unit : {"row", "who"}) {
    const std::string table =
        std::string("[tables.visits]\nsource = \"visits.csv\"\nunit = \"") + unit + "\"\n" + testing::visits_columns;
    for (const std::size_t rows : {1, 3}) {
      const auto statistic = statistic_of(statement("region", "COUNT(DISTINCT city) AS a, COUNT(DISTINCT code) AS b"),
                                          limits(2, rows), table);
      for (const BoundingForm form : {BoundingForm::rows, BoundingForm::window, BoundingForm::bottom_m}) {
        const std::string text = plan::render(statistic, form).text;
        const std::string view = plan::view_name(statistic.table);
        ASSERT_NE(text.find(view), std::string::npos);
        EXPECT_EQ(text.find(view, text.find(view) + 1), std::string::npos) << text;
        const bool is_read_again = text.find("FROM c WHERE") != std::string::npos;
        EXPECT_EQ(is_read_again, text.find("c AS MATERIALIZED") != std::string::npos) << text;
      }
    }
  }
}

// What is one value, and what is none.
TEST(DuckDbDistinct, AreToldApartAsTheirTypeSays) {
  const std::string columns = R"([tables.t.columns]
u = { type = "integer" }
b = { type = "boolean" }
i = { type = "integer" }
r = { type = "real" }
rb = { type = "real", lower = -1, upper = 3, granularity = 0.25 }
s = { type = "string" }
d = { type = "date" }
)";
  const std::string csv =
      "u,b,i,r,rb,s,d\n"
      "1,true,1,0.0,7,A,2024-01-01\n"
      "2,TRUE,1,-0.0,3,a,2024-01-01\n"
      "3,false,9223372036854775807,nan,1e300,\u00e9,infinity\n"
      "4,x,9223372036854775808,inf,0.5,e\u0301,2024-02-30\n"
      "5,,,1e400,0.50001,,\n"
      "6,,1,5e-324,nan,A,9999-12-31\n";
  // 0 and -0 are one real, what is not finite is none; beyond its bounds a value is the bound; text is what its bytes
  // are.
  const std::vector<std::int64_t> expected = {2, 2, 2, 3, 4, 2};
  for (const char* const unit : {"row", "u"}) {
    const std::string table = std::string("[tables.t]\nsource = \"t.csv\"\nunit = \"") + unit + "\"\n" + columns;
    const DataFolder folder;
    folder.write("t.csv", csv);
    const auto session = session_of(folder.catalog(table));
    for (const std::size_t rows : {1, 2}) {
      const auto statistic = statistic_of(
          "SELECT COUNT(DISTINCT b) AS b, COUNT(DISTINCT i) AS i, COUNT(DISTINCT r) AS r, COUNT(DISTINCT rb) AS rb, "
          "COUNT(DISTINCT s) AS s, COUNT(DISTINCT d) AS d FROM t",
          limits(1, rows), table);
      const auto groups = groups_of(*session, plan::render(statistic, session->form(statistic)));
      ASSERT_EQ(groups.size(), 1U);
      EXPECT_EQ(groups[0].tallies, expected) << unit << " " << rows;
    }
  }
}

}  // namespace
}  // namespace vernier::engine
