#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "vernier/plan/description.hpp"
#include "vernier/release/record/record.hpp"

// The tables of a release, described once: rows of numbers with their intervals, and what was made of them.
namespace vernier::release {

inline constexpr std::size_t most_differences = 1'000'000;

// A figure that is a whole number is written as one; a reader takes both.
template <class V>
void describe_figure(V& v, std::string_view key, bool is_whole, Of<V, double>& value) {
  if constexpr (!V::reads) {
    if (is_whole && std::abs(value) < 0x1p63) return v(key, static_cast<std::int64_t>(value));
  }
  v(key, value);
}

template <class V>
void describe_interval(V& v, std::string_view key, bool is_whole, Of<V, interval::Interval>& interval) {
  std::array<double, 2> ends{interval.low, interval.high};
  if constexpr (!V::reads) {
    if (is_whole && std::abs(ends[0]) < 0x1p63 && std::abs(ends[1]) < 0x1p63) {
      return v(key, std::array{static_cast<std::int64_t>(ends[0]), static_cast<std::int64_t>(ends[1])});
    }
  }
  v(key, ends);
  if constexpr (V::reads) interval = {ends[0], ends[1]};
}

template <class V>
void describe_denoised(V& v, Of<V, Number>& number) {
  if (!v.has("denoised", number.denoised.has_value())) return;
  const bool has_interval = v.has("denoised_interval", number.denoised_interval.has_value());
  if constexpr (V::reads) {
    number.denoised = 0;
    if (has_interval) number.denoised_interval = interval::Interval{};
  }
  describe_figure(v, "denoised", number.is_whole && !has_interval, *number.denoised);
  if (has_interval) describe_interval(v, "denoised_interval", false, *number.denoised_interval);
}

// What all numbers of a statistic have in common.
struct Shown {
  double confidence;
  bool is_simultaneous;
};

template <class V>
void describe_number(V& v, bool has_fixed_margin, const Shown& shown, Of<V, Number>& number) {
  describe_figure(v, "value", number.is_whole, number.value);
  describe_figure(v, "accuracy", number.is_whole, number.accuracy);
  describe_interval(v, "interval", number.is_whole, number.interval);
  v.same("confidence", shown.confidence);
  if (shown.is_simultaneous) v.same("simultaneous", true);
  v("covers", number.covers);
  v("coverage", number.coverage);
  if (!has_fixed_margin || interval::is_of_population(number.covers)) {
    v("informative", number.informative);
    v("may_be_empty", number.may_be_empty);
  }
  describe_denoised(v, number);
}

// One statistic of a record, with all that belongs to it.
template <class V>
struct Parts {
  Of<V, plan::BoundStatistic>& statistic;
  Of<V, plan::PlannedStatistic>& planned;
  Of<V, Table>& table;
  Shown shown;
  std::vector<plan::Figure> figures = {};  // of its columns
};

template <class V>
Parts<V> parts_of(Of<V, Record>& record, std::size_t place) {
  auto& statistic = record.plan.study.statistics[place];
  return {statistic,
          record.plan.statistics[place],
          record.tables[place],
          {confidence_of(statistic.alpha.value_or(record.alpha)), statistic.inference.is_simultaneous}};
}

template <class V>
void describe_numbers(V& v, const Parts<V>& parts, Of<V, std::vector<Number>>& numbers, std::size_t place) {
  v.object(parts.statistic.query.aggregations[place].name, [&](V& number) {
    describe_number(number, has_fixed_margin(parts.figures[place]), parts.shown, numbers[place]);
  });
}

template <class V>
void describe_row(V& v, const Parts<V>& parts, Of<V, Row>& row) {
  const query::Query& query = parts.statistic.query;
  if constexpr (V::reads) {
    row.keys.resize(query.keys.size());
    row.numbers.resize(query.aggregations.size());
    row.derived.resize(query.formulas.size());
  }
  for (const query::Output& output : query.outputs) {
    if (output.is_formula) {
      v.object(query.formulas[output.place].name,
               [&](V& number) { describe_number(number, false, parts.shown, row.derived[output.place]); });
      continue;
    }
    if (!output.is_key) {
      describe_numbers(v, parts, row.numbers, output.place);
      continue;
    }
    const query::Key& key = query.keys[output.place];
    plan::describe_value(v, key.name, key.expression.type(), row.keys[output.place]);
  }
  if constexpr (V::reads) {
    if (parts.statistic.keys.are_public) parts.statistic.keys.cells.push_back(row.keys);
  }
}

// A published column by its name.
template <class V>
void describe_column(V& v, const query::Query& query, Of<V, std::size_t>& aggregation) {
  std::string name;
  if constexpr (!V::reads) name = query.aggregations[aggregation].name;
  v("column", name);
  if constexpr (V::reads) {
    const auto found = std::find_if(query.aggregations.begin(), query.aggregations.end(),
                                    [&](const query::Aggregation& one) { return one.name == name; });
    v.require("column", found != query.aggregations.end(), "must name a column that is published");
    aggregation = static_cast<std::size_t>(found - query.aggregations.begin());
  }
}

// How its columns were denoised, where that is asked.
template <class V>
void describe_denoising(V& v, const Parts<V>& parts) {
  const query::Denoise asked = parts.statistic.inference.denoise;
  if (asked == query::Denoise::none) return;
  auto& columns = parts.table.denoised;
  const auto grow = [&] {
    if constexpr (V::reads) columns.emplace_back();
  };
  v.object("denoise", [&](V& denoise) {
    denoise.same("asked", asked);
    denoise.objects("columns", columns.size(), plan::most_columns, grow, [&](V& one, std::size_t i) {
      describe_column(one, parts.statistic.query, columns[i].aggregation);
      one("used", columns[i].used);
      one("risk", columns[i].risk);
      one("coverage", columns[i].coverage);
    });
  });
}

// The numbers of one group less those of another, where that is asked.
template <class V>
void describe_differences(V& v, const Parts<V>& parts) {
  if (parts.statistic.inference.differences.empty()) return;
  auto& differences = parts.table.differences;
  const auto grow = [&] {
    if constexpr (V::reads) differences.emplace_back().numbers.resize(parts.figures.size());
  };
  v.objects("differences", differences.size(), most_differences, grow, [&](V& one, std::size_t i) {
    one("groups", differences[i].groups);
    for (std::size_t j = 0; j < parts.figures.size(); ++j) describe_numbers(one, parts, differences[i].numbers, j);
  });
}

}  // namespace vernier::release
