#include "statistics.hpp"

#include <boost/math/distributions/binomial.hpp>

namespace vernier::testing {
namespace {

std::vector<std::uint64_t> counts_in(const Cells& cells, std::span<const std::int64_t> draws) {
  std::vector<std::uint64_t> counts(cells.ends.size() + 1, 0);
  for (const std::int64_t draw : draws) {
    ++counts[static_cast<std::size_t>(std::ranges::lower_bound(cells.ends, draw) - cells.ends.begin())];
  }
  return counts;
}

struct Group {
  double count = 0, mean = 0, squares = 0;
  void add(double x) {
    ++count;
    const double d = x - mean;
    mean += d / count;
    squares += d * (x - mean);
  }
  double variance_of_mean() const { return squares / (count - 1) / count; }
};

double order_statistic(std::span<const double> values, double part) {
  std::vector<double> sorted(values.begin(), values.end());
  const auto at = static_cast<std::ptrdiff_t>(part * static_cast<double>(sorted.size() - 1));
  std::nth_element(sorted.begin(), sorted.begin() + at, sorted.end());
  return sorted[static_cast<std::size_t>(at)];
}

}  // namespace

CountRange unsurprising_counts(std::uint64_t trials, double p, double level) {
  using namespace boost::math::policies;
  using Outward = policy<discrete_quantile<integer_round_outwards>>;
  const double clamped = std::clamp(p, 0.0, 1.0);
  const boost::math::binomial_distribution<double, Outward> law(static_cast<double>(trials), clamped);
  return {static_cast<std::uint64_t>(quantile(law, level / 2)),
          static_cast<std::uint64_t>(quantile(complement(law, level / 2)))};
}

bool dkw_allows(double distance, std::uint64_t trials, double level) {
  return distance <= std::sqrt(std::log(2 / level) / (2 * static_cast<double>(trials)));
}

Objection objection_to(const Cells& cells, std::span<const std::int64_t> draws, double level) {
  const std::vector<std::uint64_t> counts = counts_in(cells, draws);
  const std::size_t n = cells.ends.size();
  const double each = level / static_cast<double>(3 * n + 3);
  const auto cumulative = [&](std::size_t i) { return i < n ? cells.cumulative[i] : 1.0; };

  // A run of cells [first, last] must have an unsurprising count.
  const auto surprising = [&](std::size_t first, std::size_t last, std::uint64_t count) {
    const double p = cumulative(last) - (first > 0 ? cumulative(first - 1) : 0);
    return !unsurprising_counts(draws.size(), p, each).contains(count);
  };
  const auto say = [&](const char* what, std::size_t first, std::size_t last, std::uint64_t count) {
    return std::string(what) + " " + std::to_string(first) + ".." + std::to_string(last) + " has " +
           std::to_string(count) + " of " + std::to_string(draws.size()) + " draws";
  };
  std::uint64_t below = 0;
  for (std::size_t i = 0; i <= n; ++i) {
    if (surprising(i, i, counts[i])) return say("cell", i, i, counts[i]);
    below += counts[i];
    const double distance = std::fabs(static_cast<double>(below) / static_cast<double>(draws.size()) - cumulative(i));
    if (!dkw_allows(distance, draws.size(), each)) return say("the distribution up to cell", 0, i, below);
  }
  for (std::size_t first = 1, last = n - 1; first < last; ++first, --last) {
    std::uint64_t count = 0;
    for (std::size_t i = first; i <= last; ++i) count += counts[i];
    if (surprising(first, last, count)) return say("the middle", first, last, count);
  }
  return {};
}

double welch_t(std::span<const double> times, std::span<const double> keys) {
  const double median = order_statistic(keys, 0.5);
  const double slow = order_statistic(times, 0.95);
  Group low, high;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (times[i] <= slow) (keys[i] > median ? high : low).add(times[i]);
  }
  return (high.mean - low.mean) / std::sqrt(low.variance_of_mean() + high.variance_of_mean());
}

}  // namespace vernier::testing
