#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/calibrate_subject.hpp"
#include "cli/decimal.hpp"
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

struct CalibrateRequest {
  Subject subject;
  accuracy::Cells cells;
  std::optional<std::string> sweep;  // the key that it goes over
  std::vector<Question> questions;   // one, or one for each point of the sweep
  std::optional<std::string> plot;   // the file to draw in
  bool json;
};

// The keys that --sweep takes.
std::vector<std::string> sweep_keys();

Result<CalibrateRequest> calibrate_request(const Arguments& arguments);

}  // namespace vernier::cli
