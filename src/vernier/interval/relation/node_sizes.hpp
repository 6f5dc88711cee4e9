#pragma once

#include "vernier/interval/relation/ranges.hpp"
#include "vernier/interval/relation/relation.hpp"

// What intervals of relations and their forecast share: nodes, coefficients at them, and the way back to units.
namespace vernier::interval {

inline constexpr double raised_size = 1 + 0x1p-40;  // pays, with the absolute part, for the roundings of a coefficient
inline constexpr double absolute_size = 0x1p-44;
inline constexpr PairSizes ones{1, 1, 1, 1, 1, 1, 1, 1, 1};

constexpr double place(std::size_t i) { return static_cast<double>(i) - 1; }  // of a node between -1 and 1
constexpr double bend(std::size_t i) { return i == 1 ? 1 : 0; }               // x^2 is place^2 - bend there

inline bool is_mean(Relation relation) { return relation == Relation::mean_x || relation == Relation::mean_y; }
inline bool is_squares(Relation relation) { return relation == Relation::squares_x || relation == Relation::squares_y; }
inline bool is_total(Relation relation) {
  return relation == Relation::count || relation == Relation::products || is_squares(relation);
}
inline bool is_correlation(Relation relation) {
  return relation == Relation::correlation || relation == Relation::determination;
}

// A variance or a deviation, of x or of y.
struct SpreadOf {
  bool of_x, is_sample, is_deviation;
};
inline std::optional<SpreadOf> spread_of(Relation relation) {
  if (relation < Relation::variance_sample_x) return std::nullopt;
  const int place = static_cast<int>(relation) - static_cast<int>(Relation::variance_sample_x);
  return SpreadOf{place < 4, place % 2 == 0, place % 4 >= 2};
}

inline int nuisances_of(Relation relation) {
  if (relation == Relation::count || is_mean(relation)) return 0;
  if (is_squares(relation) || spread_of(relation)) return 1;
  return is_correlation(relation) ? 3 : 2;
}

// The sizes of coefficients from what they lie between, node by node; `scale` is that of what they were made from.
template <class Coefficient>
PairSizes sizes_of(const Coefficient& coefficient, double scale = 1) {
  PairSizes sizes{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j)
      sizes[3 * i + j] = coefficient(i, j).size() * raised_size + absolute_size * scale;
  }
  return sizes;
}

// Columns between -1 and 1 as they are: the way back.
struct Units {
  double x_middle, x_half, y_middle, y_half;

  static Units of(const PairShape& shape) {
    const auto middle = [](const PairColumn& of) { return of.lower / 2 + of.upper / 2; };
    const auto half = [](const PairColumn& of) { return (of.upper - of.lower) / 2; };
    return {middle(shape.x), half(shape.x), middle(shape.y), half(shape.y)};
  }

  double factor(Relation relation) const {
    if (const std::optional<SpreadOf> spread = spread_of(relation)) {
      const double half = spread->of_x ? x_half : y_half;
      return spread->is_deviation ? half : half * half;
    }
    switch (relation) {
      case Relation::count:
      case Relation::correlation:
      case Relation::determination:
        return 1;
      case Relation::mean_x:
        return x_half;
      case Relation::squares_x:
        return x_half * x_half;
      case Relation::squares_y:
        return y_half * y_half;
      case Relation::slope:
        return y_half / x_half;
      case Relation::mean_y:
      case Relation::intercept:
        return y_half;
      default:
        return x_half * y_half;
    }
  }
  double middle(Relation relation) const {
    if (relation == Relation::mean_x) return x_middle;
    return relation == Relation::mean_y || relation == Relation::intercept ? y_middle : 0;
  }
};

}  // namespace vernier::interval
