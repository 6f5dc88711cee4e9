#include "vernier/accounting/cells/discrete_loss.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting::cells {
namespace {

using numeric::unit_roundoff;

constexpr double least_mass = 1e-290;       // below it doubles lose their relative precision
constexpr double underflow = 1e-305;        // more than fewer than 1e15 products lose that are below all normal doubles
constexpr double narrow = 0.1;              // cells in which 1 - e^-d is a polynomial
constexpr double polynomial_error = 2e-8;   // its error relatively, and that of rounding with it
constexpr double same = 4 * unit_roundoff;  // losses that differ by no more, relatively, are one
constexpr std::size_t sampled_groups = 64;  // of each law, to find the cells of their sum

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

// What an atom counts, as it is and tilted by theta.
struct Weight {
  double plain;
  double tilted;
};

// Each of the two sums to 1.
std::vector<Weight> weights_of(const std::vector<Weighted>& atoms, const Aim& aim) {
  double top = -std::numeric_limits<double>::infinity();
  Weight all{0, 0};
  std::vector<Weight> weights;
  weights.reserve(atoms.size());
  for (const Weighted& atom : atoms) {
    weights.push_back({atom.mass, aim.theta * std::min(atom.loss, aim.cap) + std::log(atom.mass)});
    top = std::max(top, weights.back().tilted);
  }
  for (Weight& weight : weights) {
    weight.tilted = std::exp(weight.tilted - top);
    all = {all.plain + weight.plain, all.tilted + weight.tilted};
  }
  for (Weight& weight : weights) weight = {weight.plain / all.plain, weight.tilted / all.tilted};
  return weights;
}

// About what it costs to move the mass of a cell to its ends: the square of its width, and what a weight grows by.
double cost_of(const Weight& mass, double first, double last, const Aim& aim) {
  const double growth = aim.theta * (std::min(last, aim.cap) - std::min(first, aim.cap)), width = last - first;
  const double tilted = growth > 0.1 ? mass.tilted * std::exp(std::min(growth, 600.0)) : mass.tilted;
  return (mass.plain + tilted) * width * width;
}

// The places at which cells of a cost up to `most` begin, the atoms by rising loss. A cell ends at its last atom where
// the next one is far.
std::vector<double> knots_of(const std::vector<Weighted>& atoms, const std::vector<Weight>& weights, const Aim& aim,
                             double most) {
  std::vector<double> knots{atoms.front().loss};
  Weight mass{0, 0};
  double first = atoms.front().loss;
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    const double width = atoms[i].loss - first;
    const Weight more{mass.plain + weights[i].plain, mass.tilted + weights[i].tilted};
    mass = more;
    if (!(width > 0) || cost_of(more, first, atoms[i].loss, aim) <= most) continue;
    const double last = atoms[i - 1].loss;
    if (last > knots.back() && atoms[i].loss - last > 0.25 * width) knots.push_back(last);
    knots.push_back(first = atoms[i].loss);
    mass = weights[i];
  }
  if (atoms.back().loss > knots.back()) knots.push_back(atoms.back().loss);
  return knots;
}

