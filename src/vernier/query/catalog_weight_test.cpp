#include <gtest/gtest.h>

#include "support/catalog_rules.hpp"

namespace vernier::query {
namespace {

const char* const unit = "unit = \"person_id\"";

std::string weighted_by(const std::string& column) {
  return changed(example_catalog, unit, "unit = \"row\"\nweight = \"" + column + "\"");
}

TEST(CatalogWeight, IsAColumnWithBoundsOfZeroOrMore) {
  for (const std::string name : {"educ", "income"}) {
    const Reading<Catalog> reading = examine_catalog_text("c", weighted_by(name));
    ASSERT_TRUE(reading.content) << problems_text("c", reading.problems);
    EXPECT_EQ(reading.content->tables.front().weight, name);
  }
  EXPECT_EQ(examine_catalog_text("c", example_catalog).content->tables.front().weight, std::nullopt);
}

TEST(CatalogWeight, IsRefusedInOneSentenceThatSaysWhatToDo) {
  testing::expect_said({
      {unit, "unit = \"person_id\"\nweight = \"incom\"",
       "10:10: weight of the table 'people' must be one of its columns, but it is 'incom' (did you mean income?)\n"},
      {unit, "unit = \"person_id\"\nweight = 3",
       "10:10: weight of the table 'people' must be a text in double quotes such as \"survey_weight\", but it is the "
       "number 3\n"},
      {unit, "unit = \"person_id\"\nweight = \"person_id\"",
       "10:10: weight of the table 'people' is 'person_id', which is also its unit; a weight says for how many members "
       "a row stands, and not whose row it is\n"},
      {unit, "unit = \"row\"\nweight = \"person_id\"",
       "10:10: weight of the table 'people' is 'person_id', which has no bounds, so that one row could weigh anything; "
       "declare its lower and upper\n"},
      {unit, "unit = \"person_id\"\nweight = \"region\"",
       "10:10: weight of the table 'people' is 'region', of type string, but weights are numbers; declare the column "
       "as integer or real\n"},
      {unit, "unit = \"person_id\"\nweight = \"born\"",
       "10:10: weight of the table 'people' is 'born', of type date, but weights are numbers; declare the column as "
       "integer or real\n"},
      {unit, "unit = \"person_id\"\nweight = \"income\"\nsampled = 0.5",
       "10:10: weight of the table 'people' and its sampled exclude each other: sampled says that all members have the "
       "same chance to be in the table, and weights that they have not; leave one of them out\n"},
  });
}

TEST(CatalogWeight, IsNeverNegative) {
  const auto said = [](const std::string& column, const std::string& old, const std::string& now) {
    return problems_text("c", examine_catalog_text("c", changed(weighted_by(column), old, now)).problems);
  };
  const std::string sentence = "whose lower bound is negative, but weights are 0 or more; write lower = 0\n";
  EXPECT_TRUE(said("income", "lower = 0,", "lower = -0.5,").ends_with(sentence));
  EXPECT_TRUE(said("educ", "lower = 1,", "lower = -1,").ends_with(sentence));
  EXPECT_EQ(said("educ", "lower = 1,", "lower = 0,"), "");
}

}  // namespace
}  // namespace vernier::query
