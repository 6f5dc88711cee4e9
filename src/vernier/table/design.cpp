#include "vernier/table/design.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace vernier::table {
namespace {

constexpr double wanted_gap = 1e-7;
constexpr int most_steps = 4000;

// g_A: how much the variance of residual A counts, where that of table W counts multipliers[W].
std::vector<double> counted(const Lattice& lattice, std::span<const double> multipliers) {
  std::vector<double> sum(lattice.residuals().size(), 0.0);
  for (std::size_t table = 0; table < multipliers.size(); ++table) {
    for (const Lattice::Part& part : lattice.parts(table)) sum[part.residual] += part.weight * multipliers[table];
  }
  return sum;
}

// sqrt(p_A / g_A), for which the sum of p_A / v_A + g_A v_A is least.
std::vector<double> balanced(const Lattice& lattice, const std::vector<double>& g) {
  constexpr double next_to_nothing = 1e-300;
  std::vector<double> variances(g.size());
  for (std::size_t i = 0; i < g.size(); ++i)
    variances[i] = std::sqrt(lattice.price(i) / std::max(g[i], next_to_nothing));
  return variances;
}

// The sum of sqrt(p_A g_A).
double root_sum(const Lattice& lattice, const std::vector<double>& g) {
  double sum = 0;
  for (std::size_t i = 0; i < g.size(); ++i) sum += std::sqrt(lattice.price(i) * g[i]);
  return sum;
}

void normalise(std::vector<double>& multipliers, std::span<const double> targets) {
  const double sum = std::inner_product(multipliers.begin(), multipliers.end(), targets.begin(), 0.0);
  for (double& one : multipliers) one /= sum;
}

std::vector<double> inverses(std::span<const double> targets) {
  std::vector<double> found;
  for (const double one : targets) found.push_back(1 / one);
  return found;
}

}  // namespace

double cost_of(const Lattice& lattice, std::span<const double> variances) {
  double cost = 0;
  for (std::size_t i = 0; i < variances.size(); ++i) cost += lattice.price(i) / variances[i];
  return cost;
}

// Cauchy and Schwarz: (sum sqrt(p g))^2 <= (sum p / v) (sum g v), and the last sum is at most multipliers * bounds.
double least_cost(const Lattice& lattice, std::span<const double> multipliers, std::span<const double> bounds) {
  const double root = root_sum(lattice, counted(lattice, multipliers));
  return root * root / std::inner_product(multipliers.begin(), multipliers.end(), bounds.begin(), 0.0);
}

Design scaled(Design design, double factor) {
  for (double& one : design.variances) one *= factor;
  design.cost /= factor;
  design.least /= factor;
  return design;
}

// lambda <- lambda * (variance / target), normalised. Every step has a point that meets the targets, and one of the
// dual.
Design design_for(const Lattice& lattice, std::span<const double> targets, std::vector<double> multipliers) {
  Design best{.variances = {}, .multipliers = {}, .cost = std::numeric_limits<double>::infinity()};
  if (multipliers.empty()) multipliers = inverses(targets);
  normalise(multipliers, targets);
  while (best.steps < most_steps && !(best.least > 0 && best.gap() <= wanted_gap)) {
    ++best.steps;
    const std::vector<double> g = counted(lattice, multipliers);
    const std::vector<double> variances = balanced(lattice, g);
    std::vector<double> ratios = table_variances(lattice, variances);
    for (std::size_t i = 0; i < ratios.size(); ++i) ratios[i] /= targets[i];
    const double most = *std::ranges::max_element(ratios);
    if (const double cost = cost_of(lattice, variances) * most; cost < best.cost) {
      best.cost = cost;
      best.variances = variances;
      for (double& one : best.variances) one /= most;
    }
    const double root = root_sum(lattice, g);
    if (root * root > best.least) {
      best.least = root * root;
      best.multipliers = multipliers;
    }
    for (std::size_t i = 0; i < ratios.size(); ++i) multipliers[i] *= ratios[i];
    normalise(multipliers, targets);
  }
  return best;
}

Design design_of_least_sum(const Lattice& lattice, std::span<const double> weights) {
  const std::vector<double> g = counted(lattice, weights);
  const double root = root_sum(lattice, g);
  Design design{.variances = balanced(lattice, g),
                .multipliers = {weights.begin(), weights.end()},
                .cost = 1,
                .least = 1,
                .steps = 1};
  for (double& one : design.variances) one *= root;
  return design;
}

}  // namespace vernier::table
