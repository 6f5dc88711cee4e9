#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vernier/core/result.hpp"

namespace vernier::cli {

// The numbers of a column of CSV text whose first line has the names; cells may stand in quotes. Empty cells are left
// out, as SQL leaves out what is missing. `file` is what sentences call the text.
Result<std::vector<double>> csv_column(std::string_view text, std::string_view column, const std::string& file);

// Two columns of it, of the lines where both have a number.
struct CsvPairs {
  std::vector<double> first, second;
};
Result<CsvPairs> csv_columns(std::string_view text, std::string_view first, std::string_view second,
                             const std::string& file);

}  // namespace vernier::cli
