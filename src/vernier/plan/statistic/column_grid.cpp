#include "vernier/plan/statistic/column_grid.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/plan/bind/arguments.hpp"

namespace vernier::plan {
namespace {

using query::Expression;
using query::Operation;

Expression whole(std::int64_t value) { return query::literal(value); }

// Of a column in steps of this size, by the operations of the engine.
PairedGrid grid_at(const Expression& x, double granularity, bool is_rounded) {
  const auto step = [&](double value) { return static_cast<std::int64_t>(std::floor(value / granularity + 0.5)); };
  const auto* const whole = std::get_if<query::IntegerSpan>(&x.span());
  const double lower = whole != nullptr ? static_cast<double>(whole->lower) : std::get<query::RealSpan>(x.span()).lower;
  const double upper = whole != nullptr ? static_cast<double>(whole->upper) : std::get<query::RealSpan>(x.span()).upper;
  return {granularity, step(lower), std::max<std::int64_t>(1, step(upper) - step(lower)), is_rounded};
}

}  // namespace

Result<PairedGrid> finest_grid(const Expression& x, const query::Table& table) {
  VERNIER_TRY(const Argument one, ranked(x, table));
  const std::int64_t steps = std::max<std::int64_t>(1, one.steps.upper);
  return PairedGrid{one.granularity, one.origin, steps, is_rounded(one.expression, table)};
}

std::optional<PairedGrid> coarser(const Expression& x, const PairedGrid& grid) {
  if (grid.steps < 3) return std::nullopt;
  return grid_at(x, 2 * grid.granularity, true);
}

Result<Expression> steps_of(const Expression& x, const PairedGrid& grid) {
  Expression step = x;
  if (x.type() == query::Type::real || grid.granularity != 1) {
    VERNIER_TRY(const Expression real, query::cast(x, query::Type::real));
    VERNIER_TRY(const Expression scaled, apply(Operation::multiply, {real, query::literal(1 / grid.granularity)}));
    VERNIER_TRY(step, query::cast(scaled, query::Type::integer));
  }
  if (grid.origin == 0) return step;
  return apply(Operation::subtract, {step, whole(grid.origin)});
}

Result<Expression> node_of(const Expression& k, std::int64_t steps, std::size_t i) {
  VERNIER_TRY(const Expression left, apply(Operation::subtract, {whole(steps), k}));
  const Expression& first = i == 0 ? left : k;
  const Expression& second = i == 2 ? k : left;
  VERNIER_TRY(const Expression product, apply(Operation::multiply, {first, second}));
  return i == 1 ? apply(Operation::multiply, {product, whole(2)}) : product;
}

}  // namespace vernier::plan
