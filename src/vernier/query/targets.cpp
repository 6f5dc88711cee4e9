#include "vernier/query/targets.hpp"

#include <algorithm>

#include "vernier/core/names.hpp"

namespace vernier::query {
namespace {

bool is_same(const std::string& a, const std::string& b) { return fold_case(a) == fold_case(b); }

// A second column of one statistic is that statistic, and a number as written is exact.
bool is_made(const Formula& formula) { return formula.steps.size() > 1 && !formula.columns().empty(); }

std::string joined(const std::vector<std::string>& names, const std::string& last) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == names.size() ? last : ", ") + ("\"" + names[i] + "\"");
  }
  return text;
}

Failure made_of(const Query& query, const Formula& formula) {
  std::vector<std::string> parts;
  for (const std::size_t column : formula.columns()) parts.push_back(query.aggregations[column].name);
  return invalid("the column \"" + formula.name + "\" is made of " + joined(parts, " and ") +
                     ", and an accuracy is promised for statistics alone",
                 "give one to " + joined(parts, " or ") + " by name, or a budget");
}

std::vector<std::string> published(const Query& query) {
  std::vector<std::string> names;
  for (const Output& one : query.outputs) {
    if (!one.is_key) names.push_back(query.name_of(one));
  }
  return names;
}

}  // namespace

Result<std::vector<std::string>> statistics_of_all(const Query& query) {
  for (const Output& one : query.outputs) {
    if (one.is_formula && is_made(query.formulas[one.place])) return made_of(query, query.formulas[one.place]);
  }
  return query.statistic_names();
}

Result<std::string> statistic_of(const Query& query, const std::string& column) {
  for (const Aggregation& one : query.aggregations) {
    if (is_same(one.name, column)) return one.name;
  }
  for (const Formula& one : query.formulas) {
    if (one.name.empty() || !is_same(one.name, column)) continue;
    if (is_made(one)) return made_of(query, one);
    if (!one.columns().empty()) return query.aggregations[one.columns().front()].name;
    return invalid("the column \"" + one.name + "\" is a number as written, which is exact", "leave it out");
  }
  return invalid("the statement publishes " + joined(published(query), " and ") + ", and no column \"" + column + "\"" +
                     suggestion(column, published(query)),
                 "write the name behind AS");
}

}  // namespace vernier::query
