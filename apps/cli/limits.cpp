#include "cli/limits.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "cli/asking.hpp"
#include "cli/catalog/catalog.hpp"
#include "cli/release/documents.hpp"
#include "text/numbers.hpp"
#include "vernier/core/text.hpp"
#include "vernier/release/record/release_json.hpp"
#include "vernier/study/files.hpp"
#include "vernier/study/plan.hpp"

namespace vernier::cli {
namespace {

using numeric::Rational;
using study::Limit;
using study::LimitsAnswer;

void write_limit(JsonWriter& json, const Limit& limit) {
  json.begin_object();
  json.member("max_rows", limit.max_rows);
  json.member("units_with_more_at_most", limit.more_at_most);
  json.member("share_with_more_at_most", limit.share_more_at_most);
  json.member("cut_off_about", limit.cut_off);
  json.member("accuracy", limit.margin);
  json.end_object();
}

void write_limits_json(Output& output, const LimitsAnswer& answer, const release::Release& release, const Rational& at,
                       const Rational& alpha) {
  JsonWriter json(output);
  json.begin_object();
  json.member("table", std::string_view(answer.question.table.name));
  json.member("unit", std::string_view(*answer.question.table.unit));
  json.key("max_rows");
  answer.best ? json.value(answer.limits[*answer.best].max_rows) : json.null();
  json.member("units_at_least", answer.units_at_least);
  json.member("units_at_most", answer.units_at_most);
  json.member("rows_about", answer.best ? std::optional(answer.total_rows) : std::nullopt);
  json.member("at_epsilon", nearest(at));
  json.member("confidence", release::confidence_of(alpha));
  json.member("epsilon", release.plan.epsilon);
  json.member("delta", release.plan.delta.value());
  json.member("release", std::string_view(release.id));
  json.key("limits");
  json.begin_array();
  for (const Limit& limit : answer.limits) write_limit(json, limit);
  json.end_array();
  json.end_object();
  output.write("\n");
}

std::string percent_up(double share) { return text::grouped_up(std::min(100.0, share * 100 * (1 + 1e-15))) + " %"; }

std::string about(double rows) { return text::grouped(std::round(rows), 0); }

void write_trade(Output& output, const LimitsAnswer& answer, const Rational& at) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < answer.limits.size(); ++i) {
    const Limit& limit = answer.limits[i];
    rows.push_back({text::grouped(limit.max_rows), percent_up(limit.share_more_at_most), about(limit.cut_off),
                    "± " + about(limit.margin), i == answer.best ? "<-" : ""});
  }
  write_aligned(output,
                {{"max_rows", Align::right},
                 {"units with more, at most", Align::right},
                 {"rows cut off, about", Align::right},
                 {fmt::format("noise at epsilon {}", nearest_text(nearest(at), 6)), Align::right},
                 {""}},
                rows);
}

void write_found(Output& output, const LimitsAnswer& answer, const Rational& at) {
  const Limit& best = answer.limits[*answer.best];
  output.write(fmt::format("of each {} at most {} row{} of {} may count\n\n", one_line(*answer.question.table.unit),
                           text::grouped(best.max_rows), best.max_rows == 1 ? "" : "s",
                           one_line(answer.question.table.name)));
  output.write(fmt::format("  max_rows = {}\n\n", best.max_rows));
  write_trade(output, answer, at);
  output.write(fmt::format(
      "\nnothing was changed: if this makes sense to you too, write the line into the catalog, below [tables.{}]\n"
      "what is cut off is estimated from the noisy counts; how many units have more rows holds with the rest: there "
      "are "
      "{} to {} units\n",
      one_line(answer.question.table.name), text::grouped(answer.units_at_least), text::grouped(answer.units_at_most)));
}

void write_limits_report(Output& output, const LimitsAnswer& answer, const release::Release& release,
                         const Rational& at, const Rational& alpha) {
  if (answer.best) {
    write_found(output, answer, at);
  } else {
    output.write(fmt::format(
        "nothing found for {}: no number of rows stands out of the noise\n"
        "it has at most {} units; take max_rows from what is known of the subject, or ask with a larger epsilon\n",
        one_line(answer.question.table.name), text::grouped(answer.units_at_most)));
  }
  const plan::Plan& plan = release.plan;
  output.write(fmt::format(
      "this holds with probability {}; it was made from {} noisy counts\n"
      "epsilon {}, delta {}, by {}; entry {} of the ledger\n",
      text::confidence_text(nearest(alpha)), answer.question.edges.size() + 1, rounded_up_text(plan.epsilon),
      rounded_up_text(plan.delta.value()), accounting::name_of(plan.method), release.receipt.index));
  write_took(output, release);
}

