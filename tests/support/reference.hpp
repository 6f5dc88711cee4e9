#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vernier::test {

// The rows of a table of reference values, without its heading.
std::vector<std::vector<std::string>> reference_rows(std::string_view file);

}  // namespace vernier::test
