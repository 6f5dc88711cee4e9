#pragma once

#include <array>
#include <string>
#include <vector>

#include "vernier/plan/plan.hpp"
#include "vernier/release/release.hpp"

// The lines behind published slopes, for pictures: from noisy integers alone, at no cost. derived.md, "Lines".
namespace vernier::release {

// Where a line lies at one place of x, with its interval.
struct LinePoint {
  double x, y;
  interval::Interval interval;
};

// Of y on one x over the declared range of x. All intervals hold at once, so that the whole line lies between the
// straight pieces that join their lower and their upper ends.
struct Line {
  std::size_t row;   // of the table: the group that it is of
  std::string y, x;  // texts of both expressions
  double y_low, y_high;
  std::array<LinePoint, 3> points;  // at both ends of the range of x and in its middle
};

// Those of every slope of one x about the rows that a statistic publishes with information, so many at most.
Result<std::vector<Line>> lines_of(const plan::BoundStatistic& statistic, const plan::PlannedStatistic& planned,
                                   const Table& table, Alpha alpha, std::size_t most);

}  // namespace vernier::release
