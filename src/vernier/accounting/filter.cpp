#include "vernier/accounting/filter.hpp"

#include <utility>

#include "vernier/core/text.hpp"

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
                                        ", but " + shortest(left.round_down()) + " of " +
                                        shortest(cap.most.round_down()) + " is left; spend less, or stop here");
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

}  // namespace vernier::accounting
