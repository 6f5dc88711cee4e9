#include <set>

#include <fmt/format.h>

#include "report/charts.hpp"
#include "report/parts.hpp"
#include "report/shown.hpp"
#include "report/text.hpp"
#include "text/numbers.hpp"
#include "vernier/release/derived/shown.hpp"
#include "vernier/release/record/release_json.hpp"

namespace vernier::report {
namespace {

using plan::BoundStatistic;
using query::Expression;

using Names = std::set<std::pair<std::string, std::string>>;  // tables and columns

void add_columns(const std::string& table, const Expression& expression, Names& names) {
  if (expression.operation() == query::Operation::column) names.insert({table, expression.column_name()});
  for (const Expression& operand : expression.operands()) add_columns(table, operand, names);
}

void add_columns(const BoundStatistic& statistic, Names& names) {
  const std::string& table = statistic.table.name;
  if (statistic.query.filter) add_columns(table, *statistic.query.filter, names);
  for (const query::Key& key : statistic.query.keys) add_columns(table, key.expression, names);
  for (const query::Aggregation& one : statistic.query.aggregations) {
    if (one.argument) add_columns(table, *one.argument, names);
    if (one.other) add_columns(table, *one.other, names);
    for (const Expression& x : one.more) add_columns(table, x, names);
  }
}

std::string range_text(const query::Column& column) {
  if (!column.range) return "none";
  return query::text_of(column.range->lower) + " to " + query::text_of(column.range->upper);
}

std::string keys_text(const query::Column& column) {
  if (column.keys.empty()) return "not declared";
  return text::grouped(static_cast<std::int64_t>(column.keys.size())) +
         (column.keys.size() == 1 ? " value" : " values");
}

void write_column(Html& html, const std::string& table, const query::Column& column) {
  html.begin("tr");
  html.element("th", table + "." + column.name, {{"scope", "row"}});
  html.element("td", query::name_of(column.type));
  html.element("td", range_text(column));
  html.element("td", keys_text(column));
  html.end();
}

void write_columns(Html& html, const plan::BoundStudy& study) {
  Names names;
  for (const BoundStatistic* const statement : statements_of(study)) add_columns(*statement, names);
  if (names.empty()) return;
  begin_table(html, "Columns that were asked");
  html.trusted(
      "<thead><tr><th scope=\"col\">Column</th><th scope=\"col\">Type</th><th scope=\"col\">Bounds</th>"
      "<th scope=\"col\">List of values</th></tr></thead>\n");
  html.begin("tbody");
  std::set<std::pair<std::string, std::string>> written;
  for (const BoundStatistic* const statement : statements_of(study)) {
    for (const query::Column& column : statement->table.columns) {
      const std::pair name(statement->table.name, column.name);
      if (names.contains(name) && written.insert(name).second) write_column(html, name.first, column);
    }
  }
  html.end();
  end_table(html);
}

}  // namespace

void write_public_facts(Html& html, const Facts& facts) {
  const plan::Plan& plan = facts.release.plan;
  html.begin("section", {{"id", "public"}});
  html.element("h2", "What was taken for public");
  html.element("p",
               "Everything else follows from what the steward of the data declared before. These facts are not "
               "protected, and the guarantee holds if they were not found by looking at the data:");
  write_columns(html, plan.study);
  html.element("p", "What has to be true for the promise and the intervals to hold:");
  html.begin("ul");
  for (const std::string& sentence :
       release::assumptions_of(plan, facts.release.public_files, facts.release.tables, facts.release.snapshot))
    html.element("li", sentence);
  html.end();
  html.end();
}

namespace {

std::string grouped(std::size_t count) { return text::grouped(static_cast<std::int64_t>(count)); }

void write_chart(Html& html, const plot::EstimateChart& chart, const std::string& id) {
  html.begin("figure");
  html.begin("figcaption");
  html.text(chart.value_title);
  html.element("span", chart.subtitle);
  html.end();
  html.begin("div", {{"class", "on-wide"}});
  html.trusted(plot::render_inside(chart, plot::Width::wide, id));
  html.end();
  html.begin("div", {{"class", "on-narrow"}});
  html.trusted(plot::render_inside(chart, plot::Width::narrow, id + "-narrow"));
  html.end();
  html.end();
}

bool has_own_intervals(const release::Table& table, std::size_t place) {
  return !table.rows.empty() && table.rows.front().numbers[place].denoised_interval.has_value();
}

void write_number_headings(Html& html, const std::string& name, const std::string& confidence) {
  html.element("th", name, {{"scope", "col"}, {"class", "number"}});
  html.element("th", "±", {{"scope", "col"}, {"class", "margin"}});
  html.element("th", confidence + " interval", {{"scope", "col"}, {"class", "whole"}});
}

void write_headings(Html& html, const query::Query& query, const release::Table& table, const std::string& confidence) {
  html.begin("thead");
  html.begin("tr");
  for (const query::Key& key : query.keys) html.element("th", key.name, {{"scope", "col"}});
  for (std::size_t i = 0; i < query.aggregations.size(); ++i) {
    write_number_headings(html, query.aggregations[i].name, confidence);
    if (is_denoised(table, i)) html.element("th", "denoised", {{"scope", "col"}, {"class", "number"}});
    if (has_own_intervals(table, i)) html.element("th", "its interval", {{"scope", "col"}, {"class", "whole"}});
  }
  html.end();
  html.end();
}

void write_number(Html& html, const ShownNumber& number) {
  html.element("td", number.value.empty() ? "–" : number.value, {{"class", "number"}});
  html.element("td", number.margin, {{"class", "margin"}});
  html.begin("td", {{"class", "whole"}});
  html.text(number.interval);
  if (number.value.empty()) html.element("span", "all that is possible", {{"class", "remark"}});
  if (number.may_be_empty) html.element("span", "the group may be empty", {{"class", "remark"}});
  html.end();
}

void write_row(Html& html, const BoundStatistic& statistic, const release::Row& row, const std::vector<int>& decimals) {
  html.begin("tr");
  for (std::size_t i = 0; i < row.keys.size(); ++i) {
    html.element("th", key_text(statistic.query.keys[i], statistic.table, row.keys[i]), {{"scope", "row"}});
  }
  for (std::size_t i = 0; i < row.numbers.size(); ++i) {
    const release::Number& number = row.numbers[i];
    write_number(html, shown(number, decimals[i]));
    if (number.denoised) html.element("td", shown_denoised(number, decimals[i]), {{"class", "number"}});
    if (number.denoised_interval) {
      html.element("td", shown_denoised_interval(number, decimals[i]), {{"class", "whole"}});
    }
  }
  html.end();
}

void write_rows(Html& html, const BoundStatistic& statistic, const release::Table& table,
                const std::string& confidence) {
  std::vector<int> decimals;
  for (std::size_t i = 0; i < statistic.query.aggregations.size(); ++i) decimals.push_back(decimals_of(table, i));
  begin_table(html, "Numbers of " + statistic.name);
  write_headings(html, statistic.query, table, confidence);
  html.begin("tbody");
  const std::size_t rows = std::min(table.rows.size(), most_table_rows);
  for (std::size_t i = 0; i < rows; ++i) write_row(html, statistic, table.rows[i], decimals);
  html.end();
  end_table(html);
  if (rows == table.rows.size()) return;
  html.element("p",
               fmt::format("The first {} of {} rows; the CSV file of this statistic has all of them.", grouped(rows),
                           grouped(table.rows.size())),
               {{"class", "quiet"}});
}

// The numbers of one group less those of another.
void write_differences(Html& html, const BoundStatistic& statistic, const release::Table& table,
                       const std::string& confidence) {
  if (table.differences.empty()) return;
  html.element("h3", "Differences");
  begin_table(html, "Differences of " + statistic.name);
  html.begin("thead");
  html.begin("tr");
  html.element("th", statistic.query.keys.front().name, {{"scope", "col"}});
  for (const query::Aggregation& one : statistic.query.aggregations) write_number_headings(html, one.name, confidence);
  html.end();
  html.end();
  html.begin("tbody");
  for (const release::GroupDifference& one : table.differences) {
    html.begin("tr");
    html.element("th", one.groups[0] + " less " + one.groups[1], {{"scope", "row"}});
    for (std::size_t i = 0; i < one.numbers.size(); ++i) {
      write_number(html, shown(one.numbers[i], decimals_of_differences(table, i)));
    }
    html.end();
  }
  html.end();
  end_table(html);
  html.element("p", "Where an interval does not have 0 in it, the two groups differ, at its confidence.",
               {{"class", "quiet"}});
}

// Whether the intervals of a column are proven to hold, or were only never refuted.
std::string coverage_of(const release::Table& table, std::size_t place) {
  std::size_t proven = 0;
  for (const release::Row& row : table.rows) {
    if (row.numbers[place].coverage == interval::Status::proven) ++proven;
  }
  if (proven == table.rows.size()) return "proven, whatever the data";
  return proven == 0 ? "tested on many data sets, not proven" : "proven for some rows, tested for the others";
}

bool any_number(const release::Table& table, bool (*is_meant)(const release::Number&)) {
  for (const release::Row& row : table.rows) {
    for (const release::Number& number : row.numbers) {
      if (is_meant(number)) return true;
    }
  }
  return false;
}

// How numbers were denoised, and which interval belongs to what.
void write_denoising(Html& html, const BoundStatistic& statistic, const release::Table& table) {
  const std::string text = denoising_text(statistic.query, table);
  if (text.empty()) return;
  html.element("li", "Denoised: " + text + ".");
  const bool adds_up = statistic.inference.denoise == query::Denoise::consistent;
  html.element("li", adds_up
                         ? "Denoised numbers add up with those of the other statistics that are made to, and have "
                           "intervals of their own, which hold if the exact numbers add up."
                         : "Intervals belong to the numbers before them. What is known of denoised numbers is known "
                           "on average over the groups, and not of each of them.");
}

void write_remarks(Html& html, const BoundStatistic& statistic, const release::Table& table) {
  std::string coverage = "Intervals hold: ";
  for (std::size_t i = 0; i < statistic.query.aggregations.size(); ++i) {
    coverage += (i == 0 ? "" : "; ") + statistic.query.aggregations[i].name + " – " + coverage_of(table, i);
  }
  html.begin("ul", {{"class", "quiet"}});
  html.element("li", coverage + ".");
  for (const std::string& sentence : inference_sentences(statistic)) html.element("li", sentence);
  write_denoising(html, statistic, table);
  for (const std::string& sentence : clamped_sentences(statistic, table)) {
    html.element("li",
                 sentence + ". How far outside they lay is not known, so that nothing follows for the unbounded one.");
  }
  if (any_number(table, [](const release::Number& one) { return !one.informative; })) {
    html.element("li", "No information: the noise is greater than anything that the data could say here.");
  }
  if (any_number(table, [](const release::Number& one) { return one.may_be_empty; })) {
    html.element("li", "May be empty: nobody can tell from this page whether there is any row in the group.");
  }
  if (!statistic.keys.are_public) {
    html.element("li", "Groups with too few units are not published: one that is missing may exist.");
  }
  html.end();
}

void write_asked(Html& html, const Facts& facts, std::size_t place) {
  const BoundStatistic& statistic = facts.release.plan.study.statistics[place];
  html.element("h2", statistic.name);
  html.element("code", facts.asked.sql[place], {{"class", "statement"}});
}

}  // namespace

void write_statistic(Html& html, const Facts& facts, std::size_t place) {
  const BoundStatistic& asked = facts.release.plan.study.statistics[place];
  const release::Shown seen(asked, facts.release.tables[place]);
  const BoundStatistic& statistic = seen.statistic();
  const release::Table& table = seen.table();
  const std::string confidence = confidence_of(asked, facts.asked.alpha);
  html.begin("section", {{"id", section_id(place)}});
  write_asked(html, facts, place);
  if (table.rows.empty()) {
    html.element("p", facts.release.tables[place].omitted > 0
                          ? "No group meets what the statement asks of groups."
                          : "No group had enough units to be published. That does not mean that there are none.");
    return html.end();
  }
  const std::vector<plot::EstimateChart> charts = charts_of(statistic, table, confidence);
  if (charts.empty()) {
    html.element("p",
                 fmt::format("There is no chart, since {} rows are too many for one.", grouped(table.rows.size())));
  }
  for (std::size_t i = 0; i < charts.size(); ++i) {
    write_chart(html, charts[i], fmt::format("chart-{}-{}", place + 1, i + 1));
  }
  write_lines(html, facts, place);
  write_rows(html, statistic, table, confidence);
  write_differences(html, statistic, table, confidence);
  write_remarks(html, statistic, table);
  for (const std::string& sentence : formula_sentences(asked, facts.release.tables[place].omitted)) {
    html.element("p", sentence, {{"class", "quiet"}});
  }
  html.end();
}

}  // namespace vernier::report
