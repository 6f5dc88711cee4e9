#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "cli/catalog/catalog.hpp"
#include "cli/output.hpp"
#include "cli/plan/plan.hpp"
#include "cli/plan/series.hpp"
#include "cli/plan/tables.hpp"
#include "cli/program_error.hpp"
#include "report/text.hpp"
#include "text/numbers.hpp"
#include "vernier/core/text.hpp"
#include "vernier/numeric/meant.hpp"
#include "vernier/plan/plan.hpp"
#include "vernier/plan/plan_json.hpp"
#include "vernier/plan/statistic/moments.hpp"
#include "vernier/query/value.hpp"

namespace vernier::cli {
namespace {

using plan::BoundStatistic;
using plan::Measurement;

void write_chance(JsonWriter& json, const plan::PublishedChance& chance) {
  json.begin_object();
  json.member("units", chance.units);
  json.member("lower", chance.chance.lower);
  json.member("upper", chance.chance.upper);
  json.end_object();
}

void write_private_keys(JsonWriter& json, const plan::KeyPlan& keys) {
  json.member("threshold", keys.threshold);
  json.member("delta", keys.delta);
  json.key("forecast");
  json.begin_array();
  for (const plan::PublishedChance& chance : keys.forecast) write_chance(json, chance);
  json.end_array();
}

void write_groups(JsonWriter& json, const plan::Keys& keys, const std::optional<plan::KeyPlan>& plan) {
  json.key("groups");
  json.begin_object();
  json.key("public");
  json.boolean(keys.are_public);
  if (keys.are_public) json.member("count", static_cast<std::int64_t>(keys.cells.size()));
  if (plan) write_private_keys(json, *plan);
  json.end_object();
}

void write_statistic(JsonWriter& json, const PlanAnswer& answer, std::size_t place) {
  const BoundStatistic& statistic = answer.plan.content().study.statistics[place];
  json.begin_object();
  json.member("name", std::string_view(statistic.name));
  json.member("sql", std::string_view(answer.plan.study().question.statistics[place].sql));
  if (statistic.alpha) json.member("alpha", nearest(*statistic.alpha));
  plan::write_key_names(json, statistic.query);
  write_groups(json, statistic.keys, answer.plan.content().statistics[place].keys);
  plan::write_releases(json, answer.plan.content(), place);
  json.end_object();
}

void write_amount(JsonWriter& json, const study::LedgerAmount& amount) {
  json.begin_object();
  json.member("name", amount.name);
  json.member("allowed", meant(amount.allowed));
  json.member("left", meant(amount.left));
  json.member("price", amount.price.round_up());
  json.member("once", amount.once.round_up());
  json.end_object();
}

// How many such studies there is room for, where this one opens the conversion.
void write_room(JsonWriter& json, const std::optional<ledger::Room>& room) {
  json.key("room");
  if (!room) return json.null();
  json.begin_object();
  json.member("with_conversion", room->with_conversion);
  json.member("by_totals", room->by_totals);
  json.end_object();
}

void write_ledger(JsonWriter& json, const study::LedgerState& ledger) {
  json.key("ledger");
  json.begin_object();
  json.member("file", std::string_view(ledger.name));
  json.key("exists");
  json.boolean(ledger.exists);
  json.key("affordable");
  json.boolean(ledger.is_affordable);
  json.key("amounts");
  json.begin_array();
  for (const study::LedgerAmount& amount : ledger.amounts) write_amount(json, amount);
  json.end_array();
  json.member("manner", ledger::name_of(ledger.manner));
  write_room(json, ledger.room);
  json.end_object();
}

// The accuracies by statistic and column, as in the plan.
void write_point(JsonWriter& json, const plan::BoundStudy& study, const WhatIf& point) {
  json.begin_object();
  json.member("epsilon", point.epsilon);
  if (point.changed == "delta") json.member("delta", point.value);
  if (point.changed == "max_rows") {
    json.member("max_rows", point.value);
  } else if (point.changed != "delta" && point.changed != "epsilon") {
    json.member("column", std::string_view(point.changed));
    json.member("accuracy", point.value);
  }
  json.key("accuracies");
  json.begin_array();
  std::size_t place = 0;
  for (const BoundStatistic& statistic : study.statistics) {
    json.begin_object();
    for (const Measurement& measurement : statistic.measurements) {
      const double accuracy = point.accuracies[place++];
      if (measurement.aggregation) json.member(plan::column_of(statistic, measurement), accuracy);
    }
    json.end_object();
  }
  json.end_array();
  write_tables_what_if(json, point);
  json.end_object();
}

void write_what_if(JsonWriter& json, const PlanAnswer& answer) {
  json.key("what_if");
  json.begin_array();
  for (const WhatIf& point : answer.what_if) write_point(json, answer.plan.content().study, point);
  json.end_array();
}

}  // namespace

void write_plan_json(Output& output, const PlanAnswer& answer) {
  JsonWriter json(output);
  json.begin_object();
  json.member("study", std::string_view(answer.plan.study().name));
  plan::write_protection(json, answer.plan.content());
  json.member("alpha", nearest(answer.plan.study().question.alpha));
  json.key("statistics");
  json.begin_array();
  for (std::size_t i = 0; i < answer.plan.content().statistics.size(); ++i) write_statistic(json, answer, i);
  json.end_array();
  write_tables_json(json, answer.plan.content());
  write_ledger(json, answer.ledger);
  if (!answer.what_if.empty()) write_what_if(json, answer);
  json.end_object();
  output.write("\n");
}

namespace {

using plan::PlannedNoise;
using report::accuracy_text;

// A share of one as ten cells: "████░░░░░░  40 %".
std::string bar(double share) {
  const int full = std::clamp(static_cast<int>(std::lround(10 * share)), 0, 10);
  std::string cells;
  for (int i = 0; i < 10; ++i) cells += i < full ? "█" : "░";
  return cells + fmt::format(" {:3.0f} %", 100 * share);
}

std::string share_text(const BoundStatistic& statistic, const Measurement& measurement, const PlannedNoise& noise) {
  if (measurement.source) {
    return "shared with " + one_line(plan::column_of(statistic, statistic.measurements[*measurement.source]));
  }
  if (measurement.copied) {
    const std::string of = measurement.copied->name == statistic.name ? "" : " of " + measurement.copied->name;
    return "shared with " + one_line(measurement.copied->column + of);
  }
  if (measurement.parallel && noise.share == 0) return "charged with rows that exclude its own";
  return bar(noise.share);
}

void write_head(Output& output, const PlanAnswer& answer) {
  const plan::Plan& plan = answer.plan.content();
  const bool replace = plan.study.neighbours == privacy::Neighbours::replace;
  write_lines(output, {{"study", place_text(answer.plan.study().question.path), ""},
                       {"catalog", place_text(plan.study.catalog.path), ""},
                       {"unit", one_line(plan::unit_of(plan.study)),
                        replace ? "its content is protected (replace)" : "its presence is protected (add-remove)"},
                       {"epsilon", rounded_up_text(plan.epsilon),
                        "of the whole study, by " + std::string(accounting::name_of(plan.method))},
                       {"delta", rounded_up_text(plan.delta.value()), ""},
                       {"confidence", report::confidences_of(plan.study, answer.plan.study().question.alpha),
                        report::has_several_confidences(plan.study) ? "of the ± below, as each statistic says"
                                                                    : "of every ± below"}});
}

void write_releases(Output& output, const plan::Plan& plan) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < plan.statistics.size(); ++i) {
    const BoundStatistic& statistic = plan.study.statistics[i];
    for (std::size_t j = 0; j < statistic.measurements.size(); ++j) {
      const Measurement& measurement = statistic.measurements[j];
      const PlannedNoise& noise = plan.statistics[i].noise[j];
      rows.push_back(
          {j == 0 ? one_line(statistic.name) : "", one_line(plan::column_of(statistic, measurement)),
           std::string(plan::name_of(noise.law)), nearest_text(plan::published_scale(statistic, measurement, noise), 4),
           accuracy_text(statistic, measurement, noise.accuracy), share_text(statistic, measurement, noise)});
    }
  }
  output.write("\n");
  write_aligned(output,
                {{"statistic"}, {"column"}, {"law"}, {"scale", Align::right}, {"accuracy", Align::right}, {"share"}},
                rows);
}

