#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "cli/decimal.hpp"
#include "cli/law/law.hpp"
#include "vernier/core/text.hpp"
#include "vernier/noise/grid_noise.hpp"
#include "vernier/noise/integer_sampler.hpp"
#include "vernier/random/source.hpp"

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

LawFigure certified(Number argument, Bounds bounds) { return {argument, middle(bounds), bounds}; }

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

// The law's quantile is a number for 0 < p < 1.
template <class Law>
Result<Number> quantile_of(const Law& law, Probability p) {
  if (p.value() == 0) return Number(-infinity);
  if (p.value() == 1) return Number(infinity);
  return law.quantile(p).map([](auto x) { return number_of(x); });
}

Result<LawFigure> quantile_at(const noise::AnyLaw& law, std::string_view option, std::string_view text) {
  VERNIER_TRY(const Probability p, read_number(option, text).and_then(Probability::of));
  return law_quantile(law, p).map([&](const Number& x) { return LawFigure{p.value(), x, std::nullopt}; });
}

}  // namespace

bool is_over_integers(const noise::AnyLaw& law) {
  return std::visit([]<class Law>(const Law&) { return over_integers<Law>; }, law);
}

Bounds law_bounds(const noise::AnyLaw& law, LawFunction function, const Number& point) {
  return std::visit(
      [&]<class Law>(const Law& chosen) {
        if constexpr (over_integers<Law>) {
          return bounds_at(chosen, function, std::get<std::int64_t>(point));
        } else {
          return bounds_at(chosen, function, *Real::of(std::get<double>(point)));
        }
      },
      law);
}

double middle(const Bounds& bounds) {
  return bounds.lower == 0 ? bounds.upper : std::midpoint(bounds.lower, bounds.upper);
}

Result<Number> law_quantile(const noise::AnyLaw& law, Probability p) {
  return std::visit([&](const auto& chosen) { return quantile_of(chosen, p); }, law);
}

Result<LawFigure> law_figure(const noise::AnyLaw& law, LawFunction function, std::string_view option,
                             std::string_view text) {
  if (function == LawFunction::quantile) return quantile_at(law, option, text);
  return std::visit([&](const auto& chosen) { return figure_at(chosen, function, option, text); }, law);
}

namespace {

template <class Law>
Result<Draws> draw_integers(const Law& law, random::Source& source, std::size_t size) {
  std::vector<std::int64_t> values(size);
  VERNIER_TRY(noise::IntegerSampler(law).fill(source, values));
  return Draws{std::move(values), std::nullopt};
}

template <class Law>
Result<Draws> draw_reals(const Law& law, random::Source& source, std::size_t size) {
  const auto noise = noise::on_grid(law);
  std::vector<double> values(size);
  VERNIER_TRY(noise.fill(source, values));
  return Draws{std::move(values), noise.grid().granularity()};
}

}  // namespace

Result<Draws> draw(const noise::AnyLaw& law, std::size_t size) {
  VERNIER_TRY(random::Source* const source, random::thread_source());
  return std::visit(
      [&]<class Law>(const Law& chosen) {
        if constexpr (over_integers<Law>) {
          return draw_integers(chosen, *source, size);
        } else {
          return draw_reals(chosen, *source, size);
        }
      },
      law);
}

}  // namespace vernier::cli
