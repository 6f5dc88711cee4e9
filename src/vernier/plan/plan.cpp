#include "vernier/plan/plan.hpp"

#include <array>

namespace vernier::plan {

std::string_view name_of(const Law& law) {
  constexpr std::array<std::string_view, 4> names = {"geometric", "discrete-gaussian", "exponential", "box"};
  return names[law.index()];
}

std::optional<AdditiveLaw> additive(const Law& law) {
  if (const auto* const geometric = std::get_if<noise::Geometric>(&law)) return *geometric;
  if (const auto* const gaussian = std::get_if<noise::DiscreteGaussian>(&law)) return *gaussian;
  return std::nullopt;
}

double scale_of(const Law& law) {
  return std::visit([](const auto& known) { return known.scale(); }, law);
}

std::string column_of(const BoundStatistic& statistic, const Measurement& measurement) {
  return measurement.aggregation ? statistic.query.aggregations[*measurement.aggregation].name : "(units)";
}

bool is_about(const BoundStatistic& statistic, const Measurement& measurement) {
  if (is_in_ranks(measurement.figure)) return measurement.absorbs_sample;
  const bool is_of_population = statistic.inference.of_population && measurement.aggregation;
  return is_of_population || !has_fixed_margin(measurement.figure);
}

std::string unit_of(const BoundStudy& study) { return first_table(study).unit.value_or("row"); }

}  // namespace vernier::plan
