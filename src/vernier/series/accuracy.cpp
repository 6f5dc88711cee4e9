#include "vernier/series/accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "vernier/noise/integer_scale.hpp"
#include "vernier/numeric/normal.hpp"

namespace vernier::series {
namespace {

constexpr double raised = 1 + 0x1p-40;

double squared(double value) { return value * value; }

// What smoothing by normal noise of deviation h multiplies probabilities by, at most: weighted_noise.md.
double smoothing_factor(double scale, std::size_t draws, double h) {
  const double between = squared(scale * h) / (squared(scale) + squared(h));
  const double excess = std::log1p(2 / std::expm1(2 * squared(std::numbers::pi) * between));
  return std::exp(static_cast<double>(draws) * excess) * raised;
}

double reach_by(double scale, std::size_t draws, Alpha alpha, double h, double part) {
  const double level = alpha.value() * (1 - part) / smoothing_factor(scale, draws, h);
  const double normal = numeric::normal_upper_point(std::log(level / 2));
  return (normal * std::hypot(scale, h) + h * std::sqrt(-2 * std::log(part))) * (1 + 1e-9);
}

}  // namespace

Result<Design> design_of(const Family& family, std::size_t steps, const Participation& participation,
                         std::size_t last) {
  VERNIER_TRY(Strategy strategy, Strategy::of(family, steps));
  VERNIER_TRY(const Square square, squared_sensitivity(strategy, participation));
  Design design{family, std::move(strategy), square, {}};
  for (const Kind kind : all_kinds) design.kinds.emplace_back(design.strategy, kind, last);
  return design;
}

Result<noise::DiscreteGaussian> law_at(double scale) {
  constexpr int bits = 40;
  int exponent = 0;
  const double mantissa = std::frexp(std::max(scale, least_scale), &exponent);
  const double whole = std::ldexp(std::ceil(std::ldexp(mantissa, bits)), exponent - bits);
  if (!(whole <= noise::greatest_integer_scale)) {
    return invalid(
        "the series needs noise of a scale above 1e12; raise the budget, or let a unit count at fewer steps");
  }
  return Sigma::of(whole).and_then(noise::DiscreteGaussian::of);
}

// A law's variance is at most the square of its scale.
Spread spread_of(const noise::DiscreteGaussian& law, std::size_t steps) { return {law.scale(), law.scale(), steps}; }

double deviation_of(const Design& design, Kind kind, std::size_t step, const Spread& spread) {
  return design.of(kind).length(step) * spread.scale * raised;
}

double reach_factor(double scale, std::size_t draws, Alpha alpha) {
  double least = std::numeric_limits<double>::infinity();
  for (const double h : {0.6, 0.7, 0.8, 0.9, 1.0, 1.2}) {
    for (const double part : {1e-4, 3e-4, 1e-3, 3e-3, 1e-2})
      least = std::min(least, reach_by(scale, draws, alpha, h, part));
  }
  return least;
}

// Draws of larger scales get smoothing noise in proportion to theirs: what holds for the least then holds for all.
Reaches::Reaches(const Design& design, const Spread& spread, Alpha alpha, std::int64_t row_limit)
    : design_(&design),
      factor_(reach_factor(spread.least, spread.draws, alpha) * (spread.scale / spread.least) * raised),
      bias_(bias_of(design.strategy) * static_cast<double>(row_limit) * raised) {}

namespace {

double autocorrelation(const std::vector<double>& values, std::size_t terms, std::size_t by) {
  double sum = 0;
  for (std::size_t u = 0; u < terms; ++u) sum += values[u] * values[u + by];
  return sum;
}

// Of the real matrix; m is small, or the sum of columns is formed.
double real_square(const std::vector<double>& column, const std::vector<std::size_t>& set) {
  if (set.size() == 1) return autocorrelation(column, column.size(), 0);
  std::vector<double> sum(column.size(), 0);
  for (const std::size_t from : set) {
    for (std::size_t t = from; t < sum.size(); ++t) sum[t] += column[t - from];
  }
  return autocorrelation(sum, sum.size(), 0);
}

// The squares of the greatest lengths of the weights of all kinds.
struct Lengths {
  double each = 0, last = 0, cumulative = 0;

