#include "vernier/study/bounds.hpp"

#include <cmath>

#include <fmt/format.h>

#include "cli/asking.hpp"
#include "cli/bounds.hpp"
#include "cli/catalog/catalog.hpp"
#include "cli/commands.hpp"
#include "cli/limits.hpp"
#include "cli/output.hpp"
#include "cli/release/documents.hpp"
#include "text/numbers.hpp"
#include "vernier/core/text.hpp"
#include "vernier/query/value.hpp"
#include "vernier/release/record/release_json.hpp"
#include "vernier/study/plan.hpp"

namespace vernier::cli {
namespace {

using study::BoundsAnswer;

// The line of the catalog that declares these bounds.
std::string catalog_line(const query::Column& column, const query::Range& range) {
  return toml_key(column.name) + " = " + plan::declaration(column, range);
}

void write_range(JsonWriter& json, const BoundsAnswer& answer) {
  const query::Range range = plan::range_of(answer.question.grid, *answer.kept);
  json.key("lower");
  query::write_value(json, range.lower);
  json.key("upper");
  query::write_value(json, range.upper);
  json.member("below_at_most", answer.found.below_at_most);
  json.member("above_at_most", answer.found.above_at_most);
  json.member("share_outside_at_most", answer.found.share_outside_at_most());
  const std::string line = catalog_line(answer.question.column, range);
  json.member("line", answer.is_known_to_hold_most() ? std::optional(std::string_view(line)) : std::nullopt);
}

void write_no_range(JsonWriter& json) {
  for (const char* const name : {"lower", "upper", "below_at_most", "above_at_most", "share_outside_at_most", "line"}) {
    json.key(name);
    json.null();
  }
}

void write_buckets(JsonWriter& json, const BoundsAnswer& answer) {
  const std::vector<std::int64_t> counts = study::noisy_counts(answer.release);
  json.key("buckets");
  json.begin_array();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    json.begin_object();
    json.key("lower");
    query::write_value(json, answer.question.grid.buckets[i].lower);
    json.key("upper");
    query::write_value(json, answer.question.grid.buckets[i].upper);
    json.member("noisy", counts[i]);
    json.end_object();
  }
  json.end_array();
}

// What the ledger took, and what of it was paid once for the conversion.
void write_taken(JsonWriter& json, const release::Release& release) {
  const Result<ledger::Rules> rules = ledger::rules_of(release.terms);
  if (!rules) return;  // they were made when it was reserved
  const ledger::Offer& taken = release.taken;
  json.member("epsilon", rules->quanta.epsilon(taken.cost.epsilon).round_up());
  json.member("delta", rules->quanta.delta(taken.cost.delta).round_up());
  json.member("once_epsilon", rules->quanta.epsilon(taken.opening.epsilon).round_up());
  json.member("once_delta", rules->quanta.delta(taken.opening.delta).round_up());
}

void write_bounds_json(Output& output, const BoundsAnswer& answer) {
  const plan::Plan& plan = answer.release.plan;
  JsonWriter json(output);
  json.begin_object();
  json.member("table", std::string_view(answer.question.table.name));
  json.member("column", std::string_view(answer.question.column.name));
  json.key("found");
  json.boolean(answer.kept.has_value());
  answer.kept ? write_range(json, answer) : write_no_range(json);
  json.member("values_at_least", answer.found.total_at_least);
  json.member("values_at_most", answer.found.total_at_most);
  json.member("confidence", release::confidence_of(answer.study.question.alpha));
  json.member("epsilon", plan.epsilon);
  json.member("delta", plan.delta.value());
  json.member("release", std::string_view(answer.release.id));
  json.key("ledger");
  json.begin_object();
  json.member("index", answer.release.receipt.index);
  json.member("head", std::string_view(answer.release.receipt.head));
  write_taken(json, answer.release);
  json.end_object();
  write_buckets(json, answer);
  json.end_object();
  output.write("\n");
}

std::string shown(const query::Value& value) {
  if (const auto* const whole = std::get_if<std::int64_t>(&value)) return text::grouped(*whole);
  const auto* const real = std::get_if<double>(&value);
  if (real != nullptr && std::abs(*real) < 1e15 && *real == std::floor(*real)) return text::grouped(*real, 0);
  return query::text_of(value);
}

std::string percent_up(double share) { return text::grouped_up(share * 100 * (1 + 1e-15)) + " %"; }

// What is counted: values, or units where these have many.
std::string counted(const BoundsAnswer& answer) {
  const plan::BoundStatistic& statistic = answer.release.plan.study.statistics.front();
  if (!statistic.table.unit) return "of the values that are not NULL";
  const plan::Contribution counts = statistic.contribution;
  if (counts.max_groups == 1 && counts.max_rows == 1) return "of the units, each with one of its values";
  return fmt::format("of the values that count (of a unit at most {} in each of at most {} buckets)",
                     text::grouped(counts.max_rows), text::grouped(counts.max_groups));
}

void write_line(Output& output, const BoundsAnswer& answer, const query::Range& range) {
  const study::BoundsQuestion& question = answer.question;
  if (!answer.is_known_to_hold_most()) {
    output.write("no line is recommended, since more than half of the values may lie outside\n");
    return;
  }
  const bool has_more = !question.column.keys.empty() || !question.column.labels.empty();
  output.write(fmt::format(
      "  {}\n\n"
      "nothing was changed: if this makes sense to you too, write the line into {}, below [tables.{}.columns]{}\n",
      one_line(catalog_line(question.column, range)), one_line(answer.study.bound.catalog.path.string()),
      one_line(question.table.name), has_more ? ", with the keys and labels that are there" : ""));
}

void write_found(Output& output, const BoundsAnswer& answer) {
  const auto& [question, study, release, kept, found] = answer;
  const query::Range range = plan::range_of(question.grid, *kept);
  output.write(fmt::format("{}.{} from {} to {}\n\n", one_line(question.table.name), one_line(question.column.name),
                           shown(range.lower), shown(range.upper)));
  write_line(output, answer, range);
  if (found.share_outside_at_most() < 1) {
    output.write(fmt::format("outside lie at most {} {}: at most {} below and {} above; they will count as the bound\n",
                             percent_up(found.share_outside_at_most()), counted(answer),
                             text::grouped(found.below_at_most), text::grouped(found.above_at_most)));
  } else {
    output.write(fmt::format(
        "how much lies outside is not known: up to {} below and {} above; a larger epsilon, or wide bounds in the "
        "catalog to search within, would tell\n",
        text::grouped(found.below_at_most), text::grouped(found.above_at_most)));
  }
}

void write_nothing_found(Output& output, const BoundsAnswer& answer) {
  output.write(fmt::format(
      "no bounds found for {}.{}: no range of values stands out of the noise\n"
      "it has at most {} values, or they are spread too thinly; take bounds from the codebook, ask with a larger "
      "epsilon, or declare wide bounds to search within\n",
      one_line(answer.question.table.name), one_line(answer.question.column.name),
      text::grouped(answer.found.total_at_most)));
}

void write_bounds_report(Output& output, const BoundsAnswer& answer) {
  answer.kept ? write_found(output, answer) : write_nothing_found(output, answer);
  const plan::Plan& plan = answer.release.plan;
  output.write(
      fmt::format("this holds with probability {}; it was made from {} noisy counts\n"
                  "epsilon {}, delta {}, by {}; entry {} of the ledger\n",
                  text::confidence_text(nearest(answer.study.question.alpha)), answer.question.grid.buckets.size(),
                  rounded_up_text(plan.epsilon), rounded_up_text(plan.delta.value()), accounting::name_of(plan.method),
                  answer.release.receipt.index));
  write_took(output, answer.release);
}

Result<void> check_words(const Arguments& arguments) {
  const std::string example = "; write for example 'vernier bounds catalog.toml people.income --epsilon 0.1'";
  if (arguments.subject.empty()) return invalid("the catalog is missing" + example);
  if (arguments.object.empty()) return invalid("the column is missing" + example);
  if (!arguments.has("--epsilon")) return invalid("--epsilon is missing: say what it may cost" + example);
  return {};
}

Result<void> check_column_alone(const Arguments& arguments) {
  for (const char* const option : {"--at", "--plot"}) {
    if (arguments.has(option))
      return invalid(
          fmt::format("{} is for the rows of units, but a column was named; leave it out, or name the table "
                      "alone",
                      option));
  }
  return {};
}

}  // namespace

