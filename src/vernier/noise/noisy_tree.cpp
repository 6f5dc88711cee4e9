#include "vernier/noise/noisy_tree.hpp"

#include <numeric>

namespace vernier::noise {

RowsBefore::RowsBefore(std::span<const Occupied> rows) : rows_(rows) {
  before_.reserve(rows.size() + 1);
  before_.push_back(0);
  for (const Occupied& each : rows) before_.push_back(before_.back() + each.rows);
}

std::int64_t RowsBefore::operator()(std::int64_t point) const {
  const auto found = std::lower_bound(rows_.begin(), rows_.end(), point,
                                      [](const Occupied& each, std::int64_t wanted) { return each.point < wanted; });
  return before_[static_cast<std::size_t>(found - rows_.begin())];
}

namespace {

TreeSum sum_of(std::span<const std::int64_t> counts) {
  return std::accumulate(counts.begin(), counts.end(), TreeSum{0});
}

}  // namespace

TreeSum Boundaries::before(std::size_t child) const {
  return start + 2 * TreeSum{denominator} * sum_of(children.first(child));
}

std::size_t Boundaries::first_reaching(TreeSum least) const {
  TreeSum here = start;
  for (std::size_t child = 0; child + 1 < children.size(); ++child) {
    here += 2 * TreeSum{denominator} * children[child];
    if (here >= least) return child;
  }
  return children.size() - 1;
}

std::size_t Boundaries::last_within(TreeSum most) const {
  TreeSum here = start;
  std::size_t found = 0;
  for (std::size_t child = 1; child < children.size(); ++child) {
    here += 2 * TreeSum{denominator} * children[child - 1];
    if (here <= most) found = child;
  }
  return found;
}

Boundaries at_root(const RankStatistic& statistic, std::span<const std::int64_t> children) {
  return {-2 * TreeSum{statistic.numerator()} * sum_of(children), statistic.denominator(), children};
}

Boundaries below(const Boundaries& above, std::size_t child, std::span<const std::int64_t> children) {
  const TreeSum missing = above.children[child] - sum_of(children);
  return {above.before(child) + above.denominator * missing, above.denominator, children};
}

}  // namespace vernier::noise
