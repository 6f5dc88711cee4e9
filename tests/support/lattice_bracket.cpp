#include "support/lattice_bracket.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace vernier::test {
namespace {

using Cells = std::vector<LossCell>;

constexpr long double infinity = std::numeric_limits<long double>::infinity();

void put(LatticeLoss& loss, long index, long double mass) {
  loss.masses[static_cast<std::size_t>(index + loss.lattice.reach)] += static_cast<double>(mass);
}

// In steps from the point 0.
long double place(const Lattice& lattice, long double value) { return (value - lattice.offset) / lattice.step; }
long double value_at(const Lattice& lattice, long double index) { return index * lattice.step + lattice.offset; }
long double end_of(const Lattice& lattice) { return static_cast<long double>(lattice.reach); }

// Mass b at `high` and p - b at `low` with the cell's own Q: b (1 - e^(low - high)) = p - q e^low.
void split(LatticeLoss& loss, const LossCell& cell, long double low, long double high) {
  const long double share =
      (1 - cell.q / cell.p * std::exp(value_at(loss.lattice, low))) / -std::expm1((low - high) * loss.lattice.step);
  const long double upper = cell.p * std::clamp(share, 0.0L, 1.0L);
  put(loss, static_cast<long>(high), upper);
  put(loss, static_cast<long>(low), cell.p - upper);
}

void add_chord(LatticeLoss& loss, const LossCell& cell) {
  const long double end = end_of(loss.lattice), high = std::ceil(place(loss.lattice, cell.highest));
  if (!(high <= end)) {
    loss.infinite += static_cast<double>(cell.p);
    return;
  }
  const long double low = std::floor(place(loss.lattice, cell.lowest));
  if (low >= -end && low < high && !cell.is_cut) return split(loss, cell, low, high);
  put(loss, static_cast<long>(std::max(high, -end)), cell.p);
}

void add_rounded(LatticeLoss& loss, const LossCell& cell, bool upward) {
  const long double end = end_of(loss.lattice);
  const long double at =
      upward ? std::ceil(place(loss.lattice, cell.highest)) : std::floor(place(loss.lattice, cell.lowest));
  if (!(at <= end)) {
    loss.infinite += static_cast<double>(cell.p);
  } else {
    put(loss, static_cast<long>(std::max(at, -end)), cell.p);
  }
}

constexpr long double slack = 1e-12L;  // of a step: a ratio that is meant to be a point's may be so far below it

// Gathers cells, greatest losses first, until their common ratio P / Q is that of a point of the lattice; the cell that
// would take it further is split, which is a coin that whoever sees the outcome may toss. What is left at the end goes
// to the point below.
class Averages {
 public:
  explicit Averages(LatticeLoss& loss) : loss_(loss) {}

  void add(LossCell cell) {
    while (cell.p > 0) {
      if (p_ == 0) {
        const long double at = place(loss_.lattice, std::log(cell.p / cell.q));
        target_ = std::floor(at + slack);
        if (at - target_ <= slack) return put_alone(cell);
      }
      const long double x = std::exp(value_at(loss_.lattice, target_));
      if (p_ + cell.p > x * (q_ + cell.q)) return gather(cell.p, cell.q);
      const long double share = std::clamp((p_ - x * q_) / (x * cell.q - cell.p), 0.0L, 1.0L);
      gather(share * cell.p, share * cell.q);
      close(target_);
      cell.p *= 1 - share;
      cell.q *= 1 - share;
    }
  }
  void finish() {
    if (p_ > 0) close(std::floor(place(loss_.lattice, std::log(p_ / q_)) + slack));
  }

 private:
  void put_alone(const LossCell& cell) {
    gather(cell.p, cell.q);
    close(target_);
  }
  void gather(long double p, long double q) {
    p_ += p;
    q_ += q;
  }
  void close(long double at) {
    const long double end = end_of(loss_.lattice);
    if (at >= -end) put(loss_, static_cast<long>(std::min(at, end)), p_);
    p_ = q_ = 0;
  }

