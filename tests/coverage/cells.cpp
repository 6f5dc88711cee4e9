#include "coverage/cells.hpp"

#include <algorithm>
#include <map>

#include "support/seeded_bits.hpp"
#include "vernier/coverage/coverage.hpp"
#include "vernier/coverage/population.hpp"
#include "vernier/coverage/share.hpp"

namespace vernier::coverage {
namespace {

using interval::Assurance;
using interval::Covers;

const Covers population = Covers::population;

ValueGrid grid_of(const Cell& cell) {
  const bool is_proportion = cell.claim.question.is_proportion;
  const double lower = is_proportion ? 0 : cell.shape.lower, upper = is_proportion ? 1 : cell.shape.upper;
  const double granularity = is_proportion ? 1 : cell.shape.granularity;
  return ValueGrid::of(*Real::of(lower), *Real::of(upper), *Real::of(granularity)).value();
}

const Population& population_of(const Shape& shape) {
  static std::map<std::string, Population> known;
  const auto found = known.find(shape.distribution);
  if (found != known.end()) return found->second;
  return known.emplace(shape.distribution, population_named(shape.distribution).value().population).first->second;
}

Verdict verdict_on(const Cell& cell, std::int64_t simulations, double level, const Mutation& mutation,
                   std::uint64_t seed) {
  const Point point{*privacy::Epsilon::of(cell.epsilon), cell.size, *Alpha::of(alpha), grid_of(cell)};
  const PlacedPopulation placed(population_of(cell.shape), point.grid);
  Experiment experiment = experiment_of(cell.claim.question, point, placed).value();
  mutation(experiment, point);
  auto source = vernier::testing::seeded_source(seed);
  const Tally tally = simulate(experiment, simulations / cell.claim.slowness, source).value();
  const bool is_population = experiment.question.covers == population;
  const Hits hits{is_population ? tally.held_population : tally.held_sample, tally.simulations};
  return {cell, static_cast<double>(hits.hits) / static_cast<double>(hits.trials), is_refuted(hits, 1 - alpha, level)};
}

}  // namespace

const std::vector<Claim>& claims() {
  static const auto delta = *privacy::Delta::of(1e-8);
  static const auto gaussian = LawKind::discrete_gaussian;
  static const std::vector<Claim> all = {
      {"mean, sample", {.delta = delta}},
      {"mean, sample, Gaussian", {.law = gaussian, .delta = delta}},
      {"proportion, sample", {.is_proportion = true, .delta = delta}},
      {"count, sample", {.aggregate = query::Aggregate::count_rows, .delta = delta}},
      {"sum, sample", {.aggregate = query::Aggregate::sum, .delta = delta}},
      {"stddev, sample", {.aggregate = query::Aggregate::deviation_sample, .delta = delta}},
      {"quantile 0.9, sample", {.aggregate = query::Aggregate::quantile, .fraction = {9, 10}, .delta = delta}},
      {"mean, public count", {.public_count = true, .delta = delta}},
      {"mean, population", {.covers = population, .delta = delta}},
      {"mean, population, public count", {.covers = population, .public_count = true, .delta = delta}},
      {"mean, population, Gaussian", {.covers = population, .law = gaussian, .delta = delta}},
      {"mean, population, guaranteed", {.covers = population, .assurance = Assurance::guaranteed, .delta = delta}, 4},
      {"proportion, population", {.is_proportion = true, .covers = population, .delta = delta}, 10},
      {"count, population", {.aggregate = query::Aggregate::count_rows, .covers = population, .delta = delta}},
      {"sum, population", {.aggregate = query::Aggregate::sum, .covers = population, .delta = delta}},
      {"median, population", {.aggregate = query::Aggregate::quantile, .covers = population, .delta = delta}},
      {"variance, population", {.aggregate = query::Aggregate::variance_sample, .covers = population, .delta = delta}},
  };
  return all;
}

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all = {
      {"normal", "normal", -4, 4, 0x1p-7},
      {"skewed", "skewed", 0, 20, 0x1p-6},
      {"two-point", "two-point,share=0.05", -1, 1, 0x1p-6},
      {"constant", "constant,value=0.25", 0, 1, 0x1p-7},
      {"half clamped", "skewed,sigma=2", 0, 1, 0x1p-8},
  };
  return all;
}

std::string text_of(const Cell& cell) {
  return cell.claim.name + "; " + cell.shape.name + ", " + std::to_string(cell.size) + " rows, epsilon " +
         std::to_string(cell.epsilon);
}

std::vector<Cell> cells_of(const std::vector<Claim>& wanted, const std::vector<std::int64_t>& sizes,
                           const std::vector<double>& epsilons) {
  std::vector<Cell> cells;
  for (const Claim& claim : wanted) {
    for (const Shape& shape : shapes()) {
      for (const std::int64_t size : sizes) {
        for (const double epsilon : epsilons) cells.push_back({claim, shape, size, epsilon});
      }
    }
  }
  return cells;
}

std::vector<Verdict> verdicts(const std::vector<Cell>& cells, std::int64_t simulations, std::size_t family,
                              const Mutation& mutation) {
  std::vector<Verdict> all;
  const double level = false_refutation / static_cast<double>(family);
  for (const Cell& cell : cells) all.push_back(verdict_on(cell, simulations, level, mutation, all.size() + 1));
  return all;
}

std::string refuted(const std::vector<Verdict>& all) {
  std::string names;
  for (const Verdict& one : all) {
    if (one.refuted) names += text_of(one.cell) + ": " + std::to_string(one.coverage) + "\n";
  }
  return names;
}

std::string summary(const std::vector<Verdict>& all) {
  double least = 1, most = 0, sum = 0;
  for (const Verdict& one : all) {
    least = std::min(least, one.coverage);
    most = std::max(most, one.coverage);
    sum += one.coverage;
  }
  return all.front().cell.claim.name + ": " + std::to_string(least) + " to " + std::to_string(most) + ", " +
         std::to_string(sum / static_cast<double>(all.size())) + " on average of " + std::to_string(all.size()) +
         " cells";
}

}  // namespace vernier::coverage
