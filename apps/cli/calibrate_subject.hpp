#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/decimal.hpp"
#include "cli/spelling.hpp"
#include "vernier/accuracy/calibration.hpp"

namespace vernier::cli {

// The mechanism of a release, its scale still open.
struct Subject {
  std::string_view mechanism;
  std::optional<std::string_view> calibration;  // of the Gaussian only
  double sensitivity;                           // as it was written
  accuracy::Family family;

  bool is_over_integers() const;
  bool is_gaussian() const;  // discrete or not: private only at a delta above 0
};

// The names that --calibration takes.
std::vector<std::string> calibration_names();

Result<Subject> subject_named(std::string_view mechanism, const Written& sensitivity,
                              std::optional<std::string_view> calibration, const Spelling& spelling);

}  // namespace vernier::cli
