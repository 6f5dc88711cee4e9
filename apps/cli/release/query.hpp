#pragma once

#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "vernier/core/result.hpp"
#include "vernier/study/study.hpp"

namespace vernier::cli {

// `vernier query`: one statement, released at once.
Usage query_usage();
Result<void> run_query(const Arguments& arguments, Output& output);

// What the options of `vernier query` say of a statement that was parsed.
Result<study::Question> question_of(const Arguments& arguments, query::Query query, const std::string& sql);

}  // namespace vernier::cli
