#pragma once

#include "vernier/plan/description.hpp"
#include "vernier/plan/series/series_plan.hpp"

// The facts of a plan of series, named once: what is hashed, what a certificate has, and what is read back.
namespace vernier::plan {

inline constexpr std::int64_t series_plan_version = 1;

template <class V>
void describe_day(V& v, std::string_view name, Of<V, query::Day>& day) {
  std::string text;
  if constexpr (!V::reads) text = query::text_of(day);
  v(name, text);
  if constexpr (V::reads) {
    const auto read = query::read_day(text);
    v.require(name, read.has_value(), "must be a day such as 2026-01-31");
    day = read.value_or(query::Day{0});
  }
}

template <class V>
void describe_series_columns(V& v, Of<V, SeriesFacts>& facts) {
  const auto grow = [](auto& list) {
    if constexpr (V::reads) list.emplace_back();
  };
  v.objects(
      "columns", facts.columns.size(), 100, [&] { grow(facts.columns); },
      [&](V& one, std::size_t i) {
        auto& column = facts.columns[i];
        one("name", column.name);
        one("type", column.type);
        one.objects(
            "keys", column.keys.size(), 1'000'000, [&] { grow(column.keys); },
            [&](V& key, std::size_t j) { describe_value(key, "key", column.type, column.keys[j]); });
      });
}

template <class V>
void describe_one_series(V& v, Of<V, SeriesFacts>& facts) {
  v("name", facts.name);
  v("table", facts.table);
  v("statement", facts.statement);
  v("row_limit", facts.row_limit, Whole{1, query::greatest_row_limit});
  v("step", facts.calendar.length);
  describe_day(v, "start", facts.calendar.start);
  describe_day(v, "end", facts.calendar.end);
  if constexpr (V::reads) {
    const bool is_good =
        facts.calendar.start <= facts.calendar.end && facts.calendar.steps() <= query::most_series_steps;
    v.require("end", is_good, "must come behind start, with 4096 steps at most");
    if (!is_good) facts.calendar.end = facts.calendar.start;
  }
  v("max_steps", facts.max_steps, Whole{1, query::most_series_steps});
  v("apart", facts.apart, Whole{1, query::most_series_steps});
  v("last", facts.last, Whole{1, query::most_last_steps});
  v.maybe("each_target", facts.each_target);
  v.maybe("last_target", facts.last_target);
  v.maybe("cumulative_target", facts.cumulative_target);
  v("best", facts.best);
  std::optional<std::string> together;
  if constexpr (!V::reads) {
    if (!facts.together.empty()) together = facts.together;
  }
  v.maybe("together", together);
  if constexpr (V::reads) facts.together = together.value_or("");
  describe_series_columns(v, facts);
  v("percent", facts.percent, Whole{0, 100});
  v("normalised", facts.is_normalised);
  v("scale", facts.scale);
  v("share", facts.share);
}

template <class V>
void describe_series_plan(V& v, Of<V, SeriesPlanFacts>& facts) {
  v.same("version", series_plan_version);
  v("catalog", facts.catalog);
  v("sources", facts.sources);
  v("unit_column", facts.unit);
  v("alpha", facts.alpha);
  v("own_budget", facts.has_budget);
  v("epsilon_limit", facts.epsilon_limit);
  v("delta_limit", facts.delta_limit);
  v("epsilon", facts.epsilon);
  v("delta", facts.delta);
  v("method", facts.method);
  const auto grow = [&] {
    if constexpr (V::reads) facts.series.emplace_back();
  };
  v.objects("series", facts.series.size(), 1000, grow,
            [&](V& one, std::size_t i) { describe_one_series(one, facts.series[i]); });
  v.require("series", !facts.series.empty(), "must be one at least");
}

}  // namespace vernier::plan