  LatticeLoss& loss_;
  long double target_ = 0, p_ = 0, q_ = 0;
};

void add_averages(LatticeLoss& loss, std::span<const LossCell> cells) {
  Cells atoms;
  for (const LossCell& cell : cells) {
    if (cell.is_cut) continue;
    if (cell.q == 0) {
      loss.infinite += static_cast<double>(cell.p);
    } else {
      atoms.push_back(cell);
    }
  }
  std::sort(atoms.begin(), atoms.end(), [](const LossCell& a, const LossCell& b) { return a.p * b.q > b.p * a.q; });
  Averages averages(loss);
  for (const LossCell& cell : atoms) averages.add(cell);
  averages.finish();
}

}  // namespace

LatticeLoss on_lattice(std::span<const LossCell> cells, const Lattice& lattice, Rounding rounding) {
  LatticeLoss loss{lattice, std::vector<double>(static_cast<std::size_t>(2 * lattice.reach + 1), 0.0)};
  if (rounding == Rounding::averages) {
    add_averages(loss, cells);
    return loss;
  }
  for (const LossCell& cell : cells) {
    if (rounding == Rounding::chords)
      add_chord(loss, cell);
    else
      add_rounded(loss, cell, rounding == Rounding::upward);
  }
  return loss;
}

LatticeLoss convolved(const LatticeLoss& a, const LatticeLoss& b, Rounding rounding) {
  const std::size_t size = a.masses.size();
  std::vector<double> all(2 * size - 1, 0.0);
  for (std::size_t i = 0; i < size; ++i) {
    const double mass = a.masses[i];
    if (mass == 0) continue;
    for (std::size_t j = 0; j < size; ++j) all[i + j] += mass * b.masses[j];
  }
  Lattice lattice = a.lattice;
  const double moved = std::round((a.lattice.offset + b.lattice.offset) / lattice.step);
  lattice.offset = a.lattice.offset + b.lattice.offset - moved * lattice.step;
  const auto first = all.begin() + (lattice.reach - static_cast<long>(moved)), last = first + static_cast<long>(size);
  LatticeLoss result{lattice, {first, last}, a.infinite + b.infinite};
  const double below = std::accumulate(all.begin(), first, 0.0), above = std::accumulate(last, all.end(), 0.0);
  if (rounding == Rounding::averages) {
    result.infinite -= a.infinite * b.infinite;
    result.masses.back() += above;
  } else {
    result.masses.front() += below;
    result.infinite += above;
  }
  return result;
}

LatticeLoss power(LatticeLoss base, long times, Rounding rounding) {
  std::optional<LatticeLoss> result;
  for (; times > 0; times /= 2) {
    if (times % 2 == 1) result = result ? convolved(*result, base, rounding) : base;
    if (times > 1) base = convolved(base, base, rounding);
  }
  return *result;
}

double delta_of(const LatticeLoss& loss, double epsilon) {
  double sum = loss.infinite;
  for (long i = loss.lattice.reach; i >= -loss.lattice.reach; --i) {
    const double above = static_cast<double>(value_at(loss.lattice, static_cast<long double>(i))) - epsilon;
    if (above <= 0) break;
    sum -= loss.masses[static_cast<std::size_t>(i + loss.lattice.reach)] * std::expm1(-above);
  }
  return sum;
}

namespace {

struct Part {
  Cells cells;
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
  std::optional<LatticeLoss> total;
  for (const Part& part : parts) {
    LatticeLoss one = power(on_lattice(part.cells, lattice, rounding), part.times, rounding);
    total = total ? convolved(*total, one, rounding) : std::move(one);
  }
  return *total;
}

std::optional<Reference> lattice_bracket(std::span<const accounting::Event> events, double delta, long reach) {
  const bool is_sampled = std::any_of(events.begin(), events.end(),
                                      [](const accounting::Event& event) { return !event.sampling().is_everyone(); });
  auto remove = bracket_of(events, Side::remove, delta, reach);
  if (!remove || !is_sampled) return remove;
  return larger(*std::move(remove), *bracket_of(events, Side::add, delta, reach));
}

}  // namespace vernier::test
