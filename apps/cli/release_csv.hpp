#pragma once

#include <string>

#include "vernier/query/query.hpp"
#include "vernier/release/release.hpp"

namespace vernier::cli {

// A statistic as CSV: the columns in the order of the statement, each number with its interval behind it (income,
// income_low, income_high).
std::string release_csv(const query::Query& query, const release::Table& table);

// A text as a cell: in quotes where it must be, and behind an apostrophe where a spreadsheet would take it for a
// formula (it begins with =, +, -, @, a tab or a carriage return).
std::string csv_text(std::string text);

}  // namespace vernier::cli
