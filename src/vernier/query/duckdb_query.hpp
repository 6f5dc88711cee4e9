#pragma once

#include <string_view>

#include "vernier/query/catalog.hpp"
#include "vernier/query/query.hpp"

namespace vernier::query {

// The SQL front door: what an analyst's statement asks of a table of the catalog. What is not accepted is refused with
// one sentence that names the part and shows an accepted form, and a caret below it. No data is needed, and none is
// read.
Result<Query> read_query(std::string_view sql, const Catalog& catalog);

}  // namespace vernier::query
