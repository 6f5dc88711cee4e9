#include "vernier/interval/relation/population_slope.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "vernier/interval/rows/mean.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::interval {
namespace {

constexpr double part_of_test = 0.95, part_of_nuisance = 0.025;  // of alpha; of each nuisance
constexpr double part_of_squares = 0.5;                          // of both sides, of which one is needed
constexpr double steepest = 0x1p20;                              // ranges over a range
constexpr double part_of_guard = 0.7;                            // sampled_sum.hpp
constexpr double ladder = 1.05;                                  // of variances that are tried
constexpr int halvings = 14;                                     // of the distance of an end, which is moved outward

// A polynomial in x and y between -1 and 1, of degree 4 and 2.
using Polynomial = std::array<std::array<double, 3>, 5>;
using Coefficients = std::array<double, slope_nodes>;

double choose(int n, int k) {
  double found = 1;
  for (int i = 0; i < k; ++i) found = found * (n - i) / (i + 1);
  return found;
}

// z^a at node i of degree n: z = 2u - 1, and u^j is the node's C(i, j) / C(n, j).
double power_at_node(int a, int i, int n) {
  double sum = 0;
  for (int j = 0; j <= a; ++j) {
    const double sign = (a - j) % 2 == 0 ? 1 : -1;
    sum += choose(a, j) * std::ldexp(1.0, j) * sign * choose(i, j) / choose(n, j);
  }
  return sum;
}

// Of all powers and nodes, once.
template <std::size_t size>
std::array<std::array<double, size>, size> powers_at_nodes() {
  std::array<std::array<double, size>, size> all{};
  for (std::size_t a = 0; a < size; ++a) {
    for (std::size_t i = 0; i < size; ++i)
      all[a][i] = power_at_node(static_cast<int>(a), static_cast<int>(i), static_cast<int>(size) - 1);
  }
  return all;
}

// Of the sum of a polynomial over the rows, in the nodes.
Coefficients in_nodes(const Polynomial& p) {
  static const auto of_x = powers_at_nodes<5>();
  static const auto of_y = powers_at_nodes<3>();
  Coefficients all{};
  for (std::size_t a = 0; a < 5; ++a) {
    for (std::size_t c = 0; c < 3; ++c) {
      if (p[a][c] == 0) continue;
      for (std::size_t k = 0; k < slope_nodes; ++k) all[k] += p[a][c] * of_x[a][k / 3] * of_y[c][k % 3];
    }
  }
  return all;
}

Polynomial times(const Polynomial& p, const Polynomial& q) {
  Polynomial made{};
  for (std::size_t a = 0; a < 5; ++a) {
    for (std::size_t c = 0; c < 3; ++c) {
      for (std::size_t b = 0; a + b < 5; ++b) {
        for (std::size_t d = 0; c + d < 3; ++d) made[a + b][c + d] += p[a][c] * q[b][d];
      }
    }
  }
  return made;
}

Polynomial line(double constant, double of_x, double of_y) {
  Polynomial made{};
  made[0][0] = constant, made[1][0] = of_x, made[0][1] = of_y;
  return made;
}

// (x - r) (y - s - b (x - r)).
Polynomial tested(double r, double s, double b) { return times(line(-r, 1, 0), line(b * r - s, -b, 1)); }

struct Sums {
  std::span<const std::int64_t> released;
  double weight;

  double of(const Polynomial& p) const {
    const Coefficients c = in_nodes(p);
    long double sum = 0;
    for (std::size_t i = 0; i < slope_nodes; ++i)
      sum += static_cast<long double>(c[i]) * static_cast<long double>(released[i]);
    return static_cast<double>(sum / weight);
  }
};

std::vector<double> sizes_of(const Polynomial& p) {
  const Coefficients c = in_nodes(p);
  std::vector<double> sizes(c.size());
  std::transform(c.begin(), c.end(), sizes.begin(), [](double one) { return std::abs(one); });
  return sizes;
}

double squares_of(const std::vector<double>& sizes) {
  double sum = 0;
  for (const double one : sizes) sum += one * one;
  return sum;
}

// What the released sums say at first.
struct Found {
  double rows, r, s, moment, product;  // means, and sums about them

