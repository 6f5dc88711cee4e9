#pragma once

#include <string>

#include "vernier/query/expression.hpp"

// Expressions as SQL for DuckDB. Nothing of an analyst's text is in it but string literals, quoted anew; names are
// those of the catalog. The columns in scope have exactly the types that column_type() names.
namespace vernier::query {

// A total expression: it raises no error on any row, and its values lie in the span. Integers come as BIGINT where the
// span fits in 64 bits, and as HUGEINT elsewhere.
std::string rendered(const Expression& x);

// The same, cast to column_type(); integers fit in 64 bits.
std::string rendered_output(const Expression& expression);

}  // namespace vernier::query
