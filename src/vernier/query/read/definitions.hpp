#pragma once

#include <vector>

#include "vernier/query/catalog.hpp"
#include "vernier/query/toml/reader.hpp"

// What a steward names: expressions of a table, and views. Their SQL is kept as it is written.
namespace vernier::query {

// [tables.NAME.expressions]; names must not be those of columns.
std::vector<NamedExpression> read_expressions(TableReader& table, const std::vector<Column>& columns,
                                              std::vector<Problem>& problems);

// [views.NAME]; names must not be those of tables.
std::vector<View> read_views(TableReader& catalog, const std::vector<Table>& tables,
                             const std::vector<Table>& public_tables, std::vector<Problem>& problems);

}  // namespace vernier::query
