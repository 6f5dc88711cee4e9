#include "vernier/query/translate/parts.hpp"

#include <algorithm>

#include "vernier/query/translate/syntax.hpp"

// From the parts of a statement to a query: which statistics are measured, what they are called, and what is made of
// them.
namespace vernier::query {
namespace {

// Quotients whose joint law is known are told as means. Where both parts are published anyway the quotient is made of
// them, unless the mean costs nothing beside them.
void take_means(Parts& parts) {
  const std::vector<Aggregation> before = parts.statistics;
  std::vector<bool> is_selected;
  for (std::size_t i = 0; i < before.size(); ++i) is_selected.push_back(parts.is_selected(i));
  const auto mean_of = [&](std::size_t above, std::size_t below) -> std::optional<std::size_t> {
    const bool is_shared = before[below].aggregate == Aggregate::count;
    if (above >= before.size() || below >= before.size()) return std::nullopt;
    if (is_selected[above] && is_selected[below] && !is_shared) return std::nullopt;
    const std::optional<Aggregation> mean = mean_for(before[above], before[below]);
    if (!mean) return std::nullopt;
    const auto found = std::find(parts.statistics.begin(), parts.statistics.end(), *mean);
    if (found != parts.statistics.end()) return static_cast<std::size_t>(found - parts.statistics.begin());
    parts.statistics.push_back(*mean);
    return parts.statistics.size() - 1;
  };
  for (std::vector<FormulaStep>* steps : parts.all_steps()) *steps = with_means(std::move(*steps), mean_of);
}

// Statistics that are still in something, in the order in which they come up.
void renumber(Parts& parts) {
  std::vector<std::optional<std::size_t>> places(parts.statistics.size());
  std::vector<Aggregation> kept;
  for (std::vector<FormulaStep>* steps : parts.all_steps()) {
    for (FormulaStep& step : *steps) {
      if (step.operation != FormulaOperation::column) continue;
      std::optional<std::size_t>& place = places[step.column];
      if (!place) place = kept.size(), kept.push_back(parts.statistics[step.column]);
      step.column = *place;
    }
  }
  parts.statistics = std::move(kept);
}

bool is_taken(const Parts& parts, const std::vector<Aggregation>& named, const std::string& name) {
  return std::any_of(parts.selected.begin(), parts.selected.end(),
                     [&](const Selected& one) { return same_name(one.name, name); }) ||
         std::any_of(named.begin(), named.end(), [&](const Aggregation& one) { return same_name(one.name, name); });
}

// Statistics that are no column by themselves have a name too, under which the record knows them.
void name_statistics(Parts& parts) {
  std::vector<Aggregation> named;
  for (std::size_t i = 0; i < parts.statistics.size(); ++i) {
    Aggregation one = parts.statistics[i];
    const auto column = std::find_if(parts.selected.begin(), parts.selected.end(),
                                     [&](const Selected& selected) { return selected.statistic() == i; });
    if (column != parts.selected.end()) {
      one.name = column->name;
    } else {
      one.name = canonical(one);
      std::erase(one.name, '"');
      while (is_taken(parts, named, one.name)) one.name += "_";
    }
    named.push_back(std::move(one));
  }
  parts.statistics = std::move(named);
}

// Keys alone are published with the number by which groups are chosen: it costs no more.
void count_keys(Parts& parts, const Table& table) {
  if (!parts.statistics.empty() || parts.keys.empty()) return;
  Aggregation count{Aggregate::count_rows, std::nullopt, ""};
  std::string name = "rows";
  const Column* const unit = table.unit ? table.column(*table.unit) : nullptr;
  if (unit != nullptr) count = {Aggregate::count_units, column(*unit), ""}, name = "units";
  while (is_taken(parts, {}, name)) name += "_";
  parts.statistics.push_back(count);
  parts.selected.insert(parts.selected.begin() + static_cast<std::ptrdiff_t>(parts.written),
                        Selected{name, {}, {{FormulaOperation::column, 0, parts.statistics.size() - 1}}, 0});
  for (std::size_t& place : parts.keys) place += place >= parts.written ? 1 : 0;
  ++parts.written;
}

// A statistic by itself is no formula.
std::optional<std::size_t> lone_statistic(const std::vector<FormulaStep>& steps) {
  return Selected{"", {}, steps, 0}.statistic();
}

// The first column of a statistic is the statistic; another one, and whatever is made of some, is a formula.
Output output_of(Query& query, const Selected& column) {
  const std::optional<std::size_t> statistic = column.statistic();
  if (statistic && !query.is_shown(*statistic)) return {false, *statistic};
  query.formulas.push_back({column.name, column.steps});
  return {false, query.formulas.size() - 1, true};
}

KeyOrder order_of(Query& query, const OrderTerm& term) {
  if (term.key) return {*term.key, term.descending};
  if (const auto statistic = lone_statistic(term.steps)) return {0, term.descending, Output{false, *statistic}};
  const auto found = std::find_if(query.formulas.begin(), query.formulas.end(),
                                  [&](const Formula& one) { return one.steps == term.steps; });
  const auto place = static_cast<std::size_t>(found - query.formulas.begin());
  if (found == query.formulas.end()) query.formulas.push_back({"", term.steps});
  return {0, term.descending, Output{false, place, true}};
}

tl::unexpected<Refusal> neither(const Selected& column, const Parts& parts) {
  std::string advice = "write GROUP BY " + shown(column.name) + " behind it, or a statistic of it such as COUNT(" +
                       shown(column.name) + ")";
  if (!parts.keys.empty()) {
    advice = "add " + shown(column.name) + " to GROUP BY, or write a statistic of it such as COUNT(" +
             shown(column.name) + ")";
  }
  return tl::unexpected(
      Refusal{{ErrorKind::invalid, "\"" + shown(column.name) + "\" is neither a key nor a statistic", {}, advice},
              column.byte});
}

// SQL leaves out rows that are equal to another one. Here rows of different groups differ by their keys, all of which
// are published, so that DISTINCT means what SQL means where all of them are selected.
Read<void> check_distinct(const Parts& parts) {
  if (!parts.modifiers.is_distinct) return {};
  const auto hidden =
      std::find_if(parts.keys.begin(), parts.keys.end(), [&](std::size_t key) { return key >= parts.written; });
  if (hidden == parts.keys.end()) return {};
  const Selected& key = parts.selected[*hidden];
  return tl::unexpected(
      Refusal{{ErrorKind::invalid,
               "DISTINCT would leave out groups whose rows are equal, and here every row says which group it is",
               {},
               "select " + shown(key.name) + " too, or leave out DISTINCT"},
              key.byte});
}

}  // namespace

Read<void> check_selected(const Parts& parts) {
  for (std::size_t i = 0; i < parts.written; ++i) {
    const bool is_key = std::find(parts.keys.begin(), parts.keys.end(), i) != parts.keys.end();
    if (parts.selected[i].steps.empty() && !is_key) return neither(parts.selected[i], parts);
  }
  return {};
}

// Keys that the SELECT list does not have come first: every row says which group it is.
Read<Query> assembled(Parts parts, const Table& table, Query query) {
  if (const Read<void> checked = check_distinct(parts); !checked) return tl::unexpected(checked.error());
  take_means(parts);
  renumber(parts);
  count_keys(parts, table);
  name_statistics(parts);
  query.aggregations = parts.statistics;
  for (const std::size_t place : parts.keys) {
    if (place >= parts.written) query.outputs.push_back({true, query.keys.size()});
    query.keys.push_back({*parts.selected[place].key, parts.selected[place].name});
  }
  for (std::size_t i = 0; i < parts.written; ++i) {
    const auto key = std::find(parts.keys.begin(), parts.keys.end(), i);
    if (!parts.selected[i].steps.empty()) {
      query.outputs.push_back(output_of(query, parts.selected[i]));
    } else if (key != parts.keys.end()) {
      query.outputs.push_back({true, static_cast<std::size_t>(key - parts.keys.begin())});
    } else {
      return neither(parts.selected[i], parts);
    }
  }
  if (query.aggregations.empty()) {
    return refuse_all("the SELECT list has no statistic", "add COUNT(*), COUNT(x), SUM(x) or AVG(x)");
  }
  if (!parts.having.empty()) query.having = Formula{"", parts.having};
  for (const OrderTerm& term : parts.modifiers.order) query.order.push_back(order_of(query, term));
  query.limit = parts.modifiers.limit;
  query.offset = parts.modifiers.offset;
  return query;
}

}  // namespace vernier::query
