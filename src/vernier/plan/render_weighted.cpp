#include "vernier/plan/render_weighted.hpp"

#include "vernier/plan/render_rows.hpp"
#include "vernier/query/render.hpp"

namespace vernier::plan {
namespace {

Argument without_weight(const Argument& x) {
  return {x.expression, x.granularity, x.origin, x.steps, x.is_number, x.is_value, x.square};
}

Argument weight_alone(const Argument::Weight& weight) { return {weight.column, weight.granularity}; }

}  // namespace

std::vector<Argument> parts_of(const Argument& argument) {
  std::vector<Argument> parts;
  parts.push_back(without_weight(argument));
  if (argument.weight) parts.push_back(weight_alone(*argument.weight));
  return parts;
}

std::string weighted_argument(const Argument& argument, bool functions) {
  const std::string weight = called_argument(weight_alone(*argument.weight), functions);
  if (argument.is_number) return called_argument(without_weight(argument), functions) + " * " + weight;
  return "CASE WHEN " + query::rendered(argument.expression) + " IS NOT NULL THEN " + whole(argument.weight->total) +
         " * " + weight + " END";
}

}  // namespace vernier::plan
