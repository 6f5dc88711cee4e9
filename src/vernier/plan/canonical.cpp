#include <array>

#include "vernier/core/text.hpp"
#include "vernier/plan/plan.hpp"
#include "vernier/plan/statistic/public_count.hpp"
#include "vernier/query/quote.hpp"

// One line for each fact, in the order of the study; what is inside something is set in by two blanks. Names and values
// stand in quotes that they cannot end, numbers in the shortest form that reads back as the same double.
namespace vernier::plan {
namespace {

class Text {
 public:
  Text& line(int depth) {
    text_ += text_.empty() ? "" : "\n";
    text_.append(2 * static_cast<std::size_t>(depth), ' ');
    return *this;
  }
  Text& word(std::string_view word) {
    if (!text_.empty() && text_.back() != ' ' && text_.back() != '\n') text_ += ' ';
    text_ += word;
    return *this;
  }
  Text& number(std::string_view name, std::int64_t value) { return word(name).word(std::to_string(value)); }
  Text& number(std::string_view name, double value) { return word(name).word(shortest(value)); }
  Text& number(std::string_view name, const numeric::Rational& value) { return number(name, value.round_down()); }
  Text& name(std::string_view word_before, std::string_view name) {
    return word(word_before).word(query::quoted_text(name));
  }
  std::string take() && { return std::move(text_) + "\n"; }

