#include "report/accuracy_text.hpp"

#include "text/grouped_text.hpp"

namespace vernier::report {

using plan::Measurement;
using plan::MeasurementKind;

std::string accuracy_text(const Measurement& measurement, double accuracy) {
  if (!measurement.aggregation) return "-";
  const bool is_count = measurement.kind == MeasurementKind::count || measurement.kind == MeasurementKind::units;
  const std::string margin = is_count ? text::grouped(accuracy, 0) : text::grouped_up(accuracy);
  return (measurement.kind == MeasurementKind::mean ? "about ± " : "± ") + margin;
}

}  // namespace vernier::report
