#include "cli/catalog_report.hpp"
#include "cli/json.hpp"
#include "cli/json_values.hpp"
#include "cli/plan_answer.hpp"
#include "cli/plan_json_parts.hpp"
#include "cli/plan_names.hpp"

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
  const BoundStatistic& statistic = answer.plan.study.statistics[place];
  json.begin_object();
  json.member("name", std::string_view(statistic.name));
  json.member("sql", std::string_view(answer.asked.study.statistics[place].sql));
  write_key_names(json, statistic.query);
  write_groups(json, statistic.keys, answer.plan.statistics[place].keys);
  write_releases(json, answer.plan, place);
  json.end_object();
}

void write_amount(JsonWriter& json, const LedgerAmount& amount) {
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

void write_ledger(JsonWriter& json, const LedgerState& ledger) {
  json.key("ledger");
  json.begin_object();
  json.member("file", std::string_view(ledger.name));
  json.key("exists");
  json.boolean(ledger.exists);
  json.key("affordable");
  json.boolean(ledger.is_affordable);
  json.key("amounts");
  json.begin_array();
  for (const LedgerAmount& amount : ledger.amounts) write_amount(json, amount);
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
      if (measurement.aggregation) json.member(column_of(statistic, measurement), accuracy);
    }
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

void write_what_if(JsonWriter& json, const PlanAnswer& answer) {
  json.key("what_if");
  json.begin_array();
  for (const WhatIf& point : answer.what_if) write_point(json, answer.plan.study, point);
  json.end_array();
}

}  // namespace

void write_plan_json(Output& output, const PlanAnswer& answer) {
  JsonWriter json(output);
  json.begin_object();
  json.member("study", std::string_view(answer.asked.name));
  write_protection(json, answer.plan);
  json.member("alpha", nearest(answer.asked.study.alpha));
  json.key("statistics");
  json.begin_array();
  for (std::size_t i = 0; i < answer.plan.statistics.size(); ++i) write_statistic(json, answer, i);
  json.end_array();
  write_ledger(json, answer.ledger);
  if (!answer.what_if.empty()) write_what_if(json, answer);
  json.end_object();
  output.write("\n");
}

}  // namespace vernier::cli
