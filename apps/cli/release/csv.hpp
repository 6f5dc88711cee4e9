#pragma once

#include <string>

#include "vernier/query/query.hpp"
#include "vernier/release/release.hpp"

namespace vernier::cli {

// A statistic as CSV: the columns in the order of the statement, each number with its interval behind it (income,
// income_low, income_high), and behind that what was made of it (income_denoised; income_denoised_low and _high where
// that has an interval of its own).
std::string release_csv(const query::Query& query, const release::Table& table);

// The differences of its groups, likewise, behind the two groups: the numbers of `first` less those of `second`.
std::string differences_csv(const query::Query& query, const release::Table& table);

// A text as a cell: in quotes where it must be, and behind an apostrophe where a spreadsheet would take it for a
// formula (it begins with =, +, -, @, a tab or a carriage return). What cannot be seen is spelled out (`seen_lines`).
std::string csv_text(const std::string& content);

}  // namespace vernier::cli
