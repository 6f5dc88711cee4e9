#include "report/accuracy_text.hpp"

#include <cmath>

#include "text/grouped_text.hpp"

namespace vernier::report {

using plan::Measurement;

std::string accuracy_text(const Measurement& measurement, double accuracy) {
  if (!measurement.aggregation) return "-";
  const bool is_count = measurement.figure == plan::Figure::count;
  const std::string margin = is_count ? text::grouped(accuracy, 0) : text::grouped_up(accuracy);
  if (plan::is_in_ranks(measurement.figure)) {
    return (measurement.absorbs_sample ? "about ± " : "± ") + margin + " ranks";
  }
  return (has_fixed_margin(measurement.figure) ? "± " : "about ± ") + margin;
}

std::string accuracy_text(const plan::BoundStatistic& statistic, const Measurement& measurement, double accuracy) {
  const bool is_of_population = statistic.inference.of_population && has_fixed_margin(measurement.figure);
  if (!measurement.aggregation || !is_of_population) return accuracy_text(measurement, accuracy);
  return "about " + accuracy_text(measurement, std::ceil(accuracy));
}

}  // namespace vernier::report
