#include "vernier/denoise/regular_tree.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

namespace vernier::denoise {
namespace {

constexpr std::size_t most_nodes = std::size_t{1} << 24;

double sum_of_children(std::span<const double> numbers, std::size_t node, std::size_t branching) {
  const auto first = numbers.begin() + static_cast<std::ptrdiff_t>(branching * node + 1);
  return std::accumulate(first, first + static_cast<std::ptrdiff_t>(branching), 0.0);
}

}  // namespace

Result<RegularTree> RegularTree::of(std::size_t branching, std::size_t levels) {
  if (branching < 2 || levels < 2) {
    return invalid("a regular tree needs at least 2 children per node and 2 levels, but they are " +
                   std::to_string(branching) + " and " + std::to_string(levels));
  }
  std::vector<std::size_t> starts{0};
  std::size_t width = 1;
  for (std::size_t level = 0; level < levels; ++level) {
    starts.push_back(starts.back() + width);
    if (starts.back() > most_nodes || branching > most_nodes) {
      return invalid("a regular tree has at most " + std::to_string(most_nodes) + " nodes, but one of " +
                         std::to_string(levels) + " levels with " + std::to_string(branching) +
                         " children per node has more",
                     "ask for fewer levels");
    }
    width *= branching;
  }
  return RegularTree(branching, std::move(starts));
}

Result<void> RegularTree::examine(std::span<const double> variances) const {
  const bool are_positive = std::ranges::all_of(variances, [](double v) { return v > 0 && std::isfinite(v); });
  if (variances.size() == levels() && are_positive) return {};
  return invalid("a tree of " + std::to_string(levels()) + " levels needs as many variances, finite and positive");
}

// Of each node from its own subtree alone: 1 / u = 1 / v + 1 / (branching * u of the next level).
std::vector<double> RegularTree::upward_variances(std::span<const double> variances) const {
  std::vector<double> up(variances.begin(), variances.end());
  for (std::size_t level = levels() - 1; level-- > 0;) {
    const double below = static_cast<double>(branching_) * up[level + 1];
    up[level] = variances[level] * below / (variances[level] + below);
  }
  return up;
}

std::size_t RegularTree::level_of(std::size_t node) const {
  return static_cast<std::size_t>(std::ranges::upper_bound(starts_, node) - starts_.begin()) - 1;
}

Result<std::vector<double>> RegularTree::estimates(std::span<const double> measured,
                                                   std::span<const double> variances) const {
  VERNIER_TRY(examine(variances));
  if (measured.size() != nodes()) {
    return invalid("a tree needs one number per node, " + std::to_string(nodes()) + ", but there are " +
                   std::to_string(measured.size()));
  }
  const std::vector<double> up = upward_variances(variances);
  std::vector<double> numbers(measured.begin(), measured.end());
  for (std::size_t node = starts_[levels() - 1]; node-- > 0;) {
    const double part = up[level_of(node)] / variances[level_of(node)];  // of its own measurement
    numbers[node] = part * measured[node] + (1 - part) * sum_of_children(numbers, node, branching_);
  }
  for (std::size_t node = 0; node < starts_[levels() - 1]; ++node) {
    const double missing = numbers[node] - sum_of_children(numbers, node, branching_);
    for (std::size_t i = 1; i <= branching_; ++i) {
      numbers[branching_ * node + i] += missing / static_cast<double>(branching_);
    }
  }
  return numbers;
}

// A child is what its subtree says, less the mean of that over its siblings, plus its part of the parent.
Result<std::vector<double>> RegularTree::estimate_variances(std::span<const double> variances) const {
  VERNIER_TRY(examine(variances));
  std::vector<double> found = upward_variances(variances);
  const auto k = static_cast<double>(branching_);
  for (std::size_t level = 1; level < levels(); ++level) {
    found[level] = found[level] * (1 - 1 / k) + found[level - 1] / (k * k);
  }
  return found;
}

Layout RegularTree::layout() const {
  Layout layout{leaves(), std::vector<std::vector<std::size_t>>(nodes() - leaves())};
  for (std::size_t cell = 0; cell < leaves(); ++cell) {
    for (std::size_t node = starts_[levels() - 1] + cell; node > 0;) {
      node = (node - 1) / branching_;
      layout.totals[node].push_back(cell);
    }
  }
  return layout;
}

}  // namespace vernier::denoise
