#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "support/query_files.hpp"
#include "support/temporary_folder.hpp"
#include "vernier/query/catalog.hpp"

// Public tables, named expressions and views, as a catalog declares them.
namespace vernier::query {
namespace {

const std::string with_public = example_catalog + R"(
[tables.regions]
source = "regions.csv"
public = true
[tables.regions.columns]
region = { type = "string" }
area = { type = "real", lower = 0, upper = 1024 }

[tables.people.expressions]
adult = "age >= 18"
monthly = { sql = "income / 12", lower = 0, upper = 10000 }

[views.adults]
table = "people"
where = "adult"
)";

std::string said(const std::string& old, const std::string& now) {
  const std::string text = changed(with_public, old, now);
  EXPECT_FALSE(text.empty()) << old;
  const Reading<Catalog> reading = examine_catalog_text("c.toml", text);
  std::string sentences;
  for (const Problem& problem : reading.problems) sentences += located("", problem).sentence().substr(1) + "\n";
  return sentences;
}

TEST(CatalogPublic, KeepsPublicTablesApart) {
  const Reading<Catalog> reading = examine_catalog_text("c.toml", with_public);
  ASSERT_TRUE(reading.content) << problems_text("c.toml", reading.problems);
  const Catalog& catalog = *reading.content;
  ASSERT_EQ(catalog.tables.size(), 1U);
  ASSERT_EQ(catalog.public_tables.size(), 1U);
  EXPECT_TRUE(catalog.public_tables[0].is_public);
  EXPECT_FALSE(catalog.tables[0].is_public);
  EXPECT_EQ(catalog.table("regions"), nullptr);
  EXPECT_EQ(catalog.public_table("REGIONS")->columns.size(), 2U);
  EXPECT_EQ(catalog.public_table("people"), nullptr);
}

TEST(CatalogPublic, KeepsWhatIsNamedAsItIsWritten) {
  const Catalog catalog = examine_catalog_text("c.toml", with_public).content.value();
  const std::vector<NamedExpression>& named = catalog.tables[0].expressions;
  ASSERT_EQ(named.size(), 2U);
  EXPECT_EQ(named[0].sql, "age >= 18");
  EXPECT_FALSE(named[0].range);
  EXPECT_EQ(named[1].sql, "income / 12");
  EXPECT_EQ(named[1].range->upper, Value(std::int64_t{10000}));
  ASSERT_EQ(catalog.views.size(), 1U);
  EXPECT_EQ(catalog.views[0].table + ": " + catalog.views[0].where, "people: adult");
}

TEST(CatalogPublic, RefusesWhatProtectsInAPublicTable) {
  for (const char* const key : {"unit = \"region\"", "neighbours = \"replace\"", "row_limit = 10", "sampled = 0.5",
                                "weight = \"area\"", "public_count = true", "expressions = { x = \"area\" }"}) {
    const std::string name = std::string(key).substr(0, std::string(key).find(' '));
    const std::string sentence = said("public = true", "public = true\n" + std::string(key));
    EXPECT_NE(sentence.find(name + " of the table 'regions' is for tables that are protected"), std::string::npos)
        << sentence;
  }
  EXPECT_NE(said("public = true", "public = \"yes\"").find("22:10: public of the table 'regions' must be"),
            std::string::npos);
  EXPECT_NE(said("public = true", "public = false").find("has no unit"), std::string::npos);
}

TEST(CatalogPublic, RefusesTheFileOfAProtectedTable) {
  for (const char* const path : {"people.parquet", "./people.parquet", "x/../people.parquet", "/c/people.parquet"}) {
    const Reading<Catalog> reading = examine_catalog_text("/c/c.toml", changed(with_public, "regions.csv", path));
    EXPECT_NE(problems_text("c", reading.problems).find("has the file of the protected table 'people'"),
              std::string::npos)
        << path;
  }
}

// Whatever leads to it: another spelling, an absolute path, a link of either kind.
TEST(CatalogPublic, RefusesEveryPathToTheFileOfAProtectedTable) {
  namespace fs = std::filesystem;
  const testing::TemporaryFolder folder;
  const fs::path path = folder.path();
  fs::create_directories(path / "data");
  std::ofstream(path / "data/people.parquet") << "x";
  std::ofstream(path / "data/regions.csv") << "x";
  fs::create_hard_link(path / "data/people.parquet", path / "hard.csv");
  fs::create_symlink("data/people.parquet", path / "soft.csv");
  fs::create_symlink("hard.csv", path / "softer.csv");
  fs::create_directory_symlink("data", path / "other");
  const std::string catalog = changed(with_public, "\"people.parquet", "\"data/people.parquet");
  const auto told = [&](const std::string& source) {
    return problems_text("c", examine_catalog_text(path / "c.toml", changed(catalog, "regions.csv", source)).problems);
  };
  for (const std::string& source :
       std::vector<std::string>{"hard.csv", "soft.csv", "softer.csv", "./soft.csv", "data/../hard.csv",
                                (path / "hard.csv").string(), (path / "data/people.parquet").string()}) {
    EXPECT_NE(told(source).find("has the file of the protected table 'people'"), std::string::npos) << source;
  }
  EXPECT_NE(told("other/people.parquet").find("has the file of the protected table 'people'"), std::string::npos);
  EXPECT_EQ(told("data/regions.csv"), "");
}

TEST(CatalogPublic, IsAFile) {
  EXPECT_NE(
      said("source = \"regions.csv\"", "format = \"arrow\"")
          .find("format of the table 'regions' is arrow, but a public table is a file, which releases name by its "
                "hash; write source"),
      std::string::npos);
}

TEST(CatalogPublic, NeedsSomethingToProtect) {
  const Reading<Catalog> reading = examine_catalog_text("c.toml",
                                                        "[budget]\nepsilon = 1\n[tables.t]\nsource = \"t.csv\"\npublic "
                                                        "= true\n[tables.t.columns]\nx = { type = \"integer\" }\n");
  ASSERT_EQ(reading.problems.size(), 1U);
  EXPECT_NE(reading.problems[0].sentence().find("every table is public"), std::string::npos);
}

TEST(CatalogPublic, RefusesNamesThatClash) {
  EXPECT_NE(said("adult = \"age >= 18\"", "Region = \"age >= 18\"").find("has the name of a column"),
            std::string::npos);
  EXPECT_NE(said("adult = \"age >= 18\"", "ADULT = \"TRUE\"\nadult = \"age >= 18\"").find("differs only by case"),
            std::string::npos);
  EXPECT_NE(said("[views.adults]", "[views.Regions]").find("has the name of a table"), std::string::npos);
  EXPECT_NE(said("[views.adults]", "[views.PEOPLE]").find("has the name of a table"), std::string::npos);
  EXPECT_NE(said("[views.adults]", "[views.\"a\\u0007\"]").find("a view cannot have this name"), std::string::npos);
}

TEST(CatalogPublic, RefusesViewsOfNothing) {
  EXPECT_NE(said("table = \"people\"", "table = \"regions\"").find("which is public"), std::string::npos);
  EXPECT_NE(said("table = \"people\"", "table = \"adults\"").find("a view of a view is none"), std::string::npos);
  EXPECT_NE(said("table = \"people\"", "table = \"peple\"").find("(did you mean people?)"), std::string::npos);
  EXPECT_NE(said("table = \"people\"\n", "").find("has no table"), std::string::npos);
  EXPECT_NE(said("where = \"adult\"\n", "").find("has no where"), std::string::npos);
  EXPECT_NE(said("where = \"adult\"", "where = 1").find("where of the view 'adults' must be"), std::string::npos);
  EXPECT_NE(said("where = \"adult\"", "wher = \"adult\"").find("(did you mean where?)"), std::string::npos);
}

TEST(CatalogPublic, RefusesBrokenExpressions) {
  EXPECT_NE(said("\"age >= 18\"", "18").find("must be SQL such as"), std::string::npos);
  EXPECT_NE(said("sql = \"income / 12\", ", "").find("has no sql"), std::string::npos);
  EXPECT_NE(said(", upper = 10000 }", " }").find("has one bound alone"), std::string::npos);
  EXPECT_NE(said("upper = 10000 }", "upper = \"10000\" }").find("must be a number or a date"), std::string::npos);
  EXPECT_NE(said("upper = 10000 }", "upper = inf }").find("must be a number or a date"), std::string::npos);
}

}  // namespace
}  // namespace vernier::query
