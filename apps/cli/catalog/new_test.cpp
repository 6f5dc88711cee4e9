#include <gtest/gtest.h>

#include "cli/catalog/catalog.hpp"
#include "vernier/query/catalog.hpp"

namespace vernier::cli {
namespace {

using query::Catalog;
using query::Reading;

const std::vector<std::string> hostile = {"id", "a b", "quo\"te", "back\\slash", "größe", "x = 1", "[budget]", "a.b",
                                          "#",  "'",   "type",    "} , z = {",   "收入",  "-",     "1a"};

// Puts a type into every column, a unit and an epsilon.
std::string filled(std::string text) {
  for (std::size_t at = text.find(" = {}\n"); at != std::string::npos; at = text.find(" = {}\n")) {
    text.replace(at, 6, " = { type = \"string\" }\n");
  }
  text.replace(text.find("# epsilon"), 2, "");
  return text.replace(text.find("# unit = \"person_id\""), 20, "unit = \"id\"");
}

TEST(CatalogSkeleton, LacksOnlyWhatTheStewardMustSay) {
  const Reading<Catalog> reading =
      query::examine_catalog_text("c", skeleton_text({"people", "people.csv", ',', hostile}));
  ASSERT_EQ(reading.problems.size(), hostile.size() + 2);  // the types, the unit and epsilon
  for (const query::Problem& problem : reading.problems) {
    EXPECT_NE(problem.sentence().find(" has no "), std::string::npos) << problem.sentence();
  }
}

TEST(CatalogSkeleton, KeepsEveryNameWhateverIsInIt) {
  const std::string text = skeleton_text({"my \"table\"", "da\\ta \"1\".csv", '\t', hostile});
  const Reading<Catalog> reading = query::examine_catalog_text("c", filled(text));
  ASSERT_TRUE(reading.content) << located("c", reading.problems.front()).sentence();
  const query::Table& table = reading.content->tables.at(0);
  EXPECT_EQ(table.name, "my \"table\"");
  EXPECT_EQ(table.source.path, "da\\ta \"1\".csv");
  EXPECT_EQ(table.source.delimiter, '\t');
  std::vector<std::string> names;
  for (const query::Column& column : table.columns) names.push_back(column.name);
  EXPECT_EQ(names, hostile);
}

// What the skeleton suggests in its remarks is right.
TEST(CatalogSkeleton, SuggestsWhatHolds) {
  std::string text = skeleton_text({"t", "t.csv", ',', {}});
  text.erase(text.find("# Every column"), text.find("#   age") - text.find("# Every column"));
  text.erase(text.find("# lower, upper"));
  for (const char* const mark : {"#   ", "# epsilon", "# delta", "# neighbours", "# row_limit"}) {
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark)) text.erase(at, 2);
  }
  text.replace(text.find("# unit = \"person_id\""), 20, "unit = \"row\"");
  const Reading<Catalog> reading = query::examine_catalog_text("c", text);
  ASSERT_TRUE(reading.content) << text << located("c", reading.problems.front()).sentence();
  EXPECT_EQ(reading.content->tables[0].columns.size(), 3U);
  EXPECT_EQ(reading.content->tables[0].row_limit, query::default_row_limit);
}

}  // namespace
}  // namespace vernier::cli
