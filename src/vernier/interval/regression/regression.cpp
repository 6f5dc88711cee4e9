#include "vernier/interval/regression/regression.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "vernier/interval/noise/kept.hpp"
#include "vernier/interval/regression/radii.hpp"
#include "vernier/interval/regression/solve.hpp"
#include "vernier/interval/rows/mean.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::interval {
namespace {

constexpr double raised_size = 1 + 0x1p-40;  // pays, with the absolute part, for the roundings of a coefficient
constexpr double absolute_size = 0x1p-44;
constexpr double sums_error = 0x1p-44;                          // of all sums, by which a test may be off
constexpr double part_of_nuisances = 0.1, part_of_rows = 0.01;  // of alpha
constexpr int resolution_bits = 10;                             // of an interval's half width

using Sizes = std::vector<double>;

Sizes sizes_of(const NumberEnds& ends, double scale) {
  Sizes sizes(ends.size());
  for (std::size_t i = 0; i < ends.size(); ++i) sizes[i] = ends[i].size() * raised_size + absolute_size * scale;
  return sizes;
}

// The released moments over columns whose zero was moved, and the noise on them.
struct Table {
  const MomentShape& shape;
  const ManyNoises &main, &nuisance;
  Place zero{};     // of every x, between -1 and 1
  MomentMatrix of;  // about these
  double rows = 0;  // at most so many, roundings of units that are cut included
  double far = 1;   // how far zeros lie

  std::size_t y() const { return shape.columns.size(); }

  // Vectors over (1, z - zero, y) as vectors over (1, z, y).
  PlaceEnds moved(PlaceEnds v) const {
    for (std::size_t k = 1; k < shape.width(); ++k) v[0] = v[0] - zero[k] * v[k];
    return v;
  }
  NumberEnds form(const PlaceEnds& q, const PlaceEnds& a) const { return form_of(shape, moved(q), moved(a)); }
  NumberEnds square(const PlaceEnds& a) const { return square_of(shape, moved(a)); }

