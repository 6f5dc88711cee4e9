#include "vernier/accounting/cells/discrete_loss.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "vernier/numeric/rounding.hpp"
#include "vernier/numeric/roundoff.hpp"

namespace vernier::accounting::cells {
namespace {

using numeric::unit_roundoff;

constexpr double least_mass = 1e-290;      // below it doubles lose their relative precision
constexpr double narrow = 0.1;             // cells in which 1 - e^-d is a polynomial
constexpr double polynomial_error = 2e-8;  // its error relatively, and that of rounding with it
constexpr double same = 4 * unit_roundoff;  // losses that differ by no more, relatively, are one
constexpr std::size_t sampled_atoms = 180;  // of each law, to find the cells of their sum

double moved(double loss, End end, double units) {
  const double error = units * unit_roundoff * std::fabs(loss);
  return end == End::upper ? loss + error : loss - error;
}

// 1 - e^-d for 0 <= d <= narrow: the series' next term is d^5 / 720 of it.
double rise(double d) { return d * (1 - d * (1.0 / 2 - d * (1.0 / 6 - d * (1.0 / 24 - d * (1.0 / 120))))); }

struct Weighted {
  double loss;
  double mass;
};

// The masses as they count: half of them as they are, half tilted by theta.
std::vector<double> weights_of(const std::vector<Weighted>& atoms, double theta) {
  double top = -std::numeric_limits<double>::infinity(), plain = 0, tilted = 0;
  for (const Weighted& atom : atoms) top = std::max(top, theta * atom.loss + std::log(atom.mass));
  std::vector<double> weights;
  weights.reserve(atoms.size());
  for (const Weighted& atom : atoms) {
    weights.push_back(std::exp(theta * atom.loss + std::log(atom.mass) - top));
    plain += atom.mass;
    tilted += weights.back();
  }
  for (std::size_t i = 0; i < atoms.size(); ++i) weights[i] = weights[i] / tilted + atoms[i].mass / plain;
  return weights;
}

// The places at which cells of cost mass width^2 <= most begin, the atoms by rising loss. A cell ends at its last atom
// where the next one is far.
std::vector<double> knots_of(const std::vector<Weighted>& atoms, const std::vector<double>& weights, double most) {
  std::vector<double> knots{atoms.front().loss};
  double mass = 0, first = atoms.front().loss;
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    const double width = atoms[i].loss - first;
    if (width > 0 && (mass + weights[i]) * width * width > most) {
      const double last = atoms[i - 1].loss;
      if (last > knots.back() && atoms[i].loss - last > 0.25 * width) knots.push_back(last);
      knots.push_back(first = atoms[i].loss);
      mass = 0;
    }
    mass += weights[i];
  }
  if (atoms.back().loss > knots.back()) knots.push_back(atoms.back().loss);
  return knots;
}

// About so many knots.
std::vector<double> knots_for(const std::vector<Weighted>& atoms, const Aim& aim) {
  const std::vector<double> weights = weights_of(atoms, aim.theta);
  const double range = atoms.back().loss - atoms.front().loss;
  double low = -80, high = std::log(4 * range * range + 1e-300);
  std::vector<double> best = knots_of(atoms, weights, std::exp(high));
  low = high + low;
  for (int halving = 0; halving < 14; ++halving) {
    const double middle = 0.5 * (low + high);
    std::vector<double> knots = knots_of(atoms, weights, std::exp(middle));
    if (knots.size() <= aim.atoms) {
      high = middle;
      best = std::move(knots);
    } else {
      low = middle;
    }
  }
  return best;
}

// The cells between knots with the mass in each, and the sum of mass (1 - e^-(l - knot)).
class Cells {
 public:
  explicit Cells(std::vector<double> knots)
      : knots_(std::move(knots)), masses_(knots_.size(), 0.0), rises_(knots_.size(), 0.0) {
    for (std::size_t i = 0; i + 1 < knots_.size(); ++i) narrow_.push_back(knots_[i + 1] - knots_[i] < narrow);
    narrow_.push_back(true);
  }

  // Adds the atoms shift + losses[i], of masses factor * masses[i], from a cell on that is not beyond them.
  std::size_t add(double shift, double factor, const DiscreteLoss& law, std::size_t cell) {
    std::size_t begin = cell;
    for (std::size_t i = 0; i < law.size();) {
      const double first = shift + law.losses[i];
      while (cell + 1 < knots_.size() && first >= knots_[cell + 1]) ++cell;
      if (i == 0) begin = cell;
      const double start = knots_[cell],
                   end = cell + 1 < knots_.size() ? knots_[cell + 1] : std::numeric_limits<double>::infinity();
      double mass = 0, rising = 0;
      if (narrow_[cell]) {
        for (; i < law.size() && shift + law.losses[i] < end; ++i) {
          mass += law.masses[i];
          rising += law.masses[i] * rise(std::max(0.0, shift + law.losses[i] - start));
        }
      } else {
        for (; i < law.size() && shift + law.losses[i] < end; ++i) {
          mass += law.masses[i];
          rising -= law.masses[i] * std::expm1(start - (shift + law.losses[i]));
        }
      }
      masses_[cell] += factor * mass;
      rises_[cell] += factor * rising;
    }
    return begin;
  }

