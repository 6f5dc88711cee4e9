#include <algorithm>
#include <cmath>

#include "vernier/core/text.hpp"
#include "vernier/plan/bind/derived.hpp"
#include "vernier/plan/bind/nodes.hpp"
#include "vernier/plan/bind/public_count.hpp"
#include "vernier/plan/bind/ranks.hpp"
#include "vernier/plan/plan.hpp"
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
using plan::MeasurementKind;

Result<plan::Sensitivity> sensitivity_of(const BoundStatistic& statistic, const Measurement& one, plan::Steps steps) {
  const plan::Groups groups = statistic.keys.groups();
  const privacy::Neighbours neighbours = statistic.table.neighbours;
  switch (one.kind) {
    case MeasurementKind::units:
      return plan::count_sensitivity({statistic.contribution.max_groups, 1}, groups, neighbours);
    case MeasurementKind::count:
      if (statistic.weighted) return plan::weighted_count_sensitivity(statistic);
      return plan::count_sensitivity(statistic.contribution, groups, neighbours);
    case MeasurementKind::distinct:
      return plan::count_sensitivity(statistic.contribution, groups, neighbours);
    case MeasurementKind::sum:
      return plan::sum_sensitivity(steps, statistic.contribution, groups, neighbours);
    case MeasurementKind::mean:
      return plan::mean_sensitivity(one.steps, statistic.contribution, groups, neighbours);
    case MeasurementKind::moments:
      return plan::moment_sensitivity(one.steps * one.fineness * plan::heaviest_of(statistic), statistic.contribution,
                                      groups, neighbours);
    case MeasurementKind::public_mean:
    case MeasurementKind::public_moments:
      return plan::public_count_sensitivity(statistic, one);
    case MeasurementKind::quantile_tree:
      return plan::tree_sensitivity(one, statistic.contribution, groups, neighbours);
    case MeasurementKind::quantiles:
      break;
  }
  return plan::rank_sensitivity(one, statistic.contribution, groups, neighbours, plan::heaviest_of(statistic));
}

struct Range {
  Int128 least;
  Int128 greatest;
};

// What row limit and bounds allow.
Range range_of(const BoundStatistic& statistic, const Measurement& one, plan::Steps steps) {
  const Int128 rows = statistic.table.row_limit;
  if (plan::has_public_count(one.kind)) return {0, rows * one.steps * one.fineness};
  if (plan::has_nodes(one.kind)) return {0, rows * one.steps * one.fineness * plan::heaviest_of(statistic)};
  if (plan::has_histogram(one.kind)) {
    const auto grid = plan::rank_grid(one);
    return {0, grid ? grid->points() - 1 : 0};
  }
  if (one.kind == MeasurementKind::count) return {0, rows * plan::heaviest_of(statistic)};
  if (one.kind != MeasurementKind::sum) return {0, rows};
  return {rows * std::min<std::int64_t>(steps.lower, 0), rows * std::max<std::int64_t>(steps.upper, 0)};
}

// The steps of the values that a sum adds up: those of the argument of its tally. None where it names no such one.
std::optional<plan::Steps> steps_of(const BoundStatistic& statistic, const Measurement& one) {
  if (one.kind != MeasurementKind::sum) return plan::Steps{0, 0};
  if (one.tallies.size() != 1 || one.tallies.front() >= statistic.tallies.size()) return std::nullopt;
  const plan::Tally& tally = statistic.tallies[one.tallies.front()];
  if (tally.kind != plan::TallyKind::sum || tally.argument >= statistic.arguments.size()) return std::nullopt;
  return statistic.arguments[tally.argument].steps;
}

// Counts are whole.
bool is_plain(const Measurement& one) {
  const bool has_steps = plan::has_nodes(one.kind) || plan::has_public_count(one.kind) || plan::has_histogram(one.kind);
  return one.kind == MeasurementKind::sum || has_steps || one.granularity == 1;
}

