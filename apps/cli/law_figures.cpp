#include "cli/law_figures.hpp"

#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "cli/numbers.hpp"
#include "cli/over_integers.hpp"
#include "vernier/core/text.hpp"

namespace vernier::cli {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

template <class Law, class Point>
Bounds bounds_at(const Law& law, LawFunction function, Point x) {
  if (function == LawFunction::cumulative) return law.cumulative(x);
  if (function == LawFunction::tail) return law.tail(x);
  if constexpr (over_integers<Law>) {
    return law.mass(x);
  } else {
    return law.density(x);
  }
}

// The middle of the bounds stands for the figure; what is too small for a double is the least double, never 0.
LawFigure certified(Number argument, Bounds bounds) {
  const double value = bounds.lower == 0 ? bounds.upper : std::midpoint(bounds.lower, bounds.upper);
  return {argument, value, bounds};
}

template <class Law>
Result<LawFigure> figure_at(const Law& law, LawFunction function, std::string_view option, std::string_view text) {
  if constexpr (over_integers<Law>) {
    return read_whole(option, text).map([&](std::int64_t x) { return certified(x, bounds_at(law, function, x)); });
  } else {
    return read_number(option, text).and_then(Real::of).map([&](Real x) {
      return certified(x.value(), bounds_at(law, function, x));
    });
  }
}

Number number_of(std::int64_t value) { return value; }
Number number_of(Real value) { return value.value(); }

// The law's quantile is a number for 0 < p < 1; the ends of its axis belong to 0 and 1.
template <class Law>
Result<LawFigure> quantile_at(const Law& law, std::string_view option, std::string_view text) {
  const Result<Probability> p = read_number(option, text).and_then(Probability::of);
  if (!p) return Failure(p.error());
  if (p->value() == 0) return LawFigure{0.0, -infinity, std::nullopt};
  if (p->value() == 1) return LawFigure{1.0, infinity, std::nullopt};
  return law.quantile(*p).map([&](auto x) { return LawFigure{p->value(), number_of(x), std::nullopt}; });
}

}  // namespace

bool is_over_integers(const noise::AnyLaw& law) {
  return std::visit([]<class Law>(const Law&) { return over_integers<Law>; }, law);
}

Result<LawFigure> law_figure(const noise::AnyLaw& law, LawFunction function, std::string_view option,
                             std::string_view text) {
  return std::visit(
      [&](const auto& chosen) {
        return function == LawFunction::quantile ? quantile_at(chosen, option, text)
                                                 : figure_at(chosen, function, option, text);
      },
      law);
}

}  // namespace vernier::cli
