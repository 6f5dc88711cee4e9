#include "support/pair_bracket.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <variant>
#include <vector>

#include "support/loss_cells.hpp"

namespace vernier::test {
namespace {

constexpr long most_times = 6;
constexpr long double far = 1 - 1e-9L;  // groups so wide that 1 - e^-d has lost too many digits count as less wide
constexpr long double narrow = 1e-9L;   // cells in which p - e^l q has lost too many digits

struct Atom {
  long double loss;
  long double mass;
};

struct Atoms {
  std::vector<Atom> finite;
  long double infinite = 0;
};

enum class Way : std::uint8_t { spread, merged };

// Two atoms at the ends of [low, high] with the masses of P and Q in sum, or one between.
void add(Atoms& law, long double p, long double q, long double low, long double high, Way way) {
  if (high - low < narrow) {
    law.finite.push_back({way == Way::spread ? high : low, p});
  } else if (way == Way::merged) {
    law.finite.push_back({std::clamp(std::log(p / q), low, high), p});
  } else {
    const long double right = std::clamp((p - std::exp(low) * q) / -std::expm1(low - high), 0.0L, p);
    if (right < p) law.finite.push_back({low, p - right});
    if (right > 0) law.finite.push_back({high, right});
  }
}

Atoms atoms_of(const std::vector<LossCell>& cells, Way way) {
  Atoms law;
  for (const LossCell& cell : cells) {
    if (cell.q == 0 && std::isinf(cell.lowest)) {
      law.infinite += cell.p;
    } else if (cell.q == 0 && std::isfinite(cell.highest)) {  // below all long doubles, from losses of 11,000 on
      law.finite.push_back({way == Way::spread ? cell.highest : cell.lowest, cell.p});
    } else if (cell.is_cut || std::isinf(cell.highest) || std::isinf(cell.lowest)) {
      if (way == Way::merged) continue;
      if (std::isinf(cell.highest)) law.infinite += cell.p;
      if (!std::isinf(cell.highest)) law.finite.push_back({cell.highest, cell.p});
    } else {
      add(law, cell.p, cell.q, cell.lowest, cell.highest, way);
    }
  }
  return law;
}

// Groups of neighbours of about equal (mass width^2)^(1/3) in sum.
Atoms grouped(std::vector<Atom> atoms, int count, Way way) {
  std::sort(atoms.begin(), atoms.end(), [](const Atom& a, const Atom& b) { return a.loss < b.loss; });
  const auto step = [&](std::size_t i) {
    const long double width = i == 0 ? 0 : atoms[i].loss - atoms[i - 1].loss;
    return std::cbrt(atoms[i].mass * width * width);
  };
  long double all = 0;
  for (std::size_t i = 0; i < atoms.size(); ++i) all += step(i);
  Atoms law;
  for (std::size_t first = 0; first < atoms.size();) {
    long double p = atoms[first].mass, q_share = 0, size = 0;
    std::size_t last = first + 1;
    for (; last < atoms.size(); ++last) {
      size += step(last);
      if (size > all / count) break;
      p += atoms[last].mass;
      q_share -= atoms[last].mass * std::expm1(atoms[first].loss - atoms[last].loss);
    }
    const long double low = atoms[first].loss, high = atoms[last - 1].loss;
    if (way == Way::merged) {
      law.finite.push_back({low - std::log1p(-std::min(q_share / p, far)), p});
    } else {
      const long double right = high > low ? std::min(p, q_share / -std::expm1(low - high)) : 0;
      law.finite.push_back({low, p - right});
      if (right > 0) law.finite.push_back({high, right});
    }
    first = last;
  }
  return law;
}

Atoms sum_of(const Atoms& a, const Atoms& b, int count, Way way) {
  std::vector<Atom> all;
  all.reserve(a.finite.size() * b.finite.size());
  for (const Atom& one : a.finite) {
    for (const Atom& other : b.finite) all.push_back({one.loss + other.loss, one.mass * other.mass});
  }
  Atoms law = grouped(std::move(all), count, way);
  law.infinite = a.infinite + b.infinite - a.infinite * b.infinite;
  return law;
}

long double delta_of(const Atoms& law, long double epsilon) {
  long double sum = law.infinite;
  for (const Atom& atom : law.finite) {
    if (atom.loss > epsilon) sum -= atom.mass * std::expm1(epsilon - atom.loss);
  }
  return sum;
}

// Lattices of more points than that take too long one by one.
bool has_few_losses(const accounting::Event& event) {
  if (const auto* noise = std::get_if<mechanism::DiscreteGaussianMechanism>(&event.release())) {
    return noise->law().scale() < 100;
  }
  return true;
}

std::optional<Atoms> composed(std::span<const accounting::Event> events, Side side, double delta, int count, Way way) {
  std::optional<Atoms> total;
  for (const accounting::Event& event : events) {
    if (event.times().value() > most_times || !has_few_losses(event)) return std::nullopt;
    const std::vector<LossCell> cells = loss_cells(event, side, 600, 1e-9 * delta);
    if (cells.empty() || cells.size() > 100'000) return std::nullopt;
    const Atoms fine = atoms_of(cells, way);
    Atoms one = grouped(fine.finite, count, way);
    one.infinite = fine.infinite;
    for (long i = 0; i < event.times().value(); ++i) total = total ? sum_of(*total, one, count, way) : one;
  }
  return total;
}

// Rounding of long doubles, a few units for each of some ten thousand sums.
constexpr long double slack = 1e-12L;

std::optional<Reference> bracket(std::span<const accounting::Event> events, Side side, double delta, int count) {
  const auto above = composed(events, side, delta, count, Way::spread),
             below = composed(events, side, delta, count, Way::merged);
  if (!above || !below) return std::nullopt;
  return [upper = std::make_shared<Atoms>(*above), lower = std::make_shared<Atoms>(*below)](double epsilon) {
    const long double exact = epsilon, error = slack * exact;
    return Bounds{static_cast<double>(delta_of(*lower, exact + error) * (1 - slack)),
                  static_cast<double>(std::min(1.0L, delta_of(*upper, exact - error) * (1 + slack)))};
  };
}

}  // namespace

std::optional<Reference> pair_bracket(std::span<const accounting::Event> events, double delta, int atoms) {
  auto remove = bracket(events, Side::remove, delta, atoms);
  const bool is_sampled = std::any_of(events.begin(), events.end(),
                                      [](const accounting::Event& event) { return !event.sampling().is_everyone(); });
  if (!remove || !is_sampled) return remove;
  auto add = bracket(events, Side::add, delta, atoms);
  return add ? std::optional(larger(*std::move(remove), *std::move(add))) : std::nullopt;
}

}  // namespace vernier::test
