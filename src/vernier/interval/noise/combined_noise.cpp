#include "vernier/interval/noise/combined_noise.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "vernier/noise/gaussian.hpp"
#include "vernier/numeric/normal.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::interval {
namespace {

constexpr double u = numeric::unit_roundoff;
constexpr double raised = 1 + 0x1p-48;       // pays for the roundings of a coefficient
constexpr double tail_error = 1e-12;         // relative, of the sums and formulas below; the page counts 8e-13
constexpr double greatest_exponent = 700;    // exp(-700) is about 1e-304; beyond, the tail at 700 serves
constexpr std::int64_t most_masses = 400;    // from here on the lattice is fine enough for the laws over the reals
constexpr double part_left_outside = 1e-4;   // of alpha
constexpr double least_inner = 0.125;        // below, a segment is too long to be decided
constexpr double no_reach = 1e200;           // where tails are below what doubles tell apart, nothing is certain
constexpr double whole_number_slack = 1e-9;  // the page counts 1e-11

// (1 - exp(-x)) / x
double falling(double x) { return x == 0 ? 1 : -std::expm1(-x) / x; }

// P[abs(b Y + d Y') > t] for b >= d >= 0, without cancellation where they are close.
double two_laplace(double b, double d, double t) {
  if (d == 0) return std::exp(-t / b);
  return std::exp(-t / b) * (1 + d * t / (b * (b + d)) * falling(t * (b - d) / (b * d)));
}

// The sizes of the coefficients anywhere on the segment, from above.
Coefficients greatest_sizes(const Segment& segment) {
  Coefficients sizes{};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    sizes[i] = std::max(std::abs(segment.first[i]), std::abs(segment.last[i])) * raised;
  }
  return sizes;
}

// At least the deviation of c . Y, Y of deviation 1.
double norm_of(const Coefficients& sizes) {
  return std::sqrt(sizes[0] * sizes[0] + sizes[1] * sizes[1] + sizes[2] * sizes[2]) * (1 + 8 * u);
}

// A z with P[abs(Z) > z] <= alpha for certain; of the Laplace law it is not needed.
double normal_point(const noise::Geometric&, double) { return 0; }
double normal_point(const noise::DiscreteGaussian&, double alpha) {
  double z = numeric::normal_upper_point(std::log(std::min(alpha / 2, 0.5)));
  for (double step = 1e-14; normal_combination_outside({1, 0, 0}, z) > alpha; step *= 2) z += step;
  return z;
}

bool is_rare(const noise::Geometric&, double alpha, double, const Coefficients& sizes, double t) {
  return laplace_combination_outside(sizes, t) <= alpha;
}
bool is_rare(const noise::DiscreteGaussian&, double, double point, const Coefficients& sizes, double t) {
  return t >= point * norm_of(sizes) * (1 + u);
}

// By the law over the reals of the same scale, from which each draw is at most 1 away.
template <class Law>
bool rarely_by_reals(const Law& law, double alpha, double point, const Segment& segment, double t) {
  const Coefficients sizes = greatest_sizes(segment);
  const double steps = (sizes[0] + sizes[1] + sizes[2]) * raised;
  const double left = (t / raised - steps) / law.scale() / raised;
  return left > 0 && is_rare(law, alpha, point, sizes, left);
}

// The least whole number that a x + shift >= t may need, at either end of the segment.
struct Inner {
  double a_first, a_last;
  double least(double first, double last) const {
    return std::ceil(std::min(first / a_first, last / a_last) - whole_number_slack);
  }
};

// Two draws, by summing over the one with the smaller coefficient. abs(c . X) is convex along the segment for each X,
// so it is greatest at an end.
bool rarely_by_sum(const NoiseTable& table, double alpha, const Segment& segment, double t) {
  if (segment.first[0] * segment.last[0] < 0 || segment.first[1] * segment.last[1] < 0) return false;
  const auto size = [](double c) { return std::abs(c); };
  const auto least_of = [&](std::size_t i) { return std::min(size(segment.first[i]), size(segment.last[i])); };
  const std::size_t in = least_of(0) >= least_of(1) ? 0 : 1, out = 1 - in;
  const Inner inner{size(segment.first[in]), size(segment.last[in])};
  if (least_of(in) < least_inner) return false;
  const double b_first = size(segment.first[out]), b_last = size(segment.last[out]);
  const double within = std::min(t, 4 * static_cast<double>(table.reach() + 1));

  const double allowed = alpha * (1 - tail_error);
  double sum = table.outside();
  for (std::int64_t j = 0; j <= table.reach() && sum <= allowed; ++j) {
    const auto x = static_cast<double>(j);
    const double above = table.from(inner.least(within - b_first * x, within - b_last * x));
    const double below = table.from(inner.least(within + b_first * x, within + b_last * x));
    sum += (j == 0 ? 1 : 2) * table.mass(j) * std::min(above + below, 1.0);
  }
  return sum <= allowed;
}

}  // namespace

