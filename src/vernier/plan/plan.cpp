#include "vernier/plan/plan.hpp"

namespace vernier::plan {

std::string_view name_of(const Law& law) {
  return std::holds_alternative<noise::Geometric>(law) ? "geometric" : "discrete-gaussian";
}

double scale_of(const Law& law) {
  return std::visit([](const auto& known) { return known.scale(); }, law);
}

}  // namespace vernier::plan
