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
    if (!event) return Failure(after(place + ": ", event.error()));
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

Result<void> read_stated(Reader& reader, const Given& given) {
  if (!given.has("event")) return {};
  for (const std::string& text : given.all("event")) {
    if (Result<void> done = reader.read(fmt::format("in the event '{}'", text), text); !done) return done;
  }
  return {};
}

Result<void> read_events_files(Reader& reader, const Given& given) {
  if (!given.has("events")) return {};
  for (const std::string& path : given.all("events")) {
    VERNIER_TRY(const std::string content, study::read_file(path));
    VERNIER_TRY(reader.read_lines(path, content));
  }
  return {};
}

}  // namespace

Result<std::vector<StatedEvent>> events_of(const Given& given, privacy::Neighbours neighbours) {
  Reader reader(neighbours);
  VERNIER_TRY(read_stated(reader, given));
  VERNIER_TRY(read_events_files(reader, given));
  std::vector<StatedEvent> events = reader.take();
  if (events.empty())
    return invalid("there is no event", "give one, for example as " + parameter("event", "laplace,scale=20"));
  return events;
}

namespace {

using accounting::Tightness;
using privacy::Delta;
using privacy::Epsilon;
using privacy::Neighbours;

Result<Neighbours> neighbours_of(const Given& given) {
  if (!given.has("neighbours")) return Neighbours::add_remove;
  return neighbours_named(parameter("neighbours"), given.one("neighbours"));
}

Result<Tightness> tightness_of(const Given& given) {
  if (!given.has("tightness")) return Tightness::usual();
  return read_decimal(parameter("tightness"), given.one("tightness")).and_then(rounded_down<Tightness>);
}

// A number that the library takes as `Parameter`, as it was written.
template <class Parameter>
Result<std::optional<Decimal>> stated(const Given& given, std::string_view name) {
  if (!given.has(name)) return std::nullopt;
  VERNIER_TRY(const Decimal written, read_decimal(parameter(name), given.one(name)));
  return rounded_down<Parameter>(written).map([&](Parameter) { return std::optional(written); });
}

Result<void> check_what_is_asked(const Given& given) {
  const bool delta = given.has("delta"), epsilon = given.has("epsilon");
  if (given.has("solve")) {
    if (given.one("solve") != "scale") {
      return invalid(parameter("solve"), fmt::format("finds a scale only, but it is '{}'", given.one("solve")),
                     "write " + parameter("solve", "scale"));
    }
    if (delta && epsilon) return {};
    const std::string missing = epsilon ? parameter("delta") : delta ? parameter("epsilon") : "each of them";
    return invalid(
        parameter("solve", "scale"),
        fmt::format("needs both {} and {}, but {} is missing", parameter("epsilon"), parameter("delta"), missing), "");
  }
  if (!delta && !epsilon) {
    return invalid("nothing is asked", fmt::format("give {} to learn epsilon, or {} to learn delta", parameter("delta"),
                                                   parameter("epsilon")));
  }
  if (!delta || !epsilon) return {};
  return invalid(parameter("epsilon") + " and " + parameter("delta"), "together leave nothing to find",
                 "leave one of them out, or leave scale= out of an event and add " + parameter("solve", "scale"));
}

// A scale may be missing only where it is to be found, and then one must be.
Result<void> check_scales(const std::vector<StatedEvent>& events, bool solves) {
  const auto open =
      std::find_if(events.begin(), events.end(), [](const StatedEvent& event) { return event.is_open(); });
  if (solves && open == events.end()) {
    return invalid(parameter("solve", "scale"), "has nothing to find, since every event states its own",
                   "leave scale= out of those events that shall share one");
  }
  if (solves || open == events.end()) return {};
  return invalid(
      "an event has no scale",
      fmt::format("write it, for example as {},scale=20, or let it be found by {} with {} and {}", name_of(open->kind),
                  parameter("solve", "scale"), parameter("epsilon"), parameter("delta")));
}

}  // namespace

Result<ComposeRequest> compose_request(const Given& given) {
  VERNIER_TRY(const Neighbours neighbours, neighbours_of(given));
  VERNIER_TRY(std::vector<StatedEvent> events, events_of(given, neighbours));
  VERNIER_TRY(check_what_is_asked(given));
  VERNIER_TRY(check_scales(events, given.has("solve")));
  VERNIER_TRY(const std::optional<Decimal> epsilon, stated<Epsilon>(given, "epsilon"));
  VERNIER_TRY(const std::optional<Decimal> delta, stated<Delta>(given, "delta"));
  VERNIER_TRY(const Tightness tightness, tightness_of(given));
  return ComposeRequest{std::move(events), epsilon, delta, tightness, {}, given.has("json")};
}

Result<ComposeRequest> compose_request(const Arguments& arguments) {
  VERNIER_TRY(ComposeRequest request, compose_request(given_by(arguments)));
  VERNIER_TRY(request.plot, plot_file(arguments));
  return request;
}

namespace {

// A figure that cannot be certified was asked for: other words would get an answer, so it counts as wrong usage.
Error blame_question(Error error) {
  if (error.kind == ErrorKind::exhausted) error.kind = ErrorKind::invalid;
  return error;
}

// The question that is asked, with its answer.
template <class Tell>
Result<std::string> told(const Given& given, const Tell& tell) {
  VERNIER_TRY(const ComposeRequest request, compose_request(given));
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
          "                                with sensitivity=X (default 1), sampling=Q for a Poisson sample\n"
          "  pure,epsilon=E                a release known only by its guarantee, as the next two are\n"
          "  approximate,epsilon=E,delta=D\n"
          "  zcdp,rho=R\n"
          "  choice,epsilon=E\n"
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
                   "neighbouring data sets of events that do not say: add-remove (default) or replace",
                   neighbour_names()},
                  {"--tightness", Takes::one_value, "R",
                   "how far apart the two ends may be, relative to epsilon (default 1e-5)"},
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

Result<std::string> compose_json(const Given& given) {
  return told(given, [](const ComposeRequest& request, const ComposeAnswer& answer) -> Result<std::string> {
    Output text;
    write_json(text, request, answer);
    return text.text();
  });
}

Result<std::string> compose_chart_json(const Given& given) {
  return told(given, [](const ComposeRequest& request, const ComposeAnswer& answer) {
    return compose_chart(request, answer).map(chart_json);
  });
}

}  // namespace vernier::cli