bool has_about(const BoundStatistic& statistic) {
  return std::any_of(statistic.measurements.begin(), statistic.measurements.end(),
                     [&](const Measurement& m) { return plan::is_about(statistic, m); });
}

template <class Is>
bool has_measurement(const plan::BoundStudy& study, const Is& is_one) {
  return std::any_of(study.statistics.begin(), study.statistics.end(), [&](const BoundStatistic& statistic) {
    return std::any_of(statistic.measurements.begin(), statistic.measurements.end(), is_one);
  });
}

bool has_spread(const plan::BoundStudy& study) {
  return has_measurement(study, [](const Measurement& m) { return plan::is_spread(m.figure); });
}

// What the accuracy of a relation is told for: src/vernier/interval/relation/relation.md, "Value and forecast".
const char* pair_condition(const plan::BoundStudy& study) {
  if (has_measurement(study, [](const Measurement& m) { return !m.regressors.empty(); })) {
    return "; of relations, if columns have standard deviations of a quarter of their ranges and means as far from the "
           "middle, no x goes with another, and y rises by half of its range over that of an x";
  }
  if (!has_measurement(study, [](const Measurement& m) { return m.paired.has_value(); })) return "";
  return "; of relations, if x and y have standard deviations of a quarter of their ranges and means as far from the "
         "middle, and y rises by half of its range over that of x";
}

