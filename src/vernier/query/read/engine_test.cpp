#include "vernier/query/read/engine.hpp"

#include <gtest/gtest.h>

namespace vernier::query {
namespace {

std::string catalog_text(const std::string& engine, const std::string& source = "{ table = \"public.people\" }") {
  return "[budget]\nepsilon = 1\n" + engine + "[tables.people]\nsource = " + source +
         "\nunit = \"id\"\n[tables.people.columns]\nid = { type = \"integer\" }\n";
}

Reading<Catalog> read(const std::string& engine, const std::string& source = "{ table = \"public.people\" }") {
  return examine_catalog_text("catalog.toml", catalog_text(engine, source));
}

const std::string postgresql = "[engine]\nkind = \"postgresql\"\naddress = \"postgresql://reader@db.example/health\"\n";

TEST(CatalogEngine, IsTheEmbeddedOneUnlessTold) {
  const auto reading = read("", "\"people.csv\"");
  ASSERT_TRUE(reading.content);
  EXPECT_EQ(reading.content->engine, Engine{});
  EXPECT_TRUE(reading.content->engine.is_embedded());
}

TEST(CatalogEngine, IsReadWithItsTables) {
  const auto reading = read(postgresql + "timeout = \"30m\"\npasses = 4\nplaintext = true\n");
  ASSERT_TRUE(reading.content) << reading.problems.front().sentence();
  const Engine& engine = reading.content->engine;
  EXPECT_EQ(engine.kind, "postgresql");
  EXPECT_EQ(engine.address, "postgresql://reader@db.example/health");
  EXPECT_EQ(engine.seconds, 1800);
  EXPECT_EQ(engine.passes, 4);
  EXPECT_TRUE(engine.plaintext);
  EXPECT_TRUE(engine.portable);
  const Source& source = reading.content->tables.front().source;
  EXPECT_EQ(source.kind, SourceKind::table);
  EXPECT_EQ(source.table, (std::vector<std::string>{"public", "people"}));
  EXPECT_EQ(source.told(), "public.people");
}

TEST(CatalogEngine, OfSparkMayHaveAnAddress) {
  const auto reading = read("[engine]\nkind = \"spark\"\naddress = \"sc://lake:15002/;user_id=ann\"\n");
  ASSERT_TRUE(reading.content) << reading.problems.front().sentence();
  EXPECT_EQ(reading.content->engine.address, "sc://lake:15002/;user_id=ann");
}

TEST(CatalogEngine, OfAProgramsOwnSessionHasNoAddress) {
  const auto reading = read("[engine]\nkind = \"spark\"\n");
  ASSERT_TRUE(reading.content) << reading.problems.front().sentence();
  EXPECT_EQ(reading.content->engine.kind, "spark");
  EXPECT_TRUE(reading.content->engine.portable);
}

void expect_refused(const Reading<Catalog>& reading, const std::string& part) {
  ASSERT_FALSE(reading.content) << part;
  EXPECT_NE(reading.problems.front().sentence().find(part), std::string::npos) << reading.problems.front().sentence();
}

TEST(CatalogEngine, RefusesWhatIsNone) {
  expect_refused(read("[engine]\nkind = \"oracle\"\n"), "must be duckdb");
  expect_refused(read("[engine]\naddress = \"postgresql://db/x\"\n"), "has no kind");
  expect_refused(read("[engine]\nkind = \"postgresql\"\n"), "has no address");
  expect_refused(read("[engine]\nkind = \"trino\"\n"), "https://reader@lake.example:8443");
  expect_refused(read("[engine]\nkind = \"duckdb\"\naddress = \"postgresql://db/x\"\n", "\"people.csv\""),
                 "leave it out");
  expect_refused(read(postgresql + "timeout = \"30\"\n"), "such as 90s, 30m or 2h");
  expect_refused(read(postgresql + "timeout = \"999h\"\n"), "at most a week");
  expect_refused(read(postgresql + "passes = 0\n"), "passes");
  expect_refused(read("[engine]\nkind = \"duckdb\"\npasses = 2\n", "\"people.csv\""),
                 "is for servers with little memory");
  expect_refused(read(postgresql + "hash = \"own\"\n"), "is portable on every engine but duckdb");
  expect_refused(read(postgresql + "user = \"x\"\n"), "user");
  expect_refused(read(postgresql, "\"people.csv\""), "must be a table of the engine postgresql");
  expect_refused(read(""), "the catalog names none");
  expect_refused(read(postgresql, "{ table = \"public.\" }"), "must name a table with its schema");
  expect_refused(read(postgresql, "{ table = \"public.people\", format = \"csv\" }"), "format");
}

// In every place where one can stand, and wherever a careless writer left an @ or a / in it.
TEST(CatalogEngine, RefusesAPasswordWithoutRepeatingIt) {
  for (const char* address :
       {"postgresql://reader:secret@db/x", "postgresql://reader:sec@ret@db/x", "postgresql://reader:sec/ret@db/x",
        "postgresql://db/x?password=secret", "postgresql://db/x?user=a&PassWord=secret", "https://reader:secret@lake",
        "postgresql://db/x?sslpassword=secret", "sc://lake:15002/;token=secret", "sc://lake/;Token=secret"}) {
    const auto reading = read(std::string("[engine]\nkind = \"postgresql\"\naddress = \"") + address + "\"\n");
    expect_refused(reading, "has a password in it");
    EXPECT_EQ(reading.problems.front().sentence().find("ret"), std::string::npos) << address;
  }
  for (const char* address : {"postgresql://reader@db:5432/x", "postgresql:///x", "https://lake.example:8443"}) {
    EXPECT_FALSE(fault_of_address(address)) << address;
  }
}

TEST(CatalogEngine, RefusesAProtectedTableThatIsPublicToo) {
  const std::string open =
      "[tables.again]\npublic = true\nsource = { table = \"Public.people\" }\n[tables.again.columns]\n"
      "id = { type = \"integer\" }\n";
  const auto reading = examine_catalog_text("c", catalog_text(postgresql) + open);
  expect_refused(reading, "is public and has the");
}

}  // namespace
}  // namespace vernier::query
