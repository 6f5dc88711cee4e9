#include <fstream>

#include <gtest/gtest.h>

#include "support/bound_studies.hpp"

// FROM with several protected tables, as an analyst writes it, and units by way of another table.
namespace vernier::query {
namespace {

std::string page() {
  std::ifstream file(std::string(VERNIER_GUIDE_DIR) + "/joins.md");
  return {(std::istreambuf_iterator<char>(file)), {}};
}

// The fenced blocks of the page in this language.
std::vector<std::string> blocks(const std::string& language) {
  const std::string text = page(), fence = "```" + language + "\n";
  std::vector<std::string> found;
  for (std::size_t at = text.find(fence); at != std::string::npos; at = text.find(fence, at + 1)) {
    const std::size_t begin = at + fence.size();
    found.push_back(text.substr(begin, text.find("\n```", begin) - begin));
  }
  return found;
}

const std::string more = R"(
[tables.persons]
source = "persons.csv"
unit = "row"
[tables.persons.columns]
custkey = { type = "integer" }
[tables.letters]
source = "letters.csv"
unit = "custkey"
[tables.letters.columns]
custkey = { type = "string" }
[tables.regions]
source = "regions.csv"
public = true
[tables.regions.columns]
name = { type = "string" }
wealth = { type = "string", keys = ["rich", "poor"] }
[views.dear]
table = "orders"
where = "price > 100"
)";

const Catalog& catalog() {
  static const Catalog made =
      vernier::testing::catalog_of(vernier::testing::catalog_head + blocks("toml").front() + more);
  return made;
}

// The canonical text, which must mean itself, or the sentence.
std::string text_of(const std::string& sql) {
  const Result<Query> query = read_query(sql, catalog());
  if (!query) return query.error().sentence();
  const std::string text = canonical(*query);
  const Result<Query> again = read_query(text, catalog());
  EXPECT_TRUE(again && *again == *query) << text << "\n" << (again ? canonical(*again) : again.error().sentence());
  return text;
}

std::string rows_of(const std::string& rest) {
  const std::string text = text_of("SELECT COUNT(*) AS n FROM " + rest), head = "SELECT COUNT(*) AS \"n\" FROM ";
  return text.starts_with(head) ? text.substr(head.size()) : text;
}

TEST(UnitJoin, IsSpelledInSeveralWays) {
  const std::string same = "\"customer\" JOIN \"orders\" USING (\"custkey\")";
  EXPECT_EQ(rows_of("customer JOIN orders USING (custkey)"), same);
  EXPECT_EQ(rows_of("customer JOIN orders ON customer.custkey = orders.custkey"), same);
  EXPECT_EQ(rows_of("customer JOIN orders ON orders.custkey = customer.custkey"), same);
  EXPECT_EQ(rows_of("customer, orders WHERE customer.custkey = orders.custkey"), same);
  EXPECT_EQ(rows_of("customer CROSS JOIN orders WHERE customer.custkey = orders.custkey"), same);
  EXPECT_EQ(rows_of("Customer AS c LEFT JOIN ORDERS AS o ON c.custkey = o.CUSTKEY WHERE o.price > 3"),
            "\"customer\" LEFT JOIN \"orders\" AS \"o\" USING (\"custkey\") WHERE (\"price\" > 3)");
}

TEST(UnitJoin, TakesOtherConditionsBesideTheUnit) {
  EXPECT_EQ(
      rows_of("orders a JOIN orders b ON a.custkey = b.custkey AND a.price < b.price AND a.orderkey = b.orderkey"),
      "\"orders\" JOIN \"orders\" AS \"b\" USING (\"custkey\", \"orderkey\") WHERE (\"price\" < \"b.price\")");
  EXPECT_EQ(
      rows_of("orders a, orders b WHERE a.price > 3 AND b.custkey = a.custkey AND (a.price < b.price OR b.price = 1)"),
      "\"orders\" JOIN \"orders\" AS \"b\" USING (\"custkey\") WHERE ((\"price\" > 3) AND ((\"price\" < \"b.price\") "
      "OR (\"b.price\" = 1)))");
}

TEST(UnitJoin, FollowsAKeyToItsOwner) {
  EXPECT_EQ(rows_of("lineitem WHERE quantity > 1"), "\"lineitem\" WHERE (\"quantity\" > 1)");
  EXPECT_EQ(text_of("SELECT COUNT(DISTINCT custkey) AS n FROM lineitem"),
            "SELECT COUNT(DISTINCT \"custkey\") AS \"n\" FROM \"lineitem\"");
  const std::string both =
      "\"orders\" JOIN \"lineitem\" ON \"custkey\" = \"lineitem\".\"custkey\" AND \"orderkey\" = "
      "\"lineitem\".\"order\"";
  EXPECT_EQ(rows_of("orders JOIN lineitem ON orderkey = lineitem.\"order\""), both);
  EXPECT_EQ(rows_of("orders, lineitem WHERE orderkey = \"order\""), both);
  EXPECT_EQ(rows_of("customer c, orders o, lineitem l WHERE c.custkey = o.custkey AND l.\"order\" = o.orderkey"),
            "\"customer\" JOIN \"orders\" AS \"o\" USING (\"custkey\") JOIN \"lineitem\" AS \"l\" ON \"custkey\" = "
            "\"l\".\"custkey\" AND \"orderkey\" = \"l\".\"order\"");
}

TEST(UnitJoin, PutsPublicTablesBehindProtectedOnes) {
  EXPECT_EQ(rows_of("regions, customer WHERE name = segment AND wealth = 'rich'"),
            "\"customer\" JOIN \"regions\" ON \"segment\" = \"regions\".\"name\" WHERE (\"wealth\" = 'rich')");
}

TEST(UnitJoin, ReadsTheSameJoinInSeveralForms) {
  const std::string joined = rows_of("customer JOIN orders o USING (custkey)");
  EXPECT_EQ(rows_of("customer JOIN (SELECT * FROM orders) o USING (custkey)"), joined);
  const std::string left = rows_of("orders LEFT JOIN customer USING (custkey)");
  EXPECT_EQ(rows_of("customer RIGHT JOIN orders USING (custkey)"), left);
  const std::string found = rows_of("customer c LEFT JOIN orders o ON c.custkey = o.custkey AND o.price > 3");
  EXPECT_NE(found.find("AND (\"price\" > 3)"), std::string::npos) << found;
  EXPECT_EQ(rows_of("customer c LEFT JOIN (SELECT custkey FROM orders WHERE price > 3) o ON c.custkey = o.custkey"),
            found);
  EXPECT_EQ(rows_of("customer c LEFT JOIN orders o ON c.custkey = o.custkey WHERE o.custkey IS NULL"),
            rows_of("customer c ANTI JOIN orders o ON c.custkey = o.custkey"));
  const std::string twice = rows_of("lineitem a JOIN lineitem b ON a.\"order\" = b.\"order\"");
  EXPECT_EQ(twice, "\"lineitem\" JOIN \"lineitem\" AS \"b\" USING (\"custkey\", \"order\")") << twice;
}

TEST(UnitJoin, RefusesEveryOtherOneWithWhatToWrite) {
  const std::vector<std::pair<std::string, std::string>> all = {
      {"customer JOIN orders ON customer.custkey = price", "meet only where both are of one unit"},
      {"customer JOIN orders ON customer.custkey > orders.custkey", "add customer.custkey = orders.custkey to ON"},
      {"customer c JOIN orders AS o ON c.custkey = o.custkey OR c.custkey = o.price",
       "add c.custkey = o.custkey to ON"},
      {"customer, orders", "tables beside each other multiply rows"},
      {"customer, orders WHERE custkey = orderkey", "tables beside each other multiply rows"},
      {"customer LEFT JOIN orders ON customer.custkey = orders.custkey AND customer.custkey > 3",
       "ON of a LEFT JOIN takes columns"},
      {"customer FULL JOIN orders USING (custkey)", "RIGHT and FULL JOIN"},
      {"customer JOIN persons USING (custkey)", "every row of the table \"persons\" is a unit of its own"},
      {"persons JOIN customer USING (custkey)", "every row of the table \"persons\" is a unit of its own"},
      {"customer JOIN letters USING (custkey)", "is of type integer in 'customer' and of type string in 'letters'"},
      {"customer JOIN customer USING (custkey)", "two tables are called \"customer\""},
      {"customer JOIN dear USING (custkey)", "the view \"dear\" stands behind JOIN"},
      {"customer JOIN (SELECT orderkey, COUNT(*) AS n FROM orders GROUP BY orderkey) o ON custkey = orderkey",
       "must group them by their unit"},
  };
  for (const auto& [from, part] : all) EXPECT_NE(rows_of(from).find(part), std::string::npos) << rows_of(from);
}

TEST(UnitJoin, BoundsItsRowsByTheUnitsOnTheLeft) {
  const auto limit = [](const std::string& from, const std::string& more_lines) {
    const Result<plan::BoundStudy> study =
        vernier::testing::bound_to(catalog(), {{"SELECT COUNT(*) AS n FROM " + from, more_lines}});
    return study.value().statistics.front().table.row_limit;
  };
  EXPECT_EQ(limit("customer", "max_rows = 3"), default_row_limit);
  EXPECT_EQ(limit("customer JOIN orders USING (custkey)", "max_rows = 3"), 3 * default_row_limit);
  EXPECT_EQ(limit("customer JOIN orders USING (custkey)", "max_rows = 1000"), greatest_row_limit);
}

TEST(UnitJoin, KnowsThatARowWhichFindsNothingLacksWhatItWouldFind) {
  Catalog sure = catalog();
  for (Table& table : sure.tables) {
    for (Column& column : table.columns) column.never_null = true;
  }
  const auto is_sure = [&](const std::string& how) {
    const Result<plan::BoundStudy> study = vernier::testing::bound_to(
        sure, {{"SELECT AVG(price) AS p FROM customer " + how + " orders USING (custkey)", ""}});
    return study.value().statistics.front().table.column("price")->never_null;
  };
  EXPECT_TRUE(is_sure("JOIN"));
  EXPECT_FALSE(is_sure("LEFT JOIN"));
}

// What is not the unit's equality never reaches a plan, whoever made the query.
TEST(UnitJoin, IsCheckedBehindTheFrontDoorAsWell) {
  Query query = read_query("SELECT COUNT(*) AS n FROM customer JOIN orders USING (custkey)", catalog()).value();
  query.joins.front().columns = {"custkey"};
  query.joins.front().right = {"orderkey"};
  Study study = examine_study_text("study.toml",
                                   "catalog = \"catalog.toml\"\nbudget = { epsilon = 1 }\n[[statistic]]\n"
                                   "name = \"s\"\nsql = \"SELECT COUNT(*) FROM customer\"\n")
                    .content.value();
  const Result<plan::BoundStudy> bound = plan::bind(study, catalog(), {query});
  ASSERT_FALSE(bound);
  EXPECT_NE(bound.error().sentence().find("can meet by their units alone"), std::string::npos);
}

// ---- the catalog

std::string fault_of(const std::string& tables) {
  const Reading<Catalog> reading = examine_catalog_text("catalog.toml", vernier::testing::catalog_head + tables);
  return reading.problems.empty() ? "" : reading.problems.front().sentence();
}

std::string items(const std::string& unit) {
  return "[tables.orders]\nsource = \"o.csv\"\nunit = \"cust\"\n[tables.orders.columns]\ncust = { type = \"integer\" "
         "}\n"
         "key = { type = \"integer\" }\nprice = { type = \"real\" }\n[tables.open]\nsource = \"p.csv\"\npublic = true\n"
         "[tables.open.columns]\nkey = { type = \"integer\" }\n[tables.rows]\nsource = \"r.csv\"\nunit = \"row\"\n"
         "[tables.rows.columns]\nkey = { type = \"integer\" }\n[tables.items]\nsource = \"i.csv\"\nunit = " +
         unit +
         "\n[tables.items.columns]\nkey = { type = \"integer\" }\nname = { type = \"string\" }\nreal = { type = "
         "\"real\" }\n";
}

TEST(UnitByWay, IsDeclaredInTheCatalog) {
  EXPECT_EQ(fault_of(items("{ via = \"orders.key\", is = \"cust\", by = \"key\" }")), "");
  EXPECT_EQ(fault_of(items("{ via = \"orders.key\", is = \"cust\" }")), "");
  const std::vector<std::pair<std::string, std::string>> all = {
      {"{ via = \"orders\", is = \"cust\" }", "must be a protected table and its column"},
      {"{ via = \"orders.key\" }", "has no is"},
      {"{ via = \"orders.key\", is = \"cust\", on = \"key\" }", "on"},
      {"{ via = \"order.key\", is = \"cust\" }", "no table of this catalog (did you mean orders?)"},
      {"{ via = \"open.key\", is = \"cust\" }", "is public and has no units"},
      {"{ via = \"rows.key\", is = \"cust\" }", "every row of which is a unit of its own"},
      {"{ via = \"orders.kay\", is = \"cust\", by = \"key\" }", "which 'orders' has not"},
      {"{ via = \"orders.key\", is = \"person\" }", "write is = \"cust\""},
      {"{ via = \"orders.key\", is = \"cust\", by = \"kee\" }", "must be one of the table's columns"},
      {"{ via = \"orders.key\", is = \"cust\", by = \"name\" }", "different types"},
      {"{ via = \"orders.price\", is = \"cust\", by = \"real\" }", "reals hardly ever meet"},
      {"{ via = \"orders.key\", is = \"name\", by = \"key\" }", "a column of the table itself"},
      {"{ via = \"items.key\", is = \"cust\", by = \"key\" }", "behind itself"},
  };
  for (const auto& [unit, part] : all) {
    EXPECT_NE(fault_of(items(unit)).find(part), std::string::npos) << unit << "\n" << fault_of(items(unit));
  }
}

// ---- the guide

TEST(UnitJoin, OfTheGuideIsTrue) {
  ASSERT_EQ(blocks("sql").size(), 9U);
  for (const std::string& sql : blocks("sql")) {
    const Result<Query> query = read_query(sql, catalog());
    EXPECT_TRUE(query) << query.error().sentence();
  }
  const std::string refused = blocks("text").front();
  const std::string said = text_of(refused.substr(0, refused.find("\n\n")));
  EXPECT_EQ(said.substr(0, said.find('\n')), refused.substr(refused.find("\n\n") + 2));
}

}  // namespace
}  // namespace vernier::query
