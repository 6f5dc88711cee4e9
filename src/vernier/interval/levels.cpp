#include "vernier/interval/levels.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "vernier/numeric/normal.hpp"
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

Result<LevelPairs> half_each(Alpha alpha) {
  return Alpha::of(alpha.value() / 2).map([](Alpha half) { return LevelPairs{{half, half}}; });
}

namespace {

constexpr std::size_t end_levels = 56;
constexpr double farthest_distance = 21;  // normal deviations: a level of 1e-97
constexpr double beyond_one_cell = 1.5;   // times the distance at which one cell has a quarter of alpha at an end
constexpr double greatest_ratio = 16;

double normal_tail(double distance) { return std::erfc(distance / std::numbers::sqrt2) / 2; }

}  // namespace

Result<EndLevels> EndLevels::of(Alpha alpha, double part) {
  EndLevels made;
  made.chance_ = alpha.value() / 2;
  const double one_cell = numeric::normal_upper_point(std::log(alpha.value() / 4));
  const double farthest = beyond_one_cell * one_cell;
  if (!(farthest <= farthest_distance)) {
    return invalid("the alpha of a difference is too small for levels at either end");
  }
  for (std::size_t i = 1; i <= end_levels; ++i) {
    const double distance = farthest * static_cast<double>(i) / end_levels;
    VERNIER_TRY(const Alpha level, Alpha::of(std::min(normal_tail(distance) / part, greatest_level)));
    made.distances_.push_back(distance);
    made.levels_.push_back(level);
    made.chances_.push_back(level.value() * part);
  }
  const auto usual = std::lower_bound(made.distances_.begin(), made.distances_.end(), one_cell);
  made.usual_ = static_cast<std::size_t>(usual - made.distances_.begin());
  return made;
}

// The first cell's chance lies between two of its levels, and then the second one's must not be below that of its box.
double EndLevels::chance_to_miss(const Boxes& boxes) const {
  if (boxes.empty()) return 1;
  double sum = chances_[boxes.front().first];
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const double next = i + 1 < boxes.size() ? chances_[boxes[i + 1].first] : 1;
    sum += std::max(next - chances_[boxes[i].first], 0.0) * chances_[boxes[i].second];
  }
  return sum * raised;
}

// Of each distance of the first cell the least one of the second that is not below; those that would be too far are
// left out, and so is what lies in another box.
EndLevels::Boxes EndLevels::boxes_within(const std::vector<double>& second_of_first) const {
  Boxes boxes;
  for (std::size_t i = end_levels; i-- > 0;) {
    const auto found = std::lower_bound(distances_.begin(), distances_.end(), second_of_first[i]);
    if (found == distances_.end()) break;
    const auto second = static_cast<std::size_t>(found - distances_.begin());
    if (!boxes.empty() && boxes.back().second == 0 && second == 0) boxes.pop_back();
    if (boxes.empty() || boxes.back().second != second) boxes.push_back({i, second});
  }
  return boxes;
}

// Those of the least size, nearly, with which both ends hold.
template <class Boxed>
EndLevels::Boxes EndLevels::shortest(const Boxed& boxes_of_size) const {
  double little = 0, enough = 2 * (1 + greatest_ratio) * distances_.back();
  for (int step = 0; step < 40; ++step) {
    const double middle = (little + enough) / 2;
    (chance_to_miss(boxes_of_size(middle)) <= chance_ ? enough : little) = middle;
  }
  return boxes_of_size(enough);
}

// Half of them are the others with the cells exchanged.
EndLevels::Boxes EndLevels::along_circle() const {
  return shortest([&](double size) {
    std::vector<double> second;
    for (const double first : distances_) {
      const double least = std::min(std::sqrt(std::max(size * size - first * first, 0.0)), distances_.back());
      second.push_back(least <= first ? least : 2 * distances_.back());  // too far: among those that are exchanged
    }
    Boxes boxes = boxes_within(second);
    for (std::size_t i = boxes.size(); i-- > 0;) {
      if (boxes[i].first != boxes[i].second) boxes.push_back({boxes[i].second, boxes[i].first});
    }
    return boxes;
  });
}

// Along the axis of the cell that is the more uncertain one, so that rounding to a level falls on the other.
EndLevels::Boxes EndLevels::along_line(double ratio) const {
  const double slope = std::clamp(ratio, 1 / greatest_ratio, greatest_ratio);
  const double steep = std::max(slope, 1 / slope);
  Boxes boxes = shortest([&](double size) {
    std::vector<double> second;
    for (const double first : distances_) second.push_back(std::clamp((size - first) * steep, 0.0, distances_.back()));
    return boxes_within(second);
  });
  if (slope <= 1) return boxes;
  std::reverse(boxes.begin(), boxes.end());
  for (Box& box : boxes) std::swap(box.first, box.second);
  return boxes;
}

}  // namespace vernier::interval
