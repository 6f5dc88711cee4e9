#pragma once

#include <string>
#include <string_view>

#include "vernier/core/result.hpp"

namespace vernier::query {

// DuckDB's own reading of the statement, as JSON: its tree, or where it could not be read. The statement passed
// check_statement(); it is bound as a value and never executed, in a locked database in memory. Any thread may call,
// and several at once; a parser gets a stack of its own that is large enough for what the guards let through.
Result<std::string> parsed(std::string_view sql);

}  // namespace vernier::query