  static Found of(const Sums& sums) {
    const double rows = sums.of(line(1, 0, 0)), safe = std::max(rows, 1.0);
    const double r = std::clamp(sums.of(line(0, 1, 0)) / safe, -1.0, 1.0);
    const double s = std::clamp(sums.of(line(0, 0, 1)) / safe, -1.0, 1.0);
    const Polynomial x = line(-r, 1, 0);
    return {rows, r, s, sums.of(times(x, x)), sums.of(times(x, line(-s, 0, 1)))};
  }
};

// By which sums that were cut to whole numbers may move a combination of so many rows.
double cut_in(const SlopeShape& shape, const std::vector<double>& sizes, double rows) {
  double steps = static_cast<double>(slope_nodes) * sizes[middle_slope_node];
  for (const double one : sizes) steps += one;
  const double times = shape.parts > 0 ? 1 + 1 / static_cast<double>(shape.parts) : 1;
  return 2 * steps * rows * times / static_cast<double>(shape.weight);
}

// Of the terms (x - r) (y - s - b (x - r)) of a row within the bounds: the greatest, and the least with its sign
// turned.
struct Extremes {
  double above = 0, below = 0;

  Extremes(const Found& found, double b) {
    for (const double v : {-1 - found.s, 1 - found.s}) {
      for (const double u : {-1 - found.r, 1 - found.r}) add(u * (v - b * u));
      const double turned = v / (2 * b);  // of the parabola in u
      if (std::abs(turned + found.r) < 1) add(turned * (v - b * turned));
    }
  }

 private:
  void add(double term) { above = std::max(above, term), below = std::max(below, -term); }
};

class Test {
 public:
  Test(const SlopeShape& shape, const Sums& sums, const SampledSum& sample, const ManyNoises& main,
       const ManyNoises& nuisance, const ManyNoises& variance)
      : shape_(shape),
        sums_(sums),
        found_(Found::of(sums)),
        sample_(sample),
        main_(main),
        nuisance_(nuisance),
        variance_(variance),
        off_x_(is_of_rows() ? reach_of(nuisance_, line(-found_.r, 1, 0), Reaches::near) : 0) {}

  const Found& found() const { return found_; }
  bool is_of_rows() const { return found_.rows > 3 && found_.moment > 0; }
  double estimate() const { return found_.product / found_.moment; }

  bool keeps(double b) const { return keeps(b, Reaches::quick) && keeps(b, Reaches::near); }

  // How far the sum of (x - r) (y - s - b (x - r)) may be from 0 where b is the population's slope.
  double reach(double b) const {
    const Noise noise = noise_at(b, Reaches::near);
    return sample_.reach(std::max(main_.reach(noise.sizes), noise.deviations), terms(b, Reaches::near)) + noise.fixed;
  }

  double noise_variance(double b) const {
    return squares_of(sizes_of(tested(found_.r, found_.s, b))) * main_.variance();
  }

 private:
  // Bounds that are found at once reach a little further: what they reject is rejected.
  enum class Reaches : std::uint8_t { quick, near };

  bool keeps(double b, Reaches reaches) const {
    const double sum = found_.product - b * found_.moment;
    const Noise noise = noise_at(b, reaches);
    const auto left = sample_.left_to_noise(std::abs(sum) - noise.fixed, sum > 0, terms(b, reaches));
    if (!left || *left <= noise.deviations) return true;
    return reaches == Reaches::quick ? *left < main_.quick_reach(noise.sizes)
                                     : !main_.rarely_reaches(noise.sizes, *left);
  }

  // Of the sum at b: coefficients, as many deviations of them as the normal law has, and what has no law.
  struct Noise {
    std::vector<double> sizes;
    double deviations, fixed;
  };
  Noise noise_at(double b, Reaches reaches) const {
    const double t_y = reach_of(nuisance_, line(-(found_.s - b * found_.r), -b, 1), reaches);
    const double off_x = off_x_ / found_.rows, off_y = t_y / found_.rows + std::abs(b) * off_x;
    std::vector<double> sizes = sizes_of(worst_near(b, off_x, off_y));
    const double deviations = sample_.point() * std::sqrt(squares_of(sizes) * main_.variance());
    const double fixed = off_x_ * t_y / found_.rows + cut(sizes);
    return {std::move(sizes), deviations, fixed};
  }

