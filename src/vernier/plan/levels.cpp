#include "vernier/plan/levels.hpp"

#include <algorithm>
#include <set>

#include "vernier/interval/simultaneous.hpp"

namespace vernier::plan {
namespace {

// Of published columns: how many have noise of their own, how many there are, and how many share with this one.
struct Figures {
  std::int64_t independent = 0;
  std::int64_t all = 0;
  std::int64_t alike = 0;
};

Figures figures_of(const BoundStatistic& statistic, std::size_t measurement) {
  const auto source_of = [&](std::size_t i) { return statistic.measurements[i].source.value_or(i); };
  std::set<std::size_t> sources;
  Figures found;
  for (std::size_t i = 0; i < statistic.measurements.size(); ++i) {
    if (!statistic.measurements[i].aggregation) continue;
    sources.insert(source_of(i));
    ++found.all;
    found.alike += source_of(i) == source_of(measurement) ? 1 : 0;
  }
  found.independent = static_cast<std::int64_t>(sources.size());
  return found;
}

}  // namespace

Result<Alpha> level_of(const BoundStatistic& statistic, std::size_t measurement, Alpha together, std::int64_t groups) {
  if (!statistic.inference.is_simultaneous) return together;
  const Figures figures = figures_of(statistic, measurement);
  if (figures.alike == 0) return together;  // nothing is published from it
  if (statistic.inference.of_population) return interval::each_of(together, 1, groups * figures.all);
  return interval::each_of(together, groups * figures.independent, figures.alike);
}

std::int64_t planned_groups(const BoundStatistic& statistic) {
  return statistic.keys.are_public ? released_groups(statistic, statistic.keys.cells.size()) : 1;
}

std::int64_t released_groups(const BoundStatistic& statistic, std::size_t rows) {
  const std::size_t groups = statistic.keys.are_public ? statistic.keys.cells.size() : rows;
  return static_cast<std::int64_t>(std::max<std::size_t>(groups, 1));
}

}  // namespace vernier::plan
