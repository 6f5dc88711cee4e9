#include "support/lattice_bracket.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace vernier::test {
namespace {

constexpr long double infinity = std::numeric_limits<long double>::infinity();

struct Part {
  std::vector<LossCell> cells;
  long times;
};

// ln E[e^(theta L)] over the finite cells, from their middles: a guide for the window only.
double guide(const Part& part, double theta) {
  long double greatest = -std::numeric_limits<long double>::infinity(), sum = 0;
  const auto exponent = [&](const LossCell& cell) {
    return theta * (cell.lowest + cell.highest) / 2 + std::log(cell.p);
  };
  for (const LossCell& cell : part.cells) {
    if (std::isfinite(exponent(cell))) greatest = std::max(greatest, exponent(cell));
  }
  for (const LossCell& cell : part.cells) {
    if (std::isfinite(exponent(cell))) sum += std::exp(exponent(cell) - greatest);
  }
  return static_cast<double>(static_cast<long double>(part.times) * (greatest + std::log(sum)));
}

// Beyond the window lies less than a thousandth of delta on either side (Chernoff), or nothing at all.
double window(std::span<const Part> parts, double delta) {
  double widest = 0;
  for (const double sign : {1.0, -1.0}) {
    double least = std::numeric_limits<double>::infinity();
    for (double theta = 1e-3; theta < 1e5; theta *= 1.5) {
      double total = 0;
      for (const Part& part : parts) total += guide(part, sign * theta);
      least = std::min(least, (total - std::log(1e-5 * delta)) / theta);
    }
    widest = std::max(widest, least);
  }
  return widest;
}

struct Range {
  long double lowest;
  long double highest;
};

Range range_of(const Part& part) {
  Range range{infinity, -infinity};
  for (const LossCell& cell : part.cells) {
    range.lowest = std::min(range.lowest, cell.lowest);
    if (cell.q > 0) range.highest = std::max(range.highest, cell.highest);
  }
  return range;
}

// Between neighbouring losses, where all are equally far apart.
std::optional<double> spacing_of(const Part& part) {
  const std::size_t count = std::count_if(part.cells.begin(), part.cells.end(),
                                          [](const LossCell& cell) { return !cell.is_cut && cell.q > 0; });
  std::vector<long double> losses;
  for (const LossCell& cell : part.cells) {
    if (cell.is_cut || cell.q == 0) continue;
    if (cell.lowest != cell.highest) return std::nullopt;
    losses.push_back(cell.lowest);
  }
  if (count < 2) return std::nullopt;
  const long double spacing = (losses.back() - losses.front()) / static_cast<long double>(count - 1);
  for (std::size_t i = 1; i < count; ++i) {
    if (std::fabs(losses[i] - losses[i - 1] - spacing) > 1e-13L * spacing) return std::nullopt;
  }
  return static_cast<double>(spacing);
}

// The spacing of a lattice that has every loss of every part.
std::optional<double> common_spacing(std::span<const Part> parts) {
  double least = std::numeric_limits<double>::infinity();
  for (const Part& part : parts) least = std::min(least, spacing_of(part).value_or(0));
  for (const Part& part : parts) {
    const double ratio = spacing_of(part).value_or(0) / least;
    if (!(std::fabs(ratio - std::round(ratio)) < 1e-13 * ratio)) return std::nullopt;
  }
  return least;
}

// A step, a little greater, with which both ends of the most frequent part can be points.
double snapped(std::span<const Part> parts, double step) {
  const auto most =
      std::max_element(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.times < b.times; });
  const Range range = range_of(*most);
  const double width = static_cast<double>(range.highest - range.lowest);
  return std::isfinite(width) && width > step ? width / std::floor(width / step) : step;
}

constexpr double finer = 3;  // how many times the points asked for, where that makes the lattice exact

