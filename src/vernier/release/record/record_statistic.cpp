#include "vernier/release/record/record_statistic.hpp"

#include <cmath>
#include <numeric>

#include "vernier/plan/plan.hpp"
#include "vernier/plan/statistic/public_count.hpp"
#include "vernier/query/study.hpp"
#include "vernier/release/record/certificate_json.hpp"

namespace vernier::release {
namespace {

using plan::Measurement;
using plan::MeasurementKind;
using plan::PlannedNoise;

constexpr std::int64_t most_steps = std::int64_t{1} << 53;
constexpr Whole any_steps{-most_steps, most_steps};
constexpr std::size_t most_columns = 10'000;

std::optional<numeric::Rational> read_target(Fields& certified) {
  if (certified.any("target").is_null()) return std::nullopt;
  numeric::Rational target = certified.exact("target");
  if (!(target > numeric::Rational::of(0))) certified.refuse("target", "must be above 0");
  return target;
}

std::vector<std::size_t> read_tallies(Fields& certified) {
  std::vector<std::size_t> tallies;
  for (const Json& one : certified.list("tallies", 3)) {
    const std::int64_t place = whole_in(certified.reading(), one, certified.where("tallies"), {0, most_columns});
    tallies.push_back(static_cast<std::size_t>(place));
  }
  return tallies;
}

// A column of null serves the keys alone.
std::optional<std::size_t> read_aggregation(plan::BoundStatistic& statistic, Fields& stated) {
  const std::optional<std::string> column = stated.text_or_null("column");
  if (!column) return std::nullopt;
  statistic.query.aggregations.push_back({query::Aggregate::count_rows, std::nullopt, *column});
  return statistic.query.aggregations.size() - 1;
}

query::Fraction read_fraction(Fields& certified) {
  const numeric::Rational found =
      numeric::Rational::of_decimal(certified.text("fraction")).value_or(numeric::Rational::of(0));
  std::int64_t whole = 1;
  for (int digit = 0; digit < query::most_fraction_digits; ++digit) whole *= 10;
  const auto parts = (found * numeric::Rational::of(whole)).floor().value_or(0);
  if (parts <= 0 || parts >= whole) certified.refuse("fraction", "must be a decimal between 0 and 1");
  const std::int64_t common = std::max<std::int64_t>(std::gcd(parts, whole), 1);
  return {parts / common, whole / common};
}

// What is published, and from whose integers.
void read_figure(Measurement& made, const plan::BoundStatistic& statistic, Fields& certified) {
  using enum plan::Figure;
  made.figure = read_name(certified, "figure",
                          {count, sum, mean, variance_sample, variance_population, deviation_sample,
                           deviation_population, quantile, least, greatest});
  if (made.figure == quantile) {
    made.fraction = read_fraction(certified);
    made.absorbs_sample = plan::absorbs_sample(statistic, quantile);
  } else if (!certified.any("fraction").is_null()) {
    certified.refuse("fraction", "belongs to a quantile alone");
  }
  made.width = static_cast<std::size_t>(certified.whole("width", {0, most_columns}));
  if (certified.any("source").is_null()) return;
  made.source = static_cast<std::size_t>(certified.whole("source", {0, most_columns}));
  if (*made.source >= statistic.measurements.size()) certified.refuse("source", "must come before what shares it");
}

// The column whose noise it shares is told by its name, too.
void read_sharing(const Measurement& made, const plan::BoundStatistic& statistic, Fields& stated) {
  if (!made.source || *made.source >= statistic.measurements.size()) return;
  if (stated.text("shared_with") == plan::column_of(statistic, statistic.measurements[*made.source])) return;
  stated.refuse("shared_with", "must name the column of the source");
}

// What the accuracy is about, where that is not usual.
void read_reading(const plan::BoundStatistic& statistic, Fields& stated) {
  const query::Inference& asked = statistic.inference;
  if (statistic.weighted && stated.text("weighted_by") != statistic.weighted->column) {
    stated.refuse("weighted_by", "must name the column of the certificate");
  }
  if (asked.of_population && stated.text("covers") != "population") stated.refuse("covers", "must be population");
  if (asked.is_simultaneous && !stated.boolean("simultaneous")) stated.refuse("simultaneous", "must be true");
}

plan::Steps read_measurement(plan::BoundStatistic& statistic, plan::PlannedStatistic& planned, Fields stated,
                             Fields certified) {
  Measurement made{};
  made.kind =
      read_name(certified, "kind",
                {MeasurementKind::units, MeasurementKind::count, MeasurementKind::sum, MeasurementKind::mean,
                 MeasurementKind::moments, MeasurementKind::quantiles, MeasurementKind::distinct,
                 MeasurementKind::public_mean, MeasurementKind::public_moments, MeasurementKind::quantile_tree});
  read_figure(made, statistic, certified);
  made.aggregation = read_aggregation(statistic, stated);
  made.tallies = read_tallies(certified);
  made.granularity = read_granularity(stated);
  made.origin = certified.whole("origin", any_steps);
  made.steps = certified.whole("steps", {0, most_steps});
  made.fineness = certified.whole("fineness", {1, most_steps});
  made.least = certified.whole("least");
  made.greatest = certified.whole("greatest");
  made.sensitivity.shift = stated.whole("sensitivity", {1, most_steps});
  made.sensitivity.coordinates = stated.whole("coordinates", {1, most_steps});
  made.target = read_target(certified);
  if (certified.has("family")) made.family = certified.whole("family", {1, most_steps});
  const plan::Steps steps{certified.whole("lower", any_steps), certified.whole("upper", any_steps)};
  planned.noise.push_back(
      {read_law(stated), certified.whole("accuracy_steps"), stated.number("accuracy"), stated.number("share")});
  read_sharing(made, statistic, stated);
  if (stated.has("clamped_count")) made.clamped_count = stated.text("clamped_count");
  if (is_in_ranks(made.figure)) {
    if (stated.text("accuracy_in") != "ranks") stated.refuse("accuracy_in", "must be ranks");
  }
  if (plan::is_about(statistic, made) && stated.whole("typical_rows") != statistic.typical_rows) {
    stated.refuse("typical_rows", "differs from that of the certificate");
  }
  if (plan::has_public_count(made.kind) && !stated.boolean("public_count")) {
    stated.refuse("public_count", "must be true");
  }
  if (made.aggregation) read_reading(statistic, stated);
  statistic.measurements.push_back(std::move(made));
  stated.done();
  certified.done();
  return steps;
}

void read_keys(plan::BoundStatistic& statistic, plan::PlannedStatistic& planned, Fields& stated, Fields& certified) {
  const Json& names = stated.list("keys", most_columns);
  const Json& types = certified.list("key_types", most_columns);
  if (names.size() != types.size()) certified.refuse("key_types", "must be as many as there are keys");
  for (std::size_t i = 0; i < std::min(names.size(), types.size()); ++i) {
    const std::string name = text_in(stated.reading(), names[i], stated.where("keys"));
    const auto type = query::type_named(text_in(stated.reading(), types[i], certified.where("key_types")));
    if (!type) certified.refuse("key_types", "has a type that there is not");
    query::Column column;
    column.name = name;
    column.type = type.value_or(query::Type::string);
    statistic.query.keys.push_back({query::column(column), name});
  }
  const Json* const private_keys = certified.object_or_null("private_keys");
  statistic.keys.are_public = private_keys == nullptr;
  if (private_keys == nullptr) return;
  Fields keys(certified.reading(), *private_keys, certified.where("private_keys"));
  planned.keys = plan::KeyPlan{keys.whole("threshold", {1, most_steps}), keys.number("delta"), {}};
  keys.done();
}

// None where it rests on none.
std::optional<std::int64_t> read_public_count(plan::BoundStatistic& statistic, Fields& certified) {
  statistic.table.public_count = certified.has("public_count");
  if (!statistic.table.public_count) return std::nullopt;
  return certified.whole("public_count", {0, statistic.table.row_limit});
}

plan::BoundStatistic read_bounds(const Record& record, Fields& stated, Fields& certified) {
  plan::BoundStatistic made{stated.text("name"), {}, {}, {1, 1}, certified.exact("weight"), 1, {}, {}, {}, {}};
  if (!(made.weight > numeric::Rational::of(0))) certified.refuse("weight", "must be above 0");
  made.table.name = certified.text("table");
  made.table.unit = record.plan.study.catalog.tables.front().unit;
  made.table.neighbours = record.plan.study.neighbours;
  made.table.row_limit = certified.whole("row_limit", {1, query::greatest_row_limit});
  made.contribution = {certified.whole("max_groups", {1, query::greatest_max_groups}),
                       certified.whole("max_rows", {1, query::greatest_max_rows})};
  made.typical_rows = certified.whole("typical_rows", {1, query::greatest_typical_rows});
  made.inference = read_inference(certified);
  made.weighted = read_survey_weight(certified, made.inference);
  if (certified.has("sampled")) made.table.sampled = certified.exact("sampled");
  if (certified.has("line_breaks")) made.table.source.line_breaks = certified.boolean("line_breaks");
  return made;
}

}  // namespace

double read_granularity(Fields& fields) {
  constexpr double greatest_granularity = 0x1p100;
  const double found = fields.number("granularity");
  int exponent = 0;
  const bool is_power = std::frexp(found, &exponent) == 0.5;
  if (is_power && found >= 1 / greatest_granularity && found <= greatest_granularity) return found;
  fields.refuse("granularity", "must be a power of two");
  return 1;
}

plan::Law read_law(Fields& fields) {
  const std::string mechanism = fields.text("mechanism");
  const double scale = fields.number("scale");
  const auto any = [](const auto& known) { return plan::Law(known); };
  const auto geometric = LaplaceScale::of(scale).and_then(noise::Geometric::of).map(any);
  const auto gaussian = Sigma::of(scale).and_then(noise::DiscreteGaussian::of).map(any);
  const auto choice = LaplaceScale::of(scale).and_then(noise::Exponential::of).map(any);
  if (mechanism != "geometric" && mechanism != "discrete-gaussian" && mechanism != "exponential") {
    fields.refuse("mechanism", "is none of releases");
  }
  const auto& law = mechanism == "geometric" ? geometric : mechanism == "exponential" ? choice : gaussian;
  if (law) return *law;
  fields.refuse("scale", "is outside of what the law takes");
  return *noise::Geometric::of(*LaplaceScale::of(1));
}

void read_statistic(Record& record, Fields stated, Fields certified) {
  plan::BoundStatistic statistic = read_bounds(record, stated, certified);
  plan::PlannedStatistic planned;
  record.public_counts.push_back(read_public_count(statistic, certified));
  record.sql.push_back(stated.text("sql"));
  read_keys(statistic, planned, stated, certified);
  const Json& releases = stated.list("releases", most_columns);
  const Json& measurements = certified.list("measurements", most_columns);
  if (releases.size() != measurements.size() || releases.empty()) {
    certified.refuse("measurements", "must be as many as there are releases, and one at least");
  }
  std::vector<plan::Steps>& steps = record.steps.emplace_back();
  for (std::size_t i = 0; i < std::min(releases.size(), measurements.size()); ++i) {
    steps.push_back(read_measurement(statistic, planned, {stated.reading(), releases[i], stated.where("releases", i)},
                                     {stated.reading(), measurements[i], certified.where("measurements", i)}));
  }
  record.plan.study.statistics.push_back(std::move(statistic));
  record.plan.statistics.push_back(std::move(planned));
  read_rows(record, stated, certified);
  read_derived(record, stated);
  stated.done();
  certified.done();
}

}  // namespace vernier::release
