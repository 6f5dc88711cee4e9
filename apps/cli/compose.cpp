#include "cli/compose.hpp"

#include "cli/chart_json.hpp"
#include "cli/compose_answer.hpp"
#include "cli/compose_json.hpp"
#include "cli/compose_plot.hpp"
#include "cli/compose_report.hpp"
#include "cli/compose_request.hpp"
#include "cli/file.hpp"
#include "cli/neighbours.hpp"

namespace vernier::cli {
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
    return write_file(*request.plot, plot::render(chart));
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
