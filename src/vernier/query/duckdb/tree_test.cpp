#include <gtest/gtest.h>

#include "support/tables.hpp"
#include "vernier/query/duckdb/parser.hpp"
#include "vernier/query/translate/translate.hpp"

// Trees as no parser writes them today: whatever is not known is refused, wherever it stands.
namespace vernier::query {
namespace {

constexpr const char* statement =
    "SELECT BUCKET(age, 10) AS b, COUNT(*), SUM(CASE WHEN income > 1.5 AND region IN ('x') THEN 1 ELSE NULL END) FROM "
    "people "
    "WHERE age BETWEEN 1 AND 2 AND CAST(born AS DATE) > DATE '2020-01-01' OR NOT member GROUP BY b ORDER BY b DESC";

// A pointer to every value of the tree.
void collect(const Json& tree, const Json::json_pointer& here, std::vector<Json::json_pointer>& found) {
  found.push_back(here);
  if (!tree.is_structured()) return;
  for (const auto& [key, part] : tree.items()) {
    collect(part, tree.is_array() ? here / static_cast<std::size_t>(std::stoul(key)) : here / key, found);
  }
}

struct Tree {
  Json json;
  std::vector<Json::json_pointer> places;
};

Tree read_statement() {
  Tree tree{Json::parse(*parsed(statement)), {}};
  collect(tree.json, Json::json_pointer(), tree.places);
  return tree;
}

Result<Query> translated_tree(const Json& tree) {
  return translated(tree.dump(), statement, testing::people_catalog());
}

TEST(SqlTree, IsAcceptedAsItIs) {
  EXPECT_TRUE(translated_tree(read_statement().json));
  EXPECT_GT(read_statement().places.size(), 300U);
}

TEST(SqlTree, WithAFieldThatIsNotKnownIsRefused) {
  const Tree tree = read_statement();
  for (const Json::json_pointer& place : tree.places) {
    if (!tree.json[place].is_object()) continue;
    Json odd = tree.json;
    odd[place]["surprise"] = true;
    EXPECT_FALSE(translated_tree(odd)) << place.to_string();
  }
}

TEST(SqlTree, WithoutAFieldIsRefused) {
  const Tree tree = read_statement();
  for (const Json::json_pointer& place : tree.places) {
    if (place.empty() || !tree.json[place.parent_pointer()].is_object()) continue;
    Json odd = tree.json;
    odd[place.parent_pointer()].erase(place.back());
    EXPECT_FALSE(translated_tree(odd)) << place.to_string();
  }
}

// Names, numbers and places may change; what remains must not crash, and a list or an object must be one.
TEST(SqlTree, WithAValueOfAnotherKindIsRefused) {
  const Tree tree = read_statement();
  for (const Json::json_pointer& place : tree.places) {
    if (place.empty() || place.back() == "query_location") continue;
    for (const Json& other :
         {Json(), Json(true), Json(-5), Json("surprise"), Json::array({1}), Json::object({{"a", 1}})}) {
      Json odd = tree.json;
      const bool no_filter = place.back() == "where_clause" && other.is_null();
      if (no_filter || odd[place].type() == other.type()) continue;
      odd[place] = other;
      const Result<Query> query = translated_tree(odd);
      const bool number = tree.json[place].is_number() && other.is_number();
      EXPECT_TRUE(number || !query) << place.to_string() << " " << other;
    }
  }
}

}  // namespace
}  // namespace vernier::query
