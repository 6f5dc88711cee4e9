#include "cli/compose/report.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/compose/event.hpp"
#include "cli/output.hpp"
#include "vernier/core/text.hpp"

namespace vernier::cli {
namespace {

using accounting::Guarantee;

void write_bounds(JsonWriter& json, std::string_view name, const Guarantee& found) {
  json.key(name);
  json.begin_object();
  json.member("upper", found.bounds.upper);
  json.member("lower", found.bounds.lower);
  json.end_object();
}

// The number that was asked about as it was written, or what was found.
void write_figure(JsonWriter& json, std::string_view name, const std::optional<Decimal>& asked,
                  const std::optional<Guarantee>& found) {
  if (asked) return json.member(name, asked->nearest);
  write_bounds(json, name, *found);
}

void write_guarantee(JsonWriter& json, const ComposeAnswer& answer) {
  json.key("guarantee");
  json.begin_object();
  write_bounds(json, "epsilon", *answer.epsilon);
  write_bounds(json, "delta", *answer.delta);
  json.end_object();
}

void write_methods(JsonWriter& json, const ComposeAnswer& answer) {
  json.key("methods");
  json.begin_object();
  for (const accounting::MethodFigure& figure : answer.methods) {
    json.member(accounting::name_of(figure.method), figure.upper);
  }
  json.end_object();
}

void write_decimal(JsonWriter& json, std::string_view name, const std::optional<Decimal>& written) {
  if (written) json.member(name, written->nearest);
}

void write_event(JsonWriter& json, const StatedEvent& event, const std::optional<double>& found) {
  json.begin_object();
  json.member("mechanism", name_of(event.kind));
  if (event.noise) json.member("noise", *event.noise);
  if (event.is_open()) json.member("scale", *found);
  write_decimal(json, "scale", event.scale);
  write_decimal(json, "sensitivity", event.sensitivity);
  write_decimal(json, "sampling", event.sampling);
  write_decimal(json, "epsilon", event.epsilon);
  write_decimal(json, "delta", event.delta);
  write_decimal(json, "rho", event.rho);
  if (event.threshold) json.member("threshold", *event.threshold);
  if (event.groups) json.member("groups", *event.groups);
  json.member("times", event.times.value());
  json.end_object();
}

void write_events(JsonWriter& json, const ComposeRequest& request, const ComposeAnswer& answer) {
  json.key("events");
  json.begin_array();
  for (const StatedEvent& event : request.events) write_event(json, event, answer.scale);
  json.end_array();
}

}  // namespace

void write_json(Output& output, const ComposeRequest& request, const ComposeAnswer& answer) {
  JsonWriter json(output);
  json.begin_object();
  if (answer.scale) json.member("scale", *answer.scale);
  write_figure(json, "epsilon", request.epsilon, answer.epsilon);
  write_figure(json, "delta", request.delta, answer.delta);
  if (answer.scale) write_guarantee(json, answer);
  json.member("method", accounting::name_of(answer.figure().method));
  if (answer.why_apart) json.member("why_apart", *answer.why_apart);
  json.member("neighbours", name_of(request.events.front().neighbours));
  write_methods(json, answer);
  write_events(json, request, answer);
  json.end_object();
  output.write("\n");
}

namespace {

using accounting::MethodFigure;

constexpr std::size_t most_events_shown = 10;
constexpr int digits = 9;  // of what was found; more than the two ends have in common

std::string times_text(std::int64_t times) { return times == 1 ? "once" : fmt::format("{} times", times); }

// "scale 20, sensitivity 1, 100 times"
std::string event_text(const StatedEvent& event) {
  std::vector<std::string> parts;
  const auto add = [&](std::string_view name, const std::optional<Decimal>& value) {
    if (value) parts.push_back(fmt::format("{} {}", name, text_of(value->nearest)));
  };
  if (event.noise) parts.push_back(fmt::format("{} noise", *event.noise));
  if (event.is_open()) parts.emplace_back("the scale found");
  add("scale", event.scale);
  add("sensitivity", event.sensitivity);
  add("epsilon", event.epsilon);
  add("delta", event.delta);
  add("rho", event.rho);
  if (event.threshold) parts.push_back(fmt::format("threshold {}", *event.threshold));
  if (event.groups) parts.push_back(fmt::format("groups {}", *event.groups));
  add("sampling", event.sampling);
  parts.push_back(times_text(event.times.value()));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::vector<Line> event_lines(const std::vector<StatedEvent>& events) {
  std::vector<Line> lines;
  for (std::size_t i = 0; i < std::min(events.size(), most_events_shown); ++i) {
    const std::string name = events.size() == 1 ? "event" : fmt::format("event {}", i + 1);
    lines.push_back({name, std::string(name_of(events[i].kind)), event_text(events[i])});
  }
  if (events.size() > most_events_shown) {
    lines.push_back({"more events", text_of(static_cast<std::int64_t>(events.size() - most_events_shown)), ""});
  }
  return lines;
}

std::int64_t releases(const std::vector<StatedEvent>& events) {
  std::int64_t total = 0;
  for (const StatedEvent& event : events) total += event.times.value();
  return total;
}

Line neighbours_line(privacy::Neighbours neighbours) {
  const bool replace = neighbours == privacy::Neighbours::replace;
  return {"neighbours", std::string(name_of(neighbours)),
          replace ? "data sets that differ in the content of one person, or other unit"
                  : "data sets that differ in the presence of one person, or other unit"};
}

// How far the ends are apart, as a share of the upper one.
std::string gap_text(Bounds bounds) {
  if (bounds.upper == bounds.lower) return "0 %";
  const double share = 100 * (bounds.upper - bounds.lower) / bounds.upper;
  return rounded_up_text(share, share < 99 ? 2 : 3) + " %";
}

std::vector<Line> found_lines(const std::string& name, const std::string& upper_name, const Guarantee& found) {
  return {{upper_name, rounded_up_text(found.bounds.upper, digits), "found, rounded up"},
          {name + ", at least", rounded_down_text(found.bounds.lower, digits),
           "the exact figure of the worst such releases lies between"},
          {"gap", gap_text(found.bounds), fmt::format("between the two, of {}", name)},
          {"method", std::string(accounting::name_of(found.method)), "by which it is proven"}};
}

Line stated_line(const char* name, const Decimal& stated) { return {name, text_of(stated.nearest), "as stated"}; }

std::vector<Line> answer_lines(const ComposeRequest& request, const ComposeAnswer& answer) {
  std::vector<Line> lines;
  const auto append = [&](const std::vector<Line>& more) { lines.insert(lines.end(), more.begin(), more.end()); };
  if (answer.scale) {
    lines.push_back({"scale", text_of(*answer.scale), "found, rounded up: the least that meets the budget"});
    lines.push_back(stated_line("epsilon", *request.epsilon));
    lines.push_back(stated_line("delta", *request.delta));
    append(found_lines("delta", "delta, at most", *answer.delta));
  } else if (request.delta) {
    lines.push_back(stated_line("delta", *request.delta));
    append(found_lines("epsilon", "epsilon", *answer.epsilon));
  } else {
    lines.push_back(stated_line("epsilon", *request.epsilon));
    append(found_lines("delta", "delta", *answer.delta));
  }
  return lines;
}

// "the best", to the digits shown; "12 % more", "3.4 times as much"
std::string excess_text(double value, double best) {
  if (rounded_up_text(value) == rounded_up_text(best)) return "the best";
  if (!(best > 0)) return "";
  const double ratio = value / best;
  if (ratio < 2) return nearest_text(100 * (ratio - 1), 3) + " % more";
  return nearest_text(ratio, 3) + " times as much";
}

std::vector<Line> method_lines(const ComposeAnswer& answer) {
  const double best = answer.figure().bounds.upper;
  std::vector<Line> lines;
  for (const MethodFigure& figure : answer.methods) {
    const std::string name(accounting::name_of(figure.method));
    if (figure.upper) {
      lines.push_back({name, rounded_up_text(*figure.upper), excess_text(*figure.upper, best)});
    } else {
      lines.push_back({name, "-", "says nothing"});
    }
  }
  return lines;
}

std::string sentence(const ComposeRequest& request, const ComposeAnswer& answer) {
  const std::int64_t count = releases(request.events);
  const std::string subject = count == 1 ? "The release has" : fmt::format("The {} releases together have", count);
  const std::string epsilon =
      request.epsilon ? text_of(request.epsilon->nearest) : rounded_up_text(answer.epsilon->bounds.upper, digits);
  const std::string delta =
      request.delta ? text_of(request.delta->nearest) : rounded_up_text(answer.delta->bounds.upper, digits);
  return fmt::format("{} epsilon {} at delta {}.", subject, epsilon, delta);
}

void write_for_person(Output& output, const ComposeRequest& request, const ComposeAnswer& answer) {
  std::vector<Line> lines = event_lines(request.events);
  lines.push_back(neighbours_line(request.events.front().neighbours));
  for (Line& line : answer_lines(request, answer)) lines.push_back(std::move(line));
  write_lines(output, lines);
  output.write(fmt::format("\nWhat each method proves of {}, rounded up:\n", answer.epsilon ? "epsilon" : "delta"));
  write_lines(output, method_lines(answer));
  output.write(fmt::format("\n{}\n", sentence(request, answer)));
  if (answer.why_apart) output.write(fmt::format("The ends are more than 0.1 % apart. {}\n", *answer.why_apart));
  if (request.plot) output.write(fmt::format("Delta against epsilon is drawn in {}\n", *request.plot));
}

}  // namespace

void write_report(Output& output, const ComposeRequest& request, const ComposeAnswer& answer) {
  request.json ? write_json(output, request, answer) : write_for_person(output, request, answer);
}

}  // namespace vernier::cli
