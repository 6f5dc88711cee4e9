#include "cli/coverage/coverage.hpp"

#include <utility>

#include <fmt/format.h>

#include "cli/coverage/denoise.hpp"
#include "cli/progress.hpp"
#include "vernier/coverage/population.hpp"
#include "vernier/study/catalog.hpp"
#include "vernier/study/files.hpp"

namespace vernier::cli {
namespace {

Result<void> draw(const CoverageRequest& request, const coverage::Report& report) {
  if (!request.plot) return {};
  Result<void> written = study::write_file(*request.plot, plot::render(coverage_chart(request, report)));
  if (!written) return written;
  return study::write_file(intervals_file(*request.plot), plot::render(intervals_chart(request, report)));
}

Result<std::optional<std::string>> plot_of(const Arguments& arguments, const std::vector<std::string>& swept) {
  if (!arguments.has("--plot") || swept.size() <= 1) return plot_file(arguments);
  return invalid(
      parameter("plot"),
      fmt::format("draws coverage against one number, but {} and {} both go over a range", swept[0], swept[1]),
      "give one of them a single value");
}

Result<std::string> denoise_json(const Given& given, const Progress& progress) {
  VERNIER_TRY(DenoiseRequest request, denoise_request(given));
  request.json = true;
  VERNIER_TRY(const std::vector<DenoisePoint> points, simulated(request, progress));
  Output text;
  write_denoise_report(text, request, points);
  return text.text();
}

std::vector<Option> options() {
  std::vector<Option> all = {
      {"--data", Takes::one_value, "FILE", "a CSV of public or synthetic data: it is read without any protection"},
      {"--column", Takes::one_value, "NAME", "its column of numbers; empty cells are left out"},
      {"--distribution", Takes::one_value, "NAME",
       "instead of a file: normal, skewed, two-point, constant, uniform; also two-point,share=0.02",
       coverage::population_names()},
      {"--statistic", Takes::one_value, "NAME",
       "mean (default), count, proportion, or one that SQL takes over a number, such as stddev, median or quantile; "
       "of two columns slope, correlation, covariance, or as SQL spells them",
       statistic_names()},
      {"--x", Takes::one_value, "NAME", "of a slope or a correlation: the column of x, where --column is that of y"},
      {"--x-lower", Takes::one_value, "L", "the lower bound of x"},
      {"--x-upper", Takes::one_value, "U", "the upper one"},
      {"--x-granularity", Takes::one_value, "G", "the step of the grid of x (default 1)"},
      {"--fraction", Takes::one_value, "P", "of a quantile, such as 0.9"},
      {"--covers",
       Takes::one_value,
       "NAME",
       "whose value the interval is for: that of the sample (default) or of the population",
       {"sample", "population"}},
      {"--epsilon", Takes::one_value, "E",
       "what each release costs; like the next four a number, several (0.1,0.5,1) or FIRST:LAST:POINTS"},
      {"--size", Takes::one_value, "N", "rows of a sample, drawn with replacement"},
      {"--alpha", Takes::one_value, "P", "the claimed coverage is 1 - P (default 0.05)"},
      {"--lower", Takes::one_value, "L", "values below are clamped to it; of a distribution it may be left out"},
      {"--upper", Takes::one_value, "U", "values above are clamped to it"},
      {"--granularity", Takes::one_value, "G", "the step of the grid of values (default 1 for a file)"},
      {"--delta", Takes::one_value, "D", "delta of each release (default 0)"},
      {"--simulations", Takes::one_value, "COUNT", "samples at each point (default 1000)"},
      {"--mechanism",
       Takes::one_value,
       "NAME",
       "geometric or discrete-gaussian (default: the more accurate one)",
       {"geometric", "discrete-gaussian"}},
      {"--interval", Takes::one_value, "NAME",
       "ours (default); lecture: mean ± z sigma, size public, classical sigma; lecture-analytic: least sigma",
       interval_names()},
      {"--guaranteed", Takes::nothing, "", "use the proven interval of the population if there is a choice"},
      {"--public-count", Takes::nothing, "", "of a mean: the number of rows is public, and rows are replaced"},
      {"--plot", Takes::one_value, "FILE.svg",
       "draw coverage, and in FILE-intervals.svg 100 intervals of the last point"},
  };
  for (Option& option : denoise_options()) all.push_back(std::move(option));
  return all;
}

}  // namespace

Usage coverage_usage() {
  return {
      .name = "coverage",
      .summary = "simulates how often intervals hold the true value; for public or synthetic data only",
      .synopsis =
          "vernier coverage (--data FILE --column NAME --lower L --upper U | --distribution NAME)\n"
          "                   --epsilon E --size N [--statistic NAME] [--covers sample|population] [--alpha P]\n"
          "                   [--delta D] [--simulations COUNT] [--plot FILE.svg] [--json] ...\n"
          "  vernier coverage --denoise [--epsilon E] [--dimension D] [--delta D] [--size N] [--simulations COUNT]\n"
          "                   [--plot FILE.svg] [--json]\n"
          "\n"
          "Draws samples, releases each as 'vernier release' would, and counts how many intervals hold the value of\n"
          "the sample and of the population. Nothing is protected and nothing is charged: the data must be public\n"
          "or synthetic. Exit code 1 where the claimed coverage is refuted.",
      .options = options(),
      .example =
          "  vernier coverage --distribution normal --size 500 --epsilon 0.1:1:10 --delta 1e-8\n"
          "  vernier coverage --data people.csv --column educ --lower 1 --upper 16 --size 500 --epsilon 0.1:1:10\n"
          "                   --delta 1e-8 --interval lecture --covers population --plot lecture.svg\n"
          "  vernier coverage --distribution skewed --statistic median --size 200:1500:14 --epsilon 0.5 --json\n"
          "  vernier coverage --denoise --epsilon 0.1 --plot gain.svg\n"};
}

Result<coverage::Report> simulated(const CoverageRequest& request, const Progress& progress) {
  return coverage::report_on(request.population, request.question, request.points, request.simulations, progress);
}

Result<std::string> coverage_json(const Given& given, const std::optional<CoverageValues>& own,
                                  const Progress& progress) {
  if (given.has("plot")) return invalid(parameter("plot"), "is for the command line", "draw what the answer has");
  if (given.has("denoise")) return denoise_json(given, progress);
  VERNIER_TRY(CoverageRequest request, coverage_request(given, own));
  request.json = true;
  VERNIER_TRY(const coverage::Report report, simulated(request, progress));
  Output text;
  write_report(text, request, report);
  return text.text();
}

// Nothing is printed before everything has succeeded; a refutation is told after the figures.
Result<void> run_coverage(const Arguments& arguments, Output& output) {
  if (arguments.has("--data")) {
    VERNIER_TRY(study::check_kept_for_stewards("--data"));
  }
  if (arguments.has("--denoise")) return run_coverage_denoise(arguments, output);
  VERNIER_TRY(CoverageRequest request, coverage_request(given_by(arguments)));
  VERNIER_TRY(request.plot, plot_of(arguments, request.swept));
  if (request.plot) {
    if (Result<void> is_new = study::check_new(intervals_file(*request.plot)); !is_new) return is_new;
  }
  VERNIER_TRY(const coverage::Report report, simulated(request, TerminalProgress("simulating").watching()));
  if (Result<void> drawn = draw(request, report); !drawn) return drawn;
  write_report(output, request, report);
  if (!report.refuted()) return {};
  if (Result<void> printed = output.finish(); !printed) return printed;
  return fail(ErrorKind::system, refutation(request, report));
}

}  // namespace vernier::cli
