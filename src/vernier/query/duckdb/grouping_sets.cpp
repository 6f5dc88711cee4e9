#include "vernier/query/duckdb/grouping_sets.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "vernier/core/names.hpp"
#include "vernier/query/duckdb/parser.hpp"
#include "vernier/query/quote.hpp"
#include "vernier/query/translate/spelling.hpp"
#include "vernier/query/translate/syntax.hpp"
#include "vernier/query/translate/translate.hpp"

namespace vernier::query {
namespace {

// Without one of these words a statement has no such sets, and need not be parsed to know that.
bool may_have_sets(std::string_view sql) {
  const std::string folded = fold_case(std::string(sql));
  return std::ranges::any_of(std::array{"cube", "rollup", "grouping"},
                             [&](const char* word) { return folded.find(word) != std::string::npos; });
}

// The node of the one SELECT, where there are several sets, or one that is not all keys.
Json* grouped_node(Json& tree) {
  if (!tree.contains("statements") || tree["statements"].size() != 1) return nullptr;
  Json& node = tree["statements"][0]["node"];
  if (!node.contains("group_sets") || !node.contains("group_expressions")) return nullptr;
  const Json& sets = node["group_sets"];
  const bool is_plain = sets.empty() || (sets.size() == 1 && sets[0].size() == node["group_expressions"].size());
  return is_plain ? nullptr : &node;
}

bool is_grouping_id(const Json& item) { return item.value("type", "") == "GROUPING_FUNCTION"; }

// With all keys in one set, and without what tells the sets apart.
void make_plain(Json& node) {
  Json all = Json::array();
  for (std::size_t i = 0; i < node["group_expressions"].size(); ++i) all.push_back(i);
  node["group_sets"] = Json::array({std::move(all)});
  Json& items = node["select_list"];
  items.erase(std::remove_if(items.begin(), items.end(), is_grouping_id), items.end());
}

Result<void> check_counts(const Query& query) {
  const bool is_count = query.aggregations.size() == 1 && query.formulas.empty() &&
                        query.aggregations.front().aggregate == Aggregate::count_rows;
  if (!is_count)
    return invalid("tables of CUBE, ROLLUP and GROUPING SETS count rows", "write COUNT(*) AS people beside the keys");
  if (query.order.empty() && !query.has_selection()) return {};
  return invalid("tables of CUBE, ROLLUP and GROUPING SETS are published whole",
                 "leave out ORDER BY, HAVING, LIMIT and OFFSET");
}

// What stands behind FROM, as the statement that counts all of it says.
std::string from_of(Query query) {
  query.filter.reset();
  query.keys.clear();
  query.outputs = {{false, 0}};
  query.aggregations.front().name = "n";
  const std::string text = canonical(query), start = " FROM ";
  return text.substr(text.find(start) + start.size());
}

std::vector<std::vector<std::string>> tables_of(const Json& sets, const Query& query) {
  std::set<std::pair<std::size_t, std::set<std::size_t>>> places;  // of keys, the smaller sets first
  for (const Json& one : sets) {
    std::set<std::size_t> set;
    for (const Json& place : one) set.insert(place.get<std::size_t>());
    places.insert({set.size(), set});
  }
  std::vector<std::vector<std::string>> tables;
  for (const auto& [size, set] : places) {
    std::vector<std::string>& table = tables.emplace_back();
    for (const std::size_t place : set) table.push_back(query.keys.at(place).name);
  }
  return tables;
}

TableSet set_of(const Query& query, const Json& sets) {
  TableSet made{.name = {}, .from = from_of(query), .weight = numeric::Rational::of(1)};
  if (query.filter) made.where = canonical(*query.filter);
  for (const Key& key : query.keys)
    made.columns.push_back(canonical(key.expression) + " AS " + quoted_identifier(key.name));
  made.tables = tables_of(sets, query);
  return made;
}

Result<std::optional<TableSet>> grouped(Json tree, std::string_view sql, const Catalog& catalog) {
  Json* const node = grouped_node(tree);
  if (node == nullptr) return std::nullopt;
  const Json sets = (*node)["group_sets"];
  make_plain(*node);
  VERNIER_TRY(const Query query, translated(tree.dump(), sql, catalog, parsed));
  VERNIER_TRY(check_counts(query));
  if (query.keys.size() != (*node)["group_expressions"].size()) return std::nullopt;
  return set_of(query, sets);
}

}  // namespace

Result<std::optional<TableSet>> read_grouping_sets(std::string_view sql, const Catalog& catalog) {
  if (!may_have_sets(sql) || !check_statement(sql)) return std::nullopt;
  const std::string text = respelled(sql);
  const Result<std::string> answer = parsed(text);
  if (!answer) return std::nullopt;  // the front door says why
  const Result<Json> tree = read_tree(*answer, text);
  if (!tree) return std::nullopt;
  try {
    return grouped(*tree, text, catalog);
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace vernier::query
