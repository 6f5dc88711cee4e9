#pragma once

#include <utility>

#include "vernier/privacy/parameters.hpp"
#include "vernier/privacy/privacy_curve.hpp"

namespace vernier::accounting {

// ln(1 + q (e^epsilon - 1)): the epsilon on a Poisson sample of a release that is epsilon-private, and its greatest
// loss (Li, Qardaji and Su 2012). Rounded outward, and never above epsilon.
Bounds sampled_epsilon(Bounds epsilon, privacy::SamplingRate rate);

// What one release on a Poisson sample gives away, exactly from the curve of the release itself, whose pair must be its
// own mirror image (as that of additive symmetric noise is): with x = e^epsilon and U the release's delta,
//     remove:  q U(1 + (x - 1)/q)          add:  a U(x q / a),  a = 1 - x (1 - q), or 0 where a <= 0
// and the larger of the two. sampled_curve.md.
class SampledCurve {
 public:
  SampledCurve(privacy::PrivacyCurve release, privacy::SamplingRate rate) : release_(std::move(release)), rate_(rate) {}

  // Where the release's own epsilon would be above 1e4, the lower end is 0 and the upper one that at 1e4.
  Bounds delta(privacy::Epsilon epsilon) const;
  // The least epsilon, within 1e-10 where it is below that. An error where none up to 1e4 does.
  Result<Bounds> epsilon(privacy::Delta delta) const;

 private:
  Bounds remove(privacy::Epsilon epsilon) const;
  Bounds add(privacy::Epsilon epsilon) const;
  Result<Bounds> pure_epsilon() const;
  double guess(privacy::Delta delta) const;

  privacy::PrivacyCurve release_;
  privacy::SamplingRate rate_;
};

}  // namespace vernier::accounting
