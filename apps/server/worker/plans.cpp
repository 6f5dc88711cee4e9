#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "cli/decimal.hpp"
#include "cli/plan/plan.hpp"
#include "cli/sweep.hpp"
#include "cli/texts.hpp"
#include "report/text.hpp"
#include "server/worker/answers.hpp"
#include "server/worker/planned.hpp"
#include "server/worker/shown.hpp"
#include "text/numbers.hpp"
#include "vernier/core/hash.hpp"
#include "vernier/core/json_writer.hpp"
#include "vernier/core/names.hpp"
#include "vernier/core/text.hpp"
#include "vernier/query/series.hpp"
#include "vernier/study/edit.hpp"
#include "vernier/study/plan.hpp"
#include "vernier/study/reach.hpp"

// A plan as the command line prints it, and beside it what a page shows: every text rounded toward safety here, since a
// browser rounds to nearest.
namespace vernier::server {
namespace {

using release::Json;

constexpr std::size_t most_name = 100;
constexpr long long most_points = 41;

// A text, or a number as it was written.
std::optional<std::string> maybe_text(const Json& edit, const char* key) {
  const auto found = edit.find(key);
  if (found == edit.end()) return std::nullopt;
  if (found->is_number()) return found->dump();
  return found->is_string() ? std::optional(found->get<std::string>()) : std::nullopt;
}

Result<std::string> text_of(const Json& edit, const char* key) {
  if (auto text = maybe_text(edit, key)) return *std::move(text);
  return invalid(fmt::format("the edit has no text '{}'", key), "send it");
}

Result<std::string> edited_share(const study::Text& study, const std::string& name, const study::Catalog& catalog,
                                 const Json& edit) {
  VERNIER_TRY(const std::string statistic, text_of(edit, "statistic"));
  VERNIER_TRY(const std::string percent, text_of(edit, "percent"));
  VERNIER_TRY(const double share, read_number("the share", percent));
  return study::with_share(study, name, catalog, statistic, share / 100);
}

Result<std::string> edited_choice(const study::Text& study, const std::string& name, const Json& edit) {
  VERNIER_TRY(const std::string key, text_of(edit, "key"));
  VERNIER_TRY(const std::string value, text_of(edit, "value"));
  return study::with_choice(study, name, key, value);
}

// Of a row of the study, by its name.
Result<std::string> edited_row(const study::Text& study, const std::string& kind, const Json& edit) {
  VERNIER_TRY(const std::string row, text_of(edit, "statistic"));
  if (kind == "remove") return study::without_row(study, row);
  if (kind == "choose") return edited_choice(study, row, edit);
  if (kind == "add" || kind == "sql") {
    VERNIER_TRY(const std::string sql, text_of(edit, "sql"));
    return kind == "add" ? study::with_statistic(study, row, sql) : study::with_sql(study, row, sql);
  }
  if (kind == "weight") {
    VERNIER_TRY(const std::string weight, text_of(edit, "weight"));
    return study::with_weight(study, row, weight);
  }
  VERNIER_TRY(const std::string column, text_of(edit, "column"));
  if (kind == "unlock") return study::without_target(study, row, column);
  VERNIER_TRY(const std::string accuracy, text_of(edit, "accuracy"));
  return study::with_target(study, row, column, accuracy);
}

constexpr std::array<std::string_view, 7> row_edits = {"accuracy", "unlock", "weight", "choose",
                                                       "sql",      "add",    "remove"};

}  // namespace

// One edit, one new text.
Result<std::string> edited(const study::Text& study, const std::string& name, const study::Catalog& catalog,
                           const Json& edit) {
  if (!edit.is_object())
    return invalid("the edit", "must be an object such as {\"kind\": \"budget\", \"epsilon\": \"1\"}", "");
  VERNIER_TRY(const std::string kind, text_of(edit, "kind"));
  if (kind == "budget") return study::with_budget(study, maybe_text(edit, "epsilon"), maybe_text(edit, "delta"));
  if (kind == "least") return study::with_least_budget(study, name, catalog);
  if (kind == "share") return edited_share(study, name, catalog, edit);
  if (kind == "alpha") {
    VERNIER_TRY(const std::string alpha, text_of(edit, "alpha"));
    return study::with_alpha(study, alpha);
  }
  if (std::ranges::find(row_edits, kind) != row_edits.end()) return edited_row(study, kind, edit);
  return invalid("the kind of the edit", fmt::format("is '{}', which nobody knows", kind),
                 "it is one of accuracy, unlock, share, weight, choose, sql, budget, least, alpha, add and remove");
}

namespace {

bool is_target(const query::Statistic& asked, std::string_view column) {
  return std::any_of(asked.accuracy.begin(), asked.accuracy.end(),
                     [&](const query::Target& one) { return fold_case(one.column) == fold_case(column); });
}

void write_column(JsonWriter& json, const cli::PlanAnswer& answer, std::size_t i, std::size_t j) {
  const plan::BoundStatistic& statistic = answer.plan.content().study.statistics[i];
  const plan::Measurement& measurement = statistic.measurements[j];
  const plan::PlannedNoise& noise = answer.plan.content().statistics[i].noise[j];
  const std::string column = plan::column_of(statistic, measurement);
  json.begin_object();
  json.member("column", std::string_view(column));
  json.member("accuracy", std::string_view(report::accuracy_text(statistic, measurement, noise.accuracy)));
  json.member("lock", std::string_view(study::target_text(noise.accuracy)));
  json.key("about");
  json.boolean(plan::is_about(statistic, measurement));
  json.key("locked");
  json.boolean(is_target(answer.plan.study().question.statistics[i], column));
  json.member("mechanism", plan::name_of(noise.law));
  json.end_object();
}

// What else a statistic says, as an edit of the kind "choose" has it; empty where nothing is said.
void write_choices(JsonWriter& json, const query::Statistic& asked) {
  const auto number = [](const std::optional<std::int64_t>& value) { return value ? std::to_string(*value) : ""; };
  json.key("choices");
  json.begin_object();
  json.member("covers", std::string_view(asked.inference.of_population ? "population" : ""));
  json.member(
      "denoise",
      std::string_view(asked.inference.denoise == query::Denoise::none ? "" : query::name_of(asked.inference.denoise)));
  json.member("simultaneous", std::string_view(asked.inference.is_simultaneous ? "true" : ""));
  json.member("max_groups", std::string_view(number(asked.max_groups)));
  json.member("max_rows", std::string_view(number(asked.max_rows)));
  json.member(
      "typical_rows",
      std::string_view(asked.typical_rows == query::usual_typical_rows ? "" : std::to_string(asked.typical_rows)));
  json.end_object();
}

void write_statistics(JsonWriter& json, const cli::PlanAnswer& answer) {
  const plan::Plan& plan = answer.plan.content();
  json.key("statistics");
  json.begin_array();
  for (std::size_t i = 0; i < plan.statistics.size(); ++i) {
    const plan::BoundStatistic& statistic = plan.study.statistics[i];
    double share = 0;
    json.begin_object();
    json.member("name", std::string_view(statistic.name));
    json.key("columns");
    json.begin_array();
    for (std::size_t j = 0; j < statistic.measurements.size(); ++j) {
      share += plan.statistics[i].noise[j].share;
      if (statistic.measurements[j].aggregation) write_column(json, answer, i, j);
    }
    json.end_array();
    json.member("share", std::string_view(percent_text(share)));
    json.member("limits", std::string_view(report::limits_sentence(statistic)));
    write_choices(json, answer.plan.study().question.statistics[i]);
    json.end_object();
  }
  json.end_array();
}

std::string table_text(const plan::BoundTables& tables, const table::Columns& set) {
  std::string text;
  for (const std::size_t column : set) text += (text.empty() ? "by " : ", ") + tables.columns[column].name;
  return text.empty() ? "the total" : text;
}

// Of each [[table]] its tables, with the margin of their cells.
void write_tables(JsonWriter& json, const plan::Plan& plan) {
  json.key("tables");
  json.begin_array();
  for (std::size_t i = 0; i < plan.tables.size(); ++i) {
    const plan::BoundTables& tables = plan.study.tables[i];
    json.begin_object();
    json.member("name", std::string_view(tables.name));
    json.member("share", std::string_view(percent_text(plan.tables[i].share)));
    json.member("lock", std::string_view(study::target_text(std::ranges::max(plan.tables[i].accuracies))));
    json.key("locked");
    json.boolean(!tables.targets.empty());
    json.key("tables");
    json.begin_array();
    const auto& sets = tables.lattice->tables();
    for (std::size_t j = 0; j < sets.size(); ++j) {
      json.begin_object();
      json.member("of", std::string_view(table_text(tables, sets[j])));
      json.member("cells", tables.lattice->cells(sets[j]));
      json.member("accuracy", std::string_view(text::grouped_up(plan.tables[i].accuracies[j])));
      json.end_object();
    }
    json.end_array();
    json.end_object();
  }
  json.end_array();
}

// Whether every published column is a target: what is free takes what is left.
bool all_are_targets(const cli::PlanAnswer& answer) {
  const std::vector<plan::BoundStatistic>& statistics = answer.plan.content().study.statistics;
  for (std::size_t i = 0; i < statistics.size(); ++i) {
    for (const plan::Measurement& one : statistics[i].measurements) {
      const query::Statistic& asked = answer.plan.study().question.statistics[i];
      if (one.aggregation && !is_target(asked, plan::column_of(statistics[i], one))) return false;
    }
  }
  const std::vector<plan::BoundTables>& tables = answer.plan.content().study.tables;
  return std::ranges::none_of(tables, [](const plan::BoundTables& one) { return one.targets.empty(); });
}

// What of the budget the targets do not need, rounded down; empty where all of it is used.
std::string unspent_text(const cli::PlanAnswer& answer) {
  const auto& budget = answer.plan.study().question.budget;
  if (!budget || !all_are_targets(answer)) return "";
  return left_of_budget(*budget, answer.plan.content().epsilon);
}

std::string page_of(std::string plan_text, const std::string& study_text, const std::string& hash,
                    const cli::PlanAnswer& answer) {
  const plan::Plan& plan = answer.plan.content();
  const query::Study& question = answer.plan.study().question;
  return with_page(std::move(plan_text), study_text, hash,
                   {plan.epsilon, plan.delta.value(), plan.study.catalog.budget}, [&](JsonWriter& json) {
                     json.member("epsilon", std::string_view(rounded_up_text(plan.epsilon)));
                     json.member("delta", std::string_view(rounded_up_text(plan.delta.value())));
                     json.member("confidence", std::string_view(text::confidence_text(nearest(question.alpha))));
                     write_budget(json, question.budget, unspent_text(answer));
                     write_statistics(json, answer);
                     write_tables(json, plan);
                     write_amounts(json, answer.ledger);
                   });
}

}  // namespace

Result<std::string> plan_hash_of(const study::Plan& plan) { return sha256(plan::canonical(plan.content())); }

Result<std::string> study_name(const Ask& ask) {
  if (!ask.body.contains("name")) return std::string("study");
  VERNIER_TRY(std::string name, ask.text("name"));
  if (name.size() > most_name || fault_of_name(name)) {
    return invalid("the name of the study", "must be a name of up to 100 bytes without control characters", "");
  }
  return name;
}

Result<study::Text> study_text(const Ask& ask, const std::string& name) {
  VERNIER_TRY(std::string text, ask.text("study"));
  return study::Text{name + ".toml", std::move(text)};
}

namespace {

// The column that an edit is about; of none the one that costs most.
std::pair<std::string, std::string> column_of(const Ask& ask, const study::BeyondBudget& beyond) {
  const auto edit = ask.body.find("edit");
  if (edit == ask.body.end() || maybe_text(*edit, "kind") != "accuracy") return {beyond.statistic, beyond.column};
  return {maybe_text(*edit, "statistic").value_or(""), maybe_text(*edit, "column").value_or("")};
}

void write_place(JsonWriter& json, std::string_view key, const std::string& statistic, const std::string& column) {
  json.key(key);
  json.begin_object();
  json.member("statistic", std::string_view(statistic));
  json.member("column", std::string_view(column));
}

// {"error", "needs": {epsilon, delta, shown}, "culprit": {statistic, column}, "best": {statistic, column, accuracy}}
Told told_beyond(const Ask& ask, const study::Study& study, const study::Text& text, const study::Catalog& catalog,
                 const Error& error) {
  Told told = told_error(error.kind == ErrorKind::invalid ? 422 : 500, error);
  const auto beyond = study::beyond_budget(study);
  if (!beyond || !*beyond) return told;
  std::string more;
  JsonWriter json(more);
  json.begin_object();
  json.key("needs");
  json.begin_object();
  const double epsilon = study::sufficient_epsilon(text, study.name, catalog, **beyond);
  json.member("epsilon", epsilon);
  json.member("delta", (*beyond)->delta);
  json.member("shown", std::string_view(rounded_up_text(epsilon, 3)));
  json.end_object();
  write_place(json, "culprit", (*beyond)->statistic, (*beyond)->column);
  json.end_object();
  const auto [statistic, column] = column_of(ask, **beyond);
  const auto best = study::best_target(text, study.name, catalog, statistic, column);
  if (best && *best) {
    write_place(json, "best", statistic, column);
    json.member("accuracy", std::string_view(**best));
    json.end_object();
  }
  json.end_object();
  told.body.erase(told.body.rfind('}'));
  told.body += "," + more.substr(1) + "\n";
  return told;
}

// Of points that are asked by name, or as a range.
Result<std::vector<cli::Decimal>> points_of(const Ask& ask) {
  if (!ask.body.contains("epsilons")) {
    VERNIER_TRY(const std::string range, ask.text("epsilon"));
    VERNIER_TRY(const cli::Sweep sweep, cli::read_sweep("epsilon=" + range, {"epsilon"}, "epsilon", most_points));
    return sweep.points;
  }
  std::vector<cli::Decimal> points;
  const Json& list = ask.body["epsilons"];
  if (!list.is_array() || list.empty() || list.size() > most_points)
    return invalid("the epsilons", fmt::format("must be a list of 1 to {} numbers", most_points), "");
  for (const Json& one : list) {
    VERNIER_TRY(const cli::Decimal point,
                cli::read_decimal("epsilon", one.is_string() ? one.get<std::string>() : one.dump()));
    points.push_back(point);
  }
  return points;
}

}  // namespace

Result<Told> answer_plan(const Ask& ask) {
  VERNIER_TRY(const std::string catalog_name, ask.text("catalog"));
  VERNIER_TRY(const std::string name, study_name(ask));
  VERNIER_TRY(study::Text text, study_text(ask, name));
  VERNIER_TRY(const study::Catalog catalog, catalog_named(ask, catalog_name));
  if (ask.body.contains("edit")) {
    Result<std::string> changed = edited(text, name, catalog, ask.body["edit"]);
    if (!changed) return told_error(422, changed.error());
    text.text = *std::move(changed);
  }
  if (query::has_series(text.text)) return answer_series_plan(ask, catalog, name, text);
  VERNIER_TRY(const study::Study study, study::Study::of(name, text, catalog));
  const Result<cli::PlanAnswer> answer = cli::plan_of(study, ask.name);
  if (!answer) return told_beyond(ask, study, text, catalog, answer.error());
  VERNIER_TRY(const std::string hash, plan_hash_of(answer->plan));
  return Told{200, "application/json", page_of(cli::plan_json(*answer), text.text, hash, *answer)};
}

Result<Told> answer_what_if(const Ask& ask) {
  VERNIER_TRY(const std::string catalog_name, ask.text("catalog"));
  VERNIER_TRY(const std::string name, study_name(ask));
  VERNIER_TRY(const study::Text text, study_text(ask, name));
  VERNIER_TRY(const std::vector<cli::Decimal> points, points_of(ask));
  VERNIER_TRY(const study::Catalog catalog, catalog_named(ask, catalog_name));
  VERNIER_TRY(const study::Study study, study::Study::of(name, text, catalog));
  const Result<cli::PlanAnswer> answer = cli::plan_of(study, ask.name, points);
  if (!answer) return told_error(answer.error().kind == ErrorKind::invalid ? 422 : 500, answer.error());
  return Told{200, "application/json", cli::plan_json(*answer)};
}

}  // namespace vernier::server
