#include "cli/law/law.hpp"

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/decimal.hpp"
#include "vernier/core/text.hpp"
#include "vernier/study/files.hpp"

namespace vernier::cli {
namespace {

using Wanted = decltype(LawRequest::wanted);

constexpr std::array<std::pair<std::string_view, LawFunction>, 4> figure_options = {{
    {"--density", LawFunction::density},
    {"--cumulative", LawFunction::cumulative},
    {"--tail", LawFunction::tail},
    {"--quantile", LawFunction::quantile},
}};

Result<noise::AnyLaw> law_of(const Arguments& arguments) {
  if (arguments.subject.empty()) {
    return invalid("the mechanism is missing; give laplace, geometric, gaussian or discrete-gaussian");
  }
  if (!arguments.has("--scale")) return invalid("the scale is missing; give it, for example as --scale 10");
  return read_number("--scale", arguments.one("--scale")).and_then([&](double scale) {
    return noise::law_named(arguments.subject, scale);
  });
}

Result<Wanted> figures(const noise::AnyLaw& law, LawFunction function, std::string_view option,
                       std::span<const std::string> texts) {
  FiguresRequest request{function, {}};
  for (const std::string& text : texts) {
    VERNIER_TRY(LawFigure figure, law_figure(law, function, option, text));
    request.figures.push_back(figure);
  }
  return request;
}

Result<Wanted> sample(std::string_view text) {
  VERNIER_TRY(const std::int64_t size, read_whole("--sample", text));
  if (size < 1) return invalid(fmt::format("--sample must be at least 1, but it is {}", size));
  if (static_cast<std::size_t>(size) > most_draws) {
    return invalid(
        fmt::format("--sample must be at most {}, but it is {}; draw more in several runs", most_draws, size));
  }
  return SampleRequest{static_cast<std::size_t>(size)};
}

// The functions that the user names, in the order of the help.
std::vector<std::string_view> asked_of(const Arguments& arguments) {
  std::vector<std::string_view> asked;
  for (const auto& [option, function] : figure_options) {
    if (arguments.has(option)) asked.push_back(option);
  }
  if (arguments.has("--sample")) asked.emplace_back("--sample");
  return asked;
}

Result<Wanted> wanted_of(const Arguments& arguments, const noise::AnyLaw& law) {
  const std::vector<std::string_view> asked = asked_of(arguments);
  if (asked.size() > 1) {
    return invalid(
        fmt::format("{} and {} cannot be asked together; run the command once for each", asked[0], asked[1]));
  }
  if (asked.empty() && arguments.has("--plot")) return PlotRequest{};
  if (asked.empty()) {
    return invalid("nothing is asked; give one of --density, --cumulative, --tail, --quantile, --sample or --plot");
  }
  for (const auto& [option, function] : figure_options) {
    if (option == asked[0]) return figures(law, function, option, arguments.all(option));
  }
  return sample(arguments.one("--sample"));
}

}  // namespace

Result<LawRequest> law_request(const Arguments& arguments) {
  VERNIER_TRY(const noise::AnyLaw law, law_of(arguments));
  VERNIER_TRY(Wanted wanted, wanted_of(arguments, law));
  VERNIER_TRY(const std::optional<std::string> plot, plot_file(arguments));
  return LawRequest{law, std::move(wanted), plot, arguments.has("--json")};
}

namespace {

// How many values have to be drawn: those to print, those to plot, or none.
std::size_t draws_needed(const LawRequest& request) {
  if (const auto* sample = std::get_if<SampleRequest>(&request.wanted)) return sample->size;
  return request.plot ? plotted_draws : 0;
}

Result<void> write_plot(const LawRequest& request, const Draws& draws) {
  return law_chart(request.law, draws).and_then([&](const plot::Chart& chart) {
    return study::write_file(*request.plot, plot::render(chart));
  });
}

}  // namespace

Usage law_usage() {
  return {
      .name = "law",
      .summary = "densities, probabilities, quantiles and draws of a law of noise",
      .synopsis =
          "vernier law MECHANISM --scale S (--density X | --cumulative X | --tail X | --quantile P | --sample N)\n"
          "              [--plot FILE.svg] [--json]",
      .subject = "MECHANISM",
      .subject_help = "laplace, geometric (also discrete-laplace), gaussian or discrete-gaussian",
      .subject_choices = noise::law_names(),
      .options = {{"--scale", Takes::one_value, "S", "the scale of the noise; for the Gaussian its standard deviation"},
                  {"--density", Takes::several_values, "X...", "the density at X; for whole-number noise P[noise = X]"},
                  {"--cumulative", Takes::several_values, "X...", "P[noise <= X]"},
                  {"--tail", Takes::several_values, "X...", "P[noise > X]"},
                  {"--quantile", Takes::several_values, "P...", "the least x with P[noise <= x] >= P"},
                  {"--sample", Takes::one_value, "N", "N independent draws, one per line; at most 10,000,000"},
                  {"--plot", Takes::one_value, "FILE.svg", "draw the law over N draws (100,000 without --sample)"}},
      .example =
          "  vernier law geometric --scale 10 --tail 30\n"
          "  vernier law gaussian --scale 1 --quantile 0.025 0.5 0.975 --json\n"
          "  vernier law discrete-gaussian --scale 20.3 --plot law.svg\n"};
}

// Nothing is printed before everything has succeeded.
Result<void> run_law(const Arguments& arguments, Output& output) {
  VERNIER_TRY(const LawRequest request, law_request(arguments));
  const std::size_t needed = draws_needed(request);
  VERNIER_TRY(const Draws draws, needed == 0 ? Draws{} : draw(request.law, needed));
  if (request.plot) {
    if (Result<void> written = write_plot(request, draws); !written) return written;
  }
  write_report(output, request, draws);
  return {};
}

}  // namespace vernier::cli
