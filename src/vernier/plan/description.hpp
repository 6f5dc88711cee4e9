#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "vernier/core/describe.hpp"
#include "vernier/interval/statement.hpp"
#include "vernier/plan/bind/join_sentences.hpp"
#include "vernier/plan/formula_description.hpp"
#include "vernier/plan/statistic/public_count.hpp"
#include "vernier/plan/statistic/rounding.hpp"
#include "vernier/plan/statistic/statistic.hpp"
#include "vernier/query/study_alpha.hpp"

namespace vernier::privacy {
constexpr Neighbours last_of(Neighbours) { return Neighbours::replace; }
}  // namespace vernier::privacy
namespace vernier::accounting {
constexpr Method last_of(Method) { return Method::closed_form; }
}  // namespace vernier::accounting
namespace vernier::interval {
constexpr Covers last_of(Covers) { return Covers::bounded_population; }
constexpr Status last_of(Status) { return Status::tested; }
}  // namespace vernier::interval
namespace vernier::query {
constexpr Denoise last_of(Denoise) { return Denoise::consistent; }
constexpr Type last_of(Type) { return Type::date; }
}  // namespace vernier::query

// The facts of a plan, each named once. What a plan's JSON shows, what a certificate has beside it and what is hashed
// are made of these parts, and whoever verifies a release reads them back by the same lines.
namespace vernier::plan {

inline constexpr std::int64_t plan_version = 2;  // of the text that is hashed
inline constexpr std::int64_t most_steps = std::int64_t{1} << 53;

inline constexpr Rule above_zero{[](const numeric::Rational& value) { return value > numeric::Rational::of(0); },
                                 "must be above 0"};
inline constexpr Rule a_level{[](const numeric::Rational& value) { return query::is_study_alpha(value); },
                              "is outside of what can be"};
inline constexpr Rule power_of_two{[](double value) {
                                     int exponent = 0;
                                     return std::frexp(value, &exponent) == 0.5 && std::abs(exponent) <= 101;
                                   },
                                   "must be a power of two"};

constexpr TallyKind last_of(TallyKind) { return TallyKind::distinct; }
constexpr std::string_view name_of(TallyKind kind) {
  return std::array<std::string_view, 5>{"units", "rows", "values", "sum", "distinct"}[static_cast<std::size_t>(kind)];
}

// What the engine is asked, as text: nobody reads SQL from a record.
struct EngineTexts {
  std::string statement;
  std::vector<std::string> arguments;
};
EngineTexts texts_of(const BoundStatistic& statistic);

// Laws by their names, in the order of the variant.
enum class LawName : std::uint8_t { geometric, discrete_gaussian, exponential, box };
constexpr LawName last_of(LawName) { return LawName::box; }
constexpr std::string_view name_of(LawName name) {
  return std::array<std::string_view, 4>{"geometric", "discrete-gaussian", "exponential",
                                         "box"}[static_cast<std::size_t>(name)];
}
Result<Law> law_of(LawName name, double scale);

// What intervals are about.
enum class Inferred : std::uint8_t { sample, population };
constexpr Inferred last_of(Inferred) { return Inferred::population; }
constexpr std::string_view name_of(Inferred inferred) { return inferred == Inferred::sample ? "sample" : "population"; }

std::optional<query::Fraction> fraction_of(std::string_view text);  // "0.25"

// unit, neighbours, guarantee
template <class V>
void describe_protection(V& v, Of<V, Plan>& plan) {
  v.same("unit", unit_of(plan.study));
  v("neighbours", plan.study.neighbours);
  v.object("guarantee", [&](V& guarantee) {
    guarantee("epsilon", plan.epsilon);
    guarantee("delta", plan.delta);
    guarantee("method", plan.method);
  });
}

template <class V>
void describe_key_names(V& v, Of<V, query::Query>& query) {
  std::vector<std::string> names;
  for (const query::Key& key : query.keys) names.push_back(key.name);
  v("keys", names);
  if constexpr (V::reads) {
    v.require("keys", names.size() == query.keys.size(), "must be as many as there are key_types");
    for (std::size_t i = 0; i < std::min(names.size(), query.keys.size()); ++i) query.keys[i].name = names[i];
  }
}

// A value of a key, in its own type; days as text.
template <class V>
void describe_value(V& v, std::string_view name, query::Type type, Of<V, query::Value>& value) {
  const auto as = [&]<class T>(T one) {
    if constexpr (!V::reads) one = std::get<T>(value);
    v(name, one);
    if constexpr (V::reads) value = one;
  };
  if (type == query::Type::boolean) return as(false);
  if (type == query::Type::integer) return as(std::int64_t{0});
  if (type == query::Type::real) return as(0.0);
  if (type == query::Type::string) return as(std::string());
  std::string day;
  if constexpr (!V::reads) day = query::text_of(std::get<query::Day>(value));
  v(name, day);
  if constexpr (V::reads) {
    const std::optional<query::Day> read = query::read_day(day);
    v.require(name, read.has_value(), "must be a day such as 2026-01-31");
    value = read.value_or(query::Day{0});
  }
}

template <class V>
void describe_law(V& v, Of<V, Law>& law) {
  auto name = static_cast<LawName>(law.index());
  double scale = scale_of(law);
  v("mechanism", name);
  v("scale", scale);
  if constexpr (V::reads) {
    const Result<Law> read = law_of(name, scale);
    v.require("scale", read.has_value(), "is outside of what the law takes");
    if (read) law = *read;
  }
}

// What the accuracy of a published column is about, where that is not usual.
template <class V>
void describe_reading(V& v, const BoundStatistic& statistic) {
  if (statistic.inference.of_population) {
    v.same("covers", statistic.table.unit ? interval::Covers::bounded_population : interval::Covers::population);
  }
  if (statistic.weighted) v.same("weighted_by", statistic.weighted->column);
  if (statistic.inference.is_simultaneous) v.same("simultaneous", true);
}

// What scripts read of a measurement: one of `releases`. Scale and sensitivity are in steps of the grid, which are
// worth `granularity`; a column of null serves the keys alone.
template <class V>
void describe_release(V& v, Of<V, BoundStatistic>& statistic, Of<V, Measurement>& measurement,
                      Of<V, PlannedNoise>& noise) {
  std::optional<std::string> column;
  if (measurement.aggregation) column = column_of(statistic, measurement);
  v("column", column);
  if constexpr (V::reads) {
    if (column) {
      measurement.aggregation = statistic.query.aggregations.size();
      statistic.query.aggregations.push_back({query::Aggregate::count_rows, std::nullopt, *column});
    }
  }
  bool is_part = measurement.aggregation && !V::reads && !statistic.query.is_shown(*measurement.aggregation);
  v.flag("part", is_part);
  if constexpr (V::reads) {
    v.require("part", !is_part || measurement.aggregation, "belongs to a column");
    if (measurement.aggregation && !is_part) statistic.query.outputs.push_back({false, *measurement.aggregation});
  }
  describe_law(v, noise.law);
  v("sensitivity", measurement.sensitivity.shift, Whole{1, most_steps});
  v("coordinates", measurement.sensitivity.coordinates, Whole{1, most_steps});
  v("granularity", measurement.granularity, power_of_two);
  v.flag("rounded", measurement.is_rounded);
  v("accuracy", noise.accuracy);
  if (is_in_ranks(measurement.figure)) v.same("accuracy_in", std::string_view("ranks"));
  if (const std::optional<double> run = resolution_of(measurement)) v.same("resolution", *run);
  if (is_about(statistic, measurement)) v.same("typical_rows", statistic.typical_rows);
  if (has_public_count(measurement.kind)) v.same("public_count", true);
  if (measurement.aggregation) describe_reading(v, statistic);
  v("share", noise.share);
  if (measurement.source) v.same("shared_with", column_of(statistic, statistic.measurements[*measurement.source]));
  if (measurement.copied) {
    v.same("shared_with", measurement.copied->column);
    v.same("shared_with_statistic", measurement.copied->name);
  }
  if (measurement.parallel) v.same("charged_once", *measurement.parallel);
  v.maybe("clamped_count", measurement.clamped_count);
}

template <class V>
void describe_column_grid(V& v, Of<V, PairedGrid>& grid) {
  v("granularity", grid.granularity, power_of_two);
  v("origin", grid.origin, Whole{-most_steps, most_steps});
  v("steps", grid.steps, Whole{1, most_steps});
  v.flag("rounded", grid.is_rounded);
}

// Of a pair: the grid of x. Of a regression: those of every x.
template <class V>
void describe_paired(V& v, Of<V, Measurement>& measurement) {
  if constexpr (V::reads) measurement.paired.emplace();
  v.object("paired", [&](V& paired) { describe_column_grid(paired, *measurement.paired); });
}
template <class V>
void describe_regressors(V& v, Of<V, Measurement>& measurement) {
  auto& grids = measurement.regressors;
  const auto grow = [&] {
    if constexpr (V::reads) grids.emplace_back();
  };
  v.objects("regressors", grids.size(), most_regressors, grow,
            [&](V& one, std::size_t i) { describe_column_grid(one, grids[i]); });
}

// The grid of the values that it is about: of means and ranks their bounds, of moments how fine their squares are, too.
template <class V>
void describe_grid(V& v, Of<V, Measurement>& measurement) {
  const GridNumbers numbers = grid_numbers(measurement.kind);
  if (numbers < GridNumbers::bounds) return;
  v("origin", measurement.origin, Whole{-most_steps, most_steps});
  v("steps", measurement.steps, Whole{1, most_steps});
  const bool may_divide = numbers >= GridNumbers::pair;  // below 0
  if (numbers >= GridNumbers::squares)
    v("fineness", measurement.fineness, Whole{may_divide ? -most_steps : 1, most_steps});
  if (numbers == GridNumbers::pair) describe_paired(v, measurement);
  if (numbers == GridNumbers::columns) describe_regressors(v, measurement);
}

template <class V>
void describe_fraction(V& v, Of<V, BoundStatistic>& statistic, Of<V, Measurement>& measurement) {
  std::string text = query::text_of(measurement.fraction);
  v("fraction", text);
  if constexpr (V::reads) {
    const std::optional<query::Fraction> read = fraction_of(text);
    v.require("fraction", read.has_value(), "must be a decimal between 0 and 1");
    measurement.fraction = read.value_or(query::Fraction{});
    measurement.absorbs_sample = absorbs_sample(statistic, measurement.figure);
  }
}

// Whose noisy integers these are, where they are those of another measurement.
template <class V>
void describe_copied(V& v, Of<V, std::optional<Copied>>& copied) {
  if (!v.has("copied", copied.has_value())) return;
  if constexpr (V::reads) copied.emplace();
  v.object("copied", [&](V& from) {
    from("statistic", copied->statistic, Whole{0, most_columns});
    from("measurement", copied->measurement, Whole{0, most_columns});
    from("name", copied->name);
    from("column", copied->column);
  });
}

// The rest of a measurement, for whoever checks it: one of the certificate's `measurements`.
template <class V>
void describe_measurement(V& v, Of<V, BoundStatistic>& statistic, Of<V, Measurement>& measurement,
                          Of<V, PlannedNoise>& noise) {
  v("kind", measurement.kind);
  v("figure", measurement.figure);
  if (measurement.figure.has_fraction) describe_fraction(v, statistic, measurement);
  v.maybe("source", measurement.source, Whole{0, most_columns});
  v("width", measurement.width, Whole{0, most_columns});
  describe_grid(v, measurement);
  v("least", measurement.least);
  v("greatest", measurement.greatest);
  v("accuracy_steps", noise.accuracy_steps);
  v.maybe("family", measurement.family, Whole{1, most_steps});
  describe_copied(v, measurement.copied);
  v.maybe("parallel", measurement.parallel, Whole{1, most_steps});
  v.maybe("target", measurement.target, above_zero);
  v.maybe("weight", measurement.weight, above_zero);
  v("tallies", measurement.tallies, AtMost{most_tallies}, Whole{0, most_columns});
}

// What is left out where all is as usual.
template <class V>
void describe_inference(V& v, Of<V, query::Inference>& asked) {
  if (!v.has("inference", !(asked == query::Inference{}))) return;
  v.object("inference", [&](V& inference) {
    auto covers = asked.of_population ? Inferred::population : Inferred::sample;
    inference("covers", covers);
    if constexpr (V::reads) asked.of_population = covers == Inferred::population;
    inference("guaranteed", asked.is_guaranteed);
    inference("simultaneous", asked.is_simultaneous);
    inference("clamped_share", asked.has_clamped_share);
    inference("denoise", asked.denoise);
    inference("differences", asked.differences, AtMost{1'000'000});
  });
  v.require("inference", !(asked == query::Inference{}), "must be left out where all is as usual");
}

// Which groups of private keys are to be published, where that was asked.
template <class V>
void describe_seen(V& v, Of<V, std::optional<query::Seen>>& seen) {
  if (!v.has("seen", seen.has_value())) return;
  if constexpr (V::reads) seen = query::Seen{2, *numeric::Rational::of_decimal("0.5")};
  v.object("seen", [&](V& one) {
    one("units", seen->units, Whole{2, query::greatest_seen_units});
    one("chance", seen->chance, above_zero);
  });
  v.require("seen", !seen || seen->chance < numeric::Rational::of(1), "has a chance below 1");
}

template <class V>
void describe_survey_weight(V& v, Of<V, BoundStatistic>& statistic) {
  if (!v.has("survey_weight", statistic.weighted.has_value())) return;
  if constexpr (V::reads) statistic.weighted.emplace();
  v.object("survey_weight", [&](V& weight) {
    weight("column", statistic.weighted->column);
    weight("granularity", statistic.weighted->granularity, power_of_two);
    weight("heaviest", statistic.weighted->heaviest, Whole{1, most_steps});
  });
  v.require("survey_weight", statistic.inference.of_population, "belongs to intervals of a population alone");
}

template <class V>
void describe_forecast(V& v, Of<V, std::vector<PublishedChance>>& forecast) {
  const auto grow = [&] {
    if constexpr (V::reads) forecast.push_back({});
  };
  v.objects("forecast", forecast.size(), most_columns, grow, [&](V& one, std::size_t i) {
    std::array<double, 2> chance{forecast[i].chance.lower, forecast[i].chance.upper};
    one("units", forecast[i].units);
    one("published", chance);
    if constexpr (V::reads) forecast[i].chance = {chance[0], chance[1]};
  });
}

// The types of its keys, and by which rule private ones are published.
template <class V>
void describe_keys(V& v, Of<V, BoundStatistic>& statistic, Of<V, std::optional<KeyPlan>>& rule) {
  std::vector<query::Type> types;
  for (const query::Key& key : statistic.query.keys) types.push_back(key.expression.type());
  v("key_types", types);
  if constexpr (V::reads) {
    for (const query::Type type : types) {
      query::Column column;
      column.type = type;
      statistic.query.keys.push_back({query::column(column), ""});
    }
  }
  const bool has_rule = v.has_or_null("private_keys", rule.has_value());
  if constexpr (V::reads) {
    statistic.keys.are_public = !has_rule;
    if (has_rule) rule = KeyPlan{};
  }
  if (!has_rule) return;
  v.object("private_keys", [&](V& keys) {
    keys("threshold", rule->threshold, Whole{1, most_steps});
    keys("delta", rule->delta);
    keys.same("longest", longest_private_key);
    describe_forecast(keys, rule->forecast);
  });
}

template <class V>
void describe_end(V& v, std::string_view name, query::Type type, Of<V, std::optional<query::RangeEnd>>& end) {
  if (!v.has(name, end.has_value())) return;
  if constexpr (V::reads) end.emplace();
  v.object(name, [&](V& inner) {
    describe_value(inner, "value", type, end->value);
    inner("inside", end->is_inside);
  });
}

// What is known of its rows, where that is why it is charged with others: the proof that no row is in two of them.
template <class V>
void describe_within(V& v, Of<V, std::vector<query::Within>>& all) {
  if (!v.has("within", !all.empty())) return;
  const auto grow = [](auto& list) {
    if constexpr (V::reads) list.emplace_back();
  };
  v.objects(
      "within", all.size(), most_columns, [&] { grow(all); },
      [&](V& one, std::size_t i) {
        one("expression", all[i].expression);
        one("type", all[i].type);
        one("null", all[i].may_be_null);
        auto& ranges = all[i].ranges;
        one.objects(
            "ranges", ranges.size(), most_columns, [&] { grow(ranges); },
            [&](V& range, std::size_t j) {
              describe_end(range, "lower", all[i].type, ranges[j].lower);
              describe_end(range, "upper", all[i].type, ranges[j].upper);
            });
      });
  v.require("within", !all.empty(), "must be left out where nothing is known");
}

// Of several protected tables: why all rows of a unit are found.
template <class V>
void describe_links(V& v, Of<V, BoundStatistic>& statistic) {
  std::vector<TableLink> links = links_of(statistic);
  if (!v.has("links", !links.empty())) return;
  v.objects(
      "links", links.size(), most_links, [&] { links.emplace_back(); },
      [&](V& one, std::size_t i) {
        one("way", links[i].is_way);
        one("table", links[i].table);
        one("column", links[i].column);
        one("other", links[i].other);
        one("other_column", links[i].other_column);
      });
  v.require("links", !links.empty(), "must be left out where there is one table");
  if constexpr (V::reads) state_links(statistic, links);
}

// What bounds and declarations say, before anything is measured.
template <class V>
void describe_bounds(V& v, Of<V, BoundStatistic>& statistic) {
  v("table", statistic.table.name);
  v("row_limit", statistic.table.row_limit, Whole{1, query::greatest_row_limit});
  v.maybe("sampled", statistic.table.sampled);
  v.flag("line_breaks", statistic.table.source.line_breaks);
  v("max_groups", statistic.contribution.max_groups, Whole{1, query::greatest_max_groups});
  v("max_rows", statistic.contribution.max_rows, Whole{1, query::greatest_max_rows});
  v("typical_rows", statistic.typical_rows, Whole{1, query::greatest_typical_rows});
  v("weight", statistic.weight, above_zero);
  v.maybe("alpha", statistic.alpha, a_level);
  describe_inference(v, statistic.inference);
  describe_seen(v, statistic.seen);
  v.flag("at_least", statistic.at_least);
  describe_survey_weight(v, statistic);
  v.maybe("rows_by", statistic.rows_by);
  describe_within(v, statistic.within);
  describe_links(v, statistic);
}

template <class V>
void describe_argument(V& v, Of<V, Argument>& argument) {
  v("granularity", argument.granularity, power_of_two);
  v("origin", argument.origin);
  v("lower", argument.steps.lower);
  v("upper", argument.steps.upper);
  v("is_number", argument.is_number);
  v("is_value", argument.is_value);
  if (v.has("square", argument.square.has_value())) {
    if constexpr (V::reads) argument.square.emplace();
    v.object("square", [&](V& square) {
      square("steps", argument.square->steps);
      square("fineness", argument.square->fineness);
      square("from_above", argument.square->is_from_above);
    });
  }
  std::optional<std::int64_t> times;
  if (argument.weight) times = argument.weight->total;
  v.maybe("weighted_times", times);
  if constexpr (V::reads) {
    if (times) argument.weight = Argument::Weight{argument.expression, 1, *times};
  }
}

// What the engine adds up.
template <class V>
void describe_engine(V& v, Of<V, BoundStatistic>& statistic, Of<V, EngineTexts>& texts) {
  const auto grow = [&](auto& list, const auto& one) {
    if constexpr (V::reads) list.push_back(one);
  };
  v("statement", texts.statement);
  v.objects(
      "arguments", statistic.arguments.size(), most_columns,
      [&] {
        grow(texts.arguments, std::string());
        grow(statistic.arguments, Argument{query::null_of(query::Type::boolean)});
      },
      [&](V& one, std::size_t i) {
        one("expression", texts.arguments[i]);
        describe_argument(one, statistic.arguments[i]);
      });
  v.objects(
      "tallies", statistic.tallies.size(), most_columns, [&] { grow(statistic.tallies, Tally{TallyKind::units}); },
      [&](V& one, std::size_t i) {
        one("kind", statistic.tallies[i].kind);
        one("argument", statistic.tallies[i].argument, Whole{0, most_columns});
      });
  v.objects(
      "histograms", statistic.histograms.size(), most_columns, [&] { grow(statistic.histograms, Histogram{}); },
      [&](V& one, std::size_t i) {
        one("argument", statistic.histograms[i].argument, Whole{0, most_columns});
        one("halvings", statistic.histograms[i].halvings, Whole{0, 64});
        one.maybe("weight", statistic.histograms[i].weight, Whole{0, most_columns});
      });
}

// Every fact of the plan in one text, where the engine is asked in these texts.
std::string canonical(const Plan& plan, const std::vector<EngineTexts>& texts);

}  // namespace vernier::plan