// Nodes of moments are as fine as the rule makes them; nothing else has a fineness, or is measured by nodes of weighted
// rows.
bool is_fine(const BoundStatistic& statistic, const Measurement& one) {
  if (plan::has_public_count(one.kind) && statistic.weighted) return false;
  if (one.kind == MeasurementKind::mean && statistic.weighted) return false;
  const bool has_squares = one.kind == MeasurementKind::moments || one.kind == MeasurementKind::public_moments;
  const bool is_weighted_count = one.kind == MeasurementKind::count && statistic.weighted;
  const bool is_weighted_rank = one.kind == MeasurementKind::quantiles && statistic.weighted;
  if (is_weighted_rank && !plan::weighted_ranks_fit(statistic, one)) return false;
  if (is_weighted_count && !plan::weights_fit(statistic, 1)) return false;
  if (!has_squares) return one.fineness == 1;
  if (statistic.weighted && !plan::weights_fit(statistic, one.steps)) return false;
  return one.fineness == plan::node_fineness(statistic, one.steps);
}

std::size_t width_of(const Measurement& one) {
  const MeasurementKind kind = one.kind;
  if (kind == MeasurementKind::quantiles) return plan::rank_width(one);
  if (kind == MeasurementKind::public_moments) return 4;
  if (kind == MeasurementKind::public_mean) return 2;
  if (kind == MeasurementKind::moments) return 3;
  return kind == MeasurementKind::mean ? 2 : 1;
}

bool can_show(const Measurement& one) {
  if (plan::has_nodes(one.kind)) return plan::can_show(one.kind, one.figure);
  if (plan::has_public_count(one.kind)) return one.figure == plan::Figure::mean;
  if (one.kind == MeasurementKind::quantile_tree) return one.figure == plan::Figure::quantile;
  if (one.kind == MeasurementKind::quantiles) return plan::is_in_ranks(one.figure);
  return one.figure == (one.kind == MeasurementKind::sum ? plan::Figure::sum : plan::Figure::count);
}

// Nodes and trees show several figures; of all others it is the same number under two names.
bool can_share(const Measurement& source, const Measurement& one) {
  const bool is_same = source.figure == one.figure && source.fraction == one.fraction;
  const bool shows_several = plan::has_nodes(one.kind) || one.kind == MeasurementKind::quantile_tree;
  return !source.source && source.kind == one.kind && source.tallies == one.tallies &&
         source.granularity == one.granularity && source.origin == one.origin && source.steps == one.steps &&
         source.fineness == one.fineness && (is_same || shows_several);
}

// What it is published as, and how many integers it brings: none where it shares those of another.
bool is_well_made(const BoundStatistic& statistic, std::size_t place) {
  const Measurement& one = statistic.measurements[place];
  if (!can_show(one)) return false;
  if (!one.source && one.kind == MeasurementKind::quantile_tree) return plan::is_tree_as_shared(statistic, place);
  if (!one.source) return one.width == width_of(one);
  return one.width == 0 && can_share(statistic.measurements[*one.source], one);
}

// Private keys are chosen by the number of units, which is measured first and once.
bool has_units_in_place(const BoundStatistic& statistic) {
  if (statistic.keys.are_public) return true;
  for (std::size_t i = 0; i < statistic.measurements.size(); ++i) {
    const Measurement& one = statistic.measurements[i];
    const bool is_measured_here = one.kind == MeasurementKind::units && !one.source;
    if (is_measured_here != (i == 0)) return false;
  }
  return true;
}

bool is_clamped_count(const BoundStatistic& statistic, const std::string& name) {
  return std::any_of(statistic.measurements.begin(), statistic.measurements.end(), [&](const Measurement& one) {
    return one.kind == MeasurementKind::count && one.aggregation && plan::column_of(statistic, one) == name;
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
  const std::optional<plan::Steps> summed = steps_of(statistic, one);
  if (!summed || !is_plain(one) || !is_fine(statistic, one)) {
    return differs(place, "its steps", "given", "those of its kind");
  }
  const plan::Steps steps = *summed;
  if (!is_well_made(statistic, number)) return differs(place, "its figure", "given", "one of what was measured");
  const Range range = range_of(statistic, one, steps);
  if (one.least != range.least || one.greatest != range.greatest) {
    return differs(place, "range of the exact number, from",
                   std::to_string(one.least).append(" to ").append(std::to_string(one.greatest)),
                   "what row limit and bounds allow");
  }
  const Result<plan::Sensitivity> found = sensitivity_of(statistic, one, steps);
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
  const std::vector<std::string> found = assumptions_of(*all.plan, all.record.public_files, all.record.tables);
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
