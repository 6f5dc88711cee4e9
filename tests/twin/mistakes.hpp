#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "twin/twin_plan.hpp"
#include "vernier/plan/render/sql.hpp"

// Mistakes that were made elsewhere, planted into a plan, its SQL or what it declares. The twin run must find each.
namespace vernier::twin {

struct Mistake {
  std::string name;

  // What the statistic counts: changed before it is rendered; false where the mistake changes nothing in it.
  std::function<bool(const TwinPlan&, plan::BoundStatistic&)> plan;

  // What the engine is told, likewise.
  std::function<bool(const plan::BoundStatistic&, plan::Sql&)> sql;

  // What is declared of a measurement in place of what is true; none where it is as it was.
  std::function<std::optional<plan::Sensitivity>(const plan::BoundStatistic&, const plan::Measurement&)> declared;
};

std::vector<Mistake> planted_mistakes();
std::vector<Mistake> planted_in_joins();

}  // namespace vernier::twin
