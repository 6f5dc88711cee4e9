#include "cli/plan/series.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "cli/output.hpp"
#include "cli/release/series.hpp"
#include "server/worker/planned.hpp"
#include "server/worker/shown.hpp"
#include "text/numbers.hpp"
#include "vernier/core/text.hpp"
#include "vernier/study/reach.hpp"

// Studies of [[series]]: planned and edited as others are, and released step by step.
namespace vernier::server {
namespace {

using series::Kind;

std::string key_of(const plan::SeriesFacts& facts, Kind kind) {
  if (kind == Kind::each) return "each";
  return kind == Kind::last ? fmt::format("last_{}", facts.last) : "cumulative";
}

std::string words_of(const plan::SeriesFacts& facts, Kind kind) {
  const std::string_view step = name_of(facts.calendar.length);
  if (kind == Kind::each) return fmt::format("each {}", step);
  return kind == Kind::last ? fmt::format("last {} {}s", facts.last, step) : "from the first on";
}

void write_row(JsonWriter& json, const plan::SeriesFacts& facts, const plan::PlannedSeries& planned, Kind kind) {
  const double accuracy = planned.worst_accuracy(kind);
  json.begin_object();
  json.member("column", std::string_view(key_of(facts, kind)));
  json.member("words", std::string_view(words_of(facts, kind)));
  json.member("accuracy", std::string_view(text::grouped_up(accuracy)));
  json.member("lock", std::string_view(study::target_text(accuracy)));
  json.key("locked");
  json.boolean(facts.targets().of(kind).has_value());
  json.end_object();
}

void write_one(JsonWriter& json, const plan::SeriesFacts& facts, const plan::PlannedSeries& planned) {
  json.begin_object();
  json.member("name", std::string_view(facts.name));
  json.member("share", std::string_view(percent_text(facts.share)));
  json.member("steps", facts.calendar.steps());
  json.member("step", name_of(facts.calendar.length));
  json.member("start", std::string_view(query::text_of(facts.calendar.start)));
  json.member("end", std::string_view(query::text_of(facts.calendar.end)));
  json.member("groups", facts.cells());
  json.member("max_steps", facts.max_steps);
  json.key("columns");
  json.begin_array();
  for (const Kind kind : series::all_kinds) write_row(json, facts, planned, kind);
  json.end_array();
  json.end_object();
}

// The first day of the step that comes next; empty once all are published.
std::string next_step(const cli::SeriesAnswer& answer) {
  const query::Calendar& calendar = answer.study.calendar();
  const std::int64_t next = answer.standing.next();
  return next < calendar.steps() ? query::text_of(calendar.first_day(next)) : "";
}

bool all_have_targets(const plan::SeriesPlanFacts& facts) {
  return std::ranges::all_of(facts.series, &plan::SeriesFacts::has_targets);
}

std::string unspent_text(const cli::SeriesAnswer& answer) {
  const auto& budget = answer.study.question.budget;
  const plan::SeriesPlanFacts& facts = answer.study.plan.facts;
  return budget && all_have_targets(facts) ? left_of_budget(*budget, facts.epsilon) : "";
}

void write_shown(JsonWriter& json, const cli::SeriesAnswer& answer) {
  const plan::SeriesPlan& plan = answer.study.plan;
  json.member("epsilon", std::string_view(rounded_up_text(plan.facts.epsilon)));
  json.member("delta", std::string_view(rounded_up_text(plan.facts.delta.value())));
  json.member("confidence", std::string_view(text::confidence_text(nearest(plan.facts.alpha))));
  write_budget(json, answer.study.question.budget, unspent_text(answer));
  for (const char* const none : {"statistics", "tables"}) {
    json.key(none);
    json.begin_array();
    json.end_array();
  }
  json.key("series");
  json.begin_array();
  for (std::size_t i = 0; i < plan.series.size(); ++i) write_one(json, plan.facts.series[i], plan.series[i]);
  json.end_array();
  json.member("next", std::string_view(next_step(answer)));
  write_amounts(json, answer.ledger);
}

Result<study::SeriesStudy> series_of(const Ask& ask, const study::Catalog& catalog, const std::string& name,
                                     const study::Text& text) {
  VERNIER_TRY(const std::string own, series_name(ask, name));
  return study::SeriesStudy::of(own, text, catalog);
}

Told told_plan_error(const Error& error) { return told_error(error.kind == ErrorKind::invalid ? 422 : 500, error); }

study::MakeStepDocuments held(Hold& hold) {
  return [&hold](const study::PublishedStep& published) -> Result<ledger::Documents> {
    VERNIER_TRY(ledger::Documents made, cli::step_documents(published));
    VERNIER_TRY(hold.wait());
    return made;
  };
}

// {"release", "entry", "study", "step", "repeated", "documents"}
Result<Told> told_step(const study::SeriesStudy& study, const study::StepAnswer& answer) {
  VERNIER_TRY(const study::SeriesStanding standing, study::series_standing(study));
  const std::int64_t step = study.calendar().step_of(answer.step).value_or(0);
  const auto place = std::ranges::find(standing.steps, step, &study::StandingStep::step);
  if (!standing.reservation || place == standing.steps.end())
    return fail(ErrorKind::system, "the ledger does not have the step that was just stored");
  Told told;
  JsonWriter json(told.body);
  json.begin_object();
  const auto number = place - standing.steps.begin() + 1;
  json.member("release", std::string_view(fmt::format("{}.{}", standing.reservation->release, number)));
  json.member("entry", standing.reservation->index);
  json.member("study", std::string_view(study.name));
  json.member("step", std::string_view(query::text_of(answer.step)));
  json.key("repeated");
  json.boolean(answer.is_repeated);
  json.key("documents");
  json.begin_array();
  for (const ledger::Document& one : answer.documents) json.value(std::string_view(one.name));
  json.end_array();
  json.end_object();
  told.body += "\n";
  return told;
}

// Whether the first step was paid for meanwhile.
Result<Told> failed_step(const study::SeriesStudy& study, bool was_reserved, const Error& error) {
  const Result<study::SeriesStanding> now = study::series_standing(study);
  if (was_reserved || !now || !now->reservation) return told_plan_error(error);
  Told told = told_error(409, error);
  told.is_paid = true;
  return told;
}

}  // namespace

Result<std::string> series_name(const Ask& ask, const std::string& name) {
  if (ask.name.empty()) return name;
  if (name.find('/') == std::string::npos) return ask.name + "/" + name;
  return invalid("the name of a study of series", "must have no '/' in it", "");
}

Result<Told> answer_series_plan(const Ask& ask, const study::Catalog& catalog, const std::string& name,
                                const study::Text& text) {
  const Result<study::SeriesStudy> study = series_of(ask, catalog, name, text);
  if (!study) return told_plan_error(study.error());
  VERNIER_TRY(const cli::SeriesAnswer answer, cli::series_answer(*study, ask.name));
  cli::Output output;
  cli::write_series_json(output, answer);
  const plan::SeriesPlanFacts& facts = study->plan.facts;
  return Told{
      200, "application/json",
      with_page(output.text(), text.text, study->plan_hash, {facts.epsilon, facts.delta.value(), study->catalog.budget},
                [&](JsonWriter& json) { write_shown(json, answer); })};
}

Result<Told> released_step(const Ask& ask, const study::Catalog& catalog, const std::string& name,
                           const study::Text& text, Hold& hold) {
  VERNIER_TRY(const std::string wanted, ask.text("plan_hash"));
  VERNIER_TRY(const std::string step, ask.text("step"));
  const std::optional<query::Day> day = query::read_day(step);
  if (!day) return invalid("step", fmt::format("must be a date such as 2027-03-05, but it is '{}'", step), "");
  VERNIER_TRY(const study::SeriesStudy study, series_of(ask, catalog, name, text));
  if (study.plan_hash != wanted) return told_changed();
  VERNIER_TRY(const study::SeriesStanding before, study::series_standing(study));
  const auto answer = study::release_step(study, *day, {.analyst = ask.name, .documents = held(hold)});
  if (!answer) return failed_step(study, before.reservation.has_value(), answer.error());
  return told_step(study, *answer);
}

}  // namespace vernier::server
