#include "vernier/interval/difference.hpp"

#include <cmath>
#include <limits>

#include "vernier/interval/noise/combined_noise.hpp"
#include "vernier/interval/noise/noise_sum.hpp"
#include "vernier/interval/rows/mean.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::interval {
namespace {

__extension__ using Wide = __int128;

std::int64_t within(Wide x, PossibleRange possible) {
  return static_cast<std::int64_t>(std::clamp<Wide>(x, possible.least(), possible.greatest()));
}

Interval hull_of(const Interval& a, const Interval& b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }

// Everything that is told at a higher level is told at a lower one too, so that what misses at one level misses at all
// higher ones. Of the second cell, whose levels descend; boxes of the first cell's other levels are then there already.
std::vector<FigurePair> nested(std::vector<FigurePair> boxes) {
  for (std::size_t i = 1; i < boxes.size(); ++i) {
    boxes[i].second.interval = hull_of(boxes[i].second.interval, boxes[i - 1].second.interval);
  }
  return boxes;
}

}  // namespace

// P[abs(X + X') >= t] <= 2 P[X + X' >= t], and the laws are symmetric.
std::int64_t difference_accuracy(const noise::Geometric& law, Alpha alpha) {
  return sum_reach(law, 2, *Probability::of(alpha.value() / 2)) - 1;
}

std::int64_t difference_accuracy(const noise::DiscreteGaussian& law, Alpha alpha) {
  const std::int64_t by_tails = sum_reach(law, 2, *Probability::of(alpha.value() / 2)) - 1;
  const auto noise = CombinedNoise<noise::DiscreteGaussian>::of(law, alpha, 2);
  if (!noise.is_enumerated()) return by_tails;
  constexpr Coefficients both{1, 1, 0};
  std::int64_t t = by_tails + 1;
  while (t > 1 && noise.rarely_reaches({both, both}, static_cast<double>(t - 1))) --t;
  return t - 1;
}

AdditiveInterval difference(std::int64_t first, std::int64_t second, std::int64_t accuracy, PossibleRange possible) {
  const Wide released = Wide{first} - second;
  const std::int64_t value = within(released, possible);
  return {value, accuracy, within(Wide{value} - accuracy, possible), within(Wide{value} + accuracy, possible)};
}

DifferenceInterval difference_within(const std::vector<FigurePair>& boxes, Status status, Covers covers) {
  constexpr double unbounded = std::numeric_limits<double>::infinity();
  Interval hull{unbounded, -unbounded};
  for (const auto& [first, second] : nested(boxes)) {
    hull = hull_of(hull, {numeric::subtract_down(first.interval.low, second.interval.high),
                          numeric::subtract_up(first.interval.high, second.interval.low)});
  }
  const Figure &first = boxes.front().first, &second = boxes.back().second;  // at the least level, each
  const double value = std::clamp(first.value - second.value, hull.low, hull.high);
  const auto tells = [](const FigurePair& box) { return box.first.informative || box.second.informative; };
  return {value,
          farthest_end(value, hull),
          hull,
          status,
          covers,
          std::ranges::all_of(boxes, tells),
          first.may_be_empty || second.may_be_empty};
}

DifferenceInterval difference_of(const Figure& first, const Figure& second, Status status, Covers covers) {
  return difference_within({{first, second}}, status, covers);
}

namespace {

// Everything that is told at a higher level is told at a lower one too.
std::vector<Figure> nested(std::vector<Figure> figures) {
  for (std::size_t i = 1; i < figures.size(); ++i) {
    figures[i].interval = hull_of(figures[i].interval, figures[i - 1].interval);
  }
  return figures;
}

double length_of(const Figure& figure) { return figure.interval.high - figure.interval.low; }

}  // namespace

DifferenceInterval difference_of_ends(const EndLevels& levels, const ToldAtLevels& first, const ToldAtLevels& second) {
  const bool is_proven = first.status == Status::proven && second.status == Status::proven;
  const std::vector<Figure> of_first = nested(first.figures), of_second = nested(second.figures);
  const double length = length_of(of_first[levels.usual()]), other = length_of(of_second[levels.usual()]);
  const bool is_circle = is_proven || !(std::max(length, other) > 0);
  std::vector<FigurePair> boxes;
  for (const auto& [i, k] : is_circle ? levels.along_circle() : levels.along_line(other / length)) {
    boxes.emplace_back(of_first[i], of_second[k]);
  }
  return difference_within(boxes, is_proven ? Status::proven : Status::tested, first.covers);
}

}  // namespace vernier::interval
