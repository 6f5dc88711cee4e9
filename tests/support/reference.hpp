#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vernier::test {

// The rows of a table of reference values, without its heading; none where the tables are not at hand.
std::optional<std::vector<std::vector<std::string>>> reference_rows(std::string_view file);

}  // namespace vernier::test
