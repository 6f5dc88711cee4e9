#pragma once

#include <string>
#include <vector>

#include "vernier/query/query.hpp"
#include "vernier/release/release.hpp"
#include "vernier/study/release.hpp"

// The documents of a release that the library makes.
namespace vernier::study {

// One CSV for each statistic, and one for the differences of its groups where they are asked.
ledger::Documents csv_documents(const release::Release& release);

// results.parquet.
Result<ledger::Document> parquet_document(const Published& published);

// A statistic as CSV: the columns in the order of the statement, each number with its interval behind it (income,
// income_low, income_high), and behind that what was made of it (income_denoised; income_denoised_low and _high where
// that has an interval of its own).
std::string release_csv(const query::Query& query, const release::Table& table);

// A [[regression]] as CSV: a row for each group and coefficient, the intercept first, with value and interval, how far
// the interval reaches, and whether it tells anything.
std::string coefficients_csv(const query::Query& query, const release::Table& table);

// The differences of its groups, likewise, behind the two groups: the numbers of `first` less those of `second`.
std::string differences_csv(const query::Query& query, const release::Table& table);

// A text as a cell: in quotes where it must be, and behind an apostrophe where a spreadsheet would take it for a
// formula (it begins with =, +, -, @, a tab or a carriage return). What cannot be seen is spelled out (`seen_lines`).
std::string csv_text(const std::string& content);

// Names of files for these names, each another, whatever letters they have: "Income by region" becomes
// income-by-region. Small Latin letters, digits and single dashes alone, at most 60 of them; never one that begins or
// ends with a dash.
std::vector<std::string> slugs_of(const std::vector<std::string>& names);

}  // namespace vernier::study