study::MakeDocuments bounds_documents(const study::BoundsQuestion& question) {
  return [question](const study::Published& published) -> Result<ledger::Documents> {
    const BoundsAnswer answer = study::bounds_answer(question, published.study, published.release);
    Output json, report;
    write_bounds_json(json, answer);
    write_bounds_report(report, answer);
    return ledger::Documents{{std::string(bounds_name), json.text()}, {std::string(study::spoken), report.text()}};
  };
}

namespace {

Result<study::Answer> answer_to(const Arguments& arguments, const study::Catalog& catalog) {
  VERNIER_TRY(const study::BoundsQuestion question, study::BoundsQuestion::of(catalog, arguments.object));
  VERNIER_TRY(const study::Question terms, question_of(arguments, {}, {}));
  VERNIER_TRY(const study::Study study, question.study(catalog, terms));
  VERNIER_TRY(const study::Plan plan, study.plan());
  study::Request request = request_of(arguments, bounds_documents(question));
  if (arguments.has("--out")) request.folder = arguments.one("--out");
  return release_watched(plan, std::move(request));
}

}  // namespace

Usage bounds_usage() {
  return {.name = "bounds",
          .summary = "finds bounds for a column privately, or how many rows units have; it spends budget",
          .synopsis =
              "vernier bounds CATALOG TABLE.COLUMN --epsilon E [--delta D] [--alpha P] [--max-groups M]\n"
              "                 [--max-rows R] [--out DIR] [--catalogs DIR] [--analyst NAME] [--request ID] [--json]\n"
              "  vernier bounds CATALOG TABLE --epsilon E [--delta D] [--alpha P] [--at E] [--plot FILE.svg] [--out "
              "DIR] ...",
          .subject = "CATALOG",
          .subject_help = "the catalog of the data; it is not changed",
          .object = "TABLE.COLUMN",
          .object_help =
              "an integer, real or date column; where it has bounds, those within are looked for. Or a table "
              "alone: how many rows its units have, and what each max_rows would mean",
          .options = with_catalogs(with_asker(
              {{"--epsilon", Takes::one_value, "E", "epsilon of the privacy budget: what it may cost"},
               {"--delta", Takes::one_value, "D", "delta of the privacy budget (default 0)"},
               {"--alpha", Takes::one_value, "P", "probability that the answer is wrong (default 0.05)"},
               {"--max-groups", Takes::one_value, "M", "the buckets in which one unit may count (default 1)"},
               {"--max-rows", Takes::one_value, "R", "the rows of one unit that count in one bucket (default 1)"},
               {"--at", Takes::one_value, "E", "of a table: the epsilon at which margins are shown (default 1)"},
               {"--plot", Takes::one_value, "FILE.svg", "of a table: draw what is cut off, and noise, by max_rows"},
               {"--out", Takes::one_value, "DIR",
                "a new folder for bounds.json, or limits.json, and the signed release.json"}})),
          .example =
              "  vernier bounds catalog.toml people.income --epsilon 0.1\n"
              "  vernier bounds catalog.toml visits.day --epsilon 0.05 --alpha 0.01 --json\n"
              "  vernier bounds catalog.toml visits --epsilon 0.1\n"};
}

Result<void> run_bounds(const Arguments& arguments, Output& output) {
  if (Result<void> checked = check_words(arguments); !checked) return checked;
  VERNIER_TRY(const study::Catalog catalog, study::Catalog::read(arguments.subject, catalog_rule(arguments)));
  if (const auto question = study::LimitsQuestion::of(catalog, arguments.object))
    return run_limits(arguments, catalog, *question, output);
  VERNIER_TRY(check_column_alone(arguments));
  VERNIER_TRY(const study::Answer answer, answer_to(arguments, catalog));
  write_answer(output, answer, arguments.has("--json"), bounds_name);
  if (arguments.has("--out") && !arguments.has("--json"))
    output.write(fmt::format("written to {}\n", one_line(arguments.one("--out"))));
  return {};
}

}  // namespace vernier::cli
