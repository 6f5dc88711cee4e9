#include "vernier/interval/relation/pair_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vernier/interval/noise/kept.hpp"

namespace vernier::interval {
namespace {

__extension__ using Wide = __int128;

constexpr int resolution_bits = 10;  // of an interval's half width

// The same sums with the columns exchanged.
PairMoments exchanged(const PairMoments& of) { return {of.n, of.y, of.x, of.xy, of.yy, of.xx, of.size}; }

double rows_of(const PairShape& shape) { return static_cast<double>(shape.row_limit); }

// Of rows between -1 and 1.
double most_variance(bool is_sample) { return is_sample ? 2 : 1; }

PairTest count_test(const PairTable& table) {
  return {.a = table.of.n, .d = 1, .possible = {0, rows_of(table.shape)}, .tried = [](const Ends&) {
            return TriedPair{ones, 0};
          }};
}

PairTest mean_test(const PairTable& table, bool of_x) {
  return {
      .a = of_x ? table.of.x : table.of.y, .d = table.of.n, .possible = {-1, 1}, .tried = [of_x](const Ends& theta) {
        return TriedPair{sizes_of([&](auto i, auto j) { return place(of_x ? i : j) - theta; }), 0};
      }};
}

// Squares about the mean, less theta where the rows divide.
struct Squares {
  bool of_x, is_divided, is_sample;
};
std::optional<PairTest> squares_test(const PairTable& table, const Squares& asked) {
  const bool of_x = asked.of_x, is_divided = asked.is_divided;
  const PairMoments of = of_x ? table.of : exchanged(table.of);
  const std::optional<double> radius = of_x ? table.x_radius() : table.y_radius();
  if (!radius) return std::nullopt;
  const Ends r = about(of.x / of.n, *radius);
  const auto square = [=](std::size_t i, std::size_t j) {
    const std::size_t k = of_x ? i : j;
    return -bend(k) + squared(place(k) - r);
  };
  const auto less = [=](const Ends& theta) {
    return [=](std::size_t i, std::size_t j) { return square(i, j) - theta; };
  };
  const PairSizes sizes = sizes_of(square);
  const double second = of.n * *radius * *radius;
  return PairTest{.a = of.xx - of.x * of.x / of.n,
                  .d = is_divided ? of.n - (asked.is_sample ? 1 : 0) : 1,
                  .possible = {0, is_divided ? most_variance(asked.is_sample) : rows_of(table.shape)},
                  .scale = 1 + r.size() * r.size(),
                  .tried = [=](const Ends& theta) {
                    return TriedPair{is_divided ? sizes_of(less(theta)) : sizes, second};
                  }};
}

// Products about the means, less theta where the rows divide.
std::optional<PairTest> products_test(const PairTable& table, Relation relation) {
  const PairMoments& of = table.of;
  const std::optional<double> x_radius = table.x_radius(), y_radius = table.y_radius();
  if (!x_radius || !y_radius) return std::nullopt;
  const Ends r = about(of.x / of.n, *x_radius), s = about(of.y / of.n, *y_radius);
  const bool is_divided = relation != Relation::products, is_sample = relation == Relation::covariance_sample;
  const double most = is_sample ? 2 : is_divided ? 1 : rows_of(table.shape);
  const double second = of.n * *x_radius * *y_radius;
  return PairTest{.a = of.xy - of.x * of.y / of.n,
                  .d = is_divided ? of.n - (is_sample ? 1 : 0) : 1,
                  .possible = {-most, most},
                  .scale = (1 + r.size()) * (1 + s.size()),
                  .tried = [=](const Ends& theta) {
                    return TriedPair{sizes_of([&](std::size_t i, std::size_t j) {
                                       const Ends product = (place(i) - r) * (place(j) - s);
                                       return is_divided ? product - theta : product;
                                     }),
                                     second};
                  }};
}

// A coefficient of y = theta u + beta v, with the residual tested against u - gamma v: the slope with u = x, v = 1, the
// intercept with u = 1, v = z = x - at.
struct Line {
  const PairTable& table;
  bool is_slope;
  double at;  // where the intercept is taken
  double uu, uv, vv, uy, vy, g;

  static Line slope(const PairTable& table) {
    const PairMoments& of = table.of;
    return {table, true, 0, of.xx, of.x, of.n, of.xy, of.y, of.x / of.n};
  }
  static Line intercept(const PairTable& table, double at) {
    const PairMoments& of = table.of;
    const double z = of.x - at * of.n, zz = of.xx - at * (2 * of.x - at * of.n);
    return {table, false, at, of.n, z, zz, of.y, of.xy - at * of.y, z / zz};
  }

  double z(std::size_t i) const { return place(i) - at; }
  double first(std::size_t i) const { return is_slope ? z(i) : 1; }                    // u
  double other(std::size_t i) const { return is_slope ? 1 : z(i); }                    // v
  double cross(std::size_t i) const { return z(i); }                                   // u v
  double square(std::size_t i) const { return is_slope ? 1 : z(i) * z(i) - bend(i); }  // v v
  double scale() const { return (1 + std::abs(at)) * (1 + std::abs(at)) * (1 + std::abs(g)) * (1 + std::abs(g)); }

