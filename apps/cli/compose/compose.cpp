#include "cli/compose/compose.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "cli/arguments.hpp"
#include "cli/chart_json.hpp"
#include "cli/compose/event.hpp"
#include "cli/compose/report.hpp"
#include "vernier/study/files.hpp"

namespace vernier::cli {
namespace {

// The events read so far, under one neighbour relation unless one states its own.
class Reader {
 public:
  explicit Reader(privacy::Neighbours neighbours) : neighbours_(neighbours) {}

  Result<void> read(const std::string& place, std::string_view text) {
    if (events_.size() == most_events) {
      return invalid(
          fmt::format("{}: there are more than {} events; write equal ones as one with times=", place, most_events));
    }
    const Result<StatedEvent> event = read_event(text, neighbours_);
    if (!event) return fail(event.error().kind, fmt::format("{}: {}", place, event.error().sentence));
    events_.push_back(*event);
    return {};
  }

  Result<void> read_lines(const std::string& path, std::string_view content) {
    for (std::size_t number = 1; !content.empty(); ++number) {
      const std::size_t end = content.find('\n');
      const std::string_view line = content.substr(0, end);
      content = end == std::string_view::npos ? std::string_view() : content.substr(end + 1);
      const std::string_view text = line.substr(0, line.find('#'));
      if (text.find_first_not_of(" \t\r") == std::string_view::npos) continue;
      if (Result<void> done = read(fmt::format("in line {} of '{}'", number, path), text); !done) return done;
    }
    return {};
  }

  std::vector<StatedEvent> take() { return std::move(events_); }

