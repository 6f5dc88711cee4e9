#include "vernier/interval/relation/population_relation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "vernier/interval/relation/pair_table.hpp"
#include "vernier/interval/rows/mean.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::interval {
namespace {

constexpr double part_of_main = 0.9, part_of_nuisance = 0.1 / 3, part_of_squares = 0.2;  // of alpha; page
constexpr double least_rows = 3;
constexpr double unbounded = std::numeric_limits<double>::infinity();

double size_of(const PairSizes& sizes) {
  return std::sqrt(std::inner_product(sizes.begin(), sizes.end(), sizes.begin(), 0.0));
}

// About the mean of a column, between -1 and 1: the ends of its range, and the greatest square.
struct About {
  double mean, low, high;

  explicit About(double of) : mean(std::clamp(of, -1.0, 1.0)), low(-1 - mean), high(1 - mean) {}
  double square() const { return std::max(low * low, high * high); }
  double at(std::size_t i) const { return place(i) - mean; }
  double squared_at(std::size_t i) const { return at(i) * at(i) - bend(i); }
};

Ends products_of(const About& x, const About& y) { return Ends{x.low, x.high} * Ends{y.low, y.high}; }

// A mean of squares that are no greater than `most`: the greatest that their variance can be.
double most_variance_of(double mean, double most) {
  const double at = std::clamp(mean, 0.0, most / 2);
  return at * (most - at);
}

// What the released sums tell of the terms of a test.
class Terms {
 public:
  Terms(const PairTable& table, std::span<const std::int64_t> released, const PairNodeNoise& noise)
      : table_(table), released_(released), noise_(noise), x_(table.of.x / table.of.n), y_(table.of.y / table.of.n) {
    const double n = table.of.n;
    const auto variance = [&](double squares, double sum) { return std::max(squares - sum * sum / n, 0.0) / n; };
    of_x_ = variance(table.of.xx, table.of.x), of_y_ = variance(table.of.yy, table.of.y);
    off_x_ = off([&](std::size_t i, std::size_t) { return Ends{x_.squared_at(i), x_.squared_at(i)}; }) / n;
    off_y_ = off([&](std::size_t, std::size_t j) { return Ends{y_.squared_at(j), y_.squared_at(j)}; }) / n;
  }

  SampledTerms of(Relation relation, const Ends& theta) const {
    if (const auto spread = spread_of(relation)) return of_squares(spread->of_x ? x_ : y_, theta);
    return is_correlation(relation) ? of_correlation(theta) : of_products(theta);
  }

 private:
  template <class Coefficient>
  double off(const Coefficient& coefficient) const {
    const PairSizes sizes = sizes_of(coefficient);
    return noise_.reach(sizes) + table_.cut * greatest(sizes);
  }

  // The sum of ((x - r)(y - s) - c)^2, at the worse end of c, with what noise may hide.
  double squared_products(const Ends& c) const {
    const auto at = [&](double one, std::size_t i, std::size_t j) {
      return x_.squared_at(i) * y_.squared_at(j) - 2 * one * x_.at(i) * y_.at(j) + one * one;
    };
    const auto sum = [&](double one) {
      long double all = 0;
      for (std::size_t k = 0; k < pair_nodes; ++k)
        all += static_cast<long double>(at(one, k / 3, k % 3)) * static_cast<long double>(released_[k]);
      return static_cast<double>(all / static_cast<long double>(table_.shape.weight()));
    };
    const double hidden = off([&](std::size_t i, std::size_t j) {
      const auto [least, most] = std::minmax({at(c.low, i, j), at(c.high, i, j)});
      const double cross = x_.at(i) * y_.at(j);  // where the parabola turns
      const double turned = cross > c.low && cross < c.high ? at(cross, i, j) : least;
      return Ends{std::min(least, turned), most};
    });
    return std::max({sum(c.low), sum(c.high), 0.0}) + hidden;
  }

  SampledTerms of_products(const Ends& c) const {
    const Ends products = products_of(x_, y_);
    return {table_.of.n, squared_products(c), products.high - c.low, c.high - products.low, std::sqrt(of_x_ * of_y_)};
  }

  SampledTerms of_squares(const About& about, const Ends& v) const {
    const double most = about.square(), worst = std::clamp(most / 2, v.low, v.high);
    return {table_.of.n, table_.of.n * std::max(worst * (most - worst), 0.0), std::max(most - v.low, 0.0), v.high,
            v.high};
  }

