#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vernier::query {

// What other databases spell otherwise, as the parser reads it: `name` in backticks becomes "name", SELECT TOP 10 ...
// becomes SELECT ... LIMIT 10, and the WITH DIFFERENTIAL_PRIVACY OPTIONS (...) of GoogleSQL is left out, since budget
// and bounds are those of the command and the catalog. Whatever stands before LIMIT keeps its place, so that a caret
// below it still points at what was written. Texts and comments stay as they are.
std::string respelled(std::string_view sql);

// What of the statement is read and changes nothing here, or something else than in the database that it was written
// for: one sentence for each.
std::vector<std::string> without_effect(std::string_view sql);

}  // namespace vernier::query