 private:
  privacy::Neighbours neighbours_;
  std::vector<StatedEvent> events_;
};

Result<void> read_options(Reader& reader, const Arguments& arguments) {
  if (!arguments.has("--event")) return {};
  for (const std::string& text : arguments.all("--event")) {
    if (Result<void> done = reader.read(fmt::format("in the event '{}'", text), text); !done) return done;
  }
  return {};
}

Result<void> read_events_file(Reader& reader, const Arguments& arguments) {
  if (!arguments.has("--events")) return {};
  const std::string& path = arguments.one("--events");
  return study::read_file(path).and_then([&](const std::string& content) { return reader.read_lines(path, content); });
}

}  // namespace

Result<std::vector<StatedEvent>> events_of(const Arguments& arguments, privacy::Neighbours neighbours) {
  Reader reader(neighbours);
  VERNIER_TRY(read_options(reader, arguments).and_then([&] { return read_events_file(reader, arguments); }));
  std::vector<StatedEvent> events = reader.take();
  if (events.empty()) return invalid("there is no event; give one, for example as --event laplace,scale=20");
  return events;
}

namespace {

using accounting::Tightness;
using privacy::Delta;
using privacy::Epsilon;
using privacy::Neighbours;

Result<Neighbours> neighbours_of(const Arguments& arguments) {
  if (!arguments.has("--neighbours")) return Neighbours::add_remove;
  return neighbours_named("--neighbours", arguments.one("--neighbours"));
}

Result<Tightness> tightness_of(const Arguments& arguments) {
  if (!arguments.has("--tightness")) return Tightness::usual();
  return read_decimal("--tightness", arguments.one("--tightness")).and_then(rounded_down<Tightness>);
}

// A number that the library takes as `Parameter`, as it was written.
template <class Parameter>
Result<std::optional<Decimal>> stated(const Arguments& arguments, const char* option) {
  if (!arguments.has(option)) return std::nullopt;
  VERNIER_TRY(const Decimal written, read_decimal(option, arguments.one(option)));
  return rounded_down<Parameter>(written).map([&](Parameter) { return std::optional(written); });
}

Result<void> check_what_is_asked(const Arguments& arguments) {
  const bool delta = arguments.has("--delta"), epsilon = arguments.has("--epsilon");
  if (arguments.has("--solve")) {
    if (arguments.one("--solve") != "scale") {
      return invalid(
          fmt::format("--solve finds a scale only, but it is '{}'; write --solve scale", arguments.one("--solve")));
    }
    if (delta && epsilon) return {};
    return invalid(
        fmt::format("--solve scale needs both --epsilon and --delta, but {} is missing", epsilon ? "--delta"
                                                                                         : delta ? "--epsilon"
                                                                                                 : "each of them"));
  }
  if (!delta && !epsilon) {
    return invalid("nothing is asked; give --delta to learn epsilon, or --epsilon to learn delta");
  }
  if (!delta || !epsilon) return {};
  return invalid(
      "--epsilon and --delta together leave nothing to find; leave one of them out, or leave scale= out of an event "
      "and "
      "add --solve scale");
}

// A scale may be missing only where it is to be found, and then one must be.
Result<void> check_scales(const std::vector<StatedEvent>& events, bool solves) {
  const auto open =
      std::find_if(events.begin(), events.end(), [](const StatedEvent& event) { return event.is_open(); });
  if (solves && open == events.end()) {
    return invalid(
        "--solve scale has nothing to find, since every event states its own; leave scale= out of those "
        "events that shall share one");
  }
  if (solves || open == events.end()) return {};
  return invalid(
      fmt::format("an event has no scale; write it, for example as {},scale=20, or let it be found by --solve "
                  "scale with --epsilon and --delta",
                  name_of(open->kind)));
}

}  // namespace

Result<ComposeRequest> compose_request(const Arguments& arguments) {
  VERNIER_TRY(const Neighbours neighbours, neighbours_of(arguments));
  VERNIER_TRY(std::vector<StatedEvent> events, events_of(arguments, neighbours));
  VERNIER_TRY(check_what_is_asked(arguments));
  VERNIER_TRY(check_scales(events, arguments.has("--solve")));
  VERNIER_TRY(const std::optional<Decimal> epsilon, stated<Epsilon>(arguments, "--epsilon"));
  VERNIER_TRY(const std::optional<Decimal> delta, stated<Delta>(arguments, "--delta"));
  VERNIER_TRY(const Tightness tightness, tightness_of(arguments));
  VERNIER_TRY(const std::optional<std::string> plot, plot_file(arguments));
  return ComposeRequest{std::move(events), epsilon, delta, tightness, plot, arguments.has("--json")};
}

namespace {

// A figure that cannot be certified was asked for: other words would get an answer, so it counts as wrong usage.
Error blame_question(Error error) {
  if (error.kind == ErrorKind::exhausted) error.kind = ErrorKind::invalid;
  return error;
}

// The question that the words ask, with its answer.
template <class Tell>
Result<std::string> told(const std::vector<std::string>& words, const Tell& tell) {
  VERNIER_TRY(const ComposeRequest request, parse(compose_usage(), words).and_then(compose_request));
  const Result<ComposeAnswer> answer = answer_to(request);
  if (!answer) return Failure(blame_question(answer.error()));
  return tell(request, *answer);
}

Result<void> draw(const ComposeRequest& request, const ComposeAnswer& answer) {
  if (!request.plot) return {};
  return compose_chart(request, answer).and_then([&](const plot::Chart& chart) {
    return study::write_file(*request.plot, plot::render(chart));
  });
}

}  // namespace

Usage compose_usage() {
  return {
      .name = "compose",
      .summary = "what many releases cost together, from above and from below",
      .synopsis =
          "vernier compose --event EVENT [--event EVENT ...] (--delta D | --epsilon E)\n"
          "                  [--events FILE] [--neighbours NAME] [--tightness R] [--json] [--plot FILE.svg]\n"
          "  vernier compose --event EVENT [--event EVENT ...] --epsilon E --delta D --solve scale\n"
          "\n"
          "An event is its kind, then keys with values:\n"
          "  laplace,scale=S               also geometric (or discrete-laplace), gaussian and discrete-gaussian;\n"
          "                                with sensitivity=X (1 unless given), sampling=Q for a Poisson sample\n"
          "  pure,epsilon=E                a release that is only known by its guarantee; likewise\n"
          "  approximate,epsilon=E,delta=D\n"
          "  zcdp,rho=R\n"
          "  key-selection,noise=geometric,scale=S,threshold=T,groups=G\n"
          "  Every event takes times=N and neighbours=add-remove or replace.",
      .options = {{"--event", Takes::several_values, "EVENT", "a release; give as many as there are", event_names()},
                  {"--events", Takes::one_value, "FILE", "more events from a file, one a line; # begins a comment"},
                  {"--delta", Takes::one_value, "D", "gives the least epsilon at this delta"},
                  {"--epsilon", Takes::one_value, "E", "gives the least delta at this epsilon"},
                  {"--solve",
                   Takes::one_value,
                   "scale",
                   "the least common scale of the events without one that meets --epsilon and --delta",
                   {"scale"}},
                  {"--neighbours", Takes::one_value, "NAME",
                   "of all events that do not state them: add-remove (unless given) or replace", neighbour_names()},
                  {"--tightness", Takes::one_value, "R",
                   "how far apart the two ends may be, relative to epsilon; 1e-5 unless given"},
                  {"--plot", Takes::one_value, "FILE.svg", "draw delta against epsilon around the answer"}},
      .example =
          "  vernier compose --event laplace,scale=20,times=100 --delta 1e-6\n"
          "  vernier compose --event gaussian,scale=1,sampling=0.01,times=10000 --delta 1e-6 --plot curve.svg\n"
          "  vernier compose --event zcdp,rho=2.56 --event zcdp,rho=0.07 --delta 1e-10\n"
          "  vernier compose --event laplace,times=20 --epsilon 1 --delta 1e-4 --solve scale\n"};
}

// Nothing is printed before everything has succeeded.
Result<void> run_compose(const Arguments& arguments, Output& output) {
  VERNIER_TRY(const ComposeRequest request, compose_request(arguments));
  const Result<ComposeAnswer> answer = answer_to(request);
  if (!answer) return Failure(blame_question(answer.error()));
  if (Result<void> drawn = draw(request, *answer); !drawn) return drawn;
  write_report(output, request, *answer);
  return {};
}

Result<std::string> compose_json(const std::vector<std::string>& words) {
  return told(words, [](const ComposeRequest& request, const ComposeAnswer& answer) -> Result<std::string> {
    Output text;
    write_json(text, request, answer);
    return text.text();
  });
}

Result<std::string> compose_chart_json(const std::vector<std::string>& words) {
  return told(words, [](const ComposeRequest& request, const ComposeAnswer& answer) {
    return compose_chart(request, answer).map(chart_json);
  });
}

}  // namespace vernier::cli
