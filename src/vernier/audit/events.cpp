#include "vernier/audit/events.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "vernier/audit/finding.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::audit {
namespace {

using numeric::add_down;
using numeric::add_up;
using numeric::multiply_down;
using numeric::multiply_up;
using numeric::subtract_down;
using numeric::subtract_up;

// Distances from 0 that a draw leaves with these chances.
constexpr std::array<double, 9> outside_chances = {0.9, 0.7, 0.5, 0.3, 0.2, 0.1, 0.03, 0.01, 0.001};
constexpr int cells = 32;

std::int64_t drawn_between(const Drawn& drawn, std::int64_t above, std::int64_t up_to) {
  std::int64_t hits = 0;
  for (auto at = drawn.upper_bound(above); at != drawn.end() && at->first <= up_to; ++at) hits += at->second;
  return hits;
}

std::int64_t drawn_outside(const Drawn& drawn, std::int64_t distance) {
  return number_of(drawn) - drawn_between(drawn, -distance - 1, distance);
}

template <class Law>
std::vector<std::int64_t> distances(const Law& law) {
  std::vector<std::int64_t> all;
  for (const double chance : outside_chances) {
    all.push_back(law.two_sided_quantile(Probability::of(chance).value()).value());
  }
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

template <class Law>
std::vector<std::int64_t> cell_ends(const Law& law) {
  std::vector<std::int64_t> ends;
  for (int i = 1; i < cells; ++i) {
    const std::int64_t end = law.quantile(Probability::of(static_cast<double>(i) / cells).value()).value();
    if (ends.empty() || end > ends.back()) ends.push_back(end);
  }
  return ends;
}

Bounds difference(Bounds a, Bounds b) {
  return {std::max(0.0, subtract_down(a.lower, b.upper)), std::min(1.0, subtract_up(a.upper, b.lower))};
}

template <class Law>
std::vector<Event> integer_events(const Law& law, const Drawn& drawn) {
  std::vector<Event> events;
  for (const std::int64_t distance : distances(law)) {
    events.push_back({law.outside(distance), drawn_outside(drawn, distance)});
  }
  Bounds before{0, 0};
  std::int64_t begin = std::numeric_limits<std::int64_t>::min();
  for (const std::int64_t end : cell_ends(law)) {
    const Bounds up_to = law.cumulative(end);
    events.push_back({difference(up_to, before), drawn_between(drawn, begin, end)});
    before = up_to;
    begin = end;
  }
  events.push_back({difference({1, 1}, before), drawn_between(drawn, begin, std::numeric_limits<std::int64_t>::max())});
  return events;
}

Result<noise::Geometric> scaled(const noise::Geometric& law, double part) {
  return LaplaceScale::of(law.scale() * part).and_then(noise::Geometric::of);
}
Result<noise::DiscreteGaussian> scaled(const noise::DiscreteGaussian& law, double part) {
  return Sigma::of(law.scale() * part).and_then(noise::DiscreteGaussian::of);
}

template <class Law>
bool finds_scale(const Law& law, double part, std::int64_t trials, double level) {
  const auto other = scaled(law, part);
  if (!other) return false;
  const std::vector<std::int64_t> all = distances(law);
  const double each = level / static_cast<double>(2 * (all.size() + cell_ends(law).size() + 1));
  return std::any_of(all.begin(), all.end(), [&](std::int64_t distance) {
    return is_surely_found(trials, law.outside(distance).lower, other->outside(distance).upper, each, missed);
  });
}

// The sum of the squares of all masses; where these are many, the greatest of them, that of 0, is above it.
template <class Law>
Bounds equality(const Law& law) {
  constexpr std::int64_t many = 1000;
  const std::int64_t far = law.two_sided_quantile(Probability::of(1e-12).value()).value();
  if (far > many) return {0, law.mass(0).upper};
  const Bounds rest = law.outside(far);
  Bounds sum{0, multiply_up(rest.upper, rest.upper)};
  for (std::int64_t x = -far; x <= far; ++x) {
    const Bounds mass = law.mass(x);
    sum = {add_down(sum.lower, multiply_down(mass.lower, mass.lower)),
           add_up(sum.upper, multiply_up(mass.upper, mass.upper))};
  }
  return sum;
}

}  // namespace

double surprise(std::span<const Event> events, std::int64_t trials) {
  double least = 1;
  for (const Event& event : events) least = std::min(least, surprise({event.hits, trials}, event.chance));
  return std::min(1.0, least * static_cast<double>(events.size()));
}

std::int64_t number_of(const Drawn& drawn) {
  std::int64_t all = 0;
  for (const auto& [value, hits] : drawn) all += hits;
  return all;
}

std::vector<Event> events_of(const IntegerLaw& law, const Drawn& drawn) {
  return std::visit([&](const auto& one) { return integer_events(one, drawn); }, law);
}

// Whatever is no outcome of the law has chance 0.
std::vector<Event> events_of(const Masses& masses, const Outcomes& drawn) {
  std::vector<Event> events;
  std::int64_t impossible = 0;
  for (const auto& [outcome, hits] : drawn) impossible += masses.contains(outcome) ? 0 : hits;
  for (const auto& [outcome, mass] : masses) {
    const auto found = drawn.find(outcome);
    events.push_back({mass, found == drawn.end() ? 0 : found->second});
  }
  events.push_back({{0, 0}, impossible});
  return events;
}

std::optional<double> least_part_found(const IntegerLaw& law, std::int64_t trials, double level) {
  std::optional<double> least;
  for (const double part :
       {0.5, 0.3, 0.2, 0.15, 0.1, 0.07, 0.05, 0.03, 0.02, 0.015, 0.01, 0.007, 0.005, 0.003, 0.002, 0.001}) {
    if (!std::visit([&](const auto& one) { return finds_scale(one, 1 - part, trials, level); }, law)) break;
    least = part;
  }
  return least;
}

Bounds chance_of_equality(const IntegerLaw& law) {
  return std::visit([](const auto& one) { return equality(one); }, law);
}

}  // namespace vernier::audit
