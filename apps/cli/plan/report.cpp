#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "cli/catalog/catalog.hpp"
#include "cli/output.hpp"
#include "cli/plan/plan.hpp"
#include "report/text.hpp"
#include "text/numbers.hpp"
#include "vernier/core/text.hpp"
#include "vernier/plan/plan.hpp"
#include "vernier/plan/plan_json.hpp"
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
  plan::write_key_names(json, statistic.query);
  write_groups(json, statistic.keys, answer.plan.content().statistics[place].keys);
  plan::write_releases(json, answer.plan.content(), place);
  json.end_object();
}

void write_amount(JsonWriter& json, const study::LedgerAmount& amount) {
  json.begin_object();
  json.member("name", amount.name);
  json.member("allowed", amount.allowed.round_down());
  json.member("left", amount.left.round_down());
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
  if (!measurement.source) return bar(noise.share);
  return "shared with " + one_line(plan::column_of(statistic, statistic.measurements[*measurement.source]));
}

void write_head(Output& output, const PlanAnswer& answer) {
  const plan::Plan& plan = answer.plan.content();
  const bool replace = plan.study.neighbours == privacy::Neighbours::replace;
  write_lines(output,
              {{"study", one_line(answer.plan.study().question.path.string()), ""},
               {"catalog", one_line(plan.study.catalog.path.string()), ""},
               {"unit", one_line(plan::unit_of(plan.study)),
                replace ? "its content is protected (replace)" : "its presence is protected (add-remove)"},
               {"epsilon", rounded_up_text(plan.epsilon),
                "of the whole study, by " + std::string(accounting::name_of(plan.method))},
               {"delta", rounded_up_text(plan.delta.value()), ""},
               {"confidence", text::confidence_text(nearest(answer.plan.study().question.alpha)), "of every ± below"}});
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

bool has_spread(const plan::BoundStudy& study) {
  const auto is_spread = [](const Measurement& m) {
    return m.figure >= plan::Figure::variance_sample && m.figure <= plan::Figure::deviation_population;
  };
  return std::any_of(study.statistics.begin(), study.statistics.end(), [&](const BoundStatistic& statistic) {
    return std::any_of(statistic.measurements.begin(), statistic.measurements.end(), is_spread);
  });
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
  output.write(
      fmt::format("\nabout: if a group has {} rows (typical_rows of the statistic){}{}\n", rows, spread, weights));
}

void write_inference(Output& output, const plan::BoundStudy& study) {
  for (const BoundStatistic& statistic : study.statistics) {
    for (const std::string& sentence : report::inference_sentences(statistic)) {
      output.write(fmt::format("\n{}: {}\n", one_line(statistic.name), sentence));
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

void write_what_if(Output& output, const plan::Plan& plan, const std::vector<WhatIf>& points) {
  std::vector<Heading> headings = {{"statistic"}, {"column"}};
  for (const WhatIf& point : points) headings.push_back({"epsilon " + nearest_text(point.epsilon, 3), Align::right});
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
  output.write("\nwhat if the study had another epsilon?\n");
  write_aligned(output, headings, rows);
}

}  // namespace

void write_plan_report(Output& output, const PlanAnswer& answer) {
  write_head(output, answer);
  write_releases(output, answer.plan.content());
  write_about(output, answer.plan.content().study);
  write_inference(output, answer.plan.content().study);
  write_keys(output, answer.plan.content());
  write_ledger(output, answer.ledger);
  if (!answer.what_if.empty()) write_what_if(output, answer.plan.content(), answer.what_if);
}

}  // namespace vernier::cli
