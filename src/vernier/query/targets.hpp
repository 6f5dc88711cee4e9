#pragma once

#include <string>
#include <vector>

#include "vernier/core/result.hpp"
#include "vernier/query/query.hpp"

// Which statistics an accuracy is about that was asked for by words. Accuracies are promised for statistics; what is
// made of them has that of its parts, whatever it is, and is refused rather than taken for them.
namespace vernier::query {

// Of all columns: every statistic of the statement.
Result<std::vector<std::string>> statistics_of_all(const Query& query);

// Of the column with this name, whatever its case.
Result<std::string> statistic_of(const Query& query, const std::string& column);

}  // namespace vernier::query
