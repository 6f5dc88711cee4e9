#include <fmt/format.h>

#include "cli/catalog/catalog.hpp"
#include "cli/output.hpp"
#include "cli/plan/tables.hpp"
#include "cli/release/documents.hpp"
#include "report/shown.hpp"
#include "report/text.hpp"
#include "text/numbers.hpp"
#include "vernier/core/text.hpp"
#include "vernier/release/derived/shown.hpp"

namespace vernier::cli {
namespace {

using plan::BoundStatistic;
using release::Number;

// The number, its margin, and what else must be said of it.
void append_number(Row& cells, const Number& number, int decimals) {
  if (!number.informative) {
    cells.insert(cells.end(), {"", "no information"});
    return;
  }
  const text::Margin shown = text::with_margin(number.value, number.accuracy, decimals);
  cells.insert(cells.end(), {shown.value, "± " + shown.margin + (number.may_be_empty ? ", may be empty" : "")});
}

std::vector<Heading> headings_of(const query::Query& query, const release::Table& table) {
  std::vector<Heading> headings;
  for (const query::Output& output : query.outputs) {
    if (output.is_key) {
      headings.push_back({one_line(query.keys[output.place].name)});
    } else {
      headings.push_back({one_line(query.aggregations[output.place].name), Align::right});
      headings.push_back({""});
      if (report::is_denoised(table, output.place)) headings.push_back({"denoised", Align::right});
    }
  }
  return headings;
}

Row row_of(const BoundStatistic& statistic, const release::Row& row, const std::vector<int>& decimals) {
  Row cells;
  for (const query::Output& output : statistic.query.outputs) {
    if (output.is_key) {
      cells.push_back(
          one_line(report::key_text(statistic.query.keys[output.place], statistic.table, row.keys[output.place])));
    } else {
      const Number& number = row.numbers[output.place];
      append_number(cells, number, decimals[output.place]);
      if (number.denoised) cells.push_back(report::shown_denoised(number, decimals[output.place]));
    }
  }
  return cells;
}

// The numbers of one group less those of another.
void write_differences(Output& output, const BoundStatistic& statistic, const release::Table& table) {
  if (table.differences.empty()) return;
  std::vector<Heading> headings = {{"difference"}};
  for (const query::Aggregation& aggregation : statistic.query.aggregations) {
    headings.push_back({one_line(aggregation.name), Align::right});
    headings.push_back({""});
  }
  std::vector<Row> rows;
  for (const release::GroupDifference& one : table.differences) {
    Row& cells = rows.emplace_back(Row{one_line(one.groups[0]) + " - " + one_line(one.groups[1])});
    for (std::size_t i = 0; i < one.numbers.size(); ++i) {
      append_number(cells, one.numbers[i], report::decimals_of_differences(table, i));
    }
  }
  output.write("\n");
  write_aligned(output, headings, rows);
}

// Of a regression: a row for each of its numbers.
void write_coefficients(Output& output, const BoundStatistic& statistic, const release::Table& table,
                        const std::vector<int>& decimals) {
  std::vector<Heading> headings;
  for (const query::Key& key : statistic.query.keys) headings.push_back({one_line(key.name)});
  headings.insert(headings.end(), {{"coefficient"}, {"value", Align::right}, {""}});
  std::vector<Row> rows;
  for (const release::Row& row : table.rows) {
    for (std::size_t i = 0; i < row.numbers.size(); ++i) {
      Row& cells = rows.emplace_back();
      for (std::size_t key = 0; key < row.keys.size(); ++key) {
        cells.push_back(one_line(report::key_text(statistic.query.keys[key], statistic.table, row.keys[key])));
      }
      cells.push_back(one_line(statistic.query.aggregations[i].name));
      append_number(cells, row.numbers[i], decimals[i]);
    }
  }
  write_aligned(output, headings, rows);
}

void write_statistic(Output& output, const BoundStatistic& statistic, const release::Table& table,
                     std::size_t omitted) {
  std::vector<int> decimals;
  for (std::size_t i = 0; i < statistic.query.aggregations.size(); ++i)
    decimals.push_back(report::decimals_of(table, i));
  std::vector<Row> rows;
  for (const release::Row& row : table.rows) rows.push_back(row_of(statistic, row, decimals));
  if (statistic.by_coefficient) {
    write_coefficients(output, statistic, table, decimals);
  } else {
    write_aligned(output, headings_of(statistic.query, table), rows);
  }
  write_differences(output, statistic, table);
  const std::string denoising = report::denoising_text(statistic.query, table);
  if (!denoising.empty()) output.write("denoised: " + one_line(denoising) + "\n");
  if (!statistic.keys.are_public) {
    output.write(rows.empty() && omitted == 0 ? "no group had enough units to be published\n"
                                              : "groups with too few units are not published\n");
  }
  if (const std::string limits = report::limits_sentence(statistic); !limits.empty())
    output.write(one_line(limits) + "\n");
  for (const std::string& sentence : report::inference_sentences(statistic)) output.write(sentence + "\n");
  for (const std::string& sentence : report::clamped_sentences(statistic, table))
    output.write(one_line(sentence) + "\n");
  output.write("\n");
}

// Of a population nothing is exact.
std::string meaning_of(const plan::BoundStudy& study) {
  const char* const others = report::any_of_population(study) ? ", where a table says nothing of a population" : "";
  return fmt::format("the exact one is that of the rows that count, within bounds{}", others);
}

}  // namespace

void write_took(Output& output, const release::Release& release) {
  const Result<ledger::Rules> rules = ledger::rules_of(release.terms);
  if (!rules) return;  // they were made when it was reserved
  for (const std::string& sentence : report::took_sentences(release, *rules)) output.write(one_line(sentence) + "\n");
}

void write_release_report(Output& output, const study::Study& study, const release::Release& release) {
  for (std::size_t i = 0; i < release.tables.size(); ++i) {
    const release::Shown shown(release.plan.study.statistics[i], release.tables[i]);
    if (!study.question.path.empty()) output.write(one_line(shown.statistic().name) + "\n");
    write_statistic(output, shown.statistic(), shown.table(), release.tables[i].omitted);
    for (const std::string& sentence :
         report::formula_sentences(release.plan.study.statistics[i], release.tables[i].omitted)) {
      output.write(one_line(sentence) + "\n");
    }
  }
  write_released_tables(output, release.plan, release.contrasts, text::confidence_text(nearest(study.question.alpha)));
  const plan::Plan& plan = release.plan;
  output.write(
      fmt::format("± holds for each number with probability {}{}; {}\n"
                  "epsilon {}, delta {}, by {}; entry {} of the ledger\n",
                  report::confidences_of(plan.study, study.question.alpha),
                  report::any_simultaneous(plan.study) ? ", and for all at once where a table says so" : "",
                  meaning_of(plan.study), rounded_up_text(plan.epsilon), rounded_up_text(plan.delta.value()),
                  accounting::name_of(plan.method), release.receipt.index));
  write_took(output, release);
}

}  // namespace vernier::cli
