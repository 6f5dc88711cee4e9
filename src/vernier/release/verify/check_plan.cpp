#include <algorithm>

#include "vernier/core/hash.hpp"
#include "vernier/plan/statistic/nodes.hpp"
#include "vernier/plan/statistic/public_count.hpp"
#include "vernier/release/verify/examination.hpp"

// Whether the plan whose hash the ledger has is the one that the record states: its text is made from the record by the
// description that made it.
namespace vernier::release {
namespace {

using plan::Argument;
using plan::BoundStatistic;
using plan::Measurement;
using plan::MeasurementKind;

// What an argument makes of a row, without the expression.
bool has_same_grid(const Argument& a, const Argument& b) {
  const auto times = [](const Argument& one) { return one.weight ? std::optional(one.weight->total) : std::nullopt; };
  return a.granularity == b.granularity && a.origin == b.origin && a.steps.lower == b.steps.lower &&
         a.steps.upper == b.steps.upper && a.is_number == b.is_number && a.is_value == b.is_value &&
         a.square == b.square && times(a) == times(b);
}

bool is_weighted_count(const BoundStatistic& statistic, const Measurement& one) {
  return statistic.weighted && one.kind == MeasurementKind::count;
}

bool has_grid(const BoundStatistic& statistic, const Measurement& one) {
  return one.kind == MeasurementKind::sum || plan::has_nodes(one.kind) || plan::has_public_count(one.kind) ||
         plan::has_histogram(one.kind) || is_weighted_count(statistic, one);
}

const query::Expression& unread() {
  static const query::Expression expression = query::null_of(query::Type::boolean);
  return expression;
}

Argument weighted(Argument argument) {
  argument.weight = Argument::Weight{unread(), 1, 1};
  return argument;
}

Argument grid_of(const BoundStatistic& statistic, const Measurement& one) {
  const std::int64_t heaviest = plan::heaviest_of(statistic);
  if (is_weighted_count(statistic, one)) return weighted({unread(), 1, 0, {0, heaviest}, false});
  if (one.kind == MeasurementKind::sum) {
    const plan::Tally& tally = statistic.tallies.at(one.tallies.at(0));
    return {unread(), one.granularity, one.origin, statistic.arguments.at(tally.argument).steps};
  }
  const bool is_weighted = statistic.weighted && plan::has_nodes(one.kind);
  Argument made{unread(), one.granularity, one.origin, {0, one.steps * one.fineness * (is_weighted ? heaviest : 1)}};
  if (one.kind != MeasurementKind::moments && one.kind != MeasurementKind::public_moments) return made;
  made.square = Argument::Square{one.steps, one.fineness, false};
  return is_weighted ? weighted(made) : made;
}

// The weight itself, where ranks count it.
Argument weight_grid(const plan::SurveyWeight& weight) {
  return {unread(), weight.granularity, 0, {0, weight.heaviest}};
}

bool has(const BoundStatistic& statistic, const Argument& grid) {
  return std::any_of(statistic.arguments.begin(), statistic.arguments.end(),
                     [&](const Argument& one) { return has_same_grid(one, grid); });
}

Result<void> check_grids(const BoundStatistic& statistic) {
  for (const Measurement& one : statistic.measurements) {
    if (!has_grid(statistic, one)) continue;
    const bool is_ranked = statistic.weighted && one.kind == MeasurementKind::quantiles;
    if (!has(statistic, grid_of(statistic, one)) || (is_ranked && !has(statistic, weight_grid(*statistic.weighted)))) {
      return differs(place_of(statistic, one), "grid", "of its values", "one that the engine is asked for");
    }
  }
  return {};
}

}  // namespace

Finding check_plan(Examination& all) {
  for (const BoundStatistic& statistic : all.study.statistics) VERNIER_TRY(check_grids(statistic));
  VERNIER_TRY(const std::string hash, sha256(plan::canonical(all.record.plan, all.record.texts)));
  if (hash != all.record.plan_hash) return differs("plan", "hash", all.record.plan_hash, hash);
  return 1;
}

}  // namespace vernier::release