  double cut(const Sizes& sizes) const { return rounding_of(shape, sizes) * rows; }
  double quick(const Sizes& sizes) const { return nuisance.quick_reach(sizes) + cut(sizes); }
  double error(double scale) const { return sums_error * of.size * scale * far; }
};

MomentMatrix about_zeros(const MomentMatrix& raw, const Place& zero, std::size_t width) {
  MomentMatrix made = raw;
  for (std::size_t k = 0; k < width; ++k) {
    for (std::size_t l = 0; l < width; ++l) {
      made.at[k][l] = raw.at[k][l] - zero[k] * raw.at[0][l] - zero[l] * raw.at[k][0] + zero[k] * zero[l] * raw.at[0][0];
    }
  }
  return made;
}

PlaceEnds unit(std::size_t place) {
  PlaceEnds v{};
  v[place] = {1, 1};
  return v;
}
PlaceEnds points(const Place& at) {
  PlaceEnds v{};
  for (std::size_t k = 0; k < at.size(); ++k) v[k] = {at[k], at[k]};
  return v;
}
double length_of(const Place& at) {
  double sum = 0;
  for (const double x : at) sum += std::abs(x);
  return sum;
}

// Columns by which another one is explained, with what was solved.
struct Others {
  Indices at;
  Inverse inverse;
};
std::optional<Others> others_of(const Table& table, Indices at) {
  auto inverse = inverse_of(table.of, at);
  if (!inverse) return std::nullopt;
  return Others{std::move(at), *std::move(inverse)};
}

// e_target less its least squares on the others.
Place residual_of(const Table& table, const Others& others, std::size_t target) {
  Place column{};
  for (const std::size_t k : others.at) column[k] = table.of.at[k][target];
  const Place solved = others.inverse.times(column);
  Place residual{};
  residual[target] = 1;
  for (const std::size_t k : others.at) residual[k] = -solved[k];
  return residual;
}

double bilinear(const Table& table, const Place& q, const Place& a) {
  long double sum = 0;
  for (std::size_t k = 0; k < q.size(); ++k) {
    for (std::size_t l = 0; l < a.size(); ++l) sum += static_cast<long double>(q[k]) * table.of.at[k][l] * a[l];
  }
  return static_cast<double>(sum);
}

// How far the coefficients of the others may be from those that were solved, and by how much their equations may miss.
struct Box {
  Place radius{}, miss{};
};

PlaceEnds widened(PlaceEnds v, const Indices& at, const Place& radius) {
  for (const std::size_t k : at) v[k] = v[k] + about(0, radius[k]);
  return v;
}

// Of the residual v over its others, with all of their directions: regression.md, "Radii".
std::optional<Box> box_of(const Table& table, const Others& others, const PlaceEnds& v, const Place& error) {
  double length = 0;
  for (const Ends& one : v) length += one.size();
  const auto misses = [&](const Place& radius) {
    const PlaceEnds wide = widened(v, others.at, radius);
    Place miss{};
    for (const std::size_t k : others.at)
      miss[k] = table.quick(sizes_of(table.form(unit(k), wide), table.far * length)) + error[k];
    return miss;
  };
  const auto bound = [&](const Place& radius) { return others.inverse.bound(misses(radius)); };
  const std::optional<Place> radius = kept_radii(others.at, bound);
  if (!radius) return std::nullopt;
  return Box{*radius, misses(*radius)};
}

double times(const Place& a, const Place& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum * raised_size;
}

// What is rejected: (w, theta) with abs(a w - d theta) beyond the reach of the noise and the second order.
struct Tried {
  Sizes sizes;
  double second;
};
struct Test {
  double a, d;
  Ends possible;
  bool is_bounded;  // else far values are tried as a whole
  std::function<double(const Ends& w, const Ends& theta)> error;
  std::function<std::optional<Tried>(const Ends& w, const Ends& theta)> tried;
};

constexpr Ends one{1, 1};

bool is_rejected(const Table& table, const Test& test, const Ends& w, const Ends& theta) {
  const double distance = (test.a * w - test.d * theta).distance() - test.error(w, theta);
  if (!(distance > 0)) return false;
  const std::optional<Tried> tried = test.tried(w, theta);
  if (!tried) return false;
  const double left = distance - tried->second - table.cut(tried->sizes);
  return left > 0 && table.main.rarely_reaches(tried->sizes, left);
}

double reach_at(const Table& table, const Test& test, double theta) {
  const std::optional<Tried> at = test.tried(one, {theta, theta});
  return at ? table.main.reach(at->sizes) + table.cut(at->sizes) + at->second : HUGE_VAL;
}

struct Found {
  double value;
  Ends kept;
  bool is_all;
};

double estimate(const Table& table, const Test& test) {
  const double theta = std::clamp(test.a / test.d, test.possible.low, test.possible.high);
  const std::optional<Tried> at = test.tried(one, {theta, theta});
  double variance = 0;
  if (at) {
    for (const double size : at->sizes) variance += size * size * table.main.variance();
  }
  return std::clamp(test.a * test.d / (test.d * test.d + variance), test.possible.low, test.possible.high);
}

// A span that what is possible has cut to nothing or short gets its reach back.
Ends lengthened(const Ends& kept, const Ends& possible, double middle, double reach) {
  const bool is_cut = kept.low > kept.high || kept.low <= possible.low || kept.high >= possible.high;
  if (!is_cut || kept.high - kept.low >= reach) return kept;
  return {std::max(std::min(kept.low, middle - reach), possible.low),
          std::min(std::max(kept.high, middle + reach), possible.high)};
}

Found kept_by(const Table& table, const Test& test) {
  const Ends all = test.possible;
  const Found none{std::clamp(0.0, all.low, all.high), all, true};
  if (!(test.d > 0)) return none;
  const double far = 1 / all.high;
  if (!test.is_bounded && !is_rejected(table, test, {-far, far}, one)) return none;
  const double middle = std::clamp(test.a / test.d, all.low, all.high), width = all.high - all.low;
  const double reach = reach_at(table, test, middle) / test.d;
  if (!std::isfinite(reach)) return none;
  const auto theta = [&](Fraction place) {
    return all.low + width * std::ldexp(static_cast<double>(place), -fraction_bits);
  };
  const double slack = 0x1p-50 * width;
  const auto rejects = [&](const Cell& cell) {
    return is_rejected(table, test, one, {theta(cell.first) - slack, theta(cell.last) + slack});
  };
  const double length = std::clamp(reach / width, 0x1p-45, 1.0);
  const Fraction resolution = Fraction{1} << std::max(fraction_bits - resolution_bits + std::ilogb(length), 0);
  const std::optional<Hull> hull = kept_hull(rejects, resolution);
  Ends kept = hull ? Ends{theta(hull->low) - slack, theta(hull->high) + slack} : Ends{all.high, all.low};
  kept = lengthened(kept, all, middle, reach);
  kept = {std::max(kept.low, all.low), std::min(kept.high, all.high)};
  return {std::clamp(estimate(table, test), kept.low, kept.high), kept, kept.low <= all.low && kept.high >= all.high};
}

Indices all_but(std::size_t width, std::size_t left_out) {
  Indices at;
  for (std::size_t k = 0; k < width; ++k) {
    if (k != left_out) at.push_back(k);
  }
  return at;
}

// w (y - its fit) - theta (x_j - its fit), tested against x_j - its fit.
std::optional<Test> coefficient_test(const Table& table, std::size_t place) {
  const auto found = others_of(table, all_but(table.y(), place));
  if (!found) return std::nullopt;
  const Others& others = *found;
  const Place q = residual_of(table, others, place), r = residual_of(table, others, table.y());
  const Place q_error = others.inverse.errors(table.of, q), r_error = others.inverse.errors(table.of, r);
  const auto gamma = box_of(table, others, points(q), q_error);
  if (!gamma) return std::nullopt;
  const auto line = [q, r](const Ends& w, const Ends& theta) {
    PlaceEnds a{};
    for (std::size_t k = 0; k < a.size(); ++k) a[k] = r[k] * w - q[k] * theta;
    return a;
  };
  const double q_length = length_of(q), r_length = length_of(r);
  const auto error_of = [=](const Ends& w, const Ends& theta) {
    Place error{};
    for (std::size_t k = 0; k < error.size(); ++k) error[k] = r_error[k] * w.size() + q_error[k] * theta.size();
    return error;
  };
  const auto scale = [=](const Ends& w, const Ends& theta) {
    return q_length * (r_length * w.size() + q_length * theta.size());
  };
  return Test{.a = bilinear(table, q, r),
              .d = bilinear(table, q, q),
              .possible = {-steepest_coefficient, steepest_coefficient},
              .is_bounded = false,
              .error = [=, &table](const Ends& w, const Ends& theta) { return table.error(scale(w, theta)); },
              .tried = [=, &table](const Ends& w, const Ends& theta) -> std::optional<Tried> {
                const PlaceEnds a = line(w, theta);
                const Place error = error_of(w, theta);
                const auto beta = box_of(table, others, a, error);
                if (!beta) return std::nullopt;
                const NumberEnds form =
                    table.form(widened(points(q), others.at, gamma->radius), widened(a, others.at, beta->radius));
                const double second = std::min(times(gamma->radius, beta->miss), times(gamma->miss, beta->radius)) +
                                      times(gamma->radius, error) + times(q_error, beta->radius);
                return Tried{sizes_of(form, table.far * scale(w, theta)), second};
              }};
}

// The squares of the residuals, less v times the rows less the coefficients.
std::optional<Test> deviation_test(const Table& table) {
  const auto found = others_of(table, all_but(table.y(), table.y()));
  if (!found) return std::nullopt;
  const Place r = residual_of(table, *found, table.y());
  const Place error = found->inverse.errors(table.of, r);
  const auto box = box_of(table, *found, points(r), error);
  if (!box) return std::nullopt;
  const auto coefficients = static_cast<double>(table.y());
  const double length = length_of(r), second = times(box->radius, box->miss) + 2 * times(box->radius, error);
  const NumberEnds squares = table.square(widened(points(r), found->at, box->radius));
  const NumberEnds rows = table.square(unit(0));
  return Test{.a = bilinear(table, r, r),
              .d = table.of.at[0][0] - coefficients,
              .possible = {0, coefficients + 1},
              .is_bounded = true,
              .error = [=, &table](const Ends&, const Ends& v) { return table.error(length * length + v.size()); },
              .tried = [=, &table](const Ends& w, const Ends& v) -> std::optional<Tried> {
                NumberEnds form = squares;
                for (std::size_t i = 0; i < form.size(); ++i) form[i] = w * form[i] - v * rows[i];
                return Tried{sizes_of(form, length * length + v.size()), second};
              }};
}

// The squares of the residuals, less theta times those of y about its mean: theta = 1 - R^2.
std::optional<Test> unexplained_test(const Table& table) {
  const auto found = others_of(table, all_but(table.y(), table.y()));
  const auto rows = others_of(table, {0});
  if (!found || !rows) return std::nullopt;
  const Place r = residual_of(table, *found, table.y()), c = residual_of(table, *rows, table.y());
  const Place r_error = found->inverse.errors(table.of, r), c_error = rows->inverse.errors(table.of, c);
  const auto box = box_of(table, *found, points(r), r_error);
  const auto mean = box_of(table, *rows, points(c), c_error);
  if (!box || !mean) return std::nullopt;
  const double length = length_of(r), c_length = length_of(c);
  const double of_residuals = times(box->radius, box->miss) + 2 * times(box->radius, r_error);
  const double of_squares = times(mean->radius, mean->miss) + 2 * times(mean->radius, c_error);
  const NumberEnds residuals = table.square(widened(points(r), found->at, box->radius));
  const NumberEnds squares = table.square(widened(points(c), rows->at, mean->radius));
  const double scale = length * length + c_length * c_length;
  return Test{.a = bilinear(table, r, r),
              .d = bilinear(table, c, c),
              .possible = {0, 1},
              .is_bounded = true,
              .error = [=, &table](const Ends&, const Ends&) { return table.error(scale); },
              .tried = [=](const Ends& w, const Ends& theta) -> std::optional<Tried> {
                NumberEnds form = residuals;
                for (std::size_t i = 0; i < form.size(); ++i) form[i] = w * form[i] - theta * squares[i];
                return Tried{sizes_of(form, scale), of_residuals + theta.size() * of_squares};
              }};
}

std::optional<Test> test_of(const Table& table, const Regressed& asked) {
  if (asked.part == RegressionPart::coefficient) return coefficient_test(table, asked.place);
  return asked.part == RegressionPart::deviation ? deviation_test(table) : unexplained_test(table);
}

Ends possible_of(const Regressed& asked, double coefficients) {
  if (asked.part == RegressionPart::coefficient) return {-steepest_coefficient, steepest_coefficient};
  return {0, asked.part == RegressionPart::deviation ? coefficients + 1 : 1};
}

// Of the intercept the places where every x is 0; else the middles.
Place zeros_of(const MomentShape& shape, const Regressed& asked) {
  Place zero{};
  if (asked.part != RegressionPart::coefficient || asked.place > 0) return zero;
  for (std::size_t k = 0; k + 1 < shape.columns.size(); ++k) {
    zero[k + 1] = -shape.columns[k].middle() / shape.columns[k].half();
  }
  return zero;
}

double far_of(const Place& zero) {
  double far = 1;
  for (const double at : zero) far = std::max(far, (1 + std::abs(at)) * (1 + std::abs(at)));
  return far;
}

double factor_of(const MomentShape& shape, const Regressed& asked) {
  const double y = shape.columns.back().half();
  if (asked.part == RegressionPart::explained) return 1;
  if (asked.part == RegressionPart::deviation || asked.place == 0) return y;
  return y / shape.columns[asked.place - 1].half();
}

// From what was tested to what is published, in half ranges: roots of variances, explained parts.
Found published(const Found& found, const Regressed& asked) {
  if (asked.part == RegressionPart::coefficient) return found;
  const double up = 1 + 0x1p-50;
  if (asked.part == RegressionPart::deviation)
    return {std::sqrt(found.value), {std::sqrt(found.kept.low) / up, std::sqrt(found.kept.high) * up}, found.is_all};
  return {1 - found.value, {std::max(1 - found.kept.high, 0.0), std::min(1 - found.kept.low, 1.0)}, found.is_all};
}

Result<Alpha> part_of(Alpha alpha, double part) { return Alpha::of(numeric::multiply_down(alpha.value(), part)); }

// How many nuisances share their part of alpha.
double nuisances_of(const MomentShape& shape, const Regressed& asked) {
  const auto coefficients = static_cast<double>(shape.columns.size());
  if (asked.part == RegressionPart::coefficient) return 2 * (coefficients - 1);
  return asked.part == RegressionPart::deviation ? coefficients : coefficients + 1;
}

}  // namespace

