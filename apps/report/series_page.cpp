#include "report/series_page.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "plot/chart.hpp"
#include "report/html.hpp"
#include "text/numbers.hpp"
#include "vernier/core/text.hpp"

namespace vernier::report {
namespace {

using series::Kind;

constexpr std::size_t most_charts = 12, most_rows_shown = 200;

std::string group_of(const plan::SeriesFacts& facts, std::size_t cell) {
  std::string name;
  for (const query::Value& key : release::keys_of_cell(facts, cell))
    name += (name.empty() ? "" : ", ") + query::text_of(key);
  return name;
}

std::string title_of(const plan::SeriesFacts& facts, Kind kind) {
  if (kind == Kind::each) return "Each " + std::string(name_of(facts.calendar.length));
  if (kind == Kind::last) return fmt::format("The last {} {}s", facts.last, name_of(facts.calendar.length));
  return "From the first on";
}

// Of one cell, at every step so far.
std::vector<series::Number> numbers_so_far(const study::PublishedStep& published, std::size_t place, std::size_t cell,
                                           Kind kind) {
  const plan::SeriesFacts& facts = published.record.plan.series[place];
  const plan::PlannedSeries& planned = published.study.plan.series[place];
  std::vector<series::Wide> line;
  const release::NoisyCells& noisy = published.noisy[place];
  std::vector<series::Number> numbers;
  for (std::int64_t t = 0; t <= published.record.step; ++t) {
    const auto step = static_cast<std::size_t>(t);
    line.push_back(noisy.steps[step][cell]);
    numbers.push_back(
        series::number_of(numerator_of(planned.design().of(kind), step, std::span<const series::Wide>(line)),
                          planned.accuracy(kind, step), facts.row_limit, noisy.parts));
  }
  return numbers;
}

// A single step is drawn as wide as two.
std::vector<series::Number> drawn(std::vector<series::Number> numbers) {
  if (numbers.size() == 1) numbers.push_back(numbers.front());
  return numbers;
}

plot::Line line_of(const std::vector<series::Number>& numbers) {
  plot::Line line{"published", plot::Colour::first, {}};
  for (std::size_t i = 0; i < numbers.size(); ++i)
    line.points.push_back({static_cast<double>(i + 1), static_cast<double>(numbers[i].value)});
  return line;
}

plot::Band band_of(const std::vector<series::Number>& numbers) {
  plot::Band band{"its interval", plot::Colour::third, {}};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    band.spans.push_back(
        {static_cast<double>(i + 1), static_cast<double>(numbers[i].low), static_cast<double>(numbers[i].high)});
  }
  return band;
}

plot::Chart chart_of(const study::PublishedStep& published, std::size_t place, std::size_t cell, Kind kind) {
  const plan::SeriesFacts& facts = published.record.plan.series[place];
  const std::vector<series::Number> numbers = drawn(numbers_so_far(published, place, cell, kind));
  std::int64_t greatest = 1;
  for (const series::Number& one : numbers) greatest = std::max(greatest, one.high);
  plot::Chart chart;
  chart.title = title_of(facts, kind);
  chart.subtitle = group_of(facts, cell);
  chart.x = {fmt::format("{} from {} on", name_of(facts.calendar.length), query::text_of(facts.calendar.start)), 1,
             static_cast<double>(numbers.size()), 1};
  chart.y = {"count", 0, static_cast<double>(greatest) * 1.05};
  chart.series.emplace_back(band_of(numbers));
  chart.series.emplace_back(line_of(numbers));
  return chart;
}

std::string number_text(const series::Number& number) {
  return fmt::format("{} [{}, {}]", text::grouped(number.value), text::grouped(number.low), text::grouped(number.high));
}

void write_table(Html& html, const study::PublishedStep& published, std::size_t place) {
  const plan::SeriesFacts& facts = published.record.plan.series[place];
  const auto& numbers = published.record.numbers[place];
  html.begin("table");
  html.begin("thead");
  html.begin("tr");
  for (const plan::SeriesColumn& column : facts.columns) html.element("th", column.name);
  for (const Kind kind : series::all_kinds) html.element("th", title_of(facts, kind));
  html.end();
  html.end();
  html.begin("tbody");
  for (std::size_t cell = 0; cell < numbers.size() && cell < most_rows_shown; ++cell) {
    html.begin("tr");
    for (const query::Value& key : release::keys_of_cell(facts, cell)) html.element("td", query::text_of(key));
    for (const series::Number& one : numbers[cell]) html.element("td", number_text(one));
    html.end();
  }
  html.end();
  html.end();
}

void write_charts(Html& html, const study::PublishedStep& published, std::size_t place) {
  const auto cells = published.record.numbers[place].size();
  for (std::size_t cell = 0; cell < cells && (cell + 1) * 3 <= most_charts; ++cell) {
    for (const Kind kind : series::all_kinds) html.trusted(plot::render(chart_of(published, place, cell, kind)));
  }
}

void write_section(Html& html, const study::PublishedStep& published, std::size_t place) {
  const plan::SeriesFacts& facts = published.record.plan.series[place];
  const auto& calendar = facts.calendar;
  html.begin("section");
  html.element("h2", facts.name);
  html.element("p", fmt::format("Step {} of {}: {} to {}.", published.record.step + 1, calendar.steps(),
                                query::text_of(calendar.first_day(published.record.step)),
                                query::text_of(calendar.last_day(published.record.step))));
  write_table(html, published, place);
  write_charts(html, published, place);
  html.end();
}

}  // namespace

std::string series_page(const study::PublishedStep& published) {
  const plan::SeriesPlanFacts& plan = published.record.plan;
  Html html;
  write_page_head(html, published.study.name);
  html.begin("body");
  html.begin("header");
  html.element("p", "Statistics with margins of error", {{"class", "kicker"}});
  html.element("h1", published.study.name);
  html.element("p", fmt::format("All steps together are published with epsilon {} and delta {}; of all intervals about "
                                "{} hold.",
                                rounded_up_text(plan.epsilon), rounded_up_text(plan.delta.value()),
                                text::confidence_text(nearest(plan.alpha))));
  html.end();
  html.begin("main");
  for (std::size_t i = 0; i < plan.series.size(); ++i) write_section(html, published, i);
  html.begin("section");
  html.element("h2", "What was taken for public");
  html.begin("ul");
  for (const std::string& sentence : published.record.assumptions) html.element("li", sentence);
  html.end();
  html.end();
  html.end();
  html.end();
  return std::move(html).finish();
}

}  // namespace vernier::report
