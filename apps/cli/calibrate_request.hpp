#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/calibrate_stated.hpp"
#include "vernier/accuracy/calibration.hpp"
#include "vernier/core/result.hpp"

namespace vernier::cli {

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
