#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "vernier/noise/rank_runs.hpp"

namespace vernier::testing {

// Up to `most` rows at about every third point.
inline std::vector<noise::Occupied> random_rows(std::mt19937_64& random, std::int64_t points, std::uint64_t most = 4) {
  std::vector<noise::Occupied> rows;
  for (std::int64_t t = 0; t < points; ++t) {
    if (random() % 3 == 0) rows.push_back({t, static_cast<std::int64_t>(1 + random() % most)});
  }
  return rows;
}

// The same rows and one more.
inline std::vector<noise::Occupied> with_one_more(std::vector<noise::Occupied> rows, std::int64_t point) {
  auto place = rows.begin();
  while (place != rows.end() && place->point < point) ++place;
  if (place == rows.end() || place->point != point) place = rows.insert(place, {point, 0});
  ++place->rows;
  return rows;
}

}  // namespace vernier::testing
