#include "twin/mistakes.hpp"

#include "vernier/plan/render/rows.hpp"
#include "vernier/plan/statistic/nodes.hpp"
#include "vernier/plan/statistic/statistic.hpp"
#include "vernier/query/quote.hpp"

namespace vernier::twin {
namespace {

using plan::Argument;
using plan::BoundStatistic;
using plan::Contribution;
using plan::Measurement;
using plan::Sensitivity;
using plan::Sql;
using privacy::Neighbours;

// ---- what is declared

using Declared = std::optional<Sensitivity>;

const Argument& argument_of(const BoundStatistic& statistic, const Measurement& measurement) {
  return statistic.arguments[statistic.tallies[measurement.tallies.back()].argument];
}

// What would be declared of the measurement with another contribution and relation, and without weights.
Declared declared_with(BoundStatistic statistic, const Measurement& measurement, Contribution unit,
                       Neighbours relation) {
  statistic.contribution = unit;
  statistic.table.neighbours = relation;
  statistic.weighted.reset();
  const plan::Measured in{statistic, measurement, 0};
  return plan::is_choice(in) ? std::nullopt : Declared(plan::sensitivity_of(in).value());
}

Declared halved(const BoundStatistic&, const Measurement& measurement) {
  const Sensitivity s = measurement.sensitivity;
  return Sensitivity{s.l0, s.linf / 2, s.l1 / 2, s.l2_squared / 4, s.shift, s.coordinates};
}

Declared as_add_remove(const BoundStatistic& statistic, const Measurement& measurement) {
  return declared_with(statistic, measurement, statistic.contribution, Neighbours::add_remove);
}

Declared as_in_one_group(const BoundStatistic& statistic, const Measurement& measurement) {
  return declared_with(statistic, measurement, {1, statistic.contribution.max_rows}, statistic.table.neighbours);
}

Declared with_lower_bound_twice(const BoundStatistic& statistic, const Measurement& measurement) {
  if (measurement.kind != plan::Sum::kind) return std::nullopt;
  const std::int64_t lower = argument_of(statistic, measurement).steps.lower;
  return plan::sum_sensitivity({lower, lower}, statistic.contribution, statistic.keys.groups(),
                               statistic.table.neighbours)
      .value();
}

Declared as_nothing_without_bounds(const BoundStatistic& statistic, const Measurement& measurement) {
  if (measurement.kind != plan::Sum::kind) return std::nullopt;
  if (argument_of(statistic, measurement).expression.operation() == query::Operation::column) return std::nullopt;
  return Sensitivity{0, 0, 0, 0, 1, 1};
}

Declared mean_as_its_count(const BoundStatistic& statistic, const Measurement& measurement) {
  if (!plan::has_nodes(measurement.kind)) return std::nullopt;
  return plan::count_sensitivity(statistic.contribution, statistic.keys.groups(), statistic.table.neighbours).value();
}

// A row moves the sums of squares by K^2, not by K.
Declared moments_as_a_mean(const BoundStatistic& statistic, const Measurement& measurement) {
  if (measurement.kind != plan::Moments::kind) return std::nullopt;
  return plan::mean_sensitivity(measurement.steps, statistic.contribution, statistic.keys.groups(),
                                statistic.table.neighbours)
      .value();
}

// ---- what is counted

bool without_max_groups(const TwinPlan&, BoundStatistic& statistic) {
  statistic.contribution.max_groups = query::greatest_max_groups;
  return statistic.table.unit.has_value();
}

bool without_max_rows(const TwinPlan&, BoundStatistic& statistic) {
  statistic.contribution.max_rows = query::greatest_max_rows;
  return statistic.table.unit.has_value();
}

// Rows of different units are bounded together.
bool with_units_merged(const TwinPlan&, BoundStatistic& statistic) {
  if (!statistic.table.unit) return false;
  statistic.table.unit = "select";
  return true;
}

query::Range widened(const query::Range& range) {
  if (const auto* const lower = std::get_if<double>(&range.lower)) {
    const double upper = std::get<double>(range.upper), width = upper - *lower;
    return {*lower - width, upper + width};
  }
  if (!std::holds_alternative<std::int64_t>(range.lower)) return range;
  const std::int64_t lower = std::get<std::int64_t>(range.lower), upper = std::get<std::int64_t>(range.upper);
  return {2 * lower - upper, 2 * upper - lower};
}

// Values are moved into bounds three times as wide as the declared ones.
bool without_clamp(const TwinPlan& plan, BoundStatistic& statistic) {
  query::Table wide = plan.table();
  for (query::Column& column : wide.columns) {
    if (column.range) column.range = widened(*column.range);
  }
  const std::optional<BoundStatistic> again = bound_again(plan, wide);
  if (!again || again->arguments.size() != statistic.arguments.size()) return false;
  for (std::size_t i = 0; i < statistic.arguments.size(); ++i) {
    statistic.arguments[i].expression = again->arguments[i].expression;
  }
  return !statistic.arguments.empty();
}

// CLAMP is read, its bounds are declared, and what stands in it is summed.
bool with_raw_data(const TwinPlan&, BoundStatistic& statistic) {
  bool changed = false;
  for (Argument& argument : statistic.arguments) {
    const query::Expression x = argument.expression;
    if (x.operation() != query::Operation::clamp || x.type() != query::Type::integer) continue;
    argument.expression = x.operands().front();
    changed = true;
  }
  return changed;
}

// The bounds are those of x, and what is summed is 3 x.
bool with_stale_bounds(const TwinPlan&, BoundStatistic& statistic) {
  bool changed = false;
  for (Argument& argument : statistic.arguments) {
    const auto three = query::apply(query::Operation::multiply, {argument.expression, query::literal(std::int64_t{3})});
    if (!argument.is_number || argument.origin != 0 || !three) continue;
    argument.expression = *three;
    changed = true;
  }
  return changed;
}

// ---- what the engine is told

bool replaced(std::string& text, const std::string& old, const std::string& now) {
  bool changed = false;
  for (std::size_t at = text.find(old); at != std::string::npos; at = text.find(old, at + now.size())) {
    text.replace(at, old.size(), now);
    changed = true;
  }
  return changed;
}

bool with_null_units(const BoundStatistic&, Sql& sql) { return replaced(sql.text, "u IS NOT NULL", "TRUE"); }

bool with_rows_doubled(const BoundStatistic& statistic, Sql& sql) {
  const std::string view = plan::view_name(statistic.table);
  return replaced(sql.text, " FROM " + view, " FROM (SELECT * FROM " + view + " UNION ALL SELECT * FROM " + view + ")");
}

// The sums are added up in doubles.
bool with_sums_in_doubles(const BoundStatistic& statistic, Sql& sql) {
  bool changed = false;
  for (std::size_t i = 0; i < statistic.arguments.size(); ++i) {
    const std::string number = std::to_string(i);
    changed |= replaced(sql.text, "COALESCE(sum(a" + number + ")", "COALESCE(sum(1e0 * a" + number + ")");
    changed |= replaced(sql.text, " THEN s" + number + " ELSE ", " THEN 1e0 * s" + number + " ELSE ");
  }
  return changed;
}

// Every tally t becomes this of it.
bool with_tallies(const BoundStatistic& statistic, Sql& sql, std::string (*form)(const std::string&)) {
  std::string columns = sql.has_cells ? "cell" : "";
  for (std::size_t i = 0; i < sql.key_types.size(); ++i) columns += (i == 0 ? "k" : ", k") + std::to_string(i);
  for (std::size_t i = 0; i < statistic.tallies.size(); ++i) columns += ", " + form("t" + std::to_string(i));
  sql.text = "SELECT " + columns + " FROM (" + sql.text + ") AS mistaken";
  return true;
}

bool in_single_precision(const BoundStatistic& statistic, Sql& sql) {
  return with_tallies(statistic, sql, [](const std::string& t) { return "CAST(CAST(" + t + " AS FLOAT) AS BIGINT)"; });
}

bool in_32_bits(const BoundStatistic& statistic, Sql& sql) {
  return with_tallies(statistic, sql, [](const std::string& t) {
    return "CAST(((" + t + " + 2147483648) & 4294967295) - 2147483648 AS BIGINT)";
  });
}

// Where keys are repeated, every row that matches is taken.
bool with_every_match(const BoundStatistic& statistic, Sql& sql) {
  bool changed = false;
  for (const plan::BoundJoin& join : statistic.joins) {
    const std::string one = plan::public_rows(join, query::duckdb_dialect());
    std::string all = one;
    replaced(all, one.substr(one.rfind(" GROUP BY ")), "");
    replaced(all, "min(", "(");
    changed |= replaced(sql.text, one, all);
  }
  return changed;
}

}  // namespace

// The numbers are those of the list of known mistakes by which peers have failed.
std::vector<Mistake> planted_mistakes() {
  return {
      {"2a: half the sensitivity", {}, {}, halved},
      {"2b: replace declared as add-remove", {}, {}, as_add_remove},
      {"3: no clamp", without_clamp, {}, {}},
      {"4: clamp computed, raw data used", with_raw_data, {}, {}},
      {"5: lower bound used twice", {}, {}, with_lower_bound_twice},
      {"6: no bound, no noise", {}, {}, as_nothing_without_bounds},
      {"7: max_groups ignored", without_max_groups, {}, {}},
      {"8: max_rows ignored", without_max_rows, {}, {}},
      {"9: units merged while bounding", with_units_merged, {}, {}},
      {"10: bounds kept after redefinition", with_stale_bounds, {}, {}},
      {"11: fan-out of a join ignored", {}, with_rows_doubled, {}},
      {"12: AVG charged as one count", {}, {}, mean_as_its_count},
      {"12b: VARIANCE charged as AVG", {}, {}, moments_as_a_mean},
      {"16: single precision", {}, in_single_precision, {}},
      {"17: integers wrap", {}, in_32_bits, {}},
      {"18: sums in floating point", {}, with_sums_in_doubles, {}},
      {"27: groups taken for disjoint", {}, {}, as_in_one_group},
      {"38: rows of nobody kept", {}, with_null_units, {}},
  };
}

std::vector<Mistake> planted_in_joins() { return {{"11: every match of a join taken", {}, with_every_match, {}}}; }

}  // namespace vernier::twin