Lattice lattice_of(std::span<const Part> parts, double wide, long reach) {
  const double step = wide / static_cast<double>(reach - 4);
  const std::optional<double> spacing = common_spacing(parts);
  if (!spacing || *spacing * finer < step) return {snapped(parts, step), reach};
  return {*spacing, static_cast<long>(std::ceil(wide / *spacing)) + 4};
}

long double least_atom(const Part& part) {
  long double least = infinity;
  for (const LossCell& cell : part.cells) {
    if (!cell.is_cut) least = std::min(least, cell.lowest);
  }
  return least;
}

// Points of which one is the least loss.
Lattice lattice_for(const Part& part, const Lattice& lattice) {
  const long double lowest = least_atom(part);
  if (!std::isfinite(lowest)) return lattice;
  return {lattice.step, lattice.reach,
          static_cast<double>(std::remainder(lowest, static_cast<long double>(lattice.step)))};
}

LatticeLoss composed(std::span<const Part> parts, const Lattice& lattice, Rounding rounding) {
  std::optional<LatticeLoss> total;
  for (const Part& part : parts) {
    LatticeLoss one = power(on_lattice(part.cells, lattice_for(part, lattice), rounding), part.times, rounding);
    total = total ? convolved(*total, one, rounding) : std::move(one);
  }
  return *total;
}

// Masses are within 4e-16 relatively, so ratios shift losses by no more; each of fewer than 2 `times` convolutions adds
// the rounding of `size` positive terms, which the next ones carry on.
struct Error {
  double shift;
  double factor;
};

Error error_of(std::span<const Part> parts, const Lattice& lattice) {
  double times = 0;
  for (const Part& part : parts) times += static_cast<double>(part.times);
  return {times * (1e-15 + 2e-12 * lattice.step), times * static_cast<double>(2 * lattice.reach + 16) * 4e-16};
}

Reference bracket(std::span<const Part> parts, double delta, long reach) {
  const Lattice lattice = lattice_of(parts, window(parts, delta), reach);
  const Error error = error_of(parts, lattice);
  return [error, upper = composed(parts, lattice, Rounding::chords),
          lower = composed(parts, lattice, Rounding::averages)](double epsilon) {
    return Bounds{delta_of(lower, epsilon + error.shift) * (1 - error.factor),
                  std::min(1.0, delta_of(upper, epsilon - error.shift) * (1 + error.factor) + 1e-290)};
  };
}

// None where an event has no cells.
std::vector<Part> parts_of(std::span<const accounting::Event> events, Side side, double delta) {
  std::vector<Part> parts;
  double times = 0;
  for (const accounting::Event& event : events) times += static_cast<double>(event.times().value());
  for (const accounting::Event& event : events) {
    parts.push_back({loss_cells(event, side, 2000, 1e-12 * delta / times), event.times().value()});
    if (parts.back().cells.empty()) return {};
  }
  return parts;
}

std::optional<Reference> bracket_of(std::span<const accounting::Event> events, Side side, double delta, long reach) {
  const std::vector<Part> parts = parts_of(events, side, delta);
  return parts.empty() ? std::nullopt : std::optional(bracket(parts, delta, reach));
}

}  // namespace

LatticeLoss composed_on_lattice(std::span<const accounting::Event> events, double delta, long reach,
                                Rounding rounding) {
  const std::vector<Part> parts = parts_of(events, Side::remove, delta);
  const Lattice lattice{window(parts, delta) / static_cast<double>(reach - 4), reach};
  return composed(parts, lattice, rounding);
}

std::optional<Reference> lattice_bracket(std::span<const accounting::Event> events, double delta, long reach) {
  const bool is_sampled = std::any_of(events.begin(), events.end(),
                                      [](const accounting::Event& event) { return !event.sampling().is_everyone(); });
  auto remove = bracket_of(events, Side::remove, delta, reach);
  if (!remove || !is_sampled) return remove;
  return larger(*std::move(remove), *bracket_of(events, Side::add, delta, reach));
}

}  // namespace vernier::test
