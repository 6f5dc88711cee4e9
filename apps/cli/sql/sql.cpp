#include <fmt/format.h>

#include "cli/asking.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "report/text.hpp"
#include "text/numbers.hpp"
#include "vernier/core/json_writer.hpp"
#include "vernier/plan/plan.hpp"
#include "vernier/plan/plan_json.hpp"
#include "vernier/query/query.hpp"
#include "vernier/query/translate/spelling.hpp"
#include "vernier/study/study.hpp"

// What a statement means here: rows, unit, bounds, what is measured, and what follows from it.
namespace vernier::cli {
namespace {

using plan::BoundStatistic;
using plan::Measurement;

std::string rows_text(const query::Query& query) {
  std::string text = "of " + query.table;
  for (const query::Join& join : query.joins) {
    const bool is_met = join.kind == query::JoinKind::by_unit;
    if (!join.brings_columns()) {
      text += join.kind == query::JoinKind::having ? ", which are in " : ", which are not in ";
      text += join.table;
      continue;
    }
    text +=
        is_met ? ", each with those of " + join.table + " that are of its unit" : ", each looked up in " + join.table;
  }
  return text + (query.filter ? ", where " + query::canonical(*query.filter) : ", all of them");
}

std::string unit_text(const BoundStatistic& statistic) {
  const std::string limits = report::limits_sentence(statistic);
  return statistic.table.unit ? *statistic.table.unit + "; " + limits : std::string("every row by itself");
}

std::string groups_text(const BoundStatistic& statistic) {
  if (statistic.query.keys.empty()) return "none: one group of all rows";
  std::string names;
  for (const query::Key& key : statistic.query.keys) names += (names.empty() ? "" : ", ") + key.name;
  if (!statistic.keys.are_public) {
    return "by " + names + "; private: a group is published where it has enough units, which needs a delta above 0";
  }
  return fmt::format("by {}; {} public groups, all published", names,
                     text::grouped(static_cast<std::int64_t>(statistic.keys.cells.size())));
}

std::string span_text(const query::Expression& x) {
  if (const auto* const whole = std::get_if<query::IntegerSpan>(&x.span())) {
    return fmt::format("from {} to {}", text::grouped(static_cast<std::int64_t>(whole->lower)),
                       text::grouped(static_cast<std::int64_t>(whole->upper)));
  }
  if (const auto* const days = std::get_if<query::DaySpan>(&x.span())) {
    return fmt::format("from {} to {}", query::text_of(days->lower), query::text_of(days->upper));
  }
  const auto& real = std::get<query::RealSpan>(x.span());
  return fmt::format("from {} to {}", query::plain(real.lower), query::plain(real.upper));
}

// Of a pair or a regression, those of all: y comes first.
std::string bounds_text(const BoundStatistic& statistic, const Measurement& one) {
  if (!one.aggregation) return "";
  const query::Aggregation& aggregation = statistic.query.aggregations[*one.aggregation];
  if (!aggregation.argument || !query::facts_of(aggregation.aggregate).needs_bounds) return "no bounds needed";
  if (!aggregation.other) return "values " + span_text(*aggregation.argument);
  std::string text = "y " + span_text(*aggregation.argument) + ", x " + span_text(*aggregation.other);
  for (const query::Expression& x : aggregation.more) text += ", x " + span_text(x);
  return text;
}

std::string measured_text(const BoundStatistic& statistic, const Measurement& one) {
  if (!one.aggregation) return "number of units of each group, by which private groups are chosen";
  return query::canonical(statistic.query.aggregations[*one.aggregation]);
}

std::string cost_text(const BoundStatistic& statistic, const Measurement& one) {
  if (one.source) return "costs nothing beside " + plan::column_of(statistic, statistic.measurements[*one.source]);
  return "measured, with noise of its own";
}

void write_measured(Output& output, const BoundStatistic& statistic) {
  std::vector<Row> rows;
  for (const Measurement& one : statistic.measurements) {
    rows.push_back({one_line(plan::column_of(statistic, one)), one_line(measured_text(statistic, one)),
                    bounds_text(statistic, one), one_line(cost_text(statistic, one))});
  }
  output.write("\nwhat is measured\n");
  write_aligned(output, {{"column"}, {"statistic"}, {"bounds"}, {"cost"}}, rows);
}

void write_following(Output& output, const BoundStatistic& statistic) {
  std::vector<std::string> sentences = report::formula_sentences(statistic, 0);
  for (std::string& one : report::inference_sentences(statistic)) sentences.push_back(std::move(one));
  if (statistic.query.has_selection()) {
    sentences.emplace_back("Rows that the statement leaves out are in the record, so that the choice can be checked.");
  }
  if (sentences.empty()) return;
  output.write("\nwhat follows\n");
  for (const std::string& sentence : sentences) output.write(one_line(sentence) + "\n");
}

void write_without_effect(Output& output, const std::vector<std::string>& sentences) {
  if (sentences.empty()) return;
  output.write("\nwhat has no effect\n");
  for (const std::string& sentence : sentences) output.write(sentence + "\n");
}

void write_meaning(Output& output, const BoundStatistic& statistic, const std::vector<std::string>& without_effect) {
  write_lines(output, {{"rows", one_line(rows_text(statistic.query)), ""},
                       {"unit", one_line(unit_text(statistic)), ""},
                       {"groups", one_line(groups_text(statistic)), ""}});
  write_measured(output, statistic);
  write_following(output, statistic);
  write_without_effect(output, without_effect);
  output.write("\nread as\n" + one_line(query::canonical(statistic.query)) + "\n");
}

void write_meaning_json(Output& output, const BoundStatistic& statistic,
                        const std::vector<std::string>& without_effect) {
  JsonWriter json(output);
  json.begin_object();
  json.member("rows", std::string_view(rows_text(statistic.query)));
  json.member("unit", std::string_view(statistic.table.unit.value_or("row")));
  json.member("max_rows", statistic.contribution.max_rows);
  json.member("max_groups", statistic.contribution.max_groups);
  plan::write_key_names(json, statistic.query);
  json.key("public_keys");
  json.boolean(statistic.keys.are_public);
  json.key("measured");
  json.begin_array();
  for (const Measurement& one : statistic.measurements) {
    json.begin_object();
    json.member("column", std::string_view(plan::column_of(statistic, one)));
    json.member("statistic", std::string_view(measured_text(statistic, one)));
    json.member("bounds", std::string_view(bounds_text(statistic, one)));
    json.key("shared");
    json.boolean(one.source.has_value());
    json.end_object();
  }
  json.end_array();
  json.key("derived");
  json.begin_array();
  for (const query::Output& column : statistic.query.outputs) {
    if (!column.is_formula) continue;
    const query::Formula& formula = statistic.query.formulas[column.place];
    json.begin_object();
    json.member("column", std::string_view(formula.name));
    json.member("expression", std::string_view(query::text_of(formula.steps, statistic.query.statistic_names())));
    json.end_object();
  }
  json.end_array();
  json.key("selects");
  json.boolean(statistic.query.selects_by_numbers());
  json.key("without_effect");
  json.begin_array();
  for (const std::string& sentence : without_effect) json.value(std::string_view(sentence));
  json.end_array();
  json.member("statement", std::string_view(query::canonical(statistic.query)));
  json.end_object();
  output.write("\n");
}

}  // namespace

Usage sql_usage() {
  return {
      .name = "sql",
      .summary = "what a statement means here: rows, unit, bounds, what is measured; reads no data, spends nothing",
      .synopsis = "vernier sql CATALOG.toml \"SELECT ...\" [--catalogs DIR] [--max-groups M] [--max-rows R] [--json]",
      .subject = "CATALOG.toml",
      .subject_help = "the catalog of the data",
      .object = "SELECT",
      .object_help = "the statement, in quotes",
      .options = with_catalogs(
          {{"--max-groups", Takes::one_value, "M", "the groups that one unit may touch (default 1)"},
           {"--max-rows", Takes::one_value, "R", "the rows of one unit that count in one group (default 1)"}}),
      .example =
          "  vernier sql catalog.toml \"SELECT region, SUM(income) / COUNT(*) AS income FROM people GROUP BY "
          "region\"\n"};
}

Result<void> run_sql(const Arguments& arguments, Output& output) {
  if (arguments.subject.empty() || arguments.object.empty()) {
    return invalid(
        "the catalog or the statement is missing; write vernier sql catalog.toml \"SELECT COUNT(*) FROM "
        "people\"");
  }
  VERNIER_TRY(const study::Catalog catalog, study::Catalog::read(arguments.subject, catalog_rule(arguments)));
  VERNIER_TRY(query::Query query, catalog.parse(arguments.object));
  VERNIER_TRY(study::Question question, question_of(arguments, std::move(query), arguments.object));
  question.budget = query::StudyBudget{numeric::Rational::of(1), *numeric::Rational::of_decimal("1e-9")};
  VERNIER_TRY(const study::Study study, study::Study::of("sql", question, catalog));
  const BoundStatistic& statistic = study.bound.statistics.front();
  const std::vector<std::string> without_effect = query::without_effect(arguments.object);
  if (arguments.has("--json")) {
    write_meaning_json(output, statistic, without_effect);
  } else {
    write_meaning(output, statistic, without_effect);
  }
  return {};
}

}  // namespace vernier::cli
