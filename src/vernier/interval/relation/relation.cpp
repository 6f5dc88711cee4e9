#include "vernier/interval/relation/relation.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "vernier/interval/noise/kept.hpp"
#include "vernier/interval/relation/node_sizes.hpp"
#include "vernier/interval/rows/mean.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::interval {
namespace {

__extension__ using Wide = __int128;

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double sums_error = 0x1p-44;     // of all sums, by which a test may be off; relation.md counts a quarter
constexpr double part_of_nuisances = 0.1;  // of alpha
constexpr double part_of_rows = 0.01;      // where rows or parts of units are cut
constexpr int most_rounds = 40;            // until the radius of a nuisance is stable
constexpr int resolution_bits = 10;        // of an interval's half width

// The released sums in rows, over columns between -1 and 1.
struct Moments {
  double n, x, y, xy, xx, yy;
  double size;  // of all sums
};

Moments moments_of(std::span<const std::int64_t> released, std::int64_t weight) {
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

double greatest(const PairSizes& sizes) { return *std::max_element(sizes.begin(), sizes.end()); }

// What is rejected: theta with abs(a - theta d) beyond the reach of the noise and the second order.
struct Tried {
  PairSizes sizes;
  double second;
};
struct Test {
  double a, d;
  Ends possible;
  double scale = 1;  // of the numbers that it was made from
  std::function<std::optional<Tried>(const Ends& theta)> tried;
};

// The parts of one released table that all tests are made from.
struct Table {
  const PairShape& shape;
  const PairNodeNoise &main, &nuisance;
  Moments of;
  double cut;  // by which sums that were cut to whole numbers may move a combination of sizes up to 1

  double reach(const PairSizes& sizes) const { return nuisance.reach(sizes) + cut * greatest(sizes); }

  // A radius that a nuisance keeps to but for its part of alpha: `bound(R)` is from above what abs(divisor * distance)
  // reaches if the nuisance is no further than R away, and grows by no more than in proportion. None where there is no
  // such radius.
  template <class Bound>
  static std::optional<double> radius(double divisor, const Bound& bound) {
    if (!(divisor > 0)) return std::nullopt;
    double r = 0;
    for (int round = 0; round < most_rounds; ++round) {
      const double next = bound(r) / divisor * (1 + 0x1p-8);
      if (!std::isfinite(next)) return std::nullopt;
      if (round > 0 && next <= r * (1 + 0x1p-8)) return r;
      r = next;
    }
    return std::nullopt;
  }

  // Of the mean of one column.
  template <class Place>
  std::optional<double> mean_radius(double middle, const Place& place_of) const {
    return radius(of.n, [&](double r) {
      return reach(sizes_of([&](std::size_t i, std::size_t j) { return about(place_of(i, j) - middle, r); }));
    });
  }
  std::optional<double> x_radius() const {
    return mean_radius(of.x / of.n, [](std::size_t i, std::size_t) { return place(i); });
  }
  std::optional<double> y_radius() const {
    return mean_radius(of.y / of.n, [](std::size_t, std::size_t j) { return place(j); });
  }
};

// The same sums with the columns exchanged.
Moments exchanged(const Moments& of) { return {of.n, of.y, of.x, of.xy, of.yy, of.xx, of.size}; }

double rows_of(const PairShape& shape) { return static_cast<double>(shape.row_limit); }

// Of rows between -1 and 1.
double most_variance(bool is_sample) { return is_sample ? 2 : 1; }

Test count_test(const Table& table) {
  return {.a = table.of.n, .d = 1, .possible = {0, rows_of(table.shape)}, .tried = [](const Ends&) {
            return Tried{ones, 0};
          }};
}

Test mean_test(const Table& table, bool of_x) {
  return {
      .a = of_x ? table.of.x : table.of.y, .d = table.of.n, .possible = {-1, 1}, .tried = [of_x](const Ends& theta) {
        return Tried{sizes_of([&](auto i, auto j) { return place(of_x ? i : j) - theta; }), 0};
      }};
}

// Squares about the mean, less theta where the rows divide.
struct Squares {
  bool of_x, is_divided, is_sample;
};
std::optional<Test> squares_test(const Table& table, const Squares& asked) {
  const bool of_x = asked.of_x, is_divided = asked.is_divided;
  const Moments of = of_x ? table.of : exchanged(table.of);
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
  return Test{.a = of.xx - of.x * of.x / of.n,
              .d = is_divided ? of.n - (asked.is_sample ? 1 : 0) : 1,
              .possible = {0, is_divided ? most_variance(asked.is_sample) : rows_of(table.shape)},
              .scale = 1 + r.size() * r.size(),
              .tried = [=](const Ends& theta) {
                return Tried{is_divided ? sizes_of(less(theta)) : sizes, second};
              }};
}

// Products about the means, less theta where the rows divide.
std::optional<Test> products_test(const Table& table, Relation relation) {
  const Moments& of = table.of;
  const std::optional<double> x_radius = table.x_radius(), y_radius = table.y_radius();
  if (!x_radius || !y_radius) return std::nullopt;
  const Ends r = about(of.x / of.n, *x_radius), s = about(of.y / of.n, *y_radius);
  const bool is_divided = relation != Relation::products, is_sample = relation == Relation::covariance_sample;
  const double most = is_sample ? 2 : is_divided ? 1 : rows_of(table.shape);
  const double second = of.n * *x_radius * *y_radius;
  return Test{.a = of.xy - of.x * of.y / of.n,
              .d = is_divided ? of.n - (is_sample ? 1 : 0) : 1,
              .possible = {-most, most},
              .scale = (1 + r.size()) * (1 + s.size()),
              .tried = [=](const Ends& theta) {
                return Tried{sizes_of([&](std::size_t i, std::size_t j) {
                               const Ends product = (place(i) - r) * (place(j) - s);
                               return is_divided ? product - theta : product;
                             }),
                             second};
              }};
}

// A coefficient of y = theta u + beta v, with the residual tested against u - gamma v: the slope with u = x, v = 1, the
// intercept with u = 1, v = z = x - at.
struct Line {
  const Table& table;
  bool is_slope;
  double at;  // where the intercept is taken
  double uu, uv, vv, uy, vy, g;

  static Line slope(const Table& table) {
    const Moments& of = table.of;
    return {table, true, 0, of.xx, of.x, of.n, of.xy, of.y, of.x / of.n};
  }
  static Line intercept(const Table& table, double at) {
    const Moments& of = table.of;
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
    return Table::radius(vv, [&](double r) {
      return table.reach(
          sizes_of([&](std::size_t i, std::size_t) { return about(cross(i) - g * square(i), r * std::abs(square(i))); },
                   scale()));
    });
  }

  // Of beta given theta, about (vy - theta uv) / vv.
  std::optional<double> beta_radius(const Ends& theta) const {
    return Table::radius(vv, [&](double r) {
      return table.reach(sizes_of(
          [&](std::size_t i, std::size_t j) {
            const double fixed = other(i) * place(j) - square(i) * vy / vv;
            return fixed - (cross(i) - g * square(i)) * theta + about(0, r * std::abs(square(i)));
          },
          scale() * (1 + theta.size())));
    });
  }

  std::optional<Tried> tried(const Ends& theta, double gamma_radius) const {
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
    return Tried{sizes, vv * gamma_radius * *beta_radius * raised_size};
  }
};

std::optional<Test> line_test(const Line& line) {
  const std::optional<double> radius = line.gamma_radius();
  if (!radius) return std::nullopt;
  const double steepest = static_cast<double>(line.table.shape.x.steps);
  const double most = line.is_slope ? steepest : 1 + steepest * (1 + std::abs(line.at));
  return Test{.a = line.uy - line.g * line.vy,
              .d = line.uu - line.g * line.uv,
              .possible = {-most, most},
              .scale = line.scale(),
              .tried = [=](const Ends& theta) { return line.tried(theta, *radius); }};
}

// With the ratio of the deviations as a nuisance, at which the test is least.
std::optional<Test> correlation_test(const Table& table) {
  const Moments& of = table.of;
  const std::optional<double> x_radius = table.x_radius(), y_radius = table.y_radius();
  if (!x_radius || !y_radius) return std::nullopt;
  const Ends r = about(of.x / of.n, *x_radius), s = about(of.y / of.n, *y_radius);
  const double vx = of.xx - of.x * of.x / of.n, vy = of.yy - of.y * of.y / of.n;
  if (!(vx > 0) || !(vy > 0)) return std::nullopt;
  const auto square_x = [=](std::size_t i) { return -bend(i) + squared(place(i) - r); };
  const auto square_y = [=](std::size_t j) { return -bend(j) + squared(place(j) - s); };
  const double ratio = vy / vx, scale = (1 + r.size()) * (1 + r.size()) * (1 + s.size()) * (1 + s.size());
  const double xx = of.n * *x_radius * *x_radius, yy = of.n * *y_radius * *y_radius, xy = of.n * *x_radius * *y_radius;
  const std::optional<double> radius = Table::radius(vx, [&](double q) {
    const PairSizes sizes = sizes_of(
        [&](std::size_t i, std::size_t j) { return square_y(j) - about(ratio, q) * square_x(i); }, scale * (1 + ratio));
    return table.reach(sizes) + yy + (ratio + q) * xx;
  });
  if (!radius || !(*radius < ratio)) return std::nullopt;
  const Ends lambda{std::sqrt(ratio - *radius), std::sqrt(ratio + *radius)}, inverse{1 / lambda.high, 1 / lambda.low};
  const auto excess = [=](double one) { return vx * (one - std::sqrt(ratio)) * (one - std::sqrt(ratio)) / one; };
  const double of_ratio = std::max(excess(lambda.low), excess(lambda.high));
  return Test{.a = of.xy - of.x * of.y / of.n,
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
                return Tried{sizes, (xy + half * (of_ratio + lambda.high * xx + inverse.high * yy)) * raised_size};
              }};
}

std::optional<Test> test_of(const Table& table, Relation relation) {
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

// By what theta may be beyond the noise at the value that the sums have themselves.
double reach_at(const Table& table, const Test& test, double theta) {
  const std::optional<Tried> at = test.tried({theta, theta});
  return at ? table.main.reach(at->sizes) + table.cut * greatest(at->sizes) + at->second : infinite;
}

// Whether all theta of a cell are rejected.
bool is_rejected(const Table& table, const Test& test, const Ends& theta) {
  const Ends apart = test.a - test.d * theta;
  const double error = sums_error * table.of.size * test.scale * (1 + theta.size());
  if (!(apart.distance() > error)) return false;
  const std::optional<Tried> tried = test.tried(theta);
  if (!tried) return false;
  const double left = apart.distance() - error - tried->second - table.cut * greatest(tried->sizes);
  return left > 0 && table.main.rarely_reaches(tried->sizes, left);
}

// A span that was cut to nothing or short by what is possible looks more certain than it is: it gets its reach back.
Ends lengthened(const Ends& kept, const Ends& possible, double middle, double reach) {
  const bool is_cut = kept.low > kept.high || kept.low <= possible.low || kept.high >= possible.high;
  if (!is_cut || kept.high - kept.low >= reach) return kept;
  return {std::max(std::min(kept.low, middle - reach), possible.low),
          std::min(std::max(kept.high, middle + reach), possible.high)};
}

Ends kept_by(const Table& table, const Test& test) {
  const Ends all = test.possible;
  const double middle = std::clamp(test.a / test.d, all.low, all.high), width = all.high - all.low;
  const double reach = reach_at(table, test, middle) / test.d;
  if (!std::isfinite(reach)) return all;
  const auto theta = [&](Fraction place) {
    return all.low + width * std::ldexp(static_cast<double>(place), -fraction_bits);
  };
  const double slack = 0x1p-50 * std::max(std::abs(all.low), std::abs(all.high));
  const auto rejects = [&](const Cell& cell) {
    return is_rejected(table, test, {theta(cell.first) - slack, theta(cell.last) + slack});
  };
  const double length = std::clamp(reach / width, 0x1p-45, 1.0);
  const Fraction resolution = Fraction{1} << std::max(fraction_bits - resolution_bits + std::ilogb(length), 0);
  const std::optional<Hull> hull = kept_hull(rejects, resolution);
  const Ends kept = hull ? Ends{theta(hull->low) - slack, theta(hull->high) + slack} : Ends{all.high, all.low};
  const Ends told = lengthened(kept, all, middle, reach);
  return {std::max(told.low, all.low), std::min(told.high, all.high)};
}

// Of a total the noise does not depend on theta.
Ends total_kept_by(const Table& table, const Test& test) {
  const double reach = reach_at(table, test, 0) + sums_error * table.of.size * test.scale;
  const Ends all = test.possible, kept = about(test.a, reach);
  const double middle = std::clamp(test.a, all.low, all.high);
  const Ends told = lengthened({std::max(kept.low, all.low), std::min(kept.high, all.high)}, all, middle, reach);
  return {std::max(told.low, all.low), std::min(told.high, all.high)};
}

// What the sums say of themselves, shrunken toward 0 by the noise.
double estimate(const Table& table, const Test& test) {
  const double theta = std::clamp(test.a / test.d, test.possible.low, test.possible.high);
  const std::optional<Tried> at = test.tried({theta, theta});
  double variance = 0;
  for (const double size : at ? at->sizes : ones) variance += size * size * table.main.variance();
  return std::clamp(test.a * test.d / (test.d * test.d + variance), test.possible.low, test.possible.high);
}

struct Found {
  double value;
  Ends kept;
};

Found found_of(const Table& table, Relation relation, const std::optional<Test>& test) {
  const Ends all = possible_of(table.shape, relation);
  const double none = std::clamp(0.0, all.low, all.high);
  if (!test) return {none, all};
  if (is_total(relation)) return {std::clamp(test->a, all.low, all.high), total_kept_by(table, *test)};
  if (!(test->d > 0)) return {none, all};
  return {estimate(table, *test), kept_by(table, *test)};
}

Found squared_of(const Found& found) { return {found.value * found.value, squared(found.kept)}; }

Found root_of(const Found& found) {
  const double up = 1 + 0x1p-50;
  return {std::sqrt(found.value), {std::sqrt(found.kept.low) / up, std::sqrt(found.kept.high) * up}};
}

// Outward, as roundings of a few operations ask for.
Interval outward(const Ends& kept, double middle, double factor) {
  const double low = middle + kept.low * factor, high = middle + kept.high * factor;
  const auto slack = [&](double end) { return 0x1p-50 * (std::abs(end * factor) + std::abs(middle)); };
  return {low - slack(kept.low), high + slack(kept.high)};
}

Interval whole(const Ends& kept) {
  const double low = std::ceil(kept.low), high = std::floor(kept.high);
  return {std::min(low, high), std::max(low, high)};
}

// What the sums lose in all but the middle one goes there: the number of rows is exact.
bool is_cut(const PairShape& shape, Relation relation) { return shape.cuts() > 0 && relation != Relation::count; }

Result<Alpha> part_of(Alpha alpha, double part) { return Alpha::of(numeric::multiply_down(alpha.value(), part)); }

}  // namespace

std::int64_t pair_weight(std::int64_t x, std::int64_t y, std::int64_t fineness) {
  constexpr Wide most = Wide{1} << 62;
  Wide weight = 1;
  for (const std::int64_t factor : {x, x, y, y}) weight = std::min(weight * factor, most);
  return static_cast<std::int64_t>(fineness < 0 ? weight / -fineness : std::min(weight * fineness, most));
}

std::array<std::int64_t, pair_nodes> pair_row(const PairShape& shape, std::int64_t k, std::int64_t l) {
  const std::int64_t m = shape.x.steps - k, n = shape.y.steps - l;
  const std::array of_x{m * m, 2 * k * m, k * k}, of_y{n * n, 2 * l * n, l * l};
  std::array<std::int64_t, pair_nodes> row{};
  std::int64_t rest = shape.weight();
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (i == middle_node) continue;
    const std::int64_t product = of_x[i / 3] * of_y[i % 3];
    row[i] = shape.fineness < 0 ? product / -shape.fineness : product * shape.fineness;
    rest -= row[i];
  }
  row[middle_node] = rest;
  return row;
}

