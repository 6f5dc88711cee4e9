#pragma once

#include <vector>

#include "cli/calibrate_request.hpp"

namespace vernier::cli {

// A question and its figures as they are shown: what was stated as it was written, what was found as it was rounded.
struct Answer {
  Question question;
  accuracy::Figures figures;
};

Result<Answer> answer_to(const Subject& subject, accuracy::Cells cells, const Question& question);
Result<std::vector<Answer>> answers_to(const CalibrateRequest& request);

}  // namespace vernier::cli
