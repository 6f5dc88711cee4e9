#include "vernier/series/sensitivity.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/mechanism/gaussian.hpp"

namespace vernier::series {
namespace {

__extension__ using Wide = __int128;

constexpr double raised = 1 + 0x1p-40, lowered = 1 - 0x1p-40;

// Deviation of the smoothing normal noise.
constexpr double smoothing = 3;

Square squared_length(const std::vector<std::int64_t>& vector) {
  Square sum = 0;
  for (const std::int64_t one : vector) sum += static_cast<Square>(Wide{one} * one);
  return sum;
}

// The sum of these columns.
std::vector<std::int64_t> sum_of(const Strategy& strategy, const std::vector<std::size_t>& columns) {
  std::vector<std::int64_t> sum(strategy.steps(), 0);
  for (const std::size_t column : columns) {
    for (std::size_t row = column; row < sum.size(); ++row) sum[row] += strategy.at(row, column);
  }
  return sum;
}

using Gains = std::vector<Square>;  // of each step

// The greatest sums of so many gains at most, of steps before each, so far apart: [count][step].
std::vector<Gains> sums_before(const Gains& gains, std::size_t most, std::size_t apart) {
  std::vector<Gains> sums(most + 1, Gains(gains.size() + 1, 0));
  for (std::size_t count = 1; count <= most; ++count) {
    for (std::size_t step = 0; step < gains.size(); ++step) {
      const std::size_t before = step + 1 > apart ? step + 1 - apart : 0;
      sums[count][step + 1] = std::max(sums[count][step], gains[step] + sums[count - 1][before]);
    }
  }
  return sums;
}

Square greatest_sum(const Gains& gains, std::size_t most, std::size_t apart) {
  return sums_before(gains, most, apart)[most].back();
}

// The same of sets that this step is in.
Square greatest_sum_with(const Gains& gains, std::size_t step, std::size_t most, std::size_t apart) {
  const std::size_t end = step + 1 > apart ? step + 1 - apart : 0, begin = std::min(step + apart, gains.size());
  const Gains left(gains.begin(), gains.begin() + static_cast<std::ptrdiff_t>(end));
  const Gains right(gains.begin() + static_cast<std::ptrdiff_t>(begin), gains.end());
  const auto before = sums_before(left, most - 1, apart), after = sums_before(right, most - 1, apart);
  Square greatest = 0;
  for (std::size_t count = 0; count < most; ++count)
    greatest = std::max(greatest, before[count].back() + after[most - 1 - count].back());
  return gains[step] + greatest;
}

// <C e_i, C e_k> for all i.
Gains products_with(const Strategy& strategy, std::size_t column) {
  Gains products(strategy.steps(), 0);
  for (std::size_t i = 0; i < products.size(); ++i) {
    for (std::size_t row = std::max(i, column); row < products.size(); ++row)
      products[i] += static_cast<Square>(strategy.at(row, i)) * static_cast<Square>(strategy.at(row, column));
  }
  return products;
}

Square longest_column(const Strategy& strategy) {
  Square longest = 0;
  for (std::size_t column = 0; column < strategy.steps(); ++column) {
    const auto below = strategy.below(column);
    longest = std::max(longest, squared_length({below.begin(), below.end()}));
  }
  return longest;
}

// At least the square of the length of every sum of columns over a set: of each column the most that it may have in
// common with a set that it is in, added up over the worst set. series.md, "Other matrices".
Square squared_length_from_above(const Strategy& strategy, const Participation& participation) {
  const std::size_t steps = strategy.steps();
  if (participation.most == 1) return longest_column(strategy);
  const auto apart = static_cast<std::size_t>(std::min<std::int64_t>(participation.apart, 1 << 20));
  const std::size_t most = worst_steps(steps, participation).size();
  Gains gains;
  for (std::size_t column = 0; column < steps; ++column)
    gains.push_back(greatest_sum_with(products_with(strategy, column), column, most, apart));
  return greatest_sum(gains, most, apart);
}

}  // namespace

std::vector<std::size_t> worst_steps(std::size_t steps, const Participation& participation) {
  std::vector<std::size_t> set;
  const auto apart = static_cast<std::size_t>(std::max<std::int64_t>(participation.apart, 1));
  for (std::size_t at = 0; at < steps && set.size() < static_cast<std::size_t>(participation.most); at += apart)
    set.push_back(at);
  return set;
}

Result<Square> squared_sensitivity(const Strategy& strategy, const Participation& participation) {
  if (participation.most < 1 || participation.apart < 1) return invalid("a unit counts at one step at least");
  if (strategy.is_toeplitz()) return squared_length(sum_of(strategy, worst_steps(strategy.steps(), participation)));
  return squared_length_from_above(strategy, participation);
}

double sensitivity_of(Square square) { return std::sqrt(static_cast<double>(square)) * raised; }

Result<accounting::Event> event_of(Square square, const noise::DiscreteGaussian& law) {
  if (!(law.scale() >= least_scale)) return invalid("the noise of a series has a scale of 512 at least");
  const double scale = std::sqrt(law.scale() * law.scale() - smoothing * smoothing) * lowered;
  VERNIER_TRY(const Sigma sigma, Sigma::of(scale));
  VERNIER_TRY(const auto sensitivity, privacy::L2Sensitivity::of(sensitivity_of(square)));
  return accounting::Event::of(mechanism::GaussianMechanism::at_scale(sigma, sensitivity),
                               privacy::Neighbours::add_remove);
}

}  // namespace vernier::series
