#include "vernier/accounting/adaptive.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "vernier/core/text.hpp"
#include "vernier/numeric/meant.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting {
namespace {

using numeric::Rational;

constexpr std::string_view basic_theorem =
    "basic filter (Rogers, Roth, Ullman and Vadhan, Privacy odometers and filters, 2016)";
constexpr std::string_view zcdp_theorem =
    "zCDP filter (Feldman and Zrnic 2021; with delta: Whitehouse, Ramdas, Rogers and Wu 2023)";
constexpr std::string_view rdp_theorem = "Rényi filter at every order (Feldman and Zrnic 2021)";
constexpr std::string_view gaussian_theorem =
    "Gaussian filter (Smith and Thakurta 2022; Koskela, Tobaben and Honkela 2023)";

bool is_negative(const Rational& value) { return value < Rational::of(0); }

Failure exceeded(const Cap& cap, const Rational& amount, const Rational& left) {
  return fail(ErrorKind::exhausted, "this release would spend " + shortest(amount.round_up()) + " of " + cap.name +
                                        ", but " + shortest(meant(left)) + " of " + shortest(meant(cap.most)) +
                                        " is left; spend less, or stop here");
}

}  // namespace

Result<Filter> Filter::of(std::string theorem, std::vector<Cap> caps) {
  if (caps.empty()) return invalid("a filter needs at least one cap, but there is none");
  for (const Cap& cap : caps) {
    if (is_negative(cap.most)) return invalid("the cap of " + cap.name + " must not be negative");
  }
  std::vector<Rational> nothing(caps.size(), Rational::of(0));
  return Filter(std::move(theorem), std::move(caps), std::move(nothing));
}

Result<void> Filter::check(std::span<const Rational> amounts) const {
  if (amounts.size() != caps_.size()) {
    return invalid("a spend must name " + std::to_string(caps_.size()) + " amounts, but it names " +
                   std::to_string(amounts.size()));
  }
  for (std::size_t i = 0; i < caps_.size(); ++i) {
    if (is_negative(amounts[i])) return invalid("a spend of " + caps_[i].name + " must not be negative");
    if (spent_[i] + amounts[i] > caps_[i].most) return exceeded(caps_[i], amounts[i], left(i));
  }
  return {};
}

Result<void> Filter::spend(std::span<const Rational> amounts) {
  return check(amounts).map([&] {
    for (std::size_t i = 0; i < spent_.size(); ++i) spent_[i] = spent_[i] + amounts[i];
  });
}

Result<Filter> pure_filter(const Rational& epsilon) {
  return Filter::of(std::string(basic_theorem), {{"epsilon", epsilon}});
}

Result<Filter> approximate_filter(const Rational& epsilon, const Rational& delta) {
  return Filter::of(std::string(basic_theorem), {{"epsilon", epsilon}, {"delta", delta}});
}

Result<Filter> zcdp_filter(const Rational& rho, const Rational& delta) {
  return Filter::of(std::string(zcdp_theorem), {{"rho", rho}, {"delta", delta}});
}

Result<Filter> rdp_filter(std::span<const RenyiCap> caps) {
  std::vector<Cap> named;
  for (const RenyiCap& cap : caps) {
    if (!(cap.order > 1)) return invalid("a Rényi order must be above 1, but one is " + shortest(cap.order));
    named.push_back({"the Rényi divergence of order " + shortest(cap.order), cap.divergence});
  }
  return Filter::of(std::string(rdp_theorem), std::move(named));
}

Result<Filter> gaussian_filter(const Rational& squared_mu) {
  return Filter::of(std::string(gaussian_theorem), {{"mu^2", squared_mu}});
}

namespace {

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
