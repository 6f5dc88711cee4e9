#include "vernier/plan/derived_columns.hpp"

#include <algorithm>

#include "vernier/core/suggestion.hpp"

namespace vernier::plan {
namespace {

using query::Denoise;

bool is_one_integer(MeasurementKind kind) {
  using enum MeasurementKind;
  return kind == units || kind == count || kind == sum || kind == distinct;
}

Result<void> check_denoise(const BoundStatistic& statistic) {
  if (statistic.inference.denoise == Denoise::none) return {};
  if (statistic.inference.of_population) {
    return invalid(
        "cannot be denoised and cover the population, since what is taken away is noise and not sampling error; leave "
        "out denoise or covers");
  }
  for (std::size_t i = 0; i < statistic.measurements.size(); ++i) {
    if (statistic.measurements[i].aggregation && has_plain_noise(statistic, i)) return {};
  }
  if (!statistic.keys.are_public) {
    return invalid(
        "has no column that can be denoised: its groups were chosen by their number of units, and other columns are "
        "no counts and sums; declare the keys in the catalog, or leave out denoise");
  }
  return invalid(
      "has no column that can be denoised: only counts and sums with noise of their own can; ask for one in a "
      "statistic without means of the same values, or leave out denoise");
}

bool is_ranked(const Measurement& one) { return one.aggregation && is_in_ranks(one.figure); }

std::vector<std::string> group_names(const Keys& keys) {
  std::vector<std::string> names;
  for (const auto& cell : keys.cells) names.push_back(query::text_of(cell.front()));
  return names;
}

Result<void> check_group(const std::vector<std::string>& names, const std::string& group) {
  if (std::find(names.begin(), names.end(), group) != names.end()) return {};
  if (names.empty()) return invalid("has no groups, so that they have no differences; leave out differences");
  return invalid("has no group '" + group + "'" + suggestion(group, names) +
                 "; differences are of groups that the catalog declares, such as '" + names.front() + "'");
}

Result<void> check_differences(const BoundStatistic& statistic) {
  const query::Inference& asked = statistic.inference;
  if (asked.differences.empty()) return {};
  if (statistic.query.keys.size() != 1) {
    return invalid("has " + std::to_string(statistic.query.keys.size()) +
                   " keys, but differences are of groups of one key; group by one, or leave out differences");
  }
  if (asked.is_simultaneous) {
    return invalid(
        "cannot have differences and simultaneous intervals, since those hold at once for its groups and not for their "
        "differences; leave out one of both, or make two statistics of it");
  }
  const auto& columns = statistic.query.aggregations;
  if (std::any_of(columns.begin(), columns.end(), [](const auto& one) { return one.name == "groups"; })) {
    return invalid("calls a column 'groups', as differences call their two groups; give it another name behind AS");
  }
  const auto& all = statistic.measurements;
  if (std::any_of(all.begin(), all.end(), is_ranked)) {
    return invalid(
        "has quantiles, whose ends are chosen for one confidence, so that their differences have none; ask for them in "
        "a statistic of their own");
  }
  if (!statistic.keys.are_public) return {};
  const std::vector<std::string> names = group_names(statistic.keys);
  for (const query::Difference& pair : asked.differences) {
    for (const std::string& group : pair) {
      if (const Result<void> found = check_group(names, group); !found) return found;
    }
  }
  return {};
}

}  // namespace

std::size_t measured_place(const BoundStatistic& statistic, std::size_t measurement) {
  return statistic.measurements[measurement].source.value_or(measurement);
}

bool has_plain_noise(const BoundStatistic& statistic, std::size_t measurement) {
  const std::size_t place = measured_place(statistic, measurement);
  const bool is_chosen_by = !statistic.keys.are_public && place == 0;
  return is_one_integer(statistic.measurements[place].kind) && !is_chosen_by;
}

Result<void> check_derived(const BoundStatistic& statistic) {
  return check_denoise(statistic).and_then([&] { return check_differences(statistic); });
}

}  // namespace vernier::plan