  // Of x y - (rho / 2) (lambda x^2 + y^2 / lambda), x and y about their means.
  SampledTerms of_correlation(const Ends& rho) const {
    const Ends products = products_of(x_, y_);
    const double lambda = std::sqrt(of_y_ / of_x_), both = std::sqrt(of_x_ * of_y_);
    const double squares = rho.size() / 2 * (lambda * x_.square() + y_.square() / lambda);
    const double root = std::min(apart(rho, lambda, both), along_lines(rho));
    return {table_.of.n, root * root, products.high + (rho.low < 0 ? squares : 0),
            -products.low + (rho.high > 0 ? squares : 0), both};
  }

  // At most the root of the sum of their squares: that of products, which the sums tell, and those of x^2 and y^2,
  // whose variances are bounded.
  double apart(const Ends& rho, double lambda, double both) const {
    const double of_x = most_variance_of(of_x_ + off_x_, x_.square());
    const double of_y = most_variance_of(of_y_ + off_y_, y_.square());
    const double rest = rho.size() / 2 * (lambda * std::sqrt(of_x) + std::sqrt(of_y) / lambda);
    return std::sqrt(squared_products(both * rho)) + std::sqrt(table_.of.n) * rest;
  }

  // The same from the squares along both lines of slope 1 and -1, in deviations: little where the points lie on one.
  double along_lines(const Ends& rho) const {
    const double least_x = of_x_ - off_x_, least_y = of_y_ - off_y_;
    if (!(least_x > 0) || !(least_y > 0)) return unbounded;
    const double widest = std::sqrt(x_.square() / least_x) + std::sqrt(y_.square() / least_y);
    const double most = widest * widest / 2;
    const auto part = [&](double less, double more) { return less / 2 * std::sqrt(most_variance_of(more, most)); };
    const double found = part(1 - rho.low, 1 + rho.high) + part(1 + rho.high, 1 - rho.low);
    return found * std::sqrt(table_.of.n * (of_x_ + off_x_) * (of_y_ + off_y_));
  }

  const PairTable& table_;
  std::span<const std::int64_t> released_;
  const PairNodeNoise& noise_;
  About x_, y_;
  double of_x_ = 0, of_y_ = 0, off_x_ = 0, off_y_ = 0;  // variances, and what their noise keeps to
};

// Divisors change values alone: either form estimates the same of the population, the one over the rows less one
// without bias.
Relation unbiased(Relation relation) {
  switch (relation) {
    case Relation::covariance_population:
      return Relation::covariance_sample;
    case Relation::variance_population_x:
    case Relation::deviation_population_x:
    case Relation::deviation_sample_x:
      return Relation::variance_sample_x;
    case Relation::variance_population_y:
    case Relation::deviation_population_y:
    case Relation::deviation_sample_y:
      return Relation::variance_sample_y;
    default:
      return relation;
  }
}

Ends possible_in_population(Relation relation) {
  if (spread_of(relation) || relation == Relation::determination) return {0, 1};
  return {-1, 1};
}

struct KeptValue {
  double value;
  Ends kept;
};

// Tests over one released table.
class Kept {
 public:
  Kept(const PairTable& table, const PairTest& test, const Terms& terms, const SampledSum& sample, Relation relation)
      : table_(table), test_(test), terms_(terms), sample_(sample), relation_(relation) {}

  KeptValue found() const {
    const double middle = std::clamp(test_.a / test_.d, test_.possible.low, test_.possible.high);
    const Ends kept = kept_by(test_, reach_at(middle) / test_.d, [&](const Ends& theta) { return rejects(theta); });
    return {std::clamp(estimate(table_, test_), test_.possible.low, test_.possible.high), kept};
  }

 private:
  double deviation_of(const PairSizes& sizes) const { return size_of(sizes) * std::sqrt(table_.main.variance()); }

  double reach_at(double theta) const {
    const std::optional<TriedPair> at = test_.tried({theta, theta});
    if (!at) return unbounded;
    const double noise = std::max(table_.main.reach(at->sizes), sample_.point() * deviation_of(at->sizes));
    return sample_.reach(noise, terms_.of(relation_, {theta, theta})) + table_.cut * greatest(at->sizes) + at->second;
  }

