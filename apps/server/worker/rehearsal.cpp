#include <fmt/format.h>

#include "cli/decimal.hpp"
#include "report/shown.hpp"
#include "report/text.hpp"
#include "server/worker/answers.hpp"
#include "server/worker/planned.hpp"
#include "text/numbers.hpp"
#include "vernier/core/json_writer.hpp"
#include "vernier/release/rehearse.hpp"
#include "vernier/study/reach.hpp"
#include "vernier/study/series.hpp"

// What readers would see, on invented rows; and what is wrong with a study, all at once.
namespace vernier::server {
namespace {

using release::RehearsedGroup;
using release::RehearsedStatistic;

constexpr std::size_t most_frames = 60;

template <class Choice>
Result<Choice> choice_of(const Ask& ask, const char* key, std::string_view first, std::string_view second) {
  if (!ask.body.contains(key)) return Choice(0);
  VERNIER_TRY(const std::string word, ask.text(key));
  if (word == first) return Choice(0);
  if (word == second) return Choice(1);
  return invalid(key, fmt::format("must be {} or {}, but it is '{}'", first, second, word), "");
}

Result<release::RehearsalRequest> request_of(const Ask& ask) {
  release::RehearsalRequest request;
  VERNIER_TRY(request.sizes, choice_of<release::InventedSizes>(ask, "sizes", "equal", "zipf"));
  VERNIER_TRY(request.values, choice_of<release::InventedValues>(ask, "values", "even", "middle"));
  if (!ask.body.contains("frames")) return request;
  const release::Json& frames = ask.body["frames"];
  const auto count = frames.is_number_integer() ? frames.get<std::int64_t>() : 0;
  if (count < 1 || count > static_cast<std::int64_t>(most_frames))
    return invalid("frames", fmt::format("must be a whole number from 1 to {}", most_frames), "");
  request.frames = static_cast<std::size_t>(count);
  return request;
}

std::string label_of(const plan::BoundStatistic& statistic, const RehearsedGroup& group) {
  if (!statistic.keys.are_public) return fmt::format("a group of {}", text::grouped(group.rows));
  std::string label;
  for (std::size_t i = 0; i < group.keys.size(); ++i) {
    label += (i == 0 ? "" : ", ") + report::key_text(statistic.query.keys[i], statistic.table, group.keys[i]);
  }
  return label.empty() ? "all" : label;
}

void write_maybe(JsonWriter& json, const std::optional<double>& value) { value ? json.value(*value) : json.null(); }

void write_groups(JsonWriter& json, const plan::BoundStatistic& statistic, const RehearsedStatistic& made) {
  json.key("groups");
  json.begin_array();
  for (const RehearsedGroup& group : made.groups) {
    json.begin_object();
    json.member("label", std::string_view(label_of(statistic, group)));
    json.member("rows", group.rows);
    json.key("exact");
    json.begin_array();
    for (const auto& value : group.exact) write_maybe(json, value);
    json.end_array();
    json.end_object();
  }
  json.end_array();
}

void write_columns(JsonWriter& json, const RehearsedStatistic& made) {
  json.key("columns");
  json.begin_array();
  for (const release::RehearsedColumn& column : made.columns) {
    json.begin_object();
    json.member("column", std::string_view(column.column));
    json.member("accuracy", column.accuracy);
    json.member("shown", std::string_view(study::target_text(column.accuracy)));
    json.member("within", static_cast<std::int64_t>(column.within));
    json.key("of_law");
    json.boolean(column.is_of_law);
    json.key("errors");
    json.begin_array();
    for (const double error : column.errors) json.value(error);
    json.end_array();
    json.end_object();
  }
  json.end_array();
}

void write_number(JsonWriter& json, const std::optional<release::Number>& number) {
  if (!number) return json.null();
  json.begin_array();
  for (const double value : {number->value, number->interval.low, number->interval.high}) json.value(value);
  json.end_array();
}

void write_frames(JsonWriter& json, const RehearsedStatistic& made) {
  json.key("frames");
  json.begin_array();
  for (const release::RehearsedFrame& frame : made.frames) {
    json.begin_array();
    for (const auto& group : frame) {
      json.begin_array();
      for (const auto& number : group) write_number(json, number);
      json.end_array();
    }
    json.end_array();
  }
  json.end_array();
}

void write_one(JsonWriter& json, const plan::BoundStatistic& statistic, const RehearsedStatistic& made) {
  json.begin_object();
  json.member("name", std::string_view(made.name));
  if (!made.why_not.empty()) {
    json.member("why_not", std::string_view(made.why_not));
    return json.end_object();
  }
  write_groups(json, statistic, made);
  write_columns(json, made);
  write_frames(json, made);
  json.end_object();
}

Result<study::Study> study_of(const Ask& ask) {
  VERNIER_TRY(const std::string catalog_name, ask.text("catalog"));
  VERNIER_TRY(const std::string name, study_name(ask));
  VERNIER_TRY(const study::Text text, study_text(ask, name));
  VERNIER_TRY(const study::Catalog catalog, catalog_named(ask, catalog_name));
  return study::Study::of(name, text, catalog);
}

}  // namespace

Result<Told> answer_rehearse(const Ask& ask) {
  VERNIER_TRY(const release::RehearsalRequest request, request_of(ask));
  VERNIER_TRY(const study::Study study, study_of(ask));
  const Result<study::Plan> plan = study.plan();
  if (!plan) return told_error(plan.error().kind == ErrorKind::invalid ? 422 : 500, plan.error());
  VERNIER_TRY(random::Source* const source, random::thread_source());
  VERNIER_TRY(const auto made, release::rehearse(plan->content(), request, *source));
  Told told;
  JsonWriter json(told.body);
  json.begin_object();
  json.key("invented");
  json.boolean(true);
  json.key("statistics");
  json.begin_array();
  for (std::size_t i = 0; i < made.size(); ++i) write_one(json, plan->content().study.statistics[i], made[i]);
  json.end_array();
  json.end_object();
  told.body += "\n";
  return told;
}

namespace {

void write_problem(JsonWriter& json, const Error& error) {
  json.begin_object();
  json.member("sentence", std::string_view(error.sentence()));
  if (error.place) {
    json.member("line", std::int64_t{error.place->place.line});
    json.member("column", std::int64_t{error.place->place.column});
  }
  json.end_object();
}

void write_asked(JsonWriter& json, const plan::BoundStatistic& statistic) {
  json.begin_object();
  json.member("name", std::string_view(statistic.name));
  json.key("keys");
  json.begin_array();
  for (const query::Key& key : statistic.query.keys) json.value(std::string_view(key.name));
  json.end_array();
  json.key("columns");
  json.begin_array();
  for (const query::Aggregation& one : statistic.query.aggregations) json.value(std::string_view(one.name));
  json.end_array();
  json.key("public");
  json.boolean(statistic.keys.are_public);
  json.end_object();
}

}  // namespace

namespace {

struct Checked {
  std::optional<Error> error = {};
  std::vector<plan::BoundStatistic> statistics = {};
};

Checked checked(const std::string& name, const study::Text& text, const study::Catalog& catalog) {
  if (query::has_series(text.text)) {
    const auto series = study::SeriesStudy::of(name, text, catalog);
    return {series ? std::nullopt : std::optional(series.error())};
  }
  const Result<study::Study> study = study::Study::of(name, text, catalog);
  if (!study) return {study.error()};
  return {{}, study->bound.statistics};
}

}  // namespace

// {"holds", "problems": [{"sentence", "line", "column"}], "statistics": [{"name", "keys", "columns", "public"}]}
Result<Told> answer_check_study(const Ask& ask) {
  VERNIER_TRY(const std::string catalog_name, ask.text("catalog"));
  VERNIER_TRY(const study::Catalog catalog, catalog_named(ask, catalog_name));
  VERNIER_TRY(const std::string name, study_name(ask));
  VERNIER_TRY(const study::Text text, study_text(ask, name));
  const Checked found = checked(name, text, catalog);
  Told told;
  JsonWriter json(told.body);
  json.begin_object();
  json.key("holds");
  json.boolean(!found.error);
  json.key("problems");
  json.begin_array();
  if (found.error) {
    write_problem(json, *found.error);
    for (const Error& other : found.error->others) write_problem(json, other);
  }
  json.end_array();
  json.key("statistics");
  json.begin_array();
  for (const plan::BoundStatistic& one : found.statistics) write_asked(json, one);
  json.end_array();
  json.end_object();
  told.body += "\n";
  return told;
}

}  // namespace vernier::server
