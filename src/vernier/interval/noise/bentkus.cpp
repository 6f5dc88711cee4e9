#include "vernier/interval/noise/bentkus.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "vernier/interval/noise/combined_noise.hpp"

namespace vernier::interval {
namespace {

constexpr double raised = 1 + 0x1p-40;
constexpr double moment_raised = 1 + 1e-9;  // the page counts 1e-11
constexpr double part_unresolved = 1e-4;    // of what is rare
constexpr double greatest_ratio = 1000;     // beyond, larger summands are allowed: costs 1 %
constexpr double between_ratios = 1.2;
constexpr double between_atoms = 1.0 / 24;  // deviations
constexpr double vanishing = 1e-290;

// P[N >= m], E[(N - mean) ; N >= m] and E[(N - mean)^2 ; N >= m] of the Poisson law, for m = 0, 1, ...
struct TailMoments {
  double zeroth, first, second;
};

double poisson_mass(double mean, double k) { return std::exp(k * std::log(mean) - mean - std::lgamma(k + 1)); }

std::vector<TailMoments> tail_moments(double mean, double least) {
  const double enough = std::max(least * 1e-20, vanishing);
  double last = std::ceil(mean) + 1;
  while (poisson_mass(mean, last) > enough) ++last;
  std::vector<TailMoments> found(static_cast<std::size_t>(last) + 1);
  TailMoments sum{enough * 4, enough * 4 * last, enough * 4 * last * last};  // more than all that lies beyond
  for (double k = last; k >= 0; --k) {
    const double mass = poisson_mass(mean, k), away = k - mean;
    sum = {sum.zeroth + mass, sum.first + away * mass, sum.second + away * away * mass};
    found[static_cast<std::size_t>(k)] = sum;
  }
  return found;
}

// E (N - mean - t)_+ and E (N - mean - t)_+^2.
struct Excess {
  double first, second;
};
Excess excess(const std::vector<TailMoments>& moments, double mean, double t) {
  const double from = std::clamp(std::ceil(mean + t), 0.0, static_cast<double>(moments.size() - 1));
  const TailMoments& m = moments[static_cast<std::size_t>(from)];
  return {m.first - t * m.zeroth, (m.second - 2 * t * m.first + t * t * m.zeroth) * moment_raised};
}

// Not above the sizes; three that are nearly equal would be raised by the bound below.
Coefficients lowered(Coefficients c) {
  std::ranges::sort(c, std::greater<>());
  if (c[2] > 0.8 * c[0]) c[2] = 0;
  return c;
}

Coefficients times(const Coefficients& c, double factor) { return {c[0] * factor, c[1] * factor, c[2] * factor}; }

}  // namespace

// For each t, E (S - t)_+^2 / (x - t)^2 bounds P[S >= x] at every x > t, and is least of all t at
// x = t + E (S - t)_+^2 / E (S - t)_+, where it is E (S - t)_+^2 / (x - t)^2. Between two such x the bound at the lower
// one serves.
BentkusLaw BentkusLaw::of(double ratio, double least) {
  BentkusLaw law;
  law.ratio_ = ratio;
  const std::vector<TailMoments> moments = tail_moments(ratio, least);
  const double deviation = std::sqrt(ratio), farthest = static_cast<double>(moments.size() - 1) - ratio - 1;
  double bound = 1, place = 0;
  for (double t = -24 * deviation; bound > least && t < farthest; t += deviation / 100) {
    const Excess above = excess(moments, ratio, t);
    if (!(above.first > 0)) break;
    const double x = t + above.second / above.first;
    if (x < place + between_atoms * deviation) continue;
    const double next = std::min(above.second / ((x - t) * (x - t)), bound);
    law.atoms_.push_back({x, bound - next});
    bound = next, place = x;
  }
  law.at_infinity_ = bound;
  return law;
}

template <class Law>
BoundedSumAndNoise<Law> BoundedSumAndNoise<Law>::of(const Law& law, Probability rare, double least_ratio) {
  BoundedSumAndNoise found(law, rare.value());
  const double least = rare.value() * part_unresolved;
  double ratio = least_ratio;
  for (; ratio < greatest_ratio; ratio *= between_ratios) found.laws_.push_back(BentkusLaw::of(ratio, least));
  found.laws_.push_back(BentkusLaw::of(ratio, least));
  return found;
}

// The last one that is not above; the first, where all are.
template <class Law>
const BentkusLaw& BoundedSumAndNoise<Law>::law_for(double ratio) const {
  std::size_t i = laws_.size() - 1;
  while (i > 0 && laws_[i].ratio() > ratio) --i;
  return laws_[i];
}

template <class Law>
bool BoundedSumAndNoise<Law>::rarely_reaches(const Sum& sum, const Coefficients& least_sizes,
                                             const Coefficients& greatest_sizes, double t) const {
  const BentkusLaw& bound = law_for(sum.variance / (sum.step * sum.step));
  const double step = std::max(std::sqrt(sum.variance / bound.ratio()), sum.step) * raised;
  const Coefficients larger = times(greatest_sizes, law_.scale() * raised);
  const Coefficients smaller = times(lowered(least_sizes), law_.scale() / raised);
  const double lattice = (greatest_sizes[0] + greatest_sizes[1] + greatest_sizes[2]) * raised;
  double chance = bound.at_infinity();
  for (auto atom = bound.atoms().rbegin(); atom != bound.atoms().rend() && chance <= rare_; ++atom) {
    const double left = t - lattice - step * atom->place;
    chance += atom->mass * tail_of_reals(law_, smaller, larger, left) * raised;
  }
  return chance <= rare_ / raised;
}

template <class Law>
double BoundedSumAndNoise<Law>::reach(const Sum& sum, const Coefficients& sizes) const {
  double least = 0, greatest = std::sqrt(sum.variance) + law_.scale();
  while (!rarely_reaches(sum, sizes, sizes, greatest) && greatest < 1e200) least = greatest, greatest *= 2;
  for (int step = 0; step < 12; ++step) {
    const double middle = (least + greatest) / 2;
    (rarely_reaches(sum, sizes, sizes, middle) ? greatest : least) = middle;
  }
  return greatest;
}

template class BoundedSumAndNoise<noise::Geometric>;
template class BoundedSumAndNoise<noise::DiscreteGaussian>;

}  // namespace vernier::interval
