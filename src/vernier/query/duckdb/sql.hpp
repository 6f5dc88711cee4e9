#pragma once

#include <string_view>

#include "vernier/query/catalog.hpp"
#include "vernier/query/expression/expression.hpp"
#include "vernier/query/query.hpp"

namespace vernier::query {

// The SQL front door: what an analyst's statement asks of a table of the catalog. What is not accepted is refused with
// one sentence that names the part and shows an accepted form, and a caret below it. No data is needed, and none is
// read.
Result<Query> read_query(std::string_view sql, const Catalog& catalog);

// What the steward has named, read by the SQL front door. No data is needed, and none is read.
// The expression that a name stands for, with the bounds that were declared for it.
Result<Expression> meaning_of(const NamedExpression& named, const Table& table);

// Which rows a view has; its table is one of the catalog.
Result<Expression> condition_of(const View& view, const Catalog& catalog);

// The catalog with all that it names read: what cannot be is a problem at its place in the file.
Reading<Catalog> with_definitions(Reading<Catalog> reading);

}  // namespace vernier::query