bool has_weights(const plan::BoundStudy& study) {
  return std::any_of(study.statistics.begin(), study.statistics.end(),
                     [](const BoundStatistic& statistic) { return statistic.weighted.has_value(); });
}

// Of a mean and the like the accuracy depends on the rows, which nobody may look at.
void write_about(Output& output, const plan::BoundStudy& study) {
  std::vector<std::int64_t> sizes;
  for (const BoundStatistic& statistic : study.statistics) {
    if (has_about(statistic)) sizes.push_back(statistic.typical_rows);
  }
  if (sizes.empty()) return;
  const auto [least, greatest] = std::minmax_element(sizes.begin(), sizes.end());
  const std::string rows =
      *least == *greatest ? text::grouped(*least) : text::grouped(*least) + " to " + text::grouped(*greatest);
  const bool needs_spread = has_spread(study) || report::any_of_population(study);
  const char* const spread = needs_spread ? ", and a standard deviation of a quarter of the range" : "";
  const char* const weights = has_weights(study) ? ", and weights that lie evenly between 0 and the greatest" : "";
  output.write(fmt::format("\nabout: if a group has {} rows (typical_rows of the statistic){}{}{}\n", rows, spread,
                           weights, pair_condition(study)));
}

void write_inference(Output& output, const plan::Plan& plan) {
  for (std::size_t i = 0; i < plan.study.statistics.size(); ++i) {
    const BoundStatistic& statistic = plan.study.statistics[i];
    std::vector<std::string> sentences = report::inference_sentences(statistic);
    if (std::string width = report::selection_sentence(plan, i); !width.empty()) sentences.push_back(std::move(width));
    for (std::string& one : report::formula_sentences(statistic, 0)) sentences.push_back(std::move(one));
    for (const std::string& sentence : sentences) {
      output.write(fmt::format("\n{}: {}\n", one_line(statistic.name), one_line(sentence)));
    }
  }
}

std::string public_text(const plan::Keys& keys) {
  if (keys.cells.size() == 1 && keys.cells.front().empty()) return "one group of all rows";
  return fmt::format("{} public groups; all are published, empty or not",
                     text::grouped(static_cast<std::int64_t>(keys.cells.size())));
}