Result<RegressionInference> RegressionInference::of(const PairLaw& law, const MomentShape& shape, Alpha alpha,
                                                    Regressed asked) {
  const double nuisances = nuisances_of(shape, asked);
  VERNIER_TRY(const Alpha main, part_of(alpha, 1 - part_of_nuisances - part_of_rows));
  VERNIER_TRY(const Alpha nuisance, part_of(alpha, part_of_nuisances / nuisances));
  VERNIER_TRY(const Alpha rows, part_of(alpha, part_of_rows));
  return RegressionInference(shape, asked, ManyNoises::of(law, shape.weight, main),
                             ManyNoises::of(law, shape.weight, nuisance), ManyNoises::of(law, shape.weight, rows));
}

Result<RegressionInterval> RegressionInference::from(std::span<const std::int64_t> released) const {
  if (released.size() != shape_.numbers()) {
    return invalid("a regression of so many columns needs " + std::to_string(shape_.numbers()) +
                   " released sums, but there are " + std::to_string(released.size()));
  }
  Table table{.shape = shape_, .main = main_, .nuisance = nuisance_, .zero = zeros_of(shape_, asked_), .of = {}};
  table.far = far_of(table.zero);
  table.of = about_zeros(moments_of(shape_, released), table.zero, shape_.width());
  const Sizes of_rows = sizes_of(square_of(shape_, unit(0)), 1);
  const double rows = std::max(table.of.at[0][0], 0.0) + rows_.quick_reach(of_rows);
  table.rows = rows * (shape_.parts > 0 ? 1 + 1 / static_cast<double>(shape_.parts) : 1) * (1 + 0x1p-10);
  const auto coefficients = static_cast<double>(shape_.columns.size());
  const Ends all = possible_of(asked_, coefficients);
  const std::optional<Test> test = test_of(table, asked_);
  const Found tested = test ? kept_by(table, *test) : Found{std::clamp(0.0, all.low, all.high), all, true};
  const Found found = published(tested, asked_);
  const double factor = factor_of(shape_, asked_);
  const bool is_intercept = asked_.part == RegressionPart::coefficient && asked_.place == 0;
  const double middle = is_intercept ? shape_.columns.back().middle() : 0;
  const auto slack = [&](double end) { return 0x1p-50 * (std::abs(end * factor) + std::abs(middle)); };
  Interval interval{middle + found.kept.low * factor - slack(found.kept.low),
                    middle + found.kept.high * factor + slack(found.kept.high)};
  if (asked_.part != RegressionPart::coefficient) interval.low = std::max(interval.low, 0.0);
  if (asked_.part == RegressionPart::explained) interval.high = std::min(interval.high, 1.0);
  const double value = std::clamp(middle + found.value * factor, interval.low, std::max(interval.low, interval.high));
  const bool may_be_empty =
      !main_.rarely_reaches(of_rows, table.of.at[0][0] - coefficients - sums_error * table.of.size);
  return RegressionInterval{value, farthest_end(value, interval), interval, !found.is_all, may_be_empty};
}