// About so many knots.
std::vector<double> knots_for(const std::vector<Weighted>& atoms, const Aim& aim) {
  const std::vector<Weight> weights = weights_of(atoms, aim);
  const double range = atoms.back().loss - atoms.front().loss;
  double high = std::log(4 * range * range + 1e-300) + std::min(aim.theta * range, 600.0), low = high - 680;
  std::vector<double> best{atoms.front().loss, atoms.back().loss};
  if (!(range > 0)) best.pop_back();
  for (int halving = 0; halving < 17; ++halving) {
    const double middle = 0.5 * (low + high);
    std::vector<double> knots = knots_of(atoms, weights, aim, std::exp(middle));
    if (knots.size() <= aim.atoms) {
      high = middle;
      best = std::move(knots);
      if (best.size() > aim.atoms - aim.atoms / 16) break;
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

  // Adds the atoms shift + losses[i], of masses factor * masses[i], for first_atom <= i < last_atom, from a cell on
  // that is not beyond them. Says in which one the first of them is.
  std::size_t add(double shift, double factor, const DiscreteLoss& law, std::size_t first_atom, std::size_t last_atom,
                  std::size_t cell) {
    std::size_t begin = cell;
    for (std::size_t i = first_atom; i < last_atom;) {
      const double first = shift + law.losses[i];
      while (cell + 1 < knots_.size() && first >= knots_[cell + 1]) ++cell;
      if (i == first_atom) begin = cell;
      const double start = knots_[cell],
                   end = cell + 1 < knots_.size() ? knots_[cell + 1] : std::numeric_limits<double>::infinity();
      double mass = 0, rising = 0;
      if (narrow_[cell]) {
        for (; i < last_atom && shift + law.losses[i] < end; ++i) {
          mass += law.masses[i];
          rising += law.masses[i] * rise(std::max(0.0, shift + law.losses[i] - start));
        }
      } else {
        for (; i < last_atom && shift + law.losses[i] < end; ++i) {
          mass += law.masses[i];
          rising -= law.masses[i] * std::expm1(start - (shift + law.losses[i]));
        }
      }
      masses_[cell] += factor * mass;
      rises_[cell] += factor * rising;
    }
    return begin;
  }

  const std::vector<double>& knots() const { return knots_; }
  const std::vector<double>& masses() const { return masses_; }

  DiscreteLoss above(double relative_error) const {
    std::vector<double> masses(knots_.size(), 0.0);
    for (std::size_t i = 0; i < knots_.size(); ++i) {
      if (masses_[i] == 0) continue;
      const bool is_last = i + 1 == knots_.size();
      const double right =
          is_last ? 0
                  : std::min(masses_[i], rises_[i] * (1 + polynomial_error) / -std::expm1(knots_[i] - knots_[i + 1]));
      masses[i] += masses_[i] - right;
      if (!is_last) masses[i + 1] += right;
    }
    DiscreteLoss result{{}, {}, underflow};
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
      const double share = rises_[i] * (1 - polynomial_error) / masses_[i];
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

// A rough copy with few atoms, at both ends of their groups, so that no sum lies outside of the rough sums by more than
// rounding: a guide.
std::vector<Weighted> rough(const DiscreteLoss& law, const Aim& aim) {
  std::vector<Weighted> atoms = atoms_of(law);
  if (atoms.size() <= 2 * sampled_groups) return atoms;
  const std::vector<double> knots = knots_for(atoms, {aim.theta, aim.cap, sampled_groups});
  std::vector<Weighted> ends;
  std::size_t i = 0;
  for (std::size_t k = 0; k < knots.size(); ++k) {
    const double end = k + 1 < knots.size() ? knots[k + 1] : std::numeric_limits<double>::infinity();
    const std::size_t first = i;
    double mass = 0;
    for (; i < atoms.size() && atoms[i].loss < end; ++i) mass += atoms[i].mass;
    if (mass == 0) continue;
    ends.push_back({atoms[first].loss, mass / 2});
    ends.push_back({atoms[i - 1].loss, mass / 2});
  }
  return ends;
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
  return static_cast<double>(a.size()) * static_cast<double>(b.size()) * (&a == &b ? 0.5 : 1);
}

DiscreteLoss reduced(const DiscreteLoss& law, const Aim& aim, End end) {
  if (law.size() <= aim.atoms) return law;
  Cells cells(knots_for(atoms_of(law), aim));
  cells.add(0, 1, law, 0, law.size(), 0);
  DiscreteLoss result = on_side(cells, static_cast<double>(law.size()), end);
  result.infinite += law.infinite;
  return result;
}

namespace {

void add_all(Cells& cells, const std::vector<Weighted>& atoms, const DiscreteLoss& law) {
  std::size_t from = 0;
  for (const Weighted& atom : atoms) from = cells.add(atom.loss, atom.mass, law, 0, law.size(), from);
}

// Both are the same law: each pair of different atoms once, for two.
void add_square(Cells& cells, const DiscreteLoss& law) {
  std::size_t from = 0;
  for (std::size_t i = 0; i < law.size(); ++i) {
    from = cells.add(law.losses[i], law.masses[i], law, i, i + 1, from);
    cells.add(law.losses[i], 2 * law.masses[i], law, i + 1, law.size(), from);
  }
}

// The knots of cells whose masses are about known, with more between where the cost mass width^2 of a cell is high: cut
// into n pieces each costs n^3 times less.
std::vector<double> divided(const Cells& cells, const Aim& aim) {
  const std::vector<double>& knots = cells.knots();
  std::vector<Weighted> atoms;
  std::vector<std::size_t> cell;
  for (std::size_t i = 0; i + 1 < knots.size(); ++i) {
    if (!(cells.masses()[i] > least_mass)) continue;
    atoms.push_back({0.5 * (knots[i] + knots[i + 1]), cells.masses()[i]});
    cell.push_back(i);
  }
  if (atoms.empty()) return knots;
  const std::vector<Weight> weights = weights_of(atoms, aim);
  std::vector<double> thirds(knots.size(), 0.0);  // cubic roots of the costs
  double all = 0;
  for (std::size_t j = 0; j < cell.size(); ++j) {
    thirds[cell[j]] = std::cbrt(cost_of(weights[j], knots[cell[j]], knots[cell[j] + 1], aim));
    all += thirds[cell[j]];
  }
  const double room = static_cast<double>(aim.atoms) - static_cast<double>(knots.size());
  if (!(room > 0) || !(all > 0)) return knots;
  std::vector<double> result;
  for (std::size_t i = 0; i < knots.size(); ++i) {
    result.push_back(knots[i]);
    if (i + 1 == knots.size()) break;
    const double pieces = 1 + std::floor(room * thirds[i] / all), width = (knots[i + 1] - knots[i]) / pieces;
    for (double piece = 1; piece < pieces; ++piece) {
      const double place = knots[i] + piece * width;
      if (place > result.back() && place < knots[i + 1]) result.push_back(place);
    }
  }
  return result;
}

DiscreteLoss finite_sum(const DiscreteLoss& a, const DiscreteLoss& b, const Aim& aim, End end) {
  if (a.size() == 0 || b.size() == 0) return {};
  if (pairs_of(a, b) <= 4.0 * static_cast<double>(aim.atoms)) return reduced(all_sums(a, b, end), aim, end);
  const std::vector<Weighted> rough_a = rough(a, aim), rough_b = rough(b, aim);
  std::vector<Weighted> guide = sums(rough_a, rough_b);
  const double least = a.losses.front() + b.losses.front(), greatest = a.losses.back() + b.losses.back();
  if (guide.empty()) guide.push_back({greatest, 1});
  std::vector<double> knots = knots_for(guide, {aim.theta, aim.cap, aim.atoms / 2});
  if (least < knots.front()) knots.insert(knots.begin(), least);
  if (greatest > knots.back()) knots.push_back(greatest);
  Cells trial(std::move(knots));
  add_all(trial, rough_a, b);
  if (&a != &b) add_all(trial, rough_b, a);
  Cells cells(divided(trial, aim));
  const DiscreteLoss &longer = a.size() < b.size() ? b : a, &shorter = a.size() < b.size() ? a : b;
  if (&a == &b) {
    add_square(cells, a);
  } else {
    add_all(cells, atoms_of(shorter), longer);
  }
  return on_side(cells, static_cast<double>(a.size() + b.size()), end);
}

}  // namespace

double infinite_of_either(double a, double b, End end) {
  if (end == End::upper) return std::min(1.0, numeric::add_up(a, numeric::multiply_up(numeric::subtract_up(1, a), b)));
  return numeric::add_down(a, numeric::multiply_down(numeric::subtract_down(1, a), b));
}

DiscreteLoss composed(const DiscreteLoss& a, const DiscreteLoss& b, const Aim& aim, End end) {
  DiscreteLoss sum = finite_sum(a, b, aim, end);
  const double infinite = infinite_of_either(a.infinite, b.infinite, end);
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
  if (end_ == End::lower) return sum * (1 - error);
  const bool is_beyond =
      a_.size() == 0 || losses_.empty() || epsilon > (a_.losses.back() + losses_.back()) * (1 + 1e-15);
  return sum * (1 + error) + (is_beyond ? 0 : underflow);
}

}  // namespace vernier::accounting::cells
