#include "vernier/denoise/lattice_sum.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace vernier::denoise {
namespace {

constexpr double part_left_out = 1e-6;     // of alpha
constexpr double most_shift = 0.15;        // of a deviation, by all roundings together
constexpr std::size_t most_masses = 2000;  // of a term, on either side of 0
constexpr double charged = 1 + 1e-9;       // for roundings: the page counts 1e-10

// The masses of a whole number from -reach to reach, from above, and what lies beyond them.
struct Masses {
  std::vector<double> at;
  double beyond;
  std::size_t reach() const { return at.size() / 2; }
};

template <class Law>
std::optional<Masses> masses_of(const Law& law, double beyond) {
  const Result<std::int64_t> reach = law.two_sided_quantile(*Probability::of(beyond));
  if (!reach || *reach > static_cast<std::int64_t>(most_masses)) return std::nullopt;
  Masses masses{{}, law.outside(*reach).upper};
  for (std::int64_t x = -*reach; x <= *reach; ++x) masses.at.push_back(law.mass(std::abs(x)).upper);
  return masses;
}

std::optional<Masses> masses_of(const Term& term, double beyond) {
  if (term.is_geometric) return masses_of(*noise::Geometric::of(*LaplaceScale::of(term.scale)), beyond);
  return masses_of(*noise::DiscreteGaussian::of(*Sigma::of(term.scale)), beyond);
}

// Of the sum of two; as much as `left_out` of it may be moved beyond.
Masses sum_of(const Masses& a, const Masses& b, double left_out) {
  std::vector<double> all(a.at.size() + b.at.size() - 1, 0.0);
  for (std::size_t i = 0; i < a.at.size(); ++i) {
    for (std::size_t j = 0; j < b.at.size(); ++j) all[i + j] += a.at[i] * b.at[j];
  }
  std::size_t first = 0;
  double moved = 0;
  while (first < all.size() / 2 && moved + all[first] + all[all.size() - 1 - first] <= left_out) {
    moved += all[first] + all[all.size() - 1 - first];
    ++first;
  }
  const auto aside = static_cast<std::ptrdiff_t>(first);
  return {std::vector<double>(all.begin() + aside, all.end() - aside), a.beyond + b.beyond + moved};
}

// Of the sum of many alike, by doubling.
std::optional<Masses> power_of(Masses one, std::int64_t draws, double left_out) {
  std::optional<Masses> product;
  for (double alike = 1;; alike *= 2) {
    if (draws % 2 == 1) product = product ? sum_of(*product, one, left_out * alike) : one;
    draws /= 2;
    if (draws == 0) break;
    if (one.reach() > most_masses) return std::nullopt;
    one = sum_of(one, one, left_out * alike);
  }
  return product->reach() > most_masses ? std::nullopt : product;
}

// All draws of a term: size times a whole number, and `slack` for sizes that are a little less.
struct Part {
  Masses masses;
  double size, slack;
};

std::optional<Part> part_of(const Term& term, double left_out) {
  std::optional<Masses> one = masses_of(term, left_out);
  if (!one) return std::nullopt;
  const double furthest = static_cast<double>(one->reach()) * static_cast<double>(term.draws);
  std::optional<Masses> all = power_of(*std::move(one), term.draws, left_out / 16);
  if (!all) return std::nullopt;
  return Part{*std::move(all), term.size, 0x1p-38 * term.size * furthest};
}

// The law of the sum so far, on multiples of the step from -end to end; beyond end it is left out and counted apart.
class Sum {
 public:
  Sum(double step, std::ptrdiff_t end) : step_(step), end_(end), at_(static_cast<std::size_t>(2 * end + 1), 0.0) {
    at_[static_cast<std::size_t>(end)] = 1;
  }

  void add(const Part& part) {
    std::vector<double> next(at_.size(), 0.0);
    std::ptrdiff_t reached = 0;
    const auto centre = static_cast<double>(part.masses.reach());
    for (std::size_t i = 0; i < part.masses.at.size(); ++i) {
      const double value = (static_cast<double>(i) - centre) * part.size + part.slack;
      const auto shift = static_cast<std::ptrdiff_t>(std::ceil(value / step_ + 1e-9));
      add_shifted(next, shift, part.masses.at[i]);
      reached = std::max(reached, std::abs(shift));
    }
    at_ = std::move(next);
    reached_ = std::min(reached_ + reached, end_);
    above_ += part.masses.beyond;
  }

  // The least multiple of the step above which there is at most p.
  std::optional<double> least_above(double p) const {
    double above = above_;
    if (above > p) return std::nullopt;
    std::ptrdiff_t k = end_;
    while (k > -end_ && above + at_[static_cast<std::size_t>(k + end_)] <= p)
      above += at_[static_cast<std::size_t>(k-- + end_)];
    return static_cast<double>(k) * step_;
  }

 private:
  // Below -end values are raised to it; above end they are counted.
  void add_shifted(std::vector<double>& next, std::ptrdiff_t shift, double mass) {
    const std::ptrdiff_t first = std::max(-reached_, -end_ - shift), last = std::min(reached_, end_ - shift);
    for (std::ptrdiff_t k = first; k <= last; ++k) {
      next[static_cast<std::size_t>(k + shift + end_)] += mass * at_[static_cast<std::size_t>(k + end_)];
    }
    for (std::ptrdiff_t k = std::max(last + 1, -reached_); k <= reached_; ++k)
      above_ += mass * at_[static_cast<std::size_t>(k + end_)];
    for (std::ptrdiff_t k = -reached_; k < std::min(first, reached_ + 1); ++k)
      next[0] += mass * at_[static_cast<std::size_t>(k + end_)];
  }

  double step_;
  std::ptrdiff_t end_, reached_ = 0;
  std::vector<double> at_;
  double above_ = 0;
};

}  // namespace

std::optional<double> reach_by_sum(const std::vector<Term>& terms, Alpha alpha, double deviation, double work) {
  if (!(deviation > 0)) return std::nullopt;
  std::int64_t count = 0;
  for (const Term& term : terms) count += term.draws;
  std::vector<Part> parts;
  double additions = 0, slack = 0;  // for each place of the grid
  for (const Term& term : terms) {
    std::optional<Part> part = part_of(term, alpha.value() * part_left_out / static_cast<double>(count));
    if (!part) return std::nullopt;
    additions += static_cast<double>(part->masses.at.size());
    slack += part->slack;
    parts.push_back(*std::move(part));
  }
  const double furthest = deviation * (3 + std::sqrt(2 * std::log(1 / alpha.value())) + std::log(1 / alpha.value()));
  const double step = std::max(2 * furthest * additions / work, deviation * 1e-4);
  if (step * static_cast<double>(parts.size()) + slack > most_shift * deviation) return std::nullopt;
  Sum sum(step, static_cast<std::ptrdiff_t>(std::ceil(furthest / step)));
  for (const Part& part : parts) sum.add(part);
  const std::optional<double> reach = sum.least_above(alpha.value() / 2 / charged);
  if (!reach) return std::nullopt;
  return std::max(*reach, 0.0) * charged;
}

}  // namespace vernier::denoise
