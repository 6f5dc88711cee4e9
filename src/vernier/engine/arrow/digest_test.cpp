#include "vernier/engine/arrow/digest.hpp"

#include <gtest/gtest.h>

#include "support/arrow_rows.hpp"

namespace vernier::engine {
namespace {

using testing::arrow_integers;
using testing::ArrowBatch;
using testing::ArrowStream;

query::Column column(const std::string& name, query::Type type) {
  query::Column made;
  made.name = name;
  made.type = type;
  return made;
}

query::Table declared() {
  query::Table table;
  table.columns = {column("a", query::Type::integer), column("b", query::Type::string)};
  return table;
}

std::string digest(const std::vector<ArrowBatch>& batches, std::string_view key = "key") {
  ArrowStream stream(batches);
  SourceColumns source{.files = {}, .rows = *stream.take(), .places = {0, 1}};
  return digest_of(declared(), source, key).value();
}

ArrowBatch rows(std::vector<std::optional<std::int64_t>> a, std::vector<std::optional<std::int64_t>> b) {
  return {arrow_integers("a", {a.begin(), a.end()}), arrow_integers("b", {b.begin(), b.end()})};
}

TEST(ArrowDigest, IsOfTheCellsAndNotOfTheirBatches) {
  const std::string whole = digest({rows({1, 2, 3, 7}, {4, {}, 6, 8})});
  EXPECT_EQ(digest({rows({1, 2, 3}, {4, {}, 6}), rows({7}, {8})}), whole);
  EXPECT_EQ(digest({rows({}, {}), rows({1}, {4}), rows({2, 3, 7}, {{}, 6, 8})}), whole);
}

TEST(ArrowDigest, ChangesWithEveryCellAndTheOrder) {
  const std::string whole = digest({rows({1, 2, 3, 7}, {4, {}, 6, 8})});
  EXPECT_NE(digest({rows({1, 2, 3, 9}, {4, {}, 6, 8})}), whole);
  EXPECT_NE(digest({rows({1, 2, 3, 7}, {4, 0, 6, 8})}), whole);
  EXPECT_NE(digest({rows({1, 2, 3, 7}, {4, {}, 68, {}})}), whole);
  EXPECT_NE(digest({rows({2, 1, 3, 7}, {{}, 4, 6, 8})}), whole);
  EXPECT_NE(digest({rows({1, 2, 3}, {4, {}, 6})}), whole);
  EXPECT_NE(digest({rows({1, 2, 3, 7}, {4, {}, 6, 8})}, "kez"), whole);
}

// NULL is not 0, though 0 is what is written in its place.
TEST(ArrowDigest, TellsNullFromNought) {
  EXPECT_NE(digest({rows({0}, {0})}), digest({rows({{}}, {0})}));
  EXPECT_NE(digest({rows({0}, {0})}), digest({rows({0}, {{}})}));
}

}  // namespace
}  // namespace vernier::engine