  DiscreteLoss above(double relative_error) const {
    std::vector<double> masses(knots_.size(), 0.0);
    for (std::size_t i = 0; i < knots_.size(); ++i) {
      if (masses_[i] == 0) continue;
      const bool is_last = i + 1 == knots_.size();
      const double right =
          is_last ? 0
                  : std::min(masses_[i], (rises_[i] * (1 + polynomial_error) + 8 * unit_roundoff * masses_[i]) /
                                             -std::expm1(knots_[i] - knots_[i + 1]));
      masses[i] += masses_[i] - right;
      if (!is_last) masses[i + 1] += right;
    }
    DiscreteLoss result;
    for (std::size_t i = 0; i < knots_.size(); ++i) {
      const double mass = masses[i] * (1 + relative_error);
      if (mass < least_mass) {
        result.infinite += mass;
        continue;
      }
      result.losses.push_back(moved(knots_[i], End::upper, 4));
      result.masses.push_back(mass);
    }
    return result;
  }

  DiscreteLoss below(double relative_error) const {
    DiscreteLoss result;
    for (std::size_t i = 0; i < knots_.size(); ++i) {
      const double mass = masses_[i] * (1 - relative_error);
      if (mass < least_mass) continue;
      const double share = std::max(0.0, rises_[i] * (1 - polynomial_error) / masses_[i] - 8 * unit_roundoff);
      const double loss = knots_[i] - std::log1p(-std::min(share, 1 - 1e-9));
      result.losses.push_back(moved(loss, End::lower, 8));
      result.masses.push_back(mass);
    }
    return result;
  }

 private:
  std::vector<double> knots_;
  std::vector<double> masses_, rises_;
  std::vector<char> narrow_;
};

DiscreteLoss on_side(const Cells& cells, double terms, End end) {
  const double error = (terms + 16) * unit_roundoff;
  return end == End::upper ? cells.above(error) : cells.below(error);
}

std::vector<Weighted> atoms_of(const DiscreteLoss& law) {
  std::vector<Weighted> atoms(law.size());
  for (std::size_t i = 0; i < law.size(); ++i) atoms[i] = {law.losses[i], law.masses[i]};
  return atoms;
}

// A rough copy with few atoms, at the middles of their groups: a guide.
std::vector<Weighted> rough(const DiscreteLoss& law, double theta) {
  const std::vector<Weighted> atoms = atoms_of(law);
  if (atoms.size() <= sampled_atoms) return atoms;
  const std::vector<double> knots = knots_for(atoms, {theta, sampled_atoms});
  std::vector<Weighted> groups;
  std::size_t i = 0;
  for (std::size_t k = 0; k < knots.size(); ++k) {
    double mass = 0, moment = 0;
    const double end = k + 1 < knots.size() ? knots[k + 1] : std::numeric_limits<double>::infinity();
    for (; i < atoms.size() && atoms[i].loss < end; ++i) {
      mass += atoms[i].mass;
      moment += atoms[i].mass * (atoms[i].loss - knots[k]);
    }
    if (mass > 0) groups.push_back({knots[k] + moment / mass, mass});
  }
  return groups;
}

std::vector<Weighted> sums(const std::vector<Weighted>& a, const std::vector<Weighted>& b) {
  std::vector<Weighted> all;
  all.reserve(a.size() * b.size());
  for (const Weighted& one : a) {
    for (const Weighted& other : b) {
      const double mass = one.mass * other.mass;
      if (mass > least_mass) all.push_back({one.loss + other.loss, mass});
    }
  }
  std::sort(all.begin(), all.end(), [](const Weighted& x, const Weighted& y) { return x.loss < y.loss; });
  return all;
}

// Every sum of two atoms, equal ones as one.
DiscreteLoss all_sums(const DiscreteLoss& a, const DiscreteLoss& b, End end) {
  DiscreteLoss result;
  const double grown = end == End::upper ? 1 + 2 * unit_roundoff : 1 - 2 * unit_roundoff;
  std::vector<Weighted> all;
  all.reserve(a.size() * b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      const double mass = a.masses[i] * b.masses[j] * grown;
      if (mass >= least_mass) {
        all.push_back({a.losses[i] + b.losses[j], mass});
      } else if (end == End::upper) {
        result.infinite += std::max(mass, 5e-324);
      }
    }
  }
  std::sort(all.begin(), all.end(), [](const Weighted& x, const Weighted& y) { return x.loss < y.loss; });
  for (std::size_t i = 0; i < all.size();) {
    std::size_t last = i;
    double mass = 0;
    while (last < all.size() && all[last].loss - all[i].loss <= same * std::fabs(all[i].loss)) mass += all[last++].mass;
    const double taken = end == End::upper ? all[last - 1].loss : all[i].loss;
    const double rounding = static_cast<double>(last - i) * unit_roundoff;
    result.losses.push_back(moved(taken, end, 2));
    result.masses.push_back(end == End::upper ? mass * (1 + rounding) : mass * (1 - rounding));
    i = last;
  }
  return result;
}

}  // namespace

