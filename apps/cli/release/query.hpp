#pragma once

#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "vernier/core/result.hpp"
#include "vernier/query/study.hpp"

namespace vernier::cli {

// `vernier query`: one statement, released at once.
Usage query_usage();
Result<void> run_query(const Arguments& arguments, Output& output);

// The study of one statistic that the words ask for. An accuracy without a name is meant for each of the columns.
Result<query::Study> study_of(const Arguments& arguments, const std::vector<std::string>& columns);

}  // namespace vernier::cli
