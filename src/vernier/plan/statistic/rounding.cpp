#include "vernier/plan/statistic/rounding.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/core/text.hpp"
#include "vernier/numeric/rounding.hpp"
#include "vernier/plan/statistic/boxed.hpp"
#include "vernier/plan/statistic/fine_sum.hpp"
#include "vernier/plan/statistic/mean.hpp"
#include "vernier/plan/statistic/moment_sum.hpp"
#include "vernier/plan/statistic/moments.hpp"
#include "vernier/plan/statistic/pair.hpp"
#include "vernier/plan/statistic/ranks.hpp"
#include "vernier/plan/statistic/rounded_regression.hpp"

namespace vernier::plan {
namespace {

using interval::Interval;
using numeric::add_up;
using numeric::multiply_up;
using numeric::subtract_down;

constexpr double root_of_half = 0.70711;  // from above: of two rows half a step apart in opposite directions

// Of node sums: a unit with more rows than count loses less than a step of two nodes, or of the outer two of three less
// than a part of the weight each.
double part_of(const Measured& in) {
  if (!in.has_scaled_rows() || in.one.figure != Figure::mean) return 0;
  const double rows = static_cast<double>(in.statistic.contribution.max_rows);
  const double step = in.one.granularity / static_cast<double>(in.one.fineness);
  const bool has_two = in.one.kind == Mean::kind || in.one.kind == Boxed::kind;
  return multiply_up(has_two ? step : step / 2, 1 / rows * (1 + 0x1p-50));
}

// A figure of one column, on its grid. Those of a pair are of its x or its y.
struct OnGrid {
  double granularity;
  std::int64_t origin, steps;
  bool is_rounded, is_sample, is_variance, is_deviation;