 private:
  std::string text_;
};

std::string_view name_of(TallyKind kind) {
  constexpr std::array<std::string_view, 5> names = {"units", "rows", "values", "sum", "distinct"};
  return names[static_cast<std::size_t>(kind)];
}

std::string text_of(query::Int128 value) {
  std::string digits;
  const bool is_negative = value < 0;
  do {
    const int digit = static_cast<int>(value % 10);
    digits.insert(digits.begin(), static_cast<char>('0' + (digit < 0 ? -digit : digit)));
    value /= 10;
  } while (value != 0);
  return (is_negative ? "-" : "") + digits;
}

void add(Text& text, const query::Table& table) {
  text.line(1).name("table", table.name).word("unit");
  text.word(table.unit ? query::quoted_identifier(*table.unit) : "row").number("row-limit", table.row_limit);
  if (table.sampled) text.word("sampled").word(table.sampled->text());
  if (table.source.line_breaks) text.word("line-breaks");
}

void add(Text& text, const std::optional<SurveyWeight>& weight) {
  if (!weight) return;
  text.line(1).name("weighted-by", weight->column).number("granularity", weight->granularity);
  text.number("heaviest", weight->heaviest);
}

void add(Text& text, const Keys& keys) {
  text.line(1).word("keys").word(keys.are_public ? "public" : "private");
  if (!keys.are_public) text.number("longest", longest_private_key);
  for (const auto& cell : keys.cells) {
    text.line(2).word("cell");
    for (const query::Value& value : cell) text.word(query::rendered(value));
  }
}

void add(Text& text, const KeyPlan& keys) {
  text.line(1).number("threshold", keys.threshold).number("delta", keys.delta);
  for (const PublishedChance& one : keys.forecast) {
    text.line(2).number("units", one.units).number("published", one.chance.lower).number("to", one.chance.upper);
  }
}

void add(Text& text, const Argument& argument) {
  text.line(1).word("argument").word(canonical(argument.expression));
  text.line(2).number("granularity", argument.granularity).number("origin", argument.origin);
  text.number("from", argument.steps.lower).number("to", argument.steps.upper);
  text.word(argument.is_value ? "value" : argument.is_number ? "number" : "presence");
  if (argument.square) {
    text.number("square-of", argument.square->steps).number("fineness", argument.square->fineness);
    text.word(argument.square->is_from_above ? "above" : "below");
  }
  if (argument.weight) text.number("weighted-times", argument.weight->total);
}

void add(Text& text, const Sensitivity& moved) {
  text.line(2).number("l0", moved.l0).number("linf", moved.linf).word("l1").word(text_of(moved.l1));
  text.word("l2-squared").word(text_of(moved.l2_squared));
  text.number("shift", moved.shift).number("coordinates", moved.coordinates);
}

void add(Text& text, const BoundStatistic& statistic, const Measurement& measurement, const PlannedNoise& noise) {
  text.line(1).word("measurement").word(plan::name_of(measurement.kind));
  text.word(plan::name_of(measurement.figure)).number("width", static_cast<std::int64_t>(measurement.width));
  if (measurement.figure == Figure::quantile) text.word("at").word(query::text_of(measurement.fraction));
  if (measurement.source) text.number("from", static_cast<std::int64_t>(*measurement.source));
  if (measurement.aggregation) text.name("as", statistic.query.aggregations[*measurement.aggregation].name);
  if (measurement.clamped_count) text.name("clamped-in", *measurement.clamped_count);
  for (const std::size_t tally : measurement.tallies) text.number("tally", static_cast<std::int64_t>(tally));
  text.line(2).number("granularity", measurement.granularity).number("origin", measurement.origin);
  text.number("steps", measurement.steps).number("least", measurement.least).number("greatest", measurement.greatest);
  if (measurement.kind == MeasurementKind::moments || measurement.kind == MeasurementKind::public_moments)
    text.number("fineness", measurement.fineness);
  if (measurement.target) text.number("target", *measurement.target);
  if (measurement.family) text.number("family", *measurement.family);
  add(text, measurement.sensitivity);
  text.line(2).word(plan::name_of(noise.law)).number("scale", scale_of(noise.law));
  text.number("accuracy-steps", noise.accuracy_steps).number("accuracy", noise.accuracy).number("share", noise.share);
}

// Nothing of what is usual.
void add(Text& text, const query::Inference& asked) {
  if (asked == query::Inference{}) return;
  text.line(1).word("inference");
  if (asked.of_population) text.word("population");
  if (asked.is_guaranteed) text.word("guaranteed");
  if (asked.is_simultaneous) text.word("simultaneous");
  if (asked.has_clamped_share) text.word("clamped-share");
  if (asked.denoise != query::Denoise::none) text.word("denoise").word(query::name_of(asked.denoise));
  for (const query::Difference& pair : asked.differences) {
    text.line(2).name("difference", pair[0]).word(query::quoted_text(pair[1]));
  }
}

void add(Text& text, const BoundStatistic& statistic, const PlannedStatistic& planned) {
  text.line(0).name("statistic", statistic.name);
  text.line(1).word("sql").word(canonical(statistic.query));
  add(text, statistic.table);
  if (rests_on_public_count(statistic)) text.word("public-count");
  text.line(1).number("max-groups", statistic.contribution.max_groups);
  text.number("max-rows", statistic.contribution.max_rows).number("weight", statistic.weight);
  text.number("typical-rows", statistic.typical_rows);
  add(text, statistic.inference);
  add(text, statistic.weighted);
  add(text, statistic.keys);
  if (planned.keys) add(text, *planned.keys);
  for (const Argument& argument : statistic.arguments) add(text, argument);
  for (const Tally& tally : statistic.tallies) {
    text.line(1).word("tally").word(name_of(tally.kind)).number("of", static_cast<std::int64_t>(tally.argument));
  }
  for (const Histogram& one : statistic.histograms) {
    text.line(1).word("tally histogram").number("of", static_cast<std::int64_t>(one.argument));
    text.number("halvings", static_cast<std::int64_t>(one.halvings));
    if (one.weight) text.number("weighted-by", static_cast<std::int64_t>(*one.weight));
  }
  for (std::size_t i = 0; i < planned.noise.size(); ++i)
    add(text, statistic, statistic.measurements[i], planned.noise[i]);
}

}  // namespace

std::string canonical(const Plan& plan) {
  Text text;
  text.line(0).word("vernier-plan 2");
  if (!plan.study.origin.catalog.empty()) text.line(0).word("catalog").word(plan.study.origin.catalog);
  if (!plan.study.origin.sources.empty()) text.line(0).word("sources").word(plan.study.origin.sources);
  text.line(0).word("neighbours").word(privacy::name_of(plan.study.neighbours));
  text.line(0).number("alpha", plan.study.alpha.value());
  text.line(0).number("epsilon", plan.epsilon).number("delta", plan.delta.value());
  text.word("by").word(accounting::name_of(plan.method));
  for (std::size_t i = 0; i < plan.statistics.size(); ++i) add(text, plan.study.statistics[i], plan.statistics[i]);
  return std::move(text).take();
}

}  // namespace vernier::plan