double laplace_combination_outside(const Coefficients& sizes, double t) {
  Coefficients b = sizes;
  std::ranges::sort(b, std::greater<>());
  if (b[0] == 0) return 0;
  const double near = std::min(t, greatest_exponent * b[0]);
  const double two = two_laplace(b[0], b[1], near);
  if (b[2] == 0) return two * (1 + tail_error);
  const double x = b[0] * b[0], z = b[2] * b[2];
  // Close coefficients would cost digits here, and raising one is safe.
  if (z > 0.8 * x) return laplace_combination_outside({b[0] * 1.2, b[1], b[2]}, t);
  return (x * two - z * two_laplace(b[1], b[2], near)) / (x - z) * (1 + tail_error);
}

double normal_combination_outside(const Coefficients& sizes, double t) {
  const double norm = norm_of(sizes);
  if (norm == 0) return 0;
  const double near = std::min(t, 39 * norm);
  return noise::Gaussian::of(*Sigma::of(norm)).outside(*Real::of(near)).upper;
}

NoiseTable::NoiseTable(std::vector<double> masses, double outside)
    : reach_(static_cast<std::int64_t>(masses.size()) - 1), outside_(outside), masses_(std::move(masses)) {
  from_.assign(2 * masses_.size(), 0);
  from_.back() = outside_ / 2;
  for (std::int64_t m = reach_; m >= -reach_; --m) {
    const auto at = static_cast<std::size_t>(m + reach_);
    from_[at] = std::min(from_[at + 1] + mass(std::abs(m)), 1.0);
  }
}

double NoiseTable::from(double m) const {
  const auto reach = static_cast<double>(reach_);
  if (m < -reach) return 1;
  return from_[static_cast<std::size_t>(std::min(m, reach + 1) + reach)];
}

template <class Law>
std::optional<NoiseTable> NoiseTable::of(const Law& law, Probability rest, std::int64_t most) {
  const Result<std::int64_t> reach = law.two_sided_quantile(rest);
  if (!reach || *reach >= most) return std::nullopt;
  std::vector<double> masses;
  for (std::int64_t j = 0; j <= *reach; ++j) masses.push_back(law.mass(j).upper);
  return NoiseTable(std::move(masses), law.outside(*reach).upper);
}

template std::optional<NoiseTable> NoiseTable::of(const noise::Geometric&, Probability, std::int64_t);
template std::optional<NoiseTable> NoiseTable::of(const noise::DiscreteGaussian&, Probability, std::int64_t);

template <class Law>
CombinedNoise<Law> CombinedNoise<Law>::of(const Law& law, Alpha alpha, std::size_t count) {
  CombinedNoise combined(law, alpha);
  const Probability rest = *Probability::of(alpha.value() * part_left_outside);
  combined.point_ = normal_point(law, alpha.value());
  if (count == 2) combined.table_ = NoiseTable::of(law, rest, most_masses);
  return combined;
}

template <class Law>
bool CombinedNoise<Law>::rarely_reaches(const Segment& segment, double t) const {
  if (!(t > 0)) return false;
  return table_ ? rarely_by_sum(*table_, alpha_, segment, t) : rarely_by_reals(law_, alpha_, point_, segment, t);
}

template <class Law>
double CombinedNoise<Law>::reach(const Coefficients& c) const {
  double least = 0, greatest = law_.scale();
  while (!rarely_reaches({c, c}, greatest) && greatest < no_reach) least = greatest, greatest *= 2;
  for (int step = 0; step < 20; ++step) {
    const double middle = (least + greatest) / 2;
    (rarely_reaches({c, c}, middle) ? greatest : least) = middle;
  }
  return greatest;
}

template class CombinedNoise<noise::Geometric>;
template class CombinedNoise<noise::DiscreteGaussian>;

