#include "vernier/coverage/question.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace vernier::coverage {
namespace {

using Rows = std::span<const std::uint32_t>;

constexpr double rounding = 0x1p-40;

Truth one(double value) { return {value, value}; }

// Steps above the lower bound, exactly: at most 2^31 rows of 2^30 steps.
std::int64_t total_steps(const PlacedPopulation& population, Rows rows) {
  std::int64_t total = 0;
  for (const std::uint32_t row : rows) total += population.steps()[row];
  return total;
}

double mean_step(const PlacedPopulation& population, Rows rows) {
  return static_cast<double>(total_steps(population, rows)) / static_cast<double>(rows.size());
}

double mean(const PlacedPopulation& population, Rows rows) {
  return population.grid().lower() + mean_step(population, rows) * population.grid().granularity();
}

double sum(const PlacedPopulation& population, Rows rows) {
  const ValueGrid& grid = population.grid();
  const auto above = static_cast<double>(total_steps(population, rows));
  return (static_cast<double>(grid.origin()) * static_cast<double>(rows.size()) + above) * grid.granularity();
}

std::optional<Truth> variance(const PlacedPopulation& population, Rows rows, Whose whose) {
  const std::size_t divisor = rows.size() - (whose == Whose::sample ? 1 : 0);
  if (divisor == 0) return std::nullopt;
  const double middle = mean_step(population, rows);
  double squares = 0;
  for (const std::uint32_t row : rows) {
    const double apart = static_cast<double>(population.steps()[row]) - middle;
    squares += apart * apart;
  }
  const double granularity = population.grid().granularity();
  return one(squares / static_cast<double>(divisor) * granularity * granularity);
}

// The least value that the fraction of the rows does not exceed, and the least that more than it does not.
Truth quantile(const PlacedPopulation& population, Rows rows, query::Fraction fraction) {
  std::vector<std::uint32_t> sorted(rows.begin(), rows.end());
  std::sort(sorted.begin(), sorted.end());
  const auto n = static_cast<std::int64_t>(sorted.size());
  const std::int64_t reached = (fraction.parts * n + fraction.whole - 1) / fraction.whole;  // rows that reach it
  const std::int64_t passed = fraction.parts * n / fraction.whole + 1;
  const auto value_at = [&](std::int64_t rank) {
    const auto place = static_cast<std::size_t>(std::clamp<std::int64_t>(rank, 1, n) - 1);
    return population.grid().value_of(population.steps()[sorted[place]]);
  };
  return {value_at(reached), value_at(passed)};
}

}  // namespace

bool Truth::is_in(const interval::Interval& interval) const {
  const double size = std::max({std::abs(interval.low), std::abs(interval.high), std::abs(least), std::abs(greatest)});
  const double slack = rounding * size;
  return interval.low <= least + slack && interval.high >= greatest - slack;
}

std::optional<Truth> truth_of(const Question& question, const PlacedPopulation& population, Rows rows, Whose whose) {
  switch (question.statistic) {
    case Statistic::mean:
    case Statistic::proportion:
      return one(mean(population, rows));
    case Statistic::count:
      return one(static_cast<double>(rows.size()));
    case Statistic::sum:
      return one(sum(population, rows));
    case Statistic::variance:
      return variance(population, rows, whose);
    case Statistic::standard_deviation: {
      const std::optional<Truth> squared = variance(population, rows, whose);
      return squared ? std::optional(one(std::sqrt(squared->least))) : std::nullopt;
    }
    case Statistic::quantile:
      return whose == Whose::sample ? quantile(population, rows, question.fraction)
                                    : one(quantile(population, rows, question.fraction).least);
  }
  return std::nullopt;
}

}  // namespace vernier::coverage
