#include "vernier/plan/public_count.hpp"
#include "vernier/release/examination.hpp"
#include "vernier/release/noisy_column.hpp"

// Whether a statistic may rest on a public number of rows, and rests on the one that it states.
namespace vernier::release {
namespace {

std::string text_of(const std::optional<std::int64_t>& rows) { return rows ? std::to_string(*rows) : "missing"; }

// The number of rows is the first of the integers of every measurement that rests on it.
Result<void> check_rows_of(const Examination& all, std::size_t place, std::int64_t stated) {
  const plan::BoundStatistic& statistic = all.study.statistics[place];
  for (std::size_t i = 0; i < statistic.measurements.size(); ++i) {
    if (!plan::has_public_count(statistic.measurements[i].kind)) continue;
    for (const Row& row : all.record.tables[place].rows) {
      const NoisyColumn column = noisy_column(statistic, i);
      const bool is_same = column.width > 0 && column.of(row).front() == stated;
      if (!is_same) return differs(place_of(statistic), "public_count", std::to_string(stated), "that of its numbers");
    }
  }
  return {};
}

}  // namespace

Result<void> check_public_count(const Examination& all, std::size_t place) {
  const plan::BoundStatistic& statistic = all.study.statistics[place];
  const std::optional<std::int64_t>& stated = all.record.public_counts[place];
  const bool is_needed = plan::rests_on_public_count(statistic);
  if (is_needed != stated.has_value()) {
    return differs(place_of(statistic), "public_count", text_of(stated), is_needed ? "given" : "left out");
  }
  if (!is_needed) return {};
  if (!plan::has_all_rows_of_public_count(statistic) || all.record.tables[place].rows.size() != 1) {
    return differs(place_of(statistic), "public_count", text_of(stated),
                   "left out, since only under replace, with rows as units and without groups, it is public");
  }
  return check_rows_of(all, place, *stated);
}

}  // namespace vernier::release