  double of(Kind kind) const { return kind == Kind::each ? each : kind == Kind::last ? last : cumulative; }
};

Lengths real_lengths(double p, std::size_t steps, std::size_t last) {
  const std::vector<double> one = coefficients(-p, steps), sums = coefficients(1 - p, steps);
  Lengths lengths;
  for (std::size_t k = 0; k < steps; ++k) {
    lengths.each += squared(one[k]);
    lengths.cumulative += squared(sums[k]);
    lengths.last += squared(sums[k] - (k >= last ? sums[k - last] : 0));
  }
  return lengths;
}

// The price of the targets: the square of sensitivity over deviation, but for a factor that is the same for all.
double cost_of(const Targets& targets, const Lengths& lengths, double square) {
  double worst = 0;
  for (const Kind kind : all_kinds) {
    if (const auto& wanted = targets.of(kind)) worst = std::max(worst, lengths.of(kind) / squared(*wanted));
  }
  return worst * square;
}

Lengths lengths_of(const Design& design) {
  return {squared(design.of(Kind::each).greatest_length()), squared(design.of(Kind::last).greatest_length()),
          squared(design.of(Kind::cumulative).greatest_length())};
}

}  // namespace

Result<Design> best_design(const Targets& targets, std::size_t steps, const Participation& participation,
                           std::size_t last) {
  const std::vector<std::size_t> set = worst_steps(steps, participation);
  std::pair<double, std::int64_t> best{std::numeric_limits<double>::infinity(), 0};
  for (std::int64_t percent = 0; percent <= 60; ++percent) {
    const double p = static_cast<double>(percent) / 100;
    const double cost = cost_of(targets, real_lengths(p, steps, last), real_square(coefficients(p, steps), set));
    best = std::min(best, {cost, percent});
  }
  VERNIER_TRY(Design power, design_of({best.second, false}, steps, participation, last));
  if (set.size() > 1 || steps > most_normalised_steps) return power;
  VERNIER_TRY(Design normalised, design_of({50, true}, steps, participation, last));
  const auto cost = [&](const Design& one) {
    return cost_of(targets, lengths_of(one), static_cast<double>(one.square));
  };
  return cost(normalised) < cost(power) ? std::move(normalised) : std::move(power);
}

Result<double> scale_for(const Design& design, const Targets& targets, Alpha alpha, std::int64_t row_limit,
                         const SpreadAt& spread_at) {
  constexpr int most_rounds = 12;
  const auto spread_of_scale = [&](double scale) -> Result<Spread> {
    if (spread_at) return spread_at(scale);
    return law_at(scale).map([&](const auto& law) { return spread_of(law, design.strategy.steps()); });
  };
  double scale = std::numeric_limits<double>::infinity();
  const double normal = numeric::normal_upper_point(std::log(alpha.value() / 2));
  const double bias = bias_of(design.strategy) * static_cast<double>(row_limit) * (1 + 0x1p-30);
  for (const Kind kind : all_kinds) {
    if (const auto& wanted = targets.of(kind))
      scale = std::min(scale, (*wanted - bias) / (normal * design.of(kind).greatest_length()));
  }
  for (int round = 0; round < most_rounds; ++round) {
    VERNIER_TRY(const Spread spread, spread_of_scale(scale));
    const Reaches reaches(design, spread, alpha, row_limit);
    double shrink = 1;
    for (const Kind kind : all_kinds) {
      if (const auto& wanted = targets.of(kind)) shrink = std::min(shrink, *wanted / reaches.greatest(kind));
    }
    if (shrink >= 1 && scale >= least_scale) return scale;
    if (scale < least_scale) break;
    scale *= shrink * (1 - 1e-9);
  }
  return invalid("asks for more accuracy than the noise of a series can have; relax it");
}

}  // namespace vernier::series
