#include "vernier/plan/key_threshold.hpp"

#include <cmath>

#include "vernier/accounting/failure.hpp"
#include "vernier/accounting/key_rule.hpp"
#include "vernier/numeric/normal_quantile.hpp"
#include "vernier/numeric/search.hpp"

namespace vernier::plan {
namespace {

constexpr std::int64_t greatest_threshold = std::int64_t{1} << 53;

// About where the tail of one key is its part of the risk; only speed depends on it.
double guess(const noise::Geometric& law, double log_tail) {
  return 1 - law.scale() * (log_tail + std::log1p(std::exp(-1 / law.scale())));
}
double guess(const noise::DiscreteGaussian& law, double log_tail) {
  return 1.5 + law.scale() * numeric::normal_upper_point(std::fmin(log_tail, std::log(0.5)));
}
double guess(const noise::Exponential&, double) { return 1; }

template <class Known>
Bounds escape(const accounting::KeyRule& rule, const Known& law) {
  return rule.escape(law);
}
// Nothing is certain of keys that a choice would choose: no threshold serves.
Bounds escape(const accounting::KeyRule&, const noise::Exponential&) { return {0, 1}; }

}  // namespace

Bounds escape_of_any(const Law& law, std::int64_t touched, std::int64_t threshold) {
  const accounting::KeyRule rule(threshold);
  accounting::AnyFailure any;
  any.add(std::visit([&](const auto& known) { return escape(rule, known); }, law), static_cast<double>(touched));
  return any.chance();
}

Result<std::int64_t> least_threshold(const Law& law, KeyRisk risk) {
  const double log_tail = std::log(risk.delta) - std::log(static_cast<double>(risk.touched));
  const double about = std::ceil(std::visit([&](const auto& known) { return guess(known, log_tail); }, law));
  const auto keeps = [&](std::int64_t threshold) {
    return escape_of_any(law, risk.touched, threshold).upper <= risk.delta;
  };
  return numeric::least_integer(keeps, static_cast<std::int64_t>(about), {1, greatest_threshold});
}

}  // namespace vernier::plan
