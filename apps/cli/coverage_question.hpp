#pragma once

#include "cli/arguments.hpp"
#include "vernier/coverage/question.hpp"

namespace vernier::cli {

// The statistic, the claim and the way to make intervals, from --statistic, --fraction, --covers, --guaranteed,
// --interval, --mechanism, --public-count and --delta.
Result<coverage::Question> coverage_question(const Arguments& arguments);

}  // namespace vernier::cli
