#include "vernier/plan/bind_joins.hpp"

#include <algorithm>

namespace vernier::plan {

std::vector<query::Column> BoundJoin::brought() const {
  std::vector<query::Column> columns;
  std::copy_if(table.columns.begin(), table.columns.end(), std::back_inserter(columns), [&](const query::Column& one) {
    return std::none_of(right.begin(), right.end(), [&](const query::Column& key) { return key.name == one.name; });
  });
  return columns;
}

Result<JoinedTables> join_tables(const query::Table& table, const std::vector<query::Join>& joins,
                                 const query::Catalog& catalog) {
  JoinedTables made{table, {}};
  for (const query::Join& join : joins) {
    const query::Table* const right = catalog.public_table(join.table);
    if (right == nullptr) return invalid("the catalog has no public table '" + join.table + "'");
    if (join.columns.empty()) return invalid("a join needs the columns of USING");
    std::string fault = query::fault_of_join(made.table, *right, join.columns);
    if (!fault.empty()) return invalid(std::move(fault));
    BoundJoin bound{*right, {}, {}, join.keeps_all};
    for (const std::string& name : join.columns) {
      bound.left.push_back(*made.table.column(name));
      bound.right.push_back(*right->column(name));
    }
    made.table = query::joined(std::move(made.table), *right, join.columns);
    made.joins.push_back(std::move(bound));
  }
  return made;
}

}  // namespace vernier::plan
