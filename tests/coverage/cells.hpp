#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "vernier/coverage/simulate.hpp"

// A grid of claims about intervals, and what simulation says of each: statistic x rows x epsilon x shape of the data.
namespace vernier::coverage {

// What is claimed: an interval, and whose value it is said to hold.
struct Claim {
  std::string name;
  Question question;
  std::int64_t slowness = 1;  // one of so many simulations is done
};

// Every statistic for the sample and for the population, but for what has no interval.
const std::vector<Claim>& claims();

// Values, and the bounds they are clamped to.
struct Shape {
  std::string name;
  std::string distribution;
  double lower, upper, granularity;
};

// Normal, skewed, two points, all the same, and half of the rows clamped.
const std::vector<Shape>& shapes();

struct Cell {
  Claim claim;
  Shape shape;
  std::int64_t size;
  double epsilon;
};
std::string text_of(const Cell& cell);

// Of these claims at all sizes, epsilons and shapes.
std::vector<Cell> cells_of(const std::vector<Claim>& wanted, const std::vector<std::int64_t>& sizes,
                           const std::vector<double>& epsilons);

// What a mutant does to an experiment before it is simulated; the honest one nothing.
using Mutation = std::function<void(Experiment&, const Point&)>;
inline void honest(Experiment&, const Point&) {}

struct Verdict {
  Cell cell;
  double coverage;
  bool refuted;
};

inline constexpr double alpha = 0.05;

// Every cell with bits of its own seed. One is refuted where so few intervals hold, or fewer, with probability
// false_refutation / family at most if the claim is true.
std::vector<Verdict> verdicts(const std::vector<Cell>& cells, std::int64_t simulations, std::size_t family,
                              const Mutation& mutation = honest);

// The names of the refuted cells, one a line.
std::string refuted(const std::vector<Verdict>& all);

// "mean, sample: 0.9478 to 0.9665, 0.9530 on average": over-coverage is told, not judged.
std::string summary(const std::vector<Verdict>& all);

}  // namespace vernier::coverage
