#include "vernier/plan/plan.hpp"

#include <array>

namespace vernier::plan {

std::string_view name_of(MeasurementKind kind) {
  constexpr std::array<std::string_view, 10> names = {"units",
                                                      "count",
                                                      "sum",
                                                      "mean",
                                                      "moments",
                                                      "quantiles",
                                                      "distinct",
                                                      "public-count-mean",
                                                      "public-count-moments",
                                                      "quantile-tree"};
  return names[static_cast<std::size_t>(kind)];
}

std::string_view name_of(Figure figure) {
  constexpr std::array<std::string_view, 10> names = {"count",
                                                      "sum",
                                                      "mean",
                                                      "variance-sample",
                                                      "variance-population",
                                                      "deviation-sample",
                                                      "deviation-population",
                                                      "quantile",
                                                      "least",
                                                      "greatest"};
  return names[static_cast<std::size_t>(figure)];
}

std::string_view name_of(const Law& law) {
  constexpr std::array<std::string_view, 3> names = {"geometric", "discrete-gaussian", "exponential"};
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

std::string unit_of(const BoundStudy& study) { return study.statistics.front().table.unit.value_or("row"); }

}  // namespace vernier::plan
