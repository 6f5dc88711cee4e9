#include <vector>

#include "cli/calibrate/question.hpp"
#include "cli/calibrate/report.hpp"
#include "cli/commands.hpp"
#include "vernier/noise/any_law.hpp"
#include "vernier/study/files.hpp"

namespace vernier::cli {

Usage calibrate_usage() {
  return {
      .name = "calibrate",
      .summary = "from a budget to the accuracy of a release, and back",
      .synopsis =
          "vernier calibrate MECHANISM (--epsilon E | --scale S | --accuracy A | --scale S --epsilon E)\n"
          "                    [--delta D] [--alpha P] [--sensitivity X] [--cells N] [--json]\n"
          "                    [--calibration NAME] [--sweep KEY=FIRST:LAST:POINTS] [--plot FILE.svg]",
      .subject = "MECHANISM",
      .subject_help = "laplace, geometric (also discrete-laplace), gaussian or discrete-gaussian",
      .subject_choices = noise::law_names(),
      .options = {{"--epsilon", Takes::one_value, "E", "the budget; with --scale it gives delta"},
                  {"--scale", Takes::one_value, "S", "the scale of the noise; gives epsilon at delta"},
                  {"--accuracy", Takes::one_value, "A", "the accuracy wanted: released ± A covers; gives epsilon"},
                  {"--delta", Takes::one_value, "D",
                   "delta of the privacy budget (default 0); with an epsilon the Gaussians need one above 0"},
                  {"--alpha", Takes::one_value, "P", "probability that the error exceeds the accuracy (default 0.05)"},
                  {"--sensitivity", Takes::one_value, "X",
                   "the most that one person, or other unit, moves the result (default 1)"},
                  {"--cells", Takes::one_value, "N", "the accuracy holds for N independent cells together"},
                  {"--calibration", Takes::one_value, "NAME",
                   "of the gaussian: analytic (exact, the default), classical or dwork-roth", calibration_names()},
                  {"--sweep", Takes::one_value, "KEY=FIRST:LAST:POINTS",
                   "a table over epsilon, scale, accuracy or alpha"},
                  {"--plot", Takes::one_value, "FILE.svg", "draw accuracy against epsilon, mechanism by mechanism"}},
      .example =
          "  vernier calibrate geometric --epsilon 0.1\n"
          "  vernier calibrate geometric --accuracy 50 --alpha 0.05\n"
          "  vernier calibrate laplace --sweep epsilon=0.1:10:20 --delta 1e-6 --plot compare.svg\n"
          "\n"
          "  The three calibrations of Gaussian noise need the scales 7.032, 9.690 and 9.688:\n"
          "  vernier calibrate gaussian --epsilon 0.5 --delta 1e-5\n"
          "  vernier calibrate gaussian --epsilon 0.5 --delta 1e-5 --calibration classical\n"
          "  vernier calibrate gaussian --epsilon 0.5 --delta 1e-5 --calibration dwork-roth\n"};
}

// Nothing is printed before everything has succeeded.
Result<void> run_calibrate(const Arguments& arguments, Output& output) {
  VERNIER_TRY(const CalibrateRequest request, calibrate_request(arguments));
  VERNIER_TRY(const std::vector<Answer> answers, answers_to(request));
  if (request.plot) {
    const Result<void> written = calibrate_chart(request, answers).and_then([&](const plot::Chart& chart) {
      return study::write_file(*request.plot, plot::render(chart));
    });
    if (!written) return written;
  }
  write_report(output, request, answers);
  return {};
}

}  // namespace vernier::cli
