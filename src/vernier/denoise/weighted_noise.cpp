#include "vernier/denoise/weighted_noise.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numbers>
#include <optional>
#include <tuple>

#include "vernier/denoise/smooth_noise.hpp"
#include "vernier/noise/gaussian.hpp"

namespace vernier::denoise {
namespace {

constexpr double raised = 1 + 1e-9;   // pays for the roundings of a reach
constexpr double most_excess = 0.05;  // of the logarithm of what smoothing multiplies probabilities by
constexpr int tried_moments = 60;

// What of a probability is given away to pay for the smoothing; the best of these serves.
constexpr double given_away[] = {0.001, 0.003, 0.01, 0.03, 0.06, 0.1, 0.2};

// The mantissa cut to 40 bits, from above.
double raised_size(double weight) {
  int exponent = 0;
  const double mantissa = std::frexp(std::abs(weight), &exponent);
  return std::ldexp(std::ceil(std::ldexp(mantissa, 40)), exponent - 40);
}

double sum_over(const std::vector<Term>& terms, const auto& of_one) {
  double sum = 0;
  for (const Term& term : terms) sum += static_cast<double>(term.draws) * of_one(term);
  return sum;
}

double square(double x) { return x * x; }

double scale_of(const IntegerLaw& law) {
  return std::visit([](const auto& one) { return one.scale(); }, law);
}

// ln E exp(mu X) of one draw from above, mu * scale < 1 for the geometric law:
// E = 1 / (1 - (sinh(mu / 2) / sinh(1 / 2s))^2), and exp((mu sigma)^2 / 2) is at least that of the discrete Gaussian.
double log_moment(const Term& term, double mu) {
  if (!term.is_geometric) return square(mu * term.scale) / 2;
  return -std::log1p(-square(std::sinh(mu / 2) / std::sinh(0.5 / term.scale)));
}

double variance_of_sum(const std::vector<Term>& terms) {
  return sum_over(terms, [](const Term& term) {
    return square(term.size) * (term.is_geometric ? 0.5 / square(std::sinh(0.5 / term.scale)) : square(term.scale));
  });
}

// By Chernoff's bound on the lattice.
double reach_by_moments(const std::vector<Term>& terms, Alpha alpha) {
  double greatest = HUGE_VAL;  // the lambda from which on there is no moment
  for (const Term& term : terms) {
    if (term.is_geometric) greatest = std::min(greatest, 1 / (term.size * term.scale));
  }
  const double variance = variance_of_sum(terms);
  const double wanted = std::log(2 / alpha.value());
  const double normal = std::sqrt(2 * wanted / std::max(variance, 1e-300));
  double least = HUGE_VAL;
  for (int i = 1; i <= tried_moments; ++i) {
    const double part = i / (tried_moments + 1.0);
    for (const double lambda :
         {std::min(part * greatest, 2 * part * normal), part * std::min(greatest, 1e12 * normal)}) {
      const double moments = sum_over(terms, [&](const Term& term) { return log_moment(term, lambda * term.size); });
      if (std::isfinite(moments)) least = std::min(least, (wanted + moments) / lambda);
    }
  }
  return least * raised;
}

// ln of the factor by which the density of discrete plus normal noise of deviation h may exceed the normal one.
double excess(const Term& term, double h) {
  if (term.is_geometric) return 0;
  const double between = square(term.scale * h) / (square(term.scale) + square(h));
  return std::log1p(2 / std::expm1(2 * square(std::numbers::pi) * between));
}

// The least deviation of normal noise that makes discrete Gaussian draws nearly normal, 0 where there are none; nothing
// where there is no such.
std::optional<double> smoothing(const std::vector<Term>& terms) {
  for (double h = 0; h < 2; h += h == 0 ? 0.3 : 0.05) {
    const double sum =
        sum_over(terms, [&](const Term& term) { return h == 0 && !term.is_geometric ? 1 : excess(term, h); });
    if (sum <= most_excess) return h;
  }
  return std::nullopt;
}

// The law over the reals: geometric draws become Laplace, discrete Gaussian ones normal and wider by h.
SmoothNoise smooth(const std::vector<Term>& terms, double h, Alpha least) {
  std::vector<LaplaceDraws> laplace;
  double variance = 0;
  for (const Term& term : terms) {
    const auto draws = static_cast<double>(term.draws);
    if (term.is_geometric) laplace.push_back({term.size * term.scale, draws});
    if (!term.is_geometric) variance += draws * square(term.size) * (square(term.scale) + square(h));
  }
  return SmoothNoise::of(std::move(laplace), std::sqrt(variance), least);
}

// Each draw is within 1 of one over the reals.
double reach_by_steps(const std::vector<Term>& terms, Alpha alpha) {
  const double steps = sum_over(terms, [](const Term& term) { return term.size; });
  return (smooth(terms, 0, alpha).reach(alpha) + steps) * raised;
}

// With independent noise V added the sum is smooth, and V is rarely far below 0.
double reach_by_smoothing(const std::vector<Term>& terms, Alpha alpha, double h) {
  const double factor = std::exp(sum_over(terms, [&](const Term& term) { return excess(term, h); })) * raised;
  const double proxy =
      sum_over(terms, [&](const Term& term) { return square(term.size) * (term.is_geometric ? 0.5 : square(h)); });
  const SmoothNoise noise = smooth(terms, h, *Alpha::of(alpha.value() / factor / 2));
  double least = HUGE_VAL;
  for (const double part : given_away) {
    const double room = std::sqrt(2 * proxy * std::log(1 / part));
    least = std::min(least, noise.reach(*Alpha::of(alpha.value() * (1 - part) / factor)) + room);
  }
  return least * raised;
}

// One draw: exactly.
std::optional<double> reach_of_one(const std::vector<Term>& terms, Alpha alpha) {
  if (terms.size() != 1 || terms[0].draws != 1) return std::nullopt;
  const Probability tau = *Probability::of(alpha.value());
  const Term& term = terms[0];
  const Result<std::int64_t> quantile =
      term.is_geometric ? noise::Geometric::of(*LaplaceScale::of(term.scale))->two_sided_quantile(tau)
                        : noise::DiscreteGaussian::of(*Sigma::of(term.scale))->two_sided_quantile(tau);
  if (!quantile) return std::nullopt;
  return static_cast<double>(*quantile) * term.size * raised;
}

// The least of what is proven in four ways.
double proven_reach(const std::vector<Term>& terms, Alpha alpha, double work) {
  if (const std::optional<double> one = reach_of_one(terms, alpha)) return *one;
  double least = std::min(reach_by_moments(terms, alpha), reach_by_steps(terms, alpha));
  const std::optional<double> h = smoothing(terms);
  if (h && alpha.value() > 1e-290) least = std::min(least, reach_by_smoothing(terms, alpha, *h));
  if (work == 0) return least;
  const std::optional<double> sum = reach_by_sum(terms, alpha, std::sqrt(variance_of_sum(terms)), work);
  return sum ? std::min(least, *sum) : least;
}

// The normal point times the deviation, and half of the largest weight.
double normal_reach(const std::vector<Term>& terms, Alpha alpha) {
  const double variance = sum_over(terms, [](const Term& term) { return square(term.size * term.scale); });
  double largest = 0;
  for (const Term& term : terms) largest = std::max(largest, term.size);
  const auto point = noise::Gaussian::of(*Sigma::of(1)).two_sided_quantile(*Probability::of(alpha.value()));
  return point ? point->value() * std::sqrt(variance) + largest / 2 : HUGE_VAL;
}

}  // namespace

double variance_of(const IntegerLaw& law) {
  return std::visit([](const auto& one) { return one.variance().upper; }, law);
}

bool are_alike(const IntegerLaw& first, const IntegerLaw& second) {
  return first.index() == second.index() && scale_of(first) == scale_of(second);
}

std::vector<Term> terms_of(std::span<const double> weights, std::span<const IntegerLaw> laws) {
  std::map<std::tuple<bool, double, double>, std::int64_t> found;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0) continue;
    ++found[{std::holds_alternative<noise::Geometric>(laws[i]), scale_of(laws[i]), raised_size(weights[i])}];
  }
  std::vector<Term> terms;
  for (const auto& [key, draws] : found) terms.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), draws});
  return terms;
}

Reach reach_of(const std::vector<Term>& terms, Alpha alpha, double work) {
  if (terms.empty()) return {0, 0};
  const double proven = proven_reach(terms, alpha, work);
  const bool is_gaussian = std::ranges::none_of(terms, &Term::is_geometric);
  return {proven, is_gaussian ? std::min(proven, normal_reach(terms, alpha)) : proven};
}

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
