#include "vernier/accounting/odometer.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/core/text.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting {
namespace {

using numeric::Rational;

// Totals of rho for which the orders are made, each four times the one before; the sixteenth is about 1e3.
constexpr int lines_of_grid = 16;
constexpr double least_total = 1e-6;
constexpr double ratio_of_totals = 4;

Result<void> add(Rational& sum, const Rational& amount, std::string_view name) {
  if (amount < Rational::of(0)) {
    return invalid("a spend of " + std::string(name) + " must not be negative, but it is " +
                   shortest(amount.round_down()));
  }
  sum = sum + amount;
  return {};
}

}  // namespace

// a - 1 = sqrt(ln(1 / share) / rho) is the best; as a double it is exact from here on.
ZcdpOdometer::Line ZcdpOdometer::best_line(double rho, double share) {
  const double log_share = 0 - numeric::log_down(share);
  const double excess = std::sqrt(log_share / rho);
  return {numeric::add_up(1, excess), numeric::divide_up(log_share, excess)};
}

Result<ZcdpOdometer> ZcdpOdometer::of(privacy::Delta delta, std::optional<privacy::Rho> expected) {
  if (delta.is_pure()) return invalid("an odometer for zCDP needs a delta above 0, but it is 0; give one such as 1e-6");
  const double for_grid = expected ? delta.value() / 2 : delta.value();
  std::vector<Line> lines;
  if (expected) lines.push_back(best_line(expected->value(), delta.value() / 2));
  double total = least_total;
  for (int i = 0; i < lines_of_grid; ++i, total *= ratio_of_totals) {
    lines.push_back(best_line(total, for_grid / lines_of_grid));
  }
  return ZcdpOdometer(std::move(lines));
}

Result<void> ZcdpOdometer::spend(const Rational& rho) { return add(spent_, rho, "rho"); }

double ZcdpOdometer::epsilon() const {
  if (spent_ == Rational::of(0)) return 0;
  const double rho = spent_.round_up();
  const auto plain = [rho](const Line& line) { return line.slope * rho + line.offset; };
  const Line best = *std::ranges::min_element(lines_, {}, plain);  // every line is valid
  return numeric::add_up(numeric::multiply_up(best.slope, rho), best.offset);
}

Result<void> PureOdometer::spend(const Rational& epsilon) { return add(spent_, epsilon, "epsilon"); }

}  // namespace vernier::accounting
