#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "support/tables.hpp"
#include "vernier/query/duckdb/sql.hpp"

// The guide's page on SQL is true: what it shows is accepted, and what it says is refused is refused in those words.
namespace vernier::query {
namespace {

// The fenced blocks of the page in this language.
std::vector<std::string> blocks(const std::string& language) {
  std::ifstream file(std::string(VERNIER_GUIDE_DIR) + "/sql.md");
  const std::string page((std::istreambuf_iterator<char>(file)), {});
  const std::string fence = "```" + language + "\n";
  std::vector<std::string> found;
  for (std::size_t at = page.find(fence); at != std::string::npos; at = page.find(fence, at + 1)) {
    const std::size_t begin = at + fence.size();
    found.push_back(page.substr(begin, page.find("\n```", begin) - begin));
  }
  return found;
}

TEST(SqlGuide, ShowsStatementsThatAreAccepted) {
  ASSERT_GE(blocks("sql").size(), 5U);
  for (const std::string& sql : blocks("sql")) {
    const Result<Query> query = read_query(sql, testing::people_catalog());
    EXPECT_TRUE(query) << query.error().sentence();
  }
}

TEST(SqlGuide, ShowsRefusalsInTheirWords) {
  ASSERT_GE(blocks("text").size(), 4U);
  for (const std::string& block : blocks("text")) {
    const std::size_t end = block.find("\n\n");
    const Result<Query> query = read_query(block.substr(0, end), testing::people_catalog());
    ASSERT_FALSE(query) << block;
    EXPECT_EQ(query.error().sentence(), block.substr(end + 2));
  }
}

}  // namespace
}  // namespace vernier::query
