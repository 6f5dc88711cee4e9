#pragma once

#include "vernier/query/catalog.hpp"
#include "vernier/query/expression.hpp"

// What the steward has named, read by the SQL front door. No data is needed, and none is read.
namespace vernier::query {

// The expression that a name stands for, with the bounds that were declared for it.
Result<Expression> meaning_of(const NamedExpression& named, const Table& table);

// Which rows a view has; its table is one of the catalog.
Result<Expression> condition_of(const View& view, const Catalog& catalog);

// The catalog with all that it names read: what cannot be is a problem at its place in the file.
Reading<Catalog> with_definitions(Reading<Catalog> reading);

}  // namespace vernier::query
