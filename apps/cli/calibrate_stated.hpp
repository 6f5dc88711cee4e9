#pragma once

#include <optional>

#include "cli/calibrate_subject.hpp"
#include "cli/decimal.hpp"
#include "cli/spelling.hpp"
#include "vernier/accuracy/calibration.hpp"
#include "vernier/core/result.hpp"

namespace vernier::cli {

// What the user states of a release, in numbers as they were written.
struct Stated {
  std::optional<Decimal> epsilon, scale, accuracy, delta;
  Decimal alpha;
};

// One question with all its numbers checked and rounded toward safety.
struct Question {
  Stated stated;
  accuracy::Known known;
  accuracy::Alpha alpha;
};

// Whether what is stated tells the rest, and no more than that. `draws` where a picture over budgets is wanted.
Result<void> check_stated(const Subject& subject, const Stated& stated, bool draws, const Spelling& spelling);

// Of a statement that was checked.
Result<Question> question_of(const Subject& subject, const Stated& stated);

}  // namespace vernier::cli
