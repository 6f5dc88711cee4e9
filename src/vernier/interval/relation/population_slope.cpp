#include "vernier/interval/relation/population_slope.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "vernier/interval/rows/mean.hpp"
#include "vernier/numeric/normal.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::interval {
namespace {

constexpr double part_of_test = 0.9, part_of_nuisance = 0.05;  // of alpha; of each nuisance
constexpr double part_of_variance = 0.2;                       // of both sides, of which one is needed
constexpr double steepest = 0x1p20;                            // ranges over a range

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

// Of the sum of a polynomial over the rows, in the nodes.
Coefficients in_nodes(const Polynomial& p) {
  Coefficients all{};
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int a = 0; a < 5; ++a) {
        for (int c = 0; c < 3; ++c) {
          const double factor = p[static_cast<std::size_t>(a)][static_cast<std::size_t>(c)];
          if (factor != 0)
            all[static_cast<std::size_t>(3 * i + j)] += factor * power_at_node(a, i, 4) * power_at_node(c, j, 2);
        }
      }
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

class Test {
 public:
  Test(const SlopeShape& shape, const Sums& sums, double alpha, const ManyNoises& main, const ManyNoises& nuisance,
       const ManyNoises& variance)
      : shape_(shape),
        sums_(sums),
        found_(Found::of(sums)),
        alpha_(alpha),
        point_(numeric::normal_upper_point(std::log(part_of_test * alpha / 2))),
        main_(main),
        nuisance_(nuisance),
        variance_(variance) {}

  const Found& found() const { return found_; }
  bool is_of_rows() const { return found_.rows > 3 && found_.moment > 0; }
  double estimate() const { return found_.product / found_.moment; }

  bool keeps(double b) const { return std::abs(found_.product - b * found_.moment) <= reach(b); }

  // How far the sum of (x - r) (y - s - b (x - r)) may be from 0 where b is the population's slope.
  double reach(double b) const {
    const double t_x = quick(line(-found_.r, 1, 0));
    const double t_y = quick(line(-(found_.s - b * found_.r), -b, 1));
    const double off_x = t_x / found_.rows, off_y = t_y / found_.rows + std::abs(b) * off_x;
    const Polynomial at = worst_near(b, off_x, off_y);
    const std::vector<double> sizes = sizes_of(at);
    const double noise = main_.reach(sizes) + cut(sizes);
    return std::hypot(noise, point_ * std::sqrt(sampling(b))) + t_x * t_y / found_.rows;
  }

  double noise_variance(double b) const {
    return squares_of(sizes_of(tested(found_.r, found_.s, b))) * main_.variance();
  }

 private:
  double cut(const std::vector<double>& sizes) const {
    double steps = static_cast<double>(slope_nodes) * sizes[middle_slope_node];
    for (const double one : sizes) steps += one;
    const double times = shape_.parts > 0 ? 1 + 1 / static_cast<double>(shape_.parts) : 1;
    return 2 * steps * found_.rows * times / static_cast<double>(shape_.weight);
  }
  double quick(const Polynomial& p) const {
    const std::vector<double> sizes = sizes_of(p);
    return nuisance_.quick_reach(sizes) + cut(sizes);
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

  // White's variance of the sum, with the noise of it on top, and what rare rows that were not drawn may add.
  double sampling(double b) const {
    const Polynomial at = tested(found_.r, found_.s, b), squared = times(at, at);
    const std::vector<double> sizes = sizes_of(squared);
    const double told = std::max(sums_.of(squared), 0.0) + variance_.quick_reach(sizes) + cut(sizes);
    const double x = 1 + std::abs(found_.r), y = 1 + std::abs(found_.s);
    return told * found_.rows / (found_.rows - 2) + std::log(1 / alpha_) / 2 * x * x * y * y;
  }

  const SlopeShape& shape_;
  const Sums& sums_;
  Found found_;
  double alpha_, point_;
  const ManyNoises &main_, &nuisance_, &variance_;
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
  for (int i = 0; i < 24; ++i) {
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
  VERNIER_TRY(const Alpha variance, level(part_of_variance));
  return PopulationSlope(shape, alpha.value(), ManyNoises::of(law, shape.weight, main),
                         ManyNoises::of(law, shape.weight, nuisance), ManyNoises::of(law, shape.weight, variance));
}

Result<SlopeInterval> PopulationSlope::from(std::span<const std::int64_t> released) const {
  if (released.size() != slope_nodes) return invalid("a population's slope needs 15 released sums");
  const Sums sums{released, static_cast<double>(shape_.weight)};
  const Test test(shape_, sums, alpha_, main_, nuisance_, variance_);
  const double factor = shape_.y.half() / shape_.x.half();
  const double all = steepest * factor;
  const bool may_be_empty = test.found().rows <= nuisance_.quick_reach(sizes_of(line(1, 0, 0)));
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

double slope_noise_accuracy(const PairLaw& law, const SlopeShape& shape, Alpha alpha, double rows) {
  constexpr double mean = 0.5, variance = 0.25, slope = 0.5;
  const double reach = ManyNoises::of(law, shape.weight, alpha).reach(sizes_of(tested(mean, -mean, slope)));
  return reach / (rows * variance) * shape.y.half() / shape.x.half();
}

}  // namespace vernier::interval
