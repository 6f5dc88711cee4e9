#include "vernier/plan/render_joins.hpp"

#include "vernier/plan/render_rows.hpp"
#include "vernier/query/quote.hpp"
#include "vernier/query/render.hpp"

namespace vernier::plan {
namespace {

using query::quoted_identifier;

// Names that no column of a catalog has.
std::string key_name(std::size_t i) { return quoted_identifier(numbered(" key ", i)); }
std::string value_name(std::size_t i) { return quoted_identifier(numbered(" value ", i)); }
constexpr const char* left_name = "\" left\"";
constexpr const char* right_name = "\" right\".";

// A key is its column as it counts everywhere: within its bounds, NULL where it has no value.
std::vector<std::string> keys_of(const std::vector<query::Column>& columns) {
  std::vector<std::string> keys;
  for (const query::Column& column : columns) keys.push_back(query::rendered_output(query::column(column)));
  return keys;
}

std::vector<std::string> named_keys(const BoundJoin& join) {
  std::vector<std::string> keys = keys_of(join.right);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i].append(" AS ").append(key_name(i));
  return keys;
}

std::string places(std::size_t count) {
  std::vector<std::string> numbers;
  for (std::size_t i = 1; i <= count; ++i) numbers.push_back(std::to_string(i));
  return joined(numbers);
}

std::string condition(const BoundJoin& join) {
  std::vector<std::string> pairs = keys_of(join.left);
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i].append(" = ").append(right_name).append(key_name(i));
  return joined(pairs, " AND ");
}

std::string with_join(const std::string& rows, const BoundJoin& join) {
  const std::vector<query::Column> brought = join.brought();
  std::vector<std::string> columns{std::string(left_name) + ".*"};
  for (std::size_t i = 0; i < brought.size(); ++i) {
    columns.push_back(right_name + value_name(i) + " AS " + quoted_identifier(brought[i].name));
  }
  return "(SELECT " + joined(columns) + " FROM " + rows + " AS " + left_name + (join.keeps_all ? " LEFT" : "") +
         " JOIN (" + public_rows(join) + ") AS \" right\" ON " + condition(join) + ")";
}

}  // namespace

std::string public_rows(const BoundJoin& join) {
  const std::vector<query::Column> brought = join.brought();
  std::vector<std::string> columns = named_keys(join);
  for (std::size_t i = 0; i < brought.size(); ++i) {
    columns.push_back("min(" + quoted_identifier(brought[i].name) + ") AS " + value_name(i));
  }
  return "SELECT " + joined(columns) + " FROM " + view_name(join.table) + " GROUP BY " + places(join.right.size());
}

std::string repeated_key(const BoundJoin& join) {
  std::vector<std::string> texts, present;
  for (std::size_t i = 0; i < join.right.size(); ++i) {
    texts.push_back("CAST(" + key_name(i) + " AS VARCHAR)");
    present.push_back(key_name(i) + " IS NOT NULL");
  }
  const std::string keys = places(join.right.size());
  return "SELECT " + joined(texts) + " FROM (SELECT " + joined(named_keys(join)) + ", count(*) AS \" rows\" FROM " +
         view_name(join.table) + " GROUP BY " + keys + ") WHERE \" rows\" > 1 AND " + joined(present, " AND ") +
         " ORDER BY " + keys + " LIMIT 1";
}

std::string joined_rows(const BoundStatistic& statistic) {
  std::string rows = view_name(statistic.table);
  for (const BoundJoin& join : statistic.joins) rows = with_join(rows, join);
  return rows;
}

}  // namespace vernier::plan
