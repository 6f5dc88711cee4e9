#include "vernier/plan/plan.hpp"

#include <array>

namespace vernier::plan {

std::string_view name_of(MeasurementKind kind) {
  constexpr std::array<std::string_view, 4> names = {"units", "count", "sum", "mean"};
  return names[static_cast<std::size_t>(kind)];
}

std::string_view name_of(const Law& law) {
  return std::holds_alternative<noise::Geometric>(law) ? "geometric" : "discrete-gaussian";
}

double scale_of(const Law& law) {
  return std::visit([](const auto& known) { return known.scale(); }, law);
}

}  // namespace vernier::plan
