#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "plot/chart.hpp"
#include "vernier/core/progress.hpp"
#include "vernier/denoise/experiment.hpp"

namespace vernier::cli {

// `vernier coverage --denoise`: the error of denoised vectors against dimension and epsilon, by simulation on invented
// vectors.
Result<void> run_coverage_denoise(const Arguments& arguments, Output& output);
std::vector<Option> denoise_options();

// ---- its parts

struct DenoiseRequest {
  std::vector<double> epsilon, dimension;
  double delta;
  std::int64_t size;  // rows of the vectors' sum
  int simulations;
  std::optional<std::string> plot;
  bool json;
};
Result<DenoiseRequest> denoise_request(const Given& given);

// The noise and the errors of one shape, dimension and epsilon.
struct DenoisePoint {
  denoise::Shape shape;
  double epsilon, dimension;
  double sigma;  // of each coordinate of the sum
  std::vector<denoise::Outcome> outcomes;

  // Root of the mean squared distance between the denoised mean of rows and the exact one.
  double distance(const denoise::Outcome& outcome, std::int64_t size) const;
  bool is_refuted() const;
};

// What the request asks, for whoever watches it.
Result<std::vector<DenoisePoint>> simulated(const DenoiseRequest& request, const Progress& progress);

void write_denoise_report(Output& output, const DenoiseRequest& request, const std::vector<DenoisePoint>& points);
std::string denoise_refutation(const std::vector<DenoisePoint>& points);

// Against the dimension where there are several, else against epsilon; for the smallest epsilon.
plot::Chart denoise_chart(const DenoiseRequest& request, const std::vector<DenoisePoint>& points, denoise::Shape shape);
std::string sparse_file(const std::string& plot);  // "gain.svg" -> "gain-sparse.svg"

}  // namespace vernier::cli
