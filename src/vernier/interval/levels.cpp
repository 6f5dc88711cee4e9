#include "vernier/interval/levels.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "vernier/numeric/rounding.hpp"

namespace vernier::interval {
namespace {

constexpr std::int64_t most = std::int64_t{1} << 53;

}  // namespace

Result<Alpha> each_of(Alpha together, std::int64_t cells, std::int64_t figures_per_cell) {
  if (std::min(cells, figures_per_cell) < 1 || std::max(cells, figures_per_cell) > most) {
    return invalid("intervals that hold at once need from 1 to 2^53 cells and figures per cell, but there are " +
                   std::to_string(cells) + " and " + std::to_string(figures_per_cell));
  }
  if (cells == 1 && figures_per_cell == 1) return together;
  const double part = numeric::divide_up(numeric::log1p_up(-together.value()), static_cast<double>(cells));
  const double of_cell = cells == 1 ? together.value() : -numeric::expm1_up(part);
  return Alpha::of(numeric::divide_down(of_cell, static_cast<double>(figures_per_cell)));
}

namespace {

constexpr int boxes = 16;
constexpr double raised = 1 + 1e-14;  // the page counts 50 roundings of positive terms
constexpr double greatest_level = 0.999;
constexpr double least_alpha = 1e-280;

// How a p-value falls with the distance from the released number, in units of the noise.
struct Decay {
  double power;  // of the curve abs(u)^power + abs(v)^power = c^power along which the boxes are
  double (*level)(double distance);
};
constexpr Decay exponential{1.4, [](double u) { return std::exp(-u); }};
constexpr Decay normal{2, [](double u) { return std::erfc(u / std::numbers::sqrt2); }};

// The levels of the boxes along the curve of size c, from the least on; none where one of them is too small.
std::vector<double> levels_along(const Decay& decay, double c) {
  std::vector<double> levels;
  for (int i = 0; i < boxes; ++i) {
    const double part = std::pow(std::cos(std::numbers::pi / 2 * i / boxes), 2 / decay.power);
    levels.push_back(std::min(decay.level(c * part), greatest_level));
  }
  return levels;
}

double chance_to_miss(const std::vector<double>& levels) {
  double sum = levels.front();
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const double next = i + 1 < levels.size() ? levels[i + 1] : 1;
    sum += std::max(next - levels[i], 0.0) * levels[levels.size() - 1 - i];
  }
  return sum * raised;
}

// The least curve, nearly, whose boxes miss with probability alpha at most.
Result<LevelPairs> pairs_along(const Decay& decay, Alpha alpha) {
  if (alpha.value() < least_alpha) return one_box(alpha);
  double little = 0, enough = 1;
  while (chance_to_miss(levels_along(decay, enough)) > alpha.value()) enough *= 2;
  for (int step = 0; step < 50; ++step) {
    const double middle = (little + enough) / 2;
    (chance_to_miss(levels_along(decay, middle)) <= alpha.value() ? enough : little) = middle;
  }
  const std::vector<double> levels = levels_along(decay, enough);
  LevelPairs pairs;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const auto first = Alpha::of(levels[i]), second = Alpha::of(levels[levels.size() - 1 - i]);
    if (!first || !second) return one_box(alpha);
    pairs.push_back({*first, *second});
  }
  return pairs;
}

}  // namespace

double chance_to_miss(const LevelPairs& pairs) {
  std::vector<double> levels;
  for (const LevelPair& pair : pairs) levels.push_back(pair.first.value());
  return chance_to_miss(levels);
}

Result<LevelPairs> one_box(Alpha alpha) {
  return each_of(alpha, 2, 1).map([](Alpha each) { return LevelPairs{{each, each}}; });
}

Result<LevelPairs> level_pairs(const noise::Geometric&, Alpha alpha) { return pairs_along(exponential, alpha); }
Result<LevelPairs> level_pairs(const noise::DiscreteGaussian&, Alpha alpha) { return pairs_along(normal, alpha); }
Result<LevelPairs> normal_level_pairs(Alpha alpha) { return pairs_along(normal, alpha); }

Result<LevelPairs> population_level_pairs(Alpha alpha, GroupUnits units) {
  if (units == GroupUnits::apart) return normal_level_pairs(alpha);
  return Alpha::of(alpha.value() / 2).map([](Alpha half) { return LevelPairs{{half, half}}; });
}

}  // namespace vernier::interval
