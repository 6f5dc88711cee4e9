#include "vernier/plan/statistic/truth.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "vernier/plan/statistic/moments.hpp"

namespace vernier::plan {
namespace {

constexpr double rounding = 0x1p-40;

Truth one(double value) { return {value, value}; }

// Steps above the lower bound, exactly: at most 2^31 rows of 2^30 steps.
std::int64_t total_steps(const KnownRows& rows) {
  std::int64_t total = 0;
  for (const std::uint32_t place : rows.places) total += rows.steps[place];
  return total;
}

double mean_step(const KnownRows& rows) {
  return static_cast<double>(total_steps(rows)) / static_cast<double>(rows.places.size());
}

double sum(const KnownRows& rows) {
  const auto above = static_cast<double>(total_steps(rows));
  return (static_cast<double>(rows.origin) * static_cast<double>(rows.places.size()) + above) * rows.granularity;
}

std::optional<double> variance(const KnownRows& rows, bool is_less_one) {
  const std::size_t divisor = rows.places.size() - (is_less_one ? 1 : 0);
  if (divisor == 0) return std::nullopt;
  const double middle = mean_step(rows);
  double squares = 0;
  for (const std::uint32_t place : rows.places) {
    const double apart = static_cast<double>(rows.steps[place]) - middle;
    squares += apart * apart;
  }
  return squares / static_cast<double>(divisor) * rows.granularity * rows.granularity;
}

}  // namespace

bool Truth::is_in(const interval::Interval& interval) const {
  const double size = std::max({std::abs(interval.low), std::abs(interval.high), std::abs(least), std::abs(greatest)});
  const double slack = rounding * size;
  return interval.low <= least + slack && interval.high >= greatest - slack;
}

std::optional<Truth> node_truth(const Figure& figure, const KnownRows& rows) {
  if (figure == Figure::count) return one(static_cast<double>(rows.places.size()));
  if (figure == Figure::sum) return one(sum(rows));
  if (figure == Figure::mean) {
    return one(rows.lower() + mean_step(rows) * rows.granularity);
  }
  const bool is_of_sample = figure == Moments::variance_sample || figure == Moments::deviation_sample;
  const std::optional<double> squared = variance(rows, rows.is_sample && is_of_sample);
  if (!squared) return std::nullopt;
  return one(is_deviation(figure) ? std::sqrt(*squared) : *squared);
}

Truth value_at_ranks(const KnownRows& rows, std::int64_t least, std::int64_t greatest) {
  std::vector<std::uint32_t> sorted(rows.places.begin(), rows.places.end());
  std::sort(sorted.begin(), sorted.end());
  const auto value_at = [&](std::int64_t rank) {
    const auto last = static_cast<std::int64_t>(sorted.size());
    return rows.value_of(sorted[static_cast<std::size_t>(std::clamp<std::int64_t>(rank, 1, last) - 1)]);
  };
  return {value_at(least), value_at(greatest)};
}

}  // namespace vernier::plan