  std::optional<double> gamma_radius() const {
    return PairTable::radius(vv, [&](double r) {
      return table.reach(
          sizes_of([&](std::size_t i, std::size_t) { return about(cross(i) - g * square(i), r * std::abs(square(i))); },
                   scale()));
    });
  }

  // Of beta given theta, about (vy - theta uv) / vv.
  std::optional<double> beta_radius(const Ends& theta) const {
    return PairTable::radius(vv, [&](double r) {
      return table.reach(sizes_of(
          [&](std::size_t i, std::size_t j) {
            const double fixed = other(i) * place(j) - square(i) * vy / vv;
            return fixed - (cross(i) - g * square(i)) * theta + about(0, r * std::abs(square(i)));
          },
          scale() * (1 + theta.size())));
    });
  }

  std::optional<TriedPair> tried(const Ends& theta, double gamma_radius) const {
    const std::optional<double> beta_radius = this->beta_radius(theta);
    if (!beta_radius) return std::nullopt;
    const Ends gamma = about(g, gamma_radius);
    const PairSizes sizes = sizes_of(
        [&](std::size_t i, std::size_t j) {
          const double v = other(i);
          const Ends residual =
              (place(j) - v * vy / vv) - (first(i) - v * g) * theta + about(0, std::abs(v) * *beta_radius);
          const Ends product = (first(i) - v * gamma) * residual;
          if (bend(i) == 0) return product;
          if (is_slope) return product + theta;
          return product - gamma * (vy / vv - g * theta + about(0, *beta_radius));
        },
        scale() * (1 + theta.size()));
    return TriedPair{sizes, vv * gamma_radius * *beta_radius * raised_size};
  }
};

std::optional<PairTest> line_test(const Line& line) {
  const std::optional<double> radius = line.gamma_radius();
  if (!radius) return std::nullopt;
  const double steepest = static_cast<double>(line.table.shape.x.steps);
  const double most = line.is_slope ? steepest : 1 + steepest * (1 + std::abs(line.at));
  return PairTest{.a = line.uy - line.g * line.vy,
                  .d = line.uu - line.g * line.uv,
                  .possible = {-most, most},
                  .scale = line.scale(),
                  .tried = [=](const Ends& theta) { return line.tried(theta, *radius); }};
}

// With the ratio of the deviations as a nuisance, at which the test is least.
std::optional<PairTest> correlation_test(const PairTable& table) {
  const PairMoments& of = table.of;
  const std::optional<double> x_radius = table.x_radius(), y_radius = table.y_radius();
  if (!x_radius || !y_radius) return std::nullopt;
  const Ends r = about(of.x / of.n, *x_radius), s = about(of.y / of.n, *y_radius);
  const double vx = of.xx - of.x * of.x / of.n, vy = of.yy - of.y * of.y / of.n;
  if (!(vx > 0) || !(vy > 0)) return std::nullopt;
  const auto square_x = [=](std::size_t i) { return -bend(i) + squared(place(i) - r); };
  const auto square_y = [=](std::size_t j) { return -bend(j) + squared(place(j) - s); };
  const double ratio = vy / vx, scale = (1 + r.size()) * (1 + r.size()) * (1 + s.size()) * (1 + s.size());
  const double xx = of.n * *x_radius * *x_radius, yy = of.n * *y_radius * *y_radius, xy = of.n * *x_radius * *y_radius;
  const std::optional<double> radius = PairTable::radius(vx, [&](double q) {
    const PairSizes sizes = sizes_of(
        [&](std::size_t i, std::size_t j) { return square_y(j) - about(ratio, q) * square_x(i); }, scale * (1 + ratio));
    return table.reach(sizes) + yy + (ratio + q) * xx;
  });
  if (!radius || !(*radius < ratio)) return std::nullopt;
  const Ends lambda{std::sqrt(ratio - *radius), std::sqrt(ratio + *radius)}, inverse{1 / lambda.high, 1 / lambda.low};
  const auto excess = [=](double one) { return vx * (one - std::sqrt(ratio)) * (one - std::sqrt(ratio)) / one; };
  const double of_ratio = std::max(excess(lambda.low), excess(lambda.high));
  return PairTest{
      .a = of.xy - of.x * of.y / of.n,
      .d = std::sqrt(vx) * std::sqrt(vy),
      .possible = {-1, 1},
      .scale = scale * (1 + lambda.high + inverse.high),
      .tried = [=](const Ends& theta) {
        const PairSizes sizes = sizes_of(
            [&](std::size_t i, std::size_t j) {
              const Ends both = lambda * square_x(i) + inverse * square_y(j);
              return (place(i) - r) * (place(j) - s) - 0.5 * theta * both;
            },
            scale * (1 + lambda.high + inverse.high));
        const double half = theta.size() / 2;
        return TriedPair{sizes, (xy + half * (of_ratio + lambda.high * xx + inverse.high * yy)) * raised_size};
      }};
}

}  // namespace

PairMoments moments_of(std::span<const std::int64_t> released, std::int64_t weight) {
  std::array<Wide, 6> sums{};
  Wide size = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const Wide sum = released[3 * i + j];
      const int p = static_cast<int>(i) - 1, q = static_cast<int>(j) - 1;
      const int p2 = p == 0 ? -1 : 1, q2 = q == 0 ? -1 : 1;
      const std::array coefficients{1, p, q, p * q, p2, q2};
      for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += coefficients[k] * sum;
      size += sum < 0 ? -sum : sum;
    }
  }
  const auto rows = [&](Wide sum) { return static_cast<double>(sum) / static_cast<double>(weight); };
  return {rows(sums[0]), rows(sums[1]), rows(sums[2]), rows(sums[3]), rows(sums[4]), rows(sums[5]), rows(size) + 1};
}

