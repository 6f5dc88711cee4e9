#include <algorithm>

#include "vernier/query/translate/syntax.hpp"
#include "vernier/query/translate/translate.hpp"

// Several ways to write one join: FROM a, b WHERE a.x = b.y; FROM a JOIN b ON a.x = b.y AND a.z > 3; FROM b RIGHT JOIN
// a. They become FROM a JOIN b ON a.x = b.y with the rest in WHERE, and LEFT JOIN, with the protected table first. What
// is none of these stays as it is.
namespace vernier::query {
namespace {

struct Named {
  std::string alias;
  const Table* table = nullptr;  // none: a query
  bool is_public = false;
};

std::optional<Named> named_in(const Json& base, const Catalog& catalog) {
  if (text(base, "type") != "BASE_TABLE") return std::nullopt;
  const std::string& name = text(base, "table_name");
  Named made{text(base, "alias").empty() ? name : text(base, "alias"), catalog.table(name)};
  const auto view = std::find_if(catalog.views.begin(), catalog.views.end(),
                                 [&](const View& one) { return same_name(one.name, name); });
  if (view != catalog.views.end()) made.table = catalog.table(view->table);
  if (made.table == nullptr) made.table = catalog.public_table(name), made.is_public = made.table != nullptr;
  return made;
}

// The tables of a chain of joins in their order; none where something else is among them.
std::vector<Named> sources_of(const Json& from, const Catalog& catalog) {
  std::vector<Named> sources;
  const Json* node = &from;
  for (; text(*node, "type") == "JOIN"; node = &node->at("left")) {
    const std::optional<Named> source = named_in(node->at("right"), catalog);
    if (!source) return {};
    sources.push_back(*source);
  }
  const std::optional<Named> first = named_in(*node, catalog);
  if (!first) return {};
  sources.push_back(*first);
  std::reverse(sources.begin(), sources.end());
  return sources;
}

// The joins of the chain, the first one first.
std::vector<Json*> chain_of(Json& from) {
  std::vector<Json*> joins;
  for (Json* node = &from; text(*node, "type") == "JOIN"; node = &node->at("left")) joins.push_back(node);
  std::reverse(joins.begin(), joins.end());
  return joins;
}

// The only table of those that has the column; none where several have it, or nobody knows.
std::optional<std::size_t> owner_of(const Json& node, const std::vector<Named>& sources) {
  if (text(node, "class") != "COLUMN_REF") return std::nullopt;
  const Json& names = list(node, "column_names");
  std::optional<std::size_t> owner;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const Named& source = sources[i];
    const bool is_meant =
        names.size() == 2
            ? same_name(names[0].get_ref<const std::string&>(), source.alias)
            : source.table == nullptr || source.table->column(names.back().get_ref<const std::string&>()) != nullptr;
    if (!is_meant) continue;
    if (owner) return std::nullopt;
    owner = i;
  }
  return owner;
}

// Whether it is an equality of columns of this table and of one before it.
bool joins_to(const Json& condition, const std::vector<Named>& sources, std::size_t place) {
  if (text(condition, "class") != "COMPARISON" || text(condition, "type") != "COMPARE_EQUAL") return false;
  const std::optional<std::size_t> left = owner_of(condition.at("left"), sources);
  const std::optional<std::size_t> right = owner_of(condition.at("right"), sources);
  return left && right && std::max(*left, *right) == place && *left != *right;
}

// Two columns that must be equal, of which nobody here knows whose they are: ON decides.
bool may_join(const Json& condition, const std::vector<Named>& sources) {
  if (text(condition, "class") != "COMPARISON" || text(condition, "type") != "COMPARE_EQUAL") return false;
  const auto is_unknown = [&](const char* side) {
    const Json& node = condition.at(side);
    return text(node, "class") == "COLUMN_REF" && !owner_of(node, sources);
  };
  return is_unknown("left") || is_unknown("right");
}

std::vector<Json> conjuncts_of(const Json& condition) {
  if (condition.is_null()) return {};
  const bool is_and = text(condition, "class") == "CONJUNCTION" && text(condition, "type") == "CONJUNCTION_AND";
  if (!is_and) return {condition};
  const Json& children = list(condition, "children");
  return {children.begin(), children.end()};
}

Json all_of(std::vector<Json> conjuncts) {
  if (conjuncts.empty()) return nullptr;
  if (conjuncts.size() == 1) return std::move(conjuncts.front());
  return {{"class", "CONJUNCTION"},
          {"type", "CONJUNCTION_AND"},
          {"alias", ""},
          {"query_location", conjuncts.front().at("query_location")},
          {"children", std::move(conjuncts)}};
}

// Moves what fits from one list to the end of another.
template <class Fits>
void move_where(std::vector<Json>& from, std::vector<Json>& to, const Fits& fits) {
  const auto kept = std::stable_partition(from.begin(), from.end(), [&](const Json& one) { return !fits(one); });
  to.insert(to.end(), std::make_move_iterator(kept), std::make_move_iterator(from.end()));
  from.erase(kept, from.end());
}

void settle(Json& join, const std::vector<Named>& sources, std::size_t place, std::vector<Json>& where) {
  const bool is_inner = text(join, "join_type") == "INNER" && list(join, "using_columns").empty();
  const std::string& kind = text(join, "ref_type");
  const auto fits = [&](const Json& one) { return joins_to(one, sources, place); };
  std::vector<Json> on = conjuncts_of(join.at("condition"));
  if (is_inner && kind == "CROSS" && on.empty()) {
    move_where(where, on, fits);
    if (!on.empty()) join["ref_type"] = "REGULAR";
  } else if (is_inner && kind == "REGULAR" && std::any_of(on.begin(), on.end(), fits)) {
    move_where(on, where, [&](const Json& one) { return !fits(one) && !may_join(one, sources); });
  } else {
    return;
  }
  join["condition"] = all_of(std::move(on));
}

// The protected table first: a row of it finds one row of the public one, or none.
void put_protected_first(Json& join, const std::vector<Named>& sources) {
  if (!sources[0].is_public || sources[1].is_public) return;
  const std::string& type = text(join, "join_type");
  if (text(join, "ref_type") != "REGULAR" || (type != "INNER" && type != "RIGHT")) return;
  if (type == "RIGHT") join["join_type"] = "LEFT";
  std::swap(join["left"], join["right"]);
}

}  // namespace

std::optional<FromWhere> with_plain_joins(const Json& from, const Json& where, const Catalog& catalog) {
  const std::vector<Named> sources = sources_of(from, catalog);
  if (sources.size() < 2) return std::nullopt;
  FromWhere made{from, where};
  const std::vector<Json*> joins = chain_of(made.from);
  std::vector<Json> rest = conjuncts_of(made.where);
  for (std::size_t i = 0; i < joins.size(); ++i) {
    settle(*joins[i], {sources.begin(), sources.begin() + static_cast<std::ptrdiff_t>(i) + 2}, i + 1, rest);
  }
  put_protected_first(*joins.front(), sources);
  made.where = all_of(std::move(rest));
  return made;
}

}  // namespace vernier::query