// ---- before there are data

namespace {

constexpr double told_mean = 0.5, told_variance = 0.25, told_rise = 0.5;

// What is combined, by what it is divided, in half ranges.
struct Told {
  NumberEnds form;
  double divisor;
};

Told told_of(const MomentShape& shape, const Regressed& asked, double rows) {
  const std::size_t y = shape.columns.size();
  const Place zero = zeros_of(shape, asked);
  Place q{}, a{}, c{};
  const std::size_t risen = asked.part == RegressionPart::coefficient && asked.place > 0 ? asked.place : 1;
  a[y] = c[y] = 1;
  a[0] = c[0] = told_mean;  // y less its mean, which is below the middle
  a[risen] -= told_rise, a[0] += told_rise * told_mean;
  if (asked.part != RegressionPart::coefficient) {
    const double unexplained = 1 - told_rise * told_rise, variance = told_variance * unexplained;
    NumberEnds form = square_of(shape, points(a));
    const bool is_deviation = asked.part == RegressionPart::deviation;
    const NumberEnds other = is_deviation ? square_of(shape, points(Place{1})) : square_of(shape, points(c));
    const double theta = is_deviation ? variance : unexplained;
    for (std::size_t i = 0; i < form.size(); ++i) form[i] = form[i] - theta * other[i];
    return {form, rows * (is_deviation ? 2 * std::sqrt(variance) : told_variance)};
  }
  if (asked.place > 0) {
    q[asked.place] = 1, q[0] = -told_mean;
    return {form_of(shape, points(q), points(a)), rows * told_variance};
  }
  double away = 0;
  for (std::size_t k = 1; k < y; ++k) away += (told_mean - zero[k]) * (told_mean - zero[k]);
  q[0] = 1;
  for (std::size_t k = 1; k < y; ++k) {
    q[k] = -(told_mean - zero[k]) / (told_variance + away);
    q[0] -= q[k] * zero[k];
  }
  return {form_of(shape, points(q), points(a)), rows * told_variance / (told_variance + away)};
}

}  // namespace

double regression_accuracy(const PairLaw& law, const MomentShape& shape, Alpha alpha, Regressed asked, double rows) {
  const Told told = told_of(shape, asked, rows);
  const double reach = ManyNoises::of(law, shape.weight, alpha).reach(sizes_of(told.form, 1));
  return reach / told.divisor * factor_of(shape, asked) * raised_size;
}

}  // namespace vernier::interval
