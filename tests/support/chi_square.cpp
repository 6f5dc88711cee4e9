#include "chi_square.hpp"

#include <boost/math/distributions/chi_squared.hpp>

namespace vernier::testing {
namespace {

constexpr double least_expected = 100;

std::vector<double> counts_of(std::span<const std::size_t> draws, std::size_t cells) {
  std::vector<double> counts(cells);
  for (const std::size_t draw : draws) ++counts.at(draw);
  return counts;
}

Objection objection_to(double statistic, double degrees, double level) {
  if (degrees < 1) return "too few draws for a chi-square";
  const double greatest = quantile(complement(boost::math::chi_squared(degrees), level / 10));
  if (statistic <= greatest) return {};
  return "chi-square " + std::to_string(statistic) + " with " + std::to_string(degrees) + " degrees of freedom";
}

// Cells one after the other, joined until enough is expected.
Objection of_counts(std::span<const double> counts, std::span<const double> expected, double level) {
  double statistic = 0, count = 0, mean = 0, all = 0;
  for (const double one : expected) all += one;
  int cells = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (expected[i] <= 0 && counts[i] > 0) return "a draw that cannot be";
    count += counts[i], mean += expected[i], all -= expected[i];
    if (mean < least_expected || (all < least_expected && i + 1 < counts.size())) continue;
    statistic += (count - mean) * (count - mean) / mean;
    count = mean = 0;
    ++cells;
  }
  return objection_to(statistic, cells - 1, level);
}

}  // namespace

Objection chi_square_objection(std::span<const std::size_t> draws, std::span<const double> probabilities,
                               double level) {
  std::vector<double> expected(probabilities.begin(), probabilities.end());
  for (double& one : expected) one *= static_cast<double>(draws.size());
  return of_counts(counts_of(draws, expected.size()), expected, level);
}

Objection dependence_objection(std::span<const std::size_t> a, std::span<const double> probabilities_of_a,
                               std::span<const std::size_t> b, std::span<const double> probabilities_of_b,
                               double level) {
  const std::size_t columns = probabilities_of_b.size();
  std::vector<std::size_t> pairs;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) pairs.push_back(a[i] * columns + b[i]);
  std::vector<double> both;
  for (const double p : probabilities_of_a) {
    for (const double q : probabilities_of_b) both.push_back(p * q);
  }
  return chi_square_objection(pairs, both, level);
}

// Of two multinomial samples: the sum of (a/n - b/m)^2 / (joint share (1/n + 1/m)).
Objection difference_objection(std::span<const std::size_t> a, std::span<const std::size_t> b, std::size_t cells,
                               double level) {
  const std::vector<double> first = counts_of(a, cells), second = counts_of(b, cells);
  const auto n = static_cast<double>(a.size()), m = static_cast<double>(b.size());
  double statistic = 0, of_a = 0, of_b = 0, left = n;
  int used = 0;
  for (std::size_t i = 0; i < cells; ++i) {
    of_a += first[i], of_b += second[i], left -= first[i];
    if (of_a + of_b < 2 * least_expected || (left < least_expected && i + 1 < cells)) continue;
    const double apart = of_a / n - of_b / m;
    statistic += apart * apart / ((of_a + of_b) / (n + m) * (1 / n + 1 / m));
    of_a = of_b = 0;
    ++used;
  }
  return objection_to(statistic, used - 1, level);
}

}  // namespace vernier::testing
