#pragma once

#include <optional>
#include <string_view>

#include "vernier/query/catalog.hpp"
#include "vernier/query/table_set.hpp"

namespace vernier::query {

// The tables that a statement with GROUP BY CUBE, ROLLUP or GROUPING SETS asks for, as a [[table]] without a name; none
// where its GROUP BY is a plain list. It counts rows: COUNT(*), beside its keys and GROUPING_ID of them.
Result<std::optional<TableSet>> read_grouping_sets(std::string_view sql, const Catalog& catalog);

}  // namespace vernier::query
