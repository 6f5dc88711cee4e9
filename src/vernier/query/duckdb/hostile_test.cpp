#include <gtest/gtest.h>

#include "support/duckdb_session.hpp"
#include "support/tables.hpp"
#include "vernier/query/duckdb/parser.hpp"
#include "vernier/query/duckdb/sql.hpp"
#include "vernier/query/expression/render.hpp"
#include "vernier/query/quote.hpp"
#include "vernier/query/translate/syntax.hpp"

// Names and literals that try to break out of their quotes: the tree of the rendered SQL has the same form as with a
// harmless one, and the text itself comes through unchanged.
namespace vernier::query {
namespace {

const std::vector<std::string>& fragments() {
  static const std::vector<std::string> all{"'",
                                            "''",
                                            "\"",
                                            "\"\"",
                                            ";",
                                            "--",
                                            "/*",
                                            "*/",
                                            "\\",
                                            "\\'",
                                            "$$",
                                            "E'",
                                            "\n",
                                            "\r",
                                            "\t",
                                            "\x01",
                                            "\x7f",
                                            "\u00e9\u5217",
                                            "\u202e",
                                            "\u200b",
                                            "\u2019",
                                            "\uff07",
                                            "' OR '1'='1",
                                            "'; DROP TABLE people; --",
                                            "\") UNION SELECT * FROM people --",
                                            ") END",
                                            "CAST(",
                                            "SELECT",
                                            "NULL",
                                            "?",
                                            "$1",
                                            ":x",
                                            "`",
                                            "[1]",
                                            "{'a': 1}",
                                            "x'41'",
                                            "U&'\\0027'",
                                            "%",
                                            " ",
                                            std::string(3000, 'a')};
  return all;
}

// 500 texts: every fragment, and pairs of them.
std::vector<std::string> corpus() {
  std::vector<std::string> texts = fragments();
  for (std::size_t i = 0; texts.size() < 500; ++i) {
    const std::size_t n = fragments().size();
    texts.push_back(fragments()[i % n] + fragments()[(3 * i + i / n + 1) % n]);
  }
  return texts;
}

bool is_function(const Json& tree, std::string_view name) {
  return tree.is_object() && tree.value("class", "") == "FUNCTION" && tree["function_name"] == name;
}

// The text that constants say, put together by || where U+0001 stands in it, which is written as chr(1).
std::optional<std::string> text_in(const Json& tree) {
  if (is_function(tree, "chr") && tree["children"][0]["value"]["value"] == 1) return "\x01";
  if (is_function(tree, "||")) {
    const auto left = text_in(tree["children"][0]), right = text_in(tree["children"][1]);
    return left && right ? std::optional(*left + *right) : std::nullopt;
  }
  const bool is_text = tree.value("class", "") == "CONSTANT" && tree["value"]["type"]["id"] == "VARCHAR";
  return is_text ? std::optional(tree["value"]["value"].get<std::string>()) : std::nullopt;
}

Json constant_of(const std::string& text) {
  const Json value{{"is_null", false}, {"type", {{"id", "VARCHAR"}, {"type_info", nullptr}}}, {"value", text}};
  return {{"alias", ""}, {"class", "CONSTANT"}, {"type", "VALUE_CONSTANT"}, {"value", value}};
}

// The tree without its places, and with `text` as "x" wherever it is the name of a column or a constant.
Json form_of(Json tree, const std::string& text, bool is_ours = false) {
  if (is_ours && tree == text) return "x";
  if (is_function(tree, "||")) {
    if (const auto whole = text_in(tree)) tree = constant_of(*whole);
  }
  if (tree.is_object()) tree.erase("query_location");
  if (!tree.is_structured()) return tree;
  for (const auto& [key, part] : tree.items()) {
    const bool ours = tree.is_array() ? is_ours : key == "column_names" || key == "value";
    part = form_of(part, text, ours);
  }
  return tree;
}

Json form_of(const std::string& sql, const std::string& text) {
  const Result<std::string> answer = parsed(sql);
  return answer ? form_of(Json::parse(*answer, nullptr, false), text) : Json();
}

std::string filter_with(const std::string& text) {
  const Expression region = column(testing::column_of("region", Type::string));
  return rendered(*apply(Operation::equal, {region, literal(text)}));
}

std::string expression_with(const std::string& name) {
  const Expression odd = column(testing::column_of(name, Type::real));
  return rendered(*apply(Operation::bucket, {odd, literal(std::int64_t{10})}));
}

TEST(Hostile, TextsAreFiveHundred) { EXPECT_EQ(corpus().size(), 500U); }

TEST(Hostile, LiteralsNeverChangeTheTree) {
  const Json harmless = form_of("SELECT 1 FROM t WHERE " + filter_with("x"), "x");
  ASSERT_EQ(harmless["error"], false);
  for (const std::string& text : corpus()) {
    EXPECT_EQ(form_of("SELECT 1 FROM t WHERE " + filter_with(text), text), harmless) << text;
  }
}

TEST(Hostile, NamesNeverChangeTheTree) {
  const Json harmless = form_of("SELECT " + expression_with("x") + " FROM t", "x");
  ASSERT_EQ(harmless["error"], false);
  for (const std::string& name : corpus()) {
    EXPECT_EQ(form_of("SELECT " + expression_with(name) + " FROM t", name), harmless) << name;
  }
}

TEST(Hostile, LiteralsComeThroughTheEngineUnchanged) {
  testing::DuckDbSession session;
  for (const std::string& text : corpus()) {
    const auto row = session.run("SELECT " + rendered(Value(text)));
    ASSERT_TRUE(row) << text;
    EXPECT_EQ(row->front(), text);
  }
}

TEST(Hostile, NamesAndLiteralsPassTheFrontDoorAsWhatTheyAre) {
  for (const std::string& text : corpus()) {
    Catalog catalog = testing::people_catalog();
    catalog.tables[0].columns.push_back(testing::column_of(text, Type::string));
    const Expression same = *apply(Operation::equal, {column(catalog.tables[0].columns.back()), literal(text)});
    const Query query{"people", same, {}, {{Aggregate::count_rows, {}, text}}, {{false, 0}}, {}};
    const Result<Query> read = read_query(canonical(query), catalog);
    ASSERT_TRUE(read) << text << "\n" << read.error().sentence();
    EXPECT_EQ(*read, query) << text;
  }
}

}  // namespace
}  // namespace vernier::query
