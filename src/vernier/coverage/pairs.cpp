#include "vernier/coverage/pairs.hpp"

#include <algorithm>
#include <cmath>

#include <boost/math/special_functions/erf.hpp>

namespace vernier::coverage {
namespace {

constexpr int side = 256;                    // members are side * side
constexpr double correlation = 0.5;          // of the normal law
constexpr std::int64_t most_of_named = 128;  // steps of a column, so that the squares of both fit

double normal_quantile(double p) { return -std::sqrt(2.0) * boost::math::erfc_inv(2 * p); }
double normal_below(double z) { return std::erfc(-z / std::sqrt(2.0)) / 2; }

// The value of the shape at a part of its members.
double at_part(std::span<const double> ascending, double part) {
  const auto last = static_cast<std::ptrdiff_t>(ascending.size()) - 1;
  const auto place = static_cast<std::ptrdiff_t>(part * static_cast<double>(ascending.size()));
  return ascending[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(place, 0, last))];
}

Pairs pairs_of(std::span<const double> ascending) {
  Pairs pairs;
  for (int i = 0; i < side; ++i) {
    for (int j = 0; j < side; ++j) {
      const double u = (i + 0.5) / side, v = (j + 0.5) / side;
      const double z = correlation * normal_quantile(u) + std::sqrt(1 - correlation * correlation) * normal_quantile(v);
      pairs.x.push_back(at_part(ascending, u));
      pairs.y.push_back(at_part(ascending, normal_below(z)));
    }
  }
  return pairs;
}

}  // namespace

Result<Population> coded(const Pairs& pairs, const PairGrids& grids) {
  std::vector<double> codes;
  for (std::size_t i = 0; i < pairs.x.size(); ++i) {
    codes.push_back(static_cast<double>(grids.code_of(pairs.x[i], pairs.y[i])));
  }
  return Population::of(std::move(codes));
}

Result<ValueGrid> grid_of_codes(const PairGrids& grids) {
  VERNIER_TRY(const Real last, Real::of(static_cast<double>(grids.greatest_code())));
  return ValueGrid::of(*Real::of(0), last, *Real::of(1));
}

Result<NamedPairs> pairs_named(std::string_view words) {
  VERNIER_TRY(const NamedPopulation named, population_named(words));
  double granularity = named.granularity;
  while ((named.upper - named.lower) / granularity > static_cast<double>(most_of_named)) granularity *= 2;
  VERNIER_TRY(const Real lower, Real::of(named.lower));
  VERNIER_TRY(const Real upper, Real::of(named.upper));
  VERNIER_TRY(const Real step, Real::of(granularity));
  VERNIER_TRY(const ValueGrid grid, ValueGrid::of(lower, upper, step));
  return NamedPairs{pairs_of(named.population.values()), {grid, grid}};
}

}  // namespace vernier::coverage
