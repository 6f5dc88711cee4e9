#include "vernier/interval/relation/relation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "vernier/interval/relation/pair_table.hpp"
#include "vernier/interval/rows/mean.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::interval {
namespace {

__extension__ using Wide = __int128;

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double part_of_nuisances = 0.1;  // of alpha
constexpr double part_of_rows = 0.01;      // where rows or parts of units are cut

// By what theta may be beyond the noise at the value that the sums have themselves.
double reach_at(const PairTable& table, const PairTest& test, double theta) {
  const std::optional<TriedPair> at = test.tried({theta, theta});
  return at ? table.main.reach(at->sizes) + table.cut * greatest(at->sizes) + at->second : infinite;
}

// Whether all theta of a cell are rejected.
bool is_rejected(const PairTable& table, const PairTest& test, const Ends& theta) {
  const Ends apart = test.a - test.d * theta;
  const double error = rounding_of(table, test, theta);
  if (!(apart.distance() > error)) return false;
  const std::optional<TriedPair> tried = test.tried(theta);
  if (!tried) return false;
  const double left = apart.distance() - error - tried->second - table.cut * greatest(tried->sizes);
  return left > 0 && table.main.rarely_reaches(tried->sizes, left);
}

// Of a total the noise does not depend on theta.
Ends total_kept_by(const PairTable& table, const PairTest& test) {
  const double reach = reach_at(table, test, 0) + rounding_of(table, test, {0, 0});
  const Ends all = test.possible, kept = about(test.a, reach);
  const double middle = std::clamp(test.a, all.low, all.high);
  const Ends told = lengthened({std::max(kept.low, all.low), std::min(kept.high, all.high)}, all, middle, reach);
  return {std::max(told.low, all.low), std::min(told.high, all.high)};
}

struct Found {
  double value;
  Ends kept;
};

Found found_of(const PairTable& table, Relation relation, const std::optional<PairTest>& test) {
  const Ends all = possible_of(table.shape, relation);
  const double none = std::clamp(0.0, all.low, all.high);
  if (!test) return {none, all};
  if (is_total(relation)) return {std::clamp(test->a, all.low, all.high), total_kept_by(table, *test)};
  if (!(test->d > 0)) return {none, all};
  const double middle = std::clamp(test->a / test->d, test->possible.low, test->possible.high);
  const auto rejects = [&](const Ends& theta) { return is_rejected(table, *test, theta); };
  return {estimate(table, *test), kept_by(*test, reach_at(table, *test, middle) / test->d, rejects)};
}

Found squared_of(const Found& found) { return {found.value * found.value, squared(found.kept)}; }

Found root_of(const Found& found) {
  const double up = 1 + 0x1p-50;
  return {std::sqrt(found.value), {std::sqrt(found.kept.low) / up, std::sqrt(found.kept.high) * up}};
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
  PairTable table{shape_, main_, nuisance_, moments_of(released, shape_.weight()), 0};
  if (is_cut(shape_, relation_)) {
    const double rows = std::max(table.of.n, 0.0) + rows_.reach(ones);
    table.cut = cut_of(shape_, rows);
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
