#pragma once

#include <string>
#include <string_view>

#include "vernier/query/expression/expression.hpp"

namespace vernier::query {

// CAST(x AS type), for what cannot fail.
std::string cast_to(std::string_view type, const std::string& x);

// The value where the condition is true, and NULL elsewhere.
std::string when(const std::string& condition, const std::string& value);

// A cast of the grammar: NULL where the value has no place in the type.
std::string rendered_cast(const Expression& x);

// Expressions as SQL for DuckDB. Nothing of an analyst's text is in it but string literals, quoted anew; names are
// those of the catalog. The columns in scope have exactly the types that column_type() names.
// A total expression: it raises no error on any row, and its values lie in the span. Integers come as BIGINT where the
// span fits in 64 bits, and as HUGEINT elsewhere.
std::string rendered(const Expression& x);

// The same, cast to column_type(); integers fit in 64 bits.
std::string rendered_output(const Expression& expression);

}  // namespace vernier::query
