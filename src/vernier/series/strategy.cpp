#include "vernier/series/strategy.hpp"

#include <algorithm>
#include <cmath>

namespace vernier::series {
namespace {

constexpr std::int64_t greatest_entry = std::int64_t{1} << 20;

double fineness(std::size_t steps) { return steps <= 1024 ? 0x1p10 : 0x1p12; }

// Rounding is monotone: what does not grow does not grow afterwards.
std::vector<std::int64_t> rounded(const std::vector<double>& values, double times) {
  std::vector<std::int64_t> whole;
  whole.reserve(values.size());
  for (const double value : values) whole.push_back(std::llround(value * times));
  return whole;
}

// Columns of the square root, each divided by its length. What is left of the last ones is short, and wins most.
Result<Strategy> normalised(std::size_t steps) {
  const std::vector<double> root = coefficients(0.5, steps);
  std::vector<std::vector<std::int64_t>> columns(steps);
  double square = 0;
  for (std::size_t left = 1; left <= steps; ++left) {
    square += root[left - 1] * root[left - 1];
    const std::vector<double> column(root.begin(), root.begin() + static_cast<std::ptrdiff_t>(left));
    columns[steps - left] = rounded(column, fineness(steps) / std::sqrt(square));
  }
  return Strategy::triangular(std::move(columns));
}

Result<void> check_steps(std::size_t steps, std::size_t most) {
  if (steps >= 1 && steps <= most) return {};
  return invalid("a series has from 1 to " + std::to_string(most) + " steps, and this one has " +
                 std::to_string(steps));
}

bool is_column(const std::vector<std::int64_t>& column) {
  const auto is_in = [](std::int64_t one) { return one >= 0 && one <= greatest_entry; };
  return column.front() > 0 && std::ranges::all_of(column, is_in);
}

}  // namespace

std::string name_of(const Family& family) {
  if (family.is_normalised) return "normalised square root";
  if (family.percent == 0) return "noise of its own";
  if (family.percent == 100) return "running sum";
  const std::string digits = std::to_string(100 + family.percent).substr(1);
  return "(1-x)^-0." + (digits.back() == '0' ? digits.substr(0, 1) : digits);
}

Result<Strategy> Strategy::toeplitz(std::vector<std::int64_t> column) {
  VERNIER_TRY(check_steps(column.size(), most_steps));
  if (!is_column(column) || !std::ranges::is_sorted(column, std::greater<>())) {
    return invalid(
        "the coefficients of a series must be whole numbers from 0 to 2^20 that do not grow, the first above 0");
  }
  const std::size_t steps = column.size();
  return Strategy(steps, {std::move(column)});
}

Result<Strategy> Strategy::triangular(std::vector<std::vector<std::int64_t>> columns) {
  VERNIER_TRY(check_steps(columns.size(), most_normalised_steps));
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].size() == columns.size() - i && is_column(columns[i])) continue;
    return invalid("column " + std::to_string(i + 1) +
                   " of the matrix of a series must have whole numbers from 0 to 2^20, above 0 on the diagonal");
  }
  const std::size_t steps = columns.size();
  if (steps == 1) return Strategy(1, std::move(columns));
  return Strategy(steps, std::move(columns));
}

Result<Strategy> Strategy::of(const Family& family, std::size_t steps) {
  VERNIER_TRY(check_steps(steps, family.is_normalised ? most_normalised_steps : most_steps));
  if (family.is_normalised) return normalised(steps);
  if (family.percent < 0 || family.percent > 100) return invalid("the exponent of a series lies between 0 and 1");
  return toeplitz(rounded(coefficients(static_cast<double>(family.percent) / 100, steps), fineness(steps)));
}

std::vector<double> coefficients(double p, std::size_t steps) {
  std::vector<double> all(steps, 1);
  for (std::size_t k = 1; k < steps; ++k) {
    const auto place = static_cast<double>(k);
    all[k] = all[k - 1] * (place - 1 + p) / place;
  }
  return all;
}

}  // namespace vernier::series