  double cut(const std::vector<double>& sizes) const { return cut_in(shape_, sizes, found_.rows); }
  double reach_of(const ManyNoises& noises, const Polynomial& p, Reaches reaches) const {
    const std::vector<double> sizes = sizes_of(p);
    return (reaches == Reaches::quick ? noises.quick_reach(sizes) : noises.reach(sizes)) + cut(sizes);
  }

  // The noise is a bilinear form of the means: the largest at a corner of what they may be.
  Polynomial worst_near(double b, double off_x, double off_y) const {
    Polynomial worst{};
    double greatest = -1;
    for (const int i : {-1, 0, 1}) {
      for (const int j : {-1, 0, 1}) {
        const Polynomial at =
            tested(std::clamp(found_.r + i * off_x, -1.0, 1.0), std::clamp(found_.s + j * off_y, -1.0, 1.0), b);
        const double squares = squares_of(sizes_of(at));
        if (squares > greatest) greatest = squares, worst = at;
      }
    }
    return worst;
  }

  // White's squares, with the noise of them on top, and how far a row can be from the line and from the mean.
  SampledTerms terms(double b, Reaches reaches) const {
    const Polynomial at = tested(found_.r, found_.s, b), squared = times(at, at);
    const Polynomial residual = line(b * found_.r - found_.s, -b, 1);
    const double told = std::max(sums_.of(squared), 0.0) + reach_of(variance_, squared, reaches);
    const double residuals = std::max(sums_.of(times(residual, residual)), 0.0);
    const Extremes extremes(found_, b);
    return {found_.rows, told, extremes.above, extremes.below, std::sqrt(found_.moment * residuals) / found_.rows};
  }

  const SlopeShape& shape_;
  const Sums& sums_;
  Found found_;
  const SampledSum& sample_;
  const ManyNoises &main_, &nuisance_, &variance_;
  double off_x_;  // by which the noise moves the sum of x - r
};

// From far outside inward: the last distance that is kept, or none where the farthest is.
std::optional<double> last_kept(const Test& test, double from, double step, double sign) {
  double last = 0, next = step;
  bool is_far = false;
  std::vector<double> distances;
  for (double distance = step / 8; distance < steepest; distance *= 2) distances.push_back(distance);
  for (std::size_t i = distances.size(); i-- > 0;) {
    if (!test.keeps(from + sign * distances[i])) continue;
    is_far = i + 1 == distances.size();
    last = distances[i], next = is_far ? last : distances[i + 1];
    break;
  }
  if (is_far) return std::nullopt;
  if (last == 0) next = distances.front();
  for (int i = 0; i < halvings; ++i) {
    const double middle = (last + next) / 2;
    (test.keeps(from + sign * middle) ? last : next) = middle;
  }
  return next;
}

}  // namespace

std::array<std::int64_t, 5> fourth_nodes(std::int64_t k, std::int64_t steps) {
  const std::int64_t left = steps - k;
  return {left * left * left * left, 4 * left * left * left * k, 6 * left * left * k * k, 4 * left * k * k * k,
          k * k * k * k};
}
std::array<std::int64_t, 3> second_nodes(std::int64_t l, std::int64_t steps) {
  const std::int64_t left = steps - l;
  return {left * left, 2 * left * l, l * l};
}

Result<PopulationSlope> PopulationSlope::of(const PairLaw& law, const SlopeShape& shape, Alpha alpha) {
  const auto level = [&](double part) { return Alpha::of(std::min(numeric::multiply_down(alpha.value(), part), 0.5)); };
  VERNIER_TRY(const Alpha main, level(part_of_test));
  VERNIER_TRY(const Alpha nuisance, level(part_of_nuisance));
  VERNIER_TRY(const Alpha variance, level(part_of_squares));
  return PopulationSlope(shape, SampledSum::of(alpha, part_of_test, part_of_guard),
                         ManyNoises::of(law, shape.weight, main), ManyNoises::of(law, shape.weight, nuisance),
                         ManyNoises::of(law, shape.weight, variance));
}

