#include <algorithm>
#include <cmath>

#include "vernier/core/text.hpp"
#include "vernier/plan/bind/derived.hpp"
#include "vernier/plan/statistic/public_count.hpp"
#include "vernier/plan/statistic/statistic.hpp"
#include "vernier/release/derived/derived.hpp"
#include "vernier/release/record/release_json.hpp"
#include "vernier/release/verify/examination.hpp"

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

// What does not need the laws of the noise.
namespace {

using plan::BoundStatistic;
using plan::Int128;
using plan::Measurement;

// Private keys are chosen by the number of units, which is measured first and once.
bool has_units_in_place(const BoundStatistic& statistic) {
  if (statistic.keys.are_public) return true;
  for (std::size_t i = 0; i < statistic.measurements.size(); ++i) {
    const Measurement& one = statistic.measurements[i];
    const bool is_measured_here = one.kind == plan::Units::kind && !one.source;
    if (is_measured_here != (i == 0)) return false;
  }
  return true;
}

bool is_clamped_count(const BoundStatistic& statistic, const std::string& name) {
  return std::any_of(statistic.measurements.begin(), statistic.measurements.end(), [&](const Measurement& one) {
    return one.kind == plan::Count::kind && one.aggregation && plan::column_of(statistic, one) == name;
  });
}

// What bounds have changed names the column that counts the rows that were moved to them: where that was asked.
Result<void> check_clamped_counts(const BoundStatistic& statistic) {
  bool is_counted = false;
  for (const Measurement& one : statistic.measurements) {
    if (!one.clamped_count) continue;
    is_counted = true;
    if (one.figure == plan::Figure::count || !is_clamped_count(statistic, *one.clamped_count)) {
      return differs(place_of(statistic, one), "clamped_count", "'" + *one.clamped_count + "'",
                     "a count beside what bounds have changed");
    }
  }
  if (is_counted == statistic.inference.has_clamped_share) return {};
  return differs(place_of(statistic), "clamped_share", is_counted ? "false" : "true",
                 is_counted ? "true, since moved rows are counted" : "false, since no moved rows are counted");
}

Result<void> check_measurement(BoundStatistic& statistic, std::size_t number) {
  Measurement& one = statistic.measurements[number];
  const std::string place = place_of(statistic, one);
  const plan::Measured in{statistic, one, number};
  if (!plan::has_its_grid(in)) return differs(place, "its steps", "given", "those of its kind");
  if (!plan::is_well_made(in)) return differs(place, "its figure", "given", "one of what was measured");
  const plan::Range range = plan::range_of(in);
  if (one.least != range.least || one.greatest != range.greatest) {
    return differs(place, "range of the exact number, from",
                   std::to_string(one.least).append(" to ").append(std::to_string(one.greatest)),
                   "what row limit and bounds allow");
  }
  const Result<plan::Sensitivity> found = plan::sensitivity_of(in);
  if (!found) return invalid(after(place + ": it ", found.error()));
  if (found->shift != one.sensitivity.shift) {
    return differs(place, "sensitivity", std::to_string(one.sensitivity.shift), std::to_string(found->shift));
  }
  if (found->coordinates != one.sensitivity.coordinates) {
    return differs(place, "coordinates", std::to_string(one.sensitivity.coordinates),
                   std::to_string(found->coordinates));
  }
  one.sensitivity = *found;
  return {};
}

}  // namespace

bool is_close(double stated, double found, double relative, double size) {
  if (stated == found) return true;
  if (!std::isfinite(stated) || !std::isfinite(found)) return false;
  const double largest = std::max({std::fabs(stated), std::fabs(found), std::isfinite(size) ? std::fabs(size) : 0});
  return std::fabs(stated - found) <= relative * largest;
}

std::string place_of(const BoundStatistic& statistic) { return "statistic '" + statistic.name + "'"; }

std::string place_of(const BoundStatistic& statistic, const Measurement& measurement) {
  return place_of(statistic) + ", " + plan::column_of(statistic, measurement);
}

Failure differs(const std::string& place, const std::string& what, const std::string& stated,
                const std::string& should_be) {
  return invalid(place + ": " + what + " " + stated + " should be " + should_be);
}

Finding check_sensitivities(Examination& all) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < all.study.statistics.size(); ++i) {
    BoundStatistic& statistic = all.study.statistics[i];
    if (!has_units_in_place(statistic)) {
      return differs(place_of(statistic), "number of units", "as it is measured",
                     "the first measurement of private keys");
    }
    VERNIER_TRY(check_clamped_counts(statistic));
    VERNIER_TRY(check_public_count(all, i));
    if (const Result<void> checked = plan::check_inference(statistic); !checked) {
      return invalid(after(place_of(statistic) + ": it ", checked.error()));
    }
    for (std::size_t j = 0; j < statistic.measurements.size(); ++j, ++count) {
      VERNIER_TRY(check_measurement(statistic, j));
    }
  }
  return count;
}

Finding check_assumptions(Examination& all) {
  const std::vector<std::string> found =
      assumptions_of(*all.plan, all.record.public_files, all.record.tables, all.record.snapshot);
  if (found.size() != all.record.assumptions.size()) {
    return differs("assumptions", "number", std::to_string(all.record.assumptions.size()),
                   std::to_string(found.size()));
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i] != all.record.assumptions[i]) {
      return differs("assumptions", "sentence", "'" + all.record.assumptions[i] + "'", "'" + found[i] + "'");
    }
  }
  return static_cast<std::int64_t>(found.size());
}

}  // namespace vernier::release