double pairs_of(const DiscreteLoss& a, const DiscreteLoss& b) {
  return static_cast<double>(a.size()) * static_cast<double>(b.size());
}

DiscreteLoss reduced(const DiscreteLoss& law, const Aim& aim, End end) {
  if (law.size() <= aim.atoms) return law;
  Cells cells(knots_for(atoms_of(law), aim));
  cells.add(0, 1, law, 0);
  DiscreteLoss result = on_side(cells, static_cast<double>(law.size()), end);
  result.infinite += law.infinite;
  return result;
}

namespace {

DiscreteLoss finite_sum(const DiscreteLoss& a, const DiscreteLoss& b, const Aim& aim, End end) {
  if (a.size() == 0 || b.size() == 0) return {};
  if (pairs_of(a, b) <= 4.0 * static_cast<double>(aim.atoms)) return reduced(all_sums(a, b, end), aim, end);
  std::vector<Weighted> guide = sums(rough(a, aim.theta), rough(b, aim.theta));
  const double least = a.losses.front() + b.losses.front(), greatest = a.losses.back() + b.losses.back();
  if (guide.empty()) guide.push_back({greatest, 1});
  std::vector<double> knots = knots_for(guide, aim);
  if (least < knots.front()) knots.insert(knots.begin(), least);
  if (greatest > knots.back()) knots.push_back(greatest);
  Cells cells(std::move(knots));
  const DiscreteLoss &longer = a.size() < b.size() ? b : a, &shorter = a.size() < b.size() ? a : b;
  std::size_t from = 0;
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    from = cells.add(shorter.losses[i], shorter.masses[i], longer, from);
  }
  return on_side(cells, static_cast<double>(a.size() + b.size()), end);
}

// That one of the two is.
double either(double a, double b, End end) {
  if (end == End::upper) return std::min(1.0, numeric::add_up(a, numeric::multiply_up(numeric::subtract_up(1, a), b)));
  return numeric::add_down(a, numeric::multiply_down(numeric::subtract_down(1, a), b));
}

}  // namespace

DiscreteLoss composed(const DiscreteLoss& a, const DiscreteLoss& b, const Aim& aim, End end) {
  DiscreteLoss sum = finite_sum(a, b, aim, end);
  const double infinite = either(a.infinite, b.infinite, end);
  sum.infinite = end == End::upper ? numeric::add_up(sum.infinite, infinite) : infinite;
  return sum;
}

PairCurve::PairCurve(const DiscreteLoss& a, const DiscreteLoss& b, End end)
    : a_(a), losses_(b.losses), ratio_(b.size()), excess_(b.size()), end_(end) {
  for (std::size_t i = b.size(); i-- > 0;) {
    if (i + 1 == b.size()) {
      ratio_[i] = b.masses[i];
      excess_[i] = 0;
      continue;
    }
    const double gap = losses_[i + 1] - losses_[i];
    ratio_[i] = b.masses[i] + std::exp(-gap) * ratio_[i + 1];
    excess_[i] = excess_[i + 1] - std::expm1(-gap) * ratio_[i + 1];
  }
}

// The thresholds fall from call to call, but for rounding, so `from` falls too: the first atom of B above it.
double PairCurve::beyond(double threshold, std::size_t& from) const {
  while (from > 0 && losses_[from - 1] > threshold) --from;
  while (from < losses_.size() && losses_[from] <= threshold) ++from;
  if (from == losses_.size()) return 0;
  return excess_[from] - std::expm1(threshold - losses_[from]) * ratio_[from];
}

double PairCurve::operator()(double epsilon) const {
  std::size_t from = losses_.size();
  double sum = 0;
  for (std::size_t i = 0; i < a_.size(); ++i) {
    const double error = 2 * unit_roundoff * (std::fabs(epsilon) + std::fabs(a_.losses[i]));
    const double threshold = epsilon - a_.losses[i] + (end_ == End::upper ? -error : error);
    sum += a_.masses[i] * beyond(threshold, from);
  }
  const double error = 16 * unit_roundoff * static_cast<double>(a_.size() + losses_.size() + 16);
  return end_ == End::upper ? sum * (1 + error) : sum * (1 - error);
}

}  // namespace vernier::accounting::cells
