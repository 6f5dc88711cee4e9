#pragma once

#include <string>
#include <string_view>

#include "vernier/query/dialect/dialect.hpp"
#include "vernier/query/expression/expression.hpp"

namespace vernier::query {

// CAST(x AS type), for what cannot fail.
std::string cast_to(std::string_view type, const std::string& x);

// The value where the condition is true, and NULL elsewhere.
std::string when(const std::string& condition, const std::string& value);

// Expressions as SQL. Nothing of an analyst's text is in it but string literals, quoted anew; names are those of the
// catalog. The columns in scope have exactly the types that the dialect names.
// A total expression: it raises no error on any row, and its values lie in the span. Integers come as BIGINT where the
// span fits in 64 bits, and in the dialect's wide type elsewhere.
std::string rendered(const Expression& x, const Dialect& dialect = duckdb_dialect());

// The same, cast to the type of a column; integers fit in 64 bits.
std::string rendered_output(const Expression& expression, const Dialect& dialect = duckdb_dialect());

// An operand of * and /, of reals: 0 in place of what lies nearer to 0 than least_real, so that no product and no
// quotient underflows, which PostgreSQL takes for an error.
std::string rendered_factor(const Expression& x, const Dialect& dialect = duckdb_dialect());

}  // namespace vernier::query
