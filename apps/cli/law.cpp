#include "cli/law.hpp"

#include <cstddef>
#include <variant>

#include "cli/draws.hpp"
#include "cli/file.hpp"
#include "cli/law_plot.hpp"
#include "cli/law_report.hpp"
#include "cli/law_request.hpp"

namespace vernier::cli {
namespace {

// How many values have to be drawn: those to print, those to plot, or none.
std::size_t draws_needed(const LawRequest& request) {
  if (const auto* sample = std::get_if<SampleRequest>(&request.wanted)) return sample->size;
  return request.plot ? plotted_draws : 0;
}

Result<void> write_plot(const LawRequest& request, const Draws& draws) {
  return law_chart(request.law, draws).and_then([&](const plot::Chart& chart) {
    return write_file(*request.plot, plot::render(chart));
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
