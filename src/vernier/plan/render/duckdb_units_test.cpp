#include <gtest/gtest.h>

#include "support/data_folder.hpp"
#include "vernier/plan/render/sql.hpp"

namespace vernier::plan {
namespace {

using testing::DataFolder;
using testing::groups_of;
using testing::session_of;
using testing::statistic_of;

// Names that are those of our own aliases, views and words of SQL, or that try to leave their quotes.
const std::vector<std::string> hostile = {
    "u", "k0", "a0", "cell", "c",      "n0",     "s0",         "t0",  "place", "r",  "d", "g", "hash",   "sum",
    "z", "e",  "b",  "one",  "select", "a\\\"b", "a\\\" -- x", "x;y", "x')--", "$1", "w", "f", "table x"};

std::string table_of(const std::string& name) {
  return "[tables.\"" + name + "\"]\nsource = \"t.csv\"\nunit = \"" + name + "\"\nrow_limit = 1000\n[tables.\"" + name +
         "\".columns]\n\"" + name + "\" = { type = \"string\" }\nkey = { type = \"string\", keys = [\"" + name +
         "\", \"y\"] }\n";
}

std::string unescaped(std::string name) {
  const std::size_t place = name.find("\\\"");
  return place == std::string::npos ? name : name.erase(place, 1);
}

std::string in_csv(const std::string& name) {
  std::string cell = unescaped(name);
  for (std::size_t i = cell.find('"'); i != std::string::npos; i = cell.find('"', i + 2)) cell.insert(i, 1, '"');
  return std::string(1, '"').append(cell).append(1, '"');
}

// As a name in SQL within a TOML text.
std::string in_sql(const std::string& name) {
  std::string text = "\\\"";
  for (const char c : unescaped(name)) text += c == '"' ? "\\\"\\\"" : std::string(1, c);
  return text + "\\\"";
}

TEST(RenderUnits, KeepsHostileNamesInTheirQuotes) {
  for (const std::string& name : hostile) {
    const DataFolder folder;
    folder.write("t.csv", in_csv(name) + ",key\nann," + in_csv(name) + "\nann,y\nbob," + in_csv(name) + "\nbob,zzz\n");
    const auto session = session_of(folder.catalog(table_of(name)));
    ASSERT_TRUE(session) << name;
    const std::string count = "COUNT(" + in_sql(name) + ") AS n";
    const auto statistic = statistic_of("SELECT key, " + count + " FROM " + in_sql(name) + " GROUP BY key",
                                        "max_groups = 2", table_of(name));
    const auto groups = groups_of(*session, render(statistic, BoundingForm::window));
    ASSERT_EQ(groups.size(), 2U) << name;
    EXPECT_EQ(groups[0].tallies.front(), 2) << name;
    const auto keys =
        statistic_of("SELECT " + in_sql(name) + ", COUNT(*) AS n FROM " + in_sql(name) + " GROUP BY " + in_sql(name),
                     "", table_of(name));
    EXPECT_EQ(groups_of(*session, render(keys, BoundingForm::bottom_m)).size(), 2U) << name;
  }
}

const std::string people = R"([tables.people]
source = "people.csv"
unit = "id"
row_limit = 1000000
[tables.people.columns]
id = { type = "integer" }
region = { type = "string", keys = ["north", "south"] }
city = { type = "string" }
age = { type = "integer" }
)";

BoundStatistic grouped_by(const std::string& key, int groups) {
  return statistic_of("SELECT " + key + ", COUNT(*) AS n FROM people GROUP BY " + key,
                      "max_groups = " + std::to_string(groups), people);
}

TEST(RenderUnits, ChoosesAmongGroupsOnlyWhereItMust) {
  EXPECT_TRUE(must_choose(grouped_by("region", 1)));
  EXPECT_FALSE(must_choose(grouped_by("region", 2)));
  EXPECT_TRUE(must_choose(grouped_by("city", 100000)));
  EXPECT_TRUE(render(grouped_by("region", 1), BoundingForm::window).has_secret);
  EXPECT_FALSE(render(grouped_by("region", 2), BoundingForm::window).has_secret);
}

TEST(RenderUnits, TakesTheFastestForm) {
  const auto uses_aggregate = [](const BoundStatistic& x) { return render(x, fastest_form(x)).aggregate.has_value(); };
  EXPECT_TRUE(uses_aggregate(grouped_by("region", 1)));
  EXPECT_TRUE(uses_aggregate(grouped_by("region", 2)));
  EXPECT_TRUE(uses_aggregate(grouped_by("age", 64)));
  EXPECT_FALSE(uses_aggregate(grouped_by("age", 65)));
  EXPECT_FALSE(uses_aggregate(grouped_by("city", 1)));
  EXPECT_EQ(render(grouped_by("region", 1), BoundingForm::bottom_m).aggregate->name(),
            "bottom_m_1_0_4611686018427387904");
  EXPECT_FALSE(render(grouped_by("city", 1), BoundingForm::bottom_m).aggregate);
}

// A tally that leaves ±2^62 is moved to the nearer end; no table has so many rows, so the statement is bent.
TEST(RenderUnits, HoldsTalliesWithin62Bits) {
  const DataFolder folder;
  folder.write("people.csv", "id,region,city,age\n1,north,x,5\n2,north,x,5\n");
  const auto session = session_of(folder.catalog(people));
  for (const auto& [factor, expected] :
       std::vector<std::pair<std::string, std::int64_t>>{{"2e18", INT64_C(4000000000000000000)},
                                                         {"3e18", INT64_C(1) << 62},
                                                         {"-3e18", -(INT64_C(1) << 62)},
                                                         {"-9e36", -(INT64_C(1) << 62)}}) {
    Sql sql = render(grouped_by("region", 2), BoundingForm::window);
    const std::string tally = "COALESCE(sum(least(c, CAST('1' AS BIGINT))), 0) AS t0";
    const std::size_t place = sql.text.find(tally);
    ASSERT_NE(place, std::string::npos) << sql.text;
    sql.text.replace(place, tally.size(), "sum(CAST(" + factor + " AS HUGEINT)) AS t0");
    EXPECT_EQ(groups_of(*session, sql).front().tallies.front(), expected);
  }
}

}  // namespace
}  // namespace vernier::plan
