#include "report/charts.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <type_traits>
#include <variant>

#include <fmt/format.h>

#include "plot/ticks.hpp"
#include "report/shown.hpp"

namespace vernier::report {
namespace {

using plan::BoundStatistic;
using plot::Estimate;
using plot::EstimateChart;
using plot::EstimateForm;
using query::Value;

constexpr std::size_t most_rows = 40, most_panels = 12, least_curve = 3;
constexpr std::size_t most_named = 24;  // keys of a curve; of more, round ones are named where there are some

bool is_day(const Value& value) { return std::holds_alternative<query::Day>(value); }

void keep_round_names(EstimateChart& chart) {
  const plot::Ticks ticks = plot::round_ticks(chart.places.front(), chart.places.back(), 8);
  std::vector<std::string> names(chart.keys.size());
  std::size_t found = 0;
  for (const double tick : ticks.values) {
    const auto place = std::lower_bound(chart.places.begin(), chart.places.end(), tick);
    if (place == chart.places.end() || *place != tick) continue;
    const auto i = static_cast<std::size_t>(place - chart.places.begin());
    names[i] = chart.keys[i];
    ++found;
  }
  if (found >= least_curve) chart.keys = std::move(names);
}

// Where a number or a day stands on an axis; none of texts and truth values.
std::optional<double> place_of(const Value& value) {
  return std::visit(
      [](const auto& one) -> std::optional<double> {
        using Kind = std::decay_t<decltype(one)>;
        if constexpr (std::is_same_v<Kind, std::int64_t> || std::is_same_v<Kind, double>) {
          return static_cast<double>(one);
        } else if constexpr (std::is_same_v<Kind, query::Day>) {
          return static_cast<double>(one.number);
        } else {
          return std::nullopt;
        }
      },
      value);
}

// The values that a key takes, in the order in which they come up, and the number of each.
struct KeyValues {
  std::vector<Value> values;
  std::map<Value, std::size_t> number;
  bool is_ordered;  // they stand on an axis
};

KeyValues values_of(const BoundStatistic& statistic, const release::Table& table, std::size_t key) {
  KeyValues found{{}, {}, !has_labels(statistic.query.keys[key], statistic.table)};
  for (const release::Row& row : table.rows) {
    const Value& value = row.keys[key];
    if (found.number.try_emplace(value, found.values.size()).second) found.values.push_back(value);
    found.is_ordered = found.is_ordered && place_of(value).has_value();
  }
  if (!found.is_ordered) return found;
  std::sort(found.values.begin(), found.values.end());
  for (std::size_t i = 0; i < found.values.size(); ++i) found.number[found.values[i]] = i;
  return found;
}

// The key along which a chart is drawn, and the one that tells its panels apart, if there are two.
struct Choice {
  EstimateForm form;
  std::optional<std::size_t> inner = {};
  std::optional<std::size_t> panels = {};
};

EstimateForm form_of(const KeyValues& key) {
  return key.is_ordered && key.values.size() >= least_curve ? EstimateForm::curve : EstimateForm::rows;
}

bool is_drawable(const KeyValues& inner, const KeyValues& panels) {
  return panels.values.size() <= most_panels &&
         (form_of(inner) == EstimateForm::curve || inner.values.size() <= most_rows);
}

std::optional<Choice> choice_of_two(const KeyValues& first, const KeyValues& second) {
  const bool first_inside = is_drawable(first, second), second_inside = is_drawable(second, first);
  if (!first_inside && !second_inside) return std::nullopt;
  bool takes_first = !second_inside;
  if (first_inside && second_inside) {
    const bool first_is_curve = form_of(first) == EstimateForm::curve,
               second_is_curve = form_of(second) == EstimateForm::curve;
    const bool has_fewer_panels = second.values.size() < first.values.size();
    takes_first = first_is_curve == second_is_curve ? has_fewer_panels : first_is_curve;
  }
  if (takes_first) return Choice{form_of(first), 0, 1};
  return Choice{form_of(second), 1, 0};
}

Choice choice_of(const std::vector<KeyValues>& keys, std::size_t rows) {
  if (keys.size() == 1 && form_of(keys[0]) == EstimateForm::curve) return {EstimateForm::curve, 0};
  if (keys.size() == 2) {
    if (const std::optional<Choice> choice = choice_of_two(keys[0], keys[1])) return *choice;
  }
  return {rows <= most_rows ? EstimateForm::rows : EstimateForm::strip};
}

class Charts {
 public:
  Charts(const BoundStatistic& statistic, const release::Table& table, const std::string& confidence)
      : statistic_(statistic), table_(table), confidence_(confidence) {
    for (std::size_t i = 0; i < statistic.query.keys.size(); ++i) keys_.push_back(values_of(statistic, table, i));
    choice_ = choice_of(keys_, table.rows.size());
  }

