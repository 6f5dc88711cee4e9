#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/coverage/coverage.hpp"
#include "cli/output.hpp"
#include "text/numbers.hpp"
#include "vernier/core/text.hpp"

namespace vernier::cli {
namespace {

using coverage::Found;
using coverage::Method;
using coverage::Report;

// Of the values, of a relation those of y.
const coverage::ValueGrid& grid_of(const CoverageRequest& request, const coverage::Point& point) {
  return request.question.pair ? request.question.pair->y : point.grid;
}

bool is_swept(const CoverageRequest& request, const std::string& key) {
  return std::find(request.swept.begin(), request.swept.end(), key) != request.swept.end();
}

std::string_view method_text(Method method) {
  switch (method) {
    case Method::ours:
      return "ours";
    case Method::lecture_classical:
      return "lecture";
    case Method::lecture_analytic:
      return "lecture-analytic";
  }
  return {};
}

// ---- for a person

std::string share_text(double share) { return fmt::format("{:.4f}", share); }

// The laws of all points: mostly one.
std::string laws_text(const Report& report) {
  std::vector<std::string> laws;
  for (const Found& one : report.points) {
    if (std::find(laws.begin(), laws.end(), one.law) == laws.end()) laws.push_back(one.law);
  }
  return fmt::format("{}", fmt::join(laws, " or "));
}

std::string noise_text(const Report& report) {
  const std::string laws = laws_text(report);
  return laws == "exponential" ? "ends chosen by the exponential law" : laws + " noise";
}

std::vector<std::string> stated(const CoverageRequest& request, const Report& report) {
  const coverage::Point& first = request.points.front();
  std::vector<std::string> words = {noise_text(report)};
  if (!is_swept(request, "epsilon")) words.push_back("epsilon " + shortest(first.epsilon.value()));
  words.push_back("delta " + shortest(request.question.delta.value()));
  if (!is_swept(request, "size")) words.push_back(fmt::format("samples of {} rows", text::grouped(first.size)));
  words.push_back(fmt::format("{} simulations at each point", text::grouped(report.simulations)));
  return words;
}

std::string claim_text(const CoverageRequest& request) {
  return is_swept(request, "alpha") ? "1 - alpha" : text::confidence_text(request.points.front().alpha.value());
}

Row row_of(const CoverageRequest& request, const Found& one) {
  Row row;
  for (const std::string& key : request.swept) row.push_back(shortest(value_of(one.point, key)));
  row.push_back(share_text(one.coverage));
  row.push_back(text::grouped_down(one.chance.lower, 4));
  row.push_back(text::grouped_up(one.chance.upper, 4));
  row.push_back(share_text(one.sample));
  row.push_back(share_text(one.population));
  row.push_back(nearest_text(one.width, 5));
  row.emplace_back(one.refuted ? "refuted" : "");
  return row;
}

void write_points(Output& output, const CoverageRequest& request, const Report& report) {
  std::vector<Heading> headings;
  for (const std::string& key : request.swept) headings.push_back({key, Align::right});
  for (const char* const heading : {"coverage", "from", "to", "holds sample", "holds population", "width"}) {
    headings.push_back({heading, Align::right});
  }
  headings.push_back({"", Align::left});
  std::vector<Row> rows;
  for (const Found& one : report.points) rows.push_back(row_of(request, one));
  write_aligned(output, headings, rows);
}

void write_text(Output& output, const CoverageRequest& request, const Report& report) {
  output.write(fmt::format("{}\n{}\nclaim: {} of the intervals ({}) hold the value of the {}\n\n",
                           subject_text(request), fmt::join(stated(request, report), ", "), claim_text(request),
                           method_text(request.question.method), covered_text(request)));
  write_points(output, request, report);
  output.write(
      "\nfrom, to: what the coverage can be by these simulations, 95 % certain at each point (Clopper-Pearson)\n");
  if (report.refuted()) return;
  output.write(
      "The claim stands: coverage is refuted at no point, at a false-alarm rate of 1e-6 for all points together.\n");
}

// ---- for programs

void write_point(JsonWriter& json, const CoverageRequest& request, const Found& one) {
  json.begin_object();
  json.member("epsilon", one.point.epsilon.value());
  json.member("size", one.point.size);
  json.member("alpha", one.point.alpha.value());
  json.member("lower", grid_of(request, one.point).lower());
  json.member("upper", grid_of(request, one.point).upper());
  json.member("mechanism", std::string_view(one.law));
  json.member("coverage", one.coverage);
  json.member("low", one.chance.lower);
  json.member("high", one.chance.upper);
  json.member("holds_sample", one.sample);
  json.member("holds_population", one.population);
  json.member("width", one.width);
  json.key("refuted");
  json.boolean(one.refuted);
  json.end_object();
}

// The first intervals of the last point, each with what it is to hold.
void write_intervals(JsonWriter& json, const std::vector<coverage::Shown>& shown) {
  json.key("intervals");
  json.begin_array();
  for (const coverage::Shown& one : shown) {
    json.begin_object();
    json.member("low", one.interval.low);
    json.member("high", one.interval.high);
    json.member("truth", one.truth);
    json.key("holds");
    json.boolean(one.held);
    json.end_object();
  }
  json.end_array();
}

void write_json(Output& output, const CoverageRequest& request, const Report& report) {
  JsonWriter json(output);
  json.begin_object();
  json.member("statistic", std::string_view(request.statistic));
  json.member("covers", covered_text(request));
  json.member("interval", method_text(request.question.method));
  json.member("delta", request.question.delta.value());
  json.member("granularity", grid_of(request, request.points.front()).granularity());
  json.member("population", request.population.size());
  json.member("simulations", report.simulations);
  json.member("false_alarm", coverage::false_refutation);
  json.key("points");
  json.begin_array();
  for (const Found& one : report.points) write_point(json, request, one);
  json.end_array();
  write_intervals(json, report.points.back().shown);
  json.key("refuted");
  json.boolean(report.refuted());
  json.end_object();
  output.write("\n");
}

}  // namespace

std::string subject_text(const CoverageRequest& request) {
  const coverage::ValueGrid& grid = grid_of(request, request.points.front());
  const bool has_one_grid = !is_swept(request, "lower") && !is_swept(request, "upper");
  const std::string bounds =
      has_one_grid ? fmt::format(", bounded to [{}, {}]", shortest(grid.lower()), shortest(grid.upper())) : "";
  const std::string name = request.statistic == "quantile"
                               ? fmt::format("quantile {}", query::text_of(request.question.fraction))
                               : request.statistic;
  return fmt::format("{} of {}{}", name, request.origin, bounds);
}

std::string_view covered_text(const CoverageRequest& request) {
  return request.question.covers == interval::Covers::population ? "population" : "sample";
}

std::string refutation(const CoverageRequest& request, const Report& report) {
  const auto is_refuted = [](const Found& one) { return one.refuted; };
  const auto count = std::count_if(report.points.begin(), report.points.end(), is_refuted);
  const Found& first = *std::find_if(report.points.begin(), report.points.end(), is_refuted);
  std::string where;
  for (const std::string& key : request.swept)
    where += fmt::format(" {} {}", key, shortest(value_of(first.point, key)));
  const std::string at = where.empty()
                             ? std::string()
                             : fmt::format(" at {} of {} points, first at{}", count, report.points.size(), where);
  return fmt::format(
      "the claim that {} of the intervals hold the value of the {} is refuted{}: {:.4f} of {} did, and chance explains "
      "that in one of a million runs at most",
      text::confidence_text(first.point.alpha.value()), covered_text(request), at, first.coverage,
      text::grouped(report.simulations));
}

void write_report(Output& output, const CoverageRequest& request, const Report& report) {
  request.json ? write_json(output, request, report) : write_text(output, request, report);
}

}  // namespace vernier::cli