std::optional<PairTest> test_of(const PairTable& table, Relation relation) {
  if (relation == Relation::count) return count_test(table);
  if (!(table.of.n > 0)) return std::nullopt;
  if (is_mean(relation)) return mean_test(table, relation == Relation::mean_x);
  if (is_squares(relation)) return squares_test(table, {relation == Relation::squares_x, false, false});
  if (const auto spread = spread_of(relation)) return squares_test(table, {spread->of_x, true, spread->is_sample});
  if (is_correlation(relation)) return correlation_test(table);
  if (relation == Relation::slope) return line_test(Line::slope(table));
  if (relation != Relation::intercept) return products_test(table, relation);
  const Units units = Units::of(table.shape);
  return line_test(Line::intercept(table, -units.x_middle / units.x_half));
}

Ends possible_of(const PairShape& shape, Relation relation) {
  if (const auto spread = spread_of(relation)) return {0, most_variance(spread->is_sample)};
  const double rows = rows_of(shape), steepest = static_cast<double>(shape.x.steps);
  const Units units = Units::of(shape);
  switch (relation) {
    case Relation::count:
    case Relation::squares_x:
    case Relation::squares_y:
      return {0, rows};
    case Relation::products:
      return {-rows, rows};
    case Relation::covariance_sample:
      return {-2, 2};
    case Relation::slope:
      return {-steepest, steepest};
    case Relation::intercept: {
      const double most = 1 + steepest * (1 + std::abs(units.x_middle / units.x_half));
      return {-most, most};
    }
    case Relation::determination:
      return {0, 1};
    default:
      return {-1, 1};
  }
}

double rounding_of(const PairTable& table, const PairTest& test, const Ends& theta) {
  return sums_error * table.of.size * test.scale * (1 + theta.size());
}

Ends lengthened(const Ends& kept, const Ends& possible, double middle, double reach) {
  const bool is_cut = kept.low > kept.high || kept.low <= possible.low || kept.high >= possible.high;
  if (!is_cut || kept.high - kept.low >= reach) return kept;
  return {std::max(std::min(kept.low, middle - reach), possible.low),
          std::min(std::max(kept.high, middle + reach), possible.high)};
}

Ends kept_by(const PairTest& test, double reach, const std::function<bool(const Ends&)>& rejects) {
  const Ends all = test.possible;
  const double middle = std::clamp(test.a / test.d, all.low, all.high), width = all.high - all.low;
  if (!std::isfinite(reach)) return all;
  const auto theta = [&](Fraction place) {
    return all.low + width * std::ldexp(static_cast<double>(place), -fraction_bits);
  };
  const double slack = 0x1p-50 * std::max(std::abs(all.low), std::abs(all.high));
  const auto rejected = [&](const Cell& cell) {
    return rejects({theta(cell.first) - slack, theta(cell.last) + slack});
  };
  const double length = std::clamp(reach / width, 0x1p-45, 1.0);
  const Fraction resolution = Fraction{1} << std::max(fraction_bits - resolution_bits + std::ilogb(length), 0);
  const std::optional<Hull> hull = kept_hull(rejected, resolution);
  const Ends kept = hull ? Ends{theta(hull->low) - slack, theta(hull->high) + slack} : Ends{all.high, all.low};
  const Ends told = lengthened(kept, all, middle, reach);
  return {std::max(told.low, all.low), std::min(told.high, all.high)};
}

double estimate(const PairTable& table, const PairTest& test) {
  const double theta = std::clamp(test.a / test.d, test.possible.low, test.possible.high);
  const std::optional<TriedPair> at = test.tried({theta, theta});
  double variance = 0;
  for (const double size : at ? at->sizes : ones) variance += size * size * table.main.variance();
  return std::clamp(test.a * test.d / (test.d * test.d + variance), test.possible.low, test.possible.high);
}

Interval outward(const Ends& kept, double middle, double factor) {
  const double low = middle + kept.low * factor, high = middle + kept.high * factor;
  const auto slack = [&](double end) { return 0x1p-50 * (std::abs(end * factor) + std::abs(middle)); };
  return {low - slack(kept.low), high + slack(kept.high)};
}

double cut_of(const PairShape& shape, double rows) {
  return 16 * rows * shape.cuts() / static_cast<double>(shape.weight()) * raised_size;
}

}  // namespace vernier::interval