namespace {

constexpr double smooth_raised = 1 + 0x1p-40;  // pays for the roundings of scales and coefficients
constexpr double tail_raised = 1 + 1e-8;       // for those of a tail; the page counts 3e-9
constexpr double apart = 1 + 1e-4;             // coefficients are smooth_raised until they differ by this factor
constexpr double all_apart = 1.1;              // and the largest from the least by this one
constexpr double negligible = 1e-7;            // a deviation below this part of the largest Laplace scale
constexpr double inverse_sqrt_two_pi = 0.3989422804014327;

// P[abs(N(0, 1) + Y / ratio) > x] for x >= 0, Y of the Laplace law with scale 1: with x and ratio in units of the
// normal one's deviation, phi(x) (2 M(x) + M(ratio - x) - M(ratio + x)), M the Mills ratio.
double one_outside(double ratio, double x) {
  const double density = inverse_sqrt_two_pi * std::exp(-std::min(x * x / 2, greatest_exponent));
  const double inner = density * (2 * numeric::mills(x) - numeric::mills(ratio + x));
  if (ratio >= x) return inner + density * numeric::mills(ratio - x);
  const double v = x - ratio;
  const double below = v > 38 ? 0 : inverse_sqrt_two_pi * std::exp(-v * v / 2) * numeric::mills(v);
  return inner + std::exp(-std::min(ratio * (x - ratio / 2), greatest_exponent)) * (1 - below);
}

// The same of two Laplace variables from those of each one.
double joined(double b, double of_b, double d, double of_d) { return (b * b * of_b - d * d * of_d) / (b * b - d * d); }

// Descending, each above the next one by the factor at least, none smaller than before.
Coefficients set_apart(Coefficients b) {
  std::ranges::sort(b, std::greater<>());
  b[1] = std::max(b[1], b[2] * apart);
  b[0] = std::max({b[0], b[1] * apart, b[2] * all_apart});
  return b;
}

double point_with_normal(const noise::Geometric&, double) { return 0; }
double point_with_normal(const noise::DiscreteGaussian&, double rare) {
  return numeric::normal_upper_point(std::log(std::min(rare / 2, 0.5))) * smooth_raised;
}

bool is_rare(const noise::Geometric& law, double rare, double, double variance, const Coefficients& sizes, double t) {
  const double scale = law.scale();
  return laplace_and_normal_outside(variance / (scale * scale), sizes, t / scale) <= rare;
}
bool is_rare(const noise::DiscreteGaussian& law, double, double point, double variance, const Coefficients& sizes,
             double t) {
  const double norm = sizes[0] * sizes[0] + sizes[1] * sizes[1] + sizes[2] * sizes[2];
  return t >= point * std::sqrt(variance + norm * law.scale() * law.scale()) * smooth_raised;
}

}  // namespace

double laplace_and_normal_outside(double variance, const Coefficients& sizes, double t) {
  const Coefficients b = set_apart(sizes);
  const double deviation = std::sqrt(variance) * smooth_raised;
  if (deviation <= negligible * b[0]) return laplace_combination_outside(b, std::max(t - 40 * deviation, 0.0));
  const double x = t / deviation;
  std::array<double, most_nodes> of{};
  for (std::size_t i = 0; i < of.size() && b[i] > 0; ++i) of[i] = one_outside(deviation / b[i], x);
  if (b[0] == 0) return 2 * inverse_sqrt_two_pi * std::exp(-std::min(x * x / 2, greatest_exponent)) * numeric::mills(x);
  if (b[1] == 0) return of[0] * tail_raised;
  const double two = joined(b[0], of[0], b[1], of[1]);
  if (b[2] == 0) return two * tail_raised;
  return joined(b[0], two, b[2], joined(b[1], of[1], b[2], of[2])) * tail_raised;
}

template <class Law>
SmoothedNoise<Law> SmoothedNoise<Law>::of(const Law& law, Probability rare) {
  return SmoothedNoise(law, rare.value(), point_with_normal(law, rare.value()));
}

template <class Law>
bool SmoothedNoise<Law>::rarely_reaches(double variance, const Coefficients& sizes, double t) const {
  const double steps = (sizes[0] + sizes[1] + sizes[2]) * smooth_raised;
  const double left = (t - steps) / smooth_raised;
  return left > 0 && is_rare(law_, rare_, point_, variance, sizes, left);
}

template <class Law>
double SmoothedNoise<Law>::reach(double variance, const Coefficients& sizes) const {
  double least = 0, greatest = std::sqrt(variance) + law_.scale();
  while (!rarely_reaches(variance, sizes, greatest) && greatest < no_reach) least = greatest, greatest *= 2;
  for (int step = 0; step < 16; ++step) {
    const double middle = (least + greatest) / 2;
    (rarely_reaches(variance, sizes, middle) ? greatest : least) = middle;
  }
  return greatest;
}

template class SmoothedNoise<noise::Geometric>;
template class SmoothedNoise<noise::DiscreteGaussian>;

}  // namespace vernier::interval
