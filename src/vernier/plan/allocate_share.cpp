#include "vernier/plan/allocate_share.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "vernier/accounting/key_rule.hpp"

namespace vernier::plan {
namespace {

double copies_of(const NoiseItem& item, privacy::Neighbours neighbours) {
  return static_cast<double>(item.keys ? accounting::touched_keys(item.keys->groups, neighbours) : item.coordinates);
}

double cost_of_one(const NoiseItem& item, const Law& law, privacy::Delta delta) {
  if (delta.is_pure()) return static_cast<double>(item.shift) / scale_of(law);
  return std::visit([&](const auto& known) { return expected_loss(known, item.shift); }, law);
}

}  // namespace

// (E|X - d| - E|X|) / scale with q = e^(-1/scale), where E(X - d)+ = q^(d+1) / (1 - q^2). Near d = 0, where nothing
// would be left of the difference, d^2 / (2 scale^2).
double expected_loss(const noise::Geometric& law, std::int64_t shift) {
  const double scale = law.scale(), moved = static_cast<double>(shift) / scale;
  if (moved < 1e-4 && scale > 1e4) return moved * moved / 2;
  const double back = 2 * std::exp(-1 / scale) * std::expm1(-moved) / std::expm1(-2 / scale);
  return std::max(0.0, moved - back / scale);
}

double expected_loss(const noise::DiscreteGaussian& law, std::int64_t shift) {
  const double moved = static_cast<double>(shift) / law.scale();
  return moved * moved / 2;
}

double expected_loss(const noise::Exponential& law, std::int64_t shift) {
  const double epsilon = static_cast<double>(shift) / law.scale();
  return epsilon * std::tanh(epsilon / 2);
}

std::vector<double> shares_of(const std::vector<NoiseItem>& items, const std::vector<Law>& laws,
                              privacy::Neighbours neighbours, privacy::Delta delta) {
  std::vector<double> costs;
  for (std::size_t i = 0; i < items.size(); ++i) {
    costs.push_back(copies_of(items[i], neighbours) * cost_of_one(items[i], laws[i], delta));
  }
  const double total = std::accumulate(costs.begin(), costs.end(), 0.0);
  for (double& cost : costs) cost /= total;
  return costs;
}

}  // namespace vernier::plan
