#include "vernier/release/record/certificate_json.hpp"

#include "vernier/plan/plan.hpp"
#include "vernier/query/value.hpp"
#include "vernier/release/number/public_count.hpp"
#include "vernier/release/record/record_statistic.hpp"
#include "vernier/release/run/exact_numbers.hpp"

namespace vernier::release {
namespace {

using query::Denoise;
using query::Difference;
using query::Inference;

constexpr std::size_t most_differences = 1'000'000;

void write_differences(JsonWriter& json, const std::vector<Difference>& differences) {
  json.key("differences");
  json.begin_array();
  for (const Difference& pair : differences) {
    json.begin_array();
    for (const std::string& key : pair) json.value(std::string_view(key));
    json.end_array();
  }
  json.end_array();
}

std::vector<Difference> read_differences(Fields& fields) {
  std::vector<Difference> differences;
  for (const Json& pair : fields.list("differences", most_differences)) {
    if (!pair.is_array() || pair.size() != 2) {
      fields.refuse("differences", "must be of two groups each");
      break;
    }
    const std::string place = fields.where("differences");
    differences.push_back({text_in(fields.reading(), pair[0], place), text_in(fields.reading(), pair[1], place)});
  }
  return differences;
}

void write_flag(JsonWriter& json, std::string_view name, bool value) {
  json.key(name);
  json.boolean(value);
}

}  // namespace

void write_inference(JsonWriter& json, const Inference& inference) {
  if (inference == Inference{}) return;
  json.key("inference");
  json.begin_object();
  json.member("covers", std::string_view(inference.of_population ? "population" : "sample"));
  write_flag(json, "guaranteed", inference.is_guaranteed);
  write_flag(json, "simultaneous", inference.is_simultaneous);
  write_flag(json, "clamped_share", inference.has_clamped_share);
  json.member("denoise", name_of(inference.denoise));
  write_differences(json, inference.differences);
  json.end_object();
}

Inference read_inference(Fields& certified) {
  if (!certified.has("inference")) return {};
  Fields fields = certified.object("inference");
  const std::string covers = fields.text("covers");
  if (covers != "population" && covers != "sample") fields.refuse("covers", "must be sample or population");
  Inference read{.of_population = covers == "population",
                 .is_guaranteed = fields.boolean("guaranteed"),
                 .is_simultaneous = fields.boolean("simultaneous"),
                 .has_clamped_share = fields.boolean("clamped_share"),
                 .denoise = read_name(fields, "denoise",
                                      {Denoise::none, Denoise::least_risk, Denoise::james_stein,
                                       Denoise::soft_threshold, Denoise::consistent}),
                 .differences = read_differences(fields)};
  if (read == Inference{}) certified.refuse("inference", "must be left out where all is as usual");
  fields.done();
  return read;
}

namespace {

constexpr std::int64_t most_steps = std::int64_t{1} << 53;

}  // namespace

void write_survey_weight(JsonWriter& json, const std::optional<plan::SurveyWeight>& weight) {
  if (!weight) return;
  json.key("survey_weight");
  json.begin_object();
  json.member("column", std::string_view(weight->column));
  json.member("granularity", weight->granularity);
  json.member("heaviest", weight->heaviest);
  json.end_object();
}

std::optional<plan::SurveyWeight> read_survey_weight(Fields& certified, const query::Inference& inference) {
  if (!certified.has("survey_weight")) return std::nullopt;
  if (!inference.of_population) certified.refuse("survey_weight", "belongs to intervals of a population alone");
  Fields fields = certified.object("survey_weight");
  plan::SurveyWeight weight{fields.text("column"), read_granularity(fields), fields.whole("heaviest", {1, most_steps})};
  fields.done();
  return weight;
}

namespace {

using accounting::Event;
using numeric::Rational;
using plan::BoundStatistic;
using plan::Measurement;

// Exact numbers are texts: "1/20".
void write_exact(JsonWriter& json, std::string_view name, const Rational& value) {
  json.member(name, std::string_view(value.text()));
}

void write_optional(JsonWriter& json, std::string_view name, const std::optional<std::string>& text) {
  json.member(name, text ? std::optional<std::string_view>(*text) : std::nullopt);
}

// What a total was shared out, and whose it is.
void write_budget(JsonWriter& json, const plan::BoundStudy& study) {
  json.key("budget");
  json.begin_object();
  json.member("of", std::string_view(study.budget ? "study" : "catalog"));
  write_exact(json, "epsilon", study.budget ? study.budget->epsilon : study.catalog.budget.epsilon);
  write_exact(json, "delta", study.budget ? study.budget->delta : study.catalog.budget.delta);
  json.end_object();
}

// The steps of the values that a sum adds up.
plan::Steps steps_of(const BoundStatistic& statistic, const Measurement& measurement) {
  if (measurement.kind != plan::MeasurementKind::sum) return {0, 0};
  return statistic.arguments.at(statistic.tallies.at(measurement.tallies.front()).argument).steps;
}

void write_measurement(JsonWriter& json, const BoundStatistic& statistic, const Measurement& measurement,
                       const plan::PlannedNoise& noise) {
  const plan::Steps steps = steps_of(statistic, measurement);
  json.begin_object();
  json.member("kind", plan::name_of(measurement.kind));
  json.member("figure", plan::name_of(measurement.figure));
  write_optional(json, "fraction",
                 measurement.figure == plan::Figure::quantile ? std::optional(query::text_of(measurement.fraction))
                                                              : std::nullopt);
  json.key("source");
  measurement.source ? json.value(static_cast<std::int64_t>(*measurement.source)) : json.null();
  json.member("width", static_cast<std::int64_t>(measurement.width));
  json.member("origin", measurement.origin);
  json.member("steps", measurement.steps);
  json.member("fineness", measurement.fineness);
  json.member("lower", steps.lower);
  json.member("upper", steps.upper);
  json.member("least", measurement.least);
  json.member("greatest", measurement.greatest);
  json.member("accuracy_steps", noise.accuracy_steps);
  if (measurement.family) json.member("family", *measurement.family);
  write_optional(json, "target", measurement.target ? std::optional(measurement.target->text()) : std::nullopt);
  json.key("tallies");
  json.begin_array();
  for (const std::size_t tally : measurement.tallies) json.value(static_cast<std::int64_t>(tally));
  json.end_array();
  json.end_object();
}

void write_keys(JsonWriter& json, const BoundStatistic& statistic, const std::optional<plan::KeyPlan>& keys) {
  std::vector<std::string> types;
  for (const query::Key& key : statistic.query.keys) types.emplace_back(query::name_of(key.expression.type()));
  query::write_texts(json, "key_types", types);
  json.key("private_keys");
  if (!keys) return json.null();
  json.begin_object();
  json.member("threshold", keys->threshold);
  json.member("delta", keys->delta);
  json.end_object();
}

void write_noisy(JsonWriter& json, const Table& table) {
  json.key("noisy");
  json.begin_array();
  for (const Row& row : table.rows) {
    json.begin_array();
    for (const std::int64_t number : row.noisy) json.value(number);
    json.end_array();
  }
  json.end_array();
}

void write_line_breaks(JsonWriter& json) {
  json.key("line_breaks");
  json.boolean(true);
}

void write_statistic(JsonWriter& json, const Release& release, std::size_t place) {
  const BoundStatistic& statistic = release.plan.study.statistics[place];
  const plan::PlannedStatistic& planned = release.plan.statistics[place];
  json.begin_object();
  json.member("table", std::string_view(statistic.table.name));
  json.member("row_limit", statistic.table.row_limit);
  if (statistic.table.sampled) write_exact(json, "sampled", *statistic.table.sampled);
  if (statistic.table.source.line_breaks) write_line_breaks(json);
  if (const auto rows = public_rows(statistic, release.tables[place])) json.member("public_count", *rows);
  json.member("max_groups", statistic.contribution.max_groups);
  json.member("max_rows", statistic.contribution.max_rows);
  json.member("typical_rows", statistic.typical_rows);
  write_exact(json, "weight", statistic.weight);
  write_inference(json, statistic.inference);
  write_survey_weight(json, statistic.weighted);
  write_keys(json, statistic, planned.keys);
  json.key("measurements");
  json.begin_array();
  for (std::size_t i = 0; i < planned.noise.size(); ++i) {
    write_measurement(json, statistic, statistic.measurements[i], planned.noise[i]);
  }
  json.end_array();
  write_noisy(json, release.tables[place]);
  json.end_object();
}

template <class Mechanism>
void write_noise(JsonWriter& json, std::string_view name, const Mechanism& mechanism) {
  json.member("mechanism", name);
  json.member("scale", mechanism.law().scale());
  json.member("sensitivity", mechanism.sensitivity().value());
}

struct WriteRelease {
  JsonWriter& json;
  void operator()(const mechanism::GeometricMechanism& noise) const { write_noise(json, "geometric", noise); }
  void operator()(const mechanism::DiscreteGaussianMechanism& noise) const {
    write_noise(json, "discrete-gaussian", noise);
  }
  void operator()(const accounting::KeySelection& keys) const {
    std::visit(*this, keys.noise());
    json.member("threshold", keys.threshold());
    json.member("groups", keys.groups());
  }
  void operator()(const accounting::PureStatement& choice) const {
    json.member("mechanism", std::string_view("exponential"));
    json.member("epsilon", choice.epsilon.value());
  }
  // Plans have no others.
  template <class Other>
  void operator()(const Other&) const {
    json.member("mechanism", std::string_view("other"));
  }
};

void write_event(JsonWriter& json, const Event& event) {
  json.begin_object();
  std::visit(WriteRelease{json}, event.release());
  json.member("neighbours", privacy::name_of(event.neighbours()));
  json.member("times", event.times().value());
  json.end_object();
}

void write_events(JsonWriter& json, const plan::Plan& plan) {
  json.key("events");
  json.begin_array();
  for (const Event& event : plan.events) write_event(json, event);
  json.end_array();
}

void write_public_files(JsonWriter& json, const std::vector<engine::PublicFile>& files) {
  json.key("public_files");
  json.begin_array();
  for (const engine::PublicFile& file : files) {
    json.begin_object();
    json.member("table", std::string_view(file.table));
    json.member("sha256", std::string_view(file.sha256));
    json.end_object();
  }
  json.end_array();
}

// The files beside the record, which was made after them.
void write_documents(JsonWriter& json, const std::vector<DocumentHash>& documents) {
  json.key("documents");
  json.begin_array();
  for (const DocumentHash& document : documents) {
    json.begin_object();
    json.member("name", std::string_view(document.name));
    json.member("sha256", std::string_view(document.sha256));
    json.end_object();
  }
  json.end_array();
}

void write_conversion(JsonWriter& json, const plan::Plan& plan) {
  json.key("conversion");
  json.begin_object();
  json.member("method", accounting::name_of(plan.method));
  json.member("delta", plan.delta.value());
  json.end_object();
}

// Of the charge: what was paid once for the conversion, and for how many such studies there is room with and without
// it.
void write_opening(JsonWriter& json, const ledger::Rules& rules, const ledger::Offer& taken) {
  if (taken.opening == ledger::Cost{}) return;
  json.key("opening");
  json.begin_object();
  write_exact(json, "epsilon", rules.quanta.epsilon(taken.opening.epsilon));
  write_exact(json, "delta", rules.quanta.delta(taken.opening.delta));
  json.member("room_with_conversion", taken.room.with_conversion);
  json.member("room_by_totals", taken.room.by_totals);
  json.end_object();
}

// What the ledger of these terms took, and why it may add it up.
void write_charge(JsonWriter& json, const ledger::Rules& rules, const ledger::Offer& taken, bool has_witness) {
  json.key("charge");
  json.begin_object();
  json.member("accountant", ledger::name_of(rules.terms.accountant));
  write_exact(json, "budget_epsilon", rules.terms.epsilon);
  write_exact(json, "budget_delta", rules.terms.delta);
  json.member("manner", ledger::name_of(taken.manner));
  write_exact(json, "epsilon", rules.quanta.epsilon(taken.cost.epsilon));
  write_exact(json, "delta", rules.quanta.delta(taken.cost.delta));
  write_opening(json, rules, taken);
  if (!has_witness) json.member("witness", std::string_view("none"));
  json.member("theorem", std::string_view(rules.theorem));
  json.end_object();
}

}  // namespace

std::string event_json(const Event& event) {
  std::string text;
  JsonWriter json(text);
  write_event(json, event);
  return text;
}

Result<void> write_certificate(JsonWriter& json, const Release& release, const Asked& asked, const PublicKey& key) {
  VERNIER_TRY(const ledger::Rules rules, ledger::rules_of(release.terms));
  const plan::Plan& plan = release.plan;
  json.begin_object();
  json.member("version", certificate_version);
  write_optional(json, "unit_column", plan.study.statistics.front().table.unit);
  write_exact(json, "alpha", asked.alpha);
  write_budget(json, plan.study);
  json.key("statistics");
  json.begin_array();
  for (std::size_t i = 0; i < release.tables.size(); ++i) write_statistic(json, release, i);
  json.end_array();
  write_events(json, plan);
  write_public_files(json, release.public_files);
  if (!plan.study.origin.sources.empty()) json.member("sources", std::string_view(plan.study.origin.sources));
  write_documents(json, asked.documents);
  write_conversion(json, plan);
  write_charge(json, rules, release.taken, !plan.study.catalog.budget.without_witness);
  json.member("plan", std::string_view(plan::canonical(plan)));
  json.member("public_key", std::string_view(key.hex()));
  json.member("signature", std::string_view());
  json.end_object();
  return {};
}

}  // namespace vernier::release
