#include "twin/difference.hpp"

#include <algorithm>
#include <map>

#include "support/recorder.hpp"
#include "vernier/plan/statistic/statistic.hpp"

namespace vernier::twin {
namespace {

using plan::Int128;
using Group = std::pair<std::int64_t, std::vector<query::Value>>;
using Numbers = std::map<Group, std::vector<Int128>>;

// As a release makes them, but not moved between least and greatest.
Numbers numbers_of(const plan::Measured& in, const engine::RawAggregates& raw) {
  Numbers numbers;
  for (const engine::RawGroup& group : testing::Recorder::groups(raw)) {
    std::vector<Int128> tallies, exact(plan::most_integers);
    for (const std::size_t tally : in.one.tallies) tallies.emplace_back(group.tallies[tally]);
    plan::write_integers(in, tallies, exact);
    numbers[{group.cell, group.keys}] = std::move(exact);
  }
  return numbers;
}

using Ranks = std::map<std::int64_t, Int128>;  // of each point: rows

std::map<Group, Ranks> ranks_of(const plan::Measurement& measurement, const engine::RawAggregates& raw) {
  std::map<Group, Ranks> all;
  for (const engine::RawGroup& group : testing::Recorder::groups(raw)) {
    Ranks& ranks = all[{group.cell, group.keys}];
    for (const noise::Occupied& one : group.histograms[measurement.tallies.front()]) ranks[one.point] += one.rows;
  }
  return all;
}

// The greatest difference of b * #{rows <= t} - a * #{rows} over all points t, the one before all rows among them: of a
// quantile's distances none moves further. A reach that grows with the rows above t, by a with each at most, may take
// back what these move, and so may one that grows with those up to t.
Int128 moved(const noise::RankStatistic& statistic, const Ranks& first, const Ranks& second) {
  Ranks change = second;
  Int128 rows = 0;
  for (const auto& [point, count] : first) change[point] -= count;
  for (const auto& [point, count] : change) rows += count;
  Int128 up_to = 0, greatest = 0;
  const auto look = [&] {
    const Int128 below = (statistic.denominator() - statistic.numerator()) * up_to;
    const Int128 above = -statistic.numerator() * (rows - up_to);
    for (const Int128 here :
         {below + above, statistic.is_of_sample() ? below : 0, statistic.is_of_sample() ? above : 0}) {
      greatest = std::max(greatest, here < 0 ? -here : here);
    }
  };
  look();
  for (const auto& [point, count] : change) {
    up_to += count;
    look();
  }
  return greatest;
}

void add(Norms& norms, Int128 difference) {
  const Int128 size = difference < 0 ? -difference : difference;
  norms.l0 += size > 0 ? 1 : 0;
  norms.linf = std::max(norms.linf, size);
  norms.l1 += size;
  // What is beyond 2^60 passes every other norm, and its square would not fit.
  norms.l2_squared += size < (Int128{1} << 60) ? size * size : 0;
}

std::string named(bool l0, bool linf, bool l1, bool l2) {
  std::string names;
  if (l0) names += "l0 ";
  if (linf) names += "linf ";
  if (l1) names += "l1 ";
  if (l2) names += "l2 ";
  return names;
}

Norms difference_of_ranks(const plan::Measurement& measurement, const engine::RawAggregates& first,
                          const engine::RawAggregates& second) {
  const noise::RankStatistic statistic = plan::rank_statistic(measurement).value();
  std::map<Group, Ranks> left = ranks_of(measurement, first), right = ranks_of(measurement, second);
  for (const auto& [group, ranks] : left) right.try_emplace(group);
  Norms norms;
  for (const auto& [group, ranks] : right) add(norms, moved(statistic, left[group], ranks));
  return norms;
}

// Over all nodes of all levels of a tree of counts.
Norms difference_of_trees(const plan::Measurement& measurement, const engine::RawAggregates& first,
                          const engine::RawAggregates& second) {
  const noise::CountTree tree = plan::tree_shape(measurement).value();
  std::map<Group, Ranks> left = ranks_of(measurement, first), right = ranks_of(measurement, second);
  for (const auto& [group, ranks] : left) right.try_emplace(group);
  Norms norms;
  for (const auto& [group, ranks] : right) {
    for (int level = 0; level < tree.levels(); ++level) {
      const std::int64_t width = tree.end_point(level, 0) - tree.first_point(level, 0);
      std::map<std::int64_t, Int128> nodes;
      for (const auto& [point, rows] : ranks) nodes[point / width] += rows;
      for (const auto& [point, rows] : left[group]) nodes[point / width] -= rows;
      for (const auto& [node, change] : nodes) add(norms, change);
    }
  }
  return norms;
}

}  // namespace

Norms difference(const plan::Measured& in, const engine::RawAggregates& first, const engine::RawAggregates& second) {
  if (plan::is_choice(in)) return difference_of_ranks(in.one, first, second);
  if (plan::has_histogram(in.one.kind)) return difference_of_trees(in.one, first, second);
  Numbers left = numbers_of(in, first), right = numbers_of(in, second);
  const std::size_t count = in.one.width;
  for (const auto& [group, numbers] : left) right.try_emplace(group, count, 0);
  Norms norms;
  for (const auto& [group, numbers] : right) {
    const std::vector<Int128>& others = left.try_emplace(group, count, 0).first->second;
    for (std::size_t i = 0; i < count; ++i) add(norms, numbers[i] - others[i]);
  }
  return norms;
}

std::string passed(const Norms& found, const plan::Sensitivity& declared) {
  return named(found.l0 > declared.l0, found.linf > declared.linf, found.l1 > declared.l1,
               found.l2_squared > declared.l2_squared);
}

std::string reached(const Norms& found, const plan::Sensitivity& declared) {
  return named(found.l0 == declared.l0, found.linf == declared.linf, found.l1 == declared.l1,
               found.l2_squared == declared.l2_squared);
}

bool lies_within(const plan::Measured& in, const engine::RawAggregates& raw) {
  const plan::Measurement& measurement = in.one;
  if (plan::has_histogram(measurement.kind)) {
    const auto all = ranks_of(measurement, raw);
    return std::all_of(all.begin(), all.end(), [&](const auto& group) {
      return std::all_of(group.second.begin(), group.second.end(), [&](const auto& one) {
        return measurement.least <= one.first && one.first <= measurement.greatest && one.second > 0;
      });
    });
  }
  const Numbers all = numbers_of(in, raw);
  return std::all_of(all.begin(), all.end(), [&](const auto& group) {
    return std::all_of(group.second.begin(), group.second.end(),
                       [&](Int128 x) { return measurement.least <= x && x <= measurement.greatest; });
  });
}

}  // namespace vernier::twin
