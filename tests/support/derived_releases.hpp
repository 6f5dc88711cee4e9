#pragma once

#include "support/signed_releases.hpp"

// Releases whose studies ask that something is made of their numbers.
namespace vernier::testing {

// Counts and sums of so many regions, with what is asked to be made of them.
inline BoundStatistic of_many_regions(std::size_t regions, query::Denoise denoise) {
  BoundStatistic made = with_columns(by_region(), {0, 1});
  made.keys.cells.clear();
  for (std::size_t i = 0; i < regions; ++i) {
    made.keys.cells.push_back({Value(std::string("region ").append(std::to_string(i)))});
  }
  made.inference.denoise = denoise;
  return made;
}

// The same without keys, and by region: both count the same rows.
inline std::vector<BoundStatistic> that_add_up(std::size_t regions) {
  BoundStatistic cells = with_columns(of_many_regions(regions, query::Denoise::consistent), {0}), total = cells;
  total.name = "all";
  total.query.keys.clear();
  total.query.outputs = {{false, 0}};
  total.keys.cells = {{}};
  cells.measurements[0].family = total.measurements[0].family = 1;
  return {cells, total};
}

// 100, 101, ... rows in the groups, and their sum where there is but one; debts are 0.
inline std::vector<RawGroup> even_groups(const BoundStatistic& statistic) {
  std::vector<RawGroup> groups;
  const auto count = static_cast<std::int64_t>(statistic.keys.cells.size());
  for (std::int64_t i = 0; i < count; ++i) groups.push_back({i, {}, {100 + i, 100 + i, 0, 0, 0}});
  if (statistic.query.keys.empty()) groups.front().tallies = {615, 615, 0, 0, 0};  // of six
  return groups;
}

inline BoundStatistic compared(BoundStatistic statistic, const std::string& first, const std::string& second) {
  statistic.inference.differences = {{first, second}, {second, first}};
  return statistic;
}

inline const std::vector<NamedRelease>& derived_releases() {
  static const std::vector<NamedRelease> made = {
      {"denoised", released({of_many_regions(6, query::Denoise::james_stein)}, {}, even_groups)},
      {"adding up", released(that_add_up(6), {}, even_groups)},
      {"differences", released({compared(by_region(), "south", "north")}, {})},
      {"private", released({compared(by_private_region(), "west\n'end'", "north \"pole\"")}, {})}};
  return made;
}

}  // namespace vernier::testing