Result<RelationInference> RelationInference::of(const PairLaw& law, const PairShape& shape, Alpha alpha,
                                                Relation relation) {
  const int nuisances = nuisances_of(relation);
  const double of_rows = is_cut(shape, relation) ? part_of_rows : 0;
  const double of_nuisances = nuisances == 1 ? part_of_nuisances / 2 : nuisances > 0 ? part_of_nuisances : 0;
  VERNIER_TRY(const Alpha main, part_of(alpha, 1 - of_nuisances - of_rows));
  VERNIER_TRY(const Alpha nuisance, part_of(alpha, nuisances > 0 ? of_nuisances / nuisances : part_of_nuisances));
  VERNIER_TRY(const Alpha rows, part_of(alpha, part_of_rows));
  const std::int64_t weight = shape.weight();
  return RelationInference(shape, relation, PairNodeNoise::of(law, weight, main),
                           PairNodeNoise::of(law, weight, nuisance), PairNodeNoise::of(law, weight, rows));
}

Result<RelationInterval> RelationInference::from(std::span<const std::int64_t> released) const {
  if (released.size() != pair_nodes) {
    return invalid("a relation needs nine released sums, but there are " + std::to_string(released.size()));
  }
  const auto weight = static_cast<double>(shape_.weight());
  Table table{shape_, main_, nuisance_, moments_of(released, shape_.weight()), 0};
  if (is_cut(shape_, relation_)) {
    const double rows = std::max(table.of.n, 0.0) + rows_.reach(ones);
    table.cut = 16 * rows * shape_.cuts() / weight * raised_size;
  }
  Found found = found_of(table, relation_, test_of(table, relation_));
  if (relation_ == Relation::determination) found = squared_of(found);
  const auto spread = spread_of(relation_);
  const Ends all = possible_of(shape_, relation_);
  const bool is_all = found.kept.low <= all.low && found.kept.high >= all.high;
  if (spread && spread->is_deviation) found = root_of(found);
  const Units units = Units::of(shape_);
  const double factor = units.factor(relation_), middle = units.middle(relation_);
  Interval interval = outward(found.kept, middle, factor);
  if (relation_ == Relation::count) interval = whole(found.kept);
  if (is_correlation(relation_)) interval = {std::max(interval.low, all.low), std::min(interval.high, all.high)};
  double value = middle + found.value * factor;
  if (spread || is_squares(relation_)) interval.low = std::max(interval.low, 0.0);
  if (relation_ == Relation::count) value = std::round(value);
  value = std::clamp(value, interval.low, std::max(interval.low, interval.high));
  const bool may_be_empty =
      relation_ != Relation::count && !main_.rarely_reaches(ones, table.of.n - 1 - sums_error * table.of.size);
  return RelationInterval{value, farthest_end(value, interval), interval, !is_all, may_be_empty};
}

}  // namespace vernier::interval
