#include <gtest/gtest.h>

#include "support/catalog_rules.hpp"
#include "vernier/query/catalog.hpp"

namespace vernier::query {
namespace {

using testing::expect_said;

constexpr const char* unit = "unit = \"person_id\"";

Reading<Catalog> reading_with(const char* now) {
  return examine_catalog_text("c.toml", changed(example_catalog, unit, now));
}

TEST(PublicCount, IsReadWhereRowsAreUnitsThatAreReplaced) {
  const auto found = reading_with("unit = \"row\"\nneighbours = \"replace\"\npublic_count = true");
  ASSERT_TRUE(found.content);
  EXPECT_TRUE(found.content->tables[0].public_count);
}

TEST(PublicCount, IsNotTakenForGranted) {
  EXPECT_FALSE(reading_with(unit).content->tables[0].public_count);
  EXPECT_FALSE(reading_with("unit = \"row\"\nneighbours = \"replace\"").content->tables[0].public_count);
  EXPECT_FALSE(reading_with("unit = \"person_id\"\npublic_count = false").content->tables[0].public_count);
}

TEST(PublicCount, IsRefusedWhereNeighboursMayHaveAnotherNumberOfRows) {
  expect_said({
      {unit, "unit = \"row\"\npublic_count = true",
       "10:16: public_count of the table 'people' needs neighbours = \"replace\", since add-remove protects whether a "
       "row is there, and with it how many there are; write that, or leave public_count out\n"},
      {unit, "unit = \"person_id\"\nneighbours = \"replace\"\npublic_count = true",
       "11:16: public_count of the table 'people' needs unit = \"row\", since a unit that is replaced may have another "
       "number of rows; write that, or leave public_count out\n"},
      {"source = \"people.parquet\"\nunit = \"person_id\"",
       "source = \"people.csv\"\nline_breaks = true\nunit = \"row\"\nneighbours = \"replace\"\npublic_count = true",
       "12:16: public_count of the table 'people' needs a file without line_breaks, with which the quotes in one row "
       "decide how many lines it has, and so how many rows there are; write that, or leave public_count out\n"},
      {unit, "unit = \"row\"\nneighbours = \"replace\"\npublic_count = 1000",
       "11:16: public_count of the table 'people' must be true or false, but it is the number 1000\n"},
  });
}

TEST(NeverNull, IsReadOfNumbersWithBounds) {
  const auto found =
      examine_catalog_text("c.toml", changed(example_catalog, "upper = 16", "upper = 16, never_null = true"));
  ASSERT_TRUE(found.content);
  EXPECT_TRUE(found.content->tables[0].column("educ")->never_null);
  EXPECT_FALSE(found.content->tables[0].column("income")->never_null);
}

TEST(NeverNull, IsRefusedWhereNothingCanStandForWhatIsMissing) {
  expect_said(
      {{"{ type = \"integer\" }", "{ type = \"integer\", never_null = true }",
        "13:46: never_null of the column 'person_id' is for numbers with bounds, since a value that is missing in "
        "spite of it counts as the lower one; give the column bounds, or leave never_null out\n"}});
}

}  // namespace
}  // namespace vernier::query
