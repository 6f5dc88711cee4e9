#include "cli/plan/series.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "cli/asking.hpp"
#include "cli/program_error.hpp"
#include "text/numbers.hpp"
#include "vernier/core/text.hpp"
#include "vernier/study/files.hpp"

namespace vernier::cli {
namespace {

using plan::PlannedSeries;
using plan::SeriesFacts;
using series::Kind;

constexpr std::array<std::string_view, 3> kind_keys = {"each", "last", "cumulative"};

std::string name_of_kind(const SeriesFacts& facts, Kind kind) {
  if (kind == Kind::each) return "each " + std::string(name_of(facts.calendar.length));
  if (kind == Kind::last) return fmt::format("last {} {}s", facts.last, name_of(facts.calendar.length));
  return "from the first on";
}

void write_step(JsonWriter& json, const SeriesFacts& facts, const PlannedSeries& planned, std::size_t step) {
  json.begin_object();
  json.member("step", std::string_view(query::text_of(facts.calendar.first_day(static_cast<std::int64_t>(step)))));
  json.member("number", static_cast<std::int64_t>(step) + 1);
  for (const Kind kind : series::all_kinds) {
    const std::string key(kind_keys[static_cast<std::size_t>(kind)]);
    json.member(key + "_deviation", planned.deviation(kind, step));
    json.member(key + "_accuracy", planned.accuracy(kind, step));
  }
  json.end_object();
}

void write_one(JsonWriter& json, const plan::SeriesPlan& plan, std::size_t place) {
  const SeriesFacts& facts = plan.facts.series[place];
  const PlannedSeries& planned = plan.series[place];
  json.begin_object();
  json.member("name", std::string_view(facts.name));
  json.key("steps");
  json.begin_array();
  for (std::size_t i = 0; i < planned.design().strategy.steps(); ++i) write_step(json, facts, planned, i);
  json.end_array();
  json.member("last_steps", facts.last);
  json.member("cells", facts.cells());
  json.member("max_steps", facts.max_steps);
  json.member("apart", facts.apart);
  json.member("matrix", std::string_view(series::name_of(facts.family())));
  json.member("scale", facts.scale);
  json.member("sensitivity", planned.sensitivity());
  json.member("share", facts.share);
  json.key("prices");
  json.begin_array();
  for (const plan::SeriesPrice& price : plan::prices_of(plan, place)) {
    json.begin_object();
    json.member("what", std::string_view(price.what));
    json.member("epsilon", price.epsilon);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

Row accuracy_row(const SeriesFacts& facts, const PlannedSeries& planned, Kind kind) {
  const std::size_t last = planned.design().strategy.steps() - 1;
  const std::optional<double> target = facts.targets().of(kind);
  return {name_of_kind(facts, kind),
          "±" + text::grouped_up(planned.accuracy(kind, 0)),
          "±" + text::grouped_up(planned.accuracy(kind, last / 2)),
          "±" + text::grouped_up(planned.accuracy(kind, last)),
          "±" + text::grouped_up(planned.worst_accuracy(kind)),
          target ? "±" + text::grouped_up(*target) : ""};
}

void write_accuracies(Output& output, const SeriesFacts& facts, const PlannedSeries& planned) {
  std::vector<Row> rows;
  for (const Kind kind : series::all_kinds) rows.push_back(accuracy_row(facts, planned, kind));
  write_aligned(output,
                {{"sum over"},
                 {"first step", Align::right},
                 {"middle", Align::right},
                 {"last step", Align::right},
                 {"worst", Align::right},
                 {"asked", Align::right}},
                rows);
}

std::string participation_text(const SeriesFacts& facts, bool has_unit) {
  if (!has_unit) return "every row is a unit, which counts once";
  if (facts.max_steps == 1) return "a unit counts at its first step alone";
  const std::string spaced = facts.apart > 1 ? fmt::format(", at least {} apart", facts.apart) : "";
  return fmt::format("a unit counts at its first {} steps{}", facts.max_steps, spaced);
}

// What a series costs; of the tables of one [[series]], what all of them do.
std::string cost_text(const plan::SeriesPlan& plan, std::size_t place) {
  const SeriesFacts& facts = plan.facts.series[place];
  if (facts.together.empty()) return fmt::format("with {:.0f} % of the cost", 100 * facts.share);
  double share = 0;
  for (const SeriesFacts& one : plan.facts.series) share += one.together == facts.together ? one.share : 0;
  return fmt::format("with {:.0f} % of the cost for it and its tables, whose estimates add up", 100 * share);
}

// One of the tables of a [[series]], behind the first of them.
void write_further_table(Output& output, const SeriesFacts& facts, const PlannedSeries& planned) {
  const auto worst = [&](Kind kind) { return text::grouped_up(planned.worst_accuracy(kind)); };
  output.write(fmt::format("{}: {} groups, at worst ±{} each {}, ±{} the last {}, ±{} from the first on\n",
                           one_line(facts.name), text::grouped(facts.cells()), worst(Kind::each),
                           name_of(facts.calendar.length), worst(Kind::last), facts.last, worst(Kind::cumulative)));
}

void write_series(Output& output, const plan::SeriesPlan& plan, std::size_t place) {
  const SeriesFacts& facts = plan.facts.series[place];
  const PlannedSeries& planned = plan.series[place];
  if (place > 0 && !facts.together.empty() && plan.facts.series[place - 1].together == facts.together)
    return write_further_table(output, facts, planned);
  output.write(fmt::format("\n{}: {} steps of a {} from {} to {}, {} group{}, {}\n", one_line(facts.name),
                           facts.calendar.steps(), name_of(facts.calendar.length), query::text_of(facts.calendar.start),
                           query::text_of(facts.calendar.end), text::grouped(facts.cells()),
                           facts.cells() == 1 ? "" : "s", cost_text(plan, place)));
  output.write(participation_text(facts, plan.facts.unit.has_value()) + "; noise by " +
               series::name_of(facts.family()) + "\n");
  write_accuracies(output, facts, planned);
  for (const plan::SeriesPrice& price : plan::prices_of(plan, place))
    output.write(fmt::format("{} would cost epsilon {}\n", price.what, rounded_up_text(price.epsilon, 3)));
}

void write_series_head(Output& output, const SeriesAnswer& answer) {
  const plan::SeriesPlanFacts& facts = answer.study.plan.facts;
  write_lines(output, {{"study", place_text(answer.study.question.path), ""},
                       {"catalog", place_text(answer.study.catalog.path), ""},
                       {"unit", one_line(facts.unit.value_or("row")), "its presence is protected (add-remove)"},
                       {"epsilon", rounded_up_text(facts.epsilon),
                        "of all steps together, by " + std::string(accounting::name_of(facts.method))},
                       {"delta", rounded_up_text(facts.delta.value()), ""},
                       {"confidence", text::confidence_text(nearest(facts.alpha)), "of every ± below"}});
}

std::string standing_text(const SeriesAnswer& answer) {
  const study::SeriesStanding& standing = answer.standing;
  const query::Calendar& calendar = answer.study.calendar();
  if (!standing.reservation) return "the first step pays for all of them; every later one costs nothing";
  const std::string paid = fmt::format("all steps are paid for by entry {} of the ledger", standing.reservation->index);
  if (standing.steps.empty()) return paid + "; none is published";
  if (standing.next() >= calendar.steps()) return paid + "; all are published";
  return paid + fmt::format("; those up to {} are published, and the next one begins on {}",
                            query::text_of(calendar.last_day(standing.next() - 1)),
                            query::text_of(calendar.first_day(standing.next())));
}

plot::Line line_of(const std::string& name, std::size_t rank, const PlannedSeries& planned, Kind kind) {
  constexpr std::array<plot::Colour, 3> colours = {plot::Colour::first, plot::Colour::second, plot::Colour::third};
  constexpr std::array<plot::Stroke, 3> strokes = {plot::Stroke::solid, plot::Stroke::dashed, plot::Stroke::dotted};
  plot::Line line{name, colours[static_cast<std::size_t>(kind)], {}, strokes[rank % strokes.size()]};
  for (std::size_t i = 0; i < planned.design().strategy.steps(); ++i)
    line.points.push_back({static_cast<double>(i + 1), planned.accuracy(kind, i)});
  if (line.points.size() == 1) line.points.push_back({2, line.points.front().y});
  return line;
}

}  // namespace

bool names_series(const std::string& subject) {
  return !is_statement(subject) && study::is_series_study(subject).value_or(false);
}

Result<SeriesAnswer> series_answer(study::SeriesStudy study, const std::string& analyst) {
  VERNIER_TRY(study::LedgerState ledger, study::series_ledger(study, analyst));
  VERNIER_TRY(study::SeriesStanding standing, study::series_standing(study));
  return SeriesAnswer{std::move(study), std::move(ledger), std::move(standing)};
}

void write_series_json(Output& output, const SeriesAnswer& answer) {
  const plan::SeriesPlanFacts& facts = answer.study.plan.facts;
  JsonWriter json(output);
  json.begin_object();
  json.member("study", std::string_view(answer.study.name));
  json.member("unit", std::string_view(facts.unit.value_or("row")));
  json.member("neighbours", std::string_view("add-remove"));
  json.key("guarantee");
  json.begin_object();
  json.member("epsilon", facts.epsilon);
  json.member("delta", facts.delta.value());
  json.member("method", accounting::name_of(facts.method));
  json.end_object();
  json.member("alpha", nearest(facts.alpha));
  json.key("statistics");
  json.begin_array();
  json.end_array();
  json.key("series");
  json.begin_array();
  for (std::size_t i = 0; i < facts.series.size(); ++i) write_one(json, answer.study.plan, i);
  json.end_array();
  json.key("reserved");
  json.boolean(answer.standing.reservation.has_value());
  json.member("published_steps", answer.standing.next());
  write_ledger_state(json, answer.ledger);
  json.end_object();
  output.write("\n");
}

void write_series_report(Output& output, const SeriesAnswer& answer) {
  write_series_head(output, answer);
  for (std::size_t i = 0; i < answer.study.plan.series.size(); ++i) write_series(output, answer.study.plan, i);
  output.write(
      "\nrows are only ever added, and a row's day is that of its arrival: no row may come with a day whose step was "
      "published\n");
  output.write(standing_text(answer) + "\n");
  if (!answer.standing.reservation) write_ledger_report(output, answer.ledger);
}

plot::Chart series_chart(const SeriesAnswer& answer) {
  const plan::SeriesPlan& plan = answer.study.plan;
  plot::Chart chart;
  double greatest = 0;
  for (std::size_t i = 0; i < plan.series.size(); ++i) {
    for (const Kind kind : series::all_kinds) {
      const std::string name = plan.series.size() == 1 ? "" : plan.facts.series[i].name + ": ";
      chart.series.emplace_back(line_of(name + name_of_kind(plan.facts.series[i], kind), i, plan.series[i], kind));
      greatest = std::max(greatest, plan.series[i].worst_accuracy(kind));
    }
  }
  const query::Calendar& calendar = answer.study.calendar();
  chart.title = "Accuracy at every step";
  chart.subtitle = fmt::format("{}, epsilon {}, delta {} for all steps together", answer.study.name,
                               rounded_up_text(plan.facts.epsilon, 4), rounded_up_text(plan.facts.delta.value()));
  chart.x = {fmt::format("{} from {} on", name_of(calendar.length), query::text_of(calendar.start)), 1,
             static_cast<double>(std::max<std::int64_t>(calendar.steps(), 2)), 1};
  chart.y = {fmt::format("accuracy (± with probability {})", text::confidence_text(nearest(plan.facts.alpha))), 0,
             greatest * 1.1};
  chart.legend = plot::Legend::below;
  return chart;
}

Result<void> run_series_plan(const Arguments& arguments, Output& output) {
  VERNIER_TRY(const std::optional<std::string> plot, plot_file(arguments));
  if (arguments.has("--what-if"))
    return invalid("--what-if is not offered for series", "change the budget or the accuracies");
  VERNIER_TRY(study::SeriesStudy study, study::SeriesStudy::read(arguments.subject, catalog_rule(arguments)));
  VERNIER_TRY(const SeriesAnswer answer,
              series_answer(std::move(study), arguments.has("--analyst") ? arguments.one("--analyst") : ""));
  if (plot) {
    VERNIER_TRY(study::write_file(*plot, plot::render(series_chart(answer))));
  }
  arguments.has("--json") ? write_series_json(output, answer) : write_series_report(output, answer);
  return {};
}

}  // namespace vernier::cli