  bool rejects(const Ends& theta) const {
    const Ends apart = test_.a - test_.d * theta;
    const double error = rounding_of(table_, test_, theta);
    if (!(apart.distance() > error)) return false;
    const std::optional<TriedPair> tried = test_.tried(theta);
    if (!tried) return false;
    const double distance = apart.distance() - error - tried->second - table_.cut * greatest(tried->sizes);
    const auto left = sample_.left_to_noise(distance, apart.low > 0, terms_.of(relation_, theta));
    return left && *left > sample_.point() * deviation_of(tried->sizes) &&
           table_.main.rarely_reaches(tried->sizes, *left);
  }

  const PairTable& table_;
  const PairTest& test_;
  const Terms& terms_;
  const SampledSum& sample_;
  Relation relation_;
};

KeptValue as_asked(KeptValue found, Relation relation) {
  if (relation == Relation::determination) return {found.value * found.value, squared(found.kept)};
  const auto spread = spread_of(relation);
  if (!spread || !spread->is_deviation) return found;
  const double up = 1 + 0x1p-50;
  const auto root = [](double of) { return std::sqrt(std::max(of, 0.0)); };
  return {root(found.value), {root(found.kept.low) / up, root(found.kept.high) * up}};
}

}  // namespace

bool is_of_populations(Relation relation) {
  return is_correlation(relation) || spread_of(relation) || relation == Relation::covariance_sample ||
         relation == Relation::covariance_population;
}

Result<PopulationRelation> PopulationRelation::of(const PairLaw& law, const PairShape& shape, Alpha alpha,
                                                  Relation relation) {
  if (!is_of_populations(relation)) return invalid("has no interval for a population");
  const auto part = [&](double of) { return Alpha::of(std::min(numeric::multiply_down(alpha.value(), of), 0.5)); };
  VERNIER_TRY(const Alpha main, part(part_of_main));
  VERNIER_TRY(const Alpha nuisance, part(part_of_nuisance));
  VERNIER_TRY(const Alpha squares, part(part_of_squares));
  const auto noise = [&](Alpha level) { return PairNodeNoise::of(law, shape.weight(), level); };
  return PopulationRelation(shape, relation, SampledSum::of(alpha, part_of_main), noise(main), noise(nuisance),
                            noise(squares));
}

Result<PopulationRelationInterval> PopulationRelation::from(std::span<const std::int64_t> released) const {
  if (released.size() != pair_nodes) return invalid("a relation needs nine released sums");
  PairTable table{shape_, main_, nuisance_, moments_of(released, shape_.weight()), 0};
  table.cut = cut_of(shape_, std::max(table.of.n, 0.0) + nuisance_.reach(ones));
  const Relation tested = unbiased(relation_);
  const Ends all = possible_in_population(tested);
  KeptValue found{std::clamp(0.0, all.low, all.high), all};
  std::optional<PairTest> test = table.of.n > least_rows ? test_of(table, tested) : std::nullopt;
  if (test && test->d > 0) {
    test->possible = all;
    const Terms terms(table, released, variance_);
    found = Kept(table, *test, terms, sample_, tested).found();
  }
  const bool is_all = found.kept.low <= all.low && found.kept.high >= all.high;
  found = as_asked(found, relation_);
  const Units units = Units::of(shape_);
  Interval interval = outward(found.kept, units.middle(relation_), units.factor(relation_));
  if (is_correlation(relation_)) interval = {std::max(interval.low, -1.0), std::min(interval.high, 1.0)};
  if (relation_ == Relation::determination || spread_of(relation_)) interval.low = std::max(interval.low, 0.0);
  const double value = std::clamp(found.value * units.factor(relation_), interval.low, interval.high);
  const bool may_be_empty = !main_.rarely_reaches(ones, table.of.n - 1 - sums_error * table.of.size);
  return PopulationRelationInterval{value, farthest_end(value, interval), interval, !is_all, may_be_empty};
}

double sampling_deviation(const PairShape& shape, Relation relation) {
  constexpr double variance = 0.25, correlation = 0.5;  // of columns between -1 and 1
  constexpr double of_product = 1.118;                  // root of 1 + correlation^2, of normal columns
  constexpr double of_bounds = 1.414;                   // what bounds on squares add: page
  const double factor = Units::of(shape).factor(relation);
  if (relation == Relation::determination) return 2 * correlation * (of_product + of_bounds);
  return is_correlation(relation) ? of_product + of_bounds : of_product * variance * factor;
}

}  // namespace vernier::interval
