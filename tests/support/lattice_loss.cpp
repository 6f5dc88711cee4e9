#include "support/lattice_loss.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace vernier::test {
namespace {

using Cells = std::vector<LossCell>;

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

}  // namespace vernier::test
