#include "vernier/interval/pair_noise.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/interval/real_tail.hpp"

namespace vernier::interval {
namespace {

constexpr double raised = 1 + 0x1p-40;
constexpr double tails_in_a_scale = 16;
constexpr std::int64_t most_masses = 256;  // from here on the lattice is fine enough for the laws over the reals
constexpr double least_coefficient = 0.25;
constexpr double whole_number_slack = 1e-9;

// A draw is stochastically below one of the law over the reals and this.
double step_above(const noise::Geometric& law) {
  const double s = law.scale();
  return std::min(1 - s * std::log1p(-std::expm1(-1 / s) / (1 + std::exp(-1 / s))) + 1e-9, 1.0);
}
double step_above(const noise::DiscreteGaussian&) { return 1; }

// How far one draw of the law over the reals goes, but for `least` and more.
double reach_of(const noise::Geometric& law, double least) { return law.scale() * std::log(1 / least); }
double reach_of(const noise::DiscreteGaussian& law, double least) {
  return law.scale() * std::sqrt(2 * std::log(1 / least));
}

// (1 - p) X_1 - p X_0 as a x + b y with a >= b about, at both ends of the range.
struct Weights {
  double a_first, a_last, b_first, b_last;
};
Weights weights_of(const Shares& shares) {
  const double first = shares.first, last = shares.last;
  if (first + last <= 1) return {1 - first, 1 - last, first, last};
  return {first, last, 1 - first, 1 - last};
}

}  // namespace

template <class Law>
PairNoise<Law> PairNoise<Law>::of(const Law& law, Probability least) {
  PairNoise noise(law, reach_of(law, least.value() / 4));
  noise.table_ = NoiseTable::of(law, least, most_masses);
  return noise;
}

template <class Law>
double PairNoise<Law>::step() const {
  return step_above(law_);
}

template <class Law>
PairTail PairNoise<Law>::by_reals(const Shares& shares) const {
  const Weights w = weights_of(shares);
  const double scale = law_.scale(), up = scale * raised, down = scale / raised;
  const Coefficients greatest{std::max(w.a_first, w.a_last) * up, std::max(w.b_first, w.b_last) * up, 0};
  const Coefficients least{std::min(w.a_first, w.a_last) * down, std::min(w.b_first, w.b_last) * down, 0};
  const double step = scale / tails_in_a_scale, above = this->step() * raised;
  std::vector<double> tails;
  for (double u = -reach_; u <= reach_; u += step) tails.push_back(tail_of_reals(law_, least, greatest, u));
  const double beyond = tails.back();
  return PairTail(above - reach_ + step / 1e3, step, beyond, std::move(tails));
}

template <class Law>
std::optional<PairTail> PairNoise<Law>::by_lattice(const Shares& shares) const {
  const Weights w = weights_of(shares);
  if (!table_ || std::min(w.a_first, w.a_last) < least_coefficient) return std::nullopt;
  const auto reach = static_cast<double>(table_->reach());
  const double step = std::max(law_.scale(), 0.25) / tails_in_a_scale;
  const double farthest = reach + 1;
  std::vector<double> tails(static_cast<std::size_t>(std::ceil(2 * farthest / step)), table_->outside());
  for (double j = -reach; j <= reach; ++j) {
    const double mass = table_->mass(static_cast<std::int64_t>(std::abs(j))) * raised;
    const double first = (-farthest - w.b_first * j) / w.a_first, per_first = step / w.a_first;
    const double last = (-farthest - w.b_last * j) / w.a_last, per_last = step / w.a_last;
    for (std::size_t i = 0; i < tails.size(); ++i) {
      const auto at = static_cast<double>(i);
      const double least = std::min(first + at * per_first, last + at * per_last);
      tails[i] += mass * table_->from(std::ceil(least - whole_number_slack));
    }
  }
  const double beyond = 2 * table_->outside();
  return PairTail(-farthest + step / 1e3, step, beyond, std::move(tails));
}

template class PairNoise<noise::Geometric>;
template class PairNoise<noise::DiscreteGaussian>;

}  // namespace vernier::interval
