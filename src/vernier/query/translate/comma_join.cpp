#include <algorithm>

#include "vernier/query/translate/joins.hpp"
#include "vernier/query/translate/made_tables.hpp"

// FROM a, b WHERE a.x = b.x: each table with the conditions that tie it to those before it, as JOIN ... ON would have
// them. A public table that is named first stands behind the protected one.
namespace vernier::query {
namespace {

constexpr std::size_t most_tables = 20;

struct Leaf {
  Json node;
  const Table* table;  // of the catalog; nullptr of a view or a query
  std::string alias;
};

template <class Named>
const Named* named(const std::vector<Named>& all, std::string_view name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Named& one) { return same_name(one.name, name); });
  return found == all.end() ? nullptr : &*found;
}

bool is_cross(const Json& from) { return text(from, "type") == "JOIN" && text(from, "ref_type") == "CROSS"; }

Leaf leaf_of(const Json& node, const Catalog& catalog, const CommonTables& common) {
  const std::string alias = node.value("alias", "");
  if (text(node, "type") != "BASE_TABLE") return {node, nullptr, alias};
  const std::string& name = text(node, "table_name");
  const bool is_common = !is_made(node) && std::any_of(common.begin(), common.end(), [&](const CommonTable& one) {
    return same_name(one.name, name);
  });
  const Table* table = is_common ? nullptr : named(catalog.tables, name);
  if (table == nullptr && !is_common) table = named(catalog.public_tables, name);
  return {node, table, alias.empty() ? name : alias};
}

// Which tables stand beside each other, in the order of the statement.
std::vector<Leaf> leaves_of(const Json& from, const Catalog& catalog, const CommonTables& common) {
  std::vector<Leaf> leaves;
  const Json* at = &from;
  for (; is_cross(*at) && leaves.size() < most_tables; at = &at->at("left")) {
    leaves.push_back(leaf_of(at->at("right"), catalog, common));
  }
  leaves.push_back(leaf_of(*at, catalog, common));
  std::reverse(leaves.begin(), leaves.end());
  return leaves;
}

bool has_column(const Leaf& leaf, std::string_view name) {
  return leaf.table != nullptr && seen(*leaf.table).column(name) != nullptr;
}

// A table that has its unit from another one has a column for it that nobody declared, which gives way to one that is.
bool declares(const Leaf& leaf, std::string_view name) {
  return leaf.table != nullptr && leaf.table->column(name) != nullptr;
}

// The one table that a column is of.
std::optional<std::size_t> place_of(const Json& node, const std::vector<Leaf>& leaves) {
  if (text(node, "class") != "COLUMN_REF") return std::nullopt;
  const Json& names = list(node, "column_names");
  const auto& name = names.back().get_ref<const std::string&>();
  const bool is_declared =
      std::any_of(leaves.begin(), leaves.end(), [&](const Leaf& one) { return declares(one, name); });
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const bool has_it = is_declared ? declares(leaves[i], name) : has_column(leaves[i], name);
    const bool is_it = names.size() == 2 ? same_name(names[0].get_ref<const std::string&>(), leaves[i].alias)
                                         : names.size() == 1 && has_it;
    if (!is_it) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found;
}

// An equality of columns of two tables.
struct Tie {
  Json condition;
  std::size_t one, other;
  bool is_used = false;
};

struct Parts {
  std::vector<Tie> ties;
  std::vector<Json> rest;  // of WHERE
};

Parts parts_of(const Json& where, const std::vector<Leaf>& leaves) {
  Parts made;
  for (Json& part : conjuncts(where)) {
    const bool is_equality = text(part, "class") == "COMPARISON" && text(part, "type") == "COMPARE_EQUAL";
    const auto one = is_equality ? place_of(part.at("left"), leaves) : std::nullopt;
    const auto other = is_equality ? place_of(part.at("right"), leaves) : std::nullopt;
    if (one && other && *one != *other) {
      made.ties.push_back({std::move(part), *one, *other});
    } else {
      made.rest.push_back(std::move(part));
    }
  }
  return made;
}

}  // namespace

Json all_of(const std::vector<Json>& conditions) {
  if (conditions.empty()) return nullptr;
  if (conditions.size() == 1) return conditions.front();
  return {{"class", "CONJUNCTION"},
          {"type", "CONJUNCTION_AND"},
          {"alias", ""},
          {"query_location", place(conditions.front()).value_or(UINT64_MAX)},
          {"children", conditions}};
}

namespace {

// The ties of a table to those that are there, which are used with it.
std::vector<Json> ties_to(std::vector<Tie>& ties, std::size_t leaf, const std::vector<std::size_t>& there) {
  const auto is_there = [&](std::size_t i) { return std::find(there.begin(), there.end(), i) != there.end(); };
  std::vector<Json> conditions;
  for (Tie& tie : ties) {
    const bool fits = (tie.one == leaf && is_there(tie.other)) || (tie.other == leaf && is_there(tie.one));
    if (tie.is_used || !fits) continue;
    tie.is_used = true;
    conditions.push_back(tie.condition);
  }
  return conditions;
}

bool is_tied(const std::vector<Tie>& ties, std::size_t leaf, const std::vector<std::size_t>& there) {
  std::vector<Tie> copy = ties;
  return !ties_to(copy, leaf, there).empty();
}

// What comes next: the first table that is tied to one that is there.
std::size_t next_of(const std::vector<Tie>& ties, const std::vector<std::size_t>& left,
                    const std::vector<std::size_t>& there) {
  const auto found = std::find_if(left.begin(), left.end(), [&](std::size_t i) { return is_tied(ties, i, there); });
  return found == left.end() ? left.front() : *found;
}

std::size_t first_of(const std::vector<Leaf>& leaves) {
  const auto found = std::find_if(leaves.begin(), leaves.end(),
                                  [](const Leaf& one) { return one.table == nullptr || !one.table->is_public; });
  return found == leaves.end() ? 0 : static_cast<std::size_t>(found - leaves.begin());
}

Json joined_to(const Json& left, const Json& right, const std::vector<Json>& conditions, const Json& cross) {
  Json join = cross;
  join["left"] = left;
  join["right"] = right;
  if (conditions.empty()) return join;
  join["ref_type"] = "REGULAR";
  join["condition"] = all_of(conditions);
  return join;
}

}  // namespace

namespace {

Sources tied(const Json& from, const Json& where, const Catalog& catalog, const CommonTables& common) {
  if (!is_cross(from)) return {from, where};
  const std::vector<Leaf> leaves = leaves_of(from, catalog, common);
  Parts parts = parts_of(where, leaves);
  std::vector<std::size_t> there{first_of(leaves)}, left;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (i != there.front()) left.push_back(i);
  }
  Json made = leaves[there.front()].node;
  while (!left.empty()) {
    const std::size_t next = next_of(parts.ties, left, there);
    made = joined_to(made, leaves[next].node, ties_to(parts.ties, next, there), from);
    there.push_back(next);
    std::erase(left, next);
  }
  return {std::move(made), all_of(parts.rest)};
}

}  // namespace

Sources sources_of(const Json& node, const Catalog& catalog, const CommonTables& common) {
  Sources made = tied(node.at("from_table"), node.at("where_clause"), catalog, common);
  if (auto plain = with_plain_joins(made.from, made.where, catalog))
    made = {std::move(plain->from), std::move(plain->where)};
  return made;
}

}  // namespace vernier::query
