#include "vernier/release/run/exact_numbers.hpp"

#include <algorithm>

#include "vernier/engine/engine.hpp"
#include "vernier/plan/bind/public_count.hpp"
#include "vernier/plan/bind/ranks.hpp"
#include "vernier/release/number/public_count.hpp"

namespace vernier::release {
namespace {

using engine::RawGroup;
using plan::Measurement;
using plan::MeasurementKind;
using query::Int128;

std::int64_t clamped(Int128 value, const Measurement& measurement) {
  return static_cast<std::int64_t>(std::clamp(value, Int128{measurement.least}, Int128{measurement.greatest}));
}

// A group that is absent has zeros.
std::int64_t tally_of(const RawGroup* group, std::size_t place) { return group == nullptr ? 0 : group->tallies[place]; }

// Node sums add up to the weight of all values: the first of a mean, the middle one of moments is what is left. Of
// weighted rows a tally is that weight.
void write(const Measurement& measurement, bool is_weighted, const RawGroup* group, std::span<std::int64_t> out) {
  if (out.empty() || plan::has_histogram(measurement.kind)) return;
  const auto tally = [&](std::size_t place) { return Int128{tally_of(group, measurement.tallies[place])}; };
  const auto put = [&](std::size_t place, Int128 value) { out[place] = clamped(value, measurement); };
  if (measurement.kind == MeasurementKind::mean) {
    put(0, measurement.steps * tally(0) - tally(1));
    put(1, tally(1));
  } else if (measurement.kind == MeasurementKind::moments) {
    put(0, tally(1));
    const Int128 weight = is_weighted ? Int128{1} : Int128{measurement.steps} * measurement.fineness;
    put(1, weight * tally(0) - tally(1) - tally(2));
    put(2, tally(2));
  } else if (plan::has_public_count(measurement.kind)) {
    write_public_count(measurement,
                       {tally_of(group, measurement.tallies[0]), tally_of(group, measurement.tallies[1]),
                        measurement.tallies.size() > 2 ? tally_of(group, measurement.tallies[2]) : 0},
                       out);
  } else {
    put(0, tally(0));
  }
}

// Points of the grid by their order, each once, with rows; not more of these than ranks can count.
bool is_histogram(std::span<const noise::Occupied> all, std::int64_t points, std::int64_t most) {
  std::int64_t before = -1, rows = 0;
  for (const noise::Occupied& one : all) {
    if (one.point <= before || one.point >= points || one.rows < 1 || one.rows > most - rows) return false;
    before = one.point;
    rows += one.rows;
  }
  return true;
}

// What the fractions that are asked of it leave room for.
std::int64_t most_ranked(const plan::BoundStatistic& statistic, std::size_t histogram) {
  std::int64_t most = std::int64_t{1} << 61;
  for (const Measurement& one : statistic.measurements) {
    if (one.kind != MeasurementKind::quantiles || one.tallies.front() != histogram) continue;
    const auto ranked = plan::rank_statistic(one);
    most = std::min(most, ranked ? ranked->rows_that_fit() : 0);
  }
  return most;
}

bool has_histograms(const plan::BoundStatistic& statistic, const RawGroup& group) {
  if (group.histograms.size() != statistic.histograms.size()) return false;
  for (std::size_t i = 0; i < group.histograms.size(); ++i) {
    const plan::Histogram& asked = statistic.histograms[i];
    const std::int64_t points = (statistic.arguments[asked.argument].steps.upper >> asked.halvings) + 1;
    if (!is_histogram(group.histograms[i], points, most_ranked(statistic, i))) return false;
  }
  return true;
}

}  // namespace

std::span<const noise::Occupied> ExactNumbers::histogram(std::size_t group, std::size_t place) const {
  if (groups_[group] == nullptr) return {};
  return groups_[group]->histograms[place];
}

bool ExactNumbers::is_as_asked(const plan::BoundStatistic& statistic) const {
  const bool are_public = statistic.keys.are_public;
  const auto cells = static_cast<std::int64_t>(statistic.keys.cells.size());
  std::vector<bool> seen(are_public ? statistic.keys.cells.size() : 0);
  for (const RawGroup& group : opening_.groups()) {
    if (group.tallies.size() != statistic.tallies.size() || !has_histograms(statistic, group)) return false;
    if (!are_public && group.keys.size() != statistic.query.keys.size()) return false;
    if (!are_public) continue;
    if (group.cell < 0 || group.cell >= cells || seen[static_cast<std::size_t>(group.cell)]) return false;
    seen[static_cast<std::size_t>(group.cell)] = true;
  }
  return true;
}

std::vector<const RawGroup*> ExactNumbers::arrange_public(const plan::Keys& keys) {
  std::vector<const RawGroup*> found(keys.cells.size(), nullptr);
  for (const RawGroup& group : opening_.groups()) found[static_cast<std::size_t>(group.cell)] = &group;
  for (const std::vector<query::Value>& cell : keys.cells) keys_.push_back(&cell);
  return found;
}

std::vector<const RawGroup*> ExactNumbers::arrange_private(std::size_t units) {
  std::vector<const RawGroup*> found;
  for (const RawGroup& group : opening_.groups()) {
    if (group.tallies[units] > 0) found.push_back(&group);
  }
  std::sort(found.begin(), found.end(), [](const RawGroup* a, const RawGroup* b) { return a->keys < b->keys; });
  for (const RawGroup* group : found) keys_.push_back(&group->keys);
  return found;
}

void ExactNumbers::fill(const plan::BoundStatistic& statistic) {
  const std::vector<const RawGroup*>& groups = groups_;
  for (const Measurement& measurement : statistic.measurements) {
    Integers& numbers = numbers_.emplace_back(groups.size() * measurement.width);
    for (std::size_t i = 0; i < groups.size(); ++i)
      write(measurement, statistic.weighted.has_value(), groups[i],
            numbers.all().subspan(i * measurement.width, measurement.width));
  }
}

bool ExactNumbers::has_more_rows_than_may_be(const plan::BoundStatistic& statistic) const {
  for (std::size_t i = 0; i < statistic.measurements.size(); ++i) {
    const Measurement& one = statistic.measurements[i];
    if (one.width > 0 && plan::has_public_count(one.kind) && of_measurement(i)[0] > statistic.table.row_limit)
      return true;
  }
  return false;
}

Result<ExactNumbers> ExactNumbers::of(const plan::BoundStatistic& statistic, engine::RawAggregates raw) {
  ExactNumbers made(std::move(raw));
  if (!made.is_as_asked(statistic)) return engine::failed_run();
  made.numbers_.reserve(statistic.measurements.size());
  made.groups_ = statistic.keys.are_public ? made.arrange_public(statistic.keys)
                                           : made.arrange_private(statistic.measurements.front().tallies.front());
  made.fill(statistic);
  if (made.has_more_rows_than_may_be(statistic)) return more_rows_than_may_be(statistic.table);
  return made;
}

}  // namespace vernier::release
