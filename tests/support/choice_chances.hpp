#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

#include "vernier/noise/rank_choice.hpp"
#include "vernier/noise/value_choice.hpp"
#include "vernier/plan/statistic/statistic.hpp"
#include "vernier/release/number/number_maker.hpp"

// The exact chances of what the choice of a quantile's points can give.
namespace vernier::testing {

using Points = std::vector<std::int64_t>;
using Chances = std::map<Points, double>;

// Of all that can be chosen: each candidate weighs exp(-distance / 2 scale).
template <class Choice>
Chances chances_of(const Choice& choice, double scale) {
  Chances chances;
  double all = 0;
  const auto levels = choice.levels();
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const double weight = std::exp(-static_cast<double>(levels[i].distance) / (2 * scale));
    if (weight < 1e-18) break;
    for (std::int64_t place = 0; place < levels[i].candidates; ++place) {
      const auto points = choice.candidate(i, place);
      chances[Points(points.begin(), points.end())] += weight;
      all += weight;
    }
  }
  for (auto& [points, chance] : chances) chance /= all;
  return chances;
}

inline Chances chances_of(const plan::BoundStatistic& statistic, const plan::Measurement& one,
                          const noise::Exponential& law, Alpha level, const std::vector<noise::Occupied>& rows,
                          double factor) {
  const double scale = factor * law.scale();
  const plan::Drawing drawing = plan::drawing_of({statistic, one, 0}, law, level).value();
  if (const auto* const value = std::get_if<plan::ChosenPoints<noise::ValueReach>>(&drawing)) {
    return chances_of(noise::ValueChoice(value->statistic, rows, value->reach), scale);
  }
  const auto& ends = std::get<plan::ChosenPoints<noise::RankReach>>(drawing);
  return chances_of(noise::RankChoice(ends.statistic, rows, ends.reach), scale);
}

// That two groups of the same rows get the same points.
inline double chance_of_same(const Chances& chances) {
  double sum = 0;
  for (const auto& [points, chance] : chances) sum += chance * chance;
  return sum;
}

}  // namespace vernier::testing
