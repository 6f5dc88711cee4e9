#include <set>

#include <fmt/format.h>

#include "report/parts.hpp"
#include "text/grouped_text.hpp"
#include "vernier/release/assumptions.hpp"

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
  for (const BoundStatistic& statistic : study.statistics) add_columns(statistic, names);
  if (names.empty()) return;
  begin_table(html, "Columns that were asked");
  html.trusted(
      "<thead><tr><th scope=\"col\">Column</th><th scope=\"col\">Type</th><th scope=\"col\">Bounds</th>"
      "<th scope=\"col\">List of values</th></tr></thead>\n");
  html.begin("tbody");
  std::set<std::pair<std::string, std::string>> written;
  for (const BoundStatistic& statistic : study.statistics) {
    for (const query::Column& column : statistic.table.columns) {
      const std::pair name(statistic.table.name, column.name);
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
  for (const std::string& sentence : release::assumptions_of(plan, facts.release.public_files, facts.release.tables))
    html.element("li", sentence);
  html.end();
  html.end();
}

}  // namespace vernier::report
