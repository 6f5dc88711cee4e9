#pragma once

#include <string>
#include <string_view>

#include "vernier/core/result.hpp"

namespace vernier::query {

// DuckDB's own reading of the statement, as JSON: its tree, or where it could not be read. The statement passed
// check_statement(); it is bound as a value and never executed. One locked database in memory serves the whole process;
// any thread may call, and the parser gets a stack of its own that is large enough for what the guards let through.
Result<std::string> parsed(std::string_view sql);

}  // namespace vernier::query
