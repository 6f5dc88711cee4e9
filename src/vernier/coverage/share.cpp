#include "vernier/coverage/share.hpp"

#include <boost/math/special_functions/beta.hpp>

namespace vernier::coverage {
namespace {

constexpr double outward = 1e-12;  // far more than Boost's error in doubles

}  // namespace

Bounds clopper_pearson(Hits hits, Probability level) {
  const auto k = static_cast<double>(hits.hits), n = static_cast<double>(hits.trials);
  const double half = level.value() / 2;
  const double low = k == 0 ? 0 : boost::math::ibeta_inv(k, n - k + 1, half);
  const double high = k == n ? 1 : boost::math::ibetac_inv(k + 1, n - k, half);
  return {low * (1 - outward), k == n ? 1 : high + (1 - high) * outward};
}

// P[Binomial(n, p) <= k] = I_{1-p}(n - k, k + 1).
bool is_refuted(Hits hits, double claim, double level) {
  if (hits.hits == hits.trials) return false;
  const auto k = static_cast<double>(hits.hits), n = static_cast<double>(hits.trials);
  return boost::math::ibetac(k + 1, n - k, claim) <= level;
}

}  // namespace vernier::coverage