  bool is_spread() const { return is_variance || is_deviation; }
  double range() const { return static_cast<double>(steps) * granularity; }
};

template <class... Figures>
bool is_any(const Figure& figure, const Figures&... of) {
  return ((figure == of) || ...);
}

bool is_of_x(const Figure& figure) {
  return is_any(figure, Pair::mean_x, Pair::variance_sample_x, Pair::variance_population_x, Pair::deviation_sample_x,
                Pair::deviation_population_x);
}
bool is_of_y(const Figure& figure) {
  return is_any(figure, Pair::mean_y, Pair::variance_sample_y, Pair::variance_population_y, Pair::deviation_sample_y,
                Pair::deviation_population_y);
}

OnGrid on_grid(const Measurement& one) {
  const Figure& figure = one.figure;
  const bool is_variance =
      plan::is_variance(figure) || is_any(figure, Pair::variance_sample_x, Pair::variance_population_x,
                                          Pair::variance_sample_y, Pair::variance_population_y);
  const bool is_deviation =
      plan::is_deviation(figure) || is_any(figure, Pair::deviation_sample_x, Pair::deviation_population_x,
                                           Pair::deviation_sample_y, Pair::deviation_population_y);
  const bool is_sample = is_any(figure, Moments::variance_sample, Moments::deviation_sample, Pair::variance_sample_x,
                                Pair::variance_sample_y, Pair::deviation_sample_x, Pair::deviation_sample_y);
  if (one.paired && is_of_x(figure)) {
    const PairedGrid& x = *one.paired;
    return {x.granularity, x.origin, x.steps, x.is_rounded, is_sample, is_variance, is_deviation};
  }
  return {one.granularity, one.origin, one.steps, one.is_rounded, is_sample, is_variance, is_deviation};
}

// abs(cov(x + d, y + e) - cov(x, y)) is at most what deviations allow: those of d are half a step of x at most, and so
// on, and those of values half of their range; twice that where it is divided by the rows less one.
double covariance_moved(const Measurement& one) {
  const double of_x = one.paired->is_rounded ? one.paired->granularity / 2 : 0;
  const double of_y = one.is_rounded ? one.granularity / 2 : 0;
  const double x = static_cast<double>(one.paired->steps) * one.paired->granularity / 2;
  const double y = static_cast<double>(one.steps) * one.granularity / 2;
  const double moved = add_up(add_up(multiply_up(of_x, y), multiply_up(of_y, x)), multiply_up(of_x, of_y));
  return one.figure == Pair::covariance_sample ? 2 * moved : moved;
}

bool is_covariance(const Measurement& one) {
  return one.paired && is_any(one.figure, Pair::covariance_sample, Pair::covariance_population);
}

double value_of(const Measurement& one) {
  if (is_covariance(one)) return covariance_moved(one);
  if (one.paired && !is_of_x(one.figure) && !is_of_y(one.figure)) return 0;
  if (!one.regressors.empty()) return 0;
  const OnGrid grid = on_grid(one);
  if (!grid.is_rounded) return 0;
  return grid.granularity * (grid.is_spread() ? root_of_half : 0.5);
}

// Of values their bounds; of spreads what values within them can have; of counts and sums all rows.
Interval possible_of(const Measurement& one) {
  if (has_fixed_margin(one.figure) && !one.paired)
    return {static_cast<double>(one.least) * one.granularity, static_cast<double>(one.greatest) * one.granularity};
  const OnGrid grid = on_grid(one);
  if (is_covariance(one)) {
    const double most = grid.range() * static_cast<double>(one.paired->steps) * one.paired->granularity;
    const double part = one.figure == Pair::covariance_sample ? most / 2 : most / 4;
    return {-part, part};
  }
  const double lower = static_cast<double>(grid.origin) * grid.granularity;
  if (!grid.is_spread()) return {lower, lower + grid.range()};
  const double most = grid.range() * grid.range() / (grid.is_sample ? 2 : 4);
  return {0, grid.is_deviation ? numeric::sqrt_up(most) : most};
}

bool is_finite(const Estimate& one) {
  return std::isfinite(one.value) && std::isfinite(one.accuracy) && std::isfinite(one.interval.low) &&
         std::isfinite(one.interval.high);
}

// Between the roots of two variances, and back.
Interval roots(const Interval& variances) {
  return {numeric::sqrt_down(variances.low), numeric::sqrt_up(variances.high)};
}
Interval squares(const Interval& deviations) {
  return {numeric::multiply_down(deviations.low, deviations.low), multiply_up(deviations.high, deviations.high)};
}

}  // namespace

Subject::Subject(const Measured& in)
    : figure_(in.one.figure),
      is_variance_(on_grid(in.one).is_variance),
      is_spread_(on_grid(in.one).is_spread()),
      value_(value_of(in.one)),
      part_(part_of(in)),
      possible_(possible_of(in.one)),
      is_bounded_(in.is_of_population() && in.has_scaled_rows()),
      is_in_interval_(!has_fixed_margin(figure_) && value_ + part_ > 0),
      one_(in.one),
      sum_(sum_rounding(in)) {}

Interval Subject::widened(const Estimate& found) const {
  const double by = add_up(value_, part_);
  Interval all = is_variance_ ? roots(found.interval) : found.interval;
  all = {subtract_down(all.low, by), add_up(all.high, by)};
  if (is_spread_) all.low = std::max(all.low, 0.0);
  if (is_variance_) all = squares(all);
  // What was found may lie beyond by a rounding of doubles.
  return {std::max(all.low, std::min(possible_.low, found.interval.low)),
          std::min(all.high, std::max(possible_.high, found.interval.high))};
}

Estimate Subject::unknown(const Estimate& found) const {
  Estimate told = found;
  told.interval = possible_;
  told.value = std::clamp(0.0, possible_.low, possible_.high);
  told.accuracy =
      std::max(numeric::subtract_up(told.value, possible_.low), numeric::subtract_up(possible_.high, told.value));
  told.informative = false;
  return told;
}

Estimate Subject::of(const Estimate& found) const {
  Estimate told = is_finite(found) ? found : unknown(found);
  if (is_bounded_) told.covers = interval::Covers::bounded_population;
  if (sum_ > 0) return widened_sum(one_, told, sum_);
  if (!is_in_interval_) return told;
  told.interval = widened(told);
  told.accuracy = std::max({told.accuracy, numeric::subtract_up(told.value, told.interval.low),
                            numeric::subtract_up(told.interval.high, told.value)});
  told.is_whole = false;
  return told;
}

std::optional<double> resolution_of(const Measurement& measurement) {
  if (!is_in_ranks(measurement.figure)) return std::nullopt;
  const Result<noise::RankGrid> grid = rank_grid(measurement);
  const int halvings = grid ? grid->halvings() : 0;
  if (halvings == 0 && !measurement.is_rounded) return std::nullopt;
  return std::ldexp(measurement.granularity, halvings);
}

namespace {

// What a sum is added up in.
double summed_step(const Measured& in) {
  for (const std::size_t place : in.one.tallies) {
    const Tally& tally = in.statistic.tallies[place];
    if (tally.kind == TallyKind::sum) return std::ldexp(in.one.granularity, -halvings_of(in.statistic, tally.argument));
  }
  return in.one.granularity;
}

// Sums that are made from moments count the rows for it, and their margin is not known before.
std::string allowed_for(const Measured& in) {
  return sum_rounding(in) > 0 ? "; its interval allows for that."
                              : "; its interval allows for that, beyond the margin that the noise has.";
}

std::string sum_sentence(const std::string& name, const Measured& in) {
  return "'" + name + "' adds up values to the nearest multiple of " + shortest(summed_step(in)) + allowed_for(in);
}

std::string part_sentence(const std::string& name, const Measured& in) {
  return "Where a unit has more rows in a group than max_rows, '" + name +
         "' has that part of its sum, cut to a multiple of " +
         shortest(summed_step(in) / static_cast<double>(in.one.fineness)) + allowed_for(in);
}

std::string pair_sentence(const std::string& name, const Measured& in) {
  const Measurement& one = in.one;
  return "'" + name + "', and what is shared with it, is made from y to the nearest multiple of " +
         shortest(one.granularity) + " and x to the nearest multiple of " + shortest(one.paired->granularity) +
         "; intervals allow for it.";
}

bool is_of_components(const Measurement& one) { return one.figure.name.starts_with("component-"); }

std::string components_sentence(const std::string& name, const Measurement& one) {
  std::string steps;
  for (const PairedGrid& x : one.regressors) steps += shortest(x.granularity) + ", ";
  return "'" + name + "', and what is shared with it, is about its columns to the nearest multiples of " + steps +
         shortest(one.granularity) + ", in the order of their texts; intervals allow for it.";
}

// The grids of all columns, of y first.
std::string regression_sentence(const std::string& name, const Measurement& one) {
  if (is_of_components(one)) return components_sentence(name, one);
  std::string steps = shortest(one.granularity);
  for (const PairedGrid& x : one.regressors) steps += ", " + shortest(x.granularity);
  return "'" + name + "', and what is shared with it, is about y and x to the nearest multiples of " + steps +
         ", in this order (x by their texts); intervals allow for it.";
}

std::string run_sentence(const std::string& name, double run) {
  return "'" + name + "' tells values apart that are " + shortest(run) +
         " from each other: its ranks are those of such runs of values, and equal rows may lie on either side of it.";
}

}  // namespace

std::vector<std::string> grid_sentences(const BoundStatistic& statistic) {
  std::vector<std::string> sentences;
  for (std::size_t i = 0; i < statistic.measurements.size(); ++i) {
    const Measured in = measured_at(statistic, i);
    const Measurement& one = in.one;
    if (!one.aggregation) continue;
    const std::string name = column_of(statistic, one);
    if (one.figure == Figure::sum && one.is_rounded) sentences.push_back(sum_sentence(name, in));
    if (one.figure == Figure::sum && statistic.table.unit) sentences.push_back(part_sentence(name, in));
    if (one.paired && !one.source && (one.is_rounded || one.paired->is_rounded))
      sentences.push_back(pair_sentence(name, in));
    if (is_rounded_regression(one) && !one.source) sentences.push_back(regression_sentence(name, one));
    if (const auto run = resolution_of(one)) sentences.push_back(run_sentence(name, *run));
  }
  return sentences;
}

}  // namespace vernier::plan