Result<SlopeInterval> PopulationSlope::from(std::span<const std::int64_t> released) const {
  if (released.size() != slope_nodes) return invalid("a population's slope needs 15 released sums");
  const Sums sums{released, static_cast<double>(shape_.weight)};
  const Test test(shape_, sums, sample_, main_, nuisance_, variance_);
  const double factor = shape_.y.half() / shape_.x.half();
  const double all = steepest * factor;
  const bool may_be_empty = test.found().rows <= nuisance_.reach(sizes_of(line(1, 0, 0)));
  const SlopeInterval nothing{0, all, {-all, all}, false, may_be_empty};
  if (!test.is_of_rows()) return nothing;
  const double at = test.estimate();
  const double step = test.reach(at) / test.found().moment;
  if (!(step < steepest / 16)) return nothing;
  const auto below = last_kept(test, at, step, -1), above = last_kept(test, at, step, 1);
  if (!below || !above) return nothing;
  const Interval interval{(at - *below) * factor, (at + *above) * factor};
  const double moment = test.found().moment, variance = test.noise_variance(at);
  const double shrunk = at * moment * moment / (moment * moment + variance) * factor;
  const double value = std::clamp(shrunk, interval.low, interval.high);
  return SlopeInterval{value, farthest_end(value, interval), interval, true, may_be_empty};
}

Result<LeastDeviation> LeastDeviation::of(const PairLaw& law, const SlopeShape& shape, Alpha alpha) {
  VERNIER_TRY(const Alpha main, Alpha::of(alpha.value() * part_of_test));
  VERNIER_TRY(const Alpha nuisance, Alpha::of(alpha.value() * part_of_nuisance));
  return LeastDeviation(shape, SampledSum::of(alpha, part_of_test), ManyNoises::of(law, shape.weight, main),
                        ManyNoises::of(law, shape.weight, nuisance));
}

// Variances from below upward, as long as they are rejected: the sum of (x - r)^2 - v is no mean 0 there. The variance
// of the squares is bounded by v itself, as of spreads of one column (population/spread.md).
Result<double> LeastDeviation::from(std::span<const std::int64_t> released) const {
  if (released.size() != slope_nodes) return invalid("a population's slope needs 15 released sums");
  const Sums sums{released, static_cast<double>(shape_.weight)};
  const Found found = Found::of(sums);
  if (!(found.rows > 3) || !(found.moment > 0)) return 0.0;
  const std::vector<double> of_mean = sizes_of(line(-found.r, 1, 0));
  const double off = nuisance_.reach(of_mean) + cut_in(shape_, of_mean, found.rows);
  const double most = (1 + std::abs(found.r)) * (1 + std::abs(found.r));
  const auto rejects = [&](double v) {
    Polynomial squares = times(line(-found.r, 1, 0), line(-found.r, 1, 0));
    squares[0][0] -= v;
    const std::vector<double> sizes = sizes_of(squares);
    const double fixed = off * off / found.rows + 2 * off * off / found.rows + cut_in(shape_, sizes, found.rows);
    const SampledTerms terms{found.rows, found.rows * v * (most - v), most - v, v, v};
    const auto left = sample_.left_to_noise(found.moment - v * (found.rows - 1) - fixed, true, terms);
    return left && *left > sample_.point() * std::sqrt(squares_of(sizes) * main_.variance()) &&
           main_.rarely_reaches(sizes, *left);
  };
  double least = 0;
  for (double v = found.moment / found.rows * 0x1p-20; v < most && rejects(v); v *= ladder) least = v;
  return std::sqrt(least);
}

double slope_noise_accuracy(const PairLaw& law, const SlopeShape& shape, Alpha alpha, double rows) {
  constexpr double mean = 0.5, variance = 0.25, slope = 0.5;
  const double reach = ManyNoises::of(law, shape.weight, alpha).reach(sizes_of(tested(mean, -mean, slope)));
  return reach / (rows * variance) * shape.y.half() / shape.x.half();
}

}  // namespace vernier::interval