std::vector<plot::Point> points_of(const LimitsAnswer& answer, double (*value)(const Limit&)) {
  std::vector<plot::Point> points;
  for (const Limit& limit : answer.limits) points.push_back({static_cast<double>(limit.max_rows), value(limit)});
  return points;
}

Result<Rational> epsilon_at(const Arguments& arguments) {
  if (!arguments.has("--at")) return Rational::of(1);
  const auto at = Rational::of_decimal(arguments.one("--at"));
  if (at && nearest(*at) > 0) return *at;
  return invalid(fmt::format("--at must be an epsilon above 0, but it is '{}'; write for example --at 0.5",
                             one_line(arguments.one("--at"))));
}

Result<void> check_options(const Arguments& arguments) {
  for (const char* const option : {"--max-groups", "--max-rows"}) {
    if (arguments.has(option))
      return invalid(fmt::format("{} is for bounds of a column, and a table was named; leave it out", option));
  }
  return arguments.has("--plot") ? study::check_new(arguments.one("--plot")) : Result<void>();
}

Result<void> draw(const Arguments& arguments, const study::Answer& answer, const study::Catalog& catalog,
                  const study::LimitsQuestion& question, const Rational& at) {
  if (!arguments.has("--plot")) return {};
  if (!answer.published)
    return invalid("the picture is drawn when limits are found, and these were told before",
                   "leave --plot out, or ask anew without --request");
  VERNIER_TRY(const LimitsAnswer found,
              limits_answer(question, catalog, answer.published->study, answer.published->release, at));
  if (!found.best) return {};
  return study::write_file(arguments.one("--plot"), plot::render(limits_chart(found, at)));
}

}  // namespace

plot::Chart limits_chart(const LimitsAnswer& answer, const Rational& at) {
  const auto cut_off = points_of(answer, [](const Limit& limit) { return limit.cut_off; });
  const auto noise = points_of(answer, [](const Limit& limit) { return limit.margin; });
  const auto both = points_of(answer, [](const Limit& limit) { return limit.cut_off + limit.margin; });
  double most = 0;
  for (const plot::Point& point : both) most = std::max(most, point.y);
  const auto last = static_cast<double>(answer.limits.back().max_rows);
  plot::Chart chart{
      .title = fmt::format("What counts of each {}", one_line(*answer.question.table.unit)),
      .subtitle = fmt::format("COUNT(*) of {}: rows cut off, about, and the margin of noise at epsilon {}",
                              one_line(answer.question.table.name), nearest_text(nearest(at), 6)),
      .x = {.title = "max_rows", .low = 1, .high = std::max(last, 2.0), .logarithmic = true},
      .y = {.title = "rows", .low = 0, .high = std::max(1.05 * most, 1.0)},
      .series = {plot::Line{"both", plot::Colour::third, both, plot::Stroke::dashed},
                 plot::Line{"cut off", plot::Colour::second, cut_off},
                 plot::Line{"noise", plot::Colour::first, noise}}};
  chart.legend = plot::Legend::below;
  if (answer.best) chart.series.push_back(plot::Dots{"least", plot::Colour::fourth, {both[*answer.best]}});
  return chart;
}

study::MakeDocuments limits_documents(const study::LimitsQuestion& question, const study::Catalog& catalog,
                                      const Rational& at) {
  return [question, catalog, at](const study::Published& published) -> Result<ledger::Documents> {
    VERNIER_TRY(const LimitsAnswer answer, limits_answer(question, catalog, published.study, published.release, at));
    Output json, report;
    write_limits_json(json, answer, published.release, at, published.study.question.alpha);
    write_limits_report(report, answer, published.release, at, published.study.question.alpha);
    return ledger::Documents{{std::string(limits_name), json.text()}, {std::string(study::spoken), report.text()}};
  };
}

Result<void> run_limits(const Arguments& arguments, const study::Catalog& catalog,
                        const study::LimitsQuestion& question, Output& output) {
  VERNIER_TRY(check_options(arguments));
  VERNIER_TRY(const Rational at, epsilon_at(arguments));
  VERNIER_TRY(const study::Question terms, question_of(arguments, {}, {}));
  VERNIER_TRY(const study::Study asked, question.study(catalog, terms));
  VERNIER_TRY(const study::Plan plan, asked.plan());
  study::Request request = request_of(arguments, limits_documents(question, catalog, at));
  if (arguments.has("--out")) request.folder = arguments.one("--out");
  VERNIER_TRY(const study::Answer answer, release_watched(plan, std::move(request)));
  VERNIER_TRY(draw(arguments, answer, catalog, question, at));
  write_answer(output, answer, arguments.has("--json"), limits_name);
  if (arguments.has("--out") && !arguments.has("--json"))
    output.write(fmt::format("written to {}\n", one_line(arguments.one("--out"))));
  return {};
}

}  // namespace vernier::cli
