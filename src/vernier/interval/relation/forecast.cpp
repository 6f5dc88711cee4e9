#include <cmath>

#include "vernier/interval/relation/node_sizes.hpp"

// Accuracy before there are data: relation.md, "Value and forecast".
namespace vernier::interval {
namespace {

// Where accuracy is told before there are data: means a quarter of the range from the middle, where x is above and y
// below it, deviations of a quarter of the range, and a line that rises by half of y's range over that of x.
constexpr double mean_x = 0.5, mean_y = -0.5, variance = 0.25, rise = 0.5;

double reference(Relation relation, double at, std::size_t i, std::size_t j) {
  const double x = place(i) - mean_x, y = place(j) - mean_y, xx = x * x - bend(i), yy = y * y - bend(j);
  const double away = mean_x - at, g = away / (variance + away * away);  // of the intercept
  if (const std::optional<SpreadOf> spread = spread_of(relation)) return (spread->of_x ? xx : yy) - variance;
  switch (relation) {
    case Relation::count:
      return 1;
    case Relation::mean_x:
      return x;
    case Relation::mean_y:
      return y;
    case Relation::squares_x:
      return xx;
    case Relation::squares_y:
      return yy;
    case Relation::products:
      return x * y;
    case Relation::slope:
      return x * y - rise * xx;
    case Relation::intercept:
      return (1 - g * (x + away)) * (y - rise * x) - bend(i) * g * rise;
    case Relation::correlation:
    case Relation::determination:
      return x * y - rise / 2 * (xx + yy);
    default:
      return x * y - rise * variance;
  }
}

// By what the reach is divided there, for n rows.
double divisor_of(Relation relation, double at, double rows) {
  if (is_total(relation)) return 1;
  if (const std::optional<SpreadOf> spread = spread_of(relation))
    return spread->is_deviation ? rows * 2 * std::sqrt(variance) : rows;
  const double away = mean_x - at;
  if (relation == Relation::intercept) return rows * variance / (variance + away * away);
  return relation == Relation::slope || is_correlation(relation) ? rows * variance : rows;
}

}  // namespace

double relation_accuracy(const PairLaw& law, const PairShape& shape, Alpha alpha, Relation relation, double rows) {
  const PairNodeNoise noise = PairNodeNoise::of(law, shape.weight(), alpha);
  const Units units = Units::of(shape);
  const double at = -units.x_middle / units.x_half;
  const double reach = noise.reach(sizes_of([&](std::size_t i, std::size_t j) {
    const double c = reference(relation, at, i, j);
    return Ends{c, c};
  }));
  const double told = reach / divisor_of(relation, at, rows) * units.factor(relation) * raised_size;
  return relation == Relation::count ? std::ceil(told) : told;
}

}  // namespace vernier::interval
