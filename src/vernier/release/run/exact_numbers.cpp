#include "vernier/release/run/exact_numbers.hpp"

#include <algorithm>
#include <array>

#include "vernier/engine/engine.hpp"
#include "vernier/plan/statistic/public_count.hpp"
#include "vernier/plan/statistic/statistic.hpp"
#include "vernier/release/number/public_count.hpp"

namespace vernier::release {
namespace {

using engine::RawGroup;
using plan::Measurement;
using query::Int128;

// A group that is absent has zeros.
std::int64_t tally_of(const RawGroup* group, std::size_t place) { return group == nullptr ? 0 : group->tallies[place]; }

// Between least and greatest, but for what is public.
void write(const plan::Measured& in, const RawGroup* group, std::span<std::int64_t> out) {
  if (out.empty() || plan::has_histogram(in.one.kind)) return;
  std::array<Int128, plan::most_tallies> tallies{};
  std::array<Int128, plan::most_integers> exact{};
  for (std::size_t i = 0; i < in.one.tallies.size(); ++i) tallies[i] = tally_of(group, in.one.tallies[i]);
  plan::write_integers(in, tallies, exact);
  const std::size_t kept = plan::public_integers(in.one.kind);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Int128 within = std::clamp(exact[i], Int128{in.one.least}, Int128{in.one.greatest});
    out[i] = static_cast<std::int64_t>(i < kept ? exact[i] : within);
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
  for (std::size_t i = 0; i < statistic.measurements.size(); ++i) {
    const plan::Measured in = plan::measured_at(statistic, i);
    if (plan::has_histogram(in.one.kind) && in.one.tallies.front() == histogram)
      most = std::min(most, plan::most_rows(in));
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

// Both are sorted by their keys.
std::vector<const RawGroup*> ExactNumbers::arrange_like(const ExactNumbers& other) {
  std::vector<const RawGroup*> own;
  for (const RawGroup& group : opening_.groups()) own.push_back(&group);
  const auto by_key = [](const RawGroup* group, const std::vector<query::Value>& key) { return group->keys < key; };
  std::sort(own.begin(), own.end(), [](const RawGroup* a, const RawGroup* b) { return a->keys < b->keys; });
  std::vector<const RawGroup*> found;
  for (const std::vector<query::Value>* const key : other.keys_) {
    const auto place = std::lower_bound(own.begin(), own.end(), *key, by_key);
    found.push_back(place != own.end() && (*place)->keys == *key ? *place : nullptr);
  }
  keys_ = other.keys_;
  return found;
}

std::vector<const RawGroup*> ExactNumbers::arrange(const plan::BoundStatistic& statistic, const ExactNumbers* like) {
  if (statistic.keys.are_public) return arrange_public(statistic.keys);
  return like != nullptr ? arrange_like(*like) : arrange_private(statistic.measurements.front().tallies.front());
}

void ExactNumbers::fill(const plan::BoundStatistic& statistic) {
  const std::vector<const RawGroup*>& groups = groups_;
  for (std::size_t place = 0; place < statistic.measurements.size(); ++place) {
    const plan::Measured in = plan::measured_at(statistic, place);
    Integers& numbers = numbers_.emplace_back(groups.size() * in.one.width);
    for (std::size_t i = 0; i < groups.size(); ++i)
      write(in, groups[i], numbers.all().subspan(i * in.one.width, in.one.width));
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

Result<ExactNumbers> ExactNumbers::of(const plan::BoundStatistic& statistic, engine::RawAggregates raw,
                                      const ExactNumbers* like) {
  ExactNumbers made(std::move(raw));
  if (!made.is_as_asked(statistic)) return engine::failed_run();
  made.numbers_.reserve(statistic.measurements.size());
  made.groups_ = made.arrange(statistic, like);
  made.fill(statistic);
  if (made.has_more_rows_than_may_be(statistic)) return more_rows_than_may_be(statistic.table);
  return made;
}

}  // namespace vernier::release
