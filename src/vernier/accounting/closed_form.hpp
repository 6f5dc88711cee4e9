#pragma once

#include <optional>
#include <span>

#include "vernier/accounting/event.hpp"

namespace vernier::accounting {

// The curve of events that have an exact one: a single release, sampled or not, and any list of Gaussians that are not
// sampled, which is one Gaussian with mu^2 = sum of mu_i^2.
class ClosedForm {
 public:
  static std::optional<ClosedForm> of(std::span<const Event> events);

  Bounds delta(privacy::Epsilon epsilon) const;
  Result<Bounds> epsilon(privacy::Delta delta) const;

 private:
  ClosedForm(privacy::PrivacyCurve upper, privacy::PrivacyCurve lower)
      : upper_(std::move(upper)), lower_(std::move(lower)) {}
  privacy::PrivacyCurve upper_;  // with mu rounded up
  privacy::PrivacyCurve lower_;  // with mu rounded down
};

}  // namespace vernier::accounting
