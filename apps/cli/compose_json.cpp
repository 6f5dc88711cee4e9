#include "cli/compose_json.hpp"

#include <string_view>

#include "cli/json.hpp"
#include "cli/neighbours.hpp"

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

}  // namespace vernier::cli