  EstimateChart chart(std::size_t column) const {
    const std::string& name = statistic_.query.aggregations[column].name;
    EstimateChart chart;
    chart.title = statistic_.query.aggregations.size() == 1 ? statistic_.name : statistic_.name + ": " + name;
    chart.form = choice_.form;
    chart.value_title = name;
    choice_.inner ? add_by_key(chart, column) : add_rows(chart, column);
    chart.subtitle = subtitle(chart);
    return chart;
  }

 private:
  std::string text_of(std::size_t key, const Value& value) const {
    return key_text(statistic_.query.keys[key], statistic_.table, value);
  }

  Estimate estimate(const release::Row& row, std::size_t column, int decimals) const {
    const release::Number& number = row.numbers[column];
    return {number.value,       number.interval.low, number.interval.high, shown(number, decimals).line(),
            number.informative, number.denoised};
  }

  void add_by_key(EstimateChart& chart, std::size_t column) const {
    const KeyValues& inner = keys_[*choice_.inner];
    chart.key_title = statistic_.query.keys[*choice_.inner].name;
    for (const Value& value : inner.values) {
      chart.keys.push_back(text_of(*choice_.inner, value));
      chart.places.push_back(place_of(value).value_or(0));
    }
    if (chart.form == EstimateForm::curve && chart.keys.size() > most_named && !is_day(inner.values.front())) {
      keep_round_names(chart);
    }
    add_panels(chart);
    const int decimals = decimals_of(table_, column);
    for (const release::Row& row : table_.rows) {
      const std::size_t panel = choice_.panels ? keys_[*choice_.panels].number.at(row.keys[*choice_.panels]) : 0;
      const std::size_t place = inner.number.at(row.keys[*choice_.inner]);
      chart.panels[panel].estimates[place] = estimate(row, column, decimals);
    }
  }

  void add_panels(EstimateChart& chart) const {
    const std::vector<std::optional<Estimate>> nothing(chart.keys.size());
    if (!choice_.panels) {
      chart.panels.push_back({"", nothing});
      return;
    }
    const std::string& name = statistic_.query.keys[*choice_.panels].name;
    for (const Value& value : keys_[*choice_.panels].values) {
      chart.panels.push_back({name + ": " + text_of(*choice_.panels, value), nothing});
    }
  }

  // One row after the other, with all their keys in one name; those of a strip have none but their round numbers.
  void add_rows(EstimateChart& chart, std::size_t column) const {
    const int decimals = decimals_of(table_, column);
    const bool is_strip = choice_.form == EstimateForm::strip;
    chart.panels.push_back({"", {}});
    for (std::size_t i = 0; i < table_.rows.size(); ++i) {
      const release::Row& row = table_.rows[i];
      chart.keys.push_back(is_strip ? "" : name_of(row, column));
      chart.places.push_back(static_cast<double>(i + 1));
      chart.panels[0].estimates.emplace_back(estimate(row, column, decimals));
    }
    if (is_strip) number_rows(chart);
  }

  static void number_rows(EstimateChart& chart) {
    chart.key_title = "row of the table";
    const plot::Ticks ticks = plot::round_ticks(1, static_cast<double>(chart.keys.size()), 8, 1);
    for (std::size_t i = 0; i < ticks.values.size(); ++i) {
      chart.keys[static_cast<std::size_t>(ticks.values[i]) - 1] = ticks.labels[i];
    }
  }

  std::string name_of(const release::Row& row, std::size_t column) const {
    if (row.keys.empty()) return statistic_.query.aggregations[column].name;
    std::string name;
    for (std::size_t i = 0; i < row.keys.size(); ++i) name += (i == 0 ? "" : " · ") + text_of(i, row.keys[i]);
    return name;
  }

  static bool is_denoised(const EstimateChart& chart) {
    for (const plot::EstimatePanel& panel : chart.panels) {
      for (const std::optional<Estimate>& estimate : panel.estimates) {
        if (estimate && estimate->denoised) return true;
      }
    }
    return false;
  }

  std::string subtitle(const EstimateChart& chart) const {
    const std::string mark = chart.form != EstimateForm::rows ? "dots" : value_range(chart).has_zero ? "bars" : "dots";
    const std::string count = plot::with_thousands(std::to_string(table_.rows.size()));
    return fmt::format("{} published {}: {} show the number, whiskers its {} interval{}", count,
                       table_.rows.size() == 1 ? "row" : "rows", mark, confidence_,
                       is_denoised(chart) ? ", orange marks the denoised number" : "");
  }

  const BoundStatistic& statistic_;
  const release::Table& table_;
  const std::string& confidence_;
  std::vector<KeyValues> keys_;
  Choice choice_{};
};

}  // namespace

std::vector<EstimateChart> charts_of(const BoundStatistic& statistic, const release::Table& table,
                                     const std::string& confidence) {
  if (table.rows.empty() || table.rows.size() > most_drawn_rows) return {};
  const Charts charts(statistic, table, confidence);
  std::vector<EstimateChart> all;
  for (std::size_t i = 0; i < statistic.query.aggregations.size(); ++i) all.push_back(charts.chart(i));
  return all;
}

}  // namespace vernier::report
