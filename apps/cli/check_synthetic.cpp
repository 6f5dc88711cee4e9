#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "cli/asking.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/release/documents.hpp"
#include "text/numbers.hpp"
#include "vernier/core/text.hpp"
#include "vernier/query/quote.hpp"
#include "vernier/study/files.hpp"
#include "vernier/study/plan.hpp"
#include "vernier/study/synthetic.hpp"

namespace vernier::cli {
namespace {

using numeric::Rational;

constexpr std::string_view distance_name = "distance.json";
constexpr std::size_t most_file_bytes = std::size_t{1} << 30;

// At commas that no bracket and no quote holds.
void split_into(std::vector<std::string>& columns, const std::string& text) {
  int depth = 0;
  char quote = 0;
  std::string part;
  for (const char c : text) {
    if (quote != 0)
      quote = c == quote ? 0 : quote;
    else if (c == '\'' || c == '"')
      quote = c;
    depth += quote == 0 ? (c == '(') - (c == ')') : 0;
    if (c != ',' || depth != 0 || quote != 0) {
      part += c;
      continue;
    }
    columns.push_back(part);
    part.clear();
  }
  columns.push_back(part);
}

Result<std::string> table_of(const Arguments& arguments, const study::Catalog& catalog) {
  if (arguments.has("--from")) return arguments.one("--from");
  const auto& tables = catalog.content().tables;
  if (tables.size() == 1) return tables.front().name;
  return invalid("--from is missing: the catalog has several tables; name the one whose rows are protected");
}

Result<query::TableSet> set_of(const Arguments& arguments, const study::Catalog& catalog) {
  query::TableSet set{.name = "check", .from = {}, .weight = Rational::of(1)};
  VERNIER_TRY(const std::string from, table_of(arguments, catalog));
  set.from = query::quoted_identifier(from);
  if (arguments.has("--where")) set.where = arguments.one("--where");
  if (!arguments.has("--columns")) return invalid("--columns is missing; write for example --columns sex,region");
  for (const std::string& words : arguments.all("--columns")) split_into(set.columns, words);
  const std::string order = arguments.has("--up-to") ? arguments.one("--up-to") : "2";
  VERNIER_TRY(const double up_to, read_number("--up-to", order));
  if (!(up_to >= 1 && up_to <= 10) || up_to != std::floor(up_to)) {
    return invalid("--up-to must be a whole number from 1 to 10, but it is '" + one_line(order) + "'");
  }
  set.up_to = static_cast<std::int64_t>(up_to);
  set.even = query::Evenness::total;
  return set;
}

Result<Rational> decimal_of(const Arguments& arguments, const std::string& option, const std::string& usual) {
  const std::string& text = arguments.has(option) ? arguments.one(option) : usual;
  const Result<Rational> value = Rational::of_decimal(text);
  if (value && *value > Rational::of(0)) return value;
  return invalid(option + " must be a decimal above 0 such as " + usual + ", but it is '" + one_line(text) + "'");
}

// What is asked of the protected rows, before anything of them is read.
Result<study::Study> asked_of(const Arguments& arguments) {
  if (!arguments.has("--catalog")) return invalid("--catalog is missing; write for example --catalog catalog.toml");
  if (!arguments.has("--epsilon")) return invalid("--epsilon is missing: say what the check may cost");
  VERNIER_TRY(const study::Catalog catalog, study::Catalog::read(arguments.one("--catalog"), catalog_rule(arguments)));
  VERNIER_TRY(query::TableSet set, set_of(arguments, catalog));
  VERNIER_TRY(const Rational epsilon, decimal_of(arguments, "--epsilon", "0.1"));
  VERNIER_TRY(const Rational delta, decimal_of(arguments, "--delta", "1e-7"));
  VERNIER_TRY(const Rational alpha, decimal_of(arguments, "--alpha", "0.05"));
  const query::StudyBudget budget{epsilon, delta};
  return study::Study::of("check-synthetic",
                          query::Study{{}, catalog.content().path, alpha, budget, {}, {std::move(set)}}, catalog);
}

struct Checked {
  std::string file;
  table::CountedRows rows;
};

double cells_of(const plan::BoundTables& tables) {
  double cells = 0;
  for (const table::Columns& one : tables.lattice->tables()) cells += static_cast<double>(tables.lattice->cells(one));
  return cells;
}

double limit_of(const plan::Plan& plan) {
  return table::distance_limit(*plan.study.tables.front().lattice, plan.tables.front().laws, plan.study.alpha);
}

void write_terms(JsonWriter& json, const plan::Plan& plan) {
  json.member("limit", limit_of(plan));
  json.member("tables", static_cast<std::int64_t>(plan.study.tables.front().lattice->tables().size()));
  json.member("cells", cells_of(plan.study.tables.front()));
  json.member("confidence", 1 - plan.study.alpha.value());
  json.member("epsilon", plan.epsilon);
  json.member("delta", plan.delta.value());
}

std::string terms_text(const plan::Plan& plan) {
  return fmt::format(
      "a file without error would be told to be within {} of the rows, a cell: no nearer one can be told apart\n"
      "{} tables of {} cells; epsilon {}, delta {}\n",
      text::grouped(limit_of(plan), 2), plan.study.tables.front().lattice->tables().size(),
      text::grouped(cells_of(plan.study.tables.front()), 0), rounded_up_text(plan.epsilon),
      rounded_up_text(plan.delta.value()));
}

ledger::Documents documents_of(const study::Published& published, const Checked& checked) {
  const plan::Plan& plan = published.release.plan;
  const table::FileDistance found =
      table::distance_of(*plan.study.tables.front().lattice, plan.tables.front().laws,
                         published.release.contrasts.front(), checked.rows, plan.study.alpha);
  Output json_text, report;
  JsonWriter json(json_text);
  json.begin_object();
  json.member("file", std::string_view(checked.file));
  json.member("rows", static_cast<std::int64_t>(checked.rows.rows.size()));
  json.member("protected_rows", found.rows);
  json.key("distance");
  json.begin_object();
  json.member("value", found.value);
  json.member("low", found.low);
  json.member("high", found.high);
  json.member("coverage", std::string_view("tested"));
  json.end_object();
  write_terms(json, plan);
  json.member("release", std::string_view(published.release.id));
  json.end_object();
  json_text.write("\n");
  report.write(
      fmt::format("{}: {} rows, compared with about {} protected ones\n"
                  "a cell of its tables is off by {} on average (root of the mean square), between {} and {}\n",
                  one_line(checked.file), text::grouped(static_cast<std::int64_t>(checked.rows.rows.size())),
                  text::grouped(found.rows, 0), text::grouped(found.value, 2), text::grouped(found.low, 2),
                  text::grouped(found.high, 2)));
  report.write(terms_text(plan) + fmt::format("entry {} of the ledger\n", published.release.receipt.index));
  return {{std::string(distance_name), json_text.text()}, {std::string(study::spoken), report.text()}};
}

void write_plan(Output& output, const plan::Plan& plan, bool as_json) {
  if (!as_json) return output.write(terms_text(plan));
  JsonWriter json(output);
  json.begin_object();
  write_terms(json, plan);
  json.end_object();
  output.write("\n");
}

}  // namespace

Usage check_synthetic_usage() {
  return {
      .name = "check-synthetic",
      .summary = "how far the rows of any file are from the protected ones, with an interval; it spends budget",
      .synopsis =
          "vernier check-synthetic FILE.csv --catalog C.toml --columns A,B,... [--up-to K] --epsilon E [--delta D]\n"
          "                 [--from TABLE] [--where CONDITION] [--alpha P] [--plan] [--catalogs DIR] [--analyst NAME]\n"
          "                 [--request ID] [--json]",
      .subject = "FILE.csv",
      .subject_help = "rows of anybody's making, which have not seen the noise of this check",
      .options = with_catalogs(with_asker(
          {{"--catalog", Takes::one_value, "FILE", "the catalog of the protected rows"},
           {"--columns", Takes::several_values, "A,B",
            "columns with public keys, as in a [[table]]; the file has columns of these names"},
           {"--up-to", Takes::one_value, "K", "all tables of up to so many columns are compared (default 2)"},
           {"--epsilon", Takes::one_value, "E", "epsilon of the privacy budget: what it costs"},
           {"--delta", Takes::one_value, "D", "delta of the privacy budget (default 1e-7)"},
           {"--from", Takes::one_value, "TABLE", "the table of the catalog, where it has several"},
           {"--where", Takes::one_value, "CONDITION", "rows of it that count"},
           {"--alpha", Takes::one_value, "P", "probability that the interval misses (default 0.05)"},
           {"--plan", Takes::nothing, "", "says what could be told, and for how much; reads and spends nothing"}})),
      .example =
          "  vernier check-synthetic made.csv --catalog catalog.toml --columns sex,region,educ --up-to 2 --epsilon 0.1 "
          "--plan\n"
          "  vernier check-synthetic made.csv --catalog catalog.toml --columns sex,region,educ --up-to 2 --epsilon "
          "0.1\n"};
}

Result<void> run_check_synthetic(const Arguments& arguments, Output& output) {
  if (arguments.subject.empty()) {
    return invalid(
        "the file is missing; write for example 'vernier check-synthetic made.csv --catalog catalog.toml --columns "
        "sex,region --epsilon 0.1'");
  }
  VERNIER_TRY(const study::Study study, asked_of(arguments));
  VERNIER_TRY(const study::Plan plan, study.plan());
  VERNIER_TRY(const std::string text, study::read_file(arguments.subject, most_file_bytes));
  VERNIER_TRY(table::CountedRows rows, study::keyed_rows(study.bound.tables.front(), text, arguments.subject));
  if (arguments.has("--plan")) {
    write_plan(output, plan.content(), arguments.has("--json"));
    return {};
  }
  const auto checked = std::make_shared<const Checked>(Checked{arguments.subject, std::move(rows)});
  const study::MakeDocuments make = [checked](const study::Published& published) -> Result<ledger::Documents> {
    return documents_of(published, *checked);
  };
  VERNIER_TRY(const study::Answer answer, release_watched(plan, request_of(arguments, make)));
  write_answer(output, answer, arguments.has("--json"), distance_name);
  return {};
}

}  // namespace vernier::cli
