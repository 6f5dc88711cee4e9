#pragma once

#include <optional>
#include <vector>

#include "vernier/query/catalog.hpp"
#include "vernier/query/problem.hpp"
#include "vernier/query/toml/document.hpp"

namespace vernier::query {

// A column of type "timestamp" or "time" is a text in its file, and a definition of the same name that says what time
// it is. None for a column of another type; bounds that are wrong are problems.
std::optional<NamedExpression> read_moment(const TomlEntry& column, std::vector<Problem>& problems);

// The column as a text, for the reader of columns.
TomlEntry as_text_column(const TomlEntry& column);

}  // namespace vernier::query
