#pragma once

#include <algorithm>

#include "vernier/core/describe.hpp"
#include "vernier/query/query.hpp"

// What a record says of the numbers that a statement makes of its statistics, and of the rows that it chooses by them.
namespace vernier::plan {

inline constexpr std::int64_t most_columns = 10'000;

// The steps of a formula, over the columns that the record names, and how they read.
template <class V>
void describe_steps(V& v, const query::Query& query, Of<V, std::vector<query::FormulaStep>>& steps) {
  const std::vector<std::string> names = query.statistic_names();
  std::vector<std::string> texts;
  if constexpr (!V::reads) {
    for (const query::FormulaStep& step : steps) texts.push_back(query::step_text(step, names));
  }
  v("steps", texts, AtMost{query::most_formula_steps});
  if constexpr (V::reads) {
    for (const std::string& text : texts) {
      const std::optional<query::FormulaStep> step = query::step_of(text, names);
      v.require("steps", step.has_value(), "must be operations, numbers and columns that are published");
      if (step) steps.push_back(*step);
    }
    const bool is_whole = query::is_well_formed(steps, names.size());
    v.require("steps", is_whole, "must make one number");
    if (!is_whole) steps = {{query::FormulaOperation::number, 0}};
  }
  v.same("expression", query::text_of(steps, names));
}

// The columns that are made of statistics, in the order of the statement.
template <class V>
void describe_formulas(V& v, Of<V, query::Query>& query) {
  std::vector<std::size_t> shown;
  for (const query::Output& output : query.outputs) {
    if (output.is_formula) shown.push_back(output.place);
  }
  if (!v.has("derived", !shown.empty())) return;
  const auto grow = [&] {
    if constexpr (V::reads) {
      query.outputs.push_back({false, query.formulas.size(), true});
      query.formulas.emplace_back();
    }
  };
  v.objects("derived", shown.size(), most_columns, grow, [&](V& one, std::size_t i) {
    auto& formula = query.formulas[V::reads ? i : shown[i]];
    one("column", formula.name);
    describe_steps(one, query, formula.steps);
  });
}

template <class V>
void describe_order(V& v, Of<V, query::Query>& query, Of<V, query::KeyOrder>& order) {
  std::optional<std::string> key;
  if constexpr (!V::reads) {
    if (!order.number) key = query.keys[order.key].name;
  }
  v.maybe("key", key);
  if constexpr (V::reads) {
    const auto found = std::find_if(query.keys.begin(), query.keys.end(),
                                    [&](const query::Key& one) { return one.name == key.value_or(""); });
    v.require("key", !key || found != query.keys.end(), "must be a key that is published");
    if (key && found != query.keys.end()) order.key = static_cast<std::size_t>(found - query.keys.begin());
  }
  v("descending", order.descending);
  if (key) return;
  if constexpr (V::reads) {
    query::Formula formula;
    describe_steps(v, query, formula.steps);
    const bool is_column = formula.steps.front().operation == query::FormulaOperation::column;
    if (formula.steps.size() == 1 && is_column) {
      order.number = query::Output{false, formula.steps.front().column};
    } else {
      order.number = query::Output{false, query.formulas.size(), true};
      query.formulas.push_back(std::move(formula));
    }
  } else if (order.number->is_formula) {
    describe_steps(v, query, query.formulas[order.number->place].steps);
  } else {
    const std::vector<query::FormulaStep> lone = {{query::FormulaOperation::column, 0, order.number->place}};
    describe_steps(v, query, lone);
  }
}

// HAVING, ORDER BY, LIMIT and OFFSET, where rows are chosen or ordered by numbers.
template <class V>
void describe_selection(V& v, Of<V, query::Query>& query) {
  const bool is_by_numbers =
      std::any_of(query.order.begin(), query.order.end(), [](const query::KeyOrder& by) { return by.number; });
  if (!v.has("selection", query.has_selection() || is_by_numbers)) return;
  v.object("selection", [&](V& selection) {
    if (selection.has("having", query.having.has_value())) {
      if constexpr (V::reads) query.having.emplace();
      selection.object("having", [&](V& having) { describe_steps(having, query, query.having->steps); });
    }
    const auto grow = [&] {
      if constexpr (V::reads) query.order.push_back({0, false});
    };
    selection.objects("order", query.order.size(), most_columns, grow,
                      [&](V& one, std::size_t i) { describe_order(one, query, query.order[i]); });
    selection.maybe("limit", query.limit, Whole{0, INT64_MAX});
    selection("offset", query.offset, Whole{0, INT64_MAX});
  });
}

}  // namespace vernier::plan