void write_private(Output& output, const plan::KeyPlan& keys, const std::string& name) {
  output.write(
      fmt::format("{}  private groups; one is published where its number of units, with noise, is at least {}\n", name,
                  text::grouped(keys.threshold)));
  const std::string blanks(width_of(name), ' ');
  for (const plan::PublishedChance& chance : keys.forecast) {
    output.write(fmt::format("{}  a group of {} {} appears with probability {}\n", blanks, text::grouped(chance.units),
                             chance.units == 1 ? "unit" : "units",
                             nearest_text((chance.chance.lower + chance.chance.upper) / 2, 3)));
  }
}

void write_keys(Output& output, const plan::Plan& plan) {
  std::size_t widest = 0;
  for (const BoundStatistic& statistic : plan.study.statistics) {
    widest = std::max(widest, width_of(one_line(statistic.name)));
  }
  output.write("\n");
  for (std::size_t i = 0; i < plan.statistics.size(); ++i) {
    std::string name = one_line(plan.study.statistics[i].name);
    name += std::string(widest - width_of(name), ' ');
    if (const auto& keys = plan.statistics[i].keys) {
      write_private(output, *keys, name);
    } else {
      output.write(fmt::format("{}  {}\n", name, public_text(plan.study.statistics[i].keys)));
    }
  }
}

// What is cut off of units with several rows.
void write_limits(Output& output, const study::Study& study) {
  const std::vector<BoundStatistic> assumed = study.with_assumed_limits();
  bool is_first = true;
  for (const BoundStatistic* const statistic : plan::statements_of(study.bound)) {
    const std::string sentence = report::limits_sentence(*statistic);
    if (sentence.empty()) continue;
    const bool is_said = std::none_of(assumed.begin(), assumed.end(),
                                      [&](const BoundStatistic& one) { return one.name == statistic->name; });
    const bool is_table = statistic->measurements.empty();
    output.write(fmt::format("{}{}: {}{}\n", is_first ? "\n" : "", one_line(statistic->name), one_line(sentence),
                             is_said    ? ""
                             : is_table ? "; nothing says how many may, so write max_rows"
                                        : "; nothing says how many may, so write max_rows and max_groups"));
    is_first = false;
  }
  if (!is_first && !assumed.empty() && !is_of_program(study.bound.catalog.path.string())) {
    output.write(fmt::format("how many rows they have is found privately by: vernier bounds {} {} --epsilon 0.1\n",
                             one_line(study.bound.catalog.path.string()), one_line(assumed.front().table.name)));
  }
}

// What opening the conversion takes stands apart: it is paid once, for all that follow.
void write_ledger(Output& output, const study::LedgerState& ledger) {
  std::vector<Heading> headings = {
      {"amount"}, {"allowed", Align::right}, {"left", Align::right}, {"this study", Align::right}};
  if (ledger.room) headings.push_back({"and once", Align::right});
  std::vector<Row> rows;
  for (const study::LedgerAmount& amount : ledger.amounts) {
    Row& row = rows.emplace_back(Row{std::string(amount.name), rounded_down_text(nearest(amount.allowed)),
                                     rounded_down_text(nearest(amount.left)),
                                     rounded_up_text(nearest(amount.price - amount.once))});
    if (ledger.room) row.push_back(rounded_up_text(nearest(amount.once)));
  }
  output.write(
      fmt::format("\nthe ledger {}{}\n", one_line(ledger.name), ledger.exists ? "" : " begins with the first release"));
  write_aligned(output, headings, rows);
  if (ledger.room) {
    output.write(
        fmt::format("once: opens the conversion, which gives {}; conversion = \"never\" in [budget] forbids it\n",
                    report::room_text(*ledger.room)));
  }
  if (!ledger.is_affordable) output.write("this study asks for more than is left, and would be refused\n");
}

