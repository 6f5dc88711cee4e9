#include "cli/release/series.hpp"

#include <ctime>
#include <filesystem>

#include <fmt/format.h>

#include "cli/asking.hpp"
#include "cli/progress.hpp"
#include "report/series_page.hpp"
#include "text/numbers.hpp"
#include "vernier/core/text.hpp"

namespace vernier::cli {
namespace {

constexpr std::size_t most_shown = 40;

std::string stem_of(const Arguments& arguments) { return std::filesystem::path(arguments.subject).stem().string(); }

std::string number_text(const series::Number& number) {
  return fmt::format("{} [{}, {}]", text::grouped(number.value), text::grouped(number.low), text::grouped(number.high));
}

std::string group_text(const plan::SeriesFacts& facts, std::size_t cell) {
  std::string name;
  for (const query::Value& key : release::keys_of_cell(facts, cell))
    name += (name.empty() ? "" : ", ") + query::text_of(key);
  return name.empty() ? "all" : one_line(name);
}

void write_numbers(Output& output, const study::PublishedStep& published, std::size_t place) {
  const plan::SeriesFacts& facts = published.record.plan.series[place];
  const auto& numbers = published.record.numbers[place];
  const auto& calendar = facts.calendar;
  output.write(fmt::format("{}: step {} of {}, {} to {}\n", one_line(facts.name), published.record.step + 1,
                           calendar.steps(), query::text_of(calendar.first_day(published.record.step)),
                           query::text_of(calendar.last_day(published.record.step))));
  std::vector<Row> rows;
  for (std::size_t cell = 0; cell < numbers.size() && cell < most_shown; ++cell) {
    const release::CellNumbers& one = numbers[cell];
    rows.push_back({group_text(facts, cell), number_text(one[0]), number_text(one[1]), number_text(one[2])});
  }
  write_aligned(output,
                {{"group"},
                 {"each", Align::right},
                 {fmt::format("last {}", facts.last), Align::right},
                 {"cumulative", Align::right}},
                rows);
  if (numbers.size() > most_shown) output.write(fmt::format("and {} more groups\n", numbers.size() - most_shown));
  output.write("\n");
}

std::string step_text(const study::PublishedStep& published) {
  Output output;
  for (std::size_t i = 0; i < published.record.numbers.size(); ++i) write_numbers(output, published, i);
  output.write(
      fmt::format("of these intervals about {} hold\n", text::confidence_text(nearest(published.record.plan.alpha))));
  return output.text();
}

std::string told_of(const study::StepAnswer& answer) {
  const std::string date = query::text_of(answer.step);
  if (answer.is_repeated) return fmt::format("the step of {} was published before: the same again\n\n", date);
  std::string words =
      answer.is_first
          ? fmt::format("all steps are paid for now, by entry {} of the ledger\n", answer.reservation.index)
          : fmt::format("paid for by entry {} of the ledger: this step costs nothing\n", answer.reservation.index);
  if (answer.skipped > 0)
    words += fmt::format("{} skipped step{} made up for\n", answer.skipped, answer.skipped == 1 ? "" : "s");
  return words + "\n";
}

void write_answer(Output& output, const study::StepAnswer& answer, bool as_json) {
  if (as_json) return output.write_exactly(answer.record_text());
  const ledger::Document* const text = ledger::document_named(answer.documents, study::spoken);
  output.write(told_of(answer) + (text == nullptr ? "" : text->content));
}

Result<query::Day> day_given(const Arguments& arguments, std::string_view option) {
  if (const auto day = query::read_day(arguments.one(option))) return *day;
  return invalid(fmt::format("{} must be a date such as 2027-03-05, but it is '{}'", option, arguments.one(option)));
}

query::Day day_of_clock() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  return query::Day::of(local.tm_year + 1900, static_cast<unsigned>(local.tm_mon + 1),
                        static_cast<unsigned>(local.tm_mday))
      .value_or(query::last_day);
}

Result<void> release_one(const Arguments& arguments, const study::SeriesStudy& study, study::StepRequest request,
                         Output& output) {
  VERNIER_TRY(const query::Day day, day_given(arguments, "--step"));
  const std::string folder =
      arguments.has("--out") ? arguments.one("--out") : fmt::format("{}-{}", stem_of(arguments), query::text_of(day));
  request.folder = folder;
  VERNIER_TRY(const study::StepAnswer answer, study::release_step(study, day, request));
  write_answer(output, answer, arguments.has("--json"));
  if (!arguments.has("--json")) output.write(fmt::format("written to {}\n", folder));
  return {};
}

Result<void> release_all_due(const Arguments& arguments, const study::SeriesStudy& study, study::StepRequest request,
                             Output& output) {
  VERNIER_TRY(const query::Day today,
              arguments.has("--today") ? day_given(arguments, "--today") : Result<query::Day>(day_of_clock()));
  const std::string folder = arguments.has("--out") ? arguments.one("--out") : stem_of(arguments) + "-steps";
  request.folder = folder;
  VERNIER_TRY(const auto answers, study::release_due(study, today, request));
  if (arguments.has("--json")) {
    output.write("{\"released\":[");
    for (std::size_t i = 0; i < answers.size(); ++i)
      output.write(fmt::format("{}\"{}\"", i == 0 ? "" : ",", query::text_of(answers[i].step)));
    output.write("]}\n");
    return {};
  }
  for (const study::StepAnswer& answer : answers)
    output.write(
        fmt::format("{} written to {}/{}\n", query::text_of(answer.step), folder, query::text_of(answer.step)));
  if (answers.empty()) output.write("no step is due\n");
  return {};
}

}  // namespace

Result<ledger::Documents> step_documents(const study::PublishedStep& published) {
  ledger::Documents documents = study::step_csv_documents(published);
  documents.push_back({"report.html", report::series_page(published)});
  documents.push_back({std::string(study::spoken), step_text(published)});
  return documents;
}

Result<void> run_series_release(const Arguments& arguments, Output& output) {
  if (arguments.has("--step") == arguments.has("--due")) {
    return invalid("a study of series is released step by step: say which",
                   "write --step 2027-03-05 for the step of a day, or --due for all that have ended");
  }
  if (arguments.has("--request"))
    return invalid("--request is not for series", "a step that is asked twice is the same");
  VERNIER_TRY(const study::SeriesStudy study, study::SeriesStudy::read(arguments.subject, catalog_rule(arguments)));
  TerminalProgress terminal("running");
  study::StepRequest request{.analyst = arguments.has("--analyst") ? arguments.one("--analyst") : "",
                             .documents = step_documents,
                             .progress = terminal.watching()};
  return arguments.has("--step") ? release_one(arguments, study, std::move(request), output)
                                 : release_all_due(arguments, study, std::move(request), output);
}

}  // namespace vernier::cli
