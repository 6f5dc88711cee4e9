#include "vernier/plan/statistic/quantile_tree.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/core/text.hpp"
#include "vernier/plan/bind/ways.hpp"

namespace vernier::plan {

using interval::TreeReach;
using interval::TreeReaches;

namespace {

void add_once(std::vector<query::Fraction>& fractions, query::Fraction one) {
  if (std::find(fractions.begin(), fractions.end(), one) == fractions.end()) fractions.push_back(one);
}

bool is_quantile(const BoundStatistic& statistic, const Measurement& one) {
  return one.kind == Quantile::kind && one.figure == Quantile::quantile &&
         !is_apart(statistic, column_of(statistic, one));
}

// Quantiles of the argument of the measurement at this place, from it on.
std::vector<std::size_t> alike(const BoundStatistic& statistic, std::size_t place) {
  std::vector<std::size_t> places;
  const std::vector<Measurement>& all = statistic.measurements;
  for (std::size_t i = place; i < all.size(); ++i) {
    if (is_quantile(statistic, all[i]) && all[i].tallies == all[place].tallies) places.push_back(i);
  }
  return places;
}

Result<void> share_tree(BoundStatistic& statistic, const std::vector<std::size_t>& places, std::size_t fractions) {
  Measurement& first = statistic.measurements[places.front()];
  VERNIER_TRY(const auto moved,
              tree_sensitivity(first, statistic.contribution, statistic.keys.groups(), statistic.table.neighbours));
  for (const std::size_t place : places) {
    Measurement& one = statistic.measurements[place];
    one.kind = QuantileTree::kind;
    one.sensitivity = moved;
    one.width = 0;
    one.source = places.front();
  }
  first.width = tree_points * fractions;
  first.source.reset();
  return {};
}

template <class Law>
Result<TreeReaches> reaches_at(const TreeReach& reach, Result<Law> law) {
  return law.and_then([&](const Law& known) { return reach.at(known); });
}

Result<TreeReaches> reaches_of_scale(const TreeReach& reach, std::size_t kind, double scale) {
  if (kind == 0) return reaches_at(reach, noise::Geometric::of(*LaplaceScale::of(scale)));
  return reaches_at(reach, noise::DiscreteGaussian::of(*Sigma::of(scale)));
}

// The scale of one law; its least one may be too large.
Result<double> scale_within(const TreeReach& reach, std::size_t kind, const noise::RankStatistic& ranked,
                            const numeric::Rational& ranks) {
  const auto is_met = [&](double scale) {
    const auto found = reaches_of_scale(reach, kind, scale);
    return found && interval::ranks_of(*found, ranked) <= ranks;
  };
  double met = noise::least_integer_scale, missed = noise::greatest_integer_scale;
  if (!is_met(met)) {
    VERNIER_TRY(const auto least, reaches_of_scale(reach, kind, met));
    return invalid("cannot be known within so few ranks; ask for at least " +
                   shortest(interval::ranks_of(least, ranked).round_up()));
  }
  if (is_met(missed)) return missed;
  while (missed > met * (1 + 0x1p-20)) {
    const double middle = std::sqrt(met) * std::sqrt(missed);
    (is_met(middle) ? met : missed) = middle;
  }
  return met;
}

}  // namespace

Result<void> share_trees(BoundStatistic& statistic) {
  if (statistic.inference.of_population || statistic.weighted) return {};
  for (std::size_t i = 0; i < statistic.measurements.size(); ++i) {
    if (!is_quantile(statistic, statistic.measurements[i])) continue;
    const std::vector<std::size_t> places = alike(statistic, i);
    std::vector<query::Fraction> fractions;
    for (const std::size_t place : places) add_once(fractions, statistic.measurements[place].fraction);
    if (fractions.size() < least_tree_fractions) continue;
    if (const Result<void> done = share_tree(statistic, places, fractions.size()); !done) return done;
  }
  return {};
}

std::vector<query::Fraction> tree_fractions(const BoundStatistic& statistic, std::size_t place) {
  std::vector<query::Fraction> fractions;
  for (std::size_t i = place; i < statistic.measurements.size(); ++i) {
    const Measurement& one = statistic.measurements[i];
    if (one.source.value_or(i) == place) add_once(fractions, one.fraction);
  }
  return fractions;
}

std::size_t tree_slot(const BoundStatistic& statistic, std::size_t measurement) {
  const Measurement& one = statistic.measurements[measurement];
  const std::vector<query::Fraction> fractions = tree_fractions(statistic, one.source.value_or(measurement));
  return static_cast<std::size_t>(std::find(fractions.begin(), fractions.end(), one.fraction) - fractions.begin());
}

bool is_tree_as_shared(const BoundStatistic& statistic, std::size_t place) {
  const std::size_t fractions = tree_fractions(statistic, place).size();
  return !statistic.inference.of_population && !statistic.weighted && fractions >= least_tree_fractions &&
         statistic.measurements[place].width == tree_points * fractions;
}

Result<noise::CountTree> tree_shape(const Measurement& measurement) {
  return rank_grid(measurement).and_then([](const noise::RankGrid& grid) {
    return noise::CountTree::of(grid.points());
  });
}

Result<Sensitivity> tree_sensitivity(const Measurement& measurement, Contribution contribution, Groups groups,
                                     privacy::Neighbours neighbours) {
  return tree_shape(measurement).and_then([&](const noise::CountTree& tree) {
    return level_sensitivity(tree.levels(), contribution, groups, neighbours);
  });
}

Result<TreeReach> tree_reach(const Measurement& measurement, Alpha alpha) {
  const auto ranked = rank_statistic(measurement);
  const auto tree = tree_shape(measurement);
  if (!ranked) return Failure(ranked.error());
  if (!tree) return Failure(tree.error());
  return TreeReach::of(*ranked, *tree, alpha);
}

Result<TreeReaches> tree_reaches(const Measurement& measurement, const AdditiveLaw& law, Alpha alpha) {
  return tree_reach(measurement, alpha).and_then([&](const TreeReach& reach) {
    return std::visit([&](const auto& known) { return reach.at(known); }, law);
  });
}

Result<std::array<double, 2>> tree_scales(const Measurement& measurement, const numeric::Rational& ranks, Alpha alpha) {
  const auto ranked = rank_statistic(measurement);
  const auto reach = tree_reach(measurement, alpha);
  if (!ranked) return Failure(ranked.error());
  if (!reach) return Failure(reach.error());
  std::array<double, 2> scales{};
  for (std::size_t kind = 0; kind < scales.size(); ++kind) {
    VERNIER_TRY(const double scale, scale_within(*reach, kind, *ranked, ranks));
    scales[kind] = scale;
  }
  return scales;
}

Result<Sensitivity> QuantileTree::sensitivity() const {
  return tree_sensitivity(in.one, in.statistic.contribution, in.groups(), in.neighbours());
}

Range QuantileTree::range() const {
  const auto grid = rank_grid(in.one);
  return {0, grid ? grid->points() - 1 : 0};
}

Result<Told> QuantileTree::told(const Law& law, Alpha alpha) const {
  VERNIER_TRY(const AdditiveLaw noise, added_by(law));
  VERNIER_TRY(const TreeReaches reaches, tree_reaches(in.one, noise, alpha));
  return rank_statistic(in.one).map([&](const noise::RankStatistic& ranked) {
    return Told{reaches.ends, interval::ranks_of(reaches, ranked).round_up()};
  });
}

Result<Scales> QuantileTree::scales_for(const numeric::Rational& target, Alpha alpha) const {
  return tree_scales(in.one, target, alpha);
}

Result<std::int64_t> QuantileTree::steps_for(const numeric::Rational& target, Alpha alpha) const {
  return scales_for(target, alpha).map([&](const Scales& scales) {
    return static_cast<std::int64_t>(scales[0] * -std::log(alpha.value()));
  });
}

// Without a target a level of the tree has the part of a number with geometric noise.
Result<Scales> QuantileTree::free_scales(const Scales& about, Alpha level) const {
  return tree_reach(in.one, level).map([&](const TreeReach& reach) {
    return Scales{about[0], about[0] * reach.gaussian_advantage()};
  });
}

Result<Drawing> QuantileTree::drawing(const Law& law, Alpha level) const {
  VERNIER_TRY(const AdditiveLaw noise, added_by(law));
  VERNIER_TRY(const noise::CountTree tree, tree_shape(in.one));
  TreeEnds made{tree, noise, {}};
  Measurement one = in.one;
  for (const query::Fraction& fraction : tree_fractions(in.statistic, in.place)) {
    one.fraction = fraction;
    VERNIER_TRY(const noise::RankStatistic ranked, rank_statistic(one));
    VERNIER_TRY(const TreeReaches reaches, tree_reaches(one, noise, level));
    made.wanted.push_back({ranked, reaches.ends});
  }
  return made;
}

namespace {

// The interval is that of its ends; the value is the middle of the point that was read, which lies between them.
Result<interval::QuantileInterval> around(std::span<const std::int64_t> points, const noise::RankStatistic& ranked,
                                          const noise::RankGrid& grid) {
  VERNIER_TRY(interval::QuantileInterval found, interval::interval_between({points[0], points[1]}, ranked, grid));
  found.value = grid.first(points[2]) + (grid.last(points[2]) - grid.first(points[2])) / 2;
  found.accuracy = std::max(found.high - found.value, found.value - found.low);
  return found;
}

}  // namespace

// From the points that were read from the tree to one of its quantiles; an error where they can be none.
Result<Estimator> QuantileTree::estimator(const Law& law, Alpha /*level*/,
                                          std::optional<std::int64_t> /*threshold*/) const {
  if (!additive(law)) return invalid("a tree of counts has noise of a law that adds it");
  VERNIER_TRY(const noise::RankStatistic ranked, rank_statistic(in.one));
  VERNIER_TRY(const noise::RankGrid grid, rank_grid(in.one));
  const std::size_t first = tree_points * tree_slot(in.statistic, in.place);
  return Estimator([=, one = in.one](std::span<const std::int64_t> noisy) -> Result<Estimate> {
    if (first + tree_points > noisy.size()) {
      return invalid("a tree of counts has two ends and a value for each of its quantiles");
    }
    const auto points = noisy.subspan(first, tree_points);
    if (points[0] > points[1]) return invalid("the ends of a quantile from a tree of counts never cross");
    if (points[2] < points[0] || points[2] > points[1]) {
      return invalid("a quantile from a tree of counts lies between its ends");
    }
    return around(points, ranked, grid).map([&](const interval::QuantileInterval& found) {
      return ranked_estimate(found, one, interval::QuantileInterval::covers);
    });
  });
}

}  // namespace vernier::plan