// Line by line what each max_rows means: the noise, and beside it what is cut off, where that was found.
void write_trade(Output& output, const plan::Plan& plan, const std::vector<WhatIf>& points,
                 const std::vector<CutOff>& cut_off) {
  std::vector<Heading> headings = {{"max_rows", Align::right}};
  for (const BoundStatistic& statistic : plan.study.statistics) {
    for (const Measurement& measurement : statistic.measurements) {
      if (measurement.aggregation)
        headings.push_back({one_line(statistic.name + "." + plan::column_of(statistic, measurement)), Align::right});
    }
  }
  headings.push_back({"epsilon", Align::right});
  if (!cut_off.empty()) headings.push_back({"units with more, at most", Align::right});
  if (!cut_off.empty()) headings.push_back({"rows cut off, about", Align::right});
  std::vector<Row> rows;
  for (std::size_t i = 0; i < points.size(); ++i) {
    Row row = {text::grouped(points[i].value, 0)};
    std::size_t place = 0;
    for (const BoundStatistic& statistic : plan.study.statistics) {
      for (const Measurement& measurement : statistic.measurements) {
        const double accuracy = points[i].accuracies[place++];
        if (measurement.aggregation) row.push_back(accuracy_text(statistic, measurement, accuracy));
      }
    }
    row.push_back(rounded_up_text(points[i].epsilon, 3));
    if (!cut_off.empty()) row.push_back(text::grouped_up(std::min(1.0, cut_off[i].share_more_at_most) * 100) + " %");
    if (!cut_off.empty()) row.push_back(text::grouped(std::round(cut_off[i].rows), 0));
    rows.push_back(std::move(row));
  }
  output.write("\nwhat if other rows of each unit counted?\n");
  write_aligned(output, headings, rows);
}

void write_what_if(Output& output, const plan::Plan& plan, const std::vector<WhatIf>& points) {
  std::vector<Heading> headings = {{"statistic"}, {"column"}};
  const std::string changed = points.front().changed;
  const bool is_epsilon = changed == "epsilon", is_delta = changed == "delta";
  for (const WhatIf& point : points) {
    const double value = is_epsilon ? point.epsilon : point.value;
    headings.push_back({(is_epsilon || is_delta ? changed + " " : "± ") + nearest_text(value, 3), Align::right});
  }
  std::vector<Row> rows;
  std::size_t place = 0;
  for (const BoundStatistic& statistic : plan.study.statistics) {
    for (const Measurement& measurement : statistic.measurements) {
      Row row = {one_line(statistic.name), one_line(plan::column_of(statistic, measurement))};
      for (const WhatIf& point : points) row.push_back(accuracy_text(statistic, measurement, point.accuracies[place]));
      ++place;
      if (measurement.aggregation) rows.push_back(std::move(row));
    }
  }
  add_tables_what_if(rows, plan, points);
  if (!is_epsilon) {
    Row& costs = rows.emplace_back(Row{"", "epsilon"});
    for (const WhatIf& point : points) costs.push_back(rounded_up_text(point.epsilon, 3));
  }
  output.write(is_epsilon || is_delta ? fmt::format("\nwhat if the study had another {}?\n", changed)
                                      : fmt::format("\nwhat if {} had another accuracy?\n", one_line(changed)));
  write_aligned(output, headings, rows);
}

}  // namespace

void write_ledger_state(JsonWriter& json, const study::LedgerState& ledger) { write_ledger(json, ledger); }
void write_ledger_report(Output& output, const study::LedgerState& ledger) { write_ledger(output, ledger); }

void write_plan_report(Output& output, const PlanAnswer& answer) {
  write_head(output, answer);
  if (!answer.plan.content().statistics.empty()) write_releases(output, answer.plan.content());
  write_tables_report(output, answer.plan.content());
  write_about(output, answer.plan.content().study);
  write_inference(output, answer.plan.content());
  if (!answer.plan.content().statistics.empty()) write_keys(output, answer.plan.content());
  write_limits(output, answer.plan.study());
  write_ledger(output, answer.ledger);
  if (answer.what_if.empty()) return;
  if (answer.what_if.front().changed == "max_rows")
    return write_trade(output, answer.plan.content(), answer.what_if, answer.cut_off);
  write_what_if(output, answer.plan.content(), answer.what_if);
}

}  // namespace vernier::cli
